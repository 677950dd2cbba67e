import type { StoreErrorCode } from './error.ts';

/**
 * What a store keeps, and the calls a driver answers. Write one to keep the state somewhere else: pass it to `createStore`, and
 * run `testStore` of `@hooks/store/testing` on the result.
 *
 * A store keeps three things:
 *
 * - **values**: text by key, each with a version that changes with every write
 * - **counters**: amounts by key, each of which counts for a while
 * - **logs**: records in order, by stream
 *
 * Rules for every driver:
 *
 * - Each call is atomic across all processes that use the store. It happens entirely or not at all.
 * - Time is the server's, never that of the process: clocks of machines differ. Times are in milliseconds.
 * - What has expired does not exist for any call, from that millisecond on. A driver removes it at the latest when later
 *   calls write; it needs no timer.
 * - Every write has a request id. A request that wrote something is known for at least {@link REQUEST_MS} ({@link APPEND_MS} for
 *   appends): a second call with its id writes nothing and resolves to what the first one resolved to. So a reply that was lost can
 *   be asked for again. A request that wrote nothing may be decided anew.
 * - Only a `repeatable` write comes again from a caller. A driver whose own calls lose no reply, and that no client sends twice, need
 *   not keep the ids of other writes.
 * - A call that cannot be answered rejects. {@link StoreDriver.codeOf} says why; `createStore` retries where that helps, and makes
 *   the error.
 *
 * `createStore` checks arguments: a driver gets keys of at most 1024 bytes without control characters, and whole numbers.
 */
export interface StoreDriver {
  /** How errors call it: `the SQLite store /var/lib/agent.db`. Holds no secret. */
  readonly name: string;

  /** Set where the data ends with this process. */
  readonly inMemory?: true;

  /** The value at a key. */
  get(key: string): Promise<StoredValue | undefined>;

  /**
   * Writes or deletes the value at a key if `expected` still holds. Resolves to whether it did: a write to a key whose version
   * is another one changes nothing and resolves to `false`.
   */
  set(write: ValueWrite): Promise<boolean>;

  /**
   * The values whose keys start with `prefix` and come after `after`, by code points; the first `limit` of them. May end behind the one
   * with which they reach {@link PORTION_BYTES}.
   */
  list(prefix: string, after: string, limit: number): Promise<readonly KeyedValue[]>;

  /** Counts all of `counts` if all fit below their limits, else none. */
  count(counts: readonly Count[], request: string, repeatable: boolean): Promise<Counted>;

  /**
   * Adds records to the end of a stream if its length is `expected`. Resolves to the length of the stream: after the records,
   * or, where it is not as expected and nothing was added, as it is.
   */
  append(write: LogWrite): Promise<Appended>;

  /**
   * The records of a stream from a position on (the first is at 0), at most `limit`. None where there is no such stream. May end behind
   * the one with which they reach {@link PORTION_BYTES}.
   */
  read(stream: string, from: number, limit: number): Promise<readonly StoredRecord[]>;

  /**
   * Removes the records of a stream before a position. The others keep their positions, and the stream its length, which counts the
   * removed ones too.
   */
  trim(stream: string, before: number): Promise<void>;

  /**
   * What a rejection of one of the calls means; `FAILED` where it cannot tell. `BUSY` is for a call that did nothing because others
   * were in its way: it is retried until its time is over.
   */
  codeOf?(error: unknown): StoreErrorCode | 'BUSY';

  /**
   * Listens to writes with `notify`, also of other processes. Optional: without it, whoever waits reads again and again.
   *
   * Rejects where the server or the client does not have that. Resolves to how to stop.
   */
  listen?(listener: WriteListener): Promise<() => Promise<void>>;

  /** Gives back what the driver itself has opened. A client that was handed in stays open. */
  close?(): Promise<void>;
}

/** Hears of writes with `notify`. */
export interface WriteListener {
  /** The value at a key has changed. */
  changed(key: string): void;
  /** The connection is lost: nothing more is heard. */
  lost(): void;
}

/** With how many bytes of text, as UTF-8, a list or a read may end before its limit: a million. */
export const PORTION_BYTES: number = 1_000_000;

/** How long a driver knows the id of a write, in milliseconds: 5 minutes. */
export const REQUEST_MS: number = 5 * 60_000;

/** How long a driver knows the id of an append, in milliseconds: a day. What is appended is kept for long, too. */
export const APPEND_MS: number = 24 * 60 * 60_000;

/** A value as a driver keeps it. */
export interface StoredValue {
  /** JSON text. */
  readonly text: string;
  readonly version: string;
}

/** A value in a list. */
export interface KeyedValue extends StoredValue {
  readonly key: string;
}

/** A record as a driver keeps it. */
export interface StoredRecord {
  readonly position: number;
  /** JSON text. */
  readonly text: string;
}

/** What {@link StoreDriver.set} is asked to write. */
export interface ValueWrite {
  readonly key: string;
  /** JSON text; `undefined` deletes. */
  readonly text: string | undefined;
  /** The id of this write, and the version that the value has from now on. */
  readonly request: string;
  /** Whether a caller gave the id, who may send the write again. */
  readonly repeatable: boolean;
  /** The version that the key must have now; `null` for none, `undefined` for any or none. */
  readonly expected: string | null | undefined;
  /** How long it is kept; `undefined` for good. */
  readonly ttlMs: number | undefined;
  /** Whether those who listen hear of it. */
  readonly notify: boolean;
}

/** What {@link StoreDriver.append} is asked to add. */
export interface LogWrite {
  readonly stream: string;
  /** The id of this write. */
  readonly request: string;
  /** Whether a caller gave the id, who may send the write again. */
  readonly repeatable: boolean;
  /** JSON texts, at least one. */
  readonly records: readonly string[];
  /** The length that the stream must have now; `undefined` for any. */
  readonly expected: number | undefined;
  /** How long the whole stream is kept from now on; `undefined` for good. */
  readonly ttlMs: number | undefined;
}

/** What came of {@link StoreDriver.append}. */
export interface Appended {
  /** Whether the records were added. */
  readonly appended: boolean;
  /** How many records the stream has now, counting those that were trimmed. */
  readonly length: number;
}

/**
 * An amount to add to a counter.
 *
 * A counter is the sum of amounts that have not expired, so it slides: 10 calls a minute are 10 in every period of that
 * length. Amounts without an `id` are kept in hundredths of their window, so that a busy counter stays small: they leave it
 * up to 1 % late, and never early.
 *
 * An amount with an `id` stands for itself. Counting the same `id` again replaces it: that renews a lease, gives it back
 * (`amount: 0`), or turns an estimate into what was really used.
 */
export interface Count {
  readonly key: string;
  /** A whole number, not negative; count money in its smallest unit. 0 always fits, and only reads where it has no `id`. */
  readonly amount: number;
  /** How long the amount counts. */
  readonly windowMs: number;
  /** What the counter may hold with it; left out, it always fits. */
  readonly limit?: number | undefined;
  readonly id?: string | undefined;
}

/** What came of {@link StoreDriver.count}. */
export type Counted =
  | {
      readonly counted: true;
      /** What each counter holds now, in the order of the counts. */
      readonly totals: readonly number[];
    }
  | {
      /** Nothing was counted. */
      readonly counted: false;
      readonly totals: readonly number[];
      /** The first counter that was too full. */
      readonly key: string;
      /**
       * When the next amount there expires: not later, but maybe earlier where an `id` was given back. Left out where the amount
       * alone is above the limit, and will never fit.
       */
      readonly retryAfterMs?: number | undefined;
    };
