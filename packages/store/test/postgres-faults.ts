import { execFileSync, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { inspect } from 'node:util';
import { POSTGRES_USER, silentServer, type TestServer } from '@hooks/testing/servers';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { Pool, type PoolConfig } from 'pg';
import postgres from 'postgres';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { claim, waitFor } from '../src/index.ts';
import { type PgClient, type PostgresJsClient, postgresStore } from '../src/postgres.ts';
import { all } from '../src/testing/tools.ts';
import { mostOfPortion } from './most-of-portion.ts';

/** `pool.end()` does not wait for the server, which may end the connection first. */
const poolOf = (options: PoolConfig): Pool => new Pool(options).on('error', () => {});

/** Whether a small disk can be mounted for a server to fill. */
const cannotMount = !canMount();

function canMount(): boolean {
  const folder = temporaryFolder();
  if (spawnSync('mount', ['-t', 'tmpfs', 'none', folder]).status !== 0) return false;
  return spawnSync('umount', [folder]).status === 0;
}

const WRONG = 'not-the-right-password';

/** What goes wrong with Postgres, and how a store says so. */
export function testPostgresFaults(server: TestServer): void {
  let pool: Pool;
  beforeAll(() => {
    pool = poolOf({ connectionString: server.url });
  });
  afterAll(() => pool.end());

  const clients: Readonly<Record<string, (url: string) => PgClient | PostgresJsClient>> = {
    pg: (connectionString) => poolOf({ connectionString }),
    postgres: (url) => postgres(url),
  };

  it.each(Object.entries(clients))(
    '%s: wrong credentials are denied, and the password is nowhere',
    async (_name, of) => {
      const url = server.url.replace(/:[^:@]*@/, `:${WRONG}@`);
      const error: unknown = await postgresStore(of(url))
        .set('key', 1)
        .catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        code: 'DENIED',
        message: 'The Postgres store in schema hooks denied access: wrong user or password (28P01)',
      });
      expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(WRONG);
    },
  );

  it('reads large values behind small ones few at a time', async () => {
    let read = 0;
    const measured: PgClient = {
      query: async (text: string, values?: unknown[]) => {
        const result = await pool.query(text, values);
        read += JSON.stringify(result.rows).length;
        return result;
      },
    };
    const most = await mostOfPortion(postgresStore(measured, { schema: 'large' }), () => {
      const before = read;
      read = 0;
      return before;
    });
    expect(most).toBeLessThan(2_000_000);
  });

  it.each(Object.entries(clients))('%s: a server that is not there cannot be reached', async (_name, of) => {
    const error = await postgresStore(of(`postgres://hooks:${WRONG}@127.0.0.1:1/postgres`), {
      timeoutMs: 20_000,
    })
      .get('key')
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'UNREACHABLE', message: expect.stringContaining('ECONNREFUSED') });
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(WRONG);
  });

  it.each(Object.entries(clients))(
    '%s: a server that never answers is unreachable when the time is over',
    async (_name, of) => {
      const silent = await silentServer();
      const store = postgresStore(of(`postgres://hooks:${WRONG}@127.0.0.1:${silent.port}/postgres`), {
        timeoutMs: 50,
      });
      await expect(store.get('key')).rejects.toMatchObject({
        code: 'UNREACHABLE',
        message: 'The Postgres store in schema hooks cannot be reached: it did not answer within 50 ms',
      });
      silent.end();
    },
  );

  it('an address that cannot be read is not repeated, since the password is in it', async () => {
    const client = poolOf({ connectionString: `postgres://hooks:${WRONG}@[oops/postgres` });
    const error: unknown = await postgresStore(client)
      .get('key')
      .catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      code: 'FAILED',
      message:
        'The Postgres store in schema hooks failed: the address of the client is no URL (ERR_INVALID_URL)',
    });
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(WRONG);
  });

  it('a database that does not exist is reported without its name, which may be a part of a password', async () => {
    const other = poolOf({
      connectionString: server.url.replace('/postgres?', '').replace(/[^/]*$/, 'nowhere'),
    });
    await expect(postgresStore(other).get('key')).rejects.toMatchObject({
      code: 'UNREACHABLE',
      message: 'The Postgres store in schema hooks cannot be reached: no such database (3D000)',
    });
    await other.end();
  });

  it('a store of another version is refused, with both versions', async () => {
    await postgresStore(pool, { schema: 'newer' }).set('key', 1);
    await pool.query('UPDATE newer.store SET version = 3');
    await expect(postgresStore(pool, { schema: 'newer' }).set('key', 2)).rejects.toMatchObject({
      code: 'INCOMPATIBLE',
      message: 'The Postgres store in schema newer has version 3; this version of @hooks/store needs 2.',
    });
  });

  it('a schema of another program is refused', async () => {
    await pool.query('CREATE SCHEMA shop; CREATE TABLE shop.store (city text)');
    await expect(postgresStore(pool, { schema: 'shop' }).set('key', 1)).rejects.toMatchObject({
      code: 'INCOMPATIBLE',
      message: expect.stringContaining('column "version" does not exist'),
    });
  });

  it('a schema that is dropped under a store is refused, and not made anew without a word', async () => {
    const store = postgresStore(pool, { schema: 'dropped' });
    await store.count({ key: 'a', amount: 1, windowMs: 60_000 });
    await pool.query('DROP SCHEMA dropped CASCADE');
    const gone = { code: 'INCOMPATIBLE', message: expect.stringContaining('dropped') };
    await expect(store.count({ key: 'a', amount: 1, windowMs: 60_000 })).rejects.toMatchObject(gone);
    await expect(store.get('key')).rejects.toMatchObject(gone);
  });

  it('whoever waits has the answer though the connection that tells of it was cut', async () => {
    const store = postgresStore(pool, { schema: 'cut' });
    await store.set('key', 'waiting');
    const waiting = waitFor(store, 'key', (entry) => entry?.value === 'done', { pollMs: 20 });
    const watching = await store.watch('key', () => {});
    expect(watching.isTold).toBe(true);
    await pool.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query = 'NOTIFY cut_changed' AND pid <> pg_backend_pid()`,
    );
    await expect.poll(() => watching.isTold).toBe(false);
    watching.stop();
    await store.set('key', 'done');
    expect(await waiting).toMatchObject({ value: 'done' });
    const again = await store.watch('key', () => {});
    expect(again.isTold).toBe(true);
    again.stop();
    await store.close();
  });

  it('a pool of one connection is not taken by whoever waits', async () => {
    const single = poolOf({ connectionString: server.url, max: 1 });
    const store = postgresStore(single, { schema: 'cut' });
    await store.set('one', 'waiting');
    const waiting = waitFor(store, 'one', (entry) => entry?.value === 'done', { pollMs: 20 });
    await store.set('one', 'done', { notify: true });
    expect(await waiting).toMatchObject({ value: 'done' });
    await single.end();
  });

  it('a schema that others made is used by a user who may not make one', async () => {
    await pool.query('CREATE ROLE agent LOGIN PASSWORD $$agent-password$$');
    const agent = poolOf({ connectionString: server.url.replace(/\/\/[^@]*@/, '//agent:agent-password@') });
    await expect(postgresStore(agent, { schema: 'granted' }).get('key')).rejects.toMatchObject({
      code: 'DENIED',
    });
    await postgresStore(pool, { schema: 'granted' }).set('key', 1);
    await expect(postgresStore(agent, { schema: 'granted' }).get('key')).rejects.toMatchObject({
      code: 'DENIED',
      message: expect.stringContaining('permission denied'),
    });
    await pool.query(
      'GRANT USAGE ON SCHEMA granted TO agent; GRANT ALL ON ALL TABLES IN SCHEMA granted TO agent',
    );
    const store = postgresStore(agent, { schema: 'granted' });
    expect(await store.get('key')).toMatchObject({ value: 1 });
    expect(await store.count({ key: 'c', amount: 1, windowMs: 60_000 })).toMatchObject({ counted: true });
    await agent.end();
  });

  it.each(['read committed', 'repeatable read', 'serializable'])(
    'counts, claims and appends of many at once are exact under the isolation level "%s"',
    async (level) => {
      const strict = poolOf({
        connectionString: server.url,
        options: `-c default_transaction_isolation=${level.replace(' ', '\\ ')}`,
        max: 10,
      });
      const store = postgresStore(strict, { schema: level.replace(' ', '_'), timeoutMs: 20_000 });
      await store.set('key', 1);
      const count = () => store.count({ key: 'c', amount: 1, limit: 25, windowMs: 60_000 });
      const lease = (id: number) =>
        store.count({ key: 'l', amount: 1, limit: 5, windowMs: 60_000, id: `${id}` });
      const forty = Array.from({ length: 40 }, (_, index) => index);
      const counted = await Promise.all(forty.map(count));
      expect(counted.filter((each) => each.counted)).toHaveLength(25);
      const leases = await Promise.all(forty.map(lease));
      expect(leases.filter((each) => each.counted)).toHaveLength(5);
      const claims = await Promise.all(forty.map(() => claim(store, 'claimed', { ttlMs: 60_000 })));
      expect(claims.filter(Boolean)).toHaveLength(1);
      await Promise.all(forty.map((index) => store.append('log', [index])));
      const records = (await all(store.read('log'))).map(({ record }) => Number(record));
      expect(records.toSorted((a, b) => a - b)).toEqual(forty);
      await strict.end();
    },
  );

  it('a client without prepared statements (a pooler) works', async () => {
    const sql = postgres(server.url, { prepare: false });
    const store = postgresStore(sql, { schema: 'pooled' });
    await store.set('key', 1);
    expect(await store.get('key')).toMatchObject({ value: 1 });
    expect(await store.count({ key: 'c', amount: 1, windowMs: 60_000 })).toMatchObject({ totals: [1] });
    await sql.end();
  });

  it('a pool that was ended is unreachable', async () => {
    const ended = poolOf({ connectionString: server.url });
    await ended.end();
    await expect(postgresStore(ended).get('key')).rejects.toMatchObject({ code: 'UNREACHABLE' });
  });

  it.skipIf(cannotMount)(
    `a full disk is told apart, and leaves nothing half written${cannotMount ? ' (not run: needs root, to mount a small disk)' : ''}`,
    async () => {
      const disk = temporaryFolder();
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=4m,uid=${POSTGRES_USER},mode=700`, 'none', disk]);
      try {
        await pool.query(`CREATE TABLESPACE small LOCATION '${disk}'`);
        const small = poolOf({ connectionString: server.url, options: '-c default_tablespace=small' });
        const store = postgresStore(small, { schema: 'small' });
        await store.set('key', 'before');
        const written: string[] = [];
        // It does not compress.
        const big = randomBytes(75_000).toString('base64');
        const fill = async () => {
          for (let index = 10; index < 200; index++) {
            await store.set(`big/${index}`, big);
            written.push(`big/${index}`);
          }
        };
        const full = {
          code: 'FULL',
          message: expect.stringMatching(
            /^The Postgres store in schema small is full, and nothing was written/,
          ),
        };
        await expect(fill()).rejects.toMatchObject(full);
        await expect(store.append('log', ['small', big, big])).rejects.toMatchObject(full);
        expect((await all(store.list('big/'))).map(({ key }) => key)).toEqual(written);
        expect(written).not.toEqual([]);
        expect(await all(store.read('log'))).toEqual([]);
        expect(await store.get('key')).toMatchObject({ value: 'before' });
        await small.end();
        await pool.query('DROP SCHEMA small CASCADE');
        await pool.query('DROP TABLESPACE small');
      } finally {
        execFileSync('umount', ['--lazy', disk]);
      }
    },
  );

  it('a schema whose name needs quotes is refused', () => {
    expect(() => postgresStore(pool, { schema: 'a"; DROP TABLE x' })).toThrow(/lower-case letters/);
  });
}
