import type { Registration } from '../dispatch/chain.ts';
import { nearestAmong } from '../nearest.ts';

/** A hook whose matcher matches no tool of the attached agents. */
export interface UnmatchedHook {
  readonly id: string;
  readonly matcher: string;
  /** Similar names, the most similar first. */
  readonly nearest: readonly string[];
}

/** The hooks whose matcher is by name and matches none of these tools. */
export function unmatchedHooks(
  hooks: readonly Registration[],
  tools: readonly string[],
): readonly UnmatchedHook[] {
  if (tools.length === 0) return [];
  const found = new Map<string, readonly string[]>();
  const nearestOf = nearestAmong(tools);
  const nearestTo = (matcher: string): readonly string[] => {
    const names = found.get(matcher) ?? nearestOf(matcher);
    found.set(matcher, names);
    return names;
  };
  return hooks.flatMap(({ info: { id, matcher }, meets, byObject }) => {
    // A tool that is known by its object may stand under any name.
    if (matcher === undefined || byObject || tools.some(meets)) return [];
    return [{ id, matcher, nearest: nearestTo(matcher) }];
  });
}
