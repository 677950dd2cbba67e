import { isStoreError, type Store } from '@hooks/store';

/** What came of a call. */
export type Outcome =
  | { readonly kind: 'output'; readonly output?: unknown }
  | { readonly kind: 'error'; readonly message: string }
  | { readonly kind: 'blocked'; readonly reason: string }
  /** It returned something that has no form in JSON. */
  | { readonly kind: 'lost' };

/** What the store knows of a call. */
export type Known =
  /** A later run asks for a call that looks like one of an earlier run. */
  | { readonly kind: 'new' }
  | {
      readonly kind: 'running';
      /** Who runs it, or ran it when its process died. */
      readonly owner: string;
      /** A person was asked whether to run it again, because its process died. */
      readonly asked?: boolean;
    }
  | {
      readonly kind: 'over';
      readonly outcome: Outcome;
      readonly run?: string;
      /** The runs of the session that had ended until then. */
      readonly ended: string | null;
    };

/** What the store knows of a call, and the version to replace. */
export interface Found {
  readonly known: Known | undefined;
  readonly version: string | null;
}

/** How long another caller's run is waited for. Less than the time limit of hooks. */
const WAIT_MS = 25_000;

const POLL_MS = 100;

/** A call that runs in this process. */
interface Running {
  readonly owner: string;
  /** The version of its record, once it is claimed. */
  version: string | undefined;
}

/** The records of calls in a store, and the signs of life of those that run in this process. */
export class Records {
  readonly #store: Store;
  readonly #keepMs: number;
  readonly #leaseMs: number;
  /** By owner. */
  readonly #running: Map<string, Running> = new Map();
  /** The owners of the calls that are claimed, by key. */
  readonly #owners: Map<string, string> = new Map();
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(store: Store, { keepMs, leaseMs }: { readonly keepMs: number; readonly leaseMs: number }) {
    this.#store = store;
    this.#keepMs = keepMs;
    this.#leaseMs = leaseMs;
  }

  async find(key: string): Promise<Found> {
    const entry = await this.#store.get(callKey(key));
    return { known: entry?.value as Known | undefined, version: entry?.version ?? null };
  }

  /** Waits while another caller runs the call. What is `running` afterwards has died, or takes too long. */
  async settled(key: string, signal: AbortSignal): Promise<Found & { readonly isAlive: boolean }> {
    const until = performance.now() + WAIT_MS;
    for (;;) {
      const found = await this.find(key);
      if (found.known?.kind !== 'running') return { ...found, isAlive: false };
      const isAlive = (await this.#store.get(aliveKey(found.known.owner))) !== undefined;
      if (!isAlive || performance.now() > until) return { ...found, isAlive };
      await new Promise((resolve) => {
        setTimeout(resolve, POLL_MS);
      });
      signal.throwIfAborted();
    }
  }

  /** Claims a call for this process. Resolves to whether nobody else has changed its record. */
  async claim(key: string, version: string | null): Promise<boolean> {
    const running: Running = { owner: crypto.randomUUID(), version: undefined };
    this.#running.set(running.owner, running);
    try {
      await this.#beat(running.owner);
      this.#timer ??= this.#beating();
      running.version = await this.#write(key, { kind: 'running', owner: running.owner }, version);
      if (running.version !== undefined) this.#owners.set(key, running.owner);
    } finally {
      if (running.version === undefined) this.#rest(running.owner);
    }
    return running.version !== undefined;
  }

  /** Replaces a record. Resolves to its new version, unless somebody else has changed it. */
  replace(key: string, known: Known, version: string | null): Promise<string | undefined> {
    return this.#write(key, known, version);
  }

  /** Keeps the outcome of a call that this process has run. If the store fails, nobody knows how it ended. */
  async keep(key: string, known: Known): Promise<void> {
    const version = this.#end(key);
    if (version === undefined) return;
    try {
      await this.#write(key, known, version);
    } catch (error) {
      if (known.kind !== 'over' || !isStoreError(error) || error.code !== 'INVALID') throw error;
      await this.#write(key, { ...known, outcome: { kind: 'lost' } }, version);
    }
  }

  /** Gives a call back that this process has claimed and not run. */
  async release(key: string): Promise<void> {
    const version = this.#end(key);
    if (version !== undefined) await this.#store.delete(callKey(key), { expected: version });
  }

  /** Notes that a run of a session has ended. */
  async end(session: string): Promise<void> {
    await this.#store.set(endKey(session), null, { ttlMs: this.#keepMs });
  }

  /** Changes with each run of the session that ends. */
  async ended(session: string): Promise<string | null> {
    return (await this.#store.get(endKey(session)))?.version ?? null;
  }

  #write(key: string, known: Known, expected: string | null): Promise<string | undefined> {
    return this.#store.set(callKey(key), known, { expected, ttlMs: this.#keepMs });
  }

  /** The call runs no longer in this process. Returns the version of its record, if it did. */
  #end(key: string): string | undefined {
    const owner = this.#owners.get(key) ?? '';
    const version = this.#running.get(owner)?.version;
    this.#owners.delete(key);
    this.#rest(owner);
    return version;
  }

  #beat(owner: string): Promise<unknown> {
    return this.#store.set(aliveKey(owner), null, { ttlMs: this.#leaseMs });
  }

  #beating(): ReturnType<typeof setInterval> {
    const timer = setInterval(() => {
      // Who takes this process for dead asks a person.
      for (const owner of this.#running.keys()) this.#beat(owner).catch(() => {});
    }, this.#leaseMs / 3);
    Object(timer).unref?.();
    return timer;
  }

  #rest(owner: string): void {
    this.#running.delete(owner);
    if (this.#running.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}

function callKey(key: string): string {
  return `once/call/${key}`;
}

function aliveKey(owner: string): string {
  return `once/alive/${owner}`;
}

function endKey(session: string): string {
  return `once/ended/${session}`;
}
