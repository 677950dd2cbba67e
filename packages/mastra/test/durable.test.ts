import { BeforeToolCall, block, createHooks } from '@hooks/core';
import { Mastra } from '@mastra/core';
import { Agent } from '@mastra/core/agent';
import { createDurableAgent } from '@mastra/core/agent/durable';
import { InMemoryStore } from '@mastra/core/storage';
import { Memory } from '@mastra/memory';
import { expect, test } from 'vitest';
import { hooked } from '../src/index.ts';
import { makeAdd, modelOf, quiet, serve } from './fixtures.ts';

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
        ? hooked(durable, hooks)
        : quiet(hooked({ ...define('lead'), agents: { durable: durable as never as Agent }, memory }, hooks));
    new Mastra({ agents: { agent: agent as Agent }, storage, logger: false });
    const output = await agent.stream('Go', { memory: { thread: 't', resource: 'r' } });
    for await (const _chunk of output.fullStream);
    expect([asked.sort(), ran]).toEqual([['add', 'updateWorkingMemory'], []]);
  },
);
