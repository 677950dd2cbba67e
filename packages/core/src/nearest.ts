/** The names most similar to the given one, most similar first. Case, `_` and `-` do not count. */
export function nearestNames(written: string, names: readonly string[]): readonly string[] {
  return nearestAmong(names)(written, SIMILAR);
}

/** In a similar name, one letter in so many may differ. */
export const SIMILAR = 3;

/** In a name longer than this, as many letters may differ as in one of this length: `create` is no typo of `delete`, whatever stands before them. */
const LONGEST = 12;

/** Finds the nearest of these names for many written ones. One letter in `per` may differ. */
export function nearestAmong(names: readonly string[]): (written: string, per: number) => readonly string[] {
  const known = names.map((name) => ({ name, ...plainOf(name) }));
  return (written, per) => {
    const { plain, letters } = plainOf(written);
    const found: { readonly name: string; readonly edits: number }[] = [];
    let most = Math.ceil(Math.min(plain.length, LONGEST) / per);
    for (const { name, plain: other, letters: others } of known) {
      // Counting is quick, and leaves few names to compare letter by letter.
      if (Math.abs(plain.length - other.length) > most || differenceOf(letters, others, most) > most)
        continue;
      const edits = editsBetween(plain, other, most);
      if (edits > most) continue;
      found.splice(found.findLastIndex((one) => one.edits <= edits) + 1, 0, { name, edits });
      if (found.length > 3) found.pop();
      // Only a nearer one would be among the three.
      if (found.length === 3) most = (found[2]?.edits ?? 0) - 1;
    }
    return found.map(({ name }) => name);
  };
}

/** A name without case and separators, and how often each letter stands in it. Rare letters share a place. */
function plainOf(name: string): { readonly plain: string; readonly letters: readonly number[] } {
  const plain = name.toLowerCase().replace(/[_-]/g, '');
  const letters = new Array<number>(32).fill(0);
  for (let at = 0; at < plain.length; at++) {
    const letter = plain.charCodeAt(at) % 32;
    letters[letter] = (letters[letter] ?? 0) + 1;
  }
  return { plain, letters };
}

/** The least number of letters to add, remove or replace to get from one text to the other. Stops counting beyond `most`. */
function differenceOf(from: readonly number[], to: readonly number[], most: number): number {
  let more = 0;
  let less = 0;
  for (let at = 0; at < from.length && more <= most && less <= most; at++) {
    const difference = (from[at] ?? 0) - (to[at] ?? 0);
    if (difference > 0) more += difference;
    else less -= difference;
  }
  return Math.max(more, less);
}

/** How many letters have to be added, removed, replaced or swapped to get from one text to the other; more than `most` is not counted. */
function editsBetween(from: string, to: string, most: number): number {
  let last: number[] = [];
  let above: number[] = [];
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (let at = 0; at < from.length; at++) {
    [last, above, row] = [above, row, last];
    row[0] = at + 1;
    let least = at + 1;
    for (let other = 0; other < to.length; other++) {
      const isSame = from.charCodeAt(at) === to.charCodeAt(other);
      const isSwapped =
        from.charCodeAt(at) === to.charCodeAt(other - 1) && from.charCodeAt(at - 1) === to.charCodeAt(other);
      const edits = Math.min(
        (above[other] ?? 0) + (isSame ? 0 : 1),
        (above[other + 1] ?? 0) + 1,
        (row[other] ?? 0) + 1,
        isSwapped ? (last[other - 1] ?? 0) + 1 : Infinity,
      );
      row[other + 1] = edits;
      if (edits < least) least = edits;
    }
    if (least > most) return Infinity;
  }
  return row[to.length] ?? 0;
}
