/** A character that a person sees. U+2800 is a pattern of Braille without a dot. */
const VISIBLE = /[^\p{Z}\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u;

/** Whether a text shows a person nothing: it is empty, or all of it is blanks and invisible characters. */
export function isBlank(text: string): boolean {
  return !VISIBLE.test(text);
}
