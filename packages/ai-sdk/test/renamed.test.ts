import { type ApprovalRequest, type Approver, BeforeToolCall, createHooks, modify } from '@hooks/core';
import { tool } from 'ai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookedAgent, hookTools } from '../src/index.ts';
import { pays, payTool, serve } from './fixtures.ts';

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
