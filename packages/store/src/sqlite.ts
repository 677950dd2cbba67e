import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import type { Count, Counted, StoreDriver } from './driver.ts';
import { capital, StoreError, type StoreErrorCode } from './error.ts';
import { once } from './once.ts';
import { createStore, type Store, type StoreOptions } from './store.ts';
import { endOfWindow } from './window.ts';

/**
 * A store in a file, for the processes of one machine. It makes the file, and `-wal` and `-shm` beside it.
 *
 * @param path of a file on a local disk: locks do not work on network file systems
 */
export function sqliteStore(path: string, options: StoreOptions = {}): Store {
  return createStore(sqliteDriver(path, options.timeoutMs ?? 5_000), options);
}

/** Marks a file as ours. */
const APPLICATION = 0x686f6f6b;
const VERSION = 1;

const schema = `
  CREATE TABLE entries (key TEXT PRIMARY KEY, text TEXT NOT NULL, version TEXT NOT NULL, expires_at INTEGER);
  CREATE INDEX entries_expiry ON entries (expires_at) WHERE expires_at IS NOT NULL;
  CREATE TABLE amounts (counter TEXT, id TEXT, amount INTEGER NOT NULL, expires_at INTEGER NOT NULL, PRIMARY KEY (counter, id)) WITHOUT ROWID;
  CREATE INDEX amounts_expiry ON amounts (expires_at);
  CREATE TABLE streams (stream TEXT PRIMARY KEY, length INTEGER NOT NULL, expires_at INTEGER);
  CREATE INDEX streams_expiry ON streams (expires_at) WHERE expires_at IS NOT NULL;
  CREATE TABLE records (stream TEXT, position INTEGER, text TEXT NOT NULL, PRIMARY KEY (stream, position));
  PRAGMA application_id = ${APPLICATION};
  PRAGMA user_version = ${VERSION};
`;

/** SQLite's own clock, in milliseconds. */
const NOW = `CAST(unixepoch('subsec') * 1000 AS INTEGER)`;
const LIVE = `(expires_at IS NULL OR expires_at > ${NOW})`;

/** A write removes up to a hundred rows that have expired. */
const statements = {
  begin: `BEGIN IMMEDIATE`,
  commit: `COMMIT`,
  now: `SELECT ${NOW} AS now`,
  get: `SELECT text, version FROM entries WHERE key = ? AND ${LIVE}`,
  list: `SELECT key, text, version FROM entries WHERE key >= ? AND key < ? AND key > ? AND ${LIVE} ORDER BY key LIMIT ?`,
  put: `INSERT INTO entries VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE
    SET text = excluded.text, version = excluded.version, expires_at = excluded.expires_at`,
  remove: `DELETE FROM entries WHERE key = ?`,
  sweepEntries: `DELETE FROM entries WHERE rowid IN (SELECT rowid FROM entries WHERE expires_at <= ? LIMIT 100)`,
  held: `SELECT coalesce(sum(amount), 0) AS total, coalesce(sum(amount) FILTER (WHERE id = ?), 0) AS own,
    min(expires_at) AS next FROM amounts WHERE counter = ? AND expires_at > ?`,
  add: `INSERT INTO amounts VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET amount = amount + excluded.amount`,
  replace: `REPLACE INTO amounts VALUES (?, ?, ?, ?)`,
  giveBack: `DELETE FROM amounts WHERE counter = ? AND id = ?`,
  sweepAmounts: `DELETE FROM amounts WHERE (counter, id) IN (SELECT counter, id FROM amounts WHERE expires_at <= ? LIMIT 100)`,
  length: `SELECT length FROM streams WHERE stream = ? AND ${LIVE}`,
  lengthen: `INSERT INTO streams VALUES (?, ?, ?) ON CONFLICT DO UPDATE
    SET length = excluded.length, expires_at = excluded.expires_at`,
  append: `INSERT INTO records VALUES (?, ?, ?)`,
  read: `SELECT text FROM records JOIN streams USING (stream) WHERE stream = ? AND position >= ? AND ${LIVE}
    ORDER BY position LIMIT ?`,
  forget: `DELETE FROM records WHERE stream = ?`,
  sweepRecords: `DELETE FROM records WHERE rowid IN (SELECT records.rowid FROM records JOIN streams USING (stream)
    WHERE expires_at <= ? LIMIT 100)`,
  sweepStreams: `DELETE FROM streams WHERE expires_at <= ? AND NOT EXISTS
    (SELECT 1 FROM records WHERE records.stream = streams.stream)`,
};

type Statements = Readonly<Record<keyof typeof statements, StatementSync>>;

interface Opened {
  readonly database: DatabaseSync;
  readonly run: Statements;
}

function sqliteDriver(path: string, timeoutMs: number): StoreDriver {
  const name = `the SQLite store ${path}`;
  let file: DatabaseSync | undefined;
  const opened = once(async () => {
    const result = await open(path, name, timeoutMs);
    file = result.database;
    return result;
  });

  return {
    name,

    async get(key) {
      const { run } = await opened();
      const row = run.get.get(key);
      return row && { text: String(row['text']), version: String(row['version']) };
    },

    async set({ key, text, version, expected, ttlMs }) {
      const { database, run } = await opened();
      return transaction(database, run, () => {
        const found = run.get.get(key);
        if (expected !== undefined && (found?.['version'] ?? null) !== expected) return false;
        const now = nowOf(run);
        if (text === undefined) run.remove.run(key);
        else run.put.run(key, text, version, ttlMs === undefined ? null : now + ttlMs);
        run.sweepEntries.run(now);
        return text !== undefined || found !== undefined;
      });
    },

    async list(prefix, after, limit) {
      const { run } = await opened();
      const rows = run.list.all(prefix, `${prefix}\u{10ffff}`, after, limit);
      return rows.map(({ key, text, version }) => ({
        key: String(key),
        text: String(text),
        version: String(version),
      }));
    },

    async count(counts) {
      const { database, run } = await opened();
      return transaction(database, run, () => count(run, counts));
    },

    async append({ stream, records, expected, ttlMs }) {
      const { database, run } = await opened();
      // A log is on the disk when the call resolves; what else is written may be lost with the power.
      database.exec('PRAGMA synchronous = FULL');
      try {
        return transaction(database, run, () => {
          const row = run.length.get(stream);
          const length = Number(row?.['length'] ?? 0);
          if (expected !== undefined && expected !== length) return { appended: false, length };
          if (row === undefined) run.forget.run(stream);
          for (const [index, text] of records.entries()) run.append.run(stream, length + index, text);
          const now = nowOf(run);
          run.lengthen.run(stream, length + records.length, ttlMs === undefined ? null : now + ttlMs);
          run.sweepRecords.run(now);
          run.sweepStreams.run(now);
          return { appended: true, length: length + records.length };
        });
      } finally {
        database.exec('PRAGMA synchronous = NORMAL');
      }
    },

    async read(stream, from, limit) {
      const { run } = await opened();
      return run.read.all(stream, from, limit).map(({ text }) => String(text));
    },

    codeOf,

    async close() {
      file?.close();
    },
  };
}

function count(run: Statements, counts: readonly Count[]): Counted {
  const now = nowOf(run);
  const held = counts.map((each) => heldBy(run, each, now));
  const full = held.find(({ amount, limit, others }) => {
    return amount > 0 && limit !== undefined && others + amount > limit;
  });
  if (full) {
    const { key, amount, limit = 0, next } = full;
    const retryAfterMs = amount > limit ? undefined : next - now;
    return { counted: false, totals: held.map(({ total }) => total), key, retryAfterMs };
  }
  for (const { key, amount, id, name, expiresAt, own } of held) {
    if (amount > 0) (id === undefined ? run.add : run.replace).run(key, name, amount, expiresAt);
    else if (id !== undefined) run.giveBack.run(key, name);
    // Only a new row makes room necessary.
    if (amount > 0 && own === 0) run.sweepAmounts.run(now);
  }
  return { counted: true, totals: held.map(({ others, amount }) => others + amount) };
}

/** A count, with what its counter holds: in all, under its own name, and but for what it replaces. */
interface Held extends Count {
  readonly name: string;
  readonly expiresAt: number;
  readonly total: number;
  readonly own: number;
  readonly others: number;
  readonly next: number;
}

function heldBy(run: Statements, count: Count, now: number): Held {
  const { key, windowMs, id } = count;
  const expiresAt = id === undefined ? endOfWindow(now, windowMs) : now + windowMs;
  const name = id === undefined ? `until ${expiresAt}` : `id ${id}`;
  const row = run.held.get(name, key, now);
  const total = Number(row?.['total']);
  const own = Number(row?.['own']);
  const others = id === undefined ? total : total - own;
  return { ...count, name, expiresAt, total, own, others, next: Number(row?.['next']) };
}

function nowOf(run: Statements): number {
  return Number(run.now.get()?.['now']);
}

function transaction<T>(database: DatabaseSync, run: Pick<Statements, 'begin' | 'commit'>, work: () => T): T {
  run.begin.run();
  try {
    const result = work();
    run.commit.run();
    return result;
  } catch (error) {
    // SQLite itself rolls back where the disk is full.
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

async function open(path: string, name: string, timeoutMs: number): Promise<Opened> {
  const database = new DatabaseSync(path, { timeout: timeoutMs });
  try {
    // Reads in one transaction: another process may be making the file.
    const reading = { begin: database.prepare('BEGIN'), commit: database.prepare(statements.commit) };
    const isNew = transaction(database, reading, () => isEmpty(database, name));
    if (isNew) await create(database, name, timeoutMs);
    database.exec('PRAGMA synchronous = NORMAL');
    const prepared = Object.entries(statements).map(([key, sql]) => [key, database.prepare(sql)]);
    return { database, run: Object.fromEntries(prepared) };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Whether the file is new. Throws where it is neither new nor ours. */
function isEmpty(database: DatabaseSync, name: string): boolean {
  const read = (sql: string): number => Number(Object.values(database.prepare(sql).get() ?? {})[0]);
  const application = read('PRAGMA application_id');
  const version = read('PRAGMA user_version');
  if (application === APPLICATION && version === VERSION) return false;
  if (application === APPLICATION) {
    const text = `${capital(name)} has version ${version}; this version of @hooks/store needs ${VERSION}.`;
    throw new StoreError('INCOMPATIBLE', text);
  }
  if (read('SELECT count(*) FROM sqlite_schema') > 0)
    throw new StoreError(
      'INCOMPATIBLE',
      `${capital(name)} is a database of another program; choose a new file.`,
    );
  return true;
}

async function create(database: DatabaseSync, name: string, timeoutMs: number): Promise<void> {
  for (const deadline = performance.now() + timeoutMs; ; await setTimeout(5))
    try {
      database.exec('PRAGMA journal_mode = WAL');
      break;
    } catch (error) {
      // SQLite does not wait here while another process does the same.
      if (codeOf(error) !== 'UNREACHABLE' || performance.now() > deadline) throw error;
    }
  const [begin, commit] = [database.prepare(statements.begin), database.prepare(statements.commit)];
  transaction(database, { begin, commit }, () => {
    if (isEmpty(database, name)) database.exec(schema);
  });
}

/** By SQLite's result code. */
function codeOf(error: unknown): StoreErrorCode {
  if (!(error instanceof Error) || !('errcode' in error)) return 'FAILED';
  switch (Number(error.errcode) & 0xff) {
    case 5: // BUSY
    case 6: // LOCKED
    case 10: // IOERR
    case 14: // CANTOPEN
      return 'UNREACHABLE';
    case 3: // PERM
    case 8: // READONLY
    case 23: // AUTH
      return 'DENIED';
    case 13: // FULL
      return 'FULL';
    case 11: // CORRUPT
    case 26: // NOTADB
      return 'INCOMPATIBLE';
    default:
      return 'FAILED';
  }
}
