import { distance } from 'fastest-levenshtein';
import * as z from 'zod';
import type { Origin } from '../entry.ts';
import { formatPath, type ParsedText, type Path } from './document.ts';
import type { ConfigIssue } from './error.ts';

/** Reads the parts of one file, and collects what is wrong with them, each with its place. */
export class FileReader {
  /** What keeps the file from being used. */
  readonly issues: ConfigIssue[] = [];
  /** What a reader of the file should know: events that never fire, hooks that stand alone. */
  readonly notices: ConfigIssue[] = [];
  readonly #text: ParsedText;

  constructor(text: ParsedText) {
    this.#text = text;
    this.issues.push(...text.issues);
  }

  /** Where a value stands. */
  origin(path: Path): Origin {
    return this.#text.origin(path);
  }

  /** The value as the schema has it; or nothing, and an issue for each thing that is wrong. */
  check<Schema extends z.ZodType>(schema: Schema, value: unknown, path: Path): z.output<Schema> | undefined {
    const result = schema.safeParse(value);
    if (result.success) return result.data;
    for (const issue of result.error.issues) this.#report(schema, issue, path);
    return undefined;
  }

  /** Says that a value is wrong, or its key. */
  issue(path: Path, message: string, of: 'value' | 'key' = 'value'): void {
    this.issues.push({ ...this.#text.origin(path, of), path: formatPath(path), message });
  }

  /** Says something about a value that keeps nothing from working. */
  notice(path: Path, message: string): void {
    this.notices.push({ ...this.#text.origin(path, 'key'), path: formatPath(path), message });
  }

  /** The value, if it is a map; else nothing, and an issue. */
  map(value: unknown, path: Path): Readonly<Record<string, unknown>> | undefined {
    return this.check(z.record(z.string(), z.unknown()), value, path);
  }

  /** The value, if it is a list; else nothing, and an issue. */
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
    for (const key of issue.keys) this.issue([...path, key], `unknown field; ${suggest(key, known)}`, 'key');
  }
}

/** `did you mean "timeout"?`, or the whole list where nothing is near. */
export function suggest(name: string, known: readonly string[]): string {
  const [nearest] = known
    .map((candidate) => ({ candidate, far: distance(plain(name), plain(candidate)) }))
    .sort((a, b) => a.far - b.far);
  return nearest && nearest.far <= Math.max(2, name.length / 3)
    ? `did you mean "${nearest.candidate}"?`
    : `expected one of: ${known.join(', ')}`;
}

/** `preToolUse`, `PreToolUse` and `pre_tool_use` are the same word to a reader. */
function plain(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase();
}
