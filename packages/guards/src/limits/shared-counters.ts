import {
  BeforeExecute,
  BeforeModelCall,
  BeforeToolCall,
  type EventPayload,
  type HookOptions,
  type HookRegistrar,
  HooksError,
} from '@hooks/core';
import { hashInput } from '@hooks/core/tool-call';
import { type Count, isStoreError, type Store } from '@hooks/store';
import { inMemory } from '../in-memory.ts';
import { type Checks, having, oneOf, text } from '../options.ts';

/** Options of limits that several processes can share. */
export interface SharedLimitOptions {
  /** Counts calls for all processes that use the store. Default: counts in this process. */
  readonly store?: Store;
  /**
   * Name of the counters in the store, and of the provider (`builtin:rate-limit:searches`). Limits in one store need
   * different names if they count different things.
   */
  readonly name?: string;
  /**
   * What to do while the store cannot be reached: refuse calls (`block`, the default), or count in this process
   * (`local`) and add that to the store's counters once it is back. Either way, `onError` is called once. With `local`, only the
   * first call waits until the store's time is over; those after it wait for 0.1 s at most.
   */
  readonly onUnreachable?: 'block' | 'local';
}

/** The checks of {@link SharedLimitOptions}. */
export const SHARED: Checks<SharedLimitOptions> = {
  store: having('a store of @hooks/store', 'count'),
  name: text,
  onUnreachable: oneOf('block', 'local'),
};

/** The option of a hook that counts, where its counters end with its process. */
export function countsInMemory({ store, onUnreachable }: SharedLimitOptions): Pick<HookOptions, 'inMemory'> {
  return onUnreachable === 'local'
    ? { inMemory: "it counts in one process while the store is away; set onUnreachable: 'block'" }
    : inMemory('it counts in one process', store);
}

/** The provider's name, including that of its counters. */
export function providerName(provider: string, name: string | undefined): string {
  return name === undefined ? `builtin:${provider}` : `builtin:${provider}:${name}`;
}

/** An amount of a limited resource. */
export interface SharedCount {
  /** The resource and its scope. The store gets a hash of it. */
  readonly of: readonly string[];
  /** With `unit: COST_UNIT`, exact to a millionth. */
  readonly amount: number;
  readonly windowMs: number;
  readonly limit?: number | undefined;
  /** Returns one unit (`amount: 0`). */
  readonly id?: string;
  /** While the store cannot be reached, the process owes it the sum of such amounts, and returns none of them. */
  readonly summed?: true;
  /** The store's precision, since it counts in whole numbers. Default: 1. */
  readonly unit?: number;
}

/** The result of counting. */
export type SharedAnswer =
  | { readonly kind: 'counted'; readonly totals: readonly number[] }
  | { readonly kind: 'full'; readonly count: SharedCount; readonly retryAfterMs: number | undefined }
  | NoAnswer;

/** A value that processes share; undefined if none has set it. */
export interface StoredValue {
  readonly kind: 'value';
  readonly value: unknown;
  readonly reason?: never;
}

/** The store did not answer. */
export type NoAnswer =
  /** It cannot be reached: count in this process. */
  | { readonly kind: 'local'; readonly reason?: never }
  /** It does not respond: refuse the call. */
  | { readonly kind: 'closed'; readonly reason: string };

/** The counters of one limit in a store. */
export class SharedCounters {
  readonly #store: Store;
  readonly #options: SharedLimitOptions;
  readonly #provider: string;
  /** Amounts that the store still has to receive, by key. */
  readonly #owed: Map<string, SharedCount> = new Map();
  /** What was sent without an answer. It is sent again as the same request, which counts once. */
  #unsure: { readonly counts: readonly Count[]; readonly requestId: string } | undefined;
  #sending: Promise<void> | undefined;
  /** Asks a store that is away whether it is back. Calls do not wait for it, because that may take its whole timeout. */
  #asking: Promise<boolean> | undefined;
  #away = false;
  #untold: HooksError | undefined;

  constructor(provider: string, store: Store, options: SharedLimitOptions) {
    this.#provider = provider;
    this.#store = store;
    this.#options = options;
  }

  /**
   * Reports an unreachable store to `onError`: it throws in an observer, whose errors go there.
   *
   * @param ofModels whether model calls count; a hook on them causes a warning where hooks do not see them
   */
  watch(hooks: HookRegistrar, ofModels: boolean): void {
    const tell = (): void => {
      const error = this.#untold;
      this.#untold = undefined;
      if (error !== undefined) throw error;
    };
    hooks.observe(BeforeToolCall, tell, { id: 'store-of-tool-calls' });
    hooks.observe(BeforeExecute, tell, { id: 'store-of-calls-that-run' });
    if (ofModels) hooks.observe(BeforeModelCall, tell, { id: 'store-of-model-calls' });
  }

  /** Counts all amounts if each fits below its limit, otherwise none. */
  async count(counts: readonly SharedCount[]): Promise<SharedAnswer> {
    if (counts.length === 0) return { kind: 'counted', totals: [] };
    if (await this.#isLeftAlone()) return this.#countHere(counts);
    try {
      await this.#settle();
      const named = await Promise.all(counts.map((count) => this.#named(count)));
      const answer = await this.#store.count(...named);
      this.#away = false;
      if (answer.counted)
        return { kind: 'counted', totals: answer.totals.map((total, at) => total / precisionOf(counts[at])) };
      const count = counts[named.findIndex(({ key }) => key === answer.key)] ?? (counts[0] as SharedCount);
      return { kind: 'full', count, retryAfterMs: answer.retryAfterMs };
    } catch (error) {
      const failed = this.#failed(error);
      // The store may have counted it, and lost the reply. What counts instead is owed below.
      for (const count of counts) if (count.summed) this.#owe({ ...count, amount: 0 });
      return failed.kind === 'local' ? this.#countHere(counts) : failed;
    }
  }

  /** Sets a value that processes share. */
  set(of: readonly string[], value: unknown, ttlMs: number): Promise<StoredValue | NoAnswer> {
    return this.#ask(async () => {
      await this.#store.set(await this.#keyOf(of), value, { ttlMs });
      return { kind: 'value', value };
    });
  }

  /** The value that a process has set. */
  get(of: readonly string[]): Promise<StoredValue | NoAnswer> {
    return this.#ask(async () => ({
      kind: 'value',
      value: (await this.#store.get(await this.#keyOf(of)))?.value,
    }));
  }

  async #ask<T>(question: () => Promise<T>): Promise<T | NoAnswer> {
    if (await this.#isLeftAlone()) return { kind: 'local' };
    try {
      return await question();
    } catch (error) {
      return this.#failed(error);
    }
  }

  /** Whether the store is still away, and this process counts instead of it. */
  async #isLeftAlone(): Promise<boolean> {
    return this.#away && this.#options.onUnreachable === 'local' && !(await this.#isBack());
  }

  #failed(error: unknown): NoAnswer {
    this.#note(error);
    const isAway = isStoreError(error) && error.code === 'UNREACHABLE';
    if (isAway && this.#options.onUnreachable === 'local') return { kind: 'local' };
    return {
      kind: 'closed',
      reason: `Blocked (${this.#provider}): the store of this limit ${isAway ? 'cannot be reached' : 'failed'}, so no call may pass. Try again later.`,
    };
  }

  #countHere(counts: readonly SharedCount[]): SharedAnswer {
    for (const { id, ...count } of counts)
      if (count.amount > 0) this.#owe(count.summed || id === undefined ? count : { ...count, id });
    return { kind: 'local' };
  }

  /** Whether a store that was away has received what it was owed, or was asked for a total, within a short time. */
  async #isBack(): Promise<boolean> {
    this.#asking ??= (this.#owes ? this.#settle() : this.#total())
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        this.#asking = undefined;
      });
    const { promise, resolve } = Promise.withResolvers<boolean>();
    const timer = setTimeout(resolve, PATIENCE_MS, false);
    const isBack = await Promise.race([this.#asking, promise]);
    clearTimeout(timer);
    return isBack;
  }

  async #total(): Promise<void> {
    await this.#store.count({ key: `limits/${this.#provider}`, amount: 0, windowMs: 1 });
  }

  /** Adds or returns past usage, once the store is reachable. Never rejects. */
  async add(counts: readonly SharedCount[]): Promise<void> {
    for (const count of counts) this.#owe(count);
    if (this.#away && this.#options.onUnreachable === 'local') await this.#isBack();
    else await this.#settle().catch((error: unknown) => this.#note(error));
  }

  #owe({ limit: _, ...count }: SharedCount): void {
    const key = JSON.stringify([count.of, count.id]);
    const before = count.id === undefined ? (this.#owed.get(key)?.amount ?? 0) : 0;
    this.#owed.set(key, { ...count, amount: before + count.amount });
  }

  /** Sends pending amounts to the store. Concurrent callers share one request. */
  async #settle(): Promise<void> {
    while (this.#sending !== undefined || this.#owes) {
      this.#sending ??= this.#send().finally(() => {
        this.#sending = undefined;
      });
      await this.#sending;
    }
  }

  async #send(): Promise<void> {
    while (this.#owes) {
      this.#unsure ??= await this.#portion();
      const { counts, requestId } = this.#unsure;
      await this.#store.count(counts, { requestId });
      this.#unsure = undefined;
    }
  }

  get #owes(): boolean {
    return this.#unsure !== undefined || this.#owed.size > 0;
  }

  /** The oldest pending amounts. A store accepts each counter once per call. */
  async #portion(): Promise<{ readonly counts: readonly Count[]; readonly requestId: string }> {
    const portion: SharedCount[] = [];
    const counters = new Set<string>();
    let looked = 0;
    for (const [key, count] of this.#owed) {
      if (portion.length === MOST_AT_ONCE || looked++ === MOST_LOOKED_AT) break;
      const counter = JSON.stringify(count.of);
      if (counters.has(counter)) continue;
      counters.add(counter);
      portion.push(count);
      this.#owed.delete(key);
    }
    const counts = await Promise.all(portion.map((count) => this.#named(count)));
    return { counts, requestId: crypto.randomUUID() };
  }

  async #named({ of, amount, limit, unit, summed: _, ...count }: SharedCount): Promise<Count> {
    const scale = unit ?? 1;
    return {
      ...count,
      key: await this.#keyOf(of),
      amount: Math.min(Math.ceil(amount * scale), MOST),
      ...(limit !== undefined && { limit: Math.min(Math.floor(limit * scale), Number.MAX_SAFE_INTEGER) }),
      ...(count.id !== undefined && { id: await hashInput(count.id) }),
    };
  }

  async #keyOf(of: readonly string[]): Promise<string> {
    return `limits/${await hashInput([this.#provider, this.#options.name ?? '', ...of])}`;
  }

  #note(error: unknown): void {
    if (this.#away) return;
    this.#away = true;
    const message = error instanceof Error ? error.message : String(error);
    const local = this.#options.onUnreachable === 'local';
    this.#untold = new HooksError(
      'HOOK_FAILED',
      `${message.replace(/\.$/, '')}. ${local ? 'Calls are counted in this process' : 'Calls are refused'} until it responds.`,
      { cause: error },
    );
  }
}

/** How long a call waits for a store that was away, in milliseconds. */
const PATIENCE_MS = 100;

/** Precision for cost, which may have fractions. */
export const COST_UNIT = 1e6;

/** How many counters one request updates, however many wait. */
const MOST_AT_ONCE = 100;
/** Among how many they are chosen, so that it costs the same however many wait. */
const MOST_LOOKED_AT = 1_000;

/** The largest amount that the store counts at once. */
const MOST = 1e12;

/** The count of one call that can be given back. */
export function unitOf(count: SharedCount): SharedCount {
  return { ...count, amount: 1, id: crypto.randomUUID(), summed: true };
}

function precisionOf(count: SharedCount | undefined): number {
  return count?.unit ?? 1;
}

/** The principal as a key. Events without a principal share a key. */
export function principalOf({ principal }: EventPayload): string {
  return principal === undefined ? '' : JSON.stringify([principal.tenant, principal.id]);
}
