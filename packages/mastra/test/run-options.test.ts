import {
  BeforeToolCall,
  block,
  createHooks,
  MaxIterations,
  modify,
  proceed,
  TransformToolResult,
} from '@hooks/core';
import type { ProcessInputArgs, ProcessInputStepArgs } from '@mastra/core/processors';
import { ProcessorStepSchema } from '@mastra/core/processors';
import { createTool } from '@mastra/core/tools';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { describe, expect, test } from 'vitest';
import { blockReason, hookedAgent } from '../src/index.ts';
import { callThenText, modelOf, quiet, readByModel, runAgent, serve } from './fixtures.ts';

const make = (id: string, ran: string[] = []) =>
  createTool({
    id,
    description: id,
    execute: async () => {
      ran.push(id);
      return `${id} ran`;
    },
  });

describe.each([false, true])('what a run is given (streamed: %s)', (streaming) => {
  test('beside toolsets that are the agent’s defaults: those of both are hooked at their function', async () => {
    await using server = await serve([
      {
        toolCalls: ['first', 'second', 'third'].map((name) => ({ id: name, name, arguments: {} })),
      },
      { text: 'Done.' },
    ]);
    const hooks = createHooks();
    hooks.on(TransformToolResult, ({ output }) => modify({ output: `${output}, hooked` }));
    const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server) };
    const toolsets = { one: { first: make('first') }, both: { second: make('second') } };
    const agent = quiet(hookedAgent({ ...config, defaultOptions: { toolsets } }, hooks));
    await runAgent(agent, 'Go', streaming, { toolsets: { both: { third: make('third') } } });
    expect(readByModel(server)).toEqual({
      first: 'first ran, hooked',
      second: 'second ran, hooked',
      third: 'third ran, hooked',
    });
  });

  test('as undefined is not given: the agent’s defaults hold, with the hooks around them', async () => {
    await using server = await serve(callThenText('look', {}));
    const hooks = createHooks();
    const seen: string[] = [];
    hooks.on(BeforeToolCall, ({ toolName }) => {
      seen.push(toolName);
      return block('Not here.');
    });
    const ran: string[] = [];
    const inputProcessors = [
      {
        id: 'theirs',
        processInput: ({ messages }: ProcessInputArgs) => {
          seen.push('processor');
          return messages;
        },
      },
    ];
    const prepareStep = () => ({ tools: { look: make('brought', ran) } });
    const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server) };
    const agent = quiet(
      hookedAgent(
        { ...config, tools: { look: make('look', ran) }, defaultOptions: { inputProcessors, prepareStep } },
        hooks,
      ),
    );
    await runAgent(agent, 'Go', streaming, { inputProcessors: undefined, prepareStep: undefined });
    expect([seen, ran]).toEqual([['processor', 'look'], []]);
  });

  test('as undefined for a limit leaves the agent’s own', async () => {
    await using server = await serve([...callThenText('look', {})]);
    const hooks = createHooks();
    const limits: number[] = [];
    hooks.observe(MaxIterations, ({ maxIterations }) => void limits.push(maxIterations));
    const config = {
      id: 'a',
      name: 'a',
      instructions: '',
      model: modelOf(server),
      tools: { look: make('look') },
    };
    const agent = quiet(hookedAgent({ ...config, defaultOptions: { maxSteps: 1 } }, hooks));
    await runAgent(agent, 'Go', streaming, { maxSteps: undefined });
    await hooks.settled();
    expect(limits).toEqual([1]);
  });
});

test.each([false, true])(
  'feedback on an iteration keeps no run going that a hook has ended (streamed: %s)',
  async (streaming) => {
    await using server = await serve(callThenText('look', {}));
    const hooks = createHooks();
    hooks.guard(BeforeToolCall, () => block('Enough.', { stop: true }));
    const config = {
      id: 'a',
      name: 'a',
      instructions: '',
      model: modelOf(server),
      tools: { look: make('look') },
    };
    const onIterationComplete = () => ({ continue: true, feedback: 'Go on.' });
    const result = await runAgent(quiet(hookedAgent(config, hooks)), 'Go', streaming, {
      onIterationComplete,
    });
    expect([server.requests.length, result.finishReason, blockReason(result)]).toEqual([
      1,
      'tool-calls',
      'Enough.',
    ]);
  },
);

describe.each([false, true])('tools that a step brings along (streamed: %s)', (streaming) => {
  const setUp = async () => {
    const server = await serve(callThenText('look', {}));
    const hooks = createHooks();
    const asked: string[] = [];
    const ran: string[] = [];
    hooks.on(BeforeToolCall, ({ toolName }) => {
      asked.push(toolName);
      return proceed();
    });
    const config = {
      id: 'a',
      name: 'a',
      instructions: '',
      model: modelOf(server),
      tools: { look: make('look', ran) },
    };
    return { server, hooks, asked, ran, config };
  };

  test('made of those of the agent: hooks are asked once', async () => {
    const { server, hooks, asked, ran, config } = await setUp();
    await using _ = server;
    const prepareStep = ({ tools }: ProcessInputStepArgs) => ({
      tools: { look: { ...Object(tools?.['look']), description: 'Looks well.' } },
    });
    await runAgent(quiet(hookedAgent(config, hooks)), 'Go', streaming, { prepareStep });
    expect(server.requests[0]?.tools[0]?.description).toBe('Looks well.');
    expect([asked, ran]).toEqual([['look'], ['look']]);
  });

  test('by a workflow of processors: they are hooked', async () => {
    const { server, hooks, asked, ran, config } = await setUp();
    await using _ = server;
    hooks.guard(BeforeToolCall, () => block('Not here.'));
    const bringing = {
      id: 'bringing',
      processInputStep: async () => ({ tools: { look: make('brought', ran) } }),
    };
    const schemas = { inputSchema: ProcessorStepSchema, outputSchema: ProcessorStepSchema };
    const workflow = createWorkflow({ id: 'processors', ...schemas })
      .then(createStep(bringing as never) as never)
      .commit();
    const agent = quiet(hookedAgent({ ...config, inputProcessors: [workflow as never] }, hooks));
    await runAgent(agent, 'Go', streaming);
    expect([asked, ran, readByModel(server)]).toEqual([['look'], [], { c1: 'Not here.' }]);
  });
});
