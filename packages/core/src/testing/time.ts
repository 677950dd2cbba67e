/** The clock and the timers of a test. */
export interface FakeTime extends Disposable {
  /** Lets so many milliseconds pass: fires the timers that fall due, and waits for what they set off. */
  advance(ms: number): Promise<void>;
}

interface Timer {
  /** When it falls due, by the moved clock. */
  at: number;
  readonly every: number | undefined;
  fire(): void;
}

type Handle = ReturnType<typeof setTimeout>;
type Callback = (...args: readonly unknown[]) => void;

/**
 * Lets a test move the clock (`Date`) and the timers (`setTimeout`, `setInterval`) forward, until it is disposed of. Time also
 * passes by itself, so that nothing waits for ever. It does not move `performance.now()`, `AbortSignal.timeout()` and
 * `node:timers/promises`.
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
  let ahead = 0;
  const now = (): number => RealDate.now() + ahead;

  const forget = (handle: Handle | undefined): void => {
    if (handle !== undefined) timers.delete(handle);
    clearTimeout(handle);
  };
  const faked = {
    Date: new Proxy(RealDate, {
      construct: (date, given, made) => Reflect.construct(date, given.length === 0 ? [now()] : given, made),
      get: (date, key) => (key === 'now' ? now : Reflect.get(date, key)),
    }),
    setTimeout(callback: Callback, ms = 0, ...args: readonly unknown[]): Handle {
      const fire = (): void => {
        forget(handle);
        callback(...args);
      };
      const handle = setTimeout(fire, ms);
      timers.set(handle, { at: now() + ms, every: undefined, fire });
      return handle;
    },
    setInterval(callback: Callback, ms = 0, ...args: readonly unknown[]): Handle {
      const fire = (): void => callback(...args);
      const handle = setInterval(fire, ms);
      timers.set(handle, { at: now() + ms, every: ms, fire });
      return handle;
    },
    clearTimeout: forget,
    clearInterval: forget,
  };
  Object.assign(globalThis, faked);

  /** Fires what falls due until then, the earliest first. */
  const fireUntil = async (end: number): Promise<void> => {
    for (;;) {
      const [next] = [...timers.values()].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
      if (next === undefined) return;
      ahead += Math.max(0, next.at - now());
      if (next.every !== undefined) next.at += Math.max(1, next.every);
      next.fire();
      await settled();
    }
  };
  /** What promises set off has happened. */
  const settled = (): Promise<void> => new Promise((resolve) => void soon(resolve));

  return {
    async advance(ms) {
      const end = now() + ms;
      await settled();
      await fireUntil(end);
      ahead += Math.max(0, end - now());
    },
    [Symbol.dispose]: () => {
      Object.assign(globalThis, { Date: RealDate, setTimeout, clearTimeout, setInterval, clearInterval });
    },
  };
}
