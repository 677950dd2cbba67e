import { optionKinds } from '@hooks/core/options';
import { checkOptions, duration } from './arguments.ts';
import { APPEND_MS, PORTION_BYTES, REQUEST_MS, type StoreDriver, type WriteListener } from './driver.ts';
import { capital, StoreError, type StoreErrorCode } from './error.ts';
import { later } from './later.ts';
import { once } from './once.ts';
import { type Store, type StoreOptions, storeOn } from './store.ts';

type Parameter = string | number | boolean | null;
type Rows = readonly { readonly [column: string]: unknown }[];

/** A pool or client of `pg`. */
export interface PgClient {
  query(text: string, values?: Parameter[]): Promise<{ readonly rows: Rows }>;
}

/** A pool of `pg`, which lends a connection that hears of answers. A pool of one has none to lend. */
interface PgPool extends PgClient {
  readonly options: { readonly max?: number };
  connect(): Promise<PgConnection>;
}

interface PgConnection extends PgClient {
  on(event: 'notification', listener: (message: { readonly payload?: string | undefined }) => void): unknown;
  on(event: 'error' | 'end', listener: () => void): unknown;
  release(isBroken?: boolean): void;
}

/** What `postgres()` of the package `postgres` returns. */
export interface PostgresJsClient {
  unsafe(query: string, parameters?: Parameter[], options?: { readonly prepare: boolean }): PromiseLike<Rows>;
  /** Without it, whoever waits reads again and again. */
  listen?(channel: string, listener: (payload: string) => void): PromiseLike<{ unlisten(): Promise<void> }>;
}

/** Options of {@link postgresStore}. */
export interface PostgresStoreOptions extends StoreOptions {
  /** The schema of its tables and functions. Default: `hooks`. Created if it does not exist. */
  readonly schema?: string;
}

/**
 * A store in Postgres (14 or later), on a pool or client that you own: listen to its errors and close it. Each call is
 * one statement. The first call creates the schema, once, even if several processes start at the same moment.
 */
export function postgresStore(
  client: PgClient | PostgresJsClient,
  options: PostgresStoreOptions = {},
): Store {
  options = checkOptions('postgresStore', options, { schema: optionKinds.text, timeoutMs: duration });
  const { schema = 'hooks' } = options;
  if (!/^[a-z_][a-z0-9_]{0,50}$/.test(schema)) {
    // It may come from an address, with the password behind it.
    const text = 'postgresStore: `schema` must be at most 51 lower-case letters, digits and underscores.';
    throw new StoreError('INVALID', text);
  }
  return storeOn(postgresDriver(client, schema), options);
}

const VERSION = 2;

/** A date for a counter that holds nothing. */
const NEVER = Number.MAX_SAFE_INTEGER;

/**
 * Runs as one transaction, under a lock. Everything that reads and then writes is a function on the server: one round
 * trip, on the server's clock. Every function removes up to a hundred expired rows at its end, and skips rows that
 * others use.
 *
 * A request that wrote something puts its id into `requests`. Where it comes again while the first one still runs, the second one
 * fails as a duplicate, with all that it wrote, and is retried. So does, under a stricter isolation than "read committed", what
 * would have decided on rows that others have changed since.
 */
const migrationOf = (schema: string): string => `
DO $migration$ BEGIN
PERFORM pg_advisory_xact_lock(hashtext('${schema}'), 0);
IF to_regclass('${schema}.store') IS NOT NULL THEN RETURN; END IF;
IF to_regnamespace('${schema}') IS NULL THEN CREATE SCHEMA ${schema}; END IF;

CREATE TABLE ${schema}.store (version int NOT NULL);
INSERT INTO ${schema}.store VALUES (${VERSION});

CREATE TABLE ${schema}.entries
  (key text COLLATE "C" PRIMARY KEY, text text NOT NULL, version text NOT NULL, expires_at bigint);
CREATE INDEX ON ${schema}.entries (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE ${schema}.amounts
  (counter text, id text, amount bigint NOT NULL, expires_at bigint NOT NULL, PRIMARY KEY (counter, id));
CREATE INDEX ON ${schema}.amounts (counter, expires_at);
CREATE TABLE ${schema}.counters (counter text PRIMARY KEY, total bigint NOT NULL, next bigint NOT NULL, last bigint NOT NULL);
CREATE INDEX ON ${schema}.counters (last);

CREATE TABLE ${schema}.requests (id text PRIMARY KEY, answer text NOT NULL, expires_at bigint NOT NULL);
CREATE INDEX ON ${schema}.requests (expires_at);

CREATE TABLE ${schema}.streams (stream text PRIMARY KEY, length bigint NOT NULL, expires_at bigint);
CREATE INDEX ON ${schema}.streams (expires_at) WHERE expires_at IS NOT NULL;
CREATE TABLE ${schema}.records (stream text, position bigint, text text NOT NULL, PRIMARY KEY (stream, position));

CREATE FUNCTION ${schema}.now_ms() RETURNS bigint LANGUAGE sql AS
  $$ SELECT floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint $$;

-- What is expired is removed now and then, a hundred at once: one row for each write would cost more.
CREATE FUNCTION ${schema}.know(request text, answer text, until bigint, at bigint) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO ${schema}.requests VALUES (request, answer, until);
  IF random() < 0.03 THEN
    DELETE FROM ${schema}.requests WHERE id IN
      (SELECT id FROM ${schema}.requests WHERE expires_at <= at LIMIT 100 FOR UPDATE SKIP LOCKED);
  END IF;
END $$;

CREATE FUNCTION ${schema}.write
  (at_key text, new_text text, new_version text, expected text, only_new boolean, ttl bigint)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  at bigint := ${schema}.now_ms();
  written int;
BEGIN
  IF EXISTS (SELECT FROM ${schema}.requests WHERE id = new_version) THEN RETURN true; END IF;
  IF new_text IS NULL THEN
    DELETE FROM ${schema}.entries WHERE key = at_key AND NOT only_new
      AND (expected IS NULL OR version = expected) AND (expires_at IS NULL OR expires_at > at);
  ELSIF expected IS NOT NULL THEN
    UPDATE ${schema}.entries SET text = new_text, version = new_version, expires_at = at + ttl
      WHERE key = at_key AND version = expected AND (expires_at IS NULL OR expires_at > at);
  ELSE
    INSERT INTO ${schema}.entries AS e VALUES (at_key, new_text, new_version, at + ttl)
      ON CONFLICT (key) DO UPDATE SET text = new_text, version = new_version, expires_at = at + ttl
      WHERE NOT only_new OR e.expires_at <= at;
  END IF;
  GET DIAGNOSTICS written = ROW_COUNT;
  -- What refuses it may be the same request, which ran meanwhile.
  IF written = 0 THEN RETURN EXISTS (SELECT FROM ${schema}.requests WHERE id = new_version); END IF;
  PERFORM ${schema}.know(new_version, 'true', at + ${REQUEST_MS}, at);
  DELETE FROM ${schema}.entries WHERE key IN
    (SELECT key FROM ${schema}.entries WHERE expires_at <= at LIMIT 100 FOR UPDATE SKIP LOCKED);
  RETURN true;
END $$;

-- What it costs does not depend on how many amounts a counter holds. Counters are locked in one order.
CREATE FUNCTION ${schema}.count(request text, counts text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  c record;
  held ${schema}.counters;
  at bigint;
  ends bigint;
  name text;
  own bigint;
  wrote boolean := false;
  grew boolean := false;
  totals bigint[] := '{}';
  after bigint[] := '{}';
  refusing text;
  retry bigint;
  result text;
BEGIN
  -- Does not wait for the disk. Where the server itself crashes, counts of the last moment are lost.
  PERFORM set_config('synchronous_commit', 'off', true);
  SELECT answer INTO result FROM ${schema}.requests WHERE id = request;
  IF FOUND THEN RETURN result; END IF;
  FOR c IN SELECT e->>'key' AS key FROM json_array_elements(counts::json) e ORDER BY 1 LOOP
    LOOP
      PERFORM FROM ${schema}.counters WHERE counter = c.key FOR UPDATE;
      EXIT WHEN FOUND;
      INSERT INTO ${schema}.counters VALUES (c.key, 0, ${NEVER}, 0) ON CONFLICT DO NOTHING;
    END LOOP;
  END LOOP;
  at := ${schema}.now_ms();
  FOR c IN SELECT * FROM json_to_recordset(counts::json)
    AS t(key text, amount bigint, "limit" bigint, "windowMs" bigint, id text) LOOP
    SELECT * INTO held FROM ${schema}.counters WHERE counter = c.key;
    IF held.next <= at THEN
      WITH gone AS (DELETE FROM ${schema}.amounts a WHERE a.counter = c.key AND a.expires_at <= at RETURNING a.amount)
        SELECT held.total - coalesce(sum(amount), 0) INTO held.total FROM gone;
      SELECT coalesce(min(a.expires_at), ${NEVER}) INTO held.next FROM ${schema}.amounts a WHERE a.counter = c.key;
      -- Some may have been removed before without being subtracted.
      IF held.next = ${NEVER} THEN held.total := 0; END IF;
      UPDATE ${schema}.counters SET total = held.total, next = held.next WHERE counter = c.key;
    END IF;
    own := 0;
    IF c.id IS NOT NULL THEN
      SELECT coalesce(sum(a.amount), 0) INTO own FROM ${schema}.amounts a WHERE a.counter = c.key AND a.id = 'id ' || c.id;
    END IF;
    totals := totals || held.total;
    after := after || held.total - own + c.amount;
    IF refusing IS NULL AND c.amount > 0 AND held.total - own + c.amount > c."limit" THEN
      refusing := c.key;
      IF c.amount <= c."limit" THEN retry := held.next - at; END IF;
    END IF;
  END LOOP;
  IF refusing IS NOT NULL THEN
    SELECT answer INTO result FROM ${schema}.requests WHERE id = request;
    IF FOUND THEN RETURN result; END IF;
    RETURN json_strip_nulls(
      json_build_object('counted', false, 'totals', totals, 'key', refusing, 'retryAfterMs', retry));
  END IF;
  FOR c IN SELECT *, greatest(1, "windowMs" / 100) AS part FROM ROWS FROM (json_to_recordset(counts::json)
    AS (key text, amount bigint, "windowMs" bigint, id text)) WITH ORDINALITY AS t(key, amount, "windowMs", id, place) LOOP
    CONTINUE WHEN c.amount = 0 AND c.id IS NULL;
    wrote := true;
    IF c.amount > 0 THEN
      ends := CASE WHEN c.id IS NULL THEN (at / c.part + 1) * c.part ELSE at END + c."windowMs";
      name := coalesce('id ' || c.id, 'until ' || ends);
      UPDATE ${schema}.amounts a SET expires_at = ends,
        amount = CASE WHEN c.id IS NULL THEN a.amount + c.amount ELSE c.amount END
        WHERE a.counter = c.key AND a.id = name;
      IF NOT FOUND THEN
        INSERT INTO ${schema}.amounts VALUES (c.key, name, c.amount, ends);
        grew := true;
      END IF;
      UPDATE ${schema}.counters SET total = after[c.place], next = least(next, ends), last = greatest(last, ends)
        WHERE counter = c.key;
    ELSE
      DELETE FROM ${schema}.amounts a WHERE a.counter = c.key AND a.id = 'id ' || c.id;
      UPDATE ${schema}.counters SET total = after[c.place] WHERE counter = c.key AND after[c.place] > 0;
      IF NOT FOUND THEN DELETE FROM ${schema}.counters WHERE counter = c.key; END IF;
    END IF;
  END LOOP;
  result := json_build_object('counted', true, 'totals', after);
  IF wrote THEN PERFORM ${schema}.know(request, result, at + ${REQUEST_MS}, at); END IF;
  -- Only a new row makes room necessary. At the end: nothing may wait for others while it holds their rows.
  IF grew THEN
    FOR c IN SELECT counter FROM ${schema}.counters WHERE last <= at LIMIT 100 FOR UPDATE SKIP LOCKED LOOP
      DELETE FROM ${schema}.amounts WHERE ctid = ANY (ARRAY
        (SELECT a.ctid FROM ${schema}.amounts a WHERE a.counter = c.counter LIMIT 100));
      DELETE FROM ${schema}.counters k WHERE k.counter = c.counter
        AND NOT EXISTS (SELECT FROM ${schema}.amounts a WHERE a.counter = c.counter);
    END LOOP;
  END IF;
  RETURN result;
END $$;

CREATE FUNCTION ${schema}.append(request text, to_stream text, texts text, expected bigint, ttl bigint)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  at bigint;
  now_long bigint;
  expiry bigint;
  added bigint := 0;
  result text;
BEGIN
  SELECT answer INTO result FROM ${schema}.requests WHERE id = request;
  IF FOUND THEN RETURN result; END IF;
  INSERT INTO ${schema}.streams AS s VALUES (to_stream, 0)
    ON CONFLICT (stream) DO UPDATE SET length = s.length RETURNING length, expires_at INTO now_long, expiry;
  at := ${schema}.now_ms();
  IF expiry <= at THEN
    DELETE FROM ${schema}.records WHERE stream = to_stream;
    now_long := 0;
  END IF;
  IF expected IS NULL OR expected = now_long THEN
    INSERT INTO ${schema}.records SELECT to_stream, now_long + ordinality - 1, value
      FROM json_array_elements_text(texts::json) WITH ORDINALITY;
    GET DIAGNOSTICS added = ROW_COUNT;
    UPDATE ${schema}.streams SET length = now_long + added, expires_at = at + ttl WHERE stream = to_stream;
  ELSIF now_long = 0 THEN
    DELETE FROM ${schema}.streams WHERE stream = to_stream;
  END IF;
  DELETE FROM ${schema}.records WHERE (stream, position) IN
    (SELECT stream, position FROM ${schema}.records JOIN ${schema}.streams USING (stream)
      WHERE expires_at <= at LIMIT 100 FOR UPDATE SKIP LOCKED);
  DELETE FROM ${schema}.streams WHERE stream IN
    (SELECT stream FROM ${schema}.streams s WHERE expires_at <= at
      AND NOT EXISTS (SELECT FROM ${schema}.records r WHERE r.stream = s.stream) LIMIT 100 FOR UPDATE SKIP LOCKED);
  IF added = 0 THEN
    SELECT answer INTO result FROM ${schema}.requests WHERE id = request;
    RETURN coalesce(result, json_build_object('appended', false, 'length', now_long)::text);
  END IF;
  result := json_build_object('appended', true, 'length', now_long + added);
  PERFORM ${schema}.know(request, result, at + ${APPEND_MS}, at);
  RETURN result;
END $$;

END $migration$`;

/** The first rows, up to the one with which their texts reach the length of a portion. Their lengths are known without reading them. */
function portionOf(order: string, rows: string): string {
  return `SELECT * FROM (SELECT *, sum(octet_length(text)) OVER (ORDER BY ${order}) - octet_length(text) AS before
    FROM (${rows}) AS rows) AS sized WHERE before < ${PORTION_BYTES} ORDER BY ${order}`;
}

function postgresDriver(client: PgClient | PostgresJsClient, schema: string): StoreDriver {
  const name = `the Postgres store in schema ${schema}`;
  const channel = `${schema}_changed`;
  const live = `(expires_at IS NULL OR expires_at > ${schema}.now_ms())`;

  const migrate = once(async () => {
    await query(client, migrationOf(schema));
    const [row] = await query(client, `SELECT version FROM ${schema}.store`);
    if (row?.['version'] === VERSION) return;
    const text = `${capital(name)} has version ${row?.['version']}; this version of @hooks/store needs ${VERSION}.`;
    throw new StoreError('INCOMPATIBLE', text);
  });

  async function run(text: string, values: Parameter[]): Promise<Rows> {
    await migrate();
    return query(client, text, values);
  }

  return {
    name,

    async get(key) {
      const [row] = await run(`SELECT text, version FROM ${schema}.entries WHERE key = $1 AND ${live}`, [
        key,
      ]);
      return row && { text: String(row['text']), version: String(row['version']) };
    },

    async set({ key, text = null, request, expected, ttlMs = null, notify }) {
      const call = `SELECT ${schema}.write($1, $2, $3, $4, $5, $6) AS written`;
      // A notification takes a lock on all others, so only what somebody waits for has one.
      const told = `SELECT written, CASE WHEN written THEN pg_notify('${channel}', $1::text) END FROM (${call}) AS done`;
      const values = [key, text, request, expected ?? null, expected === null, ttlMs];
      const [row] = await run(notify ? told : call, values);
      return row?.['written'] === true;
    },

    async list(prefix, after, limit) {
      const rows = await run(
        portionOf(
          'key',
          `SELECT key, text, version FROM ${schema}.entries WHERE key >= $1 AND key < $2 AND key > $3 AND ${live}
            ORDER BY key LIMIT $4`,
        ),
        [prefix, `${prefix}\u{10ffff}`, after, limit],
      );
      return rows.map(({ key, text, version }) => ({
        key: String(key),
        text: String(text),
        version: String(version),
      }));
    },

    async count(counts, request) {
      const [row] = await run(`SELECT ${schema}.count($1, $2) AS counted`, [request, JSON.stringify(counts)]);
      return JSON.parse(String(row?.['counted']));
    },

    async append({ stream, request, records, expected = null, ttlMs = null }) {
      const call = `SELECT ${schema}.append($1, $2, $3, $4, $5) AS appended`;
      const [row] = await run(call, [request, stream, JSON.stringify(records), expected, ttlMs]);
      return JSON.parse(String(row?.['appended']));
    },

    async read(stream, from, limit) {
      const rows = await run(
        portionOf(
          'position',
          `SELECT position, text FROM ${schema}.records JOIN ${schema}.streams USING (stream)
            WHERE stream = $1 AND position >= $2 AND ${live} ORDER BY position LIMIT $3`,
        ),
        [stream, from, limit],
      );
      return rows.map(({ position, text }) => ({ position: Number(position), text: String(text) }));
    },

    async trim(stream, before) {
      await run(`DELETE FROM ${schema}.records WHERE stream = $1 AND position < $2`, [stream, before]);
    },

    codeOf,

    async listen({ changed, lost }) {
      await migrate();
      if ('unsafe' in client) {
        if (client.listen === undefined) throw new TypeError('this client cannot listen');
        // It connects again by itself.
        const { unlisten } = await client.listen(channel, changed);
        return unlisten;
      }
      if (!isPool(client)) throw new TypeError('only a pool of two or more has a connection to listen with');
      return listenWith(await client.connect(), channel, { changed, lost });
    },
  };
}

function isPool(client: PgClient): client is PgPool {
  return (
    'connect' in client &&
    'totalCount' in client &&
    Number(Reflect.get(Object(Reflect.get(client, 'options')), 'max') ?? 10) > 1
  );
}

/** What is sent to hear whether anything is: a pooler between may give each statement another connection. */
const HELLO = '';
const HELLO_MS = 1_000;

async function listenWith(
  connection: PgConnection,
  channel: string,
  { changed, lost }: WriteListener,
): Promise<() => Promise<void>> {
  const hello = Promise.withResolvers<void>();
  hello.promise.catch(() => {});
  let isOpen = true;
  const end = (isBroken: boolean): void => {
    if (!isOpen) return;
    isOpen = false;
    connection.release(isBroken);
  };
  connection.on('notification', ({ payload = '' }) =>
    payload === HELLO ? hello.resolve() : changed(payload),
  );
  for (const event of ['error', 'end'] as const)
    connection.on(event, () => {
      if (!isOpen) return;
      end(true);
      lost();
    });
  const cancel = later(HELLO_MS, () => hello.reject(new TypeError('what is notified does not arrive')));
  try {
    await connection.query(`LISTEN ${channel}`);
    await connection.query(`NOTIFY ${channel}`);
    await hello.promise;
  } catch (error) {
    end(true);
    throw error;
  } finally {
    cancel();
  }
  // The connection is closed: what it listens to would stay with it in the pool.
  return async () => end(true);
}

async function query(client: PgClient | PostgresJsClient, text: string, values?: Parameter[]): Promise<Rows> {
  if ('unsafe' in client) return client.unsafe(text, values, { prepare: values !== undefined });
  return (await client.query(text, values)).rows;
}

/** By SQLSTATE. Errors without one are connection errors. */
function codeOf(error: unknown): StoreErrorCode | 'BUSY' {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (!/^(?=.*\d)[0-9A-Z]{5}$/.test(code)) return error instanceof TypeError ? 'FAILED' : 'UNREACHABLE';
  // Serialization failure, deadlock, and a request that comes again while the first one runs.
  if (/^(40001|40P01|23505)$/.test(code)) return 'BUSY';
  // Connection, no such database, shutting down, too many connections.
  if (/^(08|3D|57P|53300)/.test(code)) return 'UNREACHABLE';
  // Wrong credentials, no privilege, a read-only transaction.
  if (/^(28|42501|25006)/.test(code)) return 'DENIED';
  // Disk full, out of memory.
  if (/^53[12]/.test(code)) return 'FULL';
  // No such schema, table, column or function: somebody has dropped or changed it. What it held is not made up for.
  if (/^(3F000|42(P01|703|883))/.test(code)) return 'INCOMPATIBLE';
  return 'FAILED';
}
