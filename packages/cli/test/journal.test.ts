import { generateKeyPairSync } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { journal } from '@hooks/journal';
import { sqliteStore } from '@hooks/store/sqlite';
import { expect, test, vi } from 'vitest';
import { workspace } from './program.ts';

const { publicKey, privateKey } = generateKeyPairSync('ed25519');

const strict = `hooks:
  before_tool_call:
    - matcher: drop_table
      hooks:
        - type: builtin
          command: deny_tools
          args: ["*"]
    - matcher: pay
      hooks:
        - type: command
          command: "exit 2"
`;

/** A workspace with a journal of three calls in two sessions. */
async function recorded() {
  const here = workspace({ 'strict.yaml': strict, 'lax.yaml': 'hooks: {}\n' });
  await here.trust('strict.yaml', strict);
  await here.trust('lax.yaml', 'hooks: {}\n');
  const sink = join(here.dir, '.hooks/journal');
  const log = journal({ sink, key: privateKey });
  const hooks = createHooks();
  hooks.use(log);
  for (const [session, toolName] of [
    ['chat-1', 'search'],
    ['chat-1', 'drop_table'],
    ['chat-2', 'search'],
  ] as const)
    await callTool(
      hooks,
      { session: hooks.session(session), toolName, input: { of: session } },
      () => 'done',
    );
  await hooks.close();
  await log.close();
  writeFileSync(join(here.dir, 'journal.pub'), publicKey.export({ type: 'spki', format: 'pem' }));
  const [file = ''] = readdirSync(sink);
  return { ...here, file: join(sink, file) };
}

test('hooks replay shows what a stricter policy would have decided, and fails on what --fail-on lists', async () => {
  const { cli } = await recorded();
  const { code, stdout, stderr } = await cli('replay', '--policy', 'strict.yaml', '--since', '7d');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('3 of 3 calls can be judged');
  expect(stdout).toContain('2 same, 1 tightened, 0 loosened, 0 unknown');
  expect(stdout).toMatch(/tightened +drop_table +run +block \(strict\.yaml\//);
  expect((await cli('replay', '--policy', 'strict.yaml', '--fail-on', 'tightened')).code).toBe(1);
  expect((await cli('replay', '--policy', 'strict.yaml', '--fail-on', 'loosened')).code).toBe(0);
  expect((await cli('replay', '--policy', 'lax.yaml', '--fail-on', 'tightened', 'loosened')).code).toBe(0);
  expect(
    await cli('replay', '--policy', 'lax.yaml', '--session', 'none', '--fail-on', 'loosened'),
  ).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('there are no calls'),
  });
  const { stdout: json } = await cli('replay', '--policy', 'strict.yaml', '--json', '--session', 'chat-2');
  expect(JSON.parse(json)).toMatchObject({ coverage: { calls: 1, judged: 1 }, summary: { same: 1 } });
});

test('hooks replay --fail-on fails where lines cannot be read, and tells lines that are cut off from them', async () => {
  const { cli, file } = await recorded();
  const text = readFileSync(file, 'utf8');
  const lines = text.trimEnd().split('\n');
  const check = (...verdicts: readonly string[]) =>
    cli('replay', '--policy', 'lax.yaml', '--fail-on', ...verdicts);
  writeFileSync(file, text + lines[3]?.slice(0, 90));
  expect(await check('loosened')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('1 line cut off'),
  });
  expect(await check('unknown')).toMatchObject({ code: 1, stderr: expect.stringContaining('are missing') });
  expect(await cli('journal', 'export')).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('is cut off'),
  });
  expect(await cli('journal', 'verify')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^open: [\s\S]*:\d+ is cut off/),
  });
  expect((await cli('journal', 'verify', '--require', 'closed')).code).toBe(1);
  writeFileSync(file, `${text}?\n`);
  expect(await check('loosened')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('could not be read'),
  });
});

test('hooks replay runs a command only with --live', async () => {
  const { cli, trust, dir } = await recorded();
  const command = `hooks:
  before_tool_call:
    - type: command
      command: "touch asked; exit 2"
`;
  writeFileSync(join(dir, 'command.yaml'), command);
  await trust('command.yaml', command);
  const { stdout } = await cli('replay', '--policy', 'command.yaml');
  expect(stdout).toContain('0 of 3 calls can be judged\n  3 unknown: external');
  expect(readdirSync(dir)).not.toContain('asked');
  expect(await cli('replay', '--policy', 'command.yaml', '--fail-on', 'loosened')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('none of the calls can be judged'),
  });
  expect((await cli('replay', '--policy', 'command.yaml', '--live')).stdout).toContain('2 tightened');
  expect(readdirSync(dir)).toContain('asked');
});

test('hooks replay --fail-on fails where calls are judged with the recorded answer of a hook, which may be another one by now, unless --assume', async () => {
  const policy = (
    id: string,
  ): string => `import { BeforeToolCall, modify } from '${import.meta.resolve('@hooks/core')}';
export default {
  name: 'policy',
  register(hooks) {
    hooks.on(BeforeToolCall, () => modify({ input: { id: '${id}' } }), { id: 'rewrite' });
  },
};
`;
  const { cli, trust, dir } = workspace({ 'recorded.mjs': policy('one'), 'changed.mjs': policy('other') });
  await trust('changed.mjs', policy('other'));
  const log = journal({ sink: join(dir, '.hooks/journal') });
  const hooks = createHooks();
  hooks.use((await import(join(dir, 'recorded.mjs'))).default);
  hooks.use(log);
  await callTool(hooks, { session: hooks.session('s'), toolName: 'pay', input: {} }, () => 'paid');
  await hooks.close();
  await log.close();
  const check = ['replay', '--policy', 'changed.mjs', '--fail-on', 'loosened'];
  expect(await cli(...check)).toMatchObject({
    code: 1,
    stdout: expect.stringContaining('1 same'),
    stderr: expect.stringContaining('the recorded answer of policy/rewrite'),
  });
  expect((await cli(...check, '--assume')).code).toBe(0);
});

test('hooks journal verify names the changed record', async () => {
  const { cli, file } = await recorded();
  const { stdout, code } = await cli('journal', 'verify', '--key', 'journal.pub');
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /^intact: \d+ records of 2 sessions\nsignatures: checked\ncheckpoint of urn:uuid:\S+: [0-9a-f]{64}\n$/,
  );
  const lines = readFileSync(file, 'utf8').split('\n');
  writeFileSync(file, lines.toSpliced(3, 1, lines[3]!.replace('drop_table', 'fetch_page')).join('\n'));
  const at = lines.findIndex((line) => line.includes('drop_table'));
  writeFileSync(file, lines.toSpliced(at, 1, lines[at]!.replace('drop_table', 'fetch_page')).join('\n'));
  const broken = await cli('journal', 'verify');
  expect(broken.code).toBe(1);
  expect(broken.stdout).toContain(`.jsonl:${at + 1}: the record is not what its hash was made of`);
});

test('hooks journal export and erase work on a journal', async () => {
  const { cli } = await recorded();
  const lines = (await cli('journal', 'export', '--session', 'chat-2')).stdout.trimEnd().split('\n');
  for (const line of lines) expect(JSON.parse(line).record.session).toBe('chat-2');
  expect((await cli('journal', 'export', '--format', 'otlp')).stdout).toContain('"resourceLogs"');
  expect((await cli('journal', 'erase', '--session', 'chat-1')).stdout).toMatch(
    /^erased the data of \d+ records, of session chat-1\n$/,
  );
  expect((await cli('journal', 'export')).stdout).not.toContain('"of":"chat-1"');
  expect((await cli('journal', 'verify')).stdout).toMatch(/^intact: \d+ records of 2 sessions, the data of/);
});

test('hooks journal reads an SQLite store, and rejects a missing store and an invalid time', async () => {
  const { cli, dir } = workspace();
  const store = sqliteStore(join(dir, 'agent.db'));
  const log = journal({ store });
  await log.close();
  await store.close();
  expect((await cli('journal', 'verify', '--store', 'agent.db')).stdout).toMatch(/^intact: 1 record of 0/);
  expect(await cli('journal', 'prune', '--store', 'agent.db', '--before', '30d')).toMatchObject({
    code: 0,
    stdout: 'nothing is as old as that\n',
  });
  expect(await cli('journal', 'verify')).toMatchObject({
    code: 1,
    stderr: `hooks: There is no journal at ${dir}/.hooks/journal.\n`,
  });
  expect(await cli('journal', 'export', '--since', 'soon')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('expected 7d'),
  });
});

test('hooks journal erase leaves nothing in the files of an SQLite store that an agent has open', async () => {
  const { cli, dir } = workspace();
  const folder = join(dir, 'state');
  await using store = sqliteStore(join(folder, 'store.db'));
  const log = journal({ store });
  const hooks = createHooks();
  hooks.use(log);
  const call = { session: hooks.session('s'), toolName: 'note', input: "Ann's diary." };
  await callTool(hooks, call, () => "Ann's diary.");
  await hooks.close();
  await log.close();
  const found = () =>
    readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes("Ann's"));
  expect(found()).not.toEqual([]);
  const erase = await cli('journal', 'erase', '--session', 's', '--store', 'state/store.db');
  expect(erase).toMatchObject({ code: 0 });
  expect(readdirSync(folder)).toContain('store.db-wal');
  expect(found()).toEqual([]);
});

test('hooks journal verify fails on what is open, unsigned or lost, unless that is allowed', async () => {
  const { cli, file, dir } = await recorded();
  const verify = (...more: readonly string[]) => cli('journal', 'verify', ...more);
  const plain = await verify();
  expect(plain).toMatchObject({ code: 0, stdout: expect.stringContaining('signatures: not checked') });
  expect(await verify('--require', 'signed')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--key'),
  });
  expect((await verify('--require', 'closed,signed', '--key', 'journal.pub')).code).toBe(0);
  expect(await verify('--allow', 'broken')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('gap'),
  });

  // The end is cut off.
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  writeFileSync(file, `${lines.slice(0, -1).join('\n')}\n`);
  expect((await verify()).code).toBe(0);
  expect((await verify('--require', 'closed')).code).toBe(1);
  expect(await verify('--key', 'journal.pub')).toMatchObject({
    code: 1,
    stdout: expect.stringMatching(/^unsigned: /),
  });
  expect((await verify('--key', 'journal.pub', '--allow', 'open,unsigned')).code).toBe(0);
  expect((await verify('--key', 'journal.pub', '--allow', 'open')).code).toBe(1);

  const other = generateKeyPairSync('ed25519');
  writeFileSync(file, `${lines.join('\n')}\n`);
  writeFileSync(join(dir, 'other.pub'), other.publicKey.export({ type: 'spki', format: 'pem' }));
  expect((await verify('--key', 'other.pub', '.hooks/journal')).code).toBe(1);
  expect((await verify('--key', 'other.pub', '--key', 'journal.pub', '.hooks/journal')).code).toBe(0);
});

test('hooks journal erase and prune say who and why, signed, and what is exported verifies', async () => {
  const { cli, dir } = await recorded();
  writeFileSync(join(dir, 'journal.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const signed = ['--key', 'journal.key', '--by', 'dpo', '--why', 'ticket 7'];
  expect((await cli('journal', 'erase', '--session', 'chat-1', ...signed)).code).toBe(0);
  expect(await cli('journal', 'verify', '--key', 'journal.pub')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^intact/),
  });
  const { stdout } = await cli('journal', 'export');
  expect(stdout).toContain('"why":"ticket 7"');
  writeFileSync(join(dir, 'exported.jsonl'), stdout);
  expect(await cli('journal', 'verify', 'exported.jsonl', '--key', 'journal.pub')).toMatchObject({ code: 0 });

  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:00:00Z') });
  const old = await recorded();
  vi.useRealTimers();
  writeFileSync(join(old.dir, 'journal.key'), privateKey.export({ type: 'pkcs8', format: 'pem' }));
  expect(await old.cli('journal', 'prune', '--before', '2026-03-01')).toMatchObject({
    stdout: expect.stringMatching(/^nothing is as old/),
  });
  expect(await old.cli('journal', 'prune', '--before', '30d', ...signed)).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^removed \d+ records of 1 day, from 2026-03-01 to 2026-03-01/),
  });
  expect(await old.cli('journal', 'verify', '--key', 'journal.pub')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^intact: 2 records of 0 sessions, \d+ older records pruned/),
  });
  expect(await old.cli('journal', 'prune', '--before', '30d', '--key', 'journal.pub')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('does not hold a private key as PEM'),
  });
});
