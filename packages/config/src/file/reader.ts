import { distance } from 'fastest-levenshtein';
import * as z from 'zod';
import type { Origin } from '../entry.ts';
import { formatPath, type ParsedText, type Path } from './document.ts';
import type { ConfigIssue } from './error.ts';

/** Reads the parts of a file, and collects problems with their positions. */
export class FileReader {
  /** Problems that keep the file from being used. */
  readonly issues: ConfigIssue[] = [];
  /** Notices: events that never fire, a judge without another hook. */
  readonly notices: ConfigIssue[] = [];
  readonly #text: ParsedText;

  constructor(text: ParsedText) {
    this.#text = text;
    this.issues.push(...text.issues);
  }

  /** The position of a value. */
  origin(path: Path): Origin {
    return this.#text.origin(path);
  }

  /** Parses a value with a schema. On failure, returns undefined and adds a problem for each error. */
  check<Schema extends z.ZodType>(schema: Schema, value: unknown, path: Path): z.output<Schema> | undefined {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    for (const issue of result.error.issues) this.#report(schema, issue, path);
    return undefined;
  }

  /** Adds a problem with a value or its key. */
  issue(path: Path, message: string, of: 'value' | 'key' = 'value'): void {
    this.issues.push({ ...this.#text.origin(path, of), path: formatPath(path), message });
  }

  /** Adds a notice about a value. */
  notice(path: Path, message: string): void {
    this.notices.push({ ...this.#text.origin(path, 'key'), path: formatPath(path), message });
  }

  /** The value if it is a map. Otherwise undefined, with a problem. */
  map(value: unknown, path: Path): Readonly<Record<string, unknown>> | undefined {
    return this.check(z.record(z.string(), z.unknown()), value, path);
  }

  /** The value if it is a list. Otherwise undefined, with a problem. */
  list(value: unknown, path: Path): readonly unknown[] | undefined {
    return this.check(z.array(z.unknown()), value, path);
  }

  #report(schema: z.ZodType, issue: z.core.$ZodIssue, base: Path): void {
    const path = [...base, ...issue.path];
    if (issue.code === 'invalid_key') {
      this.issue(path, issue.issues[0]?.message ?? issue.message, 'key');
      return;
    }
    if (issue.code !== 'unrecognized_keys') {
      this.issue(path, issue.message);
      return;
    }
    const known = schema instanceof z.ZodObject && issue.path.length === 0 ? Object.keys(schema.shape) : [];
    for (const key of issue.keys)
      this.issue(
        [...path, key],
        known.length > 0 ? `unknown field; ${suggest(key, known)}` : 'unknown field',
        'key',
      );
  }
}

/** `did you mean "timeout"?`, or the whole list if nothing is close. */
export function suggest(name: string, known: readonly string[]): string {
  const nearest = closest(name, known);
  return nearest === undefined ? `expected one of: ${known.join(', ')}` : `did you mean "${nearest}"?`;
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
