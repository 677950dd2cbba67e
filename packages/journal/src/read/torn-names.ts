import type { JournalRecord, TornLine } from '../record/types.ts';

/** What the records of a journal name as left of a line. A name may come long behind what it names. */
export class TornNames {
  /** By hash. Each name is of one place. */
  readonly #names = new Map<string, TornLine[]>();

  note({ torn = [] }: Pick<JournalRecord, 'torn'>): void {
    for (const each of torn) {
      // Of what was erased, names from before count no more.
      if (each.replaces !== undefined) this.#names.delete(each.replaces);
      const known = this.#names.get(each.sha256) ?? [];
      // Where its process writes the line again, that counts.
      this.#names.set(each.sha256, each.again ? [each, ...known] : [...known, each]);
    }
  }

  has(sha256: string): boolean {
    return this.#names.has(sha256);
  }

  /** Takes a name for what is left at one place. */
  take({ sha256, bytes }: TornLine): TornLine | undefined {
    const name = this.#names.get(sha256)?.shift();
    return name?.bytes === bytes ? name : undefined;
  }
}
