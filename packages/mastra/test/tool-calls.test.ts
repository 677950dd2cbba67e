import {
  AfterToolCall,
  addContext,
  answer,
  BeforeToolCall,
  block,
  createHooks,
  modify,
  proceed,
  retry,
  TransformToolResult,
} from '@hooks/core';
import { createTool } from '@mastra/core/tools';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookedAgent } from '../src/index.ts';
import { callThenText, makeAdd, modelOf, quiet, readByModel, runAgent, serve } from './fixtures.ts';

describe.each([false, true])('a tool call of a hooked agent (streamed: %s)', (streaming) => {
  const setUp = async (script = callThenText('add', { a: 1 })) => {
    const server = await serve(script);
    const hooks = createHooks();
    const { add, ran } = makeAdd();
    const agent = (tools: object = { add }) =>
      quiet(
        hookedAgent(
          {
            id: 'a',
            name: 'a',
            instructions: 'Be brief.',
            model: modelOf(server),
            tools: tools as { add: typeof add },
          },
          hooks,
        ),
      );
    return { server, hooks, add, ran, agent };
  };

  test('is seen before and after, once, under the key and with what the model sent', async () => {
    const { server, hooks, agent, ran, add } = await setUp(callThenText('plus', { a: 1 }));
    await using _ = server;
    const seen: unknown[] = [];
    hooks.on(BeforeToolCall, (call) => {
      seen.push([call.type, call.toolName, call.input, call.callId]);
      return proceed();
    });
    hooks.on(AfterToolCall, (call) => {
      seen.push([call.type, call.status, call.input, call.output]);
      return proceed();
    });
    await runAgent(agent({ plus: add }), 'Go', streaming);
    expect(seen).toEqual([
      ['before_tool_call', 'plus', { a: 1 }, 'c1'],
      ['after_tool_call', 'ok', { a: 1 }, { sum: 8 }],
    ]);
    expect(ran).toEqual([{ a: 1, b: 7 }]);
    expect(readByModel(server)).toEqual({ c1: '{"sum":8}' });
  });

  test('under a key that models take for no name: hooks know it by the name that the model sees, and as the tool that it is', async () => {
    const { server, hooks, add, agent } = await setUp(callThenText('math_add', { a: 1 }));
    await using _ = server;
    hooks.guard(BeforeToolCall.for(add), ({ toolName, input }) =>
      toolName === 'math_add' && input.a === 1 ? proceed() : block('Not this one.'),
    );
    hooks.on(TransformToolResult, () => modify({ output: 'a text' }));
    await runAgent(agent({ 'math.add': add }), 'Go', streaming);
    expect(readByModel(server)).toEqual({ c1: 'a text' });
  });

  test('Block: the tool does not run, the model reads the reason alone, the run goes on', async () => {
    const { server, hooks, agent, ran } = await setUp();
    await using _ = server;
    hooks.guard(BeforeToolCall, () => block('No adding today.'));
    const { text } = await runAgent(agent(), 'Go', streaming);
    expect([text, ran, readByModel(server)]).toEqual(['Done.', [], { c1: 'No adding today.' }]);
  });

  test('Block with stop: no model call follows, the result carries the reason', async () => {
    const { server, hooks, agent } = await setUp();
    await using _ = server;
    hooks.guard(BeforeToolCall, () => block('Stop here.', { stop: true }));
    const output = await runAgent(agent(), 'Go', streaming);
    expect(server.requests.length).toBe(1);
    expect(output.tripwire?.reason).toBe('Stop here.');
  });

  test('Modify of the input runs with it, parsed by the schema', async () => {
    const { server, hooks, agent, ran } = await setUp();
    await using _ = server;
    hooks.on(BeforeToolCall, () => modify({ input: { a: 100 } }));
    await runAgent(agent(), 'Go', streaming);
    expect([ran, readByModel(server)]).toEqual([[{ a: 100, b: 7 }], { c1: '{"sum":107}' }]);
  });

  test('Modify of the input that does not fit blocks the call', async () => {
    const { server, hooks, agent, ran } = await setUp();
    await using _ = server;
    hooks.on(BeforeToolCall, () => modify({ input: { a: 'x' } }));
    await runAgent(agent(), 'Go', streaming);
    expect(ran).toEqual([]);
    expect(readByModel(server)['c1']).toContain('does not fit the schema');
  });

  test('Modify of the name runs the other tool', async () => {
    const { server, hooks, agent, add, ran } = await setUp();
    await using _ = server;
    const twice = createTool({
      id: 'twice',
      description: 'Doubles.',
      inputSchema: z.object({ a: z.number() }),
      execute: async ({ a }) => 2 * a,
    });
    hooks.on(BeforeToolCall, () => modify({ toolName: 'twice', input: { a: 4 } }));
    await runAgent(agent({ add, twice }), 'Go', streaming);
    expect([ran, readByModel(server)]).toEqual([[], { c1: '8' }]);
  });

  test('answer: the tool does not run', async () => {
    const { server, hooks, agent, ran } = await setUp();
    await using _ = server;
    hooks.on(BeforeToolCall, () => answer({ sum: 0 }));
    await runAgent(agent(), 'Go', streaming);
    expect([ran, readByModel(server)]).toEqual([[], { c1: '{"sum":0}' }]);
  });

  test('Modify of the output: a string or an object, whole', async () => {
    const { server, hooks, agent } = await setUp();
    await using _ = server;
    hooks.on(TransformToolResult, () => modify({ output: '***' }));
    await runAgent(agent(), 'Go', streaming);
    expect(readByModel(server)).toEqual({ c1: '***' });
  });

  test('Block after the run withholds the output and says that the tool ran', async () => {
    const { server, hooks, agent, ran } = await setUp();
    await using _ = server;
    hooks.on(AfterToolCall, () => block('Too secret.'));
    await runAgent(agent(), 'Go', streaming);
    expect(ran.length).toBe(1);
    expect(readByModel(server)['c1']).toBe('Too secret. (The tool did run; its result is withheld.)');
  });

  test('Retry runs the tool again from what the model sent, also where the schema transforms it', async () => {
    const { server, hooks, agent } = await setUp(callThenText('date', { day: '2026-01-01' }));
    await using _ = server;
    const ran: unknown[] = [];
    const date = createTool({
      id: 'date',
      description: 'Flaky.',
      inputSchema: z.object({ day: z.string().transform((day) => new Date(day)) }),
      execute: async ({ day }) => {
        ran.push(day instanceof Date);
        if (ran.length === 1) throw new Error('flaky');
        return day.toISOString().slice(0, 10);
      },
    });
    hooks.on(AfterToolCall, ({ status }) => (status === 'error' ? retry('again') : proceed()));
    await runAgent(agent({ date }), 'Go', streaming);
    expect([ran, readByModel(server)]).toEqual([[true, true], { c1: '2026-01-01' }]);
  });

  test('a tool that throws is an error to hooks, and to the model what it is without hooks', async () => {
    const { server, hooks, agent } = await setUp(callThenText('broken', {}));
    await using _ = server;
    const broken = createTool({
      id: 'broken',
      description: 'Broken.',
      inputSchema: z.object({}),
      execute: async () => {
        throw new Error('No disk.');
      },
    });
    const seen: unknown[] = [];
    hooks.on(AfterToolCall, ({ status, errorMessage }) => {
      seen.push([status, errorMessage]);
      return proceed();
    });
    await runAgent(agent({ broken }), 'Go', streaming);
    expect([seen, readByModel(server)]).toEqual([[['error', 'No disk.']], { c1: 'No disk.' }]);
  });

  test('an input that does not fit asks no BeforeToolCall hook, and the model reads Mastra’s own error', async () => {
    const { server, hooks, agent, ran } = await setUp(callThenText('add', { a: 'x' }));
    await using _ = server;
    const seen: unknown[] = [];
    hooks.on(BeforeToolCall, () => {
      seen.push('before');
      return proceed();
    });
    hooks.on(AfterToolCall, ({ status, code, ran: did }) => {
      seen.push([status, code, did]);
      return proceed();
    });
    await runAgent(agent(), 'Go', streaming);
    expect([ran, seen]).toEqual([[], [['error', 'INVALID_INPUT', false]]]);
    expect(readByModel(server)['c1']).toContain('Tool input validation failed for add');
  });

  test('context from a tool call is in the next model request only', async () => {
    const { server, hooks, agent } = await setUp([
      ...callThenText('add', { a: 1 }).slice(0, 1),
      { toolCalls: [{ id: 'c2', name: 'add', arguments: { a: 2 } }] },
      { text: 'Done.' },
    ]);
    await using _ = server;
    hooks.on(AfterToolCall, ({ callId }) => (callId === 'c1' ? addContext('Mind the gap.') : proceed()));
    await runAgent(agent(), 'Go', streaming);
    expect(server.requests.map(({ system }) => system.includes('Mind the gap.'))).toEqual([
      false,
      true,
      false,
    ]);
  });

  test.each(['Not found.', { text: 'Not found.' }])(
    'hooks see and replace all of an output that has the shape of an invalid input (message: %o)',
    async (message) => {
      const { server, hooks, agent } = await setUp(callThenText('fetch', {}));
      await using _ = server;
      const sent = { error: true, message, validationErrors: { errors: ['secret 1'] }, page: 'secret 2' };
      const fetch = createTool({ id: 'fetch', description: 'Fetches.', execute: async () => sent });
      const seen: unknown[] = [];
      hooks.on(TransformToolResult, ({ errorMessage }) => {
        seen.push(errorMessage);
        return modify({ errorMessage: 'hidden' });
      });
      await runAgent(agent({ fetch }), 'Go', streaming);
      expect(seen).toEqual([expect.stringMatching(/Not found.*secret 1.*secret 2/s)]);
      expect(readByModel(server)).toEqual({ c1: 'hidden' });
    },
  );

  test('a hook registered while a run is going counts at once for its tool calls, with a hook before it or none', async () => {
    for (const earlier of [true, false]) {
      const { server, hooks, agent, add, ran } = await setUp([
        { toolCalls: [{ id: 'c1', name: 'register', arguments: {} }] },
        { toolCalls: [{ id: 'c2', name: 'add', arguments: { a: 1 } }] },
        { text: 'Done.' },
      ]);
      await using _ = server;
      const register = createTool({
        id: 'register',
        description: 'Registers.',
        execute: async () => {
          hooks.guard(BeforeToolCall.matching('add'), () => block('From now on not.'));
          return 'registered';
        },
      });
      if (earlier) hooks.guard(BeforeToolCall, () => proceed());
      await runAgent(agent({ add, register }), 'Go', streaming);
      expect([ran, readByModel(server, 2)]).toEqual([[], { c1: 'registered', c2: 'From now on not.' }]);
    }
  });
});
