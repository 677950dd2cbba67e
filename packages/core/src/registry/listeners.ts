/** Functions that watch something. An error that one throws changes nothing, and the others still run. */
export class Listeners<T> {
  /** Read without a copy, because a dispatch asks whether there is any. */
  readonly all: Set<(value: T) => void> = new Set();
  readonly #threw: () => void;

  /** @param threw called when a listener throws */
  constructor(threw: () => void) {
    this.#threw = threw;
  }

  add(listener: (value: T) => void): Disposable {
    this.all.add(listener);
    return { [Symbol.dispose]: () => void this.all.delete(listener) };
  }

  emit(value: T): void {
    for (const listener of this.all) {
      try {
        listener(value);
      } catch {
        this.#threw();
      }
    }
  }
}
