/** What a wait on a promise that came too late resolves to. */
export const LATE: unique symbol = Symbol('late');

interface Wait {
  readonly due: number;
  readonly expire: () => void;
}

/** The waits of one duration: they fall due in the order in which they came, so one timer serves them all. */
interface Queue {
  readonly waits: Set<Wait>;
  timer: ReturnType<typeof setTimeout> | undefined;
}

/** Bounds many waits with one lazy timer for each duration. */
export class Deadlines {
  readonly #queues: Map<number, Queue> = new Map();

  /**
   * Settles as `promise` does, or resolves to {@link LATE} after `ms` milliseconds. What comes later goes to `onLate`.
   */
  bound<T>(promise: PromiseLike<T>, ms: number, onLate: (error?: unknown) => void): Promise<T | typeof LATE> {
    const queue = this.#queues.get(ms) ?? { waits: new Set(), timer: undefined };
    this.#queues.set(ms, queue);
    return new Promise((resolve, reject) => {
      const wait: Wait = { due: Date.now() + ms, expire: () => resolve(LATE) };
      queue.waits.add(wait);
      if (queue.timer === undefined) arm(queue, ms);
      else if (queue.waits.size === 1) keepsAlive(queue, true);
      const inTime = (): boolean => {
        const waited = queue.waits.delete(wait);
        // The timer stays armed for the next wait, but keeps no process alive.
        if (queue.waits.size === 0) keepsAlive(queue, false);
        return waited;
      };
      promise.then(
        (value) => (inTime() ? resolve(value) : onLate()),
        (error: unknown) => (inTime() ? reject(error) : onLate(error)),
      );
    });
  }
}

function arm(queue: Queue, ms: number): void {
  queue.timer = setTimeout(() => {
    queue.timer = undefined;
    const now = Date.now();
    for (const wait of queue.waits) {
      if (wait.due > now) return arm(queue, wait.due - now);
      queue.waits.delete(wait);
      wait.expire();
    }
  }, ms);
}

function keepsAlive({ timer }: Queue, alive: boolean): void {
  // Browsers' timers are numbers, which keep nothing alive.
  if (typeof timer === 'object') timer[alive ? 'ref' : 'unref']();
}
