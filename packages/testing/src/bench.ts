/** One way of doing the work; `run` does it `times` over. */
export interface Contestant {
  readonly name: string;
  readonly run: (times: number) => unknown;
}

/** Nanoseconds that have passed since some moment. */
export type Clock = () => bigint;

const wallClock: Clock = () => process.hrtime.bigint();

/**
 * What the process has used of the processors, its garbage collector's threads too: other load on the machine counts
 * little. It moves in steps of milliseconds on some machines, so each turn of a contestant has to take far longer.
 */
export const processorClock: Clock = () => {
  const { user, system } = process.cpuUsage();
  return BigInt(user + system) * 1000n;
};

/** What was measured of one contestant. */
export interface Measured {
  readonly name: string;
  /** Nanoseconds a time. */
  readonly value: number;
  /** To the first contestant. */
  readonly ratio: number;
}

/**
 * Medians over interleaved rounds, each in an order of its own: other load on the machine strikes all alike, and so does
 * the garbage that one contestant leaves to the next. A ratio is that of two turns of one round, so that a machine that
 * is slower for a while makes no difference. By the wall clock unless told otherwise.
 */
export async function measure(
  contestants: readonly Contestant[],
  times: number,
  rounds = 15,
  clock: Clock = wallClock,
): Promise<readonly Measured[]> {
  const samples = new Map(contestants.map(({ name }) => [name, [] as number[]]));
  const warmUp = Math.max(3, Math.ceil(rounds / 20));
  for (let round = -warmUp; round < rounds; round++) {
    for (const { name, run } of shuffled(contestants)) {
      const began = clock();
      const running = run(times);
      if (running instanceof Promise) await running;
      const each = Number(clock() - began) / times;
      if (round >= 0) samples.get(name)?.push(each);
    }
  }
  const [first = []] = samples.values();
  return [...samples].map(([name, values]) => ({
    name,
    value: median(values),
    ratio: median(values.map((value, round) => value / (first[round] ?? Number.NaN))),
  }));
}

function shuffled<T>(items: readonly T[]): readonly T[] {
  const drawn = items.map((item) => ({ item, at: Math.random() }));
  return drawn.sort((a, b) => a.at - b.at).map(({ item }) => item);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
}

/** What one process measured of some contestants, and the ratios that are aimed at. */
export interface Report {
  readonly title: string;
  readonly results: readonly Measured[];
  readonly targets: { readonly [name: string]: number };
}

/** Reports each contestant as a ratio to the first, with the target where there is one: to who started this process, else to its output. */
export function report(title: string, results: readonly Measured[], targets: Report['targets'] = {}): void {
  const made: Report = { title, results, targets };
  if (process.send) process.send(made);
  else print([made]);
}

/** Prints what one process measured, or the medians of what several measured of the same. */
export function print(reports: readonly Report[]): void {
  const [first] = reports;
  if (first === undefined) return;
  const ofAll = (row: number, what: 'value' | 'ratio'): readonly number[] =>
    reports.map(({ results }) => results[row]?.[what] ?? Number.NaN);
  const [unit, factor] = median(ofAll(0, 'value')) < 10_000 ? (['ns', 1] as const) : (['µs', 1000] as const);
  console.log(`\n${first.title}\n| | ${unit} | ratio | lowest to highest | target |\n|---|---|---|---|---|`);
  for (const [row, { name }] of first.results.entries()) {
    const ratios = ofAll(row, 'ratio');
    const value = median(ofAll(row, 'value')) / factor;
    const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
    const target = first.targets[name];
    console.log(
      `| ${name} | ${value.toFixed(0)} | ${median(ratios).toFixed(2)} | ${range} | ${target === undefined ? '' : `<= ${target}`} |`,
    );
  }
}
