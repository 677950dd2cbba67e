/**
 * How many times longer `task` takes for 100,000 characters of `part`, or of a shape, than for 10,000. The best of up to 60 rounds is
 * taken, in each of which the short text is done ten times: so both take as long, and other work on the machine slows
 * both alike. Quadratic time gives 100.
 */
export function proportion(
  part: string | ((length: number) => string),
  task: (text: string) => unknown,
): number {
  const shape =
    typeof part === 'string'
      ? (length: number) => part.repeat(Math.ceil(length / part.length)).slice(0, length)
      : part;
  const [long, short] = [shape(100_000), shape(10_000)];
  const time = (text: string, times: number): number => {
    const from = performance.now();
    for (let i = 0; i < times; i++) task(text);
    return performance.now() - from;
  };
  let [tenShort, oneLong] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < 60 && (round < 2 || oneLong / tenShort > 1.2); round++) {
    // Below a millisecond the clock is what is measured.
    tenShort = Math.min(tenShort, Math.max(time(short, 10), 1));
    oneLong = Math.min(oneLong, time(long, 1));
  }
  return (10 * oneLong) / tenShort;
}
