/** One way to do the work. `run` repeats it `times` times. */
export interface Contestant {
  readonly name: string;
  readonly run: (times: number) => unknown;
}

/** Returns nanoseconds since an arbitrary point in time. */
export type Clock = () => bigint;

const wallClock: Clock = () => process.hrtime.bigint();

/**
 * The CPU time of the process, including its garbage collector's threads. Other load on the machine has little effect.
 * On some machines it advances in steps of milliseconds, so each turn of a contestant must take far longer.
 */
export const processorClock: Clock = () => {
  const { user, system } = process.cpuUsage();
  return BigInt(user + system) * 1000n;
};

/** The measurement of one contestant. */
export interface Measured {
  readonly name: string;
  /** Nanoseconds per repetition. */
  readonly value: number;
  /** The ratio to the first contestant. */
  readonly ratio: number;
  /** The ratios of the rounds: one in four is below the first, one in four above the second. */
  readonly quartiles: readonly [number, number];
}

/**
 * Measures medians over interleaved rounds, each in its own order, so that other load and the garbage of other
 * contestants affect all contestants alike. A ratio compares two turns of the same round, so that temporary slowness of
 * the machine has no effect. Default clock: the wall clock.
 */
export async function measure(
  contestants: readonly Contestant[],
  times: number,
  rounds = 15,
  clock: Clock = wallClock,
): Promise<readonly Measured[]> {
  if (process.env['HOOKS_BENCH'] === 'once') [times, rounds] = [1, 1];
  const samples = new Map(contestants.map(({ name }) => [name, [] as number[]]));
  const warmUp = rounds === 1 ? 0 : Math.max(3, Math.ceil(rounds / 20));
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
  return [...samples].map(([name, values]) => {
    const ratios = values.map((value, round) => value / (first[round] ?? Number.NaN));
    const quartiles = [quantile(ratios, 1 / 4), quantile(ratios, 3 / 4)] as const;
    return { name, value: median(values), ratio: median(ratios), quartiles };
  });
}

function shuffled<T>(items: readonly T[]): readonly T[] {
  const drawn = items.map((item) => ({ item, at: Math.random() }));
  return drawn.sort((a, b) => a.at - b.at).map(({ item }) => item);
}

function median(values: readonly number[]): number {
  return quantile(values, 1 / 2);
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}

/** The measurements of one process, and the target ratios. */
export interface Report {
  readonly title: string;
  readonly results: readonly Measured[];
  readonly targets: { readonly [name: string]: number };
}

/** Reports each contestant as a ratio to the first: to the parent process if there is one, else to stdout. */
export function report(title: string, results: readonly Measured[], targets: Report['targets'] = {}): void {
  const made: Report = { title, results, targets };
  if (process.send) process.send(made);
  else print([made]);
}

/** Prints the measurements of one process, or the medians of several processes. */
export function print(reports: readonly Report[]): void {
  const [first] = reports;
  if (first === undefined) return;
  const ofAll = (row: number, what: 'value' | 'ratio'): readonly number[] =>
    reports.map(({ results }) => results[row]?.[what] ?? Number.NaN);
  const [unit, factor] = median(ofAll(0, 'value')) < 10_000 ? (['ns', 1] as const) : (['µs', 1000] as const);
  const spread = reports.length > 1 ? 'lowest to highest process' : 'middle half of the rounds';
  console.log(`\n${first.title}\n| | ${unit} | ratio | ${spread} | target |\n|---|---|---|---|---|`);
  for (const [row, { name, quartiles }] of first.results.entries()) {
    const ratios = reports.length > 1 ? ofAll(row, 'ratio') : quartiles;
    const value = median(ofAll(row, 'value')) / factor;
    const range = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`;
    const target = first.targets[name];
    console.log(
      `| ${name} | ${value.toFixed(0)} | ${median(ofAll(row, 'ratio')).toFixed(2)} | ${range} | ${target === undefined ? '' : `<= ${target}`} |`,
    );
  }
}
