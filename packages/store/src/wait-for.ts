import type { Entry, Store } from './store.ts';

/** Options of {@link waitFor}. */
export interface WaitForOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds between reads. Default: 500. */
  readonly pollMs?: number;
}

/**
 * Waits until the value of a key is as wanted, and resolves to it. Reads the store again and again.
 *
 * @throws what the store throws, and the signal's reason
 */
export async function waitFor(
  store: Store,
  key: string,
  wanted: (entry: Entry | undefined) => boolean,
  { signal, pollMs = 500 }: WaitForOptions = {},
): Promise<Entry | undefined> {
  for (;;) {
    signal?.throwIfAborted();
    const entry = await store.get(key);
    if (wanted(entry)) return entry;
    await pause(pollMs, signal);
  }
}

/** Resolves after this many milliseconds, or when the signal fires. */
export function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms);
  const stop = (): void => {
    clearTimeout(timer);
    resolve();
  };
  signal?.addEventListener('abort', stop, { once: true });
  return promise.finally(() => signal?.removeEventListener('abort', stop));
}
