import { distance } from 'fastest-levenshtein';
import type * as Zod from 'zod';

/** `did you mean "timeout"?`, or the whole list if nothing is close. */
export function suggest(name: string, known: readonly string[]): string {
  const nearest = closest(name, known);
  return nearest === undefined ? `expected one of: ${known.join(', ')}` : `did you mean "${nearest}"?`;
}

/** What to write instead of a name that a schema does not know. */
export function suggestField(name: string, known: readonly string[] = []): string {
  return known.length > 0 ? `unknown field; ${suggest(name, known)}` : 'unknown field';
}

/** The names that the object has which raised an issue. */
export function fieldsOf({ inst }: Zod.core.$ZodRawIssue): readonly string[] {
  const shape: unknown = inst === undefined ? undefined : Reflect.get(inst, 'shape');
  return Object.keys(Object(shape));
}

/** The known name that was probably meant. */
export function closest(name: string, known: readonly string[]): string | undefined {
  const [nearest] = known
    .map((candidate) => ({ candidate, far: distance(plain(name), plain(candidate)) }))
    .sort((a, b) => a.far - b.far);
  return nearest && nearest.far <= Math.max(2, name.length / 3) ? nearest.candidate : undefined;
}

/** How far the most similar of the known names is. 0: the same in another case style. */
export function distanceTo(name: string, known: readonly string[]): number {
  return Math.min(...known.map((candidate) => distance(plain(name), plain(candidate))));
}

/**
 * The known name of which another is a misspelling. Stricter than `closest`, because it refuses the file: `tools` is not
 * `hooks`.
 */
export function misspelt(name: string, known: readonly string[]): string | undefined {
  const letters = (text: string): string => [...plain(text)].sort().join('');
  const nearest = closest(name, known);
  if (nearest === undefined) return undefined;
  const isNear = distanceTo(name, [nearest]) <= (nearest.length > 6 ? 2 : 1);
  return isNear || letters(name) === letters(nearest) ? nearest : undefined;
}

/** Makes `preToolUse`, `PreToolUse` and `pre_tool_use` equal. */
function plain(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase();
}
