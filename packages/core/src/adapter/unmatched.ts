import type { Registration } from '../dispatch/chain.ts';
import { nearestAmong } from '../nearest.ts';

/** A hook whose matcher matches no tool of the attached agents, or has a name with a typo. */
export interface UnmatchedHook {
  readonly id: string;
  readonly matcher: string;
  /** The name in the matcher that is probably a typo, where its other names match tools: `exce` in `exce|read`. */
  readonly name?: string;
  /** Similar names, the most similar first. */
  readonly nearest: readonly string[];
}

/** The hooks whose matcher is by name and matches none of these tools, or misses one by a typo. */
export function unmatchedHooks(
  hooks: readonly Registration[],
  tools: readonly string[],
): readonly UnmatchedHook[] {
  if (tools.length === 0) return [];
  const found = new Map<string, readonly string[]>();
  const nearestOf = nearestAmong(tools);
  const nearestTo = (written: string, per: number): readonly string[] => {
    const key = `${per} ${written}`;
    const names = found.get(key) ?? nearestOf(written, per);
    found.set(key, names);
    return names;
  };
  return hooks.flatMap(({ info: { id, matcher }, meets, byObject }): UnmatchedHook[] => {
    // A tool that is known by its object may stand under any name.
    if (matcher === undefined || byObject) return [];
    if (!tools.some(meets)) return [{ id, matcher, nearest: nearestTo(matcher, SIMILAR) }];
    if (!ALTERNATIVES.test(matcher)) return [];
    return matcher.split('|').flatMap((name) => {
      if (!NAME.test(name) || tools.includes(name)) return [];
      // A name of another framework's tool is fine. One that is nearly a tool which the matcher misses is a typo.
      const nearest = nearestTo(name, NEARLY).filter((tool) => !meets(tool));
      return nearest.length > 0 ? [{ id, matcher, name, nearest }] : [];
    });
  });
}

/** One letter in so many may differ. */
const SIMILAR = 3;
const NEARLY = 6;

const NAME = /^[\w-]+$/;

/** Names and expressions without groups, so that each `|` stands between two of them. */
const ALTERNATIVES = /^[^()[\]\\]*\|[^()[\]\\]*$/;
