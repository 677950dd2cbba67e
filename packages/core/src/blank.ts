/** Whether a text shows a person nothing: it is empty, or all of it is blanks and invisible characters. */
export function isBlank(text: string): boolean {
  // A character that a person sees. U+2800 is a pattern of Braille without a dot. The expression stands here because making it
  // takes half a millisecond, which a hook's process that never asks should not pay.
  return !/[^\p{Z}\p{C}\p{M}\p{Default_Ignorable_Code_Point}\u2800]/u.test(text);
}
