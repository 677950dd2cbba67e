import { visible } from '@hooks/config';

/** Formats a table with aligned columns. A cell is one line, without characters that deceive a terminal. */
export function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [heads, ...rows.map((row) => row.map((cell) => visible(cell).replaceAll(/\s*\n\s*/g, ' ')))];
  const widths = heads.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
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
