import {
  checkCounts,
  checkDuration,
  checkExpected,
  checkKey,
  checkOptions,
  checkWhole,
  duration,
  toJson,
} from './arguments.ts';
import {
  type Appended,
  type Count,
  type Counted,
  PORTION_BYTES,
  type StoreDriver,
  type ValueWrite,
} from './driver.ts';
import { capital, isStoreError, StoreError, storeError } from './error.ts';
import { later, pause } from './later.ts';
import { Listeners, type Watching } from './listeners.ts';
import { OwnError } from './reason.ts';

/** State that processes and machines share. Every call is atomic. Expired data does not exist. */
export interface Store extends AsyncDisposable {
  /** Its name in error messages. */
  readonly name: string;

  /** Whether its data ends with this process, as that of a memory store does. */
  readonly inMemory?: true;

  /** Reads the value of a key. */
  get(key: string): Promise<Entry | undefined>;

  /**
   * Writes a JSON value. Resolves to its new version, or to `undefined` if the key is not as `expected` and nothing
   * was written.
   */
  set(key: string, value: unknown, options?: SetOptions): Promise<string | undefined>;

  /** Calls back when a key may have been written with `notify`, in whatever process. {@link waitFor} uses it. */
  watch(key: string, changed: () => void): Promise<Watching>;

  /** Deletes a value. Resolves to whether it existed, as `expected`. */
  delete(key: string, options?: Omit<SetOptions, 'ttlMs'>): Promise<boolean>;

  /** The values whose keys start with `prefix`, sorted by key. Reads in portions, so others may write meanwhile. */
  list(prefix: string): AsyncIterable<Entry>;

  /** Adds to counters, all or none: one call that counts against several limits. */
  count(...counts: readonly Count[]): Promise<Counted>;
  count(counts: readonly Count[], options?: WriteOptions): Promise<Counted>;

  /** Appends JSON records to a stream, all or none. */
  append(stream: string, records: readonly unknown[], options?: AppendOptions): Promise<Appended>;

  /** The records of a stream, in order, from a position on. Reads in portions. */
  read(stream: string, options?: { readonly from?: number }): AsyncIterable<LogRecord>;

  /**
   * Removes the records of a stream before a position. The others keep their positions, and `length` and `expected` of appends count
   * the removed ones too.
   */
  trim(stream: string, before: number): Promise<void>;

  /** Closes the store. A client that you passed in stays open. */
  close(): Promise<void>;
}

/** A value from the store. */
export interface Entry {
  readonly key: string;
  /** As some program wrote it: check its shape. */
  readonly value: unknown;
  /** Changes with every write, and never repeats. */
  readonly version: string;
}

/** A record from the store. */
export interface LogRecord {
  /** The first record of a stream is at 0. */
  readonly position: number;
  readonly record: unknown;
}

/** Options of all writes. */
export interface WriteOptions {
  /**
   * The id of this write. Give one to ask again for a reply that was lost, from any process: the same write with the same id
   * happens once, and resolves to what it resolved to the first time. A store knows it for 5 minutes, that of an append for a day.
   * By default, each call has an id of its own.
   */
  readonly requestId?: string;
}

/** Conditions and lifetime of a written value. */
export interface SetOptions extends WriteOptions {
  /** The version that you read; `null` if there must be no value yet. By default, any value is replaced. */
  readonly expected?: string | null;
  /** Milliseconds until the value expires. By default, it never does. */
  readonly ttlMs?: number;
  /** Wakes those who wait for this key, where the store can. Default: false, because it costs. */
  readonly notify?: boolean;
}

/** Conditions and lifetime of appended records. */
export interface AppendOptions extends WriteOptions {
  /** How many records the stream must have, counting those that were trimmed. By default, any number. */
  readonly expected?: number;
  /** Milliseconds until the whole stream expires. By default, it never does. */
  readonly ttlMs?: number;
}

/** Options of all stores. */
export interface StoreOptions {
  /**
   * Milliseconds until a call rejects as `UNREACHABLE`. Until then a call is retried whose connection broke, or that others were
   * in the way of. Default: 5,000.
   */
  readonly timeoutMs?: number;
}

/** How many values or records one call reads: few at first, because they may be large, and at most so many. */
const FIRST_PORTION = 16;
const PORTION = 500;

/**
 * Creates a store on a driver: checks arguments, stores values as JSON, limits the time of calls, and makes errors
 * alike.
 */
export function createStore(driver: StoreDriver, options: StoreOptions = {}): Store {
  options = checkOptions('createStore', options, { timeoutMs: duration });
  return storeOn(driver, options);
}

/** The same on a driver of this package, whose own function has checked the options. */
export function storeOn(driver: StoreDriver, { timeoutMs = 5_000 }: StoreOptions = {}): Store {
  let closed = false;
  const listeners = new Listeners(driver);

  async function ask<T>(call: () => Promise<T>): Promise<T> {
    const deadline = performance.now() + timeoutMs;
    for (let attempt = 0, lost = 0; ; attempt++) {
      if (closed) throw new StoreError('CLOSED', `${capital(driver.name)} was closed.`);
      const left = deadline - performance.now();
      try {
        return await within(left, timeoutMs, call());
      } catch (thrown) {
        if (isStoreError(thrown)) throw thrown;
        const isOver = thrown instanceof TimeoutError;
        const code = isOver ? 'UNREACHABLE' : (driver.codeOf?.(thrown) ?? 'FAILED');
        const waitMs =
          code === 'BUSY' ? 2 ** Math.min(attempt, 5) * (0.5 + Math.random() / 2) : LOST_MS[lost++];
        const canRetry = code === 'BUSY' || (code === 'UNREACHABLE' && !isOver);
        if (!canRetry || waitMs === undefined || performance.now() + waitMs >= deadline)
          throw storeError(driver.name, code === 'BUSY' ? 'UNREACHABLE' : code, thrown);
        await pause(waitMs);
      }
    }
  }

  async function write(
    key: string,
    text: string | undefined,
    { expected, ttlMs, notify = false, requestId }: SetOptions,
  ): Promise<string | undefined> {
    const named =
      requestId === undefined
        ? newRequest()
        : await requestOf(requestId, ['set', key, text ?? null, expected ?? null]);
    return (await ask(() => driver.set({ key, text, ...named, expected, ttlMs, notify })))
      ? named.request
      : undefined;
  }

  const store: Store = {
    ...(driver.inMemory && { inMemory: true }),
    get name() {
      return driver.name;
    },

    async get(key) {
      checkKey('key', key);
      const stored = await ask(() => driver.get(key));
      return stored && { key, value: parsed(driver.name, key, stored.text), version: stored.version };
    },

    async set(key, value, options = {}) {
      checkKey('key', key);
      checkExpected(options.expected);
      checkDuration('ttlMs', options.ttlMs);
      return write(key, toJson('value', value), options);
    },

    async watch(key, changed) {
      checkKey('key', key);
      if (closed) throw new StoreError('CLOSED', `${capital(driver.name)} was closed.`);
      return listeners.watch(key, changed, timeoutMs);
    },

    async delete(key, options = {}) {
      checkKey('key', key);
      checkExpected(options.expected);
      return (await write(key, undefined, options)) !== undefined;
    },

    async *list(prefix) {
      if (prefix !== '') checkKey('prefix', prefix);
      let after = '';
      for (let limit = FIRST_PORTION; ; ) {
        const portion = await ask(() => driver.list(prefix, after, limit));
        for (const { key, text, version } of portion)
          yield { key, value: parsed(driver.name, key, text), version };
        if (isLast(portion, limit)) return;
        after = portion.at(-1)?.key ?? '';
        limit = nextPortion(portion);
      }
    },

    async count(...given: readonly Count[] | readonly [readonly Count[], (WriteOptions | undefined)?]) {
      const [counts, { requestId } = {}] = isList(given) ? given : [given];
      checkCounts(counts);
      const { request, repeatable } =
        requestId === undefined ? newRequest() : await requestOf(requestId, ['count', ...counts]);
      return ask(() => driver.count(counts, request, repeatable));
    },

    async append(stream, records, { expected, ttlMs, requestId } = {}) {
      checkKey('stream', stream);
      checkDuration('ttlMs', ttlMs);
      if (expected !== undefined) checkWhole('expected', expected);
      if (records.length === 0)
        throw new StoreError('INVALID', 'There are no records to append; give at least one.');
      const texts = records.map((record, index) => toJson(`records[${index}]`, record));
      const named =
        requestId === undefined ? newRequest() : await requestOf(requestId, ['append', stream, ...texts]);
      return ask(() => driver.append({ stream, ...named, records: texts, expected, ttlMs }));
    },

    async *read(stream, { from = 0 } = {}) {
      checkKey('stream', stream);
      checkWhole('from', from);
      let position = from;
      for (let limit = FIRST_PORTION; ; ) {
        const portion = await ask(() => driver.read(stream, position, limit));
        for (const { position, text } of portion)
          yield { position, record: parsed(driver.name, stream, text) };
        if (isLast(portion, limit)) return;
        position = (portion.at(-1)?.position ?? position) + 1;
        limit = nextPortion(portion);
      }
    },

    async trim(stream, before) {
      checkKey('stream', stream);
      checkWhole('before', before);
      await ask(() => driver.trim(stream, before));
    },

    async close() {
      if (closed) return;
      closed = true;
      await listeners.close();
      await driver.close?.();
    },

    [Symbol.asyncDispose]: () => store.close(),
  };
  return store;
}

interface Texts extends ReadonlyArray<{ readonly text: string }> {}

function lengthOf(portion: Texts): number {
  return portion.reduce((sum, { text }) => sum + text.length, 0);
}

/** Whether nothing comes after it. A driver may stop before the limit where the texts are large; a character has at most three bytes. */
function isLast(portion: Texts, limit: number): boolean {
  return portion.length === 0 || (portion.length < limit && lengthOf(portion) < PORTION_BYTES / 4);
}

/** How many values or records the next call reads. Too many large ones would take longer than a call may, each time anew. */
function nextPortion(portion: Texts): number {
  const fitting = Math.floor((PORTION_BYTES * portion.length) / Math.max(lengthOf(portion), 1));
  return Math.min(PORTION, 8 * portion.length, Math.max(1, fitting));
}

/** How long to wait before a call is retried whose connection broke, and how often: clients connect again meanwhile. */
const LOST_MS: readonly number[] = [10, 100];

type Named = Pick<ValueWrite, 'request' | 'repeatable'>;

/** Made at once: the next call on a store in memory reads what was written, also where nobody has awaited that yet. */
function newRequest(): Named {
  return { request: crypto.randomUUID(), repeatable: false };
}

/**
 * The id of a write for the driver. One that a caller gave names this very write, so that the same id of another write, by mistake,
 * does not make it seem done.
 */
async function requestOf(id: string, write: readonly unknown[]): Promise<Named> {
  checkKey('requestId', id);
  const bytes = new TextEncoder().encode(JSON.stringify([id, ...write]));
  const digest = await crypto.subtle.digest('SHA-256', bytes);
  return { request: Buffer.from(digest).toString('hex'), repeatable: true };
}

function isList(
  given: readonly Count[] | readonly [readonly Count[], (WriteOptions | undefined)?],
): given is readonly [readonly Count[], (WriteOptions | undefined)?] {
  return Array.isArray(given[0]);
}

/** Parses stored JSON. The message of `JSON.parse` is not repeated, because it contains part of the text. */
function parsed(store: string, key: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const what = `${capital(store)} has no JSON at ${JSON.stringify(key)}; another program wrote it. Delete the key.`;
    throw new StoreError('INCOMPATIBLE', what);
  }
}

class TimeoutError extends OwnError {}

/** Clients queue calls while they reconnect; a gate cannot wait for that. */
function within<T>(leftMs: number, timeoutMs: number, answer: Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const cancel = later(leftMs, () => reject(new TimeoutError(`it did not answer within ${timeoutMs} ms`)));
  answer.then(resolve, reject).finally(cancel);
  return promise;
}
