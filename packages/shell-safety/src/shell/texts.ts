import type { Invocation } from '../programs/program.ts';
import { isKnown, OPAQUE, UNKNOWN } from './marks.ts';

export function echoed(args: readonly string[]): string {
  const flags = /^-[neE]+$/.test(args[0] ?? '') ? (args[0] ?? '') : '';
  const text = (flags === '' ? args : args.slice(1)).join(' ');
  return `${flags.includes('e') ? printed(['%b', text]) : text}\n`;
}

export function printed(args: readonly string[]): string {
  const [format = '', ...values] = args[0] === '--' ? args.slice(1) : args;
  const pattern = new RegExp(`%(?:%|[-0-9.#]*[a-zA-Z])|${ESCAPE.source}`, 'g');
  let used = 0;
  const once = (): string =>
    format.replace(pattern, (match, ...groups) => {
      if (match === '%%') return '%';
      if (match === '%b') return unescaped(values[used++] ?? '');
      if (match.startsWith('%')) return values[used++] ?? '';
      return meant(groups);
    });
  let text = '';
  let before: number;
  do {
    before = used;
    text += once();
  } while (used > before && used < values.length && text.length < 8192);
  return text;
}

/** A letter, a character by its number in hexadecimal digits, or by that in octal ones. */
const ESCAPE = /\\(?:([nt])|x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|0?([0-7]{1,3}))/g;

function unescaped(text: string): string {
  return text.replace(ESCAPE, (_, ...groups) => meant(groups));
}

function meant([letter, byte, unit, point, octal]: readonly (string | undefined)[]): string {
  if (letter !== undefined) return letter === 'n' ? '\n' : '\t';
  const hex = byte ?? unit ?? point;
  const code = hex === undefined ? Number.parseInt(octal ?? '0', 8) : Number.parseInt(hex, 16);
  // An octal number is that of a byte.
  if (hex === undefined) return String.fromCharCode(code & 0xff);
  return code > 0x10ffff ? '' : String.fromCodePoint(code);
}

/** The texts that a program in another language prints; what it works out is unknown. */
export function printedByCode(args: readonly string[]): string {
  const code =
    args.find((_, i) => /^-(?:c|e|p|r|E)$/.test(args[i - 1] ?? '')) ??
    args.find((arg) => arg.startsWith('BEGIN')) ??
    '';
  if (DECODES.test(code)) return OPAQUE;
  const texts = [...code.matchAll(PRINTS)].map((match) => match[2] ?? '');
  return texts.length === 0 ? UNKNOWN : `${texts.join('\n')}\n`;
}

/** What it prints is put together or decoded first. */
const DECODES =
  /b64decode|decode_base64|base64_decode|decode64|Buffer\.from\(|\batob\(|unhexlify|fromhex|hex2bin|fromCharCode|codecs\.decode|\bpack\s?\(|\bchr\(|%c%c|\[::-1\]|\breversed?\(|\.reverse\b/;
const PRINTS =
  /(?:\b(?:print|puts|echo|say|console\.log|process\.stdout\.write)\s*(?:\(\s*)?|^\s*)(["'`])((?:(?!\1)[^\\]){1,400})\1\s*(?:[);}]|$)/g;

/** What `tr a-z A-Z` makes of a text. */
export function translated({ args, stdin }: Invocation): string | undefined {
  if (args.length !== 2 || stdin === undefined || !isKnown(stdin)) return undefined;
  const [from, to] = args.map(charactersOf);
  if (!from || !to || from.length !== to.length) return undefined;
  return [...stdin].map((char) => to[from.indexOf(char)] ?? char).join('');
}

/** The characters of a set of `tr`: `A-Z`, `[:upper:]`, `abc`. */
function charactersOf(set: string): string | undefined {
  const named = { '[:upper:]': 'A-Z', '[:lower:]': 'a-z' }[set] ?? set;
  if (named.includes('\\') || named.length > 64) return undefined;
  return named.replace(/([a-zA-Z0-9])-([a-zA-Z0-9])/g, (_, first: string, last: string) => {
    let all = '';
    for (let code = first.charCodeAt(0); code <= last.charCodeAt(0); code++) all += String.fromCharCode(code);
    return all;
  });
}

export type Encoding = 'base64' | 'hex';

/** A text in plain letters; nothing where it is none. */
export function decode(text: string, encoding: Encoding): string | undefined {
  const plain = bytesOf(text.replace(/\s+/g, ''), encoding);
  return plain !== undefined && /^[\t\n\r\x20-\x7e]+$/.test(plain) ? plain : undefined;
}

function bytesOf(text: string, encoding: Encoding): string | undefined {
  if (encoding === 'base64') {
    try {
      return atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    } catch {
      return undefined;
    }
  }
  const digits = text.replace(/^0x/, '');
  if (!/^(?:[\da-f]{2})+$/i.test(digits)) return undefined;
  return digits.replace(/../g, (byte) => String.fromCharCode(Number.parseInt(byte, 16)));
}
