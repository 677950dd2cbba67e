/** With nothing but observers, an agent behaves as without hooks. */
import { createHooks, HookEvent, type Hooks } from '@hooks/core';
import { Mastra } from '@mastra/core';
import { Agent, type AgentConfig } from '@mastra/core/agent';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { LocalFilesystem, Workspace } from '@mastra/core/workspace';
import { Memory } from '@mastra/memory';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookedAgent } from '../src/index.ts';
import { callThenText, modelOf, quiet, runAgent, serve } from './fixtures.ts';

function observing(): Hooks {
  const hooks = createHooks();
  hooks.observe(HookEvent, () => {});
  return hooks;
}

/** The same agent bare and observed. */
const ways: readonly [string, (config: AgentConfig) => Agent][] = [
  ['bare', (config) => quiet(new Agent(config)) as Agent],
  ['observed', (config) => quiet(hookedAgent(config, observing())) as Agent],
];

// Mastra waits seconds before it retries a model.
describe.concurrent.each(ways)('%s', (_how, make) => {
  test.each([false, true])(
    'the workspace that prepareStep gives reaches the tool (streamed: %s)',
    async (streaming) => {
      await using server = await serve(callThenText('look', {}));
      const seen: unknown[] = [];
      const look = createTool({
        id: 'look',
        description: 'Looks.',
        inputSchema: z.object({}),
        execute: async (_, { workspace }) => {
          seen.push(workspace?.id);
          return 'seen';
        },
      });
      const workspace = new Workspace({
        id: 'mine',
        filesystem: new LocalFilesystem({ basePath: import.meta.dirname }),
      });
      const agent = make({ id: 'a', name: 'a', instructions: '', model: modelOf(server), tools: { look } });
      await runAgent(agent, 'Go', streaming, { prepareStep: async () => ({ workspace }) });
      expect(seen).toEqual(['mine']);
    },
  );

  test('an agent gives back the memory that it was given, if that writes no observations', async () => {
    const memory = new Memory({ storage: new InMemoryStore() });
    const agent = make({ id: 'a', name: 'a', instructions: '', model: 'openai/gpt-5', memory });
    expect((await agent.getMemory()) === memory).toBe(true);
  });

  describe.each([
    ['of the list', { maxRetries: 1 }, {}, {}, [2, 2]],
    ['of the list before the run', { maxRetries: 0 }, {}, { modelSettings: { maxRetries: 1 } }, [1, 1]],
    [
      'of the list before those of prepareStep',
      { maxRetries: 1 },
      {},
      { prepareStep: () => ({ modelSettings: { temperature: 0 } }) },
      [2, 2],
    ],
  ] as const)('retries %s', (_which, entry, config, options, counts) => {
    test.each([false, true])('are made of each model of a list (streamed: %s)', async (streaming) => {
      await using first = await serve(() => ({ status: 500, error: 'Broken.' }));
      await using second = await serve(() => ({ status: 500, error: 'Broken, too.' }));
      const model = [first, second].map((server) => ({ model: modelOf(server), ...entry }));
      const agent = make({ id: 'a', name: 'a', instructions: '', model, ...config } as AgentConfig);
      new Mastra({ agents: { agent }, logger: false });
      await runAgent(agent, 'Go', streaming, { modelSettings: {}, ...options }).catch(() => {});
      expect([first, second].map(({ requests }) => requests.length)).toEqual(counts);
    });
  });
});
