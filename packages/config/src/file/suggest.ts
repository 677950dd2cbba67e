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

/** Makes `preToolUse`, `PreToolUse` and `pre_tool_use` equal. */
function plain(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase();
}
