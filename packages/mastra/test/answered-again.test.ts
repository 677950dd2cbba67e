/** Mastra's answer names a call by its id, and a later call of the run may wait under the same id. */
import { BeforeToolCall, createHooks, requireApproval } from '@hooks/core';
import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookedAgent, pendingApprovals } from '../src/index.ts';
import { modelOf, quiet, serve } from './fixtures.ts';

/** A run whose calls wait for approval, one after the other. */
async function paused(where: 'agent' | 'sub-agent', idOf: (nth: number) => string) {
  const called: string[] = [];
  const server = await serve(({ messages, tools }) => {
    if (tools[0]?.name === 'agent-helper')
      return messages.some(({ role }) => role === 'tool')
        ? { text: 'Over.' }
        : { toolCalls: [{ id: 'h', name: 'agent-helper', arguments: { prompt: 'Go' } }] };
    const city = ['Rome', 'Oslo'][called.length];
    if (city === undefined) return { text: 'Done.' };
    const call = { id: idOf(called.length), name: 'weather', arguments: { city } };
    called.push(city);
    return { toolCalls: [call] };
  });
  const ran: string[] = [];
  const weather = createTool({
    id: 'weather',
    description: '',
    inputSchema: z.object({ city: z.string() }),
    execute: async ({ city }) => void ran.push(city),
  });
  const hooks = createHooks();
  hooks.guard(BeforeToolCall.matching('weather'), () => requireApproval('It costs money.'));
  const helper = new Agent({
    ...{ id: 'helper', name: 'helper', description: '', instructions: '' },
    ...{ model: modelOf(server), tools: { weather } },
  });
  const parts = where === 'agent' ? { tools: { weather } } : { agents: { helper } };
  const agent = quiet(
    hookedAgent({ id: 'a', name: 'a', instructions: '', model: modelOf(server), ...parts }, hooks, {
      approval: 'native',
    }),
  );
  new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
  const { runId = '' } = await agent.generate('Go');
  const waiting = async () => {
    const { runs } = await agent.listSuspendedRuns({});
    const [call] = await pendingApprovals({ runs });
    if (call === undefined) throw new Error('Nothing waits.');
    return call;
  };
  return { agent, ran, runId, waiting, [Symbol.asyncDispose]: () => server.close() };
}

describe.each(['agent', 'sub-agent'] as const)('a yes that comes again (%s)', (where) => {
  const sameId = () => 'c';

  test('does not approve the next call with its id, which nobody was shown', async () => {
    await using p = await paused(where, sameId);
    const { callId: toolCallId, hash } = await p.waiting();
    const answer = { runId: p.runId, toolCallId };
    await p.agent.approveToolCallGenerate(answer);
    expect(await p.waiting()).toMatchObject({ callId: toolCallId, input: { city: 'Oslo' } });
    for (const again of [
      () => p.agent.approveToolCallGenerate(answer),
      () => p.agent.approveToolCall(answer),
      () => p.agent.resumeGenerate({ approved: true, hash }, answer),
    ])
      await expect(again()).rejects.toMatchObject({ status: 409, message: expect.stringContaining('hash') });
    expect(p.ran).toEqual(['Rome']);
  });

  test('approves the next call with its id if it has the hash of that call', async () => {
    await using p = await paused(where, sameId);
    const { callId: toolCallId } = await p.waiting();
    const answer = { runId: p.runId, toolCallId };
    await p.agent.approveToolCallGenerate(answer);
    const { hash } = await p.waiting();
    await p.agent.resumeGenerate({ approved: true, hash }, answer);
    expect(p.ran).toEqual(['Rome', 'Oslo']);
  });

  test('and names no call does not approve the next one', async () => {
    await using p = await paused(where, (nth) => `c${nth}`);
    const answer = { runId: p.runId };
    await p.agent.resumeGenerate({ approved: true }, answer);
    await expect(p.agent.resumeGenerate({ approved: true }, answer)).rejects.toMatchObject({ status: 409 });
    expect(p.ran).toEqual(['Rome']);
    const { hash } = await p.waiting();
    await p.agent.resumeGenerate({ approved: true, hash }, answer);
    expect(p.ran).toEqual(['Rome', 'Oslo']);
  });

  test('and is a no denies the next call', async () => {
    await using p = await paused(where, sameId);
    const { callId: toolCallId } = await p.waiting();
    const answer = { runId: p.runId, toolCallId };
    await p.agent.approveToolCallGenerate(answer);
    await p.agent.declineToolCallGenerate(answer);
    expect(p.ran).toEqual(['Rome']);
  });
});

test('a first yes with the hash of another call is refused, and one with its own hash runs the call', async () => {
  await using p = await paused('agent', (nth) => `c${nth}`);
  const { callId: toolCallId, hash } = await p.waiting();
  const answer = { runId: p.runId, toolCallId };
  await expect(p.agent.resumeGenerate({ approved: true, hash: `${hash}0` }, answer)).rejects.toMatchObject({
    status: 409,
  });
  await p.agent.resumeGenerate({ approved: true, hash }, answer);
  expect(p.ran).toEqual(['Rome']);
});
