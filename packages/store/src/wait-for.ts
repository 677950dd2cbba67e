import { pause } from './later.ts';
import type { Entry, Store } from './store.ts';

/** Options of {@link waitFor}. */
export interface WaitForOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds between reads, where the store cannot tell of changes. Default: 500. */
  readonly pollMs?: number;
}

/** Milliseconds between reads where the store tells of changes: nobody tells that a value has expired, or of other writes. */
const TOLD_MS = 5_000;

/**
 * Waits until the value of a key is as wanted, and resolves to it. Postgres, Redis and the store in memory tell of writes with `notify`;
 * other writes, and those to other stores, are found by reading again and again.
 *
 * @throws what the store throws, and the signal's reason
 */
export async function waitFor(
  store: Store,
  key: string,
  wanted: (entry: Entry | undefined) => boolean,
  { signal, pollMs = 500 }: WaitForOptions = {},
): Promise<Entry | undefined> {
  signal?.throwIfAborted();
  const first = await store.get(key);
  if (wanted(first)) return first;
  let wake = new AbortController();
  const watching = await store.watch(key, () => wake.abort());
  try {
    for (;;) {
      signal?.throwIfAborted();
      wake = new AbortController();
      const entry = await store.get(key);
      if (wanted(entry)) return entry;
      const woken = signal === undefined ? wake.signal : AbortSignal.any([signal, wake.signal]);
      await pause(watching.isTold ? Math.max(pollMs, TOLD_MS) : pollMs, woken);
    }
  } finally {
    watching.stop();
  }
}
