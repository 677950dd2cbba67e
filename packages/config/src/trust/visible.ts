/**
 * Makes a text safe for a terminal: removes characters that move the cursor, or color, hide or reorder text (control
 * characters, bidirectional and zero-width marks). Everything else stays visible, because text after an escape sequence
 * is part of what runs.
 */
export function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    character === '\n' || character === '\t' ? character : '',
  );
}
