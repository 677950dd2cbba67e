import type { Entry, Store } from './store.ts';

/** What {@link waitFor} takes. */
export interface WaitForOptions {
  readonly signal?: AbortSignal;
  /** How often the store is asked; twice a second unless set. */
  readonly pollMs?: number;
}

/**
 * Waits until the value at a key is as wanted, and resolves to it. It asks the store again and again.
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

/** Resolves after so many milliseconds, or when the signal fires. */
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
