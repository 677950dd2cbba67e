import type { StoreDriver } from './driver.ts';
import { later } from './later.ts';

/** Somebody who watches a key. */
export interface Watching {
  /** Whether changes are told. If not, read again and again. */
  readonly isTold: boolean;
  stop(): void;
}

/** Those who watch keys of one store, over one connection that is there as long as anybody does. */
export class Listeners {
  readonly #driver: Pick<StoreDriver, 'listen'>;
  readonly #watchers = new Map<string, Set<() => void>>();
  #listening: Promise<() => Promise<void>> | undefined;
  #isTold = false;

  constructor(driver: Pick<StoreDriver, 'listen'>) {
    this.#driver = driver;
  }

  async watch(key: string, changed: () => void, timeoutMs: number): Promise<Watching> {
    const watchers = this.#watchers.get(key) ?? new Set();
    this.#watchers.set(key, watchers);
    watchers.add(changed);
    const stop = (): void => {
      watchers.delete(changed);
      if (watchers.size === 0 && this.#watchers.get(key) === watchers) this.#watchers.delete(key);
      if (this.#watchers.size === 0) void this.#stop();
    };
    const listeners = this;
    const watching = {
      get isTold() {
        return listeners.#isTold;
      },
      stop,
    };
    if (this.#driver.listen === undefined) return watching;
    this.#listening ??= this.#listen();
    // Whoever waits can as well read again and again.
    await within(
      this.#listening.then(() => {}).catch(() => {}),
      timeoutMs,
    );
    return watching;
  }

  async close(): Promise<void> {
    this.#watchers.clear();
    await this.#stop();
  }

  async #listen(): Promise<() => Promise<void>> {
    let isLost = false;
    const lost = (): void => {
      if (isLost) return;
      isLost = true;
      // A client that connects again by itself is not left behind: whoever waits next has a new one.
      void this.#stop();
      this.#wake(this.#watchers.values());
    };
    try {
      const changed = (key: string): void => this.#wake([this.#watchers.get(key) ?? []]);
      const stop = await this.#driver.listen?.({ changed, lost });
      this.#isTold = stop !== undefined && !isLost;
      return stop ?? (async () => {});
    } catch {
      // It stays as it is: it is not tried again for each who waits, only when nobody has.
      return async () => {};
    }
  }

  #wake(watchers: Iterable<Iterable<() => void>>): void {
    for (const those of watchers) for (const changed of [...those]) changed();
  }

  async #stop(): Promise<void> {
    const listening = this.#listening;
    this.#listening = undefined;
    this.#isTold = false;
    const stop = await listening;
    await stop?.().catch(() => {});
  }
}

function within(work: Promise<void>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const cancel = later(ms, resolve);
  void work.finally(() => {
    cancel();
    resolve();
  });
  return promise;
}
