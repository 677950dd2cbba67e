import { AfterToolCall, BeforeToolCall, createHooks, requireApproval } from '@hooks/core';
import { Mastra } from '@mastra/core';
import { InMemoryStore } from '@mastra/core/storage';
import { describe, expect, test } from 'vitest';
import { hooked } from '../src/index.ts';
import { callThenText, makeAdd, modelOf, quiet, readByModel, runAgent, serve } from './fixtures.ts';

describe.each([false, true])('a run that waits for a person (streamed: %s)', (streaming) => {
  const pause = async () => {
    const server = await serve(callThenText('add', { a: 1 }));
    const hooks = createHooks();
    const log: string[] = [];
    hooks.on(BeforeToolCall, () => {
      log.push('before');
      return requireApproval('Sure?');
    });
    hooks.observe(AfterToolCall, ({ status }) => void log.push(status));
    const { add, ran } = makeAdd();
    const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), tools: { add } };
    const agent = quiet(hooked(config, hooks, { approval: 'native' }));
    new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
    const { runId } = await runAgent(agent, 'Go', streaming);
    const approve = async (toolCallId: string) => {
      if (!streaming) return void (await agent.approveToolCallGenerate({ runId, toolCallId }));
      await (await agent.approveToolCall({ runId, toolCallId })).getFullOutput();
    };
    return { server, hooks, log, ran, runId, approve };
  };

  test('goes on with a yes after its session was closed; hooks are asked once more, as in another process', async () => {
    const { server, hooks, log, ran, runId, approve } = await pause();
    await using _ = server;
    await hooks.session(runId).close(); // as one that nobody has used for long
    await approve('c1');
    await hooks.settled();
    expect([ran.length, readByModel(server), log]).toEqual([
      1,
      { c1: '{"sum":8}' },
      ['before', 'before', 'ok'],
    ]);
  });

  test('waits on where the yes is to a call that does not wait', async () => {
    const { server, hooks, log, ran, approve } = await pause();
    await using _ = server;
    await expect(approve('another')).rejects.toThrow('another');
    expect([ran, log]).toEqual([[], ['before']]);
    await approve('c1');
    await hooks.settled();
    expect([ran.length, readByModel(server), log]).toEqual([1, { c1: '{"sum":8}' }, ['before', 'ok']]);
  });
});
