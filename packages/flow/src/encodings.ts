import { withoutEntities } from './values/entities.ts';

/*
 * What a service may make of what it is given, in two rules. A text may spell a value: each character as itself or by its number,
 * however the number is written and whatever stands between, as in `%40`, `\100`, `\u{40}`, `&#64;`, `=40` and `64,118`. And a
 * word may be the bytes of a text, in base64 or hexadecimal.
 */

/** A text as HTML and mail show it, and as JSON decodes it where it stands in a string. Undefined where that is the text itself. */
export function shownAs(text: string): string | undefined {
  if (!/[<&%=\\]/.test(text)) return undefined;
  // Mail breaks long lines behind a sign. `%2540` is decoded twice.
  const lines = text.replace(/=\r?\n/g, '').replace(/%(?:25)+/g, '%');
  const shown = withoutEntities(withoutEntities(lines))
    .replace(ACCENTED, '$1')
    .replace(/<\/?[a-z!][^<>]{0,200}>/gi, '')
    .replace(/\\(["\\/bfnrt])/g, (_, letter: string) => ESCAPES[letter] ?? letter);
  return shown === text ? undefined : shown;
}

const ESCAPES: { readonly [letter: string]: string } = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** `&uuml;`: values are compared without accents. */
const ACCENTED = /&([a-z])(?:uml|acute|grave|circ|tilde|ring|cedil|slash|caron);/gi;

/** A pattern of texts that spell a value. Undefined where that has no letters. */
export function spelling(value: string): RegExp | undefined {
  const characters = [...value].slice(0, LONGEST_SPELLED);
  const letters = characters.filter((character) => LETTER.test(character)).length;
  if (letters === 0) return undefined;
  // Of a short value, numbers stand anywhere by chance.
  const isShort = letters < SHORT;
  const code = letters > 2 && !/^\d+$/.test(value) ? CODE : MARKED_CODE;
  const parts = characters.map((character) => {
    const codes = `${code}(?:${[...codesOf(character)].join('|')})`;
    return LETTER.test(character)
      ? `(?:${[...literalsOf(character), codes].join('|')})${BETWEEN}`
      : `(?:${codes}${BETWEEN})?`;
  });
  const pattern = parts.join('');
  const around = isShort ? ['(?<![\\p{L}\\p{N}])', '(?![\\p{L}\\p{N}])'] : ['', ''];
  return new RegExp(around.join(pattern), 'giu');
}

/** How much of a value is looked for. */
const LONGEST_SPELLED = 64;
const SHORT = 8;
const LETTER = /[\p{L}\p{N}]/u;
const BETWEEN = '[^\\p{L}\\p{N}]*';
/** What stands before the digits of a number: `0x`, `u{`, `U+`, and zeros, also as bytes of their own. */
const CODE = '(?:0{1,4}[^\\p{L}\\p{N}]{1,2})?(?:0?[xuob])?[{+]?0{0,10}';
const MARKED_CODE = '(?<=[^\\p{L}\\p{N}\\s,;:.])(?:0?[xuob])?[{+]?0{0,10}';

function literalsOf(character: string): ReadonlySet<string> {
  const plain = character.normalize('NFKD').replace(/[^\p{L}\p{N}]/gu, '');
  return new Set([character, plain]);
}

/** The numbers of a character, in each base, also as several bytes. */
function codesOf(character: string): ReadonlySet<string> {
  const codes = new Set<string>();
  for (const one of [character, character.toLowerCase(), character.toUpperCase()]) {
    const units = Array.from({ length: one.length }, (_, nth) => one.charCodeAt(nth));
    for (const numbers of [[one.codePointAt(0) ?? 0], units, [...new TextEncoder().encode(one)]])
      for (const base of [16, 10, 8])
        codes.add(numbers.map((number) => number.toString(base)).join(`${BETWEEN}${CODE}`));
  }
  return codes;
}

/** The texts that words of some texts are the bytes of, and those that words in these are. */
export function bytesIn(texts: Iterable<string>): readonly string[] {
  const found = new Set<string>();
  const words = new Set<string>();
  const add = (word: string): boolean => {
    if (words.has(word)) return true;
    words.add(word);
    const text = textOf(word);
    if (text !== undefined) found.add(text);
    return text !== undefined;
  };
  const read = (text: string): void => {
    // Mail writes bytes in lines of 76.
    for (const [word] of text.replace(/(?<=[\w+/]{16})\r?\n(?=[\w+/])/g, '').matchAll(WORD))
      if (!add(word) && word.includes('/')) word.split('/').forEach(add);
  };
  for (const text of texts) read(text);
  // What is found is read, too: it grows shorter each time.
  for (const text of found) read(text);
  return [...found];
}

const WORD = /(?<![\w+/-])[\w+/-]{4,}={0,2}/g;

/** The text that some bytes are, where it is one that can be shown. */
function textOf(word: string): string | undefined {
  const hex = /^(?:0x)?((?:[\da-f]{2})+)$/i.exec(word)?.[1];
  const bytes = hex === undefined ? fromBase64(word) : fromHex(hex);
  if (bytes === undefined || ASCII.test(bytes)) return bytes;
  const codes = Uint8Array.from({ length: bytes.length }, (_, nth) => bytes.charCodeAt(nth));
  const isWide = codes.length > 2 && codes.every((code, nth) => nth % 2 === 0 || code === 0);
  const text = (isWide ? UTF16 : UTF8).decode(codes);
  return UNSHOWN.test(text) ? undefined : text;
}

const ASCII = /^[\t\r\n -~]*$/;
const UTF8 = new TextDecoder();
const UTF16 = new TextDecoder('utf-16le');
/** What stands for bytes that are no text, too. */
const UNSHOWN = /[^\P{Cc}\t\r\n]|[\p{Cn}\p{Co}\ufffd]/u;

/** Bytes as characters. */
function fromHex(word: string): string {
  return word.replace(/../g, (pair) => String.fromCharCode(Number.parseInt(pair, 16)));
}

function fromBase64(word: string): string | undefined {
  const length = word.length - (/=+$/.exec(word)?.[0].length ?? 0);
  if (length % 4 === 1 || !beginsAsText(word)) return undefined;
  return atob(word.slice(0, length).replaceAll('-', '+').replaceAll('_', '/'));
}

/** Whether the first byte of some base64 can begin a text, and the second can follow it: of most words of prose, it cannot. */
function beginsAsText(word: string): boolean {
  const [a, b, c] = [sixBits(word, 0), sixBits(word, 1), sixBits(word, 2)];
  const [first, second] = [(a << 2) | (b >> 4), ((b & 15) << 4) | (c >> 2)];
  if (first >= 0x80) return first >= 0xc2 && first < 0xf5 && second >= 0x80 && second < 0xc0;
  return first >= 9 && second < 0x80;
}

function sixBits(word: string, at: number): number {
  return SIX_BITS.get(word.charAt(at)) ?? 0;
}

const SIX_BITS = new Map(
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].map((letter, nth) => [letter, nth]),
);
SIX_BITS.set('-', 62).set('_', 63);
