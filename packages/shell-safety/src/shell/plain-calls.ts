/** One program of a plain command, with its words as it will get them. */
export interface PlainCall {
  readonly words: readonly string[];
  /** Files that its output goes to. */
  readonly outputs: readonly string[];
  /** Where it stands in the command. */
  readonly from: number;
  readonly to: number;
}

/**
 * The calls of a command that needs no parser: words that are plain, or in quotes as a whole with nothing to expand in
 * them; pipes and lists; output into files. Nothing of a command in which there is anything else.
 */
export function plainCalls(source: string): readonly PlainCall[] | undefined {
  const calls: PlainCall[] = [];
  let words: string[] = [];
  let outputs: string[] = [];
  let from = 0;
  let to = 0;
  let before = NEWLINE;
  let i = 0;
  while (i <= source.length) {
    const code = i < source.length ? source.charCodeAt(i) : NEWLINE;
    const kind = KINDS[code];
    if (kind === BLANK) {
      i++;
    } else if (kind === SEPARATOR) {
      const length = source.charCodeAt(i + 1) === code && code !== NEWLINE && code !== SEMICOLON ? 2 : 1;
      if (code === AND && length === 1) return undefined;
      if (words.length > 0) {
        if (!startsProgram(words[0] ?? '')) return undefined;
        calls.push({ words, outputs, from, to });
        words = [];
      } else if (outputs.length > 0 || !mayBeEmpty(before, code)) return undefined;
      outputs = [];
      to = 0;
      before = code;
      i += length;
    } else {
      if (to === 0) from = i;
      const end = kind === QUOTE ? quoteEnd(source, i) : plainEnd(source, i);
      if (end > i && endsWord(source, end)) {
        words.push(kind === QUOTE ? source.slice(i + 1, end - 1) : source.slice(i, end));
        to = end;
      } else {
        OUTPUT.lastIndex = i;
        const output = OUTPUT.exec(source);
        if (!output) return undefined;
        if (output[1] !== undefined) outputs.push(output[1]);
        to = OUTPUT.lastIndex;
      }
      i = to;
    }
  }
  return calls;
}

/** `> file`, `2>> file`, `2>&1`. */
const OUTPUT = /[12]?>(?:>? *([\w./-]+)|&[12])(?=[ \t\n;|&]|$)/y;
const NEWLINE = 10;
const AND = 38;
const SEMICOLON = 59;

/** Not an assignment, nor a word of the shell's own grammar. */
function startsProgram(word: string): boolean {
  return !word.includes('=') && !RESERVED.has(word);
}

const RESERVED: ReadonlySet<string> = new Set(
  'if then elif else fi while until do done for select in case esac function time coproc'.split(' '),
);

/** Whether there may be no call between two separators; the end of the text counts as a new line. */
function mayBeEmpty(before: number, after: number): boolean {
  return (before === NEWLINE || before === SEMICOLON) && after === NEWLINE;
}

function plainEnd(source: string, from: number): number {
  let end = from;
  while (KINDS[source.charCodeAt(end)] === PLAIN) end++;
  return end;
}

/** Behind the closing quote; nowhere, where something in it is expanded. */
function quoteEnd(source: string, from: number): number {
  const quote = source.charAt(from);
  const close = source.indexOf(quote, from + 1);
  return quote === '"' && EXPANDS.test(source.slice(from, close)) ? -1 : close + 1;
}

const EXPANDS = /[$`\\]/;

function endsWord(source: string, at: number): boolean {
  const kind = KINDS[source.charCodeAt(at)];
  return at === source.length || kind === BLANK || kind === SEPARATOR;
}

const PLAIN = 1;
const BLANK = 2;
const SEPARATOR = 3;
const QUOTE = 4;

/** What a character is, by its code; of others a plain command has none. */
const KINDS: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) => {
  const char = String.fromCharCode(code);
  if (/[\w./:=@,+^~-]/.test(char)) return PLAIN;
  if (char === ' ' || char === '\t') return BLANK;
  return ';|&\n'.includes(char) ? SEPARATOR : '"\''.includes(char) ? QUOTE : 0;
});
