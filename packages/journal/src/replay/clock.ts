/** Sets the clock (`Date`) to recorded times, until it is disposed of: limits by time are counted as they were. */
export class RecordedClock implements Disposable {
  readonly #date = globalThis.Date;
  #now: number = this.#date.now();

  constructor() {
    globalThis.Date = new Proxy(this.#date, {
      construct: (date, given, made) =>
        Reflect.construct(date, given.length === 0 ? [this.#now] : given, made),
      get: (date, key) => (key === 'now' ? () => this.#now : Reflect.get(date, key)),
    });
  }

  /** @param time as records have it; the clock is never set back */
  set(time: string): void {
    this.#now = Math.max(this.#started ? this.#now : 0, this.#date.parse(time));
    this.#started = true;
  }
  #started = false;

  [Symbol.dispose](): void {
    globalThis.Date = this.#date;
  }
}
