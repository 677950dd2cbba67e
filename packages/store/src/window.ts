/** The resolution of amounts without an id: this many parts of their window. */
export const PARTS = 100;

/** When an amount that is counted now expires: one window after the end of the current part. */
export function endOfWindow(now: number, windowMs: number): number {
  const part = Math.max(1, Math.floor(windowMs / PARTS));
  return (Math.floor(now / part) + 1) * part + windowMs;
}
