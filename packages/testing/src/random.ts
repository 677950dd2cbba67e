const times = Number(process.env['HOOKS_RANDOM'] ?? 1);
const part = Number(process.env['HOOKS_PART'] ?? 0);

/**
 * The number of cases that a random test draws: `few`, times `HOOKS_RANDOM`. Runs on a developer's machine draw a tenth, CI on
 * GitHub all, and whoever looks for rare faults many times as many.
 */
export function drawn(few: number): number {
  return Math.ceil(few * times);
}

/**
 * Every n-th case of a table, beginning with the case at `offset`, for cases that are slow. Give related tables different
 * offsets, so that each case runs in one of them; `HOOKS_PART` chooses others. Returns all cases if `HOOKS_RANDOM` is 1 or more,
 * as in CI on GitHub.
 */
export function sampled<T>(cases: readonly T[], every: number, offset: number): readonly T[] {
  if (times >= 1) return cases;
  return cases.filter((_, index) => index % every === (offset + part) % every);
}
