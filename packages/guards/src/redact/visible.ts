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
/** Signs as HTML, URLs and programs write them: `&quot;`, `%22`, `\x22`, `\u0022`. */
const WRITTEN =
  '&(?:quot|apos|lt|gt|amp|nbsp|#(?:3[2-9]|4[0-7]|x2[\\da-f]));|%2[27]|\\\\(?:x|u00)(?:2[\\da-fA-F]|3[cCeE]|5[bBdD]|7[bBdD])';
/** An escape sequence in a string of a program or of JSON. */
const ESCAPED = '\\\\(?:u001b|x1b|033|e)\\[[\\d;]{0,40}[A-Za-z]';
const SEEN = new RegExp(
  `${INVISIBLE.source}|${ESCAPED}|(?<quote>${QUOTES})|(?<space>${SPACES})|(?<written>${WRITTEN})`,
  'gi',
);

const NAMED: Readonly<Record<string, string>> = {
  quot: '"',
  apos: "'",
  lt: '<',
  gt: '>',
  amp: '&',
  nbsp: ' ',
};

/** The sign that stands for what was matched; none where nothing can be seen. */
function signOf({ quote, space, written }: { readonly [name: string]: string | undefined } = {}): string {
  if (quote !== undefined) return '"';
  if (space !== undefined) return ' ';
  if (written === undefined) return '';
  const inside = written.replace(/\W/g, '');
  const [, hex] = /^&#x(..);$|(?:%|\\x|\\u00)(..)$/.exec(written)?.filter((part) => part !== undefined) ?? [];
  return NAMED[inside] ?? String.fromCharCode(hex === undefined ? Number(inside) : Number.parseInt(hex, 16));
}

/**
 * A text as a person sees it, with plain quotes, brackets and spaces; undefined if it is no other. Each sign of a name or a
 * value is one of the text.
 */
export function visibleText(text: string): Part | undefined {
  // Most texts have nothing hidden, and `matchAll` compiles the expression again.
  if (text.search(SEEN) === -1) return undefined;
  let visible = '';
  // For each cut: where the rest begins in the visible text, and by how much it is shifted.
  const begins: number[] = [];
  const shifts: number[] = [];
  let end = 0;
  for (const { 0: hidden, index, groups } of text.matchAll(SEEN)) {
    visible += text.slice(end, index) + signOf(groups);
    end = index + hidden.length;
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
    span: (start, end) => ({ start: at(start), end: at(end - 1) + 1 }),
  };
}
