/** The longest time that a timer takes, in milliseconds: 24.8 days. A longer one would fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Calls a function after `ms` milliseconds, however long that is. Returns how to cancel it. */
export function later(ms: number, call: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = (left: number): void => {
    const now = Math.min(left, LONGEST_TIMER);
    timer = setTimeout(() => (left > now ? wait(left - now) : call()), now);
  };
  wait(ms);
  return () => clearTimeout(timer);
}

/** Resolves after this many milliseconds, or when the signal fires. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = later(ms, resolve);
  const stop = (): void => {
    cancel();
    resolve();
  };
  if (signal?.aborted === true) stop();
  signal?.addEventListener('abort', stop, { once: true });
  return promise.finally(() => signal?.removeEventListener('abort', stop));
}
