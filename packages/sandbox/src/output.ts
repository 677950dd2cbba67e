/** Keeps the beginning and the end of a stream within a limit of bytes. */
export class OutputBuffer {
  readonly #half: number;
  readonly #head: Uint8Array[] = [];
  #headBytes = 0;
  readonly #tail: Uint8Array[] = [];
  #tailBytes = 0;
  #dropped = 0;

  constructor(maxBytes: number) {
    this.#half = Math.max(1, Math.floor(maxBytes / 2));
  }

  /** The number of dropped bytes. */
  get dropped(): number {
    return this.#dropped;
  }

  write(chunk: Uint8Array): void {
    const room = this.#half - this.#headBytes;
    if (room > 0) {
      const first = chunk.subarray(0, room);
      this.#head.push(first);
      this.#headBytes += first.length;
    }
    if (chunk.length > room) this.#writeTail(chunk.subarray(Math.max(0, room)));
  }

  bytes(): Uint8Array {
    return Buffer.concat([...this.#head, ...this.#tail]);
  }

  text(): string {
    if (this.#dropped === 0) return Buffer.from(this.bytes()).toString('utf8');
    const note = `\n[${this.#dropped} bytes left out]\n`;
    return `${Buffer.concat(this.#head).toString('utf8')}${note}${Buffer.concat(this.#tail).toString('utf8')}`;
  }

  #writeTail(chunk: Uint8Array): void {
    this.#tail.push(chunk);
    this.#tailBytes += chunk.length;
    for (
      let first = this.#tail[0];
      first !== undefined && this.#tailBytes > this.#half;
      first = this.#tail[0]
    ) {
      const excess = Math.min(first.length, this.#tailBytes - this.#half);
      if (excess === first.length) this.#tail.shift();
      else this.#tail[0] = first.subarray(excess);
      this.#tailBytes -= excess;
      this.#dropped += excess;
    }
  }
}
