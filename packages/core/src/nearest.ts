/** The names most similar to the given one, most similar first. Case, `_` and `-` do not count. */
export function nearestNames(written: string, names: readonly string[]): readonly string[] {
  const plain = plainOf(written);
  const most = Math.ceil(plain.length / 3);
  return names
    .map((name) => ({ name, edits: editsBetween(plain, plainOf(name), most) }))
    .filter(({ edits }) => edits <= most)
    .sort((a, b) => a.edits - b.edits)
    .slice(0, 3)
    .map(({ name }) => name);
}

function plainOf(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}

/** How many letters have to be added, removed or replaced to get from one text to the other; more than `most` is not counted. */
function editsBetween(from: string, to: string, most: number): number {
  if (Math.abs(from.length - to.length) > most) return Infinity;
  let row = Array.from({ length: to.length + 1 }, (_, at) => at);
  for (const [at, letter] of [...from].entries()) {
    const next = [at + 1];
    for (const [other, known] of [...to].entries()) {
      const replaced = (row[other] ?? 0) + (letter === known ? 0 : 1);
      next.push(Math.min(replaced, (row[other + 1] ?? 0) + 1, (next[other] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
