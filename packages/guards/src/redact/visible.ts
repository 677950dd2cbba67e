/** A text as a person sees it, and where its parts stand in the original. */
export interface VisibleText {
  readonly text: string;
  /** The position in the original of a character of `text`. */
  readonly at: (index: number) => number;
}

/** Escape sequences of terminals, as `grep --color` writes them inside a line, and characters without a width. */
const INVISIBLE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these begin and end escape sequences
  /\u001b(?:\[[0-?]{0,40}[ -/]{0,10}[@-~]|\][^\u0007\u001b]{0,400}(?:\u0007|\u001b\\)|[@-Z\\-_])|[\u00ad\u200b-\u200f\u2060-\u2064\ufeff]/g;

/** Removes what cannot be seen. Returns the text itself where all of it can be seen. */
export function visibleText(text: string): VisibleText {
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
  if (end === 0) return { text, at: (index) => index };
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
  return { text: visible + text.slice(end), at };
}
