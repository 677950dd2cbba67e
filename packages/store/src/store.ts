import { checkCounts, checkDuration, checkExpected, checkKey, checkWhole, toJson } from './arguments.ts';
import type { Appended, Count, Counted, StoreDriver } from './driver.ts';
import { capital, isStoreError, StoreError, storeError } from './error.ts';

/** State that processes and machines share. Every call is atomic; what has expired does not exist. */
export interface Store extends AsyncDisposable {
  /** How errors call it. */
  readonly name: string;

  /** The value at a key. */
  get(key: string): Promise<Entry | undefined>;

  /**
   * Writes a value: whatever JSON can hold. Resolves to its new version, or to `undefined` where the key is not as `expected`
   * and nothing was written.
   */
  set(key: string, value: unknown, options?: SetOptions): Promise<string | undefined>;

  /** Deletes a value. Resolves to whether it was there, as `expected`. */
  delete(key: string, options?: Pick<SetOptions, 'expected'>): Promise<boolean>;

  /** The values whose keys start with `prefix`, sorted by key. Reads them in portions, so others may write meanwhile. */
  list(prefix: string): AsyncIterable<Entry>;

  /** Adds to counters, all or none: one call that counts against several limits. */
  count(...counts: readonly Count[]): Promise<Counted>;

  /** Adds records (whatever JSON can hold) to the end of a stream, all or none. */
  append(stream: string, records: readonly unknown[], options?: AppendOptions): Promise<Appended>;

  /** The records of a stream, in order, from a position on. Reads them in portions. */
  read(stream: string, options?: { readonly from?: number }): AsyncIterable<LogRecord>;

  /** Ends the use of the store. A client that was handed in stays open. */
  close(): Promise<void>;
}

/** A value that was read. */
export interface Entry {
  readonly key: string;
  /** As it was written, by whatever program: check its shape. */
  readonly value: unknown;
  /** Changes with every write, and never comes again. */
  readonly version: string;
}

/** A record that was read. */
export interface LogRecord {
  /** The first record of a stream is at 0. */
  readonly position: number;
  readonly record: unknown;
}

/** When to write a value, and for how long. */
export interface SetOptions {
  /** The version that was read; `null` where there must be no value yet. Left out, any value is replaced. */
  readonly expected?: string | null;
  /** How long the value is kept; left out, for good. */
  readonly ttlMs?: number;
}

/** When to append, and for how long. */
export interface AppendOptions {
  /** How many records the stream must have. Left out, any number will do. */
  readonly expected?: number;
  /** How long the whole stream is kept from now on; left out, for good. */
  readonly ttlMs?: number;
}

/** What all stores take. */
export interface StoreOptions {
  /** How long a call waits for its answer, before it rejects as `UNREACHABLE`; 5 seconds unless set. */
  readonly timeoutMs?: number;
}

/** How many values or records one call reads. */
const PORTION = 500;

/** Makes a store of a driver: checks arguments, keeps values as JSON, bounds the time of calls, and makes errors alike. */
export function createStore(driver: StoreDriver, { timeoutMs = 5_000 }: StoreOptions = {}): Store {
  const { name } = driver;
  checkWhole('timeoutMs', timeoutMs, 1);
  let closed = false;

  async function ask<T>(call: () => Promise<T>): Promise<T> {
    if (closed) throw new StoreError('CLOSED', `${capital(name)} was closed.`);
    try {
      return await within(timeoutMs, call());
    } catch (thrown) {
      if (isStoreError(thrown)) throw thrown;
      const code = thrown instanceof TimeoutError ? 'UNREACHABLE' : (driver.codeOf?.(thrown) ?? 'FAILED');
      throw storeError(name, code, thrown);
    }
  }

  const write = (key: string, text: string | undefined, version: string, options: SetOptions) =>
    ask(() => driver.set({ key, text, version, expected: options.expected, ttlMs: options.ttlMs }));

  const store: Store = {
    name,

    async get(key) {
      checkKey('key', key);
      const stored = await ask(() => driver.get(key));
      return stored && { key, value: parsed(name, key, stored.text), version: stored.version };
    },

    async set(key, value, options = {}) {
      checkKey('key', key);
      checkExpected(options.expected);
      checkDuration('ttlMs', options.ttlMs);
      const text = toJson('value', value);
      const version = crypto.randomUUID();
      return (await write(key, text, version, options)) ? version : undefined;
    },

    async delete(key, options = {}) {
      checkKey('key', key);
      checkExpected(options.expected);
      return write(key, undefined, '', options);
    },

    async *list(prefix) {
      if (prefix !== '') checkKey('prefix', prefix);
      for (let after = ''; ; ) {
        const portion = await ask(() => driver.list(prefix, after, PORTION));
        for (const { key, text, version } of portion) yield { key, value: parsed(name, key, text), version };
        if (portion.length < PORTION) return;
        after = portion.at(-1)?.key ?? '';
      }
    },

    async count(...counts) {
      checkCounts(counts);
      return ask(() => driver.count(counts));
    },

    async append(stream, records, { expected, ttlMs } = {}) {
      checkKey('stream', stream);
      checkDuration('ttlMs', ttlMs);
      if (expected !== undefined) checkWhole('expected', expected);
      if (records.length === 0)
        throw new StoreError('INVALID', 'There are no records to append; give at least one.');
      const texts = records.map((record, index) => toJson(`records[${index}]`, record));
      return ask(() => driver.append({ stream, records: texts, expected, ttlMs }));
    },

    async *read(stream, { from = 0 } = {}) {
      checkKey('stream', stream);
      checkWhole('from', from);
      for (let position = from; ; ) {
        const portion = await ask(() => driver.read(stream, position, PORTION));
        for (const text of portion) yield { position: position++, record: parsed(name, stream, text) };
        if (portion.length < PORTION) return;
      }
    },

    async close() {
      if (closed) return;
      closed = true;
      await driver.close?.();
    },

    [Symbol.asyncDispose]: () => store.close(),
  };
  return store;
}

/** What was written, where JSON was written. The message of `JSON.parse` has part of the text in it. */
function parsed(store: string, key: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const what = `${capital(store)} has no JSON at ${JSON.stringify(key)}; another program wrote it. Delete the key.`;
    throw new StoreError('INCOMPATIBLE', what);
  }
}

class TimeoutError extends Error {}

/** Clients queue calls while they reconnect; a gate cannot wait for that. */
function within<T>(timeoutMs: number, answer: Promise<T>): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const giveUp = (): void => reject(new TimeoutError(`it did not answer within ${timeoutMs} ms`));
  const timer = setTimeout(giveUp, timeoutMs);
  answer.then(resolve, reject).finally(() => clearTimeout(timer));
  return promise;
}
