import { stripVTControlCharacters } from 'node:util';

/**
 * A text as it may be shown on a terminal: what would move the cursor, colour, hide or reorder it (control characters,
 * escape sequences, bidirectional and zero-width marks) is taken out.
 */
export function visible(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, (character) =>
    character === '\n' || character === '\t' ? character : '',
  );
}
