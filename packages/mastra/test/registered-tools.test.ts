import { BeforeToolCall, block, createHooks } from '@hooks/core';
import { Mastra } from '@mastra/core';
import { Agent, type AgentConfig } from '@mastra/core/agent';
import { InMemoryStore } from '@mastra/core/storage';
import type { ToolExecutionContext } from '@mastra/core/tools';
import { describe, expect, test } from 'vitest';
import { hookedAgent } from '../src/index.ts';
import { makeAdd, quiet } from './fixtures.ts';

// Mastra's server runs them at `/api/tools/<id>/execute`, and stored workflows by their name.
describe.each(['a config', 'an agent', 'a durable agent', 'a copy'])(
  'a tool that Mastra takes from %s into its own registry',
  (form) => {
    test('is hooked, under the name that the model knows', async () => {
      const hooks = createHooks();
      const { add, ran } = makeAdd();
      hooks.guard(BeforeToolCall.matching('sum'), ({ toolName }) => block(`No ${toolName}.`));
      const durable = form === 'a durable agent';
      const config: AgentConfig = {
        ...{ id: 'a', name: 'a', instructions: '', model: 'openai/gpt-5', durable },
        tools: { sum: add },
      };
      const hooked = form === 'an agent' ? hookedAgent(new Agent(config), hooks) : hookedAgent(config, hooks);
      const agent = quiet(form === 'a copy' ? hookedAgent(hooked, createHooks()) : hooked);
      const mastra = new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
      const { execute } = mastra.getToolById('add');
      const context = { mastra } as ToolExecutionContext;
      await expect(execute?.({ a: 1 }, context)).rejects.toThrow('No sum.');
      expect(ran).toEqual([]);
    });
  },
);

test('an agent that is not hooked keeps its tools in the registry as they are', () => {
  const { add } = makeAdd();
  const agent = quiet(
    new Agent({ id: 'a', name: 'a', instructions: '', model: 'openai/gpt-5', tools: { add } }),
  );
  hookedAgent(agent, createHooks());
  const mastra = new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
  expect(mastra.getToolById('add')).toBe(add);
});
