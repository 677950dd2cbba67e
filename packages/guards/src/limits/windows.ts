/** Amounts in a sliding window, per key, in this process and to the millisecond. */
export class Windows {
  readonly #windowMs: number;
  readonly #byKey: Map<string, readonly Amount[]> = new Map();

  constructor(windowMs: number) {
    this.#windowMs = windowMs;
  }

  /** A key's entries, oldest first. */
  get(key: string): readonly Amount[] {
    const now = Date.now();
    return (this.#byKey.get(key) ?? []).filter(({ at }) => now - at < this.#windowMs);
  }

  /** Returns the entry, which {@link remove} takes. */
  add(key: string, amount: number): Amount {
    const now = Date.now();
    const added = { at: now, amount };
    const amounts = [...this.get(key), added];
    // Keep the least recently used key first.
    this.#byKey.delete(key);
    for (const [other, used] of this.#byKey) {
      if (now - (used.at(-1)?.at ?? 0) < this.#windowMs) break;
      this.#byKey.delete(other);
    }
    this.#byKey.set(key, amounts);
    return added;
  }

  remove(key: string, amount: Amount): void {
    const rest = this.get(key).filter((one) => one !== amount);
    if (rest.length === 0) this.#byKey.delete(key);
    else this.#byKey.set(key, rest);
  }
}

export interface Amount {
  readonly at: number;
  readonly amount: number;
}
