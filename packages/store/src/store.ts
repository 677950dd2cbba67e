import { checkCounts, checkDuration, checkExpected, checkKey, checkWhole, toJson } from './arguments.ts';
import type { Appended, Count, Counted, StoreDriver } from './driver.ts';
import { capital, isStoreError, StoreError, storeError } from './error.ts';

/** State that processes and machines share. Every call is atomic. Expired data does not exist. */
export interface Store extends AsyncDisposable {
  /** Its name in error messages. */
  readonly name: string;

  /** Reads the value of a key. */
  get(key: string): Promise<Entry | undefined>;

  /**
   * Writes a JSON value. Resolves to its new version, or to `undefined` if the key is not as `expected` and nothing
   * was written.
   */
  set(key: string, value: unknown, options?: SetOptions): Promise<string | undefined>;

  /** Deletes a value. Resolves to whether it existed, as `expected`. */
  delete(key: string, options?: Pick<SetOptions, 'expected'>): Promise<boolean>;

  /** The values whose keys start with `prefix`, sorted by key. Reads in portions, so others may write meanwhile. */
  list(prefix: string): AsyncIterable<Entry>;

  /** Adds to counters, all or none: one call that counts against several limits. */
  count(...counts: readonly Count[]): Promise<Counted>;

  /** Appends JSON records to a stream, all or none. */
  append(stream: string, records: readonly unknown[], options?: AppendOptions): Promise<Appended>;

  /** The records of a stream, in order, from a position on. Reads in portions. */
  read(stream: string, options?: { readonly from?: number }): AsyncIterable<LogRecord>;

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

/** Conditions and lifetime of a written value. */
export interface SetOptions {
  /** The version that you read; `null` if there must be no value yet. By default, any value is replaced. */
  readonly expected?: string | null;
  /** Milliseconds until the value expires. By default, it never does. */
  readonly ttlMs?: number;
}

/** Conditions and lifetime of appended records. */
export interface AppendOptions {
  /** How many records the stream must have. By default, any number. */
  readonly expected?: number;
  /** Milliseconds until the whole stream expires. By default, it never does. */
  readonly ttlMs?: number;
}

/** Options of all stores. */
export interface StoreOptions {
  /** Milliseconds until a call rejects as `UNREACHABLE`. Default: 5,000. */
  readonly timeoutMs?: number;
}

/** How many values or records one call reads. */
const PORTION = 500;

/**
 * Creates a store on a driver: checks arguments, stores values as JSON, limits the time of calls, and makes errors
 * alike.
 */
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

/** Parses stored JSON. The message of `JSON.parse` is not repeated, because it contains part of the text. */
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
