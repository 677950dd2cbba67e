import { BeforeRun, block, createHooks, modify, UserPromptSubmit } from '@hooks/core';
import { AIMessage, ChatMessage, HumanMessage, SystemMessage } from '@langchain/core/messages';
import { Command, MemorySaver } from '@langchain/langgraph';
import { describe, expect, test } from 'vitest';
import { blockReason, createHookedAgent } from '../src/index.ts';
import { scripted } from './fixtures.ts';

const config = { configurable: { thread_id: 't1' } };
const forms: { readonly [name: string]: () => unknown } = {
  'in a Command': () =>
    new Command({ update: { messages: [new HumanMessage('hi')] }, goto: 'model_request' }),
  'in a Command, as a list': () =>
    new Command({ update: [['messages', [new HumanMessage('hi')]]], goto: 'model_request' }),
  'in a Command, in the first of two lists': () =>
    new Command({
      update: [
        ['messages', [new HumanMessage('hi')]],
        ['messages', [new SystemMessage('Be brief.')]],
      ],
      goto: 'model_request',
    }),
  'before a system message': () => ({ messages: [new HumanMessage('hi'), new SystemMessage('Be brief.')] }),
  'as a chat message': () => ({ messages: [new ChatMessage('hi', 'user')] }),
  'before what the model is to go on from': () => ({
    messages: [new HumanMessage('hi'), new AIMessage('Sure, ')],
  }),
};

describe.each(Object.entries(forms))('a prompt %s', (_name, input) => {
  test('is submitted, and may be refused', async () => {
    await using at = await scripted(() => ({ text: 'Hello.' }));
    const hooks = createHooks();
    const prompts: string[] = [];
    hooks.on(UserPromptSubmit, ({ prompt }) => {
      prompts.push(prompt);
      return block('Not today.');
    });
    const agent = createHookedAgent({ model: at.model, checkpointer: new MemorySaver() }, hooks);
    const result = await agent.invoke(input() as never, config);
    expect(prompts).toEqual(['hi']);
    expect(blockReason(result)).toBe('Not today.');
    expect(at.server.requests).toEqual([]);
    expect((await agent.graph.getState(config)).values).toEqual({});
  });

  test('may be rewritten', async () => {
    await using at = await scripted(() => ({ text: 'Hello.' }));
    const hooks = createHooks();
    hooks.on(UserPromptSubmit, () => modify({ prompt: 'good day' }));
    const agent = createHookedAgent({ model: at.model, checkpointer: new MemorySaver() }, hooks);
    const { messages } = await agent.invoke(input() as never, config);
    expect(messages[0]?.text).toBe('good day');
    expect(messages.at(-1)?.text).toBe('Hello.');
  });
});

test('BeforeRun is asked about a run without a prompt, too', async () => {
  await using at = await scripted(() => ({ text: 'Hello.' }));
  const hooks = createHooks();
  hooks.guard(BeforeRun, () => block('Not today.'));
  const agent = createHookedAgent({ model: at.model }, hooks);
  const result = await agent.invoke({ messages: [new SystemMessage('Say something.')] });
  expect(blockReason(result)).toBe('Not today.');
  expect(at.server.requests).toEqual([]);
});
