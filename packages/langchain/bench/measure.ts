/** One way of doing the work; `run` does it `times` over. */
export interface Contestant {
  readonly name: string;
  readonly run: (times: number) => unknown;
}

/**
 * Microseconds of this thread's CPU a time, medians over interleaved rounds: other load on the machine counts little,
 * and strikes all contestants alike.
 */
export async function measure(
  contestants: readonly Contestant[],
  times: number,
  rounds = 15,
): Promise<ReadonlyMap<string, number>> {
  const samples = new Map(contestants.map(({ name }) => [name, [] as number[]]));
  for (let round = -3; round < rounds; round++) {
    // Each is first in turn: who comes after whom, and whose garbage is collected when, is shared by all.
    const turn = (round + 3) % contestants.length;
    for (const { name, run } of [...contestants.slice(turn), ...contestants.slice(0, turn)]) {
      const began = process.threadCpuUsage();
      const running = run(times);
      if (running instanceof Promise) await running;
      const { user, system } = process.threadCpuUsage(began);
      const each = (user + system) / times;
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
  console.log(`\n${title}\n| | µs | ratio | target |\n|---|---|---|---|`);
  for (const [name, us] of results) {
    const target = targets[name];
    console.log(
      `| ${name} | ${us.toFixed(0)} | ${(us / base).toFixed(2)} | ${target === undefined ? '' : `<= ${target}`} |`,
    );
  }
}
