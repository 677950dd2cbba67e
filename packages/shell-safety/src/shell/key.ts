/** Makes one text of several, a different one for each list. They may have any character, so each stands behind its length. */
export function keyOf(parts: readonly unknown[]): string {
  return parts.map((part) => `${String(part).length}:${part}`).join('');
}
