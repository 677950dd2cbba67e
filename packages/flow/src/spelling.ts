import { folded } from './folded.ts';

/**
 * Whether a text spells a value, with at least one of its characters as a number: in base 8, 10 or 16, however it is written and
 * whatever stands between, as in `%40`, `\100`, `\u{40}`, `&#64;`, `=40`, `64,118` and `chr(64)||chr(118)`. A number is that of a
 * character, of a byte of it, or of one of two units. Goes through the text once for each 30 characters of the value.
 *
 * @param text without accents and capitals
 */
export function spells(text: string, value: string): boolean {
  // `fc` is the number of `ü`. Those of ASCII all have a digit.
  if (!/\d/.test(text) && /^[\0-\x7f]*$/.test(value)) return false;
  if (last?.value !== value) last = { value, parts: partsOf(value) };
  return last.parts.some((part) => spellsPart(text, part));
}

/** Many texts are asked for one value. */
let last: { readonly value: string; readonly parts: readonly Part[] } | undefined;

/** A part of a value as sets of bits: before which of its steps a letter or a number may stand, and how many steps it takes. */
interface Part {
  readonly literals: ReadonlyMap<number, readonly Step[]>;
  /** By the first unit of a number. */
  readonly codes: ReadonlyMap<number, readonly Code[]>;
  readonly signs: number;
  readonly end: number;
  readonly isShort: boolean;
  /** Numbers that are no more than that stand anywhere, too. */
  readonly isMarked: boolean;
}

interface Step {
  readonly bits: number;
  readonly length: number;
}

interface Code extends Step {
  readonly digits: string;
}

/** How many steps a part has: as many as an integer has bits, less the one behind the last. */
const MOST_STEPS = 30;
/** In bytes of letters and digits: shorter values stand in others by chance. */
const SHORT = 8;
const LETTER = /[\p{L}\p{N}]/u;

/** A character of a value, with a step for each of its bytes. */
interface Element {
  readonly character: string;
  readonly bytes: readonly number[];
}

/** Each character of a long value is in one of its parts, and whoever spells the value spells that part. */
function partsOf(value: string): readonly Part[] {
  const elements = Array.from(value.normalize('NFC'), (character): Element => {
    return { character, bytes: [...new TextEncoder().encode(character)] };
  });
  const letters = elements.filter(({ character }) => LETTER.test(character));
  if (letters.length === 0) return [];
  const isShort = letters.reduce((sum, { bytes }) => sum + bytes.length, 0) < SHORT;
  const isMarked = letters.length < 3 || letters.every(({ character }) => /^\d/.test(character));
  const parts: Element[][] = [];
  for (let from = 0; from < elements.length; ) {
    const part = firstSteps(elements.slice(from, from + MOST_STEPS));
    from += part.length;
    // The last one is as long as the others: a few letters stand in any text.
    parts.push(
      from < elements.length || parts.length === 0
        ? part
        : firstSteps(elements.slice(-MOST_STEPS).reverse()).reverse(),
    );
  }
  return parts.map((part) => ({ ...stepsOf(part), isShort, isMarked }));
}

function firstSteps(elements: readonly Element[]): Element[] {
  const first: Element[] = [];
  let steps = 0;
  for (const element of elements) {
    steps += element.bytes.length;
    if (steps > MOST_STEPS) break;
    first.push(element);
  }
  return first;
}

function stepsOf(elements: readonly Element[]): Pick<Part, 'literals' | 'codes' | 'signs' | 'end'> {
  const literals = new Map<number, Step[]>();
  const codes = new Map<number, Code[]>();
  let [signs, at] = [0, 0];
  const addCode = (number: number, length: number, step = at): void => {
    for (const base of [16, 10, 8]) {
      const digits = number.toString(base);
      const first = digits.charCodeAt(0);
      codes.set(first, [...(codes.get(first) ?? []), { digits, bits: 1 << step, length }]);
    }
  };
  const addLiteral = (letter: string, length: number, step = at): void => {
    const unit = letter.codePointAt(0) ?? 0;
    literals.set(unit, [...(literals.get(unit) ?? []), { bits: 1 << step, length }]);
  };
  for (const { character, bytes } of elements) {
    const length = bytes.length;
    const [plain = '', ...more] = folded(character);
    const cases = [character, plain].flatMap((one) => [one.toLowerCase(), one.toUpperCase()]);
    for (const number of new Set(cases.map((one) => one.codePointAt(0) ?? 0))) addCode(number, length);
    for (const mark of [...character.normalize('NFD')].slice(1))
      addCode(mark.codePointAt(0) ?? 0, 0, at + length);
    if (length > 1) bytes.forEach((byte, nth) => void addCode(byte, 1, at + nth));
    if (character.length === 2) {
      addCode(character.charCodeAt(0), 1);
      addCode(character.charCodeAt(1), length - 1, at + 1);
    }
    const isSign = !LETTER.test(character);
    if (!isSign) addLiteral(plain, length);
    for (const letter of isSign ? [] : more) addLiteral(letter, 0, at + length);
    for (let nth = 0; nth < length; nth++, at++) if (isSign) signs |= 1 << at;
  }
  return { literals: merged(literals), codes: merged(codes), signs, end: 1 << at };
}

/** The same steps from several places as one. */
function merged<One extends Step>(
  steps: ReadonlyMap<number, readonly One[]>,
): ReadonlyMap<number, readonly One[]> {
  const all = [...steps].map(([key, ones]): [number, One[]] => {
    const same = Map.groupBy(ones, (one) => JSON.stringify({ ...one, bits: 0 }));
    const merge = ([first, ...more]: readonly One[]): One[] =>
      first === undefined ? [] : [{ ...first, bits: more.reduce((set, { bits }) => set | bits, first.bits) }];
    return [key, [...same.values()].flatMap(merge)];
  });
  return new Map(all);
}

/** As many places as the longest number has digits, and more. */
const PLACES = 8;

/**
 * Follows all ways to read the text at once. A bit of a set says that the steps before that one have been taken: all of them by the
 * letters themselves (`plain`), one by a number (`coded`), or that a number may begin (`begun`).
 */
function spellsPart(text: string, { literals, codes, signs, end, isShort, isMarked }: Part): boolean {
  const later = new Int32Array(PLACES);
  let [plain, coded, begun] = [0, 0, 0];
  let before = 0;
  for (let at = 0; at <= text.length; at++) {
    const unit = text.codePointAt(at) ?? SPACE;
    const kind = kindOf(unit);
    coded = withoutSigns(coded | (later[at % PLACES] ?? 0), signs);
    later[at % PLACES] = 0;
    if (coded & end && !(isShort && kind & IS_LETTER)) return true;
    if (!isShort || !(before & IS_LETTER)) plain |= 1;
    plain = withoutSigns(plain, signs);
    const mayBegin = isMarked && !(before & IS_MARK) ? begun : plain | coded | begun;
    for (const { digits, bits, length } of codes.get(unit) ?? []) {
      const next = (mayBegin & bits) << length;
      if (next === 0 || !text.startsWith(digits, at)) continue;
      const place = (at + digits.length) % PLACES;
      later[place] = (later[place] ?? 0) | next;
    }
    if (kind & IS_PREFIX) begun = mayBegin;
    else if (kind & IS_DIGIT || isMarked) begun = 0;
    // What is called before each number, as `chr`.
    else if (kind & IS_LETTER) begun = isShort ? begun | coded : mayBegin;
    if (kind & IS_LETTER) {
      const read = literals.get(unit) ?? [];
      plain = read.reduce((set, { bits, length }) => set | ((plain & bits) << length), 0);
      coded = read.reduce((set, { bits, length }) => set | ((coded & bits) << length), 0);
    }
    before = kind;
    if (unit > 0xffff) later[++at % PLACES] = 0;
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
const IS_DIGIT = 8;

function kindOf(unit: number): number {
  return KINDS[unit] ?? kind(String.fromCodePoint(unit));
}

function kind(character: string): number {
  const isPrefix = /[0xuob{+]/.test(character) ? IS_PREFIX : 0;
  const isDigit = /\d/.test(character) ? IS_DIGIT : 0;
  return (LETTER.test(character) ? IS_LETTER : /[\s,;:.]/.test(character) ? 0 : IS_MARK) | isPrefix | isDigit;
}

const KINDS: readonly number[] = Array.from({ length: 0x500 }, (_, unit) => kind(String.fromCharCode(unit)));
