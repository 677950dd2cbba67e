/** Formats a table with aligned columns. A cell is one line; characters that deceive a reader are shown as their codes. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [heads, ...rows.map((row) => row.map((cell) => codesOf(cell.replaceAll(/\s*\n\s*/g, ' '))))];
  const widths = heads.map((_, column) =>
    Math.min(WIDEST, Math.max(...all.map((row) => (row[column] ?? '').length))),
  );
  return all
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

/** One cell that is longer widens no other: a model that writes a megabyte hides no other row. */
const WIDEST = 160;

/**
 * A text with a code such as `U+202E` in the place of each character that nobody sees, or that changes how others look: what a person
 * reads is what there is.
 */
export function codesOf(text: string): string {
  return text.replaceAll(
    UNSEEN,
    (character) => `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`,
  );
}

/** Controls, formats, separators but for the space, characters of no standard, and those that only fill or modify. */
const UNSEEN =
  /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Co}\p{Cs}\p{Cn}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}/gu;
