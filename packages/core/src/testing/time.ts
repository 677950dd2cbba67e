/** The clock and the timers of a test. */
export interface FakeTime extends Disposable {
  /** Moves the clock by `ms` milliseconds: fires the timers that are due, and waits for the promises that follow. */
  advance(ms: number): Promise<void>;
}

interface Timer {
  /** When it is due, by the moved clock. */
  at: number;
  readonly every: number | undefined;
  call(): void;
}

type Handle = ReturnType<typeof setTimeout>;
type Callback = (...args: readonly unknown[]) => void;

/**
 * Replaces the clock (`Date`) and the timers (`setTimeout`, `setInterval`) until it is disposed. The clock stands still
 * until the test moves it. A timer that the test does not reach fires in real time, so that nothing hangs. It does not
 * affect `performance.now()`, `AbortSignal.timeout()` and `node:timers/promises`.
 *
 * @example
 * ```ts
 * using time = fakeTime();
 * const agent = testAgent(rateLimit({ toolCalls: 1, windowMs: 60_000 }));
 * await agent.callTool('search', {});
 * await time.advance(60_000);
 * ```
 */
export function fakeTime(): FakeTime {
  const { Date: RealDate, setTimeout, clearTimeout, setInterval, clearInterval } = globalThis;
  // Browsers have none.
  const { setImmediate: soon = setTimeout } = globalThis;
  const timers = new Map<Handle, Timer>();
  let now = RealDate.now();

  const fire = (handle: Handle): void => {
    const timer = timers.get(handle);
    if (timer === undefined) return;
    now = Math.max(now, timer.at);
    if (timer.every === undefined) forget(handle);
    else timer.at += Math.max(1, timer.every);
    timer.call();
  };
  const forget = (handle: Handle | undefined): void => {
    if (handle !== undefined) timers.delete(handle);
    clearTimeout(handle);
  };
  Object.assign(globalThis, {
    Date: new Proxy(RealDate, {
      construct: (date, given, made) => Reflect.construct(date, given.length === 0 ? [now] : given, made),
      get: (date, key) => (key === 'now' ? () => now : Reflect.get(date, key)),
    }),
    setTimeout(callback: Callback, ms = 0, ...args: readonly unknown[]): Handle {
      const handle = setTimeout(() => fire(handle), ms);
      timers.set(handle, { at: now + ms, every: undefined, call: () => callback(...args) });
      return handle;
    },
    setInterval(callback: Callback, ms = 0, ...args: readonly unknown[]): Handle {
      const handle = setInterval(() => fire(handle), ms);
      timers.set(handle, { at: now + ms, every: ms, call: () => callback(...args) });
      return handle;
    },
    clearTimeout: forget,
    clearInterval: forget,
  });

  /** The effects of settled promises have happened. */
  const settled = (): Promise<void> => new Promise((resolve) => void soon(resolve));

  return {
    async advance(ms) {
      const end = now + ms;
      for (;;) {
        await settled();
        const due = [...timers].filter(([, { at }]) => at <= end);
        const [next] = due.sort(([, a], [, b]) => a.at - b.at);
        if (next === undefined) break;
        fire(next[0]);
      }
      now = Math.max(now, end);
    },
    [Symbol.dispose]: () => {
      Object.assign(globalThis, { Date: RealDate, setTimeout, clearTimeout, setInterval, clearInterval });
    },
  };
}
