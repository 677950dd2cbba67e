/** A text without accents, invisible characters and capitals, and with the digits of all scripts as ours. */
export function folded(text: string): string {
  if (/^[\0-\x7f]*$/.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(/[\p{M}\p{Default_Ignorable_Code_Point}]/gu, '')
    .replace(/\p{Nd}/gu, digitOf)
    .toUpperCase()
    .toLowerCase();
}

/** Digits of a script begin at a place of Unicode that ends in 0 or 6. */
function digitOf(digit: string): string {
  const place = digit.codePointAt(0) ?? 0;
  const zero = /\p{Nd}/u.test(String.fromCodePoint(place & ~15)) ? 0 : 6;
  return String((place & 15) - zero);
}
