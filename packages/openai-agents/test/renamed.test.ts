import { BeforeToolCall, createHooks, modify, ToolEvent } from '@hooks/core';
import { Agent } from '@openai/agents';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { attachHooks, hookedRunner, hookedTool } from '../src/index.ts';
import { call, results, setup } from './setup.ts';

const parameters = z.object({ path: z.string() });
const readA = [{ toolCalls: [call('read', { path: 'a' }, 'c1')] }, { text: 'Done.' }];

/** Runs a call of `read` as one of `peek`, which is asked for custom data of what it has not given. */
async function renamed(peek: (input: { readonly path: string }) => string, more: object = {}) {
  await using s = await setup(readA);
  const hooks = createHooks();
  hooks.on(BeforeToolCall.matching('read'), () => modify({ toolName: 'peek' }), { id: 'renamer' });
  const told = new Set<unknown>();
  hooks.observe(
    ToolEvent,
    ({ native, renamedTo }) => void told.add([renamedTo, Object(native).tool.name].join()),
  );
  const extracted: unknown[] = [];
  const make = (name: string, execute: (input: { readonly path: string }) => string) =>
    hookedTool({
      name,
      description: '',
      parameters,
      execute,
      errorFunction: (_context, error) => `${name} failed: ${error}`,
    });
  // A copy would lose what the SDK keeps of a tool.
  const customDataExtractor = (one: unknown) => void extracted.push(one);
  const read = Object.assign(
    make('read', () => 'read'),
    { customDataExtractor },
  );
  const tools = [read, Object.assign(make('peek', peek), more)];
  const agent = new Agent({ name: 'reader', tools });
  await hookedRunner(s.runner, hooks).run(agent, 'go');
  return { read: results(s)['c1'], extracted, told: [...told] };
}

describe('a call that a hook renames', () => {
  test('is one of the tool that runs for every event, and for the extractor of no other tool', async () => {
    expect(await renamed(({ path }) => `peeked at ${path}`)).toEqual({
      read: 'peeked at a',
      extracted: [],
      told: ['peek,peek'],
    });
  });

  test('fails in the words of the tool that ran', async () => {
    const { read } = await renamed(() => {
      throw new Error('too dark');
    });
    expect(read).toBe('peek failed: Error: too dark');
  });

  test.each([
    ['a timeout', { timeoutMs: 60_000 }],
    ['guardrails', { inputGuardrails: [{ name: 'g', run: async () => ({ behavior: { type: 'allow' } }) }] }],
    ['an approval', { needsApproval: async () => true }],
  ])('becomes none of a tool with %s, which the SDK would not enforce', async (_what, more) => {
    const { read } = await renamed(() => 'peeked', more);
    expect(read).toContain('renamer');
    expect(read).toContain('"peek" ');
  });
});

test('a call becomes none of a tool that is not enabled for its user, whoever else runs the agent meanwhile', async () => {
  await using s = await setup(readA);
  await using other = await setup([{ text: 'Done.' }]);
  const ran: string[] = [];
  const make = (name: string, more: object = {}) =>
    hookedTool({ name, description: '', parameters, execute: () => void ran.push(name), ...more });
  const isEnabled = ({ runContext }: { readonly runContext: { readonly context: unknown } }) =>
    Object(runContext.context).admin === true;
  const agent: Agent<unknown> = new Agent({
    name: 'reader',
    tools: [make('read'), make('peek', { isEnabled })],
  });
  const hooks = createHooks();
  hooks.on(BeforeToolCall.matching('read'), async () => {
    await other.runner.run(agent, 'go', { context: { admin: true } });
    return modify({ toolName: 'peek' });
  });
  attachHooks(agent, hooks);
  await s.runner.run(agent, 'go', { context: { admin: false } });
  expect(results(s)['c1']).toContain('the agent has no function tool "peek"');
  expect(ran).toEqual([]);
});
