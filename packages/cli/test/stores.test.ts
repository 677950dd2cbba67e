// A team's agents share a store on a server; a person answers on the command line, in another process.
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { journal } from '@hooks/journal';
import type { Store } from '@hooks/store';
import { inbox, waitingApprovals } from '@hooks/store/approvals';
import { postgresStore } from '@hooks/store/postgres';
import { redisStore } from '@hooks/store/redis';
import { noPostgres, noRedis, startPostgres, startRedis } from '@hooks/testing/servers';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import { expect, test } from 'vitest';
import { STORE_FORMS } from '../src/address.ts';
import { workspace } from './program.ts';
import { viewed } from './viewed.ts';

const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));

const config = temporaryFolder();

/** Runs `hooks …` in a process of its own. */
async function hooks(env: Readonly<Record<string, string>>, ...args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--conditions=@hooks/source', main, ...args],
    { cwd: temporaryFolder(), env: { ...process.env, XDG_CONFIG_HOME: config, ...env } },
  );
  return stdout;
}

async function emptyPolicy(): Promise<string> {
  const path = join(temporaryFolder(), 'policy.mjs');
  writeFileSync(path, "export default { name: 'empty', register() {} };\n");
  await hooks({}, 'trust', '--yes', path);
  return path;
}

/** What every command does with a store at an address. */
async function useFrom(store: Store, address: string): Promise<void> {
  const request = { toolName: 'pay', input: { amount: 5 }, reason: 'It costs money.', hash: 'h' };
  const waiting = inbox({ store, pollMs: 5 })(
    { ...request, callId: 'c1', sessionId: 's' },
    { signal: undefined },
  );
  await expect.poll(async () => (await waitingApprovals(store)).length).toBe(1);
  const [{ id } = { id: '' }] = await waitingApprovals(store);
  expect(await hooks({}, 'approvals', 'list', '--store', address)).toContain(id);
  // The address with its password does not stand among the arguments of a process.
  const env = { DATABASE: address, USER: 'ada' };
  expect(await hooks(env, 'approvals', 'allow', id, '--store', '$DATABASE')).toContain('allowed: pay');
  expect(await waiting).toEqual({ decision: 'allow', by: 'ada' });

  await store.set('tool-pins/pay', { tool: 'pay', hashes: { description: 'h' } });
  expect(await hooks({ HOOKS_STORE: address }, 'pins', 'list')).toContain('pay');

  const log = journal({ store });
  const policy = createHooks();
  policy.use(log);
  await callTool(policy, { session: policy.session('s'), toolName: 'pay', input: {} }, () => 'paid');
  await policy.close();
  await log.close();
  expect(await hooks({}, 'journal', 'verify', '--store', address)).toMatch(/^intact/);
  expect(await hooks({}, 'journal', 'export', '--store', address)).toContain('"pay"');
  const replayed = ['replay', '--policy', await emptyPolicy(), '--store', address];
  expect(await hooks({}, ...replayed)).toContain('1 of 1 calls can be judged');
  const read = await viewed(temporaryFolder(), '--store', address);
  expect(await read('runs')).toMatchObject([{ session: 's', tools: ['pay'] }]);
  expect(await read('overview')).toMatchObject({ store: store.name });
  expect(await hooks({}, 'journal', 'erase', '--session', 's', '--store', address)).toContain(
    'erased the data',
  );
  expect(await hooks({}, 'pins', 'forget', 'pay', '--store', address)).toContain('forgotten: pay');
  expect(await hooks({}, 'approvals', 'list', '--remembered', '--store', address)).toContain('no remembered');
}

test.skipIf(noPostgres !== undefined)(
  'approvals, pins, journal, replay and view take a store in Postgres',
  { timeout: 120_000 },
  async () => {
    await using server = await startPostgres();
    const pool = new Pool({ connectionString: server.url });
    pool.on('error', () => {});
    await useFrom(postgresStore(pool, { schema: 'agents' }), `${server.url}?schema=agents`);
    await pool.end();
  },
);

test.skipIf(noRedis !== undefined)(
  'approvals, pins, journal, replay and view take a store in Redis',
  { timeout: 120_000 },
  async () => {
    await using server = await startRedis();
    const client = new Redis(server.url);
    await useFrom(
      redisStore(client, { prefix: '{agents}:' }),
      `${server.url}?prefix=${encodeURIComponent('{agents}:')}`,
    );
    client.disconnect();
  },
);

const SECRET = 'correct-horse';

test.each([
  [
    `postgres://hooks:${SECRET}@127.0.0.1:1/hooks`,
    /Postgres store in schema hooks cannot be reached: the connection was refused \(ECONNREFUSED\); host 127.0.0.1, port 1\n$/,
  ],
  [
    `redis://:${SECRET}@127.0.0.1:1`,
    /Redis store hooks: cannot be reached: the client could not connect \(MaxRetriesPerRequestError\); host 127.0.0.1, port 1\n$/,
  ],
  [
    `mysql://hooks:${SECRET}@127.0.0.1/hooks`,
    /^hooks: --store: neither an address of Postgres or Redis, nor a file in /,
  ],
  [
    `postgres://hooks:${SECRET}@[oops/hooks`,
    /^hooks: --store: the address of Postgres cannot be read; expected postgres:\/\/user:password@host:port/,
  ],
  [
    `postgres://hooks:${SECRET}@127.0.0.1:1/hooks?schema=Not%20One`,
    /^hooks: --store: "\?schema=" takes at most 51 lower-case letters/,
  ],
  ['$NOWHERE', /^hooks: --store: the variable NOWHERE is not set\n$/],
])('the store %s is refused, without its password', async (address, message) => {
  const { cli } = workspace();
  const { code, stdout, stderr } = await cli('approvals', 'list', '--store', address);
  expect(code).not.toBe(0);
  expect(stderr).toMatch(message);
  expect(stdout + stderr).not.toContain(SECRET);
});

test('an address in the place of a journal leads to --store', async () => {
  const { cli } = workspace();
  const { stderr } = await cli('journal', 'verify', 'postgres://127.0.0.1/hooks');
  expect(stderr).toContain('for the address of a store, use --store');
});

test('a file that is missing is named, with what would be right', async () => {
  const { cli } = workspace();
  const { stderr } = await cli('pins', 'list', '--store', 'none.db');
  expect(stderr).toContain(STORE_FORMS);
});
