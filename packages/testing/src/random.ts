/**
 * The number of cases that a random test draws: `few`, times `HOOKS_RANDOM` if that is set. Local runs draw few cases,
 * and nightly runs many.
 */
export function drawn(few: number): number {
  return Math.ceil(few * Number(process.env['HOOKS_RANDOM'] ?? 1));
}

/**
 * Every n-th case of a table, beginning with the case at `offset`, for cases that start processes. Give related tables
 * different offsets, so that each case runs in one of them. Returns all cases if `HOOKS_RANDOM` is set, as in CI.
 */
export function sampled<T>(cases: readonly T[], every: number, offset: number): readonly T[] {
  if (process.env['HOOKS_RANDOM'] !== undefined) return cases;
  return cases.filter((_, index) => index % every === offset % every);
}
