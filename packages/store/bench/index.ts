import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { measure, report } from '@hooks/testing/bench';
import { noPostgres, noRedis, startPostgres, startRedis } from '@hooks/testing/servers';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { memoryStore, type Store } from '../src/index.ts';
import { postgresStore } from '../src/postgres.ts';
import { redisStore } from '../src/redis.ts';
import { sqliteStore } from '../src/sqlite.ts';

/*
 * A limit that is counted against, beside the cheapest write of the same client that could stand for it: add one to a number, and
 * return it. One call after the other, and 64 at once. The servers run on this machine, so a round trip is as short as it gets.
 */

const HOUR = 3_600_000;
const folder = mkdtempSync(join(tmpdir(), 'store-bench-'));
chmodSync(folder, 0o711); // Postgres passes through it as another user.
process.env['TMPDIR'] = folder;

{
  const numbers = new Map<string, number>();
  await compare('Memory', memoryStore(), 2_000, async () => {
    numbers.set('n', (numbers.get('n') ?? 0) + 1);
  });
}
{
  const file = join(folder, 'bare.db');
  const database = new DatabaseSync(file);
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; CREATE TABLE numbers (key TEXT PRIMARY KEY, n INTEGER)',
  );
  const add = database.prepare(
    'INSERT INTO numbers VALUES (?, 1) ON CONFLICT DO UPDATE SET n = n + 1 RETURNING n',
  );
  await compare('SQLite', sqliteStore(join(folder, 'store.db')), 500, async () => add.get('n'), 1.3);
}
if (noRedis) console.log(`\nRedis: not measured, it ${noRedis}`);
else {
  await using server = await startRedis();
  const client = new Redis(server.url);
  await compare('Redis, with ioredis', redisStore(client), 500, () => client.incr('n'), 1.3);
  client.disconnect();
}
if (noPostgres) console.log(`\nPostgres: not measured, it ${noPostgres}`);
else {
  await using server = await startPostgres();
  // As counters do it themselves: the disk would be all that is measured.
  const pool = new Pool({ connectionString: server.url, options: '-c synchronous_commit=off' });
  pool.on('error', () => {}); // `pool.end()` does not wait for the server.
  await pool.query('CREATE TABLE numbers (key text PRIMARY KEY, n bigint)');
  const add =
    'INSERT INTO numbers AS t VALUES ($1, 1) ON CONFLICT (key) DO UPDATE SET n = t.n + 1 RETURNING n';
  await compare('Postgres, with pg', postgresStore(pool), 300, () => pool.query(add, ['n']), 1.3);
  await pool.end();
}
rmSync(folder, { recursive: true });

/** `bare` adds one to a number. */
async function compare(
  title: string,
  store: Store,
  times: number,
  bare: () => Promise<unknown>,
  target?: number,
): Promise<void> {
  const counted = (windowMs: number) => () =>
    store.count({ key: `calls of ${windowMs}`, amount: 1, limit: 1_000_000_000, windowMs });
  const inTurn = (work: () => Promise<unknown>) => async (repeated: number) => {
    for (let time = 0; time < repeated; time++) await work();
  };
  const at64 = (work: () => Promise<unknown>) => async (repeated: number) => {
    for (let time = 0; time < repeated; time += 64) await Promise.all(Array.from({ length: 64 }, work));
  };
  const [plain, limit, busy] = [
    'bare client: add one',
    'limit of an hour',
    'limit of a second, a hundred parts',
  ];
  report(
    `${title}: one call after the other`,
    await measure(
      [
        { name: plain, run: inTurn(bare) },
        { name: limit, run: inTurn(counted(HOUR)) },
        { name: busy, run: inTurn(counted(1_000)) },
      ],
      times,
    ),
    target === undefined ? {} : { [limit]: target },
  );
  report(
    `${title}: 64 calls at once`,
    await measure(
      [
        { name: plain, run: at64(bare) },
        { name: limit, run: at64(counted(HOUR)) },
      ],
      Math.max(64, Math.floor(times / 64) * 64),
    ),
  );
  await store.close();
}
