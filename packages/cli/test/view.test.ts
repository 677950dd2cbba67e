import { join } from 'node:path';
import { BeforeToolCall, createHooks, proceed } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { journal } from '@hooks/journal';
import { sqliteStore } from '@hooks/store/sqlite';
import { expect, test } from 'vitest';
import { type Workspace, workspace } from './program.ts';
import { viewed } from './viewed.ts';

/** A workspace whose journal has one call of the tool `pay`. */
async function recorded(files: Readonly<Record<string, string>> = {}): Promise<Workspace> {
  const place = workspace(files);
  const log = journal({ sink: join(place.dir, '.hooks/journal') });
  const hooks = createHooks();
  hooks.on(BeforeToolCall, () => proceed());
  hooks.use(log);
  const call = { session: hooks.session('s'), toolName: 'pay', callId: 'c', input: { amount: 5 } };
  await callTool(hooks, call, () => 'paid');
  await hooks.close();
  await log.close();
  return place;
}

test('view serves the journal and the store of the directory', async () => {
  const place = await recorded();
  await using store = sqliteStore(join(place.dir, '.hooks/store.db'));
  await store.set('any', 1);
  const read = await viewed(place.dir);
  expect(await read('runs')).toMatchObject([{ session: 's', tools: ['pay'] }]);
  expect(await read('overview')).toMatchObject({ store: expect.stringContaining('store.db') });
});

test('view compares the journal with another policy', async () => {
  const policy =
    'hooks:\n  before_tool_call: [{matcher: pay, hooks: [{type: builtin, command: deny_tools, args: ["*"]}]}]\n';
  const place = await recorded({ 'new.yaml': policy });
  await place.trust('new.yaml', policy);
  const read = await viewed(place.dir, '--policy', 'new.yaml');
  const [run] = await read<readonly { id: string }[]>('runs');
  expect(await read('comparison')).toMatchObject({
    policy: 'new.yaml',
    summary: { tightened: 1 },
    calls: [{ toolName: 'pay', run: run?.id, replayed: { gate: 'block' } }],
  });
});

test.each([
  [['--journal', 'nowhere'], '--journal: there is no such file in'],
  [['--store', 'nowhere.db'], '--store: neither an address of Postgres or Redis, nor a file in'],
  [['--port', 'http'], 'expected a number up to 65535'],
])('view reports what is wrong with %j', async (args, message) => {
  const { cli } = workspace();
  expect(await cli('view', ...args)).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
});
