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

/**
 * Nanoseconds a time, medians over interleaved rounds, each in an order of its own: other load on the machine strikes
 * all alike, and so does the garbage that one contestant leaves to the next. By the wall clock unless told otherwise.
 */
export async function measure(
  contestants: readonly Contestant[],
  times: number,
  rounds = 15,
  clock: Clock = wallClock,
): Promise<ReadonlyMap<string, number>> {
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
  return new Map([...samples].map(([name, values]) => [name, median(values)]));
}

function shuffled<T>(items: readonly T[]): readonly T[] {
  const drawn = items.map((item) => ({ item, at: Math.random() }));
  return drawn.sort((a, b) => a.at - b.at).map(({ item }) => item);
}

function median(values: number[]): number {
  values.sort((a, b) => a - b);
  return values[values.length >> 1] ?? Number.NaN;
}

/** Prints each contestant as a ratio to the first, with the target where there is one. */
export function report(
  title: string,
  results: ReadonlyMap<string, number>,
  targets: { readonly [name: string]: number } = {},
): void {
  const [base = 1] = results.values();
  const [unit, factor] = base < 10_000 ? (['ns', 1] as const) : (['µs', 1000] as const);
  console.log(`\n${title}\n| | ${unit} | ratio | target |\n|---|---|---|---|`);
  for (const [name, value] of results) {
    const target = targets[name];
    const ratio = (value / base).toFixed(2);
    console.log(
      `| ${name} | ${(value / factor).toFixed(0)} | ${ratio} | ${target === undefined ? '' : `<= ${target}`} |`,
    );
  }
}
