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

  add(key: string, amount: number): void {
    const now = Date.now();
    const amounts = [...this.get(key), { at: now, amount }];
    // Keep the least recently used key first.
    this.#byKey.delete(key);
    for (const [other, used] of this.#byKey) {
      if (now - (used.at(-1)?.at ?? 0) < this.#windowMs) break;
      this.#byKey.delete(other);
    }
    this.#byKey.set(key, amounts);
  }
}

interface Amount {
  readonly at: number;
  readonly amount: number;
}
