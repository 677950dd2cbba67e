/**
 * How many cases a random test draws: `few`, times `HOOKS_RANDOM` where that is set. A developer waits for few; a nightly run
 * asks for many.
 */
export function drawn(few: number): number {
  return Math.ceil(few * Number(process.env['HOOKS_RANDOM'] ?? 1));
}

/**
 * One in `every` cases of a table whose cases each start processes, beginning with the case at `offset`: give tables that stand side
 * by side different offsets, so that each case runs in one of them. All of the cases where `HOOKS_RANDOM` is set, as CI does.
 */
export function sampled<T>(cases: readonly T[], every: number, offset: number): readonly T[] {
  if (process.env['HOOKS_RANDOM'] !== undefined) return cases;
  return cases.filter((_, index) => index % every === offset % every);
}
