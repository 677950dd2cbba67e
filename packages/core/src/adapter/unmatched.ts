import type { Registration } from '../dispatch/chain.ts';

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
  const nearest = new Map<string, readonly string[]>();
  const nearestTo = (matcher: string): readonly string[] => {
    const names = nearest.get(matcher) ?? nearestNames(matcher, tools);
    nearest.set(matcher, names);
    return names;
  };
  return hooks.flatMap(({ info: { id, matcher }, meets, byObject }) => {
    // A tool that is known by its object may stand under any name.
    if (matcher === undefined || byObject || tools.some(meets)) return [];
    return [{ id, matcher, nearest: nearestTo(matcher) }];
  });
}

/** The names most similar to the given one, by their letters, most similar first. */
function nearestNames(written: string, names: readonly string[]): readonly string[] {
  const letters = new Set(written);
  const similar = names.flatMap((name) => {
    const most = 0.7 * Math.max(name.length, written.length);
    // A name that is far shorter or longer need not be read.
    if (name.length <= most) return [];
    let same = 0;
    for (const letter of name) if (letters.has(letter)) same++;
    return same > most ? [{ name, likeness: same / most }] : [];
  });
  return similar
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, 3)
    .map(({ name }) => name);
}
