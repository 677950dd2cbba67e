import {
  AfterModelCall,
  AfterToolCall,
  addContext,
  BeforeModelCall,
  BeforeToolCall,
  block,
  createHooks,
  HookEvent,
  modify,
  proceed,
  SessionStart,
  Stop,
  UserPromptSubmit,
} from '@hooks/core';
import { createTool } from '@mastra/core/tools';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookedAgent, hookTool, hookTools } from '../src/index.ts';
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

describe.each([false, true])('a run of a hooked agent (streamed: %s)', (streaming) => {
  const setUp = async (script: Parameters<typeof serve>[0] = callThenText('add', { a: 1 })) => {
    const server = await serve(script);
    const hooks = createHooks();
    const { add, ran } = makeAdd();
    const agent = (more: object = {}) =>
      quiet(
        hookedAgent(
          { id: 'a', name: 'a', instructions: 'Be brief.', model: modelOf(server), tools: { add }, ...more },
          hooks,
        ),
      );
    return { server, hooks, add, ran, agent };
  };

  test('a prompt is rewritten before the model reads it', async () => {
    const { server, hooks, agent } = await setUp([{ text: 'Hi.' }]);
    await using _ = server;
    hooks.on(UserPromptSubmit, ({ prompt }) => modify({ prompt: prompt.toUpperCase() }));
    await runAgent(agent(), 'hello', streaming);
    expect(server.requests[0]?.messages.at(-1)).toEqual({ role: 'user', content: 'HELLO' });
  });

  test('a message whose text stands beside its parts is a prompt with that text', async () => {
    const { server, hooks, agent } = await setUp([{ text: 'Hi.' }]);
    await using _ = server;
    hooks.on(UserPromptSubmit, ({ prompt }) => modify({ prompt: prompt.toUpperCase() }));
    const content = { format: 2 as const, parts: [], content: 'hello' };
    const messages = [{ id: 'm', role: 'user' as const, createdAt: new Date(), content }];
    if (streaming) await (await agent().stream(messages)).consumeStream();
    else await agent().generate(messages);
    expect(server.requests[0]?.messages.at(-1)).toEqual({ role: 'user', content: 'HELLO' });
  });

  test('a rewritten prompt stands where its text stood', async () => {
    const { server, hooks, agent } = await setUp([{ text: 'Hi.' }]);
    await using _ = server;
    hooks.on(UserPromptSubmit, ({ prompt }) => modify({ prompt: prompt.toUpperCase() }));
    const file = { type: 'file' as const, data: 'data:text/plain,file', mediaType: 'text/plain' };
    const messages = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'hello' }, file] }];
    if (streaming) await (await agent().stream(messages)).consumeStream();
    else await agent().generate(messages);
    expect(JSON.stringify(server.requests[0]?.messages.at(-1)?.content)).toMatch(/^"HELLO./);
  });

  test('each user message of a conversation that is handed in is a prompt', async () => {
    const { server, hooks, agent } = await setUp(() => ({ text: 'Hi.' }));
    await using _ = server;
    const seen: unknown[] = [];
    hooks.on(UserPromptSubmit, ({ prompt }) => modify({ prompt: prompt.toUpperCase() }));
    hooks.observe(UserPromptSubmit, ({ prompt }) => void seen.push(prompt));
    hooks.observe(Stop, ({ lastUserMessage }) => void seen.push(lastUserMessage));
    const said = (role: 'user' | 'assistant', content: string) => ({ role, content });
    const earlier = [said('user', 'one'), said('assistant', 'First.')];
    const messages = [...earlier, said('user', 'two'), said('user', 'three'), said('assistant', 'Well,')];
    if (streaming) await (await agent().stream(messages as never)).consumeStream();
    else await agent().generate(messages as never);
    await hooks.settled();
    const read = server.requests[0]?.messages.slice(1).map(({ content }) => content);
    expect(read).toEqual(['ONE', 'First.', 'TWO', 'THREE', 'Well,']);
    expect(seen).toEqual(['ONE', 'TWO', 'THREE', 'THREE']);
  });

  test('a blocked prompt reaches no model; the result carries the reason', async () => {
    const { server, hooks, agent } = await setUp();
    await using _ = server;
    hooks.guard(UserPromptSubmit, () => block('Not that.'));
    const output = await runAgent(agent(), 'hello', streaming);
    expect([server.requests.length, output.tripwire?.reason]).toEqual([0, 'Not that.']);
  });

  test('context from the session and the prompt is in every model request of the run', async () => {
    const { server, hooks, agent } = await setUp();
    await using _ = server;
    hooks.on(SessionStart, () => addContext('It is Monday.'));
    hooks.on(UserPromptSubmit, () => addContext('Be kind.'));
    await runAgent(agent(), 'hello', streaming);
    expect(server.requests.map(({ system }) => system)).toEqual([
      'Be brief.\n\nIt is Monday.\n\nBe kind.',
      'Be brief.\n\nIt is Monday.\n\nBe kind.',
    ]);
  });

  test('all events of a run carry its session, run and agent; the session opens and closes once', async () => {
    const { server, hooks, agent } = await setUp();
    await using _ = server;
    const seen: string[] = [];
    const ids = new Set<string>();
    hooks.observe(HookEvent, ({ type, session, run, agent: name }) => {
      if (type.startsWith('session_')) seen.push(type);
      else ids.add(`${session.id} ${run} ${name}`);
    });
    const { runId } = await runAgent(agent(), 'hello', streaming);
    await hooks.settled();
    expect(seen).toEqual(['session_start', 'session_end']);
    expect([...ids]).toEqual([`${runId} ${runId} a`]);
  });

  test('native hooks of the agent and of the run are kept, and displace nothing', async () => {
    const { server, hooks, agent, ran } = await setUp();
    await using _ = server;
    const native: string[] = [];
    hooks.guard(BeforeToolCall, ({ input }) => block(`No ${JSON.stringify(input)}.`));
    const own = { hooks: { afterToolCall: () => void native.push('own after') } };
    const forRun = {
      hooks: {
        beforeToolCall: ({ input }: { input: object }) => {
          native.push('run before');
          Object.assign(input, { a: 5 });
        },
      },
    };
    await runAgent(agent(own), 'hello', streaming, forRun);
    expect([ran, native]).toEqual([[], ['run before', 'own after']]);
    expect(readByModel(server)).toEqual({ c1: 'No {"a":5}.' });
  });

  test('input processors of the run do not displace the gate of the prompt', async () => {
    const { server, hooks, agent } = await setUp();
    await using _ = server;
    hooks.guard(UserPromptSubmit, () => block('Not that.'));
    await runAgent(agent(), 'hello', streaming, {
      inputProcessors: [{ id: 'mine', processInput: () => [] }],
    });
    expect(server.requests.length).toBe(0);
  });

  test('toolsets of the run are hooked', async () => {
    const { server, hooks, agent, add, ran } = await setUp(callThenText('extra', { a: 1 }));
    await using _ = server;
    hooks.on(AfterToolCall, ({ toolName }) => modify({ output: `${toolName} hidden` }));
    await runAgent(agent(), 'hello', streaming, { toolsets: { z: { extra: add } } });
    expect([ran.length, readByModel(server)]).toEqual([1, { c1: 'extra hidden' }]);
  });

  test('tools that are resolved per run are hooked', async () => {
    const { server, hooks, agent, add, ran } = await setUp();
    await using _ = server;
    hooks.guard(BeforeToolCall.for(add), () => block('No.'));
    await runAgent(agent({ tools: async () => ({ add }) }), 'hello', streaming);
    expect([ran, readByModel(server)]).toEqual([[], { c1: 'No.' }]);
  });

  test('parallel calls are decided each by itself, and both answered', async () => {
    const { server, hooks, agent, ran } = await setUp([
      {
        toolCalls: [
          { id: 'c1', name: 'add', arguments: { a: 1 } },
          { id: 'c2', name: 'add', arguments: { a: 2 } },
        ],
      },
      { text: 'Done.' },
    ]);
    await using _ = server;
    hooks.guard(BeforeToolCall.matching('add'), ({ callId }) =>
      callId === 'c1' ? block('Not one.') : proceed(),
    );
    await runAgent(agent(), 'hello', streaming);
    expect([ran, readByModel(server)]).toEqual([[{ a: 2, b: 7 }], { c1: 'Not one.', c2: '{"sum":9}' }]);
  });

  test('two instances nest, and both are obeyed; the later attached is outermost', async () => {
    const { server, hooks, add, ran } = await setUp();
    await using _ = server;
    const outer = createHooks();
    const seen: string[] = [];
    const note = (who: string) => () => {
      seen.push(who);
      return proceed();
    };
    hooks.on(BeforeToolCall, note('inner'));
    outer.on(BeforeToolCall, note('outer'));
    hooks.on(AfterToolCall, () => modify({ output: 'inner' }));
    outer.on(AfterToolCall, ({ output }) => modify({ output: `${output}, outer` }));
    const tools = hookTools({ add }, hooks);
    const twice = quiet(
      hookedAgent({ id: 'a', name: 'a', instructions: '', model: modelOf(server), tools }, outer),
    );
    await runAgent(twice, 'hello', streaming);
    expect([seen, ran.length]).toEqual([['outer', 'inner'], 1]);
    expect(readByModel(server)).toEqual({ c1: 'inner, outer' });
  });

  test('two instances nest around prompts and model calls, too: the outermost has the first word and the last', async () => {
    const { server, hooks, agent } = await setUp([{ text: 'Yes' }]);
    await using _ = server;
    const outer = createHooks();
    for (const [registry, who] of [[hooks, 'inner'] as const, [outer, 'outer'] as const]) {
      registry.on(UserPromptSubmit, ({ prompt }) => modify({ prompt: `${prompt}, ${who}` }));
      registry.on(BeforeModelCall, ({ instructions }) => modify({ instructions: `${instructions}, ${who}` }));
      registry.on(AfterModelCall, ({ response }) =>
        modify({ response: { ...response, text: `${response.text}, ${who}` } }),
      );
    }
    const { text } = await runAgent(quiet(hookedAgent(agent(), outer)), 'hello', streaming);
    const [system, user] = server.requests[0]?.messages ?? [];
    expect(user?.content).toBe('hello, outer, inner');
    expect(system?.content).toMatch(/, outer, inner$/);
    expect(text).toBe('Yes, inner, outer');
  });

  test('an abort reaches hooks and tool, and ends the run as without hooks', async () => {
    const { server, hooks, agent } = await setUp(callThenText('wait', {}));
    await using _ = server;
    const controller = new AbortController();
    const seen: unknown[] = [];
    const wait = createTool({
      id: 'wait',
      description: 'Waits.',
      inputSchema: z.object({}),
      execute: (_input, { abortSignal }) =>
        new Promise((_resolve, reject) => {
          abortSignal?.addEventListener('abort', () => reject(abortSignal.reason));
          controller.abort();
        }),
    });
    hooks.on(AfterToolCall, ({ status, ran }) => {
      seen.push([status, ran]);
      return proceed();
    });
    await runAgent(agent({ tools: { wait } }), 'hello', streaming, { abortSignal: controller.signal }).catch(
      () => {},
    );
    expect([seen, server.requests.length]).toEqual([[['error', true]], 1]);
  });
});

describe('a bare tool', () => {
  test('keeps class, id, schema and options; hooking it again gives it back; the original is left as it was', () => {
    const { add } = makeAdd();
    const hooks = createHooks();
    const { execute } = add;
    const copy = hookTool(add, hooks);
    expect(copy).toBeInstanceOf(add.constructor);
    expect({ ...copy, execute }).toEqual({ ...add });
    expect([hookTool(copy, hooks) === copy, hookTool(copy, createHooks()) === copy]).toEqual([true, false]);
    expect(add.execute).toBe(execute);
  });

  test('called directly: one session a call, Block throws, a misfit is Mastra’s validation error', async () => {
    const { add, ran } = makeAdd();
    const hooks = createHooks();
    const seen: string[] = [];
    hooks.observe(HookEvent, ({ type }) => void seen.push(type));
    hooks.guard(BeforeToolCall.for(add), ({ input }) => (input.a < 0 ? block('Negative.') : proceed()));
    const copy = hookTool(add, hooks);
    expect(await copy.execute?.({ a: 1, b: 1 }, {} as never)).toEqual({ sum: 2 });
    await hooks.settled();
    expect(seen.at(-1)).toBe('session_end');
    await expect(copy.execute?.({ a: -1, b: 1 }, {} as never)).rejects.toThrow('Negative.');
    const misfit = { a: 'x' } as never;
    const bare = await add.execute?.(misfit, {} as never);
    expect(await copy.execute?.(misfit, {} as never)).toMatchObject({
      error: true,
      validationErrors: (bare as { validationErrors: object }).validationErrors,
    });
    expect(ran.length).toBe(1);
  });

  test('in a workflow step: gated, and a Block fails the step', async () => {
    const { add } = makeAdd();
    const hooks = createHooks();
    hooks.guard(BeforeToolCall, ({ input }) =>
      (input as { a: number }).a < 0 ? block('Negative.') : proceed(),
    );
    const adder = createTool({
      id: 'adder',
      description: 'Adds.',
      inputSchema: z.object({ a: z.number() }),
      outputSchema: z.object({ sum: z.number() }),
      execute: async ({ a }) => ({ sum: a + 1 }),
    });
    void add;
    const workflow = createWorkflow({
      id: 'w',
      inputSchema: z.object({ a: z.number() }),
      outputSchema: z.object({ sum: z.number() }),
    })
      .then(createStep(hookTool(adder, hooks)))
      .commit();
    const start = async (a: number) => (await workflow.createRun()).start({ inputData: { a } });
    expect(await start(1)).toMatchObject({ status: 'success', result: { sum: 2 } });
    expect(await start(-1)).toMatchObject({ status: 'failed', error: { message: 'Negative.' } });
  });
});

describe('what is read of a stream of a refused run', () => {
  const start = async (refused: 'return' | 'throw') => {
    const server = await serve([
      { text: 'Let me see.', toolCalls: [{ id: 'c1', name: 'add', arguments: { a: 1 } }] },
    ]);
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => block('That is enough.', { stop: true }));
    const agent = quiet(hookedAgent(addingAgent(server), hooks, { refused }));
    const output = await agent.stream('Go');
    const chunks = async () => {
      const all: { readonly type: string }[] = [];
      for await (const chunk of output.fullStream) all.push(chunk);
      return all;
    };
    const text = async () => {
      let all = '';
      for await (const part of output.textStream) all += part;
      return all;
    };
    const readings = [chunks(), text(), output.text, output.getFullOutput()] as const;
    return { server, readings };
  };

  test('is the reason, as the last text and as one tripwire', async () => {
    const { server, readings } = await start('return');
    await using _ = server;
    const [chunks, streamed, text, full] = await Promise.all(readings);
    expect([streamed, text, full.text]).toEqual([
      'Let me see.That is enough.',
      'That is enough.',
      'That is enough.',
    ]);
    const types = chunks.map(({ type }) => type);
    expect(types.slice(-5)).toEqual(['text-start', 'text-delta', 'text-end', 'tripwire', 'finish']);
    expect(types.filter((type) => type === 'tripwire')).toHaveLength(1);
    expect(chunks.at(-4)).toMatchObject({ payload: { text: 'That is enough.' } });
  });

  test('fails with refused: throw', async () => {
    const { server, readings } = await start('throw');
    await using _ = server;
    const settled = await Promise.allSettled(readings);
    const thrown = expect.objectContaining({ name: 'BlockedError', reason: 'That is enough.' });
    expect(settled).toEqual(readings.map(() => ({ status: 'rejected', reason: thrown })));
  });
});
