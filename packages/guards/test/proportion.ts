/** How long the two texts are that are compared: the second a whole number of times the first. */
export interface Lengths {
  readonly short: number;
  readonly long: number;
}

/**
 * How many times longer `task` takes for 100,000 characters of `part`, or of a shape, than for 10,000, or for other
 * lengths. In each round the short text is done as often as it goes into the long one: so both take as long, and other
 * work on the machine slows both alike. The best of many rounds is taken: 60, or as many as go into 10 s where the times
 * are still far from each other, so that nobody else's burst of work covers them all. Time in proportion gives 10,
 * quadratic time 100.
 */
export function proportion(
  part: string | ((length: number) => string),
  task: (text: string) => unknown,
  { short, long }: Lengths = { short: 10_000, long: 100_000 },
): number {
  const shape =
    typeof part === 'string'
      ? (length: number) => part.repeat(Math.ceil(length / part.length)).slice(0, length)
      : part;
  const [longText, shortText, times] = [shape(long), shape(short), long / short];
  const time = (text: string, count: number): number => {
    const from = performance.now();
    for (let i = 0; i < count; i++) task(text);
    return performance.now() - from;
  };
  const until = performance.now() + 10_000;
  let [manyShort, oneLong] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; ; round++) {
    // Below a millisecond the clock is what is measured.
    manyShort = Math.min(manyShort, Math.max(time(shortText, times), 1));
    oneLong = Math.min(oneLong, time(longText, 1));
    const ratio = oneLong / manyShort;
    const enough = ratio <= (round < 60 ? 1.2 : 1.4) || performance.now() > until;
    if (round > 0 && enough) return times * ratio;
  }
}
