/** The names most similar to the given one, by their letters, most similar first. */
export function nearestNames(written: string, names: readonly string[]): readonly string[] {
  const letters = new Set(written);
  const similar = names.flatMap((name) => {
    const most = 0.7 * Math.max(name.length, written.length);
    // A name that is far shorter or longer need not be read.
    if (name.length <= most) return [];
    let same = 0;
    for (const letter of name) if (letters.has(letter)) same++;
    return same > most ? [{ name, likeness: same / most }] : [];
  });
  return similar
    .sort((a, b) => b.likeness - a.likeness)
    .slice(0, 3)
    .map(({ name }) => name);
}
