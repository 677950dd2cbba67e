import { withoutEntities } from './values/entities.ts';

/**
 * What a service may make of a text that is written in a form of URLs, HTML, mail or files: each line that becomes another one, by each
 * form alone and by all of them.
 */
export function decodingsOf(text: string): readonly string[] {
  const found: string[] = [];
  // Mail breaks long lines behind a sign.
  for (const line of text.replace(/=\r?\n/g, '').split('\n'))
    if (ENCODED.test(line)) found.push(...decoded(line));
  return found;
}

function decoded(line: string): readonly string[] {
  const found = new Set(DECODERS.map((decode) => decode(line)));
  let all = line;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    const before = all;
    all = DECODERS.reduce((text, decode) => decode(text), all);
    found.add(all);
    if (all === before) break;
  }
  found.delete(line);
  return [...found];
}

const ENCODED = /[%&=<\\]|[\w+/-]{8}|[\da-f]{2}[ :,][\da-f]{2}[ :,]/i;

/** How often a text is decoded that is encoded several times. */
const MOST_ROUNDS = 3;

const DECODERS: readonly ((text: string) => string)[] = [
  (text) => text.replace(/(?:%[\da-f]{2})+/gi, characters),
  (text) => withoutEntities(text).replace(ACCENTED, '$1'),
  // Of mail: `=40` is an at sign.
  (text) => text.replace(/(?:=[\da-f]{2})+/gi, characters),
  // Of programs.
  unescaped,
  (text) => text.replace(/(?:\\x[\da-f]{2})+/gi, characters),
  (text) => text.replace(/<\/?[a-z!][^<>]{0,200}>/gi, ''),
  (text) => text.replace(PAIRS, (pairs) => textOf(pairs.replace(/[ :,]/g, '')) ?? pairs),
  (text) => text.replace(BYTES, (word) => textOf(word) ?? word.split('/').map(partOf).join('/')),
];

const ESCAPES: { readonly [letter: string]: string } = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

/** A text as JSON writes it in a string, decoded. */
export function unescaped(text: string): string {
  return text.replace(/\\(?:u([\da-f]{4})|(["\\/bfnrt]))/gi, (_, code?: string, letter = '') =>
    code === undefined ? (ESCAPES[letter] ?? letter) : String.fromCharCode(Number.parseInt(code, 16)),
  );
}

/** `&uuml;`: values are compared without accents. */
const ACCENTED = /&([a-z])(?:uml|acute|grave|circ|tilde|ring|cedil|slash|caron);/gi;

/** What some codes stand for: several together may be one character. */
function characters(codes: string): string {
  const bytes = fromHex(codes.replace(/[^\da-f]/gi, ''));
  const text = UTF8.decode(bytes);
  return text.includes('\ufffd') ? String.fromCharCode(...bytes) : text;
}

/** A word that may be bytes, in hexadecimal or base64. */
const BYTES = /(?<![\w+/-])[\w+/-]{8,}={0,2}/g;
/** Bytes in hexadecimal, with signs between them: `65:76:65`. */
const PAIRS = /(?<![\w+/-])[\da-f]{2}(?:[ :,][\da-f]{2}){3,}(?![\w+/-])/gi;

/** Of a path, each part may be bytes. */
function partOf(word: string): string {
  return word.length < 8 ? word : (textOf(word) ?? word);
}

/** The text that some bytes are, where it is one that can be shown. */
function textOf(word: string): string | undefined {
  const hex = /^(?:0x)?((?:[\da-f]{2})+)$/i.exec(word)?.[1];
  const bytes = hex === undefined ? fromBase64(word) : fromHex(hex);
  const isWide =
    bytes !== undefined && bytes.length > 2 && bytes.every((byte, nth) => nth % 2 === 0 || byte === 0);
  const text = bytes && (isWide ? UTF16 : UTF8).decode(bytes);
  return text === undefined || UNSHOWN.test(text) ? undefined : text;
}

const UTF8 = new TextDecoder();
const UTF16 = new TextDecoder('utf-16le');
/** What stands for bytes that are no text, too. */
const UNSHOWN = /[^\P{Cc}\t\r\n]|[\p{Cn}\p{Co}\ufffd]/u;

function fromHex(word: string): Uint8Array {
  return Uint8Array.from({ length: word.length / 2 }, (_, nth) =>
    Number.parseInt(word.slice(2 * nth, 2 * nth + 2), 16),
  );
}

function fromBase64(word: string): Uint8Array | undefined {
  const letters = word.replace(/=+$/, '').replaceAll('-', '+').replaceAll('_', '/');
  if (letters.length % 4 === 1) return undefined;
  const bytes = atob(letters);
  return Uint8Array.from({ length: bytes.length }, (_, nth) => bytes.charCodeAt(nth));
}
