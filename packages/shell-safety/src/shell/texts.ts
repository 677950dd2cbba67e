import type { Invocation } from './invocation.ts';
import { isKnown, UNKNOWN } from './marks.ts';

/** What `echo` prints. */
export function echoed(args: readonly string[]): string {
  const flags = /^-[neE]+$/.test(args[0] ?? '') ? (args[0] ?? '') : '';
  const text = (flags === '' ? args : args.slice(1)).join(' ');
  return `${flags.includes('e') ? printed(['%b', text]) : text}\n`;
}

/** What `printf` prints. */
export function printed(args: readonly string[]): string {
  const [format = '', ...values] = args[0] === '--' ? args.slice(1) : args;
  let used = 0;
  const once = (): string =>
    format.replace(
      /%(?:%|[-0-9.#]*[a-zA-Z])|\\(?:n|t|x([0-9a-fA-F]{1,2})|([0-7]{1,3}))/g,
      (match, hex?: string, octal?: string) => {
        if (match === '%%') return '%';
        if (match === '%b') return unescaped(values[used++] ?? '');
        if (match.startsWith('%')) return values[used++] ?? '';
        if (match === '\\n') return '\n';
        if (match === '\\t') return '\t';
        return String.fromCharCode(hex ? Number.parseInt(hex, 16) : Number.parseInt(octal ?? '0', 8));
      },
    );
  let text = once();
  while (used > 0 && used < values.length && text.length < 8192) {
    const before = used;
    text += once();
    if (used === before) break;
  }
  return text;
}

function unescaped(text: string): string {
  return text.replace(
    /\\(?:([nt])|x([0-9a-fA-F]{1,2})|0?([0-7]{1,3}))/g,
    (_, letter?: string, hex?: string, octal?: string) => {
      if (letter) return letter === 'n' ? '\n' : '\t';
      return String.fromCharCode(hex ? Number.parseInt(hex, 16) : Number.parseInt(octal ?? '0', 8));
    },
  );
}

/** The texts that a program in another language prints; what it works out is unknown. */
export function printedByCode(args: readonly string[]): string {
  const code =
    args.find((_, i) => /^-(?:c|e|p|r|E)$/.test(args[i - 1] ?? '')) ??
    args.find((arg) => arg.startsWith('BEGIN')) ??
    '';
  const texts = [...code.matchAll(PRINTS)].map((match) => match[2] ?? '');
  return texts.length === 0 ? UNKNOWN : `${texts.join('\n')}\n`;
}

const PRINTS =
  /(?:\b(?:print|puts|echo|say|console\.log|process\.stdout\.write)\s*(?:\(\s*)?|^\s*)(["'`])((?:(?!\1)[^\\]){1,400})\1\s*(?:[);}]|$)/g;

/** What `tr -d` leaves. */
export function without({ args, stdin }: Invocation): string | undefined {
  if (args[0] !== '-d' || stdin === undefined || !isKnown(stdin)) return undefined;
  const gone = (args[1] ?? '').replaceAll('\\n', '\n').replaceAll('\\r', '\r').replaceAll('\\0', '\0');
  return [...stdin].filter((char) => !gone.includes(char)).join('');
}

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
