import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createHooks, PermissionRequest, ToolApprovalDecision } from '@hooks/core';
import { measure, report } from '@hooks/testing/bench';
import { noPostgres, noRedis, startPostgres, startRedis } from '@hooks/testing/servers';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { rememberApprovals } from '../src/approvals/index.ts';
import { memoryStore, type Store } from '../src/index.ts';
import { postgresStore } from '../src/postgres.ts';
import { redisStore } from '../src/redis.ts';
import { sqliteStore } from '../src/sqlite.ts';

/*
 * A limit that is counted against, beside the cheapest write of the same client that could stand for it: add one to a number, and
 * return it. One call after the other, and 64 at once. Then what a remembered approval costs, beside the cheapest read. The servers
 * run on this machine, so a round trip is as short as it gets.
 */

const HOUR = 3_600_000;
const folder = mkdtempSync(join(tmpdir(), 'store-bench-'));
chmodSync(folder, 0o711); // Postgres passes through it as another user.
process.env['TMPDIR'] = folder;

{
  const numbers = new Map<string, number>();
  const add = async () => numbers.set('n', (numbers.get('n') ?? 0) + 1);
  await compare('Memory', memoryStore(), 2_000, { add, read: async () => numbers.get('n') });
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
  const read = database.prepare('SELECT n FROM numbers WHERE key = ?');
  const bare = { add: async () => add.get('n'), read: async () => read.get('n') };
  await compare('SQLite', sqliteStore(join(folder, 'store.db')), 500, bare, 1.3);
}
if (noRedis) console.log(`\nRedis: not measured, it ${noRedis}`);
else {
  await using server = await startRedis();
  const client = new Redis(server.url);
  const bare = { add: () => client.incr('n'), read: () => client.get('n') };
  await compare('Redis, with ioredis', redisStore(client), 500, bare, 1.3);
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
  const read = 'SELECT n FROM numbers WHERE key = $1';
  const bare = { add: () => pool.query(add, ['n']), read: () => pool.query(read, ['n']) };
  await compare('Postgres, with pg', postgresStore(pool), 300, bare, 1.3);
  await pool.end();
}
rmSync(folder, { recursive: true });

/** What the client itself does with a number. */
interface Bare {
  add(): Promise<unknown>;
  read(): Promise<unknown>;
}

async function compare(
  title: string,
  store: Store,
  times: number,
  bare: Bare,
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
        { name: plain, run: inTurn(bare.add) },
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
        { name: plain, run: at64(bare.add) },
        { name: limit, run: at64(counted(HOUR)) },
      ],
      Math.max(64, Math.floor(times / 64) * 64),
    ),
  );
  const [read, known, unknown] = [
    'bare client: read one',
    'a remembered approval',
    'no approval is remembered',
  ];
  report(
    `${title}: is it approved?`,
    await measure(
      [
        { name: read, run: inTurn(bare.read) },
        { name: known, run: inTurn(await approvalOf(store, 'remembered')) },
        { name: unknown, run: inTurn(await approvalOf(store, 'unknown')) },
      ],
      times,
    ),
  );
  await store.close();
}

/** Asks whether a call of a tool is approved, as a call that needs approval does. */
async function approvalOf(store: Store, toolName: string): Promise<() => Promise<unknown>> {
  const hooks = createHooks();
  hooks.use(rememberApprovals({ store }));
  const inputSchema = () => ({ type: 'object', properties: { command: { type: 'string' } } });
  const tool = { kind: 'function', description: 'Runs a command.', inputSchema } as const;
  const about = {
    session: hooks.session('s'),
    callId: 'c',
    toolName,
    nativeToolName: toolName,
    tool,
    reason: '',
  };
  const input = { command: 'ls' };
  if (toolName === 'remembered') {
    const yes = { approval: 'allow', source: 'approver', remember: 'always' } as const;
    await hooks.dispatch(ToolApprovalDecision, { ...about, input, ...yes });
    await hooks.settled();
  }
  return async () => hooks.dispatch(PermissionRequest, { ...about, input });
}
