/** The names most similar to the given one, most similar first. Case, `_` and `-` do not count. */
export function nearestNames(written: string, names: readonly string[]): readonly string[] {
  return nearestAmong(names)(written, SIMILAR);
}

/** In a similar name, one letter in so many may differ. */
export const SIMILAR = 3;

/** In a longer name, no more letters may differ than in one of so many: `create` is no typo of `delete`, whatever stands before them. */
const LONGEST = 12;

/** Finds the nearest of these names for many written ones. One letter in `per` may differ. */
export function nearestAmong(names: readonly string[]): (written: string, per: number) => readonly string[] {
  const known = names.map((name, at) => ({ name, at, ...plainOf(name) }));
  return (written, per) => {
    const { plain, letters } = plainOf(written);
    let most = Math.ceil(Math.min(plain.length, LONGEST) / per);
    // By the letters that differ wherever they stand, which are quickly counted: few names are left to compare.
    const byDifference: (typeof known)[] = Array.from({ length: most + 1 }, () => []);
    for (const one of known)
      if (Math.abs(one.plain.length - plain.length) <= most)
        byDifference[differenceOf(letters, one.letters, most)]?.push(one);
    const found: { readonly name: string; readonly at: number; readonly edits: number }[] = [];
    for (const [difference, alike] of byDifference.entries()) {
      if (difference > most) break;
      for (const { name, at, plain: other } of alike) {
        const edits = editsBetween(plain, other, most);
        if (edits > most) continue;
        found.push({ name, at, edits });
        found.sort((one, next) => one.edits - next.edits || one.at - next.at).splice(3);
        // Only one that is as near would be among the three.
        most = found[2]?.edits ?? most;
      }
    }
    return found.map(({ name }) => name);
  };
}

interface Plain {
  readonly plain: string;
  /** How often each letter stands in it. Rare letters share a place. */
  readonly letters: Uint16Array;
}

function plainOf(name: string): Plain {
  const plain = name.toLowerCase().replace(/[_-]/g, '');
  const letters = new Uint16Array(32);
  for (let at = 0; at < plain.length; at++) letters[plain.charCodeAt(at) % 32]++;
  return { plain, letters };
}

/** At least so many letters have to be added, removed or replaced to get from one text to the other; more than `most` is not counted. */
function differenceOf(from: Uint16Array, to: Uint16Array, most: number): number {
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
  if (Math.abs(from.length - to.length) > most) return Infinity;
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
