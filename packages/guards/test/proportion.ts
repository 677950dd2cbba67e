/**
 * How many times longer `task` takes for 100,000 characters of `part` than for 10,000: the least ratio of the best
 * times in up to 25 rounds, since other work on the machine only ever adds. Quadratic time gives 100.
 */
export function proportion(part: string, task: (text: string) => unknown): number {
  const long = part.repeat(Math.ceil(100_000 / part.length)).slice(0, 100_000);
  const short = long.slice(0, 10_000);
  const time = (text: string): number => {
    const from = performance.now();
    task(text);
    return performance.now() - from;
  };
  let [shortest, longest] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < 25 && (round < 3 || longest / shortest > 12); round++) {
    shortest = Math.min(shortest, Math.max(time(short), 0.2));
    longest = Math.min(longest, time(long));
  }
  return longest / shortest;
}
