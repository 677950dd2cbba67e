/** JavaScript compares strings by UTF-16 units, which puts characters beyond U+FFFF before U+E000. */
export function byCodePoints(a: string, b: string): number {
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  return (a.codePointAt(at) ?? -1) - (b.codePointAt(at) ?? -1);
}
