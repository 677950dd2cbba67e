import { findDates, isInDate, type WrittenDate } from './dates.ts';
import { type Found, findTyped, isIban, lower } from './typed.ts';

/** Stands between the texts of a result, so that no value reaches from one into the next. No text has this character. */
export const SEPARATOR = '\ufdd0';

/** A text in which values are looked up. What is read of it, is read when it is first needed. */
export class ReadText {
  readonly #raw: string;
  readonly #now: Date;
  #text: string | undefined;
  #words: number | undefined;
  #lower: string | undefined;
  #lowered: ReadText | undefined;
  #typed: readonly Found[] | undefined;
  #dates: readonly WrittenDate[] | undefined;
  #amounts: readonly Place[] | undefined;
  #lines: string | undefined;
  #quotations: readonly (readonly Quotation[])[] | undefined;

  /** @param now what `tomorrow` in it refers to */
  constructor(raw: string, now: Date) {
    this.#raw = raw;
    this.#now = now;
  }

  get length(): number {
    return this.#raw.length;
  }

  /** With single spaces and composed characters. */
  get text(): string {
    this.#text ??= spaced(this.#raw);
    return this.#text;
  }

  /** How many words it has. */
  get words(): number {
    this.#words ??= countWords(this.text);
    return this.#words;
  }

  /** The same text without capitals. */
  get lowered(): ReadText {
    this.#lowered ??= new ReadText(this.#raw.toLowerCase(), this.#now);
    return this.#lowered;
  }

  /** Whether some letters stand in it at all, in any case: quicker than to look for values. */
  mayHave(letters: string): boolean {
    this.#lower ??= lower(this.text);
    return this.#lower.includes(letters);
  }

  get typed(): readonly Found[] {
    this.#typed ??= findTyped(this.text);
    return this.#typed;
  }

  /** Whether an IBAN stands in it as only people write it: with dashes, or with spaces anywhere where its check digits are right. */
  hasSpelled(iban: string): boolean {
    const letters = [...iban].join(isIban(iban) ? '[-./_ ]?' : '[-./_]?');
    const segmenting = { left: 0 };
    return [...this.text.matchAll(new RegExp(letters, 'gi'))].some(
      ({ index, 0: { length } }) =>
        isStart(this.text, index, segmenting) && isEnd(this.text, index + length, segmenting),
    );
  }

  /** Whether a value with a form of its own stands in it, not as a part of a longer word. */
  hasTyped(isWanted: (found: Found) => boolean): boolean {
    const segmenting = { left: MOST_SEGMENTED };
    return this.typed.some((found) => {
      if (!isWanted(found)) return false;
      const { start, end } = found;
      // `mailto:ann@example.com`, `iban=GB29…`.
      const isMarked = /[:=]/.test(this.text.charAt(start - 1));
      const isSentence = found.kind === 'url' && /^\.[A-Z]/.test(this.text.slice(end, end + 2));
      return (
        (isMarked || isStart(this.text, start, segmenting)) &&
        (isSentence || isEnd(this.text, end, segmenting))
      );
    });
  }

  get dates(): readonly WrittenDate[] {
    this.#dates ??= findDates(this.#raw, this.#now, isWholeDate);
    return this.#dates;
  }

  /** Whether some words stand in it one after the other, none of them cut. */
  has(words: string): boolean {
    if (words === '' || words.includes(SEPARATOR)) return false;
    // A line break may end a command, so it stands only where there is one.
    const text = words.includes('\n') ? this.#withLines() : this.text;
    const segmenting = { left: MOST_SEGMENTED };
    const isNumber = /^\d{1,4}$/.test(words);
    // In prose, signs are no value: `* pay the bill`, `and / or`.
    const isSigns = !/[\p{L}\p{N}\p{Extended_Pictographic}]/u.test(words);
    for (let at = text.indexOf(words), tried = 0; at !== -1; at = text.indexOf(words, at + 1)) {
      const end = at + words.length;
      if (!isStart(text, at, segmenting) || !isEnd(text, end, segmenting)) continue;
      if (text === this.text && (this.#cuts(at, end) || this.#cutsQuotation(at, end))) continue;
      if (isSigns && !isQuoted(text, at, end)) continue;
      if (isCutQuotation(text, at, end) || isInBrackets(text, at, end) || isEscaped(text, at, end)) continue;
      if (!isNumber) return true;
      // What is tried more often is a list of dates.
      if (++tried > MOST_TRIED) return false;
      if (!isInDate(text, at, end)) return true;
    }
    return false;
  }

  /** Whether a number stands in it, however it is written. */
  hasNumber(wanted: number): boolean {
    let tried = 0;
    const segmenting = { left: MOST_SEGMENTED };
    for (const match of this.text.matchAll(NUMBER)) {
      const [written] = match;
      const [start, end] = [match.index, match.index + written.length];
      // Where the currency comes last, points are between thousands: `1.000 €`.
      const isAmount = /^[\d.]+$/.test(written) && EURO.test(this.text.slice(end, end + 6));
      if (!isNumber(written, wanted, isAmount)) continue;
      if (!isStart(this.text, start, segmenting, CURRENCY)) continue;
      if (!isEnd(this.text, end, segmenting, AFTER_NUMBER)) continue;
      if (isInBrackets(this.text, start, end)) continue;
      if (this.#cuts(start, end) || ++tried > MOST_TRIED) continue;
      if (/^\d{1,4}$/.test(written) && isInDate(this.text, start, end)) continue;
      return true;
    }
    return false;
  }

  /** Whether a place is only a part of a value that has spaces or commas in it. */
  #cuts(start: number, end: number): boolean {
    this.#amounts ??= findAmounts(this.text);
    return cutsOne(this.typed, start, end) || cutsOne(this.#amounts, start, end);
  }

  /** Whether a place is only a part of a quotation that is a path, or some words of one that is a command. */
  #cutsQuotation(start: number, end: number): boolean {
    this.#quotations ??= [findQuotations(this.text), findCommands(this.text, this.#withLines())];
    const has = this.text.slice(start, end).includes(' ');
    return this.#quotations.some((quotations) => {
      const one = quotations[firstBehind(quotations, start)];
      if (one === undefined || one.start > start || one.end < end) return false;
      return one.end - one.start > end - start && (one.isPath || has);
    });
  }

  #withLines(): string {
    this.#lines ??= this.#raw
      .normalize('NFC')
      .replace(/\s+/g, (space) => (space.includes('\n') ? '\n' : ' '));
    return this.#lines;
  }
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/** Whether a part of one of some places lies between two places of the text, and not all of it. */
function cutsOne(places: readonly Place[], start: number, end: number): boolean {
  for (let index = firstBehind(places, start); index < places.length; index++) {
    const place = places[index];
    if (place === undefined || place.start >= end) return false;
    if (place.start < start || place.end > end) return true;
  }
  return false;
}

/** The index of the first of some places that ends behind another. */
function firstBehind(places: readonly { readonly end: number }[], start: number): number {
  let [low, high] = [0, places.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle]?.end ?? 0) > start) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Composes characters. One that is another's double, as the Kelvin sign is of K, stays: a service may tell them apart. */
function composed(text: string): string {
  const parts = text.normalize('NFC') === text ? undefined : [...text];
  const hasDouble = parts?.some(
    (one) => one !== one.normalize('NFD') && [...one.normalize('NFD')].length === 1,
  );
  return hasDouble ? text : text.normalize('NFC');
}

/** How many words a text has, each letter of a script that is written without spaces as one. */
export function countWords(text: string): number {
  return text.match(WORD)?.length ?? 0;
}

/** A text with composed characters and single spaces. */
export function spaced(text: string): string {
  return text
    .normalize('NFC')
    .replace(/ ?[^\S \ufeff][^\S\ufeff]*| {2,}[^\S\ufeff]*/g, ' ')
    .trim();
}

/** The words of an argument. Spaces that are none everywhere stay: a shell does not split at a no-break space. */
export function wordsOf(argument: string): string {
  const words = composed(argument)
    .replace(/[ \t]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/^[ \n]+/, '');
  let end = words.length;
  while (end > 0 && /[ \n]/.test(words.charAt(end - 1))) end--;
  return words.slice(0, end);
}

/** How often the date library is asked about a number. */
const MOST_TRIED = 20;

/** A space is between thousands where nothing else can be: `1 000`, `1 500 €`. */
const NUMBER =
  /[-−]?(?:\d{1,3}(?: \d{3}){1,6}(?:,\d+)?(?= ?(?:€|EUR\b|[Ee]uros?\b))|\d{1,3} 0\d\d(?: \d{3}){0,5}(?!\d)(?:,\d+)?|\d{1,3}(?:[,'’\u00a0\u202f]\d{3}){1,6}(?:\.\d+)?|\d{1,3}(?:\.\d{3}){1,6},\d+|\d{1,3}(?:\.\d{3}){2,6}|\d+(?:[.,]\d+)?)/g;

/** Numbers that have spaces between thousands. */
function findAmounts(text: string): readonly Place[] {
  return [...text.matchAll(AMOUNT)].map(({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  }));
}

const AMOUNT = /(?<![\p{L}\p{N}])\d{1,3}(?: \d{3}){1,6}(?:,\d+)?(?= ?(?:€|EUR\b|[Ee]uros?\b))/gu;

const EURO = /^ ?(?:€|EUR\b|Euros?\b|euros?\b)(?!\/)/;

function isNumber(written: string, wanted: number, isAmount: boolean): boolean {
  // Four groups may be the address of a computer.
  const isByPoints = isAmount ? /^\d{1,3}(?:\.\d{3})+$/ : /^-?\d{1,3}(?:(?:\.\d{3}){2}|(?:\.\d{3}){4,})$/;
  const bare = written.replaceAll(' ', '').replace('−', '-');
  const signed = isByPoints.test(bare) ? bare.replaceAll('.', '') : bare;
  const grouped = /^-?\d{1,3}(?:[,'’\u00a0\u202f]\d{3})+(?:\.\d+)?$/.test(signed);
  const plain = grouped
    ? signed.replace(/[,'’\u00a0\u202f]/g, '')
    : signed.includes(',')
      ? signed.replaceAll('.', '').replace(',', '.')
      : signed;
  if (Number.isInteger(wanted) && !Number.isSafeInteger(wanted)) return plain === String(wanted);
  return Number(plain) === wanted;
}

/** How often a text without spaces is split into words. */
const MOST_SEGMENTED = 100;

interface Segmenting {
  left: number;
}

const CURRENCY = /[\p{Sc}#]/u;
const AFTER_NUMBER = /[\p{Sc}%]/u;
/** What no word has in it. */
const BETWEEN = /(?!\ufeff)[\ufdd0\s¡¿"“”„«»‚‹›`()[\]{}<>,;|…—–、。，；：！？「」『』（）【】\u2028\u2029]/u;
const QUOTE = /['‘’]/;
/** A French word before one that begins with a vowel: `l'équipe`, `d'Anne`. A name such as D'Artagnan has a capital. */
const ELISION = /(?<![^\s("“«¡¿—–])(?:[dlnmtsjc]|qu|jusqu|lorsqu|puisqu)['’]$/u;
const LETTER = /[\p{L}\p{M}\p{N}]/u;
/** Scripts that are written without spaces. */
export const UNSPACED: RegExp =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;
const WORD = new RegExp(`${UNSPACED.source}|[\\p{L}\\p{M}\\p{N}]+`, 'gu');
const BESIDE_UNSPACED = new RegExp(
  `(?<=${UNSPACED.source})(?=[a-z\\d+])|(?<=[a-z\\d])(?=${UNSPACED.source})`,
  'giu',
);

/** A text with spaces between scripts that are written without and other letters: `付款到DE89…`. */
export function withSpaces(text: string): string {
  return text.replace(BESIDE_UNSPACED, ' ');
}

function isStart(text: string, at: number, segmenting: Segmenting, sign?: RegExp): boolean {
  let start = at;
  // `#general`, `@ann`, `$5`.
  for (let signs = 0; signs < 2 && start > 0; signs++) {
    const before = characterBefore(text, start);
    if (!/[#@]/.test(before) && !sign?.test(before)) break;
    start -= before.length;
  }
  if (start === 0) return true;
  const before = characterBefore(text, start);
  if (isComma(text, start - 1)) return false;
  // `foo(1).txt`: a bracket without a space before the word belongs to it, as one behind it does.
  if (/[)\]}]/.test(before) && start === at) return !/[\p{L}\p{M}\p{N}.]/u.test(characterAt(text, start));
  if (BETWEEN.test(before)) return true;
  if (QUOTE.test(before))
    return (
      start === 1 ||
      !LETTER.test(characterBefore(text, start - 1)) ||
      ELISION.test(text.slice(0, start).slice(-10))
    );
  if (
    /\d/.test(characterAt(text, at)) &&
    /(?<![^\s("“«—–])(?:n[°º]|№)$/iu.test(text.slice(0, start).slice(-3))
  )
    return true;
  return start === at && isBetweenScripts(text, at, segmenting);
}

function isEnd(text: string, at: number, segmenting: Segmenting, sign?: RegExp): boolean {
  let end = at;
  // The end of a sentence, `5 €`.
  for (let signs = 0; signs < 4 && end < text.length; signs++) {
    const next = characterAt(text, end);
    if (!/[.:!?]/.test(next) && !sign?.test(next)) break;
    end += next.length;
  }
  if (end >= text.length) return true;
  const next = characterAt(text, end);
  if (isComma(text, end)) return false;
  if (/[([{]/.test(next) && end === at && LETTER.test(characterBefore(text, end)))
    return text.startsWith('()', end);
  if (BETWEEN.test(next)) return true;
  if (QUOTE.test(next)) {
    const rest = text.slice(end + 1, end + 3);
    return rest === '' || !LETTER.test(characterAt(text, end + 1)) || /^s(?![\p{L}\p{N}])/u.test(rest);
  }
  return end === at && isBetweenScripts(text, at, segmenting);
}

/** Whether a place is in quotation marks, or all there is of a value in a result. */
function isQuoted(text: string, start: number, end: number): boolean {
  return /^(?:""|''|``|“”|‘’|«»|\ufdd0{2})$/.test(
    (text.charAt(start - 1) || SEPARATOR) + (text.charAt(end) || SEPARATOR),
  );
}

/** Whether a place is in the brackets of a longer word: `1` in `foo(1).txt`, `b` in `a{b,c}.txt`. */
function isInBrackets(text: string, start: number, end: number): boolean {
  return (
    /[([{][^\s()[\]{}]*$/.test(text.slice(Math.max(0, start - 64), start)) &&
    /^[^\s()[\]{}]*[)\]}][._-]?[\p{L}\p{N}]/u.test(text.slice(end, end + 64))
  );
}

/** Whether a word goes on behind a space that a shell does not split at: `/home/my\ files`. Not behind `C:\temp\`. */
function isEscaped(text: string, start: number, end: number): boolean {
  const [before, value] = [text.slice(Math.max(0, start - 64), start), text.slice(start, end)];
  const isSpaceEscaped = (word: string): boolean => /(?:^|[^\s\\])\\$/.test(word) && !/\\\S*\\$/.test(word);
  return (
    (before.endsWith(' ') && isSpaceEscaped(before.slice(0, -1))) ||
    (text.charAt(end) === ' ' && isSpaceEscaped(value))
  );
}

/** Whether a path or a command ends before its quotation does: `/home/ann/my` in `"/home/ann/my files"`. */
function isCutQuotation(text: string, start: number, end: number): boolean {
  const mark = text.charAt(start - 1);
  if (mark === '' || text.charAt(end) !== ' ') return false;
  return mark === '`' || (/["'“‘«„‚‹]/.test(mark) && /[/\\]/.test(text.slice(start, end)));
}

/** Where a path with spaces, or a command, stands in quotation marks. */
interface Quotation extends Place {
  readonly isPath: boolean;
}

const QUOTATION =
  /(?<!`)`([^`\ufdd0]{1,1000})`(?!`)|(?<!`)``(?!`)([^\ufdd0]{1,1000}?)(?<!`)``(?!`)|(?<![\p{L}\p{N}])(?:"[^"\ufdd0]{1,300}"|'[^'\ufdd0]{1,300}'|‘[^’\ufdd0]{1,300}’|“[^”\ufdd0]{1,300}”|„[^“”\ufdd0]{1,300}[“”]|‚[^‘’\ufdd0]{1,300}[‘’]|«[^»\ufdd0]{1,300}»|‹[^›\ufdd0]{1,300}›)/gu;
/** The commands that a block of code shows. */
const BLOCK = /```(?:sh|bash|zsh|shell|console|powershell|cmd)?[ \t]*\n([^`]{1,4000})```/g;

function findQuotations(text: string): readonly Quotation[] {
  return [...text.matchAll(QUOTATION)].flatMap(({ index, 0: whole, 1: one, 2: other }) => {
    const command = one ?? other;
    const inner = (command ?? whole.slice(1, -1)).trim();
    const start = text.indexOf(inner, index + 1);
    // Of many words before the last folder, some may be prose.
    const isPath =
      command === undefined &&
      /^(?:[^\s:]*:?[\\/](?!\/)\S* |(?:[^\s\\/:]+ ){1,2}[^\s:]*[\\/](?!\/)\S*$)/.test(inner);
    return inner.includes(' ') && (isPath || command !== undefined)
      ? [{ start, end: start + inner.length, isPath }]
      : [];
  });
}

/** Where each command of a block of code stands in a text with single spaces, and with its lines. */
function findCommands(text: string, lines: string): readonly Quotation[] {
  const shift = lines.indexOf(lines.trimStart());
  return [...lines.matchAll(BLOCK)].flatMap(({ index, 0: whole, 1: block = '' }) => {
    let at = index + whole.length - '```'.length - block.length - shift;
    return block.split('\n').flatMap((line) => {
      const start = at + (/^ ?(?:[$%>#] )?/.exec(line)?.[0].length ?? 0);
      const end = at + line.trimEnd().length;
      at += line.length + 1;
      return text.slice(start, end).includes(' ') ? [{ start, end, isPath: false }] : [];
    });
  });
}

/** Whether a date is no part of a longer word. In Chinese or Japanese, one may stand without spaces. */
function isWholeDate(line: string, start: number, end: number): boolean {
  const [before, after] = [characterBefore(line, start), characterAt(line, end)];
  const segmenting = { left: 0 };
  return (
    (/[:=]/.test(before) || UNSPACED.test(before) || isStart(line, start, segmenting)) &&
    (UNSPACED.test(after) || isEnd(line, end, segmenting))
  );
}

/** A comma between digits belongs to a number. */
function isComma(text: string, at: number): boolean {
  return text.charAt(at) === ',' && /\d/.test(text.charAt(at - 1)) && /\d/.test(text.charAt(at + 1));
}

function isBetweenScripts(text: string, at: number, segmenting: Segmenting): boolean {
  const [before, after] = [characterBefore(text, at), characterAt(text, at)];
  const [one, other] = [UNSPACED.test(before), UNSPACED.test(after)];
  // Digits between them may be a date.
  // An accent is of the letter before it.
  if (one !== other) return /^[\p{L}\p{M}]\p{L}$/u.test(before + after);
  if (!one || segmenting.left-- <= 0) return false;
  const from = Math.max(0, at - 32);
  const segments = new Intl.Segmenter('zh', { granularity: 'word' }).segment(text.slice(from, at + 32));
  return segments.containing(at - from)?.index === at - from;
}

/** The character that begins at a place, also one of two units. */
function characterAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 0);
}

function characterBefore(text: string, at: number): string {
  const two = text.slice(Math.max(0, at - 2), at);
  return /^[\ud800-\udbff][\udc00-\udfff]$/.test(two) ? two : two.slice(-1);
}
