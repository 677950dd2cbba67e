/**
 * The budget of an analysis, in characters. Every text that is parsed, expanded, searched or passed on is charged by its length,
 * and every program by {@link CALL}. A command of 16 kB may take 50 ms and one of 1 MB a second. Between these lengths the
 * budget first grows faster, because most such texts are scripts whose functions are called several times.
 */
export class Budget {
  #left: number;
  readonly #whole: number;

  /** @param lengths - The lengths of the texts of one tool call. Several are its command, alone and in its folder: they get the budget of two. */
  constructor(lengths: readonly number[]) {
    let counted = 0;
    let longest = SHORT;
    for (const length of lengths) {
      counted += length;
      longest = Math.max(longest, length);
    }
    const more = Math.min((longest - SHORT) * OF_LONG, MOST_OF_LONG);
    const texts = lengths.length > 1 ? 2 : 1;
    this.#whole = Math.min(texts * (BASE + more) + Math.max(counted, texts * SHORT) * PER_CHARACTER, MOST);
    this.#left = this.#whole;
  }

  /** Charges work. Returns false if the budget is used up. */
  charge(characters: number): boolean {
    this.#left = characters > this.#left ? -1 : this.#left - characters;
    return this.#left >= 0;
  }

  /** Whether the budget suffices for this work. */
  affords(characters: number): boolean {
    return characters <= this.#left;
  }

  /** Uses up the budget, because something cannot be analyzed at all. */
  giveUp(): void {
    this.#left = -1;
  }

  get exhausted(): boolean {
    return this.#left < 0;
  }

  /** The work charged so far. */
  get spent(): number {
    return this.#whole - Math.max(this.#left, 0);
  }
}

/** The cost of starting a program, without its arguments. */
export const CALL = 48;

/** Storing a text or searching it for one character costs its length divided by this. */
export const KEPT = 4;

const BASE = 300_000;
const PER_CHARACTER = 11;
const SHORT = 16_000;
const OF_LONG = 200;
const MOST_OF_LONG = 2_000_000;
const MOST = BASE + 1024 * 1024 * PER_CHARACTER;

/**
 * What parsing a text costs. A substitution is read again with each one that it stands in, so a character counts as
 * often as that; quotes are not looked at, which may only make the cost too high. Of the here-documents of one line, each
 * is compared with those before it. From each brace, the parser reads to the end of the word again after each process
 * substitution, pattern or `$$`.
 */
export function parsingCost(text: string): number {
  let cost = PARSED * text.length;
  if (READ_AGAIN.test(text)) cost += bracesReadAgain(text) * (16 + text.length / 1024);
  if (text.includes('<<')) for (const line of text.split('\n')) cost += line.split('<<').length ** 2 / 4;
  let substitutions = 0;
  const open: { readonly substitutes: boolean; readonly end: string }[] = [];
  for (let i = text.search(OPENS); i !== -1 && i < text.length; i++) {
    const char = text.charAt(i);
    if (char === 'c' || char === 'e') {
      // A pattern of `case` ends with a parenthesis that closes nothing.
      CASE.lastIndex = i;
      if (CASE.test(text)) open.push({ substitutes: false, end: 'esac' });
      else if (open.at(-1)?.end === 'esac' && text.startsWith('esac', i)) open.pop();
    } else if (char === '(' || char === '{') {
      const substitutes = SUBSTITUTES.has(text.charAt(i - 1));
      open.push({ substitutes, end: char === '(' ? ')' : '}' });
      if (substitutes) substitutions++;
    } else if (open.at(-1)?.end === char && open.pop()?.substitutes) substitutions--;
    cost += PARSED * Math.min(substitutions, MOST_NESTED);
  }
  return cost;
}

/** Makes the parser read the braces of a word again. */
const READ_AGAIN = /[<>@?*+!]\(|\$\$/;
/** Braces of words, but not `\{`, `${` and `{ `. The first two are found to be skipped. */
const BRACES = new RegExp(`\\\\[\\\\\${]|${READ_AGAIN.source}|\\$?\\{(?=[^\\s}])`, 'g');

/** How often such a text stands behind a brace. */
function bracesReadAgain(text: string): number {
  let braces = 0;
  let pairs = 0;
  for (const [found] of text.matchAll(BRACES)) {
    if (found === '{') braces++;
    else if (READ_AGAIN.test(found)) pairs += braces;
  }
  return pairs;
}

/** The cost of parsing a character. */
const PARSED = 2;
/** The parser rejects substitutions that nest deeper. */
const MOST_NESTED = 256;
const OPENS = /[({]/;
const CASE = /case\s[^\s;&|()]{1,200}\s{1,9}in\b/y;
/** `$(`, `${`, `<(`, `>(`. */
const SUBSTITUTES: ReadonlySet<string> = new Set('$<>');
