/** One way of doing the work; `run` does it `times` over. */
export interface Contestant {
  readonly name: string;
  readonly run: (times: number) => unknown;
}

/** Nanoseconds a round, medians over interleaved rounds; so the machine's mood strikes all contestants alike. */
export async function measure(
  contestants: readonly Contestant[],
  times: number,
  rounds = 15,
): Promise<ReadonlyMap<string, number>> {
  const samples = new Map(contestants.map(({ name }) => [name, [] as number[]]));
  for (let round = -3; round < rounds; round++) {
    for (const { name, run } of contestants) {
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
  console.log(`\n${title}\n| | ns | ratio | target |\n|---|---|---|---|`);
  for (const [name, ns] of results) {
    const target = targets[name];
    console.log(
      `| ${name} | ${ns.toFixed(0)} | ${(ns / base).toFixed(2)} | ${target === undefined ? '' : `<= ${target}`} |`,
    );
  }
}
