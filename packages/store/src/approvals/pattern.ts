/**
 * Inputs like one that was approved: the text of each argument, in which `*` stands for any text that cannot lead elsewhere. So
 * `npm run *` matches `npm run test` and neither `npm run test; rm -rf ~` nor `npm run $(curl …)`, and `src/*` does not match
 * `src/../.env`. An argument whose whole pattern is `*` may have any value.
 */
export type InputPattern = { readonly [argument: string]: string };

/**
 * Whether an input matches a pattern: it has the same arguments, no others, and the text of each matches. Values that
 * are not text are compared as JSON.
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

/** Texts that begin another command, or another line. */
const OPERATORS = /[;&|<>$`()\p{Cc}\u2028\u2029]/u;

/** Takes time proportional to pattern × text at most. */
function fits(text: string, pattern: string): boolean {
  if (pattern === '*') return true;
  const [first = '', ...rest] = pattern.split('*');
  if (!text.startsWith(first)) return false;
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  const end = text.length - last.length;
  let at = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, at);
    if (found === -1 || leadsElsewhere(text, at, found)) return false;
    at = found + piece.length;
  }
  return end >= at && text.endsWith(last) && !leadsElsewhere(text, at, end);
}

function leadsElsewhere(text: string, from: number, to: number): boolean {
  // With one more character on each side, because the pattern itself may contain the first dot of `..`.
  return OPERATORS.test(text.slice(from, to)) || text.slice(Math.max(0, from - 1), to + 1).includes('..');
}
