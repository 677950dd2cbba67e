// What pages say to run over a journal or a store, in a folder that has one.
import { createPrivateKey } from 'node:crypto';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { BeforeToolCall, type Block, block, createHooks, type Proceed, proceed } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { type JournalOptions, journal } from '@hooks/journal';
import { inbox, waitingApprovals } from '@hooks/store/approvals';
import { postgresStore } from '@hooks/store/postgres';
import { sqliteStore } from '@hooks/store/sqlite';
import { run } from '@hooks/testing/examples';
import { noPostgres, startPostgres } from '@hooks/testing/servers';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { Pool } from 'pg';
import { expect, test, vi } from 'vitest';
import { readPages, type Block as ShownBlock } from './page.ts';
import { runShell } from './shell.ts';

/** The commands of a page that contain a text. */
function blocksWith(name: string, text: string): readonly ShownBlock[] {
  const blocks = readPages().find((page) => page.name === name)?.blocks ?? [];
  const found = blocks.filter(({ language, code }) => language === 'sh' && code.includes(text));
  expect(found, `${text} on ${name}`).not.toEqual([]);
  return found;
}

/** The same, as one script. */
const commandsWith = (name: string, text: string): string =>
  blocksWith(name, text)
    .map(({ code }) => code)
    .join('');

/** Keeps a journal of one call. */
async function keep(options: JournalOptions, decision: Proceed | Block = proceed()): Promise<void> {
  const hooks = createHooks();
  const log = journal(options);
  hooks.use(log);
  hooks.guard(BeforeToolCall, () => decision);
  await callTool(hooks, { session: hooks.session(), toolName: 'delete_user', input: {} }, () => 'deleted');
  await hooks.close();
  await log.close();
}

test('operate: its keys sign a journal, which its commands prune and verify', async () => {
  const folder = temporaryFolder();
  await runShell(commandsWith('guides/operate', 'generateKeyPairSync'), folder);
  const key = createPrivateKey(readFileSync(join(folder, 'journal.key')));
  await keep({ sink: join(folder, '.hooks/journal'), key });
  const said = await runShell(commandsWith('guides/operate', '--key journal.key'), folder);
  expect(said).toMatch(/^intact: .*\nsignatures: checked$/m);
});

test('operate: its first command prunes a journal that is not signed, and prints what the page says', async () => {
  const folder = temporaryFolder();
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-10-20') });
  await keep({ sink: join(folder, '.hooks/journal') });
  vi.useRealTimers();
  const [{ code, prints } = { code: '', prints: undefined }] = blocksWith('guides/operate', 'prune');
  const undated = (text = ''): string =>
    text.replaceAll(/\d{4}-\d\d-\d\d/g, 'a day').replace(/\d+ records/, 'records');
  expect(undated(await runShell(code, folder))).toBe(undated(prints));
});

test('replay: its commands print what the page says, over the journal of its program', async () => {
  const folder = temporaryFolder();
  const guides = new URL('../pages/guides/', import.meta.url);
  await run(new URL('replay/agent.ts', guides), { EXAMPLE_FOLDER: folder });
  copyFileSync(new URL('replay/new.yaml', guides), join(folder, 'new.yaml'));
  const [shown] = blocksWith('guides/replay', 'replay --policy new.yaml');
  const commands = commandsWith('guides/replay', 'trust new.yaml') + shown?.code;
  const [, ...lines] = (await runShell(commands, folder)).split('\n'); // the first one is of `trust`
  const undated = (text = ''): string => text.replaceAll(/\d{4}-\d\d-\d\d\.jsonl/g, 'today.jsonl');
  expect(undated(lines.join('\n'))).toBe(undated(shown?.prints));
});

test('approval elsewhere: its commands answer an agent that waits in .hooks/store.db', async () => {
  const folder = temporaryFolder();
  await using store = sqliteStore(join(folder, '.hooks/store.db'));
  const request = { callId: 'c1', toolName: 'refund', input: {}, reason: 'Money.', hash: '', sessionId: 's' };
  const answer = inbox({ store })(request, { signal: undefined });
  await vi.waitUntil(async () => (await waitingApprovals(store)).length > 0);
  const [waiting] = await waitingApprovals(store);
  const commands = commandsWith('guides/approval-elsewhere', 'approvals allow 3f2a');
  const said = await runShell(commands.replace('3f2a', waiting?.id.slice(0, 4) ?? ''), folder);
  expect(said).toContain(waiting?.id);
  expect((await answer).decision).toBe('allow');
});

const DENIES = `hooks:
  before_tool_call:
    - { matcher: delete_.*, hooks: [{ type: builtin, command: deny_tools, args: ['*'] }] }
`;
const LETS_PASS = DENIES.replace('delete_', 'drop_');

test('replay: its commands for CI fail over the journal of its program, as the page says', async () => {
  const folder = temporaryFolder();
  const guides = new URL('../pages/guides/', import.meta.url);
  await run(new URL('replay/agent.ts', guides), { EXAMPLE_FOLDER: folder });
  copyFileSync(new URL('replay/new.yaml', guides), join(folder, 'policy.yaml'));
  await expect(runShell(commandsWith('guides/replay', 'trust policy.yaml'), folder)).rejects.toMatchObject({
    code: 1,
    stdout: expect.stringContaining('1 same, 1 tightened, 1 loosened, 1 unknown'),
    stderr: 'hooks: 1 call is loosened\n',
  });
});

test.skipIf(noPostgres)(
  'replay: its commands for CI fail where last week, in Postgres, or a committed journal has a call that is loosened now',
  async () => {
    await using server = await startPostgres();
    const pool = new Pool({ connectionString: server.url });
    pool.on('error', () => {});
    const folder = temporaryFolder();
    const store = postgresStore(pool);
    const trust = 'npx --no-install hooks trust policy.yaml --yes\n';
    const lastWeek = `export DATABASE_URL=${server.url}\n${trust}${commandsWith('guides/replay', '--store')}`;
    const committed = trust + commandsWith('guides/replay', '--journal test/journal');

    writeFileSync(join(folder, 'policy.yaml'), DENIES);
    for (const options of [{ store }, { sink: join(folder, 'test/journal') }])
      await keep(options, block('No.'));
    for (const commands of [lastWeek, committed])
      expect(await runShell(commands, folder)).toContain('0 loosened');

    writeFileSync(join(folder, 'policy.yaml'), LETS_PASS);
    for (const commands of [lastWeek, committed])
      await expect(runShell(commands, folder)).rejects.toMatchObject({
        code: 1,
        stderr: 'hooks: 1 call is loosened\n',
      });
    await store.close();
    await pool.end();
  },
  60_000,
);
