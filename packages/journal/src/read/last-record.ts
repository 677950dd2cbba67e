/**
 * Where the record begins that ends a line, if another process has written it behind a line that has no end. Whether it is one its hashes
 * say. Positions are those of the text, of which each character may stand for a byte.
 */
export function lastStart(text: string): number | undefined {
  // No text in a record can hold this: quotes are escaped there.
  const at = text.lastIndexOf('"hash":"');
  if (at < 1) return undefined;
  if (text[at - 1] === '{') return at - 1;
  const data = startOfValue(text, at - 1);
  const start = (data ?? 0) - DATA.length;
  return text.startsWith(DATA, start) ? start : undefined;
}

const DATA = '{"data":';

/** Where a JSON object begins that ends before a position, or a null with the spaces that an erasure has put behind it. */
function startOfValue(text: string, end: number): number | undefined {
  let at = end - 1;
  while (text[at] === ' ') at--;
  if (text.slice(at - 3, at + 1) === 'null') return at - 3;
  for (let open = 0; at >= 0; at--) {
    const char = text[at];
    if (char === '"') at = startOfText(text, at);
    else if (char === '}' || char === ']') open++;
    else if ((char === '{' || char === '[') && --open === 0) return at;
  }
  return undefined;
}

/** Where a text begins that ends with the quote at a position: at the first one that no backslash escapes. */
function startOfText(text: string, end: number): number {
  for (let at = text.lastIndexOf('"', end - 1); at >= 0; at = text.lastIndexOf('"', at - 1)) {
    let escapes = 0;
    while (text[at - 1 - escapes] === '\\') escapes++;
    if (escapes % 2 === 0) return at;
    if (at === 0) return -1;
  }
  return -1;
}
