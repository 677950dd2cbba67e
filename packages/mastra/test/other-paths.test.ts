import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  modify,
  proceed,
  UserPromptSubmit,
} from '@hooks/core';
import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { Memory } from '@mastra/memory';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { hookedAgent, hookTools } from '../src/index.ts';
import { callThenText, makeAdd, modelOf, quiet, readByModel, runAgent, serve } from './fixtures.ts';

test('a durable agent, whose runs Mastra starts itself, is gated', async () => {
  await using server = await serve(callThenText('add', { a: 1 }));
  const hooks = createHooks();
  const { add, ran } = makeAdd();
  hooks.guard(BeforeToolCall, () => block('Not here.'));
  const agent = quiet(
    hookedAgent(
      { id: 'a', name: 'a', instructions: '', model: modelOf(server), tools: { add }, durable: true },
      hooks,
    ),
  );
  const mastra = new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
  const output = await mastra.getAgent('agent').stream('Go');
  for await (const _chunk of output.fullStream);
  expect([ran, readByModel(server)]).toEqual([[], { c1: 'Not here.' }]);
});

test('hooked tools in an agent that is not hooked: hooks see what Mastra has parsed', async () => {
  await using server = await serve(callThenText('add', { a: 1 }));
  const hooks = createHooks();
  const { add, ran } = makeAdd();
  const seen: unknown[] = [];
  hooks.on(BeforeToolCall, ({ input }) => {
    seen.push(input);
    return modify({ input: { a: 5 } });
  });
  const agent = quiet(
    new Agent({
      id: 'a',
      name: 'a',
      instructions: '',
      model: modelOf(server),
      tools: hookTools({ add }, hooks),
    }),
  );
  await runAgent(agent, 'Go', false);
  expect([seen, ran]).toEqual([[{ a: 1, b: 7 }], [{ a: 5, b: 7 }]]);
});

test('a workflow as a tool of a hooked agent is gated, and its output can be replaced', async () => {
  await using server = await serve(callThenText('workflow-double', { inputData: { a: 2 } }));
  const hooks = createHooks();
  const double = createStep({
    id: 'double',
    inputSchema: z.object({ a: z.number() }),
    outputSchema: z.object({ twice: z.number() }),
    execute: async ({ inputData }) => ({ twice: 2 * inputData.a }),
  });
  const workflow = createWorkflow({
    id: 'double',
    description: 'Doubles.',
    inputSchema: z.object({ a: z.number() }),
    outputSchema: z.object({ twice: z.number() }),
  })
    .then(double)
    .commit();
  const seen: unknown[] = [];
  hooks.on(BeforeToolCall, ({ toolName, tool }) => {
    seen.push([toolName, tool?.kind]);
    return proceed();
  });
  hooks.on(AfterToolCall, ({ output }) => {
    seen.push(structuredClone(output)); // Mastra's own object, which the new output is put into
    return modify({ output: { result: { twice: 0 } } });
  });
  const agent = quiet(
    hookedAgent(
      { id: 'a', name: 'a', instructions: '', model: modelOf(server), workflows: { double: workflow } },
      hooks,
    ),
  );
  await runAgent(agent, 'Go', false);
  expect(seen).toMatchObject([['workflow-double', 'framework'], { result: { twice: 4 } }]);
  expect(readByModel(server)['c1']).toContain('"twice":0');
});

test('a workflow one of whose steps is an agent ends where a hook ends the run of that agent', async () => {
  await using server = await serve(callThenText('add', { a: 1 }));
  const hooks = createHooks();
  hooks.guard(BeforeToolCall, () => block('Enough.', { stop: true }));
  const { add } = makeAdd();
  const agent = quiet(
    hookedAgent({ id: 'a', name: 'a', instructions: '', model: modelOf(server), tools: { add } }, hooks),
  );
  const said: string[] = [];
  const text = z.object({ text: z.string() });
  const next = createStep({
    id: 'next',
    inputSchema: text,
    outputSchema: text,
    execute: async ({ inputData }) => {
      said.push(inputData.text);
      return inputData;
    },
  });
  const workflow = createWorkflow({
    id: 'w',
    inputSchema: z.object({ prompt: z.string() }),
    outputSchema: text,
  })
    .then(createStep(agent))
    .then(next)
    .commit();
  const run = await workflow.createRun();
  const result = await run.start({ inputData: { prompt: 'Go' } });
  expect(result).toMatchObject({ status: 'tripwire', tripwire: { reason: 'Enough.' } });
  expect(said).toEqual([]);
});

test('a tool that pauses itself: hooks see the end once it has ended, and are asked once', async () => {
  await using server = await serve(callThenText('ask', {}));
  const hooks = createHooks();
  const seen: unknown[] = [];
  hooks.on(BeforeToolCall, () => {
    seen.push('before');
    return proceed();
  });
  hooks.on(AfterToolCall, ({ output }) => {
    seen.push(output);
    return proceed();
  });
  const ask = createTool({
    id: 'ask',
    description: 'Asks.',
    inputSchema: z.object({}),
    suspendSchema: z.object({ question: z.string() }),
    resumeSchema: z.object({ answer: z.string() }),
    execute: async (_input, { agent }) => {
      if (agent?.resumeData === undefined) {
        await agent?.suspend({ question: 'Why?' });
        return undefined;
      }
      return agent.resumeData.answer;
    },
  });
  const agent = quiet(
    hookedAgent({ id: 'a', name: 'a', instructions: '', model: modelOf(server), tools: { ask } }, hooks),
  );
  new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
  const { runId, finishReason } = await runAgent(agent, 'Go', false);
  expect([finishReason, seen]).toEqual(['suspended', ['before']]);
  await agent.resumeGenerate({ answer: 'Because.' }, { runId, toolCallId: 'c1' });
  expect([seen, readByModel(server)]).toEqual([['before', 'Because.'], { c1: 'Because.' }]);
});

test.each([false, true])(
  'a tool that runs in the place of another and pauses goes on with what it is resumed with (streamed: %s)',
  async (streaming) => {
    await using server = await serve(callThenText('first', {}));
    const hooks = createHooks();
    let asked = 0;
    hooks.on(BeforeToolCall, () => {
      asked++;
      return modify({ toolName: 'second' });
    });
    const make = (id: string) =>
      createTool({
        id,
        description: id,
        inputSchema: z.object({}),
        resumeSchema: z.object({ answer: z.string() }),
        execute: async (_input, { agent }) => {
          if (agent?.resumeData === undefined) return agent?.suspend({ question: 'Why?' });
          return `${id}: ${agent.resumeData.answer}`;
        },
      });
    const tools = { first: make('first'), second: make('second') };
    const agent = quiet(
      hookedAgent({ id: 'a', name: 'a', instructions: '', model: modelOf(server), tools }, hooks),
    );
    new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
    const { runId, finishReason } = await runAgent(agent, 'Go', streaming);
    expect(finishReason).toBe('suspended');
    await agent.resumeGenerate({ answer: 'Because.' }, { runId, toolCallId: 'c1' });
    expect([asked, readByModel(server)]).toEqual([1, { c1: 'second: Because.' }]);
  },
);

test('a tool that runs in the background is hooked there', async () => {
  await using server = await serve([
    { toolCalls: [{ id: 'c1', name: 'look', arguments: {} }] },
    { text: 'Done.' },
  ]);
  const hooks = createHooks();
  hooks.on(AfterToolCall, ({ output }) => modify({ output: `${output}, hooked` }));
  const look = createTool({
    id: 'look',
    description: 'Looks.',
    inputSchema: z.object({}),
    background: { enabled: true },
    execute: async () => 'nothing',
  });
  const storage = new InMemoryStore();
  const memory = new Memory({ storage });
  const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), memory, tools: { look } };
  const agent = quiet(
    hookedAgent({ ...config, backgroundTasks: { tools: { look: { enabled: true } } } }, hooks),
  );
  new Mastra({ agents: { agent }, storage, logger: false, backgroundTasks: { enabled: true } });
  const options = { memory: { thread: 't', resource: 'u' }, untilIdle: true };
  const output = await agent.stream('Go', options);
  const completed: unknown[] = [];
  for await (const chunk of output.fullStream)
    if (chunk.type === 'background-task-completed') completed.push(chunk.payload.result);
  expect(completed).toEqual(['nothing, hooked']);
});

test('a tool whose name Mastra gives to one of its own is gated: the framework’s wins', async () => {
  await using server = await serve(callThenText('agent-sub', { prompt: 'Hi.' }));
  const hooks = createHooks();
  const { add } = makeAdd();
  const sub = new Agent({ id: 'sub', name: 'sub', instructions: '', model: modelOf(server) });
  hooks.guard(BeforeToolCall, () => block('Nobody there.'));
  const agent = quiet(
    hookedAgent(
      {
        id: 'a',
        name: 'a',
        instructions: '',
        model: modelOf(server),
        tools: { 'agent-sub': add },
        agents: { sub },
      },
      hooks,
    ),
  );
  await runAgent(agent, 'Go', false);
  expect(readByModel(server)).toEqual({ c1: 'Nobody there.' });
});

test('a network, which asks no hook about prompts and memory’s tools, is refused where a hook may refuse these', async () => {
  const nothing = {
    primitiveId: 'none',
    primitiveType: 'none',
    prompt: '',
    selectionReason: 'Nothing to do.',
    isComplete: true,
    completionReason: 'Done.',
    finalResult: 'Done.',
  };
  await using server = await serve(() => ({ text: JSON.stringify(nothing) }));
  const hooks = createHooks();
  const storage = new InMemoryStore();
  const memory = new Memory({ storage, options: { workingMemory: { enabled: true } } });
  const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), memory };
  const start = async (allowUnsupported: string[] = []) => {
    const agent = quiet(hookedAgent(config, hooks, { allowUnsupported }));
    new Mastra({ agents: { agent }, storage, logger: false });
    const output = await agent.network('Go', { memory: { thread: 't', resource: 'r' } });
    for await (const _chunk of output);
  };
  hooks.guard(BeforeToolCall.matching('other'), () => proceed());
  hooks.observe(UserPromptSubmit, () => {});
  await start();
  hooks.on(UserPromptSubmit, () => proceed());
  await expect(start()).rejects.toThrow('hooks on user_prompt_submit do not run in a network');
  hooks.guard(BeforeToolCall, () => proceed());
  await expect(start()).rejects.toMatchObject({
    code: 'UNSUPPORTED_EVENT',
    message: expect.stringContaining('user_prompt_submit, before_tool_call do not run'),
  });
  await start(['user_prompt_submit', 'before_tool_call']);
});
