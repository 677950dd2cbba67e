import { withoutEntities } from './values/entities.ts';

/** A text as HTML and mail show it, and as JSON decodes it where it stands in a string. Undefined where that is the text itself. */
export function shownAs(text: string): string | undefined {
  if (!/[<&%=\\]/.test(text)) return undefined;
  // Mail breaks long lines behind a sign. `%2540` is decoded twice.
  const lines = text.replace(/=\r?\n/g, '').replace(/%(?:25)+/g, '%');
  const shown = unescaped(unescaped(withoutEntities(withoutEntities(lines)).replace(ACCENTED, '$1')))
    .replace(/<\/?[a-z!][^<>]{0,200}>/gi, '')
    .replace(/\\(["\\/bfnrt])/g, (_, letter: string) => ESCAPES[letter] ?? letter);
  return shown === text ? undefined : shown;
}

/** Writes out ASCII characters that are escaped by their numbers, which may be a part of another form. */
function unescaped(text: string): string {
  return text.replace(
    /%([2-7][\da-f])|\\x([2-7][\da-f])|\\u00([2-7][\da-f])|\\([01][0-7]{2})(?!\d)/gi,
    (_, percent?: string, x?: string, u?: string, octal?: string) =>
      String.fromCharCode(
        octal === undefined ? Number.parseInt(percent ?? x ?? u ?? '', 16) : Number.parseInt(octal, 8),
      ),
  );
}

const ESCAPES: { readonly [letter: string]: string } = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** `&uuml;`: values are compared without accents. */
const ACCENTED = /&([a-z])(?:uml|acute|grave|circ|tilde|ring|cedil|slash|caron);/gi;

/**
 * The letters and digits that stand in each text that has a value in base64 or hexadecimal, wherever the bytes before it end and
 * whatever stands between.
 */
export function asBytes(value: string): readonly string[] {
  return [...new Set([value, value.toLowerCase(), value.toUpperCase()])].flatMap((text) => {
    const bytes = [...UTF8_BYTES.encode(text)];
    const hex = bytes.map((byte) => byte.toString(16).padStart(2, '0')).join('');
    // The first and the last digit of base64 may have bits of what is around.
    const base64 = [0, 1, 2].map((shift) => {
      const before = '\0'.repeat(shift);
      const all = btoa(before + String.fromCharCode(...bytes)).replace(/=+$/, '');
      const from = [0, 2, 3][shift] ?? 0;
      return all.slice(from, (shift + bytes.length) % 3 === 0 ? undefined : -1);
    });
    return [hex, hex.toUpperCase(), ...base64.map((digits) => digits.replace(/[+/]/g, ''))];
  });
}

const UTF8_BYTES = new TextEncoder();

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
  if (isLead(first)) return second >= 0x80 && second < 0xc0;
  return first >= 9 && first < 0x80 && (second < 0x80 || isLead(second));
}

/** Whether a byte begins a letter of several. */
function isLead(byte: number): boolean {
  return byte >= 0xc2 && byte < 0xf5;
}

function sixBits(word: string, at: number): number {
  return SIX_BITS.get(word.charAt(at)) ?? 0;
}

const SIX_BITS = new Map(
  [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'].map((letter, nth) => [letter, nth]),
);
SIX_BITS.set('-', 62).set('_', 63);
