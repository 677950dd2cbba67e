import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import { MASTRA_THREAD_ID_KEY, RequestContext } from '@mastra/core/request-context';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { Memory } from '@mastra/memory';
import { expect, test } from 'vitest';
import { z } from 'zod';
import {
  argumentsOf,
  assembles,
  checksItself,
  innerContext,
  interceptWrites,
  isEagerHandback,
  isForkable,
  isNotResumed,
  isObservational,
  isStreaming,
  madeOf,
  mayObserve,
  modelName,
  RUNS,
  replaceMethod,
  THREAD_KEY,
  thrownByTool,
} from '../src/internals.ts';
import type { CallContext } from '../src/tool/context.ts';
import { callThenText, makeAdd, modelOf, quiet, readByModel, runAgent, serve } from './fixtures.ts';

/** What Mastra has that we use, and that no documentation promises: each test names one such thing. */

test('an agent tells the model and the native hooks of its config', () => {
  const model = 'openai/gpt-5';
  const hooks = { beforeToolCall: async () => {} };
  const agent = new Agent({ id: 'a', name: 'a', instructions: '', model, hooks });
  expect(agent.__getOverridableFields().model).toBe(model);
  expect(agent.getConfiguredToolHooks()).toBe(hooks);
});

test('an agent puts the tools that it has into the registry of the Mastra that it is registered in', () => {
  const [{ add }, { add: other }] = [makeAdd(), makeAdd()];
  const config = { id: 'a', name: 'a', instructions: '', model: 'openai/gpt-5' };
  const agent = quiet(new Agent({ ...config, tools: { sum: add } }));
  expect(agent.__getOverridableFields().tools).toEqual({ sum: add });
  agent.__setTools({ sum: other });
  const mastra = new Mastra({ agents: { agent }, logger: false });
  expect(mastra.getToolById('add')).toBe(other);
});

test('a paused run is stored with its request context', async () => {
  await using server = await serve(callThenText('add', { a: 1 }));
  const add = createTool({
    id: 'add',
    description: '',
    inputSchema: z.object({ a: z.number() }),
    requireApproval: true,
    execute: async ({ a }) => a,
  });
  const agent = new Agent({ id: 'a', name: 'a', instructions: '', model: modelOf(server), tools: { add } });
  const storage = new InMemoryStore();
  new Mastra({ agents: { agent: quiet(agent) }, storage, logger: false });
  const requestContext = new RequestContext([['user', 'alice']]) as RequestContext;
  const { runId = '' } = await agent.generate('Go', { requestContext });
  const store = await storage.getStore('workflows');
  const stored = await store?.loadWorkflowSnapshot({ workflowName: RUNS, runId });
  expect(stored?.requestContext).toMatchObject({ user: 'alice' });
});

test('a copy of an agent is an agent that can be changed without changing the agent; runs ask it what it lists', async () => {
  await using server = await serve([{ text: 'Done.' }]);
  const { add } = makeAdd();
  const define = (name: string) => ({
    id: name,
    name,
    description: name,
    instructions: '',
    model: modelOf(server),
  });
  const agent = new Agent({ ...define('a'), tools: { add } });
  expect([isForkable(agent), isForkable({ generate() {}, stream() {} })]).toEqual([true, false]);
  const copy = quiet(agent.__fork());
  replaceMethod(copy, 'listTools', async () => ({ other: add }) as never);
  replaceMethod(copy, 'listAgents', () => ({ sub: new Agent(define('sub')) }));
  expect(copy).toBeInstanceOf(Agent);
  expect(Object.keys(await agent.listTools())).toEqual(['add']);
  await runAgent(copy, 'Go', false);
  expect(server.requests[0]?.tools.map(({ name }) => name)).toEqual(['other', 'agent-sub']);
});

test('the tools of a run come from lists, by one object each, and pass the native hooks under their last names', async () => {
  await using server = await serve([{ text: 'Done.' }]);
  const { add } = makeAdd();
  const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), tools: { 'math.add': add } };
  const bare = quiet(new Agent(config));
  const agent: object = bare;
  if (!assembles(agent)) throw new Error('An agent does not assemble its tools as we know it.');
  const listed: unknown[] = [];
  for (const method of ['listAssignedTools', 'listToolsets'] as const) {
    const list = agent[method].bind(agent);
    replaceMethod(agent, method, async (given: object) => {
      const tools = await list(given);
      listed.push(...Object.values(tools));
      return tools;
    });
  }
  const wrap = agent.wrapToolsWithHooks.bind(agent);
  const wrapped: unknown[] = [];
  const native = { beforeToolCall: async () => {} };
  replaceMethod(agent, 'wrapToolsWithHooks', (tools, hooks) => {
    wrapped.push(
      Object.keys(tools),
      Object.values(tools).map((tool) => listed.indexOf(tool)),
      hooks?.beforeToolCall,
    );
    return wrap(tools, hooks);
  });
  const toolsets = { set: { more: add } };
  await runAgent(bare, 'Go', false, { toolsets, hooks: native });
  expect(wrapped).toEqual([['more', 'math_add'], [1, 0], native.beforeToolCall]);
});

test('a streamed run can be waited for without reading it, and tells its status then', async () => {
  await using server = await serve([{ text: 'Done.' }]);
  const agent = quiet(new Agent({ id: 'a', name: 'a', instructions: '', model: modelOf(server) }));
  const output = await agent.stream('Go');
  expect([isStreaming(output), isStreaming(await agent.generate('Go'))]).toEqual([true, false]);
  const waited = output._waitUntilFinished();
  await output.consumeStream();
  await waited;
  expect([output.status, await output.finishReason]).toEqual(['success', 'stop']);
});

test('a tool that `createTool` made is marked, and checks its input itself', async () => {
  const { add, ran } = makeAdd();
  expect([checksItself(add), checksItself({ execute() {} })]).toEqual([true, false]);
  expect(await add.execute?.({ a: 'x' } as never, {} as never)).toMatchObject({ error: true });
  expect(ran).toEqual([]);
});

test('the tools that Mastra makes of agents and workflows are known by their names', async () => {
  await using server = await serve([{ text: 'Done.' }]);
  const model = modelOf(server);
  const schemas = { inputSchema: z.object({}), outputSchema: z.object({}) };
  const step = createStep({ id: 'only', ...schemas, execute: async () => ({}) });
  const flow = createWorkflow({ id: 'flow', description: 'Flows.', ...schemas })
    .then(step)
    .commit();
  const define = (name: string) => ({ id: name, name, description: name, instructions: '', model });
  const agents = { sub: new Agent(define('sub')) };
  await runAgent(quiet(new Agent({ ...define('a'), agents, workflows: { flow } })), 'Go', false);
  const names = server.requests[0]?.tools.map(({ name }) => name) ?? [];
  expect(Object.fromEntries(names.map((name) => [name, madeOf(name)]))).toEqual({
    'agent-sub': 'agent',
    'workflow-flow': 'workflow',
  });
});

test('native hooks get what a tool threw inside an error of Mastra’s', async () => {
  await using server = await serve(callThenText('fail', {}));
  const thrown = new Error('No.');
  const fail = createTool({
    id: 'fail',
    description: 'Fails.',
    execute: async () => {
      throw thrown;
    },
  });
  const seen: unknown[] = [];
  const hooks = { afterToolCall: async ({ error }: { error?: unknown }) => void seen.push(error) };
  const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), tools: { fail }, hooks };
  await runAgent(quiet(new Agent(config)), 'Go', false);
  expect(seen).not.toEqual([thrown]);
  expect(seen.map(thrownByTool)).toEqual([thrown]);
});

test('a tool that pauses in a stream, where it was started early, is handed back by a throw', async () => {
  await using server = await serve(callThenText('ask', {}));
  const thrown: unknown[] = [];
  const ask = createTool({
    id: 'ask',
    description: 'Asks.',
    execute: async (_, { agent }) => {
      try {
        return await agent?.suspend({});
      } catch (error) {
        thrown.push(error);
        throw error;
      }
    },
  });
  const agent = quiet(
    new Agent({ id: 'a', name: 'a', instructions: '', model: modelOf(server), tools: { ask } }),
  );
  new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
  expect((await runAgent(agent, 'Go', true)).finishReason).toBe('suspended');
  // The lowest version starts none early.
  expect(thrown.filter((error) => !isEagerHandback(error))).toEqual([]);
});

test('a resume for a call that does not wait is refused by an error of that id, and the run stays paused', async () => {
  await using server = await serve(callThenText('ask', {}));
  const ask = createTool({
    id: 'ask',
    description: 'Asks.',
    inputSchema: z.object({}),
    resumeSchema: z.object({ answer: z.string() }),
    execute: async (_, { agent }) =>
      agent?.resumeData === undefined ? agent?.suspend({}) : agent.resumeData.answer,
  });
  const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), tools: { ask } };
  const agent = quiet(new Agent(config));
  new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
  const { runId } = await runAgent(agent, 'Go', false);
  const resume = (toolCallId: string) => agent.resumeGenerate({ answer: 'Blue.' }, { runId, toolCallId });
  const error: unknown = await resume('other').then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  // The lowest version takes any id for that of the call that waits.
  if (error !== undefined) {
    expect(isNotResumed(error)).toBe(true);
    await resume('c1');
  }
  expect(readByModel(server)).toEqual({ c1: 'Blue.' });
});

test('the fields that Mastra adds to the input of a tool are those that argumentsOf takes out', async () => {
  await using server = await serve([{ text: 'Done.' }]);
  const { add } = makeAdd();
  const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server) };
  const memory = new Memory({ storage: new InMemoryStore() });
  const agent = quiet(
    new Agent({
      ...config,
      memory,
      backgroundTasks: {},
      tools: { add: { ...add, background: { enabled: true } } },
    }),
  );
  new Mastra({
    agents: { agent },
    storage: new InMemoryStore(),
    logger: false,
    backgroundTasks: { enabled: true },
  });
  await runAgent(agent, 'Go', false, {
    autoResumeSuspendedTools: true,
    memory: { thread: 't', resource: 'u' },
  });
  const { body } = server.requests[0] ?? {};
  const { tools } = body as Body;
  const written = tools.find((tool) => tool.function.name === 'add')?.function.parameters.properties ?? {};
  expect(Object.keys(written)).toEqual(
    expect.arrayContaining(['a', 'b', '_background', 'resumeData', 'suspendedToolRunId']),
  );
  expect(Object.keys(Object(argumentsOf(written)))).toEqual(['a', 'b']);
});

/** What the model is sent, as far as it is looked at here. */
interface Body {
  readonly tools: readonly {
    readonly function: { readonly name: string; readonly parameters: { readonly properties: object } };
  }[];
}

/** Runs a tool, and gives what of that which it writes comes into the stream of the run. */
async function streamed(execute: (context: Required<CallContext>) => Promise<void>): Promise<unknown[]> {
  await using server = await serve(callThenText('look', {}));
  const look = createTool({
    id: 'look',
    description: 'Looks.',
    inputSchema: z.object({}),
    execute: async (_, context) => {
      await execute(context as unknown as Required<CallContext>);
      return 'seen';
    },
  });
  const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), tools: { look } };
  const { fullStream } = await quiet(new Agent(config)).stream('Go');
  const written: unknown[] = [];
  for await (const { type, payload } of fullStream as AsyncIterable<ToolChunk>)
    if (type === 'tool-output') written.push(payload?.output);
  return written;
}

interface ToolChunk {
  readonly type: string;
  readonly payload?: { readonly output?: unknown };
}

interface Writing {
  write(chunk: unknown): Promise<void>;
}

test('writeFn and outputWriter are where the writes of a tool go, and where interceptWrites takes them', async () => {
  const taken: unknown[] = [];
  const written = await streamed(async (context) => {
    const { writer, agent } = context as { writer: Writing; agent: { outputWriter?: Writing['write'] } };
    await writer.write('before');
    interceptWrites(context, (chunk) => void taken.push(chunk));
    await writer.write('taken');
    await agent.outputWriter?.('raw');
  });
  expect(taken).toEqual([
    expect.objectContaining({ payload: expect.objectContaining({ output: 'taken' }) }),
    'raw',
  ]);
  expect(written).toEqual(['before']);
});

test('the writer of an innerContext writes where that of the caller does, and is intercepted alone', async () => {
  const taken: unknown[] = [];
  const written = await streamed(async (context) => {
    const inner = innerContext(context);
    const [outer, own] = [context, inner].map(({ writer }) => writer as unknown as Writing);
    await own?.write('inner');
    interceptWrites(inner, (chunk) => void taken.push(chunk));
    await own?.write('held');
    await outer?.write('outer');
  });
  expect(taken).toHaveLength(1);
  expect(written).toEqual(['inner', 'outer']);
});

test('the model knows tools by the names that Mastra makes of their keys', async () => {
  await using server = await serve([{ text: 'Done.' }]);
  const { add } = makeAdd();
  const keys = ['plain', 'with.dot', '1st', 'a'.repeat(70), 'ärger/😀', '-x'];
  const tools = Object.fromEntries(keys.map((key) => [key, add]));
  const agent = new Agent({ id: 'a', name: 'a', instructions: '', model: modelOf(server), tools });
  await agent.generate('Go');
  expect(server.requests[0]?.tools.map(({ name }) => name).sort()).toEqual(keys.map(modelName).sort());
});

test('the key under which a server puts the thread into a request’s context is Mastra’s', () => {
  expect(THREAD_KEY).toBe(MASTRA_THREAD_ID_KEY);
});

test('the processor of observational memory has the engine that we stand around', async () => {
  const model = 'openai/gpt-5';
  const memory = new Memory({
    storage: new InMemoryStore(),
    options: { observationalMemory: { observation: { model }, reflection: { model } } },
  });
  expect([mayObserve(memory), mayObserve(new Memory({ storage: new InMemoryStore() }))]).toEqual([
    true,
    false,
  ]);
  const processors: readonly unknown[] = await memory.getInputProcessors([]);
  expect(processors.find(isObservational)?.engine).toMatchObject({
    scope: 'thread',
    observer: { call: expect.any(Function), observationConfig: expect.any(Object) },
    ...Object.fromEntries(
      ['observe', 'buffer', 'activate', 'getStatus', 'getObservationConfig'].map((method) => [
        method,
        expect.any(Function),
      ]),
    ),
  });
});
