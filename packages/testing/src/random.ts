/**
 * How many cases a random test draws: `few`, times `HOOKS_RANDOM` where that is set. A developer waits for few; a nightly run
 * asks for many.
 */
export function drawn(few: number): number {
  return Math.ceil(few * Number(process.env['HOOKS_RANDOM'] ?? 1));
}
