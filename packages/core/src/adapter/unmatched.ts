import type { Registration } from '../dispatch/chain.ts';
import type { ToolNames } from '../match.ts';
import { nearestAmong, SIMILAR } from '../nearest.ts';

/** A hook whose matcher matches no tool of the attached agents, or has a name with a typo. */
export interface UnmatchedHook {
  readonly id: string;
  readonly matcher: string;
  /** The name in the matcher that is probably a typo, where another one matches a tool: `exce` in `exce|read`. */
  readonly name?: string;
  /** Similar names, the most similar first. */
  readonly nearest: readonly string[];
}

/** The hooks whose matcher is by name and matches none of these tools, or misses one by a typo. */
export function unmatchedHooks(
  hooks: readonly Registration[],
  tools: readonly string[],
  { aliases = {}, groups = {} }: ToolNames,
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
    // A name of another framework's tool is fine. One that is nearly a tool which the matcher misses is a typo.
    const typos = namesIn(matcher).flatMap((name) => {
      if (Object.hasOwn(aliases, name) || Object.hasOwn(groups, name)) return [];
      if (tools.includes(name) && meets(name)) return [];
      const nearest = nearestTo(name.trim(), NEARLY).filter(
        (tool) => !meets(tool) && !hasOtherShortWord(name.trim(), tool),
      );
      return nearest.length > 0 ? [{ name, nearest }] : [];
    });
    if (tools.some(meets)) return typos.map((typo) => ({ id, matcher, ...typo }));
    const nearest = [...nearestTo(matcher, SIMILAR), ...typos.flatMap((typo) => typo.nearest)];
    return [{ id, matcher, nearest: [...new Set(nearest)] }];
  });
}

/** The names that a matcher lists; none if it is one name, or an expression whose `|` may stand within a group. */
function namesIn(matcher: string): readonly string[] {
  const [, list = matcher] = GROUP.exec(matcher) ?? [];
  const names = /[()[\]\\]/.test(list) ? [] : list.split(/[|,]/);
  return names.length > 1 ? names.filter((name) => NAME.test(name)) : [];
}

/**
 * Whether the names differ in a number or in the first letter of a short word, as `get_issue` and `set_issue` do. Few typos
 * are in the first letter, so these are two tools.
 */
function hasOtherShortWord(name: string, tool: string): boolean {
  const words = wordsOf(name);
  const others = wordsOf(tool);
  if (words.length !== others.length) return false;
  return words.some((word, at) => {
    const other = others[at] ?? '';
    if (word === other || Math.max(word.length, other.length) > SHORT) return false;
    return word[0] !== other[0] || /^\d+$/.test(word + other);
  });
}

function wordsOf(name: string): readonly string[] {
  return name.split(/[_.:-]+|(?<=[a-z])(?=[A-Z])|(?<=[A-Za-z])(?=\d)/).map((word) => word.toLowerCase());
}

/** The longest of short words. */
const SHORT = 3;

/** In a name that is probably a typo, one letter in so many may differ. */
const NEARLY = 6;

/** Also with a space that does not belong there. Longer than a short word. */
const NAME = /^\s*[\w.:-]{4,}\s*$/;

/** A list in one group. */
const GROUP = /^\^?\((?:\?:)?([^()]*)\)\$?$/;
