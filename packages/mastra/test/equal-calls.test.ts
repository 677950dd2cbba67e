import { BeforeToolCall, block, createHooks, type Hooks, proceed, requireApproval } from '@hooks/core';
import { Mastra } from '@mastra/core';
import { InMemoryStore } from '@mastra/core/storage';
import { describe, expect, test } from 'vitest';
import { hookedAgent, pendingApprovals } from '../src/index.ts';
import { makeAdd, modelOf, quiet, readByModel, runAgent, serve } from './fixtures.ts';

const ids = ['x', 'y', 'z'];

/** With native approval Mastra asks about all calls of an answer at a time, and does not tell which is which. */
async function setUp(hooks: Hooks) {
  const calls = ids.map((id) => ({ id, name: 'add', arguments: { a: 1 } }));
  const server = await serve([{ toolCalls: calls }, { text: 'Done.' }]);
  const { add, ran } = makeAdd();
  const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), tools: { add } };
  const agent = quiet(hookedAgent(config, hooks, { approval: 'native' }));
  new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
  return { server, agent, ran };
}

describe.each([false, true])('equal calls in one answer of the model (streamed: %s)', (streaming) => {
  test('are asked about once each', async () => {
    const hooks = createHooks();
    const asked: string[] = [];
    hooks.on(BeforeToolCall, ({ callId }) => {
      asked.push(callId);
      return callId === 'y' ? block('Not y.') : proceed();
    });
    const { server, agent, ran } = await setUp(hooks);
    await using _ = server;
    await runAgent(agent, 'Go', streaming);
    expect([asked, ran.length, readByModel(server)['y']]).toEqual([ids, 2, 'Not y.']);
  });

  test('wait for a person one by one, each for its own answer', async () => {
    const hooks = createHooks();
    const asked: string[] = [];
    hooks.on(BeforeToolCall, ({ callId }) => {
      asked.push(callId);
      return requireApproval(`Sure of ${callId}?`);
    });
    const { server, agent, ran } = await setUp(hooks);
    await using _ = server;
    const { runId } = await runAgent(agent, 'Go', streaming);
    const reasons: unknown[] = [];
    for (const toolCallId of ids) {
      const pending = await pendingApprovals(await agent.listSuspendedRuns());
      reasons.push(pending.map(({ callId, reason }) => [callId, reason]));
      if (streaming) await (await agent.approveToolCall({ runId, toolCallId })).getFullOutput();
      else await agent.approveToolCallGenerate({ runId, toolCallId });
    }
    expect(reasons).toEqual(ids.map((id) => [[id, `Sure of ${id}?`]]));
    expect([asked, ran.length]).toEqual([ids, 3]);
  });
});
