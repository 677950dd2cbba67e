import { AfterToolCall, BeforeToolCall, createHooks, proceed } from '@hooks/core';
import { Mastra } from '@mastra/core';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookedAgent } from '../src/index.ts';
import { modelOf, quiet, runAgent, serve } from './fixtures.ts';

const yes = { confirmed: true };

/** A tool that pays once a person has confirmed it. Mastra lets a model answer in the person's place. */
async function paying(streaming: boolean, calls: readonly (readonly [id: string, arguments: object])[]) {
  const answers = calls.map(([id, given]) => ({ toolCalls: [{ id, name: 'pay', arguments: given }] }));
  const server = await serve([...answers, { text: 'Done.' }]);
  const hooks = createHooks();
  hooks.guard(BeforeToolCall, () => proceed());
  const ended: string[] = [];
  hooks.observe(AfterToolCall, ({ callId, status }) => void ended.push(`${callId} ${status}`));
  const paid: unknown[] = [];
  const pay = createTool({
    id: 'pay',
    description: 'Pays.',
    inputSchema: z.object({ n: z.number() }),
    suspendSchema: z.object({}),
    resumeSchema: z.object({ confirmed: z.boolean() }),
    execute: async ({ n }, { agent }) => {
      if (agent?.resumeData?.confirmed !== true) return agent?.suspend({});
      paid.push(n);
      return 'paid';
    },
  });
  const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), tools: { pay } };
  const agent = quiet(hookedAgent(config, hooks));
  new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
  return {
    paid,
    ended,
    run: (options: Record<string, unknown> = {}) => runAgent(agent, 'Go', streaming, options),
    async answer(runId: string, toolCallId?: string) {
      const paused = { runId, ...(toolCallId !== undefined && { toolCallId }) };
      if (!streaming) return agent.resumeGenerate(yes, paused);
      return (await agent.resumeStream(yes, paused)).getFullOutput();
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}

describe.each([false, true])('what a call waits for (streamed: %s)', (streaming) => {
  test('is not answered by the model', async () => {
    await using at = await paying(streaming, [['c1', { n: 1, resumeData: yes }]]);
    const { finishReason } = await at.run();
    expect([at.paid, finishReason, at.ended]).toEqual([[], 'suspended', []]);
  });

  test.each(['c1', undefined])('is answered by a person, for that call alone (%s)', async (callId) => {
    await using at = await paying(streaming, [
      ['c1', { n: 1 }],
      ['c2', { n: 1000, resumeData: yes }],
    ]);
    const { runId } = await at.run();
    const { finishReason } = await at.answer(runId, callId);
    expect([at.paid, finishReason, at.ended]).toEqual([[1], 'suspended', ['c1 ok']]);
  });

  test('is answered by the model where the program lets it (`autoResumeSuspendedTools`)', async () => {
    await using at = await paying(streaming, [['c1', { n: 1, resumeData: yes }]]);
    await at.run({ autoResumeSuspendedTools: true });
    expect([at.paid, at.ended]).toEqual([[1], ['c1 ok']]);
  });
});
