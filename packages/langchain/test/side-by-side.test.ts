import {
  AfterModelCall,
  addContext,
  BeforeRun,
  createHooks,
  type Hooks,
  modify,
  proceed,
  retry,
  Stop,
  TurnStart,
  UserPromptSubmit,
} from '@hooks/core';
import { HumanMessage } from '@langchain/core/messages';
import { MessagesAnnotation, Send, START, StateGraph } from '@langchain/langgraph';
import { createMiddleware } from 'langchain';
import { describe, expect, test } from 'vitest';
import { createHookedAgent } from '../src/index.ts';
import { calls, readTool, scripted } from './fixtures.ts';

type Params = Parameters<typeof createHookedAgent>[0];

const config = { configurable: { thread_id: 't' }, recursionLimit: 100 };
const names = ['ann', 'bob', 'cid'];

/** A graph that sends three prompts to one agent at once. */
function three(params: Params, hooks: Hooks) {
  const agent: { readonly graph: object } = createHookedAgent({ name: 'greeter', ...params }, hooks);
  return new StateGraph(MessagesAnnotation)
    .addNode('agent', agent.graph as never)
    .addConditionalEdges(
      START,
      () =>
        names.map(
          (name) =>
            new Send('agent', { messages: [new HumanMessage({ id: name, content: `I am ${name}.` })] }),
        ),
      ['agent'],
    )
    .compile();
}

describe('runs of one agent side by side in a thread', () => {
  test('are kept going by Stop hooks at most three times each', async () => {
    await using at = await scripted(() => ({ text: 'Hello.' }));
    const hooks = createHooks();
    let asked = 0;
    hooks.on(Stop, () => {
      asked++;
      return retry('Say more.');
    });
    await three({ model: at.model }, hooks).invoke({ messages: [] }, config);
    expect(asked).toBe(3 * 4);
  });

  test('have each the settings, the context and the turns of their own', async () => {
    await using at = await scripted(calls({ name: 'read', arguments: { path: 'a' } }));
    const hooks = createHooks();
    const turns: unknown[] = [];
    hooks.on(UserPromptSubmit, ({ prompt }) => addContext(`Told: ${prompt}`));
    hooks.on(BeforeRun, () => modify({ settings: { temperature: 0 } }));
    hooks.observe(TurnStart, ({ run, iteration }) => void turns.push(`${run} ${iteration}`));
    await three({ model: at.model, tools: [readTool().read] }, hooks).invoke({ messages: [] }, config);
    expect(at.server.requests).toHaveLength(6);
    for (const { body } of at.server.requests) {
      const name = names.find((one) => JSON.stringify(body).includes(`Told: I am ${one}.`));
      expect({ told: JSON.stringify(body).split('Told: ').length, name }).toEqual({ told: 2, name });
      expect(body).toMatchObject({ temperature: 0 });
    }
    expect(turns.toSorted()).toEqual(names.flatMap((name) => [`${name} 1`, `${name} 2`]));
  });

  test('have their answers held back, however long a middleware takes to ask the model', async () => {
    // A stream cuts a text every eight characters.
    await using at = await scripted(() => ({ text: 'tangelo is the key.' }));
    const hooks = createHooks();
    let asked = 0;
    hooks.on(AfterModelCall, ({ response }) => {
      asked++;
      return response.text.includes('tangelo')
        ? modify({ response: { ...response, text: 'Hidden.' } })
        : proceed();
    });
    const all = Promise.withResolvers<void>();
    let waiting = 0;
    const slow = createMiddleware({
      name: 'slow',
      wrapModelCall: async (request, handler) => {
        if (++waiting === names.length) all.resolve();
        await all.promise;
        return handler(request);
      },
    });
    const stream = await three({ model: at.model, middleware: [slow] }, hooks).stream(
      { messages: [] },
      { ...config, subgraphs: true, streamMode: ['messages', 'values', 'updates', 'debug'] },
    );
    const seen: unknown[] = [];
    for await (const chunk of stream) seen.push(chunk);
    expect(JSON.stringify(seen)).toContain('Hidden.');
    expect(JSON.stringify(seen)).not.toContain('tangelo');
    expect(asked).toBe(names.length);
  });
});
