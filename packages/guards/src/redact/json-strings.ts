import type { Part } from './part.ts';
import { endOfRun } from './run.ts';

/** The name of a field and the beginning of a string of JSON. */
const OPENED = /(?:"((?:[\w.-]|\\u[\da-fA-F]{4}){1,80})" {0,4}: {0,4})?"/g;
/** A part of a string, which is on one line. Bounded, because an expression that repeats a group needs stack for each. */
const SOME = /(?:[^"\\\r\n]|\\[^\r\n]){1,500}/y;
/** Two lines that no form of a secret goes across. */
const BETWEEN = '\n\u0000\n';

/**
 * What the strings in JSON say, wherever it stands in a text: an escaped line break is one, and begins a line of a table
 * or a key. Only of those strings that say something else than what they look like.
 */
export function jsonStringsIn(text: string): Part | undefined {
  if (!text.includes('\\')) return undefined;
  const strings: {
    readonly from: number;
    readonly start: number;
    readonly raw: string;
    offsets?: Uint32Array;
  }[] = [];
  const parts: string[] = [];
  let from = 0;
  for (const { name, raw, start } of stringsOf(text)) {
    const said = raw.includes('\\') ? decode(raw) : undefined;
    if (said === undefined) continue;
    // A name before more than one line would no longer be that of the first.
    const before = name === undefined || said.includes('\n') ? '' : `${name}: `;
    from += before.length;
    strings.push({ from, start, raw });
    parts.push(before + said);
    from += said.length + BETWEEN.length;
  }
  if (strings.length === 0) return undefined;
  const place = (index: number): number => {
    const nth = lastWhere(strings, (string) => string.from <= index);
    const string = strings[nth];
    if (string === undefined) return 0;
    string.offsets ??= offsetsOf(string.raw);
    return string.start + (string.offsets[Math.min(index - string.from, string.offsets.length - 1)] ?? 0);
  };
  return { text: parts.join(BETWEEN), span: (start, end) => ({ start: place(start), end: place(end) }) };
}

/** A field of JSON whose value has escapes, and what they say. */
interface EscapedField {
  readonly name: string;
  readonly value: string;
  readonly start: number;
  readonly end: number;
}

/** The fields of JSON whose values have escapes. A quote or a backslash in one does not end it, as it would in other texts. */
export function* escapedFieldsIn(text: string): Generator<EscapedField> {
  if (!text.includes('\\')) return;
  for (const { name, raw, start } of stringsOf(text)) {
    const value = name !== undefined && raw.includes('\\') ? decode(raw) : undefined;
    if (name !== undefined && value !== undefined) yield { name, value, start, end: start + raw.length };
  }
}

function decode(raw: string): string | undefined {
  try {
    return JSON.parse(`"${raw}"`) as string;
  } catch {
    return undefined; // A string of another language.
  }
}

/** Where each character of a decoded string stands in the string, and where the string ends. */
function offsetsOf(raw: string): Uint32Array {
  const offsets = new Uint32Array(raw.length + 1);
  let nth = 0;
  for (let at = 0; at < raw.length; at += raw[at] !== '\\' ? 1 : raw[at + 1] === 'u' ? 6 : 2)
    offsets[nth++] = at;
  offsets[nth] = raw.length;
  return offsets.subarray(0, nth + 1);
}

/** The strings of JSON in a text. Reads each character once. */
function* stringsOf(text: string): Generator<{ name: string | undefined; raw: string; start: number }> {
  OPENED.lastIndex = 0;
  for (let hit = OPENED.exec(text); hit !== null; hit = OPENED.exec(text)) {
    const start = hit.index + hit[0].length;
    const end = endOfRun(SOME, text, start);
    if (text[end] === '"') yield { name: hit[1] && decode(hit[1]), raw: text.slice(start, end), start };
    // Of a line in which this string does not end, no later one ends either: all quotes behind it are escaped.
    OPENED.lastIndex = end + 1;
  }
}

/** The last index whose element meets a condition that all before it meet. */
function lastWhere<T>(all: readonly T[], meets: (one: T) => boolean): number {
  let low = 0;
  let high = all.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const one = all[middle];
    if (one !== undefined && meets(one)) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
