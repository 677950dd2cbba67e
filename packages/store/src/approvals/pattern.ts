/** Inputs that are like one that was approved: each argument's text, in which `*` stands for any text. */
export type InputPattern = { readonly [argument: string]: string };

/**
 * Whether an input is like a pattern: it has the same arguments, no others, and each one's text fits. What is no text is compared as
 * JSON.
 */
export function isLike(input: unknown, pattern: InputPattern): boolean {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return false;
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  return (
    given.length === Object.keys(pattern).length &&
    given.every(([argument, value]) => {
      const wanted = Object.hasOwn(pattern, argument) ? pattern[argument] : undefined;
      return wanted !== undefined && fits(typeof value === 'string' ? value : JSON.stringify(value), wanted);
    })
  );
}

/** `*` is any text, over lines too. In time proportional to pattern × text at most. */
function fits(text: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*');
  if (!text.startsWith(first)) return false;
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found === -1) return false;
    at = found + piece.length;
  }
  return text.length - at >= last.length && text.endsWith(last);
}
