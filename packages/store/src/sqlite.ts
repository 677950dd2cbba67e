import { existsSync, type Stats, statSync } from 'node:fs';
import { chmod, mkdir, open as openFile, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { checkOptions, duration } from './arguments.ts';
import {
  APPEND_MS,
  type Count,
  type Counted,
  PORTION_BYTES,
  REQUEST_MS,
  type StoreDriver,
} from './driver.ts';
import { capital, StoreError, type StoreErrorCode, withoutSecrets } from './error.ts';
import { pause } from './later.ts';
import { once } from './once.ts';
import { OwnError, reasonOf } from './reason.ts';
import { type Store, type StoreOptions, storeOn } from './store.ts';
import { whyNoPath } from './why-no-path.ts';
import { endOfWindow } from './window.ts';

/**
 * A store in a file, for the processes of one machine. It makes the file, `-wal` and `-shm` beside it, and the folder where there is
 * none: all of it for the owner alone (0600 and 0700). Where another process keeps the file locked, a call waits without stopping
 * the event loop.
 *
 * @param path of a file on a local disk: locks do not work on network file systems. `:memory:` is a store in this process
 * @throws StoreError `INVALID` where the path is empty, a URL, or begins with `~` or a variable, or an option is unknown
 */
export function sqliteStore(path: string, options: StoreOptions = {}): Store {
  options = checkOptions('sqliteStore', options, { timeoutMs: duration });
  if (typeof path !== 'string' || path === '' || path.includes('\0'))
    throw new StoreError('INVALID', 'sqliteStore needs the path of a file, such as `.hooks/store.db`.');
  const problem = path === ':memory:' ? undefined : whyNoPath(path);
  if (problem !== undefined) throw new StoreError('INVALID', `sqliteStore needs ${problem}`);
  return storeOn(sqliteDriver(path), options);
}

/** Marks a file as ours. */
const APPLICATION = 0x686f6f6b;
const VERSION = 2;

const schema = `
  CREATE TABLE entries (key TEXT PRIMARY KEY, text TEXT NOT NULL, version TEXT NOT NULL, expires_at INTEGER);
  CREATE INDEX entries_expiry ON entries (expires_at) WHERE expires_at IS NOT NULL;
  CREATE TABLE amounts (counter TEXT, id TEXT, amount INTEGER NOT NULL, expires_at INTEGER NOT NULL, PRIMARY KEY (counter, id)) WITHOUT ROWID;
  CREATE INDEX amounts_expiry ON amounts (counter, expires_at);
  CREATE TABLE counters (counter TEXT PRIMARY KEY, total INTEGER NOT NULL, next INTEGER NOT NULL, last INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX counters_expiry ON counters (last);
  CREATE TABLE requests (id TEXT PRIMARY KEY, answer TEXT NOT NULL, expires_at INTEGER NOT NULL) WITHOUT ROWID;
  CREATE INDEX requests_expiry ON requests (expires_at);
  CREATE TABLE streams (stream TEXT PRIMARY KEY, length INTEGER NOT NULL, expires_at INTEGER);
  CREATE INDEX streams_expiry ON streams (expires_at) WHERE expires_at IS NOT NULL;
  CREATE TABLE records (stream TEXT, position INTEGER, text TEXT NOT NULL, PRIMARY KEY (stream, position));
  PRAGMA application_id = ${APPLICATION};
  PRAGMA user_version = ${VERSION};
`;

/** SQLite's own clock, in milliseconds. */
const NOW = `CAST(unixepoch('subsec') * 1000 AS INTEGER)`;
const LIVE = `(expires_at IS NULL OR expires_at > ${NOW})`;

/** A write removes up to a hundred rows that have expired. Only the ids of repeatable writes are kept: no reply of SQLite is lost. */
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
  counter: `SELECT total, next, last FROM counters WHERE counter = ?`,
  putCounter: `REPLACE INTO counters VALUES (?, ?, ?, ?)`,
  removeCounter: `DELETE FROM counters WHERE counter = ?`,
  amount: `SELECT amount FROM amounts WHERE counter = ? AND id = ?`,
  forgetAmounts: `DELETE FROM amounts WHERE counter = ? AND expires_at <= ? RETURNING amount`,
  next: `SELECT min(expires_at) AS next FROM amounts WHERE counter = ?`,
  add: `INSERT INTO amounts VALUES (?, ?, ?, ?) ON CONFLICT DO UPDATE SET amount = amount + excluded.amount`,
  replace: `REPLACE INTO amounts VALUES (?, ?, ?, ?)`,
  giveBack: `DELETE FROM amounts WHERE counter = ? AND id = ?`,
  sweepAmounts: `DELETE FROM amounts WHERE (counter, id) IN
    (SELECT counter, id FROM counters JOIN amounts USING (counter) WHERE last <= ? LIMIT 100)`,
  sweepCounters: `DELETE FROM counters WHERE counter IN (SELECT counter FROM counters WHERE last <= ?
    AND NOT EXISTS (SELECT 1 FROM amounts WHERE amounts.counter = counters.counter) LIMIT 100)`,
  known: `SELECT answer FROM requests WHERE id = ?`,
  know: `INSERT INTO requests VALUES (?, ?, ?)`,
  sweepRequests: `DELETE FROM requests WHERE id IN (SELECT id FROM requests WHERE expires_at <= ? LIMIT 2)`,
  length: `SELECT length FROM streams WHERE stream = ? AND ${LIVE}`,
  lengthen: `INSERT INTO streams VALUES (?, ?, ?) ON CONFLICT DO UPDATE
    SET length = excluded.length, expires_at = excluded.expires_at`,
  append: `INSERT INTO records VALUES (?, ?, ?)`,
  read: `SELECT position, text FROM records JOIN streams USING (stream) WHERE stream = ? AND position >= ? AND ${LIVE}
    ORDER BY position LIMIT ?`,
  trim: `DELETE FROM records WHERE stream = ? AND position < ?`,
  forget: `DELETE FROM records WHERE stream = ?`,
  sweepRecords: `DELETE FROM records WHERE rowid IN (SELECT records.rowid FROM records JOIN streams USING (stream)
    WHERE expires_at <= ? LIMIT 100)`,
  sweepStreams: `DELETE FROM streams WHERE expires_at <= ? AND NOT EXISTS
    (SELECT 1 FROM records WHERE records.stream = streams.stream)`,
};

/** The first rows, up to the one with which their texts reach the length of a portion. */
function portionOf(rows: Iterable<Row>): readonly Row[] {
  const portion: Row[] = [];
  let bytes = 0;
  for (const row of rows) {
    portion.push(row);
    bytes += Buffer.byteLength(String(row['text']));
    if (bytes >= PORTION_BYTES) break;
  }
  return portion;
}

type Row = Readonly<Record<string, unknown>>;

type Statements = Readonly<Record<keyof typeof statements, StatementSync>>;

interface Opened {
  readonly database: DatabaseSync;
  readonly run: Statements;
  /** Which file it is. Undefined in memory. */
  readonly identity: Identity | undefined;
}

type Identity = Pick<Stats, 'ino' | 'dev'>;

/** What there is on the way to a path. */
function nearest(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearest(dirname(path));
}

function sqliteDriver(path: string): StoreDriver {
  const place = path === ':memory:' ? path : resolve(path);
  const name = `the SQLite store ${path}`;
  let file: DatabaseSync | undefined;
  let hasErased = false;
  const ready = once(async () => {
    const result = await open(place, name);
    file = result.database;
    return result;
  });
  const opened = async (): Promise<Opened> => {
    const result = await ready();
    checkStillThere(place, result);
    return result;
  };

  return {
    // A text that was meant as an address may hold a password, and is the path of nothing.
    get name() {
      const isThere = file !== undefined || path === ':memory:' || existsSync(place);
      return isThere ? name : `the SQLite store in ${nearest(place)}`;
    },
    ...(path === ':memory:' && { inMemory: true }),

    async get(key) {
      const { run } = await opened();
      const row = run.get.get(key);
      return row && { text: String(row['text']), version: String(row['version']) };
    },

    async set({ key, text, request, repeatable, expected, ttlMs }) {
      const { database, run } = await opened();
      return transaction(database, run, () => {
        if (repeatable && run.known.get(request)) return true;
        const found = run.get.get(key);
        if (expected !== undefined && (found?.['version'] ?? null) !== expected) return false;
        const now = nowOf(run);
        if (text === undefined) run.remove.run(key);
        else run.put.run(key, text, request, ttlMs === undefined ? null : now + ttlMs);
        run.sweepEntries.run(now);
        const written = text !== undefined || found !== undefined;
        hasErased ||= text === undefined && written;
        if (repeatable && written) know(run, request, written, now + REQUEST_MS, now);
        return written;
      });
    },

    async list(prefix, after, limit) {
      const { run } = await opened();
      const rows = run.list.iterate(prefix, `${prefix}\u{10ffff}`, after, limit);
      return portionOf(rows).map(({ key, text, version }) => ({
        key: String(key),
        text: String(text),
        version: String(version),
      }));
    },

    async count(counts, request, repeatable) {
      const { database, run } = await opened();
      return transaction(database, run, () => {
        const known = repeatable ? run.known.get(request) : undefined;
        return known
          ? JSON.parse(String(known['answer']))
          : count(run, counts, repeatable ? request : undefined);
      });
    },

    async append({ stream, request, repeatable, records, expected, ttlMs }) {
      const { database, run } = await opened();
      // A log is on the disk when the call resolves; what else is written may be lost with the power.
      database.exec('PRAGMA synchronous = FULL');
      try {
        return transaction(database, run, () => {
          const known = repeatable ? run.known.get(request) : undefined;
          if (known) return JSON.parse(String(known['answer']));
          const row = run.length.get(stream);
          const length = Number(row?.['length'] ?? 0);
          if (expected !== undefined && expected !== length) return { appended: false, length };
          if (row === undefined) run.forget.run(stream);
          for (const [index, text] of records.entries()) run.append.run(stream, length + index, text);
          const now = nowOf(run);
          run.lengthen.run(stream, length + records.length, ttlMs === undefined ? null : now + ttlMs);
          run.sweepRecords.run(now);
          run.sweepStreams.run(now);
          const answer = { appended: true, length: length + records.length };
          if (repeatable) know(run, request, answer, now + APPEND_MS, now);
          return answer;
        });
      } finally {
        database.exec('PRAGMA synchronous = NORMAL');
      }
    },

    async read(stream, from, limit) {
      const { run } = await opened();
      return portionOf(run.read.iterate(stream, from, limit)).map(({ position, text }) => ({
        position: Number(position),
        text: String(text),
      }));
    },

    async trim(stream, before) {
      const { run } = await opened();
      if (run.trim.run(stream, before).changes > 0) hasErased = true;
    },

    codeOf,

    async close() {
      if (hasErased && file !== undefined) await emptyLog(file);
      file?.close();
    },
  };
}

/** Keeps what came of a write, for whoever asks again. */
function know(run: Statements, request: string, answer: unknown, until: number, now: number): void {
  run.know.run(request, JSON.stringify(answer), until);
  run.sweepRequests.run(now);
}

function count(run: Statements, counts: readonly Count[], request: string | undefined): Counted {
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
  let grew = false;
  let wrote = false;
  for (const { key, amount, id, name, expiresAt, others, next, last } of held) {
    if (amount === 0 && id === undefined) continue;
    if (amount === 0) run.giveBack.run(key, name);
    else (id === undefined ? run.add : run.replace).run(key, name, amount, expiresAt);
    const total = others + amount;
    if (total === 0) run.removeCounter.run(key);
    else if (amount === 0) run.putCounter.run(key, total, next, last);
    else run.putCounter.run(key, total, Math.min(next, expiresAt), Math.max(last, expiresAt));
    wrote = true;
    grew ||= amount > 0 && expiresAt > last;
  }
  // Old rows are removed only when something is kept longer than before.
  if (grew) for (const sweep of [run.sweepAmounts, run.sweepCounters]) sweep.run(now);
  const answer = { counted: true, totals: held.map(({ others, amount }) => others + amount) } as const;
  if (wrote && request !== undefined) know(run, request, answer, now + REQUEST_MS, now);
  return answer;
}

/** A count, with what its counter holds: in all, and but for what it replaces. */
interface Held extends Count {
  readonly name: string;
  readonly expiresAt: number;
  readonly total: number;
  readonly others: number;
  /** When the first and the last of its amounts expire: not later, and not earlier. */
  readonly next: number;
  readonly last: number;
}

/** A date for a counter that holds nothing. */
const NEVER = Number.MAX_SAFE_INTEGER;

/** Looks into a counter and removes from it what has expired. What it costs does not depend on how many amounts it holds. */
function heldBy(run: Statements, count: Count, now: number): Held {
  const { key, windowMs, id } = count;
  const expiresAt = id === undefined ? endOfWindow(now, windowMs) : now + windowMs;
  const name = id === undefined ? `until ${expiresAt}` : `id ${id}`;
  const row = run.counter.get(key);
  let [total, next, last] = [
    Number(row?.['total'] ?? 0),
    Number(row?.['next'] ?? NEVER),
    Number(row?.['last'] ?? 0),
  ];
  if (next <= now) {
    for (const { amount } of run.forgetAmounts.all(key, now)) total -= Number(amount);
    next = Number(run.next.get(key)?.['next'] ?? NEVER);
    // Some may have been removed before without being subtracted.
    if (next === NEVER) total = 0;
    if (total === 0) run.removeCounter.run(key);
    else run.putCounter.run(key, total, next, last);
  }
  const own = id === undefined ? 0 : Number(run.amount.get(key, name)?.['amount'] ?? 0);
  return { ...count, name, expiresAt, total, others: total - own, next, last };
}

/**
 * Empties the write-ahead log, which still has what was erased. Without it, the log would keep that until every process has closed the
 * file. Where others are in the way for a second, or the disk is full, it does.
 */
async function emptyLog(database: DatabaseSync): Promise<void> {
  const checkpoint = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)');
  for (let attempt = 0; attempt < 10; attempt++) {
    try {
      if (checkpoint.get()?.['busy'] !== 1) return;
    } catch {
      return;
    }
    await pause(2 ** attempt);
  }
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

async function open(path: string, name: string): Promise<Opened> {
  const isFile = path !== ':memory:';
  if (isFile) await makeFile(path, name);
  // It does not wait where the file is locked: that would stop the event loop. The call is retried.
  const database = new DatabaseSync(path, { timeout: 0 });
  try {
    // Reads in one transaction: another process may be making the file.
    const reading = { begin: database.prepare('BEGIN'), commit: database.prepare(statements.commit) };
    const isNew = transaction(database, reading, () => isEmpty(database, name));
    if (isFile) await keepPrivate(path, name);
    if (isNew) create(database, name);
    database.exec('PRAGMA synchronous = NORMAL');
    // What is deleted may have been erased from a journal: it is overwritten in the file, too.
    database.exec('PRAGMA secure_delete = ON');
    const prepared = Object.entries(statements).map(([key, sql]) => [key, database.prepare(sql)]);
    return { database, run: Object.fromEntries(prepared), identity: isFile ? await stat(path) : undefined };
  } catch (error) {
    database.close();
    throw error;
  }
}

/**
 * A file that was removed or replaced still takes writes, which no other process reads. A new one in its place would be empty: what was
 * counted and claimed would count for nothing.
 */
function checkStillThere(path: string, { identity }: Opened): void {
  if (identity === undefined) return;
  const there = statSync(path, { throwIfNoEntry: false });
  if (there?.ino === identity.ino && there.dev === identity.dev) return;
  throw Object.assign(
    new OwnError(
      'the file was removed or replaced while it was in use; put it back, or start the process again',
    ),
    { code: 'ENOENT' },
  );
}

/** Makes folder and file where there are none. SQLite itself would let everybody read them. */
async function makeFile(path: string, name: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  try {
    await (await openFile(path, 'wx', 0o600)).close();
  } catch (error) {
    if (!isSystemError(error, 'EEXIST')) throw error;
    if (!(await stat(path)).isFile())
      throw new StoreError('INCOMPATIBLE', `${capital(name)} is no regular file; choose a new file.`);
  }
}

/** Takes from others what they may do with the files. SQLite gives those that it makes later the mode of the first. */
async function keepPrivate(path: string, name: string): Promise<void> {
  if (process.platform === 'win32') return;
  for (const file of [path, `${path}-wal`, `${path}-shm`])
    try {
      const { mode } = await stat(file);
      if ((mode & 0o077) !== 0) await chmod(file, 0o600);
    } catch (error) {
      if (isSystemError(error, 'ENOENT')) continue;
      const what = `${capital(name)} is open to other users, which could not be changed (${reasonOf(error)}). Run chmod 600 on it, or give its owner's processes a file of their own.`;
      throw new StoreError('DENIED', what, { cause: withoutSecrets(error) });
    }
}

function isSystemError(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
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

function create(database: DatabaseSync, name: string): void {
  database.exec('PRAGMA journal_mode = WAL');
  const [begin, commit] = [database.prepare(statements.begin), database.prepare(statements.commit)];
  transaction(database, { begin, commit }, () => {
    if (isEmpty(database, name)) database.exec(schema);
  });
}

/** By the result code of SQLite, or the code of the system where a file could not be made. */
function codeOf(error: unknown): StoreErrorCode | 'BUSY' {
  if (!(error instanceof Error)) return 'FAILED';
  if (!('errcode' in error)) return codeOfSystem('code' in error ? String(error.code) : '');
  switch (Number(error.errcode) & 0xff) {
    case 5: // BUSY
    case 6: // LOCKED
      return 'BUSY';
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

function codeOfSystem(code: string): StoreErrorCode {
  if (/^(EACCES|EPERM|EROFS)$/.test(code)) return 'DENIED';
  if (/^(ENOSPC|EDQUOT)$/.test(code)) return 'FULL';
  return /^E[A-Z0-9]+$/.test(code) ? 'UNREACHABLE' : 'FAILED';
}
