import { parse as parseToml, TomlError } from 'smol-toml';
import {
  type Document,
  isMap,
  isScalar,
  LineCounter,
  type Pair,
  parseDocument,
  Scalar,
  visit,
  type YAMLError,
} from 'yaml';
import type { Origin } from '../entry.ts';
import { messageOf } from '../error-message.ts';
import type { ConfigIssue } from './error.ts';

/** The keys and indices that lead to a value. */
export type Path = readonly PropertyKey[];

/** A YAML or JSON text, as a value with the positions of its parts. */
export interface ParsedText {
  readonly value: unknown;
  /** Syntax errors. If there are any, there is no value. */
  readonly issues: readonly ConfigIssue[];
  /** The position of a value or its key. For a missing path, that of its nearest parent. */
  readonly origin: (path: Path, of?: 'value' | 'key') => Origin;
}

/** Parses TOML by the file's name, else YAML, which includes JSON. In YAML, supports merge keys (`<<`) and anchors. Reports duplicate keys. */
export function parseText(text: string, file: string): ParsedText {
  return /\.toml$/i.test(file) ? parseTomlText(text, file) : parseYamlText(text, file);
}

function parseYamlText(text: string, file: string): ParsedText {
  const lines = new LineCounter();
  const document = parseDocument(text, {
    lineCounter: lines,
    merge: true,
    prettyErrors: false,
    // The parser's own check compares each key with all before it. A file is read before anybody trusts it.
    uniqueKeys: false,
  });
  const at = (offset: number): Origin => {
    const { line, col } = lines.linePos(offset);
    return { file, line: Math.max(line, 1), column: Math.max(col, 1) };
  };
  const issues = document.errors.map((error) => ({
    ...at(error.pos[0]),
    path: '',
    message: problemOf(error),
  }));
  for (const { key, message } of oddKeys(document))
    issues.push({ ...at(rangeOf(key) ?? 0), path: '', message });
  const notJson = /\.json$/i.test(file) && issues.length === 0 ? whereNotJson(text, document) : undefined;
  if (notJson !== undefined) issues.push({ ...at(notJson), path: '', message: NOT_JSON });
  copyScalars(document);
  visit(document, { Pair: (_, pair) => keepText(pair) });
  const parsed = issues.length > 0 ? { value: undefined } : toValue(document);
  if (parsed.error !== undefined) issues.push({ ...at(0), path: '', message: parsed.error });
  // An editor empties a file for a moment while it saves, and in a file of comments alone every rule is switched off.
  // Neither must count as a policy without hooks.
  if (issues.length === 0 && parsed.value === null)
    issues.push({
      ...at(0),
      path: '',
      message: 'the file is empty; expected hooks (or "hooks: {}" for none)',
    });
  return {
    value: parsed.value,
    issues,
    origin: (path, of = 'value') => at(offsetOf(document, path, of)),
  };
}

/** TOML's parser gives no positions, so a hook has that of its table's header. */
function parseTomlText(text: string, file: string): ParsedText {
  const origin = ([, event, index]: Path): Origin => {
    const header = new RegExp(`^[ \\t]*\\[\\[?[ \\t]*hooks\\.${String(event)}[ \\t]*\\]`, 'gm');
    const found = [...text.matchAll(header)][typeof index === 'number' ? index : 0];
    return { file, line: text.slice(0, found?.index ?? 0).split('\n').length, column: 1 };
  };
  try {
    return { value: parseToml(text), issues: [], origin };
  } catch (error) {
    const { line, column } = error instanceof TomlError ? error : { line: 1, column: 1 };
    // The rest of the message repeats the text, which may hold a secret.
    const [message = ''] = messageOf(error).split('\n');
    return { value: undefined, issues: [{ file, line, column, path: '', message }], origin };
  }
}

/** Keys that are the same as texts (`1` and `"1"` name the same field), and those that name a field only once the file is evaluated. */
function oddKeys(document: Document.Parsed): readonly { readonly key: unknown; readonly message: string }[] {
  const odd: { readonly key: unknown; readonly message: string }[] = [];
  visit(document, {
    Map: (_, { items }) => {
      const known = new Set<string>();
      for (const { key } of items) {
        if (!isScalar(key)) {
          odd.push({ key, message: 'a key has to be a text: no alias, list or map' });
          continue;
        }
        const name = String(key.value ?? '');
        if (known.has(name)) odd.push({ key, message: 'a key stands twice in a map; keep one' });
        known.add(name);
      }
    },
  });
  return odd;
}

const NOT_JSON = 'not JSON: use double quotes, and no comments or trailing commas; or name the file .yaml';

/** Where a text of YAML stops being JSON. The parser's message is dropped, because it repeats a part of the text. */
function whereNotJson(text: string, document: Document.Parsed): number | undefined {
  if (text.trim() === '') return undefined;
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    const position = /at position (\d+)/.exec(messageOf(error))?.[1];
    let found = position === undefined ? undefined : Number(position);
    visit(document, {
      Scalar: (_, { type, range }) => {
        const word = text.slice(range?.[0], range?.[1]);
        const right = type === 'QUOTE_DOUBLE' || /^(?:-?\d[\d.eE+-]*|true|false|null)$/.test(word);
        if (!right) found ??= range?.[0];
      },
    });
    return found ?? 0;
  }
}

/** Puts a copy in the place of each alias of a scalar, so that keeping the text of one leaves the others as they are. */
function copyScalars(document: Document.Parsed): void {
  const scalars = new Map<string, Scalar>();
  visit(document, {
    Collection: (_, { anchor }) => {
      if (anchor !== undefined) scalars.delete(anchor);
    },
    Scalar: (_, scalar) => {
      if (scalar.anchor !== undefined) scalars.set(scalar.anchor, scalar);
    },
    Alias: (_, { source, range }) => {
      const scalar = scalars.get(source);
      if (scalar === undefined) return undefined;
      const copy = new Scalar(scalar.value);
      return Object.assign(copy, { range, ...(scalar.source !== undefined && { source: scalar.source }) });
    },
  });
}

/** Keeps numbers and booleans in an `env`, and in the maps that it merges, as written: `PYTHON: 3.10`. */
function keepText({ key, value: variables }: Pair): void {
  if (!isScalar(key) || key.value !== 'env' || !isMap(variables)) return;
  visit(variables, {
    Scalar: (role, scalar) => {
      if (role !== 'key' && /number|boolean/.test(typeof scalar.value))
        scalar.value = scalar.source ?? scalar.value;
    },
  });
}

/** What is wrong where a value cannot be made of a document, by the parser's words. */
const UNRESOLVED: readonly (readonly [RegExp, string])[] = [
  [/^Unresolved alias/, 'an alias (*) names no anchor (&) before it'],
  [/^Merge sources/, 'a merge (<<) takes maps only'],
];

const TOO_MANY_ALIASES = 'the file has too many aliases; write out what they name';

/** The codes whose messages are the parser's own words, and hold nothing of the file. */
const OWN_WORDS: ReadonlySet<string> = new Set([
  ...['ALIAS_PROPS', 'BAD_ALIAS', 'BAD_INDENT', 'BLOCK_AS_IMPLICIT_KEY', 'BLOCK_IN_FLOW'],
  ...['KEY_OVER_1024_CHARS', 'MISSING_CHAR', 'MULTILINE_IMPLICIT_KEY', 'MULTIPLE_ANCHORS'],
  ...['MULTIPLE_TAGS', 'TAB_AS_INDENT'],
]);

const OTHER_WORDS: Readonly<Record<string, string>> = {
  BAD_DQ_ESCAPE: 'no escape of a text in double quotes; write \\\\ for a backslash, or use single quotes',
  MULTIPLE_DOCS: 'the file has more than one document (---); write one',
  BAD_SCALAR_START: 'a value that begins with this character needs quotes',
  TAG_RESOLVE_FAILED: 'a tag (!) that is unknown here; a value that begins with ! needs quotes',
  UNEXPECTED_TOKEN: 'unexpected text; is a quote, a bracket or a comma missing before it?',
};

/** What is wrong with a text, without a part of it: it may hold a secret. */
function problemOf({ code, message }: YAMLError): string {
  return OWN_WORDS.has(code) ? message : (OTHER_WORDS[code] ?? `not valid YAML (${code})`);
}

/** Rejects aliases that expand to far more than the file holds. */
function toValue(document: Document.Parsed): { readonly value: unknown; readonly error?: string } {
  try {
    return { value: document.toJS({ maxAliasCount: 1000 }) };
  } catch (error) {
    // Its words repeat the name of the alias.
    const known = UNRESOLVED.find(([words]) => words.test(messageOf(error)));
    return { value: undefined, error: known?.[1] ?? TOO_MANY_ALIASES };
  }
}

/** `hooks.stop[0].timeout` */
export function formatPath(path: Path): string {
  return path
    .map((part, index) => (typeof part === 'number' ? `[${part}]` : `${index > 0 ? '.' : ''}${String(part)}`))
    .join('');
}

function offsetOf(document: Document.Parsed, path: Path, of: 'value' | 'key'): number {
  for (let length = path.length; length > 0; length--) {
    const parent = document.getIn(path.slice(0, length - 1), true);
    const pair = isMap(parent)
      ? parent.items.find((item) => keyOf(item) === String(path[length - 1]))
      : undefined;
    if (pair && of === 'key' && isScalar(pair.key)) return pair.key.range?.[0] ?? 0;
    const node = document.getIn(path.slice(0, length), true);
    const range = rangeOf(node) ?? rangeOf(pair?.key);
    if (range !== undefined) return range;
  }
  return rangeOf(document.contents) ?? 0;
}

function keyOf(pair: Pair): string | undefined {
  return isScalar(pair.key) ? String(pair.key.value) : undefined;
}

function rangeOf(node: unknown): number | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node)) return undefined;
  return Array.isArray(node.range) ? Number(node.range[0]) : undefined;
}
