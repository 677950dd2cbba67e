import { addContext, BeforeToolCall, block, createHooks, HookEvent, proceed, Stop } from '@hooks/core';
import { MemorySaver } from '@langchain/langgraph';
import type { ChatOpenAI } from '@langchain/openai';
import { createMiddleware } from 'langchain';
import { expect, test } from 'vitest';
import { blockReason, createHookedAgent } from '../src/index.ts';
import { calls, readTool, scripted, user } from './fixtures.ts';

const script = calls({ name: 'read', arguments: { path: 'a.txt' } });

test('hooks add no superstep, but for the one of a Stop hook', async () => {
  const supersteps = async (hooks = createHooks()) => {
    await using at = await scripted(script);
    const agent = createHookedAgent({ model: at.model, tools: [readTool().read] }, hooks);
    let steps = 0;
    for await (const _step of await agent.stream(user('go'), { streamMode: 'updates' })) steps++;
    return steps;
  };
  const tools = createHooks();
  tools.on(BeforeToolCall, () => proceed());
  const everything = createHooks();
  everything.observe(HookEvent, () => {});
  const stop = createHooks();
  stop.on(Stop, () => proceed());
  expect(await supersteps()).toBe(3);
  expect(await supersteps(tools)).toBe(3);
  expect(await supersteps(stop)).toBe(4);
  expect(await supersteps(everything)).toBe(4);
});

const agents: { readonly [name: string]: (model: ChatOpenAI) => object } = {
  'an agent alone': () => ({}),
  'beside a middleware that changes the model': (model) => ({
    middleware: [
      createMiddleware({
        name: 'other',
        wrapModelCall: (request, handler) => handler({ ...request, model }),
      }),
    ],
  }),
};

for (const [name, paramsFor] of Object.entries(agents)) {
  test(`a Block with stop ends the run, and context reaches the model: ${name}`, async () => {
    await using at = await scripted([...script, ...script]);
    const { model } = at;
    const hooks = createHooks();
    const agent = createHookedAgent({ model, tools: [readTool().read], ...paramsFor(model) }, hooks);
    const told = hooks.on(BeforeToolCall, () => addContext('It is Monday.'));
    await agent.invoke(user('go'));
    expect(JSON.stringify(at.server.requests[1]?.body)).toContain('It is Monday.');
    told[Symbol.dispose]();
    hooks.on(BeforeToolCall, () => block('Enough.', { stop: true }));
    expect(blockReason(await agent.invoke(user('go')))).toBe('Enough.');
    expect(at.server.requests).toHaveLength(3);
  });
}

test('what is set on the agent counts whatever hooks are registered then', async () => {
  await using at = await scripted([...script, { text: 'You said go.' }]);
  const hooks = createHooks();
  const agent = createHookedAgent({ model: at.model, tools: [readTool().read] }, hooks);
  agent.checkpointer = new MemorySaver();
  const config = { configurable: { thread_id: 't' } };
  await agent.invoke(user('go'), config);
  hooks.on(BeforeToolCall, () => proceed());
  hooks.on(Stop, () => proceed());
  const { messages } = await agent.invoke(user('What did I say?'), config);
  expect(messages.map(({ text }) => text)).toEqual([
    'go',
    '',
    'content of a.txt',
    'Done.',
    'What did I say?',
    'You said go.',
  ]);
});

test('a hooked run reads its thread as often as one without hooks', async () => {
  const reads = async (hooks = createHooks()) => {
    await using at = await scripted([...script, ...script]);
    const checkpointer = new MemorySaver();
    let count = 0;
    const getTuple = checkpointer.getTuple.bind(checkpointer);
    checkpointer.getTuple = (config) => {
      count++;
      return getTuple(config);
    };
    const agent = createHookedAgent({ model: at.model, tools: [readTool().read], checkpointer }, hooks);
    const config = { configurable: { thread_id: 't' } };
    await agent.invoke(user('go'), config);
    // The first run of a process looks whether another one knows the thread.
    count = 0;
    await agent.invoke(user('go'), config);
    return count;
  };
  const hooks = createHooks();
  hooks.on(BeforeToolCall, () => proceed());
  expect(await reads(hooks)).toBe(await reads());
});
