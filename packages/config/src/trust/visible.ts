/**
 * A text that is safe for a terminal: without characters that move the cursor, or color, hide or reorder text (control
 * characters, bidirectional and zero-width marks). Everything else stays, because text after an escape sequence may
 * run.
 */
export function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    character === '\n' || character === '\t' ? character : '',
  );
}
