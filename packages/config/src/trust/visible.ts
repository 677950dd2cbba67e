/**
 * A text as it may be shown on a terminal: the characters that would move the cursor, colour, hide or reorder it (control
 * characters, bidirectional and zero-width marks) are taken out, and nothing else: what follows an escape may be run.
 */
export function visible(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    character === '\n' || character === '\t' ? character : '',
  );
}
