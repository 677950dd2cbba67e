/** How finely amounts without an id are kept: in this many parts of their window. */
export const PARTS = 100;

/** When an amount that is counted now expires: at the end of the part of the window that has begun, one window later. */
export function endOfWindow(now: number, windowMs: number): number {
  const part = Math.max(1, Math.floor(windowMs / PARTS));
  return (Math.floor(now / part) + 1) * part + windowMs;
}
