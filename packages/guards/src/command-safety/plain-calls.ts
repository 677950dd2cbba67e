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
  let before = '\n';
  let i = 0;
  let from = 0;
  let to = 0;
  for (;;) {
    while (isBlank(source.charCodeAt(i))) i++;
    const separator = separatorAt(source, i);
    if (separator !== undefined) {
      if (words.length > 0) {
        if (!startsProgram(words[0] ?? '')) return undefined;
        calls.push({ words, outputs, from, to });
      } else if (outputs.length > 0 || !mayBeEmpty(before, separator)) return undefined;
      if (separator === '') return calls;
      words = [];
      outputs = [];
      to = 0;
      before = separator;
      i += separator.length;
      continue;
    }
    if (to === 0) from = i;
    const end = wordEnd(source, i);
    if (end > i) {
      const quoted = isQuote(source.charCodeAt(i));
      words.push(quoted ? source.slice(i + 1, end - 1) : source.slice(i, end));
      i = end;
    } else {
      OUTPUT.lastIndex = i;
      const [text, file] = OUTPUT.exec(source) ?? [];
      if (text === undefined) return undefined;
      if (file !== undefined) outputs.push(file);
      i += text.length;
    }
    to = i;
  }
}

/** `> file`, `2>> file`, `2>&1`. */
const OUTPUT = /[12]?>(?:>? *([\w./-]+)|&[12])(?=[ \t\n;|&]|$)/y;

/** Not an assignment, nor a word of the shell's own grammar. */
function startsProgram(word: string): boolean {
  return !word.includes('=') && !RESERVED.has(word);
}

const RESERVED: ReadonlySet<string> = new Set(
  'if then elif else fi while until do done for select in case esac function time coproc'.split(' '),
);

/** Where the word that begins here ends, together with its quotes; here, where it is not plain. */
function wordEnd(source: string, from: number): number {
  const quote = source.charCodeAt(from);
  let end = from;
  if (isQuote(quote)) {
    end = source.indexOf(quote === DOUBLE_QUOTE ? '"' : "'", from + 1) + 1;
    if (quote === DOUBLE_QUOTE && end > 0 && EXPANDS.test(source.slice(from, end))) return from;
  } else while (PLAIN[source.charCodeAt(end)] === 1) end++;
  return isBlank(source.charCodeAt(end)) || separatorAt(source, end) !== undefined ? end : from;
}

const EXPANDS = /[$`\\]/;
const DOUBLE_QUOTE = 34;
const SINGLE_QUOTE = 39;

function isQuote(code: number): boolean {
  return code === DOUBLE_QUOTE || code === SINGLE_QUOTE;
}

function isBlank(code: number): boolean {
  return code === 32 || code === 9;
}

/** What stands between two calls, if that is here; at the end of the text nothing does. */
function separatorAt(source: string, at: number): string | undefined {
  const char = source.charAt(at);
  if (char === '|') return source.charAt(at + 1) === '|' ? '||' : '|';
  if (char === '&') return source.charAt(at + 1) === '&' ? '&&' : undefined;
  return char === '' || char === ';' || char === '\n' ? char : undefined;
}

/** Whether there may be no call between two separators. */
function mayBeEmpty(before: string, after: string): boolean {
  return (before === '\n' || before === ';') && (after === '\n' || after === '');
}

/** The characters, by code, that mean themselves wherever they stand in a word. */
const PLAIN: Uint8Array = Uint8Array.from({ length: 128 }, (_, code) =>
  /[\w./:=@,+^~-]/.test(String.fromCharCode(code)) ? 1 : 0,
);
