import { BeforeToolCall, block, createHooks } from '@hooks/core';
import { Mastra } from '@mastra/core';
import { Agent, type AgentConfig, type ToolsInput } from '@mastra/core/agent';
import { InMemoryStore } from '@mastra/core/storage';
import { MastraVoice } from '@mastra/core/voice';
import { describe, expect, test } from 'vitest';
import { hookedAgent } from '../src/index.ts';
import { makeAdd, quiet } from './fixtures.ts';

/** Runs a tool as Mastra's server does. */
const run = (tool: object, mastra?: Mastra) => Object(tool).execute({ a: 1 }, { mastra });

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
      await expect(run(mastra.getToolById('add'), mastra)).rejects.toThrow('No sum.');
      expect(ran).toEqual([]);
    });
  },
);

const noSum = () => {
  const hooks = createHooks();
  hooks.guard(BeforeToolCall.matching('sum'), ({ toolName }) => block(`No ${toolName}.`));
  return hooks;
};
const base = { id: 'a', name: 'a', description: 'a', instructions: '', model: 'openai/gpt-5' };
const emptyMastra = () => new Mastra({ storage: new InMemoryStore(), logger: false });

test('a tool of a config with a `mastra` is hooked in the registry of that', async () => {
  const { add, ran } = makeAdd();
  const mastra = emptyMastra();
  const agent = hookedAgent({ ...base, tools: { sum: add }, mastra }, noSum());
  expect(agent.getMastraInstance()).toBe(mastra);
  await expect(run(mastra.getToolById('add'), mastra)).rejects.toThrow('No sum.');
  expect(ran).toEqual([]);
});

describe.each(['a config', 'a function', 'an agent', 'a sub-agent that is hooked, too'])(
  'a tool of a sub-agent of %s',
  (form) => {
    const listed = async (mastra: Mastra, add: ReturnType<typeof makeAdd>['add']) => {
      const plain = quiet(new Agent({ ...base, tools: { sum: add } }));
      const sub = form.startsWith('a sub-agent') ? quiet(hookedAgent(plain, createHooks())) : plain;
      const middle = quiet(new Agent({ ...base, agents: { sub } }));
      const config = { ...base, agents: form === 'a function' ? async () => ({ middle }) : { middle } };
      const hooks = noSum();
      const agent = quiet(
        form === 'an agent' ? hookedAgent(new Agent(config), hooks) : hookedAgent(config, hooks),
      );
      mastra.addAgent(agent, 'agent');
      const { middle: copy } = await agent.listAgents();
      await Object(copy).listAgents();
    };

    test("is hooked in Mastra's registry once the agent has listed its sub-agents", async () => {
      const { add, ran } = makeAdd();
      const mastra = emptyMastra();
      await listed(mastra, add);
      await expect(run(mastra.getToolById('add'), mastra)).rejects.toThrow('No sum.');
      expect(ran).toEqual([]);
    });

    test('stays as it is there where the program has registered it itself', async () => {
      const { add } = makeAdd();
      const mastra = emptyMastra();
      mastra.addAgent(quiet(new Agent({ ...base, tools: { sum: add } })), 'plain');
      await listed(mastra, add);
      expect(mastra.getToolById('add')).toBe(add);
    });
  },
);

class Voice extends MastraVoice {
  tools: ToolsInput = {};
  override addTools(tools: ToolsInput): void {
    this.tools = tools;
  }
  override async speak(): Promise<void> {}
  override async listen(): Promise<void> {}
}

test.each(['a config', 'an agent'])('a voice of %s has hooked tools', async (form) => {
  const { add, ran } = makeAdd();
  const voice = new Voice();
  const config = { ...base, tools: { sum: add }, voice };
  const agent = quiet(
    form === 'an agent' ? hookedAgent(new Agent(config), noSum()) : hookedAgent(config, noSum()),
  );
  if (form === 'an agent') expect(agent.voice).toBe(voice);
  await expect(run(Object(voice.tools['sum']))).rejects.toThrow('No sum.');
  expect(ran).toEqual([]);
});

test.each(['a config', 'an agent'])(
  'a voice of %s keeps hooked tools when Mastra copies the agent for a stored version',
  async (form) => {
    const { add, ran } = makeAdd();
    const voice = new Voice();
    const config = { ...base, tools: { sum: add }, voice };
    const hooks = noSum();
    const agent = quiet(
      form === 'an agent' ? hookedAgent(new Agent(config), hooks) : hookedAgent(config, hooks),
    );
    expect(await agent.getVoice()).toBe(voice);
    agent.__fork();
    await expect(run(Object(voice.tools['sum']))).rejects.toThrow('No sum.');
    expect(ran).toEqual([]);
  },
);

test('a tool that a copy of an agent registers anew is hooked', async () => {
  const { add, ran } = makeAdd();
  const mastra = emptyMastra();
  const plain = quiet(new Agent({ ...base, tools: { sum: add }, mastra }));
  mastra.removeTool('add');
  hookedAgent(plain, noSum());
  await expect(run(mastra.getToolById('add'), mastra)).rejects.toThrow('No sum.');
  expect(ran).toEqual([]);
});

test('tools that replace those of a hooked agent are hooked', async () => {
  const { add, ran } = makeAdd();
  const agent = quiet(hookedAgent({ ...base, tools: {} }, noSum()));
  agent.__setTools({ sum: add });
  const mastra = new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
  await expect(run(mastra.getToolById('add'), mastra)).rejects.toThrow('No sum.');
  expect(ran).toEqual([]);
});

test('an agent that is not hooked keeps its tools in the registry as they are', () => {
  const { add } = makeAdd();
  const agent = quiet(
    new Agent({ id: 'a', name: 'a', instructions: '', model: 'openai/gpt-5', tools: { add } }),
  );
  hookedAgent(agent, createHooks());
  const mastra = new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
  expect(mastra.getToolById('add')).toBe(add);
});
