/** The programs that were judged, as keys, as far as there is room for them. */
export class Judged {
  readonly #keys = new Set<string>();
  #room = 4 * 1024 * 1024;

  has(key: string): boolean {
    return this.#keys.has(key);
  }

  add(key: string): void {
    this.#room -= key.length;
    if (this.#room >= 0) this.#keys.add(key);
  }
}
