import { type ApprovalRequest, type Approver, BeforeToolCall, createHooks, modify } from '@hooks/core';
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

  test('with an approver of its own, which is not asked, and nothing runs', async () => {
    const asked: ApprovalRequest[] = [];
    const approval: Approver = (request) => (asked.push(request), { decision: 'allow' });
    expect([await renameAndPlay({ approval }, {}), asked]).toEqual([[], []]);
  });
});

describe.each(['generateText', 'streamText'] as const)('a call that a hook renames (%s)', (way) => {
  /** Runs a call of `look` as one of `see`, and gives what ran with which context, and what the model read. */
  async function renamed(see: object, toolsContext: object = {}) {
    const ran: unknown[] = [];
    const execute = (_input: unknown, { context }: { readonly context?: unknown }) => {
      ran.push(context);
      return { secret: 'hunter2' };
    };
    const inputSchema = z.object({});
    const tools = {
      look: tool({ inputSchema, execute }),
      see: tool({ inputSchema, execute, ...see } as never),
    };
    const { model, results } = unruly([{ calls: [{ id: 'c1', name: 'look', arguments: {} }] }]);
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching('look'), () => modify({ toolName: 'see' }), { id: 'renamer' });
    await runBy(way, { model, tools, toolsContext } as never, [{ role: 'user', content: 'go' }], hooks);
    return { ran, read: JSON.stringify(results()) };
  }

  test('does not get the context of the tool that the model called', async () => {
    const { ran, read } = await renamed({}, { look: { key: 'of look' } });
    expect(ran).toEqual([undefined]);
    expect(read).toContain('hunter2');
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
