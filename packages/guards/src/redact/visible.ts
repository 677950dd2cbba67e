import type { Part } from './part.ts';

/**
 * Escape sequences of terminals, as `grep --color` and `tput` write them inside a line, what is struck over, and characters
 * without a width.
 */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these begin and end escape sequences
  /(?:\u001b\[|\u009b)[0-?]{0,40}[ -/]{0,10}[@-~]|(?:\u001b\]|\u009d)[^\u0007\u001b\u009c]{0,400}(?:\u0007|\u001b\\|\u009c)|\u001b(?:[ -/]{1,3}[0-~]|[0-Z\\-~])|[^\n\u0008]\u0008|[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g;

/** A text as a person sees it; undefined if there is nothing that cannot be seen. */
export function visibleText(text: string): Part | undefined {
  // Most texts have nothing hidden, and `matchAll` compiles the expression again.
  if (text.search(INVISIBLE) === -1) return undefined;
  let visible = '';
  // For each cut: where the rest begins in the visible text, and by how much it is shifted.
  const begins: number[] = [];
  const shifts: number[] = [];
  let end = 0;
  for (const { 0: hidden, index } of text.matchAll(INVISIBLE)) {
    visible += text.slice(end, index);
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
