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
import { expect, test, vi } from 'vitest';
import { STORE_FORMS } from '../src/store.ts';
import { workspace } from './program.ts';

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
  expect(await hooks({}, 'journal', 'erase', '--session', 's', '--store', address)).toContain(
    'erased the data',
  );
  expect(await hooks({}, 'pins', 'forget', 'pay', '--store', address)).toContain('forgotten: pay');
  expect(await hooks({}, 'approvals', 'list', '--remembered', '--store', address)).toContain('no remembered');
}

test.skipIf(noPostgres !== undefined)(
  'approvals, pins and journal take a store in Postgres',
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
  'approvals, pins and journal take a store in Redis',
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
  [`postgres://hooks:${SECRET}@127.0.0.1:1/hooks`, /Postgres store in schema hooks cannot be reached/],
  [`redis://:${SECRET}@127.0.0.1:1`, /Redis store hooks: cannot be reached/],
  [`mysql://hooks:${SECRET}@127.0.0.1/hooks`, /a store cannot be at mysql:\/\//],
  [`postgres://hooks:${SECRET}@[oops/hooks`, /the address cannot be read/],
  [`postgres://hooks:${SECRET}@127.0.0.1:1/hooks?schema=Not%20One`, /schema "Not One" must be/],
  ['$NOWHERE', /NOWHERE is not set/],
])('the store %s is refused, without its password', async (address, message) => {
  const { cli } = workspace();
  const { code, stdout, stderr } = await cli('approvals', 'list', '--store', address);
  expect(code).not.toBe(0);
  expect(stderr).toMatch(message);
  expect(stdout + stderr).not.toContain(SECRET);
});

const ADDRESSES = [
  `postgres://hooks:${SECRET}@127.0.0.1:1/hooks`,
  `redis:hooks:${SECRET}@127.0.0.1`,
  ` postgres:/hooks:${SECRET} x@127.0.0.1/hooks`,
  `https://127.0.0.1/journal?key=${SECRET}`,
  `https://127.0.0.1/journal#token=${SECRET}`,
  `hooks:${SECRET}@127.0.0.1/hooks`,
  `//hooks:${SECRET}@127.0.0.1/hooks`,
  `postgres:/hooks:${SECRET}`,
  `jdbc:postgresql:/127.0.0.1/hooks;password=${SECRET}`,
  `host=127.0.0.1 password=${SECRET}`,
  `DATABASE_URL=postgres:/hooks:${SECRET}@127.0.0.1/hooks`,
  `"postgres:/hooks:${SECRET}@127.0.0.1/hooks"`,
  `./postgres:/hooks:${SECRET}@127.0.0.1/hooks`,
  `\u202epostgres:/hooks:a\n${SECRET}@127.0.0.1/hooks`,
  '$DATABASE_URL',
];

// As `hooks journal verify $DATABASE_URL` in a script, without --store.
test.each(
  [
    ['journal', 'verify'],
    ['replay', '--policy', 'hooks.yaml', '--journal'],
    ['replay'],
    ['view', '--journal'],
    ['approvals', 'list', '--store'],
    ['approvals', 'list', '--store', 'a.db'],
    ['validate'],
    ['explain', 'event.json', '--file'],
    ['journal', 'verify', '.', '--key'],
    [],
  ].flatMap((words) => ADDRESSES.map((address) => [[...words, address]] as const)),
)('%j is refused, without the password of the address', async (words) => {
  vi.stubEnv('DATABASE_URL', `postgres:/hooks:${SECRET}@127.0.0.1/hooks`);
  const { cli } = workspace();
  const { code, stdout, stderr } = await cli(...words);
  expect(code).not.toBe(0);
  expect(stderr).not.toBe('');
  expect(stdout + stderr).not.toContain(SECRET);
});

test.each([[['init']], [['untrust']], [['uninstall', '--for', 'codex', '--settings']]])(
  '%j does not repeat the password of an address',
  async (words) => {
    const { cli } = workspace();
    for (const address of ADDRESSES) {
      const { stdout, stderr } = await cli(...words, address);
      expect(stdout + stderr).not.toContain(SECRET);
    }
  },
);

test.each(['--as', '--limit', '--file', '--policy'])(
  'a hook with an address as its %s refuses without the password',
  async (option) => {
    const { asHook } = workspace();
    const event = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: {}, session_id: 's' };
    for (const address of ADDRESSES) {
      const words = option === '--as' ? [] : ['--as', 'claude-code'];
      const { code, stdout, stderr } = await asHook(event, ...words, option, address);
      expect(code).not.toBe(0);
      expect(stdout + stderr).not.toContain(SECRET);
    }
  },
);

test('the beginning of an address among the arguments does not keep the rest of another', async () => {
  const { cli } = workspace();
  const words = ['postgres:/hooks', `postgres:/hooks:${SECRET}@127.0.0.1/hooks`];
  const { stdout, stderr } = await cli('pins', 'list', ...words);
  expect(stdout + stderr).not.toContain(SECRET);
});

test('an error repeats a path and an option as they were given', async () => {
  const { dir, cli } = workspace();
  const path = "node_modules/@hooks/größe, it's (2).db";
  expect((await cli('pins', 'list', '--store', path)).stderr).toContain(join(dir, path));
  expect((await cli('validate', '--dialect', '10:61')).stderr).toContain('10:61');
});

test('an address in the place of a journal leads to --store', async () => {
  const { cli } = workspace();
  const { stderr } = await cli('journal', 'verify', 'postgres://127.0.0.1/hooks');
  expect(stderr).toContain('give it with --store');
});

test('a file that is missing is named, with what would be right', async () => {
  const { cli } = workspace();
  const { stderr } = await cli('pins', 'list', '--store', 'none.db');
  expect(stderr).toContain(STORE_FORMS);
});
