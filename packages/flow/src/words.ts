/** The words of a name: `mcp__mail__sendEmail` has `send` and `email`. */
export function wordsOf(name: string): readonly string[] {
  const own = name.replace(/^.*(?:__|[:./])/s, '');
  return own
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== '');
}
