/** One way of doing the work; `run` does it `times` over. */
export interface Contestant {
  readonly name: string;
  readonly run: (times: number) => unknown;
}

/**
 * Nanoseconds a time, medians over interleaved rounds, each begun by another contestant: other load on the machine
 * strikes all alike. By the wall clock, since the thread's CPU time moves in steps of milliseconds on some machines.
 */
export async function measure(
  contestants: readonly Contestant[],
  times: number,
  rounds = 15,
): Promise<ReadonlyMap<string, number>> {
  const samples = new Map(contestants.map(({ name }) => [name, [] as number[]]));
  const warmUp = Math.max(3, Math.ceil(rounds / 20));
  for (let round = -warmUp; round < rounds; round++) {
    const first = (round + warmUp) % contestants.length;
    for (const { name, run } of [...contestants.slice(first), ...contestants.slice(0, first)]) {
      const began = process.hrtime.bigint();
      const running = run(times);
      if (running instanceof Promise) await running;
      const each = Number(process.hrtime.bigint() - began) / times;
      if (round >= 0) samples.get(name)?.push(each);
    }
  }
  return new Map([...samples].map(([name, values]) => [name, median(values)]));
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
