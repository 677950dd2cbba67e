import { hashInput } from '@hooks/core/tool-call';
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
      /** The calls that asked a person whether to run it again, because its process died. */
      readonly asked?: readonly string[];
      /** The pending approvals whose answers it runs on. Such an answer may come again. */
      readonly approvals?: readonly string[];
      /** It ran on a person's yes from another process, and nothing tells which approval that was for. */
      readonly approved?: boolean;
    }
  | {
      readonly kind: 'over';
      readonly outcome: Outcome;
      readonly run?: string;
      /** The pending approvals whose answers it ran on. */
      readonly approvals?: readonly string[];
    };

/** The first answer to a pending approval. No later one counts. */
export type Answer =
  | {
      readonly decision: 'allow';
      /** The key of the call that runs on it. */
      readonly key: string;
    }
  | { readonly decision: 'deny'; readonly reason: string };

/** What the store knows of a call that is over. */
export type Over = Extract<Known, { readonly kind: 'over' }>;

/** What the store knows of a call, and the version to replace. */
export interface Found {
  readonly known: Known | undefined;
  readonly version: string | null;
}

/** How long another caller's run is waited for. Less than the time limit of hooks. */
const WAIT_MS = 25_000;

const POLL_MS = 100;

/** How long a call that runs is known at least, so that a person is asked about one whose process died. */
const MIN_RUNNING_MS = 30 * 24 * 60 * 60_000;

/** A call that runs in this process. */
interface Running {
  readonly key: string;
  /** Its record before it was claimed: of a run whose process has died, or that a later run asks for the call. */
  readonly before: Known | undefined;
  readonly approvals: readonly string[];
  /** The version of its record, once it is claimed. */
  version: string | undefined;
}

/** Who asks for a call. */
export interface Asking {
  /** Aborts waiting. */
  readonly signal: AbortSignal;
  /** The pending approval that a person has answered for it. */
  readonly approvalId?: string | undefined;
  /** The execution that may have claimed it. */
  readonly owner?: string | undefined;
}

/** Options of {@link Records.claim}. */
export interface ClaimOptions {
  /** Tells this execution of the call from all others. */
  readonly owner: string;
  /** The pending approval on whose answer it runs. */
  readonly approvalId: string | undefined;
  /** Whether it runs on a person's yes from another process. */
  readonly approved: boolean;
  readonly signal: AbortSignal;
}

/** The records of calls in a store, and the signs of life of those that run in this process. */
export class Records {
  readonly #store: Store;
  readonly #keepMs: number;
  readonly #leaseMs: number;
  /** By owner. */
  readonly #running: Map<string, Running> = new Map();
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

  /**
   * Waits while another caller runs the call. What is `running` afterwards has died or takes too long, or is the claim of
   * this owner. What ran on the answer to an approval stays over for that answer, even if a later run asks for an equal call.
   */
  async settled(
    key: string,
    { signal, approvalId, owner }: Asking,
  ): Promise<Found & { readonly isAlive: boolean }> {
    const until = performance.now() + WAIT_MS;
    for (;;) {
      const found = await this.find(key);
      const earlier = await this.#answered(key, found.known, approvalId);
      if (earlier !== undefined) return { known: earlier, version: found.version, isAlive: false };
      if (found.known?.kind !== 'running') return { ...found, isAlive: false };
      const isAlive = (await this.#store.get(aliveKey(found.known.owner))) !== undefined;
      if (!isAlive || found.known.owner === owner || performance.now() > until) return { ...found, isAlive };
      await new Promise((resolve) => {
        setTimeout(resolve, POLL_MS);
      });
      signal.throwIfAborted();
    }
  }

  /** Claims a call for its owner. Resolves to whether nobody else has changed its record. */
  async claim(
    key: string,
    { known: before, version }: Found,
    { owner, approvalId, approved, signal }: ClaimOptions,
  ): Promise<boolean> {
    const approvals = [
      ...new Set([...approvalsOf(before), ...(approvalId === undefined ? [] : [approvalId])]),
    ];
    const running: Running = { key, before, approvals, version: undefined };
    this.#running.set(owner, running);
    try {
      await this.#beat(owner);
      this.#timer ??= this.#beating();
      const known: Known = {
        kind: 'running',
        owner,
        ...(approvals.length > 0 && { approvals }),
        ...(approved && { approved }),
      };
      running.version = await this.#write(key, known, version);
    } finally {
      if (running.version === undefined) this.#rest(owner);
    }
    if (running.version === undefined) return false;
    if (!signal.aborted) return true;
    // The store was so slow that the call has been refused meanwhile.
    await this.release(owner);
    throw signal.reason;
  }

  /** Replaces a record. Resolves to its new version, unless somebody else has changed it. */
  replace(key: string, known: Known, version: string | null): Promise<string | undefined> {
    return this.#write(key, known, version);
  }

  /** Keeps an outcome in the place of a version. */
  async keepAs(key: string, known: Known, version: string | null): Promise<void> {
    try {
      await this.#write(key, known, version);
    } catch (error) {
      if (known.kind !== 'over' || !isStoreError(error) || error.code !== 'INVALID') throw error;
      await this.#write(key, { ...known, outcome: { kind: 'lost' } }, version);
    }
  }

  /**
   * A later run asks for a call that looks like one that is over. The answers to the approvals of the earlier one still get its
   * outcome. That is written first, so that nobody finds neither.
   */
  async renew(key: string, over: Over, version: string | null): Promise<void> {
    for (const approval of approvalsOf(over))
      await this.#store.set(await approvalKey(key, approval), over, { ttlMs: this.#keepMs });
    await this.#write(key, { kind: 'new' }, version);
  }

  /** The record of an earlier call that ran on the answer to this approval. */
  async #answered(
    key: string,
    known: Known | undefined,
    approvalId: string | undefined,
  ): Promise<Over | undefined> {
    if (approvalId === undefined || approvalsOf(known).includes(approvalId)) return undefined;
    const entry = await this.#store.get(await approvalKey(key, approvalId));
    return entry?.value as Over | undefined;
  }

  /** The first answer to a pending approval; undefined if nobody has answered it. */
  async firstAnswer(approval: string): Promise<Answer | undefined> {
    const entry = await this.#store.get(answerKey(approval));
    return entry?.value as Answer | undefined;
  }

  /** Answers a pending approval, unless another process has. Resolves to the answer that counts. */
  async answer(approval: string, answer: Answer): Promise<Answer> {
    // It is not forgotten before the outcome.
    const ttlMs = MIN_RUNNING_MS + this.#keepMs;
    for (;;) {
      const first = await this.firstAnswer(approval);
      if (first !== undefined) return first;
      if ((await this.#store.set(answerKey(approval), answer, { expected: null, ttlMs })) !== undefined)
        return answer;
    }
  }

  /** Gives a call back that its owner has claimed here and not run. A run whose process has died stays known. */
  async release(owner: string): Promise<void> {
    const claim = this.claimOf(owner);
    this.rest(owner);
    if (claim === undefined) return;
    const { key, before, version } = claim;
    if (before === undefined) await this.#store.delete(callKey(key), { expected: version });
    else await this.#write(key, before, version);
  }

  /** Notes that a run has ended. A note is written after the outcomes of the run, so it is not forgotten before them. */
  async end(run: string): Promise<void> {
    await this.#store.set(endKey(run), null, { ttlMs: this.#keepMs });
  }

  async hasEnded(run: string): Promise<boolean> {
    return (await this.#store.get(endKey(run))) !== undefined;
  }

  #write(key: string, known: Known, expected: string | null): Promise<string | undefined> {
    const ttlMs = known.kind === 'running' ? Math.max(this.#keepMs, MIN_RUNNING_MS) : this.#keepMs;
    return this.#store.set(callKey(key), known, { expected, ttlMs });
  }

  /** The claim of an owner whose call runs here; undefined if it has none. */
  claimOf(owner: string): (Running & { readonly version: string }) | undefined {
    const running = this.#running.get(owner);
    return running?.version === undefined ? undefined : { ...running, version: running.version };
  }

  /** The owner's call runs no longer. A claim that is still being made ends itself. */
  rest(owner: string): void {
    if (this.claimOf(owner) !== undefined) this.#rest(owner);
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

/** The pending approvals whose answers a call runs or ran on. */
export function approvalsOf(known: Known | undefined): readonly string[] {
  return known === undefined || known.kind === 'new' ? [] : (known.approvals ?? []);
}

async function approvalKey(key: string, approval: string): Promise<string> {
  return `once/approval/${await hashInput([key, approval])}`;
}

function answerKey(approval: string): string {
  return `once/answer/${approval}`;
}

function callKey(key: string): string {
  return `once/call/${key}`;
}

function aliveKey(owner: string): string {
  return `once/alive/${owner}`;
}

function endKey(run: string): string {
  return `once/ended/${run}`;
}
