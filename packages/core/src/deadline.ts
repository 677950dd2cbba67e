/** What a wait on a promise that came too late resolves to. */
export const LATE: unique symbol = Symbol('late');

interface Entry {
  readonly due: number;
  readonly expire: () => void;
  settled: boolean;
}

/** A queue of waits of one duration, so that one timer serves them all; entries fall due in the order they came. */
class Queue {
  readonly #ms: number;
  #entries: Entry[] = [];
  #head = 0;
  #open = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(ms: number) {
    this.#ms = ms;
  }

  add(expire: () => void): Entry {
    const entry: Entry = { due: Date.now() + this.#ms, expire, settled: false };
    this.#entries.push(entry);
    this.#open++;
    if (this.#timer === undefined) this.#arm(this.#ms);
    else if (this.#open === 1) unrefed(this.#timer, 'ref');
    return entry;
  }

  settle(entry: Entry): void {
    if (entry.settled) return;
    entry.settled = true;
    // The timer stays armed for the next wait, but does not keep the process alive.
    if (--this.#open === 0 && this.#timer !== undefined) {
      unrefed(this.#timer, 'unref');
      this.#entries = [];
      this.#head = 0;
    } else if (this.#head > 512 || this.#entries.length > 1024) this.#compact();
  }

  #compact(): void {
    this.#entries = this.#entries.slice(this.#head).filter((entry) => !entry.settled);
    this.#head = 0;
  }

  #arm(ms: number): void {
    this.#timer = setTimeout(() => this.#fire(), ms);
  }

  #fire(): void {
    this.#timer = undefined;
    const now = Date.now();
    for (; this.#head < this.#entries.length; this.#head++) {
      const entry = this.#entries[this.#head];
      if (entry === undefined || entry.settled) continue;
      if (entry.due > now) break;
      this.settle(entry);
      entry.expire();
    }
    const next = this.#entries[this.#head];
    if (next !== undefined && this.#open > 0) this.#arm(Math.max(1, next.due - now));
  }
}

function unrefed(timer: ReturnType<typeof setTimeout>, verb: 'ref' | 'unref'): void {
  // Browsers' timers are numbers, which have neither.
  if (typeof timer === 'object') timer[verb]();
}

/** Bounds many waits with one lazy timer for each duration. */
export class Deadlines {
  readonly #queues: Map<number, Queue> = new Map();

  /**
   * Settles as `promise` does, or resolves to {@link LATE} after `ms` milliseconds. What comes later goes to `onLate`.
   */
  bound<T>(
    promise: PromiseLike<T>,
    ms: number,
    onLate: (late: { value?: T; error?: unknown }) => void,
  ): Promise<T | typeof LATE> {
    const queue = this.#queues.get(ms);
    const waits = queue ?? new Queue(ms);
    if (queue === undefined) this.#queues.set(ms, waits);
    return new Promise((resolve, reject) => {
      const entry = waits.add(() => resolve(LATE));
      promise.then(
        (value) => {
          if (entry.settled) return onLate({ value });
          waits.settle(entry);
          resolve(value);
        },
        (error: unknown) => {
          if (entry.settled) return onLate({ error });
          waits.settle(entry);
          reject(error);
        },
      );
    });
  }
}
