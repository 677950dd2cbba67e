import { BeforeToolCall, block, createHooks, proceed, UserPromptSubmit } from '@hooks/core';
import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { describe, expect, test } from 'vitest';
import { hookedAgent } from '../src/index.ts';
import { modelOf, quiet, readByModel, serve } from './fixtures.ts';

const look = createTool({ id: 'look', description: 'Looks.', execute: async () => 'looked' });

/** As Mastra's editor does it: a copy of the agent with what was stored. */
const editor = {
  registerWithMastra() {},
  agent: {
    applyStoredOverrides: async (agent: Agent) => {
      const stored = agent.__fork();
      stored.__setTools({ look, added: look } as never);
      return quiet(stored);
    },
  },
};

describe.each(['a config', 'an agent'])('a stored version of %s', (form) => {
  test.each(['by its id', 'for a run'])(
    'asked for %s: prompts and the tools that it brings along are hooked',
    async (way) => {
      await using server = await serve([
        { toolCalls: [{ id: 'c1', name: 'look', arguments: {} }] },
        { toolCalls: [{ id: 'c2', name: 'added', arguments: {} }] },
        { text: 'Done.' },
      ]);
      const hooks = createHooks();
      const asked: unknown[] = [];
      hooks.on(UserPromptSubmit, ({ prompt }) => {
        asked.push(prompt);
        return proceed();
      });
      hooks.guard(BeforeToolCall, ({ toolName }) => {
        asked.push(toolName);
        return block('Not here.');
      });
      const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), tools: { look } };
      const agent = quiet(
        form === 'an agent' ? hookedAgent(new Agent(config), hooks) : hookedAgent(config, hooks),
      );
      const storage = new InMemoryStore();
      const mastra = new Mastra({ agents: { agent }, storage, logger: false, editor: editor as never });
      if (way === 'by its id') {
        const stored = await mastra.getAgentById('a', { versionId: 'v1' });
        await stored.generate('Go');
      } else {
        await agent.generate('Go', { versions: { agents: { a: { versionId: 'v1' } } } });
      }
      expect(readByModel(server, 2)).toEqual({ c1: 'Not here.', c2: 'Not here.' });
      expect(asked).toEqual(['Go', 'look', 'added']);
    },
  );
});
