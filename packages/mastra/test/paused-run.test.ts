import {
  AfterToolCall,
  BeforeToolCall,
  createHooks,
  proceed,
  requireApproval,
  SessionEnd,
} from '@hooks/core';
import { Mastra } from '@mastra/core';
import { InMemoryStore } from '@mastra/core/storage';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookedAgent } from '../src/index.ts';
import {
  addingAgent,
  callThenText,
  makeAdd,
  modelOf,
  quiet,
  readByModel,
  runAgent,
  serve,
} from './fixtures.ts';

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
    const agent = quiet(hookedAgent(config, hooks, { approval: 'native' }));
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

  test('ends in another process that is told a yes to a call that does not wait', async () => {
    await using server = await serve(callThenText('add', { a: 1 }));
    const storage = new InMemoryStore();
    const process = () => {
      const hooks = createHooks();
      hooks.on(BeforeToolCall, () => requireApproval('Sure?'));
      const log: string[] = [];
      hooks.observe(SessionEnd, ({ session }) => void log.push(session.id));
      const agent = quiet(hookedAgent(addingAgent(server), hooks, { approval: 'native' }));
      new Mastra({ agents: { agent }, storage, logger: false });
      return { hooks, log, agent };
    };
    const { runId } = await runAgent(process().agent, 'Go', streaming);
    const { agent, hooks, log } = process();
    const answer = { runId, toolCallId: 'another' };
    await expect(
      streaming ? agent.approveToolCall(answer) : agent.approveToolCallGenerate(answer),
    ).rejects.toThrow('another');
    await hooks.settled();
    expect(log).toEqual([runId]);
  });

  test('inside of a tool that Mastra makes itself goes on after its session was closed; hooks are asked once more', async () => {
    await using server = await serve(callThenText('workflow-report', { inputData: { n: 1 } }));
    const schemas = { inputSchema: z.object({ n: z.number() }), outputSchema: z.object({ n: z.number() }) };
    const step = createStep({
      id: 'only',
      ...schemas,
      suspendSchema: z.object({ question: z.string() }),
      resumeSchema: z.object({ by: z.number() }),
      execute: async ({ inputData, resumeData, suspend }) =>
        resumeData === undefined ? suspend({ question: 'By how much?' }) : { n: inputData.n + resumeData.by },
    });
    const report = createWorkflow({ id: 'report', description: 'Reports.', ...schemas })
      .then(step)
      .commit();
    const hooks = createHooks();
    const log: string[] = [];
    hooks.on(BeforeToolCall, () => {
      log.push('before');
      return proceed();
    });
    hooks.observe(AfterToolCall, ({ status }) => void log.push(status));
    const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), workflows: { report } };
    const agent = quiet(hookedAgent(config, hooks));
    new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
    const { runId } = await runAgent(agent, 'Go', streaming);
    await hooks.session(runId).close();
    const paused = { runId, toolCallId: 'c1' };
    if (streaming) await (await agent.resumeStream({ by: 2 }, paused)).getFullOutput();
    else await agent.resumeGenerate({ by: 2 }, paused);
    await hooks.settled();
    expect([readByModel(server)['c1'], log]).toEqual([
      expect.stringContaining('{"n":3}'),
      ['before', 'before', 'ok'],
    ]);
  });
});
