import {
  AfterToolCall,
  BeforeToolCall,
  createHooks,
  type Hooks,
  modify,
  requireApproval,
  retry,
  TransformToolResult,
} from '@hooks/core';
import { Mastra } from '@mastra/core';
import type { ToolsInput } from '@mastra/core/agent';
import type { BackgroundTaskAdoptionContext } from '@mastra/core/background-tasks';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { Memory } from '@mastra/memory';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type HookedOptions, hookedAgent, pendingApprovals } from '../src/index.ts';
import { callThenText, modelOf, quiet, serve } from './fixtures.ts';

const MEMORY = { memory: { thread: 't', resource: 'u' } };

async function setUp(hooks: Hooks, tools: ToolsInput, args: object, options: HookedOptions = {}) {
  const server = await serve(callThenText('look', args));
  const storage = new InMemoryStore();
  const memory = new Memory({ storage });
  const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), memory, tools };
  const agent = quiet(hookedAgent({ ...config, backgroundTasks: {} }, hooks, options));
  new Mastra({ agents: { agent }, storage, logger: false, backgroundTasks: { enabled: true } });
  const stored = async () =>
    JSON.stringify((await memory.recall({ threadId: 't', resourceId: 'u' })).messages);
  return { server, agent, stored };
}

async function read({ fullStream }: { readonly fullStream: AsyncIterable<object> }): Promise<string> {
  const chunks: object[] = [];
  for await (const chunk of fullStream) chunks.push(chunk);
  return JSON.stringify(chunks);
}

describe('what a tool hands over in the background to be its result', () => {
  const look = (results: readonly (() => Promise<unknown>)[]) => {
    const left = [...results];
    return createTool({
      id: 'look',
      description: 'Looks.',
      inputSchema: z.object({}),
      background: { enabled: true },
      execute: async (_input, { background }: { background?: BackgroundTaskAdoptionContext }) => {
        background?.adopt({ completion: Promise.resolve(left.shift()?.()) });
        return 'started';
      },
    });
  };

  test('is the output of its call: what hooks take out of it reaches no stream and no memory', async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on(TransformToolResult, ({ output }) => {
      seen.push(output);
      return modify({ output: 'redacted' });
    });
    const { server, agent, stored } = await setUp(hooks, { look: look([async () => 'a secret']) }, {});
    await using _ = server;
    const chunks = await read(await agent.stream('Go', { ...MEMORY, untilIdle: true }));
    expect(seen).toEqual(['a secret']);
    expect(chunks).toContain('redacted');
    expect(chunks + (await stored())).not.toContain('a secret');
  });

  test('fails the call where it fails, and is that of the last attempt', async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on(AfterToolCall, ({ status, attempt }) => {
      seen.push(status);
      return attempt === 1 ? retry('Once more.') : modify({});
    });
    const results = [() => Promise.reject(new Error('No.')), async () => 'found'];
    const { server, agent } = await setUp(hooks, { look: look(results) }, {});
    await using _ = server;
    expect(await read(await agent.stream('Go', { ...MEMORY, untilIdle: true }))).toContain('found');
    expect(seen).toEqual(['error', 'ok']);
  });
});

test('a yes is to a call that the model wants in the background, too', async () => {
  const hooks = createHooks();
  const seen: unknown[] = [];
  hooks.on(BeforeToolCall, ({ input }) => {
    seen.push(input);
    return requireApproval('Sure?');
  });
  const ran: string[] = [];
  const look = createTool({
    id: 'look',
    description: 'Looks.',
    inputSchema: z.object({}),
    execute: async () => {
      ran.push('look');
      return 'found';
    },
  });
  const args = { _background: { enabled: false } };
  const { server, agent } = await setUp(hooks, { look }, args, { approval: 'native' });
  await using _ = server;
  const paused = await agent.generate('Go', MEMORY);
  expect([paused.finishReason, await pendingApprovals(paused)]).toMatchObject(['suspended', [{ input: {} }]]);
  await agent.approveToolCallGenerate({ runId: paused.runId ?? '', toolCallId: 'c1', ...MEMORY });
  expect([ran, seen]).toEqual([['look'], [{}]]);
});
