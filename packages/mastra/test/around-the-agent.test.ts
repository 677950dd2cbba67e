import {
  BeforeToolCall,
  block,
  createHooks,
  modify,
  proceed,
  TransformToolResult,
  UserPromptSubmit,
} from '@hooks/core';
import { Mastra } from '@mastra/core';
import { AgentController } from '@mastra/core/agent-controller';
import { InMemoryStore } from '@mastra/core/storage';
import { type CodeModeTransport, createCodeMode, createTool } from '@mastra/core/tools';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { Memory } from '@mastra/memory';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookedAgent, hookTool, hookTools } from '../src/index.ts';
import { callThenText, modelOf, quiet, readByModel, serve } from './fixtures.ts';

const number = z.object({ n: z.number() });

function setUp() {
  const hooks = createHooks();
  const ran: string[] = [];
  const make = (id: string) =>
    createTool({
      id,
      description: id,
      inputSchema: number,
      outputSchema: number,
      execute: async ({ n }) => {
        ran.push(`${id} ${n}`);
        return { n: n + 1 };
      },
    });
  return { hooks, ran, make };
}

describe('a workflow’s steps of hooked tools', () => {
  test('are asked about in nested workflows, loops, parallel branches and for each item, in a session each', async () => {
    const { hooks, ran, make } = setUp();
    const asked: unknown[] = [];
    const sessions = new Set<string>();
    const runs = new Set<string | undefined>();
    hooks.on(BeforeToolCall, ({ toolName, input, session, run }) => {
      asked.push(`${toolName} ${number.parse(input).n}`);
      sessions.add(session.id);
      runs.add(run);
      return proceed();
    });
    const step = (id: string) => createStep(hookTool(make(id), hooks));
    const schemas = { inputSchema: number, outputSchema: z.unknown() };
    const nested = createWorkflow({ id: 'nested', inputSchema: number, outputSchema: number })
      .then(step('inner'))
      .commit();
    const workflow = createWorkflow({ id: 'w', ...schemas })
      // @ts-expect-error Mastra gives a workflow's description a type that is no step's with exactOptionalPropertyTypes
      .then(nested)
      .dountil(step('loop'), async ({ inputData }) => inputData.n > 2)
      .parallel([step('left'), step('right')])
      .map(async ({ inputData }) => Object.values(inputData))
      .foreach(step('each'), { concurrency: 2 })
      .commit();
    const run = await workflow.createRun();
    const { status } = await run.start({ inputData: { n: 0 } });
    expect(status).toBe('success');
    expect(asked).toEqual(['inner 0', 'loop 1', 'loop 2', 'left 3', 'right 3', 'each 4', 'each 4']);
    expect(ran.toSorted()).toEqual(asked.toSorted());
    expect([sessions.size, runs.size]).toEqual([7, 1]);
  });

  test('are asked about again where a run is taken back to one of them', async () => {
    const { hooks, ran, make } = setUp();
    hooks.on(BeforeToolCall.matching('second'), ({ input }) =>
      number.parse(input).n > 5 ? block('Too much.') : proceed(),
    );
    const workflow = createWorkflow({ id: 'w', inputSchema: number, outputSchema: number })
      .then(createStep(hookTool(make('first'), hooks)))
      .then(createStep(hookTool(make('second'), hooks)))
      .commit();
    new Mastra({ workflows: { workflow }, storage: new InMemoryStore(), logger: false });
    const run = await workflow.createRun();
    await run.start({ inputData: { n: 0 } });
    const back = (n: number) => run.timeTravel({ step: 'second', inputData: { n } });
    expect([(await back(5)).status, (await back(6)).status]).toEqual(['success', 'failed']);
    expect(ran).toEqual(['first 0', 'second 1', 'second 5']);
  });
});

test('code mode: the tools that the model’s program calls are asked about, where they are hooked', async () => {
  await using server = await serve(
    callThenText('execute_typescript', { code: 'return external_add({ n: 1 })' }),
  );
  const { hooks, ran, make } = setUp();
  hooks.guard(BeforeToolCall.matching('remove'), () => block('Not that.'));
  hooks.on(TransformToolResult.matching('add'), () => modify({ output: 'hidden' }));
  const inProcess: CodeModeTransport = {
    requiresSandbox: false,
    run: async ({ dispatch }) => {
      const added = await dispatch('add', { n: 1 });
      const removed = await dispatch('remove', { n: 1 }).catch(String);
      return { success: true, result: [added, removed] };
    },
  };
  const tools = hookTools({ add: make('add'), remove: make('remove') }, hooks);
  const { tool } = createCodeMode({ tools }, inProcess);
  const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server) };
  await quiet(hookedAgent({ ...config, tools: { execute_typescript: tool } }, hooks)).generate('Go');
  expect(ran).toEqual(['add 1']);
  expect(readByModel(server)['c1']).toContain('["hidden","BlockedError: Not that."]');
});

test('an AgentController: prompts, and the calls of its own tools, are those of the hooked agent', async () => {
  const calls = ['own', 'shared'].map((name) => ({ id: name, name, arguments: { n: 1 } }));
  await using server = await serve([{ toolCalls: calls }, { text: 'Done.' }]);
  const { hooks, ran, make } = setUp();
  const prompts: string[] = [];
  hooks.on(UserPromptSubmit, ({ prompt }) => {
    prompts.push(prompt);
    return proceed();
  });
  hooks.guard(BeforeToolCall.matching('shared'), () => block('Not that.'));
  hooks.on(TransformToolResult.matching('own'), () => modify({ output: 'hidden' }));
  const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server) };
  const agent = quiet(hookedAgent({ ...config, tools: { own: make('own') } }, hooks));
  const storage = new InMemoryStore();
  const controller = new AgentController({
    id: 'c',
    agent,
    storage,
    memory: new Memory({ storage }),
    tools: { shared: make('shared') },
    modes: [{ id: 'm', name: 'm' }],
  });
  await controller.init();
  const session = await controller.createSession({ resourceId: 'u' });
  session.subscribe((event) => {
    if (event.type === 'tool_approval_required')
      setImmediate(() =>
        session.respondToToolApproval({ decision: 'approve', toolCallId: event.toolCallId }),
      );
  });
  await session.sendMessage({ content: 'Go' });
  expect([prompts, ran]).toEqual([['Go'], ['own 1']]);
  expect(readByModel(server)).toEqual({ own: 'hidden', shared: 'Not that.' });
});
