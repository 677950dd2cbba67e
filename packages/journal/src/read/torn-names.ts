import { OWN_TYPES } from '../record/schema.ts';
import type { TornLine } from '../record/types.ts';
import { type ParsedRecord, withData } from './parse.ts';

/** What the records of a journal name as left of a line. A name may come long behind what it names. */
export class TornNames {
  /** By the hash of the record that has them. */
  readonly #names = new Map<string, readonly TornLine[]>();
  /** The records whose names an erasure has replaced. */
  readonly #replaced = new Set<string>();
  /** The names that count, by what they name. Undefined until one is asked for. */
  #counting: Map<string, TornLine[]> | undefined;

  note(parsed: ParsedRecord): void {
    const { erasure } = parsed.record;
    const names = erasure?.torn ?? namesIn(parsed);
    if (names.length > 0) this.#names.set(parsed.parts.hash, names);
    for (const hash of erasure?.replaces ?? []) this.#replaced.add(hash);
    if (names.length > 0 || erasure?.replaces) this.#counting = undefined;
  }

  /** The hashes of the records that have names which count. */
  get records(): readonly string[] {
    return [...this.#names.keys()].filter((hash) => !this.#replaced.has(hash));
  }

  /** Whether an erasure has replaced the names of a record. */
  isReplaced(hash: string): boolean {
    return this.#replaced.has(hash);
  }

  has({ sha256, bytes }: TornLine): boolean {
    return this.#named.get(sha256)?.[0]?.bytes === bytes;
  }

  /** Takes a name for what is left at one place: each name is of one. */
  take({ sha256, bytes }: TornLine): TornLine | undefined {
    const name = this.#named.get(sha256)?.shift();
    return name?.bytes === bytes ? name : undefined;
  }

  get #named(): Map<string, TornLine[]> {
    if (this.#counting) return this.#counting;
    const counting = new Map<string, TornLine[]>();
    for (const hash of this.records)
      for (const each of this.#names.get(hash) ?? []) {
        const known = counting.get(each.sha256) ?? [];
        // Where its process writes the line again, that counts.
        counting.set(each.sha256, each.again ? [each, ...known] : [...known, each]);
      }
    this.#counting = counting;
    return counting;
  }
}

/** The names that a record has in its data. */
function namesIn(parsed: ParsedRecord): readonly TornLine[] {
  if (parsed.record.type !== OWN_TYPES.torn || typeof parsed.parts.data !== 'string') return [];
  const read = withData(parsed);
  return ('reading' in read && read.reading.data?.torn) || [];
}

/** What an erasure leaves of a torn line. */
export function erasedTorn({ bytes }: TornLine): Buffer {
  const text = Buffer.alloc(bytes, ' ');
  text.write('{"data":null');
  return text;
}
