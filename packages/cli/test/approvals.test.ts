// An agent waits in one process, and a person answers on the command line.
import { join } from 'node:path';
import { BeforeToolCall, createHooks, requireApproval } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { inbox, rememberApprovals, waitingApprovals } from '@hooks/store/approvals';
import { sqliteStore } from '@hooks/store/sqlite';
import { expect, test } from 'vitest';
import { workspace } from './program.ts';

const request = {
  callId: 'c1',
  toolName: 'pay',
  input: { amount: 5 },
  reason: 'It costs money.',
  hash: 'h',
  sessionId: 's',
};

/** A pending approval in the store of a workspace, and its answer. */
async function asked() {
  const { dir, cli } = workspace();
  const path = join(dir, 'store.db');
  const store = sqliteStore(path);
  const answer = Promise.resolve(inbox({ store, pollMs: 5 })(request, { signal: undefined }));
  while ((await waitingApprovals(store)).length === 0) await store.get('anything');
  const [{ id } = { id: '' }] = await waitingApprovals(store);
  return { cli, path, store, id, answer };
}

test('approvals list shows pending approvals with input and reason', async () => {
  const { cli, path, store, id, answer } = await asked();
  const { code, stdout } = await cli('approvals', 'list', '--store', path);
  expect(code).toBe(0);
  expect(stdout).toContain(`${id}  pay   {"amount":5}  It costs money.`);
  const { stdout: json } = await cli('approvals', 'list', '--store', path, '--json');
  expect(JSON.parse(json)).toMatchObject([{ id, toolName: 'pay' }]);
  await cli('approvals', 'allow', id, '--store', path);
  await answer;
  await store.close();
});

test('approvals allow accepts the beginning of an id, and the call runs', async () => {
  const { cli, path, store, id, answer } = await asked();
  expect(await cli('approvals', 'allow', id.slice(0, 4), '--store', path)).toMatchObject({
    code: 0,
    stdout: `allowed: pay (${id})\n`,
  });
  expect(await answer).toMatchObject({ decision: 'allow' });
  expect(await cli('approvals', 'list', '--store', path)).toMatchObject({
    stdout: 'There are no pending approvals.\n',
  });
  await store.close();
});

test('approvals allow and forget take no id that is empty or so short that it may be of another request', async () => {
  const { cli, path, store, id, answer } = await asked();
  // As of a variable of a script that is not set.
  for (const short of ['', id.slice(0, 1), id.slice(0, 3)])
    expect(await cli('approvals', 'allow', short, '--store', path)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('at least 4 characters'),
    });
  expect(await waitingApprovals(store)).toHaveLength(1);
  await cli('approvals', 'allow', id, '--store', path, '--remember', 'session');
  await answer;
  for (const command of ['allow', 'deny', 'forget'])
    expect(await cli('approvals', command, '', '--store', path)).toMatchObject({ code: 1 });
  await store.close();
});

test('the beginning of an id that also fits a request that is over answers neither', async () => {
  const { cli, path, store } = await asked();
  const [{ id = '' } = {}] = await waitingApprovals(store);
  // The one that the person saw: it has the same beginning, and was withdrawn since.
  const value = (await store.get(`approvals/requests/${id}`))?.value;
  const seen = `${id.slice(0, 12)}${id.slice(12).replaceAll(/[0-9a-f]/g, '0')}`;
  const request = { ...Object(Object(value).request), id: seen };
  await store.set(`approvals/requests/${seen}`, { state: 'withdrawn', request });
  for (const [given, why] of [
    [id.slice(0, 4), 'at least 8 characters'],
    [id.slice(0, 8), '2 requests (with those that are over)'],
    [seen, 'it was withdrawn'],
  ] as const)
    expect(await cli('approvals', 'allow', given, '--store', path)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(why),
    });
  expect(await cli('approvals', 'allow', id.slice(0, 20), '--store', path)).toMatchObject({ code: 0 });
  await store.close();
});

test.each([
  ['{"price":12}', { price: 12 }],
  ['Ask Ann.', 'Ask Ann.'],
])('approvals answer gives the result of the call in place of the tool: %s', async (given, output) => {
  const { cli, path, store, id, answer } = await asked();
  expect(await cli('approvals', 'answer', id, '--output', given, '--store', path)).toMatchObject({
    code: 0,
    stdout: `answered: pay (${id})\n`,
  });
  expect(await answer).toMatchObject({ decision: 'answer', output, by: expect.any(String) });
  await store.close();
});

test('approvals deny gives the model the reason, and a second answer fails with the name of the first', async () => {
  const { cli, path, store, id, answer } = await asked();
  await cli('approvals', 'deny', id, '--reason', 'Too much.', '--store', path);
  expect(await answer).toMatchObject({ decision: 'deny', by: expect.any(String), reason: 'Too much.' });
  expect(await cli('approvals', 'allow', id, '--store', path)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('was answered already'),
  });
  await store.close();
});

test('approvals fails with the path of a missing store', async () => {
  const { cli } = workspace();
  expect(await cli('approvals', 'list')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no store at'),
  });
});

test('approvals fails if the file is not a store', async () => {
  const { dir, cli } = workspace({
    'store.db': 'hello, this is no database, and it is long enough to be read as one',
  });
  expect(await cli('approvals', 'list', '--store', join(dir, 'store.db'))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('is not a database'),
  });
});

test('approvals allow --remember shows what it allows, and its pattern must match the call', async () => {
  const { cli, path, store, id, answer } = await asked();
  const allow = (...more: readonly string[]) => cli('approvals', 'allow', id, '--store', path, ...more);
  expect(await allow('--remember', 'for-ever')).toMatchObject({ code: 2 });
  expect(await allow('--remember', 'always', '--matching', 'amount=5')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--matching: expected a JSON object'),
  });
  expect(await allow('--remember', 'always', '--matching', '{"amount":"6*"}')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('it does not match the call'),
  });
  expect(await allow('--remember', 'always', '--matching', '{"amount":"*"}')).toMatchObject({ code: 0 });
  expect(await answer).toMatchObject({ decision: 'allow', remember: 'always', matching: { amount: '*' } });
  await store.close();
});

test('approvals list --remembered shows what is allowed, and forget revokes it', async () => {
  const { dir, cli } = workspace();
  const path = join(dir, 'store.db');
  const store = sqliteStore(path);
  const hooks = createHooks();
  hooks.use(rememberApprovals({ store }));
  hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
  const call = {
    session: hooks.session('s'),
    toolName: 'pay',
    input: { amount: 5 },
    principal: { id: 'ada' },
  };
  await callTool(hooks, call, () => 'paid', {
    approval: () => ({ decision: 'allow', remember: 'session', matching: { amount: '5' } }),
  });
  const remembered = () => cli('approvals', 'list', '--remembered', '--store', path);
  const { stdout } = await remembered();
  expect(stdout).toMatch(/pay +amount: 5 +s +ada +any number +\d{4}-/);
  const json = await cli('approvals', 'list', '--remembered', '--json', '--store', path);
  const [{ id }] = JSON.parse(json.stdout);
  expect(await cli('approvals', 'forget', id.slice(0, 5), '--store', path)).toMatchObject({
    code: 0,
    stdout: `forgotten: pay (${id})\n`,
  });
  expect(await remembered()).toMatchObject({ stdout: 'There are no remembered approvals.\n' });
  expect(await cli('approvals', 'forget', id, '--store', path)).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('<id>: no remembered approval has this id'),
  });
  await store.close();
});

test('approvals allow --for and --times limit what is remembered', async () => {
  const { cli, path, store, id, answer } = await asked();
  const allow = (...more: readonly string[]) => cli('approvals', 'allow', id, '--store', path, ...more);
  expect(await allow('--times', '3')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('--remember'),
  });
  expect(await allow('--remember', 'session', '--times', 'many')).toMatchObject({ code: 1 });
  expect(await allow('--remember', 'session', '--for', 'ever')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("such as '30 min'"),
  });
  expect(await allow('--remember', 'session', '--for', '30min', '--times', '3')).toMatchObject({ code: 0 });
  expect(await answer).toMatchObject({
    decision: 'allow',
    remember: { within: 'session', for: '30 min', times: 3 },
  });
  await store.close();
});

test('a name of a tool has no control characters where a person has answered or forgotten it', async () => {
  const { dir, cli } = workspace();
  const path = join(dir, 'store.db');
  const store = sqliteStore(path);
  const toolName = 'pay\u001b[2J\u202e';
  const waiting = inbox({ store, pollMs: 5 })({ ...request, toolName }, { signal: undefined });
  while ((await waitingApprovals(store)).length === 0) await store.get('anything');
  const [{ id } = { id: '' }] = await waitingApprovals(store);
  const pin = { tool: toolName, hashes: { input: 'a' } };
  await store.set('tool-pins/a', pin);
  for (const command of [
    ['approvals', 'allow', id],
    ['pins', 'forget', 'tool-pins/a'],
  ])
    expect(await cli(...command, '--store', path)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('payU+001B[2JU+202E'),
    });
  await waiting;
  await store.close();
});

test('approvals list shows invisible and control characters as codes', async () => {
  const { dir, cli } = workspace();
  const path = join(dir, 'store.db');
  const store = sqliteStore(path);
  const over = new AbortController();
  const input = { command: 'ls \u202e\u200b\u001b[2J\u00ad', text: 'a\u2028b\u{e0041}\u{e0101}\u180b' };
  const waiting = inbox({ store, pollMs: 5 })(
    { ...request, input, reason: 'a\rb\u2066' },
    { signal: over.signal },
  );
  while ((await waitingApprovals(store)).length === 0) await store.get('anything');
  const { stdout } = await cli('approvals', 'list', '--store', path);
  for (const code of ['202E', '200B', '00AD', '2028', 'E0041', 'E0101', '180B', '000D', '2066'])
    expect(stdout).toContain(`U+${code}`);
  expect(stdout).not.toMatch(/[\p{Cf}\p{Zl}\r]/u);
  expect(stdout).toContain(String.raw`\u001b`);
  over.abort();
  await waiting;
  await store.close();
});

test('approvals allow says so where the process that asked does not read the answer', async () => {
  const { cli, dir } = workspace();
  const path = join(dir, 'store.db');
  await using store = sqliteStore(path);
  // What a process leaves that was killed less than a minute ago.
  const request = { id: 'f00d', toolName: 'pay', input: {}, reason: 'r', askedAt: 0, deadline: 4e12 };
  await store.set('approvals/requests/f00d', { state: 'waiting', request });
  await store.set('approvals/alive/f00d', null);
  expect(await cli('approvals', 'allow', 'f00d', '--store', path)).toMatchObject({
    code: 0,
    stdout: 'allowed: pay (f00d)\n',
    stderr: expect.stringContaining('has not read the answer yet; if it has ended, its call does not run'),
  });
});

test('approvals list pads no row to the length of a huge input in another one', async () => {
  const { cli, path, store, answer } = await asked();
  const huge = { ...request, callId: 'c2', input: { text: 'x'.repeat(100_000) } };
  const abort = new AbortController();
  const second = Promise.resolve(inbox({ store, pollMs: 5 })(huge, { signal: abort.signal }));
  while ((await waitingApprovals(store)).length < 2) await store.get('anything');
  const { stdout } = await cli('approvals', 'list', '--store', path);
  const [small] = stdout.split('\n').filter((line) => line.includes('{"amount":5}'));
  expect(small?.length).toBeLessThan(500);
  expect(stdout).toContain(huge.input.text);
  abort.abort();
  await second;
  const [{ id } = { id: '' }] = await waitingApprovals(store);
  await cli('approvals', 'deny', id, '--store', path);
  await answer;
  await store.close();
});
