import {
  AfterToolCall,
  answer,
  BeforeToolCall,
  block,
  createHooks,
  modify,
  proceed,
  TransformToolResult,
} from '@hooks/core';
import { Agent } from '@mastra/core/agent';
import { createTool, type ToolExecutionContext } from '@mastra/core/tools';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookedAgent, hookTools } from '../src/index.ts';
import { callThenText, modelOf, quiet, readByModel, runAgent, serve } from './fixtures.ts';

const make = (id: string, execute: (input: unknown, context: ToolExecutionContext) => Promise<unknown>) =>
  createTool({ id, description: id, inputSchema: z.object({ n: z.number().optional() }), execute });

describe.each([false, true])(
  'a hooked tool that another calls with its own context (streamed: %s)',
  (streaming) => {
    const setUp = async () => {
      const server = await serve(callThenText('outer', { n: 1 }));
      const hooks = createHooks();
      const ran: string[] = [];
      const inner = make('inner', async (_input, { writer }) => {
        await writer?.custom({ type: 'data-inner', data: 'inner' });
        ran.push('inner');
        return 'inner';
      });
      const outer = make('outer', async (_input, context) => {
        ran.push('outer');
        const said = await tools.inner.execute?.({ n: 2 }, context).catch((error: unknown) => error);
        await context.writer?.custom({ type: 'data-outer', data: 'outer' });
        return `outer heard: ${String(said)}`;
      });
      const tools = hookTools({ inner, outer }, hooks);
      const agent = quiet(
        hookedAgent({ id: 'a', name: 'a', instructions: '', model: modelOf(server), tools }, hooks),
      );
      return { server, hooks, ran, agent };
    };

    test('is a call of its own, with its own name and input, inside of the other', async () => {
      const { server, hooks, agent, ran } = await setUp();
      await using _ = server;
      const seen: unknown[] = [];
      hooks.on(BeforeToolCall, ({ toolName, input, callId, parentCallId, run }) => {
        seen.push([toolName, input, callId === 'c1', parentCallId, run !== undefined]);
        return proceed();
      });
      await runAgent(agent, 'Go', streaming);
      expect(seen).toEqual([
        ['outer', { n: 1 }, true, undefined, true],
        ['inner', { n: 2 }, false, 'c1', true],
      ]);
      expect([ran, readByModel(server)]).toEqual([['outer', 'inner'], { c1: 'outer heard: inner' }]);
    });

    test('does not run where a guard on it says no, which ends the run if it wants so', async () => {
      const { server, hooks, agent, ran } = await setUp();
      await using _ = server;
      hooks.guard(BeforeToolCall.matching('inner'), () => block('Not inside.', { stop: true }));
      const { tripwire } = await runAgent(agent, 'Go', streaming);
      expect([ran, tripwire?.reason, server.requests.length]).toEqual([['outer'], 'Not inside.', 1]);
    });

    test('is asked about with an input that fits only', async () => {
      const { server, hooks, ran } = await setUp();
      await using _ = server;
      const seen: unknown[] = [];
      hooks.on(BeforeToolCall.matching('inner'), ({ input }) => {
        seen.push(input);
        return proceed();
      });
      const misusing = make('outer', async (_input, context) =>
        hookTools({ inner: make('inner', async () => void ran.push('inner')) }, hooks).inner.execute?.(
          { n: 'one' } as never,
          context,
        ),
      );
      const config = {
        id: 'a',
        name: 'a',
        instructions: '',
        model: modelOf(server),
        tools: { outer: misusing },
      };
      hooks.observe(AfterToolCall, () => {});
      await runAgent(quiet(hookedAgent(config, hooks)), 'Go', streaming);
      expect([seen, ran]).toEqual([[], []]);
    });

    test('writes what hooks let it write; the other goes on writing', async () => {
      const { server, hooks, agent } = await setUp();
      await using _ = server;
      if (!streaming) return;
      hooks.on(TransformToolResult.matching('inner'), () => modify({ output: 'gone' }));
      const output = await agent.stream('Go');
      const written: string[] = [];
      for await (const { type } of output.fullStream) if (type.startsWith('data-')) written.push(type);
      expect(written).toEqual(['data-outer']);
    });
  },
);

describe.each([false, true])('two registries (streamed: %s)', (streaming) => {
  const setUp = async () => {
    const server = await serve(callThenText('first', {}));
    const [inner, outer] = [createHooks(), createHooks()];
    const ran: string[] = [];
    const body = (name: string) => async () => {
      ran.push(name);
      return name;
    };
    const tools = { first: make('first', body('first')), second: make('second', body('second')) };
    const bare = quiet(new Agent({ id: 'a', name: 'a', instructions: '', model: modelOf(server), tools }));
    return { server, inner, outer, ran, agent: hookedAgent(hookedAgent(bare, inner), outer) };
  };

  test('where the outer one calls another tool, the inner one is asked about that', async () => {
    const { server, inner, outer, ran, agent } = await setUp();
    await using _ = server;
    const seen: unknown[] = [];
    outer.on(BeforeToolCall.matching('first'), () => modify({ toolName: 'second', input: { n: 5 } }));
    inner.on(BeforeToolCall, ({ toolName, input, callId }) => {
      seen.push([toolName, input, callId]);
      return proceed();
    });
    inner.guard(BeforeToolCall.matching('second'), () => block('The second is closed.'));
    await runAgent(agent, 'Go', streaming);
    expect(seen).toEqual([['second', { n: 5 }, 'c1']]);
    expect([ran, readByModel(server)]).toEqual([[], { c1: 'The second is closed.' }]);
  });

  test('what the outer one answers in the place of the tool is read by the model', async () => {
    const { server, inner, outer, ran, agent } = await setUp();
    await using _ = server;
    outer.on(BeforeToolCall, () => answer('From memory.'));
    inner.on(BeforeToolCall, () => proceed());
    await runAgent(agent, 'Go', streaming);
    expect([ran, readByModel(server)]).toEqual([[], { c1: 'From memory.' }]);
  });
});
