/**
 * The interval between checks, in milliseconds. Timeouts may be this late, and a finished wait may keep a process alive
 * this long.
 */
const TICK_MS = 20;

/** A wait for a handler's promise. */
export interface Wait {
  /** The remaining ticks; below 0 it has expired. */
  left: number;
  /** Its index among all waits; -1 if it is not waiting. */
  place: number;
  expire(): void;
}

/**
 * Limits many waits with one timer, which runs only while there are waits. A timer or a clock reading per wait would
 * cost more than a dispatch. Waits expire up to two ticks late, never early.
 */
export class Deadlines {
  readonly #waits: Wait[] = [];
  #timer: ReturnType<typeof setInterval> | undefined;

  /** @param ms the limit from now on; Infinity is no limit */
  enter(wait: Wait, ms: number): void {
    wait.left = Math.ceil(ms / TICK_MS);
    if (ms === Infinity || wait.place >= 0) return;
    wait.place = this.#waits.push(wait) - 1;
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS);
  }

  /** Moves the last one into the gap. */
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
