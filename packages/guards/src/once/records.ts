import { isStoreError, type Store, waitFor } from '@hooks/store';

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
      /** The process that runs it, or ran it when it died. */
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

/** The records of calls in a store, and the sign of life of this process. */
export class Records {
  readonly #store: Store;
  readonly #keepMs: number;
  readonly #leaseMs: number;
  readonly #owner: string = crypto.randomUUID();
  /** The calls that run in this process, with the versions of their records. */
  readonly #running: Map<string, string> = new Map();
  /** The claims that are being made. */
  #claims = 0;
  #alive: Promise<unknown> | undefined;
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
      const isAlive = await this.#isAlive(found.known.owner);
      if (!isAlive || performance.now() > until) return { ...found, isAlive };
      await Promise.race([
        waitFor(this.#store, callKey(key), (entry) => entry?.version !== found.version, {
          signal,
          pollMs: POLL_MS,
        }),
        waitFor(this.#store, aliveKey(found.known.owner), (entry) => entry === undefined, {
          signal,
          pollMs: POLL_MS,
        }),
      ]);
    }
  }

  /** Claims a call for this process. Resolves to whether nobody else has changed its record. */
  async claim(key: string, version: string | null): Promise<boolean> {
    const known: Known = { kind: 'running', owner: this.#owner };
    this.#claims++;
    try {
      await this.#live();
      const claimed = await this.#write(key, known, version);
      if (claimed !== undefined) this.#running.set(key, claimed);
      return claimed !== undefined;
    } finally {
      this.#claims--;
      this.#restIfIdle();
    }
  }

  /** Replaces a record. Resolves to whether nobody else has changed it. */
  async replace(key: string, known: Known, version: string | null): Promise<boolean> {
    return (await this.#write(key, known, version)) !== undefined;
  }

  /** Keeps the outcome of a call that this process has run. */
  async keep(key: string, known: Known): Promise<void> {
    const version = this.#running.get(key);
    if (version === undefined) return;
    try {
      await this.#write(key, known, version);
    } catch (error) {
      if (known.kind !== 'over' || !isStoreError(error) || error.code !== 'INVALID') throw error;
      await this.#write(key, { ...known, outcome: { kind: 'lost' } }, version);
    }
    this.#running.delete(key);
    this.#restIfIdle();
  }

  /** Gives a call back that this process has claimed and not run. */
  async release(key: string): Promise<void> {
    const version = this.#running.get(key);
    if (version === undefined) return;
    this.#running.delete(key);
    this.#restIfIdle();
    await this.#store.delete(callKey(key), { expected: version });
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

  async #isAlive(owner: string): Promise<boolean> {
    return (await this.#store.get(aliveKey(owner))) !== undefined;
  }

  /** Tells others that this process lives, for as long as it runs a call. */
  async #live(): Promise<void> {
    const beat = (): Promise<unknown> =>
      this.#store.set(aliveKey(this.#owner), null, { ttlMs: this.#leaseMs });
    if (this.#timer === undefined) {
      this.#timer = setInterval(() => {
        // Who takes this process for dead asks a person.
        beat().catch(() => {});
      }, this.#leaseMs / 3);
      Object(this.#timer).unref?.();
      this.#alive = beat();
    }
    await this.#alive;
  }

  #restIfIdle(): void {
    if (this.#claims + this.#running.size > 0) return;
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
