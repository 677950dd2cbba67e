/** How often waits are looked at, in milliseconds: so late may a timeout be, and so long may a finished wait keep a process alive. */
const TICK_MS = 20;

/** A wait for a handler's promise. */
export interface Wait {
  /** Ticks until it is over; below 0 it has expired. */
  left: number;
  /** Where it stands among all waits; -1 where it does not. */
  place: number;
  expire(): void;
}

/**
 * Bounds many waits with one timer, which runs only while somebody waits: a timer or a look at the clock for each wait
 * would cost more than a dispatch. Waits expire up to two ticks late, never early.
 */
export class Deadlines {
  readonly #waits: Wait[] = [];
  #timer: ReturnType<typeof setInterval> | undefined;

  /** @param ms how long it may last from now on; Infinity is no limit */
  enter(wait: Wait, ms: number): void {
    wait.left = Math.ceil(ms / TICK_MS);
    if (ms === Infinity || wait.place >= 0) return;
    wait.place = this.#waits.push(wait) - 1;
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS);
  }

  /** The last one takes its place. */
  leave(wait: Wait): void {
    const { place } = wait;
    const last = place < 0 ? undefined : this.#waits.pop();
    wait.place = -1;
    if (!last || last === wait) return;
    this.#waits[place] = last;
    last.place = place;
  }

  #tick(): void {
    for (const wait of [...this.#waits]) {
      if (--wait.left >= 0) continue;
      this.leave(wait);
      wait.expire();
    }
    if (this.#waits.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
