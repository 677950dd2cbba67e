import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  grantApproval,
  type Hooks,
  PermissionRequest,
  requireApproval,
} from '@hooks/core';
import { Mastra } from '@mastra/core';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type HookedOptions, hookedAgent, pendingApprovals } from '../src/index.ts';
import { callThenText, modelOf, quiet, readByModel, runAgent, serve } from './fixtures.ts';

/** An agent with a tool of that key, whose id is another, and which asks for approval if it is told to. */
async function setUp(hooks: Hooks, options: HookedOptions, called: string, requireApproval = true) {
  const server = await serve(callThenText(called, { path: 'a' }));
  const ran: unknown[] = [];
  const readFile = createTool({
    id: 'read-file',
    description: 'Reads.',
    inputSchema: z.object({ path: z.string(), lines: z.number().default(7) }),
    requireApproval,
    execute: async (input) => {
      ran.push(input);
      return 'text';
    },
  });
  const start = (tools: { readFile?: typeof readFile }) => {
    const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), tools };
    const agent = quiet(hookedAgent(config, hooks, options));
    new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
    return agent;
  };
  return { server, ran, readFile, start };
}

/** Each event of a call as `what it is of which tool`. */
function logged(hooks: Hooks): readonly string[] {
  const log: string[] = [];
  hooks.observe(BeforeToolCall, ({ toolName }) => void log.push(`before ${toolName}`));
  hooks.observe(PermissionRequest, ({ toolName }) => void log.push(`asks ${toolName}`));
  hooks.observe(AfterToolCall, ({ toolName, status }) => void log.push(`after ${toolName} ${status}`));
  return log;
}

const ASKED_ONCE = ['before readFile', 'asks readFile', 'after readFile ok'];
const RUNS = [{ path: 'a', lines: 7 }];

describe.each(['deny', 'native'] as const)('with approval %s', (approval) => {
  describe.each([false, true])('a tool that the model calls by its id (streamed: %s)', (streaming) => {
    test('pauses where it asks by itself, and a yes is to its call', async () => {
      const hooks = createHooks();
      const log = logged(hooks);
      const { server, ran, readFile, start } = await setUp(hooks, { approval }, 'read-file');
      await using _ = server;
      const agent = start({ readFile });
      const paused = await runAgent(agent, 'Go', streaming);
      expect([paused.finishReason, ran]).toEqual(['suspended', []]);
      expect(await pendingApprovals(paused)).toMatchObject([{ callId: 'c1', toolName: 'readFile' }]);
      await agent.approveToolCallGenerate({ runId: paused.runId, toolCallId: 'c1' });
      await hooks.settled();
      expect([ran, readByModel(server), log]).toEqual([RUNS, { c1: 'text' }, ASKED_ONCE]);
    });

    test('does not pause where a hook grants it', async () => {
      const hooks = createHooks();
      hooks.on(PermissionRequest.matching('readFile'), () => grantApproval('Known.'));
      const log = logged(hooks);
      const { server, ran, readFile, start } = await setUp(hooks, { approval }, 'read-file');
      await using _ = server;
      await runAgent(start({ readFile }), 'Go', streaming);
      await hooks.settled();
      expect([ran, log]).toEqual([RUNS, ASKED_ONCE]);
    });
  });

  describe.each(['prepareStep', 'inputProcessors'] as const)('a tool that %s brings along', (way) => {
    test.each([false, true])(
      'pauses where it asks by itself, and a yes is to its call (streamed: %s)',
      async (streaming) => {
        const hooks = createHooks();
        const log = logged(hooks);
        const { server, ran, readFile, start } = await setUp(hooks, { approval }, 'readFile');
        await using _ = server;
        const step = ({ tools = {} }: { tools?: object }) => ({ tools: { ...tools, readFile } });
        const options =
          way === 'prepareStep'
            ? { prepareStep: step }
            : { inputProcessors: [{ id: 'x', processInputStep: step }] };
        const agent = start({});
        const paused = await runAgent(agent, 'Go', streaming, options);
        expect([paused.finishReason, ran]).toEqual(['suspended', []]);
        await agent.approveToolCallGenerate({
          runId: paused.runId,
          toolCallId: 'c1',
          ...(options as object),
        });
        await hooks.settled();
        expect([ran, readByModel(server), log]).toEqual([RUNS, { c1: 'text' }, ASKED_ONCE]);
      },
    );
  });
});

test('a tool that the model calls by its id, which hooks require approval for: they know it by its key', async () => {
  const hooks = createHooks();
  hooks.on(BeforeToolCall.matching('readFile'), () => requireApproval('Sure?'));
  const log = logged(hooks);
  const { server, ran, readFile, start } = await setUp(hooks, { approval: 'native' }, 'read-file', false);
  await using _ = server;
  const agent = start({ readFile });
  const { runId, finishReason } = await runAgent(agent, 'Go', false);
  expect([finishReason, ran]).toEqual(['suspended', []]);
  await agent.approveToolCallGenerate({ runId, toolCallId: 'c1' });
  await hooks.settled();
  expect([ran, log]).toEqual([RUNS, ASKED_ONCE]);
});

describe.each([false, true])('a tool of a toolset that asks by itself (streamed: %s)', (streaming) => {
  test('does not pause where a hook grants it, and not where one denies it', async () => {
    for (const grants of [true, false]) {
      const hooks = createHooks();
      hooks.on(PermissionRequest, () => (grants ? grantApproval('Known.') : block('Never.')));
      const { server, ran, readFile, start } = await setUp(hooks, {}, 'readFile');
      await using _ = server;
      const { finishReason } = await runAgent(start({}), 'Go', streaming, {
        toolsets: { own: { readFile } },
      });
      expect([finishReason, ran]).toEqual(['stop', grants ? RUNS : []]);
      expect(readByModel(server)).toEqual({ c1: grants ? 'text' : 'Never.' });
    }
  });
});
