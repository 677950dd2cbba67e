import {
  AfterToolCall,
  type ApprovalRequest,
  type Approver,
  BeforeToolCall,
  createHooks,
  modify,
  proceed,
} from '@hooks/core';
import { tool } from 'ai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookedAgent, hookTools } from '../src/index.ts';
import { pays, payTool, runBy, serve, unruly } from './fixtures.ts';

/** A registry around an agent renames a call to a tool that it hooks once more, with options of its own. */
async function renameAndPlay(own: { readonly approval?: Approver }, outer: { readonly approval?: Approver }) {
  await using served = await serve(pays);
  const hooks = createHooks();
  hooks.on(BeforeToolCall.matching('pay'), () => modify({ toolName: 'note' }));
  const ran: string[] = [];
  const note = tool({ inputSchema: z.looseObject({}), execute: () => void ran.push('note') });
  const tools = { pay: payTool([]), ...hookTools({ note }, hooks, own) };
  await hookedAgent({ model: served.model, tools }, hooks, outer).generate({ prompt: 'go' });
  return ran;
}

describe('a hook renames a call to a tool that its registry hooks once more', () => {
  const approves: Approver = () => ({ decision: 'allow' });

  test('without other options, and the tool runs', async () => {
    expect(await renameAndPlay({}, { approval: approves })).toEqual(['note']);
  });

  test('without other options, and each hook is asked once', async () => {
    await using served = await serve(pays);
    const hooks = createHooks();
    const asked: string[] = [];
    hooks.on(BeforeToolCall.matching('pay'), () => modify({ toolName: 'note' }));
    hooks.guard(BeforeToolCall.matching('note'), ({ toolName }) => (asked.push(toolName), proceed()));
    const note = tool({ inputSchema: z.looseObject({}), execute: () => 'noted' });
    const tools = { pay: payTool([]), ...hookTools({ note }, hooks) };
    await hookedAgent({ model: served.model, tools }, hooks).generate({ prompt: 'go' });
    expect(asked).toEqual(['note']);
  });

  test('where calls may pause, so that hooks are asked before the tool is reached, and the tool runs', async () => {
    await using served = await serve(pays);
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching('pay'), () => modify({ toolName: 'note' }));
    const ran: unknown[] = [];
    const note = tool({
      inputSchema: z.looseObject({}),
      execute: (_input, { toolCallId }) => (ran.push(toolCallId), 'noted'),
    });
    const settings = { model: served.model, tools: { pay: payTool(ran), note } };
    const agent = hookedAgent({ ...settings, experimental_toolApprovalSecret: 'secret' }, hooks, {
      approval: 'native',
    });
    await agent.generate({ prompt: 'go' });
    expect(ran).toEqual(['c1']);
  });

  test('with an approver of its own, which is not asked, and nothing runs', async () => {
    const asked: ApprovalRequest[] = [];
    const approval: Approver = (request) => (asked.push(request), { decision: 'allow' });
    expect([await renameAndPlay({ approval }, {}), asked]).toEqual([[], []]);
  });
});

describe.each(['generateText', 'streamText'] as const)('a call that a hook renames (%s)', (way) => {
  /** Runs a call of `look` as one of `see`, and gives what ran with which context, and what hooks and the model read. */
  async function renamed(see: object, toolsContext: object = {}, look: object = {}, more: object = {}) {
    const ran: unknown[] = [];
    const execute = (_input: unknown, { context }: { readonly context?: unknown }) => {
      ran.push(context);
      return { secret: 'hunter2' };
    };
    const inputSchema = z.object({});
    const tools = {
      look: tool({ inputSchema, execute, ...look } as never),
      see: tool({ inputSchema, execute, ...see } as never),
    };
    const { model, results } = unruly([{ calls: [{ id: 'c1', name: 'look', arguments: {} }] }]);
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching('look'), () => modify({ toolName: 'see' }), { id: 'renamer' });
    const natives: unknown[] = [];
    hooks.observe(AfterToolCall, ({ native }) => void natives.push(Object(native).tool.description));
    await runBy(
      way,
      { model, tools, toolsContext, ...more } as never,
      [{ role: 'user', content: 'go' }],
      hooks,
    );
    return { ran, natives, read: JSON.stringify(results()) };
  }

  test('does not get the context of the tool that the model called', async () => {
    const { ran, read } = await renamed({}, { look: { key: 'of look' } });
    expect(ran).toEqual([undefined]);
    expect(read).toContain('hunter2');
  });

  test('keeps what ran from the toModelOutput of the tool that the model called', async () => {
    const outputs: unknown[] = [];
    const toModelOutput = ({ output }: { readonly output: unknown }) => {
      outputs.push(output);
      return { type: 'text', value: 'of look' };
    };
    const { ran, read } = await renamed({}, {}, { toModelOutput });
    expect(ran).toHaveLength(1);
    expect(outputs).toEqual([]);
    expect(read).toContain('hunter2');
  });

  test('does not become one of a tool with a timeout of its own', async () => {
    const { ran, read } = await renamed({}, {}, {}, { timeout: { tools: { seeMs: 60_000 } } });
    expect(ran).toEqual([]);
    expect(read).toContain('has a timeout of its own');
  });

  test('does not become one of a tool that the step leaves out (activeTools)', async () => {
    const { ran, read } = await renamed({}, {}, {}, { activeTools: ['look'] });
    expect(ran).toEqual([]);
    expect(read).toContain('was not offered to the model');
  });

  test('shows hooks the objects of the tool that runs', async () => {
    const { natives } = await renamed({ description: 'Sees.' });
    expect(natives).toEqual(['Sees.']);
  });

  test.each([
    ['toModelOutput', { toModelOutput: () => ({ type: 'text', value: 'hidden' }) }, {}],
    ['contextSchema', { contextSchema: z.object({ key: z.string() }) }, { see: { key: 'of see' } }],
    ['a context', {}, { see: { key: 'of see' } }],
  ] as const)('does not run where its tool has %s, which the SDK would not use', async (_, see, context) => {
    const { ran, read } = await renamed(see, context);
    expect(ran).toEqual([]);
    expect(read).toContain('renamer');
    expect(read).not.toContain('hunter2');
  });
});
