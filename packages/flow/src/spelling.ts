/**
 * Whether a text spells a value, with at least one of its characters as a number: in base 8, 10 or 16, however it is written and
 * whatever stands between, as in `%40`, `\100`, `\u{40}`, `&#64;`, `=40` and `64,118`. Goes through the text once, whatever is in it.
 */
export function spells(text: string, value: string): boolean {
  if (!/\d/.test(text)) return false;
  if (last?.value !== value) last = { value, forms: formsOf(value) };
  return last.forms.some((form) => spellsOne(text, form));
}

/** Many texts are asked for one value. */
let last: { readonly value: string; readonly forms: readonly Bits[] } | undefined;

function formsOf(value: string): readonly Bits[] {
  const characters = [...value].slice(0, LONGEST);
  // The bytes of other letters are numbers of their own.
  const bytes = characters.flatMap((character) =>
    character < '\x80' ? [element(character)] : [...new TextEncoder().encode(character)].map(byteElement),
  );
  const forms = [
    characters.map(element),
    ...(bytes.length > characters.length ? [bytes.slice(0, LONGEST)] : []),
  ];
  return forms.filter((elements) => elements.some(({ isSign }) => !isSign)).map(bitsOf);
}

/** A character of a value. */
interface Element {
  readonly literals: readonly string[];
  readonly codes: readonly string[];
  /** A sign may be left out. */
  readonly isSign: boolean;
}

/** How many characters of a value are looked for: as many as an integer has bits, less the one behind the last. */
const LONGEST = 30;
/** In letters and digits: shorter values stand in others by chance. */
const SHORT = 8;
const LETTER = /[\p{L}\p{N}]/u;

function element(character: string): Element {
  const [lower, upper] = [character.toLowerCase(), character.toUpperCase()];
  const plain = lower.normalize('NFKD').slice(0, 1);
  const numbers = [lower, upper].flatMap((one) => [one.codePointAt(0) ?? 0]);
  return {
    literals: [lower, plain],
    codes: numbers.flatMap(codesOf),
    isSign: !LETTER.test(character),
  };
}

function byteElement(byte: number): Element {
  return { literals: [], codes: codesOf(byte), isSign: false };
}

function codesOf(number: number): readonly string[] {
  return [16, 10, 8].map((base) => number.toString(base));
}

/** The elements as sets of bits: which of them a letter or a number stands for, by the first unit of it. */
interface Bits {
  readonly literals: ReadonlyMap<number, number>;
  readonly codes: ReadonlyMap<number, readonly (readonly [code: string, bits: number])[]>;
  readonly signs: number;
  readonly end: number;
  readonly isShort: boolean;
  /** Numbers that are no more than that stand anywhere, too. */
  readonly isMarked: boolean;
}

function bitsOf(elements: readonly Element[]): Bits {
  const literals = new Map<number, number>();
  const codes = new Map<string, number>();
  let signs = 0;
  elements.forEach(({ literals: letters, codes: numbers, isSign }, nth) => {
    const bit = 1 << nth;
    if (isSign) signs |= bit;
    else
      for (const letter of letters)
        literals.set(letter.charCodeAt(0), (literals.get(letter.charCodeAt(0)) ?? 0) | bit);
    for (const number of numbers) codes.set(number, (codes.get(number) ?? 0) | bit);
  });
  const byFirst = Map.groupBy(codes, ([code]) => code.charCodeAt(0));
  const letters = elements.filter(({ isSign }) => !isSign);
  return {
    literals,
    codes: byFirst,
    signs,
    end: 1 << elements.length,
    isShort: letters.length < SHORT,
    isMarked: letters.length < 3 || letters.every(({ literals: [letter = ''] }) => /^\d/.test(letter)),
  };
}

/** As many places as the longest number has digits, and more. */
const PLACES = 8;

/**
 * Follows all ways to read the text at once. A bit of a set says that the elements before that one have been read: all of them as
 * themselves (`plain`), one as a number (`coded`), or that a number may begin (`begun`).
 */
function spellsOne(written: string, { literals, codes, signs, end, isShort, isMarked }: Bits): boolean {
  const text = written.toLowerCase();
  const later = new Int32Array(PLACES);
  let [plain, coded, begun] = [0, 0, 0];
  let before = SPACE;
  for (let at = 0; at <= text.length; at++) {
    const unit = at < text.length ? text.charCodeAt(at) : SPACE;
    const kind = kindOf(unit);
    coded = withoutSigns(coded | (later[at % PLACES] ?? 0), signs);
    later[at % PLACES] = 0;
    if (coded & end && !(isShort && kind & IS_LETTER)) return true;
    if (!isShort || !(kindOf(before) & IS_LETTER)) plain |= 1;
    plain = withoutSigns(plain, signs);
    const mayBegin = isMarked && !(kindOf(before) & IS_MARK) ? begun : plain | coded | begun;
    for (const [code, bits] of codes.get(unit) ?? []) {
      const next = (mayBegin & bits) << 1;
      if (next === 0 || !text.startsWith(code, at)) continue;
      const place = (at + code.length) % PLACES;
      later[place] = (later[place] ?? 0) | next;
    }
    if (kind & IS_PREFIX) begun = mayBegin;
    else if (kind & IS_LETTER || isMarked) begun = 0;
    if (kind & IS_LETTER) {
      const bits = literals.get(unit) ?? 0;
      plain = (plain & bits) << 1;
      coded = (coded & bits) << 1;
    }
    before = unit;
  }
  return false;
}

/** Adds what is behind signs, which may be left out. */
function withoutSigns(set: number, signs: number): number {
  let all = set;
  while (all & signs) {
    const more = all | ((all & signs) << 1);
    if (more === all) break;
    all = more;
  }
  return all;
}

const SPACE = 32;
const IS_LETTER = 1;
/** May stand before the digits of a number. */
const IS_PREFIX = 2;
/** Says that a number follows. */
const IS_MARK = 4;

function kindOf(unit: number): number {
  return KINDS[unit] ?? kind(String.fromCharCode(unit));
}

function kind(character: string): number {
  const isPrefix = /[0xuob{+]/.test(character) ? IS_PREFIX : 0;
  return (LETTER.test(character) ? IS_LETTER : /[\s,;:.]/.test(character) ? 0 : IS_MARK) | isPrefix;
}

const KINDS: readonly number[] = Array.from({ length: 0x500 }, (_, unit) => kind(String.fromCharCode(unit)));
