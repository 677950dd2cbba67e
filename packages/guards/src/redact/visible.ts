import type { Part } from './part.ts';

/**
 * Escape sequences of terminals, as `grep --color` and `tput` write them inside a line, what is struck over, and characters
 * without a width.
 */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these begin and end escape sequences
  /(?:\u001b\[|\u009b)[0-?]{0,40}[ -/]{0,10}[@-~]|(?:\u001b\]|\u009d)[^\u0007\u001b\u009c]{0,400}(?:\u0007|\u001b\\|\u009c)|\u001b(?:[ -/]{1,3}[0-~]|[0-Z\\-~])|[^\n\u0008]\u0008|[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g;

/** Quotes and brackets of typography and of other scripts: where one stands, a value begins or ends. */
const QUOTES =
  '[\u00ab\u00bb\u2018-\u201f\u2032\u2033\u2039\u203a\u2329\u232a\u27e6-\u27eb\u3008-\u3011\u3014-\u301f\uff02\uff07\uff08\uff09\uff3b\uff3d\uff5b\uff5d\uff5f\uff60]';
const SPACES = '[\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]';
/** ASCII as HTML, URLs, programs and JSON write it, also in a string of a string: `&#64;`, `%40`, `\x40`, `\u0040`. */
const WRITTEN = `&(?:quot|apos|lt|gt|amp|nbsp|commat|equals|colon|#(?:3[2-9]|[4-9]\\d|1[01]\\d|12[0-6]|x[2-7][\\da-f]));|%[2-7][\\da-f]|\\\\{1,7}(?:x|u00)[2-7][\\da-f]`;
/** The wide forms of ASCII, as Chinese and Japanese write them. */
const WIDE = '[\uff01-\uff5e]';
/** An escape sequence in a string of a program or of JSON. */
const ESCAPED = '\\\\(?:u001b|x1b|033|e)\\[[\\d;]{0,40}[A-Za-z]';
const SEEN = new RegExp(
  `${INVISIBLE.source}|${ESCAPED}|(?<quote>${QUOTES})|(?<space>${SPACES})|(?<wide>${WIDE})|(?<written>${WRITTEN})`,
  'gi',
);

const NAMED: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  amp: '&',
  nbsp: ' ',
  commat: '@',
  equals: '=',
  colon: ':',
};

/** The sign that stands for what was matched; none where nothing can be seen. */
function signOf({
  quote,
  space,
  wide,
  written,
}: {
  readonly [name: string]: string | undefined;
} = {}): string {
  if (quote !== undefined) return '"';
  if (space !== undefined) return ' ';
  if (wide !== undefined) return String.fromCharCode(wide.charCodeAt(0) - 0xfee0);
  if (written === undefined) return '';
  const [, decimal, hex = ''] = /&#(\d+);|(..);?$/.exec(written) ?? [];
  const named = NAMED[written.slice(1, -1).toLowerCase()];
  return named ?? String.fromCharCode(decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal));
}

/**
 * A text as a person sees it, with plain quotes, brackets and spaces; undefined if it is no other. Each sign of a name or a
 * value is one of the text.
 */
export function visibleText(text: string): Part | undefined {
  // Most texts have nothing hidden, and `matchAll` compiles the expression again.
  if (text.search(SEEN) === -1) return undefined;
  let visible = '';
  // Where a sign ends in the text that stands for more than itself.
  const ends = new Map<number, number>();
  // For each cut: where the rest begins in the visible text, and by how much it is shifted.
  const begins: number[] = [];
  const shifts: number[] = [];
  let end = 0;
  for (const { 0: hidden, index, groups } of text.matchAll(SEEN)) {
    const sign = signOf(groups);
    visible += text.slice(end, index) + sign;
    end = index + hidden.length;
    if (sign !== '') ends.set(visible.length, end);
    begins.push(visible.length);
    shifts.push(end - visible.length);
  }
  const at = (index: number): number => {
    let low = 0;
    let high = begins.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((begins[middle] ?? 0) <= index) low = middle + 1;
      else high = middle;
    }
    return index + (shifts[low - 1] ?? 0);
  };
  return {
    text: visible + text.slice(end),
    span: (start, end) => ({ start: at(start), end: ends.get(end) ?? at(end - 1) + 1 }),
  };
}
