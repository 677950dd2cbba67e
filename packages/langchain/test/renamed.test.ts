import {
  BeforeToolCall,
  block,
  createHooks,
  modify,
  requireApproval,
  TransformToolResult,
} from '@hooks/core';
import { AIMessage } from '@langchain/core/messages';
import { type LangGraphRunnableConfig, MemorySaver } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { humanInTheLoopMiddleware, tool } from 'langchain';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createHookedAgent, type HookedOptions, hookTool, hookTools } from '../src/index.ts';
import { calls, resultsOf, scripted, user } from './fixtures.ts';

describe('a call of a tool that is hooked with options of its own, which a hook renames to a tool of the agent', () => {
  /** Calls `look`, which a hook renames to `see`. Gives what ran, and what the stream and the model got. */
  async function renamed(own: HookedOptions) {
    await using at = await scripted(calls({ name: 'look', arguments: {}, id: 'c1' }));
    const ran: string[] = [];
    const [look, see] = ['look', 'see'].map((name) =>
      tool(
        (_input, config: LangGraphRunnableConfig) => {
          ran.push(name);
          config.writer?.(`written by ${name}`);
          return 'hunter2';
        },
        { name, description: 'Looks.', schema: z.object({}) },
      ),
    );
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching('look'), () => modify({ toolName: 'see' }), { id: 'renamer' });
    hooks.guard(BeforeToolCall.matching('see'), () => requireApproval('It is private.'));
    hooks.on(TransformToolResult.matching('see'), () => modify({ output: '***' }));
    const tools = [look && hookTool(look, hooks, own), see].filter((one) => one !== undefined);
    const approval = () => ({ decision: 'allow' }) as const;
    const agent = createHookedAgent({ model: at.model, tools }, hooks, own.approval ? {} : { approval });
    const streamed: unknown[] = [];
    for await (const [, chunk] of await agent.stream(user('go'), { streamMode: ['custom'] }))
      streamed.push(chunk);
    return { ran, streamed, read: resultsOf(at.server)['c1'] };
  }

  test('runs where both have the same', async () => {
    expect(await renamed({})).toEqual({ ran: ['see'], streamed: [], read: '***' });
  });

  test.each<[string, HookedOptions]>([
    ['an approver', { approval: () => ({ decision: 'allow' }) }],
    ['holdStream: false', { holdStream: false }],
  ])('does not run where the called one alone has %s', async (_option, own) => {
    const { ran, streamed, read } = await renamed(own);
    expect([ran, streamed]).toEqual([[], []]);
    expect(read).toContain('renamer');
  });
});

test.each([
  ['returnDirect', { returnDirect: true }, {}],
  ['a review by a person (interruptOn)', {}, { see: true }],
  [
    'a review by a person (humanInTheLoopMiddleware)',
    {},
    {},
    [humanInTheLoopMiddleware({ interruptOn: { see: true } } as never)] as never,
  ],
] as const)(
  'a call does not become one of a tool with %s',
  async (_what, fields, interruptOn, middleware: unknown = []) => {
    await using at = await scripted(calls({ name: 'look', arguments: {}, id: 'c1' }));
    const ran: string[] = [];
    const make = (name: string, more: object) =>
      tool(() => (ran.push(name), 'hunter2'), { name, description: 'Looks.', schema: z.object({}), ...more });
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching('look'), () => modify({ toolName: 'see' }), { id: 'renamer' });
    const tools = [make('look', {}), make('see', fields)];
    const params = { model: at.model, tools, checkpointer: new MemorySaver() };
    Object.assign(params, { middleware });
    const agent = createHookedAgent(params, hooks, { interruptOn });
    await agent.invoke(user('go'), { configurable: { thread_id: 't1' } });
    expect(ran).toEqual([]);
    expect(resultsOf(at.server)['c1']).toMatch(/"see" (has|may have)/);
  },
);

test('a call of a list of tools becomes none of a tool that further hooks decide on', async () => {
  const ran: string[] = [];
  const [look, see] = hookTools(
    ['look', 'see'].map((name) =>
      tool(() => (ran.push(name), name), { name, description: 'Looks.', schema: z.object({}) }),
    ),
    renaming(),
  );
  const refusing = createHooks();
  refusing.guard(BeforeToolCall.matching('see'), () => block('Nobody sees.'));
  const node = new ToolNode([look, hookTool(see as never, refusing)] as never);
  const made = new AIMessage({ content: '', tool_calls: [{ name: 'look', args: {}, id: 'c1' }] });
  expect(JSON.stringify(await node.invoke([made]))).toContain('was hooked again since');
  expect(ran).toEqual([]);
  // Hooked together, both have the same hooks.
  const [both] = hookTools([look, see] as never, createHooks()) as unknown as [typeof look];
  expect(await both?.invoke({})).toBe('see');
});

function renaming() {
  const hooks = createHooks();
  hooks.on(BeforeToolCall.matching('look'), () => modify({ toolName: 'see' }), { id: 'renamer' });
  return hooks;
}
