import { createHooks, HookEvent, modify, UserPromptSubmit } from '@hooks/core';
import { Command, interrupt, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { tool } from 'langchain';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createHookedAgent } from '../src/index.ts';
import { calls, scripted } from './fixtures.ts';

const config = { configurable: { thread_id: 't' } };

/** A graph that runs a function in its one node, and again from its start after a pause. */
function graphOf(run: () => Promise<unknown>) {
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('agent', async () => {
      await run();
      return {};
    })
    .addEdge(START, 'agent')
    .compile({ checkpointer: new MemorySaver() });
  return {
    begin: () => graph.invoke({ messages: [] }, config),
    goOn: () => graph.invoke(new Command({ resume: 'green' }) as never, config),
  };
}

const ask = tool(async () => interrupt('Which colour?'), {
  name: 'ask',
  description: 'Asks the user.',
  schema: z.object({}),
});

/** An agent that asks the user something, and what its hooks were told. */
async function asking(params: { readonly checkpointer?: false }) {
  const at = await scripted(calls({ name: 'ask', arguments: {}, id: 'c1' }));
  const hooks = createHooks();
  const told: string[] = [];
  hooks.observe(HookEvent, ({ type }) => void told.push(type));
  const prompts: string[] = [];
  hooks.on(UserPromptSubmit, ({ prompt }) => {
    prompts.push(prompt);
    return modify({ prompt: `${prompt}, please` });
  });
  const agent = createHookedAgent({ model: at.model, tools: [ask], ...params }, hooks);
  return { ...at, agent, told, prompts };
}

const memories = [
  ['with the memory of the graph', {}],
  ['with none, so that it begins anew', { checkpointer: false }],
] as const;

describe.each(memories)('an agent that a node runs, %s,', (_name, memory) => {
  test.each(['invoke', 'stream'] as const)('is asked about its prompt once (%s)', async (how) => {
    await using at = await asking(memory);
    const graph = graphOf(async () => {
      if (how === 'invoke') await at.agent.invoke({ messages: 'go' });
      else for await (const _ of await at.agent.stream({ messages: 'go' }));
    });
    await graph.begin();
    await graph.goOn();
    expect(at.prompts).toEqual(['go']);
    expect(at.server.requests.length).toBeGreaterThan(1);
    for (const { body } of at.server.requests) expect(JSON.stringify(body)).toContain('"go, please"');
  });

  test('is asked about another prompt that the node gives it after a pause', async () => {
    await using at = await asking(memory);
    const given = ['go', 'run'];
    const graph = graphOf(() => at.agent.invoke({ messages: given.shift() ?? '' }));
    await graph.begin();
    await graph.goOn();
    expect(at.prompts).toEqual(['go', 'run']);
  });

  test('is asked about the same prompt in its next run', async () => {
    await using at = await asking(memory);
    const graph = graphOf(() => at.agent.invoke({ messages: 'go' }));
    await graph.begin();
    await graph.goOn();
    await graph.begin();
    expect(at.prompts).toEqual(['go', 'go']);
  });
});

test('the turn of an agent that a node runs goes on after a pause', async () => {
  await using at = await asking({});
  const graph = graphOf(() => at.agent.invoke({ messages: 'go' }));
  await graph.begin();
  expect(at.told).not.toContain('turn_end');
  await graph.goOn();
  expect(at.told.filter((type) => type === 'turn_end')).toHaveLength(2);
});
