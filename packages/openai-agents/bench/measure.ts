/** One way of doing the work; `run` does it `times` over. */
export interface Contestant {
  readonly name: string;
  readonly run: (times: number) => Promise<unknown>;
}

/**
 * Microseconds a time, medians over many short interleaved rounds, each begun by another contestant: so the machine's
 * mood strikes all alike.
 */
export async function measure(
  contestants: readonly Contestant[],
  times: number,
  rounds: number,
): Promise<ReadonlyMap<string, number>> {
  const samples = new Map(contestants.map(({ name }) => [name, [] as number[]]));
  for (let round = -rounds / 20; round < rounds; round++) {
    const first = Math.abs(round) % contestants.length;
    for (const { name, run } of [...contestants.slice(first), ...contestants.slice(0, first)]) {
      const began = performance.now();
      await run(times);
      if (round >= 0) samples.get(name)?.push(((performance.now() - began) * 1000) / times);
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
  console.log(`\n${title}\n| | µs | ratio | target |\n|---|---|---|---|`);
  for (const [name, us] of results) {
    const target = targets[name];
    console.log(
      `| ${name} | ${us.toFixed(0)} | ${(us / base).toFixed(2)} | ${target === undefined ? '' : `<= ${target}`} |`,
    );
  }
}
