/** What a wait on a promise that came too late resolves to. */
export const LATE: unique symbol = Symbol('late');

interface Wait {
  readonly due: number;
  readonly expire: () => void;
}

/** The waits of one duration: they fall due in the order in which they came, so one timer serves them all. */
class Queue {
  readonly #waits: Set<Wait> = new Set();
  readonly #ms: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #awake = false;
  #resting = false;

  constructor(ms: number) {
    this.#ms = ms;
  }

  enter(wait: Wait): void {
    this.#waits.add(wait);
    if (this.#timer === undefined) this.#arm(this.#ms);
    else if (!this.#awake) this.#keepAwake(true);
  }

  leave(wait: Wait): void {
    this.#waits.delete(wait);
    // The timer stays armed for the next wait, but keeps no process alive; telling it so costs more than a wait, so it
    // is told when things have calmed down.
    if (this.#waits.size > 0 || this.#resting) return;
    this.#resting = true;
    setTimeout(() => {
      this.#resting = false;
      if (this.#waits.size === 0) this.#keepAwake(false);
    }, 0);
  }

  #arm(ms: number): void {
    this.#awake = true;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      const now = Date.now();
      for (const wait of this.#waits) {
        if (wait.due > now) return this.#arm(wait.due - now);
        this.#waits.delete(wait);
        wait.expire();
      }
    }, ms);
  }

  #keepAwake(awake: boolean): void {
    this.#awake = awake;
    // Browsers' timers are numbers, which keep nothing alive.
    if (typeof this.#timer === 'object') this.#timer[awake ? 'ref' : 'unref']();
  }
}

/** Bounds many waits with one lazy timer for each duration. */
export class Deadlines {
  readonly #queues: Map<number, Queue> = new Map();

  /**
   * Settles as `promise` does, or resolves to {@link LATE} after `ms` milliseconds. What comes later goes to `onLate`.
   */
  bound<T>(promise: PromiseLike<T>, ms: number, onLate: (error?: unknown) => void): Promise<T | typeof LATE> {
    const queue = this.#queues.get(ms) ?? new Queue(ms);
    this.#queues.set(ms, queue);
    return new Promise((resolve, reject) => {
      const wait: Wait = {
        due: Date.now() + ms,
        expire: () => {
          resolve(LATE);
          promise.then(() => onLate(), onLate);
        },
      };
      queue.enter(wait);
      promise.then(
        (value) => {
          queue.leave(wait);
          resolve(value);
        },
        (error: unknown) => {
          queue.leave(wait);
          reject(error);
        },
      );
    });
  }
}
