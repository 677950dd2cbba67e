import type { KeyObject } from 'node:crypto';
import { type JournalSource, verifyJournal } from '@hooks/journal';
import type { ChainState } from '../api.ts';

/** Verifies a journal and caches the result. */
export class ChainCheck {
  readonly #source: JournalSource;
  readonly #key: KeyObject | undefined;
  #found: Promise<ChainState> | undefined;

  constructor(source: JournalSource, key: KeyObject | undefined) {
    this.#source = source;
    this.#key = key;
  }

  /** @param again verify again instead of using the cache */
  state(again: boolean): Promise<ChainState> {
    if (again || this.#found === undefined) {
      this.#found = this.#verify();
      this.#found.catch(() => {
        this.#found = undefined;
      });
    }
    return this.#found;
  }

  async #verify(): Promise<ChainState> {
    const [at, began] = [Date.now(), performance.now()];
    const found = await verifyJournal(this.#source, this.#key && { key: this.#key });
    const tookMs = performance.now() - began;
    return { ...found, signatures: this.#key !== undefined, at, tookMs };
  }
}
