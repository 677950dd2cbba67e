/** The longest time that a timer takes, in milliseconds: 24.8 days. A longer one would fire at once. */
const LONGEST_TIMER = 2 ** 31 - 1;

/** Calls a function after `ms` milliseconds, however long that is; Infinity is never. Returns how to cancel it. */
export function later(ms: number, call: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const wait = (left: number): void => {
    const now = Math.min(left, LONGEST_TIMER);
    timer = setTimeout(() => (left > now ? wait(left - now) : call()), now);
  };
  if (ms !== Number.POSITIVE_INFINITY) wait(ms);
  return () => clearTimeout(timer);
}

/** Resolves after `ms` milliseconds, or when the signal aborts. */
export function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const over = (): void => {
      cancel();
      signal?.removeEventListener('abort', over);
      resolve();
    };
    const cancel = later(ms, over);
    signal?.addEventListener('abort', over);
    if (signal?.aborted) over();
  });
}
