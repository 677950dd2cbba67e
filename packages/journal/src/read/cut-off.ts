/**
 * Whether a text is the beginning of a line, or of several: what is left where a process was killed, or the disk was full, in the middle
 * of a line. Another process may have written on behind it.
 */
export function isCutOff(text: string): boolean {
  const starts = [...text.matchAll(BEGINNING)].map(({ index }) => index).filter((index) => index > 0);
  // How far the text is made of beginnings.
  const ends = new Set([0]);
  for (const end of [...starts.slice(0, MOST_BEGUN), text.length])
    for (const start of ends)
      if (isBegun(text.slice(start, end))) {
        ends.add(end);
        break;
      }
  return ends.has(text.length);
}

/** The beginnings of a line. No text in a record holds them: quotes are escaped there. */
export const BEGINNING: RegExp = /\{"(?:data|hash)":/g;

/** More processes are not killed in one line. Data may hold any number of what looks like a beginning. */
const MOST_BEGUN = 16;

function isBegun(text: string): boolean {
  if (['{"data":', '{"hash":"'].some((start) => start.startsWith(text))) return text !== '';
  const line = completed(text);
  if (line === undefined) return false;
  const { data = null, hash = '', record = {}, ...others } = line;
  // The name of the last field may be cut off, too.
  return (
    Object.keys(others).every((name) => 'hash'.startsWith(name) || 'record'.startsWith(name)) &&
    typeof data === 'object' &&
    (hash === null || /^[0-9a-f]{0,64}$/.test(String(hash))) &&
    typeof record === 'object'
  );
}

/** Reads the beginning of a JSON object, ended as briefly as possible. Undefined where it begins none, or is whole. */
function completed(text: string): { readonly [name: string]: unknown } | undefined {
  const open: string[] = [];
  let inString = false;
  /** Where the text ends without an escape that is not whole. */
  let end = text.length;
  for (let at = 0; at < text.length; at++) {
    const char = text[at];
    if (inString) {
      if (char === '\\') {
        const length = text[at + 1] === 'u' ? 6 : 2;
        if (at + length > text.length) end = at;
        at += length - 1;
      } else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{') open.push('}');
    else if (char === '[') open.push(']');
    else if (char === '}' || char === ']') if (open.pop() !== char) return undefined;
  }
  if (open.length === 0) return undefined;
  const begun = inString ? `${text.slice(0, end)}"` : text;
  const closing = open.reverse().join('');
  for (const ending of ENDINGS)
    try {
      return JSON.parse(begun + ending + closing) as { readonly [name: string]: unknown };
    } catch {
      // Another one may fit.
    }
  return undefined;
}

/** Of what may be cut off: a value, a field, a number, a word. */
const ENDINGS = [
  '',
  'null',
  ':null',
  '"":null',
  '0',
  'rue',
  'ue',
  'e',
  'alse',
  'lse',
  'se',
  'ull',
  'll',
  'l',
];

/**
 * Where the last record of a text begins, if a whole one ends it: however much that looks like a beginning stands in front of it, or in
 * its data.
 */
export function lastStart(text: string): number | undefined {
  // No text in a record can hold this: quotes are escaped there.
  const at = text.lastIndexOf('"hash":"');
  if (at < 1) return undefined;
  if (text[at - 1] === '{') return at - 1;
  const data = startOfValue(text, at - 1);
  const start = (data ?? 0) - DATA.length;
  return text.startsWith(DATA, start) ? start : undefined;
}

const DATA = '{"data":';

/** Where a JSON object begins that ends before a position, or a null with the spaces that an erasure has put behind it. */
function startOfValue(text: string, end: number): number | undefined {
  let at = end - 1;
  while (text[at] === ' ') at--;
  if (text.slice(at - 3, at + 1) === 'null') return at - 3;
  for (let open = 0; at >= 0; at--) {
    const char = text[at];
    if (char === '"') at = startOfText(text, at);
    else if (char === '}' || char === ']') open++;
    else if ((char === '{' || char === '[') && --open === 0) return at;
  }
  return undefined;
}

/** Where a text begins that ends with the quote at a position: at the first one that no backslash escapes. */
function startOfText(text: string, end: number): number {
  for (let at = text.lastIndexOf('"', end - 1); at >= 0; at = text.lastIndexOf('"', at - 1)) {
    let escapes = 0;
    while (text[at - 1 - escapes] === '\\') escapes++;
    if (escapes % 2 === 0) return at;
    if (at === 0) return -1;
  }
  return -1;
}
