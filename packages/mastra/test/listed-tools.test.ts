import {
  AfterToolCall,
  BeforeToolCall,
  createHooks,
  modify,
  PermissionRequest,
  proceed,
  requireApproval,
  retry,
} from '@hooks/core';
import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import { RequestContext } from '@mastra/core/request-context';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookedAgent } from '../src/index.ts';
import { callThenText, makeAdd, modelOf, quiet, readByModel, runAgent, serve } from './fixtures.ts';

const forms = ['in a config', 'by a function', 'by an agent', 'by an agent’s function'] as const;

describe.each(forms)('tools that are given %s', (form) => {
  describe.each([false, true])('in the first run (streamed: %s)', (streaming) => {
    const setUp = async (more: object = {}) => {
      const server = await serve(callThenText('look', {}));
      const hooks = createHooks();
      let looked = 0;
      const look = createTool({
        id: 'look',
        description: 'Looks.',
        inputSchema: z.object({}),
        execute: async () => `look ${++looked}`,
        ...more,
      });
      const tools = form.endsWith('function') ? async () => ({ look }) : { look };
      const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), tools };
      const bare = new Agent(config);
      const agent = quiet(
        form.startsWith('by an agent') ? hookedAgent(bare, hooks) : hookedAgent(config, hooks),
      );
      new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
      return { server, hooks, agent };
    };

    test('are hooked at their function: an output that is a text is replaced, and a call is made again', async () => {
      const { server, hooks, agent } = await setUp();
      await using _ = server;
      hooks.on(AfterToolCall, ({ output, tool }) =>
        output === 'look 1' ? retry('Again.') : modify({ output: `${output} by a ${tool?.kind}` }),
      );
      await runAgent(agent, 'Go', streaming);
      expect(readByModel(server)).toEqual({ c1: 'look 2 by a function' });
    });

    test('that ask for approval by themselves fire PermissionRequest', async () => {
      const { server, hooks, agent } = await setUp({ requireApproval: true });
      await using _ = server;
      const asked: string[] = [];
      hooks.on(PermissionRequest, ({ toolName }) => {
        asked.push(toolName);
        return proceed();
      });
      const { finishReason } = await runAgent(agent, 'Go', streaming);
      expect([finishReason, asked]).toEqual(['suspended', ['look']]);
    });
  });
});

test('two runs at a time whose tools of one name differ: each call is asked about as a call of its own run’s tool', async () => {
  const otherIsOver = Promise.withResolvers<void>();
  await using server = await serve(async ({ turn, tools }) => {
    if (turn > 0) return { text: 'Done.' };
    const ofFirst = tools[0]?.description === 'Takes a.';
    if (ofFirst) await otherIsOver.promise;
    return { toolCalls: [{ id: 'c1', name: 'take', arguments: ofFirst ? { a: 1 } : { b: 1 } }] };
  });
  const hooks = createHooks();
  const seen: unknown[] = [];
  hooks.on(BeforeToolCall, ({ input, tool }) => {
    seen.push([input, tool?.description]);
    return requireApproval('Sure?');
  });
  const take = (field: string) =>
    createTool({
      id: 'take',
      description: `Takes ${field}.`,
      inputSchema: z.object({ [field]: z.number() }),
      execute: async () => field,
    });
  const config = {
    id: 'a',
    name: 'a',
    instructions: '',
    model: modelOf(server),
    tools: ({ requestContext }: { requestContext: RequestContext }) => ({
      take: take(requestContext.get('field') as string),
    }),
  };
  const agent = quiet(hookedAgent(config, hooks, { approval: 'native' }));
  new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
  const run = (field: string) =>
    runAgent(agent, 'Go', false, { requestContext: new RequestContext([['field', field]]) });
  const first = run('a');
  const second = await run('b');
  otherIsOver.resolve();
  expect([(await first).finishReason, second.finishReason]).toEqual(['suspended', 'suspended']);
  expect(seen).toEqual([
    [{ b: 1 }, 'Takes b.'],
    [{ a: 1 }, 'Takes a.'],
  ]);
});

test('two registries: in every run the inner one sees what the outer one has made of the input', async () => {
  await using server = await serve(callThenText('add', { a: 1 }));
  const { add, ran } = makeAdd();
  const [inner, outer] = [createHooks(), createHooks()];
  const seen: unknown[] = [];
  for (const [hooks, more] of [
    [inner, 1],
    [outer, 10],
  ] as const) {
    hooks.on(BeforeToolCall.for(add), ({ input }) => {
      seen.push(input);
      return modify({ input: { ...input, a: input.a + more } });
    });
  }
  const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), tools: { add } };
  const agent = hookedAgent(hookedAgent(quiet(new Agent(config)), inner), outer);
  for (let n = 0; n < 2; n++) await runAgent(agent, 'Go', false);
  expect(seen).toEqual([{ a: 1 }, { a: 11 }, { a: 1 }, { a: 11 }]);
  expect(ran).toEqual([
    { a: 12, b: 7 },
    { a: 12, b: 7 },
  ]);
});
