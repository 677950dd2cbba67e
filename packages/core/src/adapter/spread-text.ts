/**
 * Writes a changed text over the texts that it was joined from, so that what belongs to each of them can stay: an image
 * between two, a cache mark. Texts that still stand at the beginning and at the end stay as they are; the first of the
 * others gets the rest.
 *
 * @param texts not empty, as they were joined
 * @returns the new text of each; undefined for those that are gone
 */
export function spreadText(
  texts: readonly string[],
  separator: string,
  text: string,
): readonly (string | undefined)[] {
  const spread: (string | undefined)[] = texts.map(() => undefined);
  let rest = text;
  let first = 0;
  for (; first < texts.length - 1; first++) {
    const start = `${texts[first]}${separator}`;
    if (!rest.startsWith(start)) break;
    spread[first] = texts[first];
    rest = rest.slice(start.length);
  }
  // The others may be gone as a whole.
  for (let from = first; from <= texts.length; from++) {
    const others = texts.slice(from);
    if (others.join(separator) === rest) return spread.toSpliced(from, others.length, ...others);
  }
  let end = texts.length - 1;
  for (; end > first; end--) {
    const tail = `${separator}${texts[end]}`;
    if (!rest.endsWith(tail)) break;
    spread[end] = texts[end];
    rest = rest.slice(0, -tail.length);
  }
  if (first < texts.length) spread[first] = rest;
  return spread;
}
