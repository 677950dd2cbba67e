import { BeforeToolCall, createHooks, proceed, SessionEnd, SessionStart } from '@hooks/core';
import { expect, test } from 'vitest';
import { type NativeToolCall, supports } from '../src/index.ts';
import { connect, KINDS, openProxy } from './connect.ts';

function watched() {
  const hooks = createHooks();
  const calls: unknown[] = [];
  const ended: string[] = [];
  hooks.guard(BeforeToolCall, ({ session, agent, tool, native }) => {
    calls.push([session.id, agent, tool, (native as NativeToolCall).method]);
    return proceed();
  });
  hooks.observe(SessionStart, ({ session }) => void calls.push(`start ${session.id}`));
  hooks.observe(SessionEnd, ({ session }) => void ended.push(session.id));
  return { hooks, calls, ended };
}

test.each(KINDS)('a connection of a %s client is one session and ends it', async (kind) => {
  const { hooks, calls, ended } = watched();
  const { call, client, input, over } = await connect({ kind, hooks });
  await client.listTools();
  await call('echo', { q: 'x' });
  await client.readResource({ uri: 'note://1' });
  const [start, [id, ...about], [second]] = calls as [string, [string], [string]];
  expect(start).toBe(`start ${id}`);
  expect(second).toBe(id);
  expect(about).toEqual([
    'tester',
    expect.objectContaining({
      kind: 'mcp',
      description: 'Says what it is told.',
      annotations: { readOnlyHint: true, openWorldHint: false },
    }),
    'tools/call',
  ]);
  input.end();
  expect(await over).toBe(0);
  expect(ended).toEqual([id]);
});

test.each(['vscode.conversationId', 'threadId'])(
  'a conversation with an id in %s is a session',
  async (key) => {
    const { hooks, calls } = watched();
    const { client } = await connect({ hooks });
    const say = (id: string) =>
      client.callTool({ name: 'echo', arguments: { q: 'x' }, _meta: { [key]: id } });
    await say('one');
    await say('two');
    await say('one');
    const ids = calls.flatMap((call) => (Array.isArray(call) ? [call[0]] : []));
    expect(ids).toEqual(['one', 'two', 'one']);
  },
);

test('a proxy refuses hooks on events that never fire', async () => {
  const { hooks } = watched();
  const types = Object.entries(supports.events).flatMap(([type, { fires }]) =>
    fires.level === 'none' ? [type] : [],
  );
  expect(types).toContain('user_prompt_submit');
  const { UserPromptSubmit, block } = await import('@hooks/core');
  hooks.guard(UserPromptSubmit, () => block('never'));
  await expect(openProxy({ hooks }).over).rejects.toThrow('user_prompt_submit');
});
