import { pause } from './later.ts';
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
