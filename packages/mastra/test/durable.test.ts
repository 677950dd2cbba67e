import {
  AfterModelCall,
  BeforeModelCall,
  BeforeRun,
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  proceed,
  requireApproval,
  retry,
  Stop,
  UserPromptSubmit,
} from '@hooks/core';
import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import { createDurableAgent } from '@mastra/core/agent/durable';
import { InMemoryStore } from '@mastra/core/storage';
import { Memory } from '@mastra/memory';
import { describe, expect, test } from 'vitest';
import { type HookedOptions, hookedAgent } from '../src/index.ts';
import { callThenText, makeAdd, modelOf, quiet, readByModel, serve } from './fixtures.ts';

test.each(['an agent', 'a sub-agent'])(
  'a durable agent that exists, as %s: its tools are hooked',
  async (form) => {
    await using server = await serve(({ tools, turn }) => {
      const names = tools.map(({ name }) => name);
      if (turn > 0) return { text: 'Done.' };
      if (names.includes('agent-durable'))
        return { toolCalls: [{ id: 'c0', name: 'agent-durable', arguments: { prompt: 'Add.' } }] };
      return {
        toolCalls: [
          { id: 'c1', name: 'add', arguments: { a: 1 } },
          { id: 'c2', name: 'updateWorkingMemory', arguments: { memory: '# Notes' } },
        ],
      };
    });
    const storage = new InMemoryStore();
    const memory = new Memory({ storage, options: { workingMemory: { enabled: true } } });
    const hooks = createHooks();
    const asked: string[] = [];
    hooks.guard(BeforeToolCall.matching('add|updateWorkingMemory'), ({ toolName }) => {
      asked.push(toolName);
      return block('Not here.');
    });
    const { add, ran } = makeAdd();
    const define = (name: string) => ({
      id: name,
      name,
      description: name,
      instructions: '',
      model: modelOf(server),
    });
    const durable = createDurableAgent({
      agent: quiet(new Agent({ ...define('durable'), tools: { add }, memory })),
    });
    const agent =
      form === 'an agent'
        ? hookedAgent(durable, hooks)
        : quiet(
            hookedAgent({ ...define('lead'), agents: { durable: durable as never as Agent }, memory }, hooks),
          );
    new Mastra({ agents: { agent: agent as Agent }, storage, logger: false });
    const output = await agent.stream('Go', { memory: { thread: 't', resource: 'r' } });
    for await (const _chunk of output.fullStream);
    expect([asked.sort(), ran]).toEqual([['add', 'updateWorkingMemory'], []]);
  },
);

const config = { id: 'a', name: 'a', description: 'a', instructions: '', model: 'openai/gpt-5' } as const;
const durable = () => createDurableAgent({ agent: new Agent(config) }) as never as Agent;
const forms = {
  'a config': (hooks: Hooks, options?: HookedOptions) =>
    hookedAgent({ ...config, durable: true }, hooks, options),
  'an agent that Mastra makes durable': (hooks: Hooks, options?: HookedOptions) =>
    hookedAgent(new Agent({ ...config, durable: true }), hooks, options),
  'a durable agent': (hooks: Hooks, options?: HookedOptions) => hookedAgent(durable(), hooks, options),
};

describe.each(Object.keys(forms) as (keyof typeof forms)[])('hooks on %s', (form) => {
  const points = { UserPromptSubmit, BeforeRun, BeforeModelCall, AfterModelCall, Stop };

  test.each(Object.values(points))(
    'that may refuse on $type are refused, since nobody would ask them',
    (point) => {
      const register = (hooks: Hooks) => void hooks.on(point as typeof Stop, () => retry('Go on.'));
      const before = createHooks();
      register(before);
      expect(() => forms[form](before)).toThrow(/durable agent/);
      const after = createHooks();
      forms[form](after);
      expect(() => register(after)).toThrow(expect.objectContaining({ code: 'UNSUPPORTED_EVENT' }));
      forms[form](before, { allowUnsupported: [point.type] });
    },
  );
});

test.each(['a config', 'an agent that Mastra makes durable', 'a durable agent'] as const)(
  "%s with approval: 'native', which Mastra runs without a pause, denies a call that requires it, with the reason",
  async (form) => {
    await using server = await serve(callThenText('add', { a: 1 }));
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('Sure?'));
    const { add, ran } = makeAdd();
    const params = { ...config, model: modelOf(server), tools: { add } };
    const given = {
      'a config': { ...params, durable: true },
      'an agent that Mastra makes durable': new Agent({ ...params, durable: true }),
      'a durable agent': createDurableAgent({ agent: new Agent(params) }) as never as Agent,
    }[form];
    const agent = quiet(hookedAgent(given as Agent, hooks, { approval: 'native' }));
    const mastra = new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
    const output = await mastra.getAgent('agent').stream('Go');
    for await (const _chunk of output.fullStream);
    expect(ran).toEqual([]);
    expect(readByModel(server)['c1']).toMatch(
      /Sure\?.*Mastra has run the call without asking a person.*approver/,
    );
  },
);

test('a durable sub-agent: hooks on model calls are refused; nobody submits it a prompt', () => {
  const hooks = createHooks();
  const lead = () => hookedAgent({ ...config, agents: { sub: durable() } }, hooks);
  hooks.on(UserPromptSubmit, () => proceed());
  lead();
  expect(() => hooks.guard(AfterModelCall, () => proceed())).toThrow(/durable agent/);
});
