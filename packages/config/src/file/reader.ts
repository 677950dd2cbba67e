import * as z from 'zod';
import type { DialectName } from '../dialects/dialect.ts';
import type { Origin } from '../entry.ts';
import { formatPath, type ParsedText, type Path } from './document.ts';
import type { ConfigIssue } from './error.ts';
import { expectedBy } from './expected.ts';
import { fieldsOf, suggestField } from './suggest.ts';

/** The dialect in which a file is read. */
export interface Reading {
  readonly dialect: DialectName;
  /** If the dialect is a guess: another that the file may be of. */
  readonly other?: () => DialectName;
}

const MAX_LISTED = 100;

/** Reads the parts of a file, and collects problems with their positions. */
export class FileReader {
  /** Problems that keep the file from being used. */
  readonly issues: ConfigIssue[] = [];
  /** Notices: events that never fire, a judge without another hook. */
  readonly notices: ConfigIssue[] = [];
  readonly #text: ParsedText;
  readonly #reading: Reading;

  constructor(text: ParsedText, reading: Reading) {
    this.#text = text;
    this.#reading = reading;
    this.issues.push(...text.issues);
  }

  /** The position of a value. */
  origin(path: Path): Origin {
    return this.#text.origin(path);
  }

  /** Parses a value with a schema. On failure, returns undefined and adds a problem for each error. */
  check<Schema extends z.ZodType>(schema: Schema, value: unknown, path: Path): z.output<Schema> | undefined {
    /** By the names that it does not have. */
    const known = new Map<readonly string[], readonly string[]>();
    const result = schema.safeParse(value, {
      error: (issue) => {
        if (issue.code === 'unrecognized_keys') known.set(issue.keys, fieldsOf(issue));
        return expectedBy(issue);
      },
    });
    if (result.success) return result.data;
    for (const issue of result.error.issues) this.#report(issue, path, known);
    return undefined;
  }

  /** Adds a problem with a value or its key. */
  issue(path: Path, message: string, of: 'value' | 'key' = 'value'): void {
    this.#add(this.issues, path, message, of);
  }

  /** Adds a notice about a value. */
  notice(path: Path, message: string): void {
    this.#add(this.notices, path, message, 'key');
  }

  /** To find a position takes longer in a longer file, so a file with thousands of problems would take minutes. */
  #add(list: ConfigIssue[], path: Path, message: string, of: 'value' | 'key', shown = path): void {
    if (list.length > MAX_LISTED) return;
    const isLast = list.length === MAX_LISTED;
    const about = isLast
      ? { path: '', message: 'there are more, which are not listed' }
      : { path: formatPath(shown), message };
    list.push({ ...this.#text.origin(path, of), ...about });
  }

  /** Whether the dialect is a guess. */
  get isGuess(): boolean {
    return this.#reading.other !== undefined;
  }

  /**
   * Adds a problem with a name that the dialect ignores. It is an error if the dialect is a guess, because the file may be of
   * another program that does not ignore it.
   *
   * @param what what the name is
   * @param advice what to write instead
   */
  ignored(path: Path, what: string, advice: string): void {
    const { dialect, other } = this.#reading;
    if (this.issues.length > MAX_LISTED) return;
    if (other === undefined) {
      this.notice(path, `${what}, ignored as ${dialect} does; ${advice}`);
      return;
    }
    const readings = `the file looks like one of "${dialect}", which ignores it, and may be one of "${other()}"`;
    this.issue(path, `${what}: ${readings}; name the dialect, or correct it: ${advice}`, 'key');
  }

  /** The value if it is a map. Otherwise undefined, with a problem. */
  map(value: unknown, path: Path): Readonly<Record<string, unknown>> | undefined {
    return this.check(z.record(z.string(), z.unknown()), value, path);
  }

  /** The value if it is a list. Otherwise undefined, with a problem. */
  list(value: unknown, path: Path): readonly unknown[] | undefined {
    return this.check(z.array(z.unknown()), value, path);
  }

  #report(
    issue: z.core.$ZodIssue,
    base: Path,
    known: ReadonlyMap<readonly string[], readonly string[]>,
  ): void {
    const path = [...base, ...issue.path];
    if (issue.code === 'invalid_key') {
      // The name itself may be a value that somebody wrote in its place.
      this.#add(this.issues, path, issue.issues[0]?.message ?? issue.message, 'key', path.slice(0, -1));
      return;
    }
    if (issue.code !== 'unrecognized_keys') {
      this.issue(path, issue.message);
      return;
    }
    for (const key of issue.keys) this.issue([...path, key], suggestField(key, known.get(issue.keys)), 'key');
  }
}
