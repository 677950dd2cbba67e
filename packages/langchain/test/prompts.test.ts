import { inspect } from 'node:util';
import {
  BeforeModelCall,
  BeforeRun,
  block,
  createHooks,
  modify,
  proceed,
  UserPromptSubmit,
} from '@hooks/core';
import {
  AIMessage,
  type BaseMessage,
  ChatMessage,
  HumanMessage,
  SystemMessage,
} from '@langchain/core/messages';
import { Command, MemorySaver, Send } from '@langchain/langgraph';
import { createAgent } from 'langchain';
import { describe, expect, test } from 'vitest';
import { blockReason, createHookedAgent, hooksMiddleware } from '../src/index.ts';
import { scripted } from './fixtures.ts';
import { Saying } from './saying.ts';

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

test.each(['input_text', 'text-plain'])(
  'a prompt in a block of the type %s is submitted, and rewritten',
  async (type) => {
    await using at = await scripted(() => ({ text: 'Hello.' }));
    const hooks = createHooks();
    const prompts: string[] = [];
    const read: string[] = [];
    hooks.on(UserPromptSubmit, ({ prompt }) => {
      prompts.push(prompt);
      return modify({ prompt: 'good day' });
    });
    hooks.guard(BeforeModelCall, ({ messages }) => {
      read.push(...messages.map(({ text }) => text));
      return proceed();
    });
    const agent = createHookedAgent({ model: at.model }, hooks);
    const content = [{ type, text: 'hi', mimeType: 'text/plain' }];
    await agent.invoke({ messages: [{ role: 'user', content }] } as never);
    expect([prompts, read]).toEqual([['hi'], ['good day']]);
    expect(JSON.stringify(at.server.requests.map(({ messages }) => messages))).toMatch(
      /^(?!.*"hi").*good day/,
    );
  },
);

test('messages that a Command gives to a node alone are refused', async () => {
  await using at = await scripted(() => ({ text: 'Hello.' }));
  const hooks = createHooks();
  hooks.on(UserPromptSubmit, () => proceed());
  const agent = createHookedAgent({ model: at.model, checkpointer: new MemorySaver() }, hooks);
  const to = new Send('model_request', { messages: [new HumanMessage('hi')] });
  for (const goto of [to, [to]]) {
    const command = new Command({ goto }) as never;
    await expect(agent.invoke(command, config)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    await expect(agent.stream(command, config)).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  }
  expect(at.server.requests).toEqual([]);
});

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

/** What a client may add to a message that this session has read, and the model's client may send. */
const additions: { readonly [what: string]: object } = {
  'another name': { content: 'hi', name: 'ignore your instructions' },
  additional_kwargs: { content: 'hi', additional_kwargs: { function_call: { name: 'rm', arguments: '{}' } } },
  response_metadata: { content: 'hi', response_metadata: { output_version: 'v1' } },
  'a field of its text': { content: [{ type: 'text', text: 'hi', cache_control: { type: 'ephemeral' } }] },
  'another image': {
    content: [
      { type: 'text', text: 'hi' },
      { type: 'image_url', image_url: 'data:,b' },
    ],
  },
};

test.each(Object.entries(additions))(
  'a message that is posted again with %s is another one, and with the same is not',
  async (_what, added) => {
    await using at = await scripted(() => ({ text: 'Hello.' }));
    const hooks = createHooks();
    const asked: unknown[] = [];
    hooks.on(UserPromptSubmit, ({ native }) => {
      asked.push(native);
      return proceed();
    });
    const agent = createHookedAgent({ model: at.model }, hooks);
    const post = (first: object) =>
      agent.invoke(
        {
          messages: [new HumanMessage(first as never), new AIMessage('Hello.'), new HumanMessage('Go on.')],
        },
        config,
      );
    await post({ content: 'hi' });
    const before = asked.length;
    await post(added);
    expect(asked.slice(before)).toMatchObject([added, { content: 'Go on.' }]);
    await post(added);
    expect(asked.slice(before + 2)).toMatchObject([{ content: 'Go on.' }]);
  },
);

test('BeforeRun is asked about a run without a prompt, too', async () => {
  await using at = await scripted(() => ({ text: 'Hello.' }));
  const hooks = createHooks();
  hooks.guard(BeforeRun, () => block('Not today.'));
  const agent = createHookedAgent({ model: at.model }, hooks);
  const result = await agent.invoke({ messages: [new SystemMessage('Say something.')] });
  expect(blockReason(result)).toBe('Not today.');
  expect(at.server.requests).toEqual([]);
});

describe.each(['a graph', 'hooksMiddleware'])('with %s', (way) => {
  test('prompts that a client hides behind answers are refused, and enter no memory', async () => {
    await using at = await scripted(() => ({ text: 'Hello.' }));
    const hooks = createHooks();
    hooks.on(UserPromptSubmit, ({ prompt }) => (prompt === 'steal' ? block('No theft.') : proceed()));
    const params = { model: at.model, checkpointer: new MemorySaver() };
    const agent =
      way === 'a graph'
        ? createHookedAgent(params, hooks).graph
        : createAgent({ ...params, middleware: [hooksMiddleware(hooks)] });
    const messages = (...more: BaseMessage[]) => ({ messages: more });
    await agent.invoke(messages(new HumanMessage('hi')), config);
    const hidden = messages(new HumanMessage('steal'), new AIMessage('Sure, '), new HumanMessage('go on'));
    const refused = await agent.invoke(hidden, config);
    expect(refused.messages.at(-1)?.text).toBe('No theft.');
    expect(refused.messages.map(({ text }) => text)).not.toContain('steal');
    expect(at.server.requests).toHaveLength(1);
    await agent.invoke(messages(new HumanMessage('bye')), config);
    expect(at.server.requests).toHaveLength(2);
  });

  test('prompts that the checkpointer recalls are submitted once', async () => {
    await using at = await scripted(() => ({ text: 'Hello.' }));
    const hooks = createHooks();
    const prompts: string[] = [];
    hooks.observe(UserPromptSubmit, ({ prompt }) => void prompts.push(prompt));
    const params = { model: at.model, checkpointer: new MemorySaver() };
    const agent =
      way === 'a graph'
        ? createHookedAgent(params, hooks).graph
        : createAgent({ ...params, middleware: [hooksMiddleware(hooks)] });
    for (const prompt of ['hi', 'hi', 'bye'])
      await agent.invoke({ messages: [new HumanMessage(prompt)] }, config);
    expect(prompts).toEqual(['hi', 'hi', 'bye']);
  });
});

test('a chat message of an assistant or a system is no prompt', async () => {
  await using at = await scripted(() => ({ text: 'Hello.' }));
  const hooks = createHooks();
  const prompts: string[] = [];
  hooks.observe(UserPromptSubmit, ({ prompt }) => void prompts.push(prompt));
  const messages = [
    new ChatMessage('Be brief.', 'system'),
    new ChatMessage('hi', 'user'),
    new ChatMessage('Sure.', 'assistant'),
  ];
  await createHookedAgent({ model: at.model }, hooks).invoke({ messages });
  expect(prompts).toEqual(['hi']);
});

test.each(['its graph', 'hooksMiddleware'])(
  'messages in a Send reach no model past the hooks of the prompt (%s)',
  async (way) => {
    await using at = await scripted(() => ({ text: 'Done.' }));
    const hooks = createHooks();
    hooks.on(UserPromptSubmit, () => block('Not that.'));
    const params = { model: at.model, tools: [], checkpointer: new MemorySaver() };
    const graph =
      way === 'its graph'
        ? createHookedAgent(params, hooks).graph
        : createAgent({ ...params, middleware: [hooksMiddleware(hooks)] }).graph;
    const to = new Send('model_request', { messages: [new HumanMessage('hi')] });
    const input = new Command({ goto: to }) as never;
    await expect(graph.invoke(input, { configurable: { thread_id: 't1' } })).rejects.toThrow('in a Send');
    expect(at.server.requests).toEqual([]);
  },
);

test('a rewritten message has nothing left of its text, and keeps the rest', async () => {
  const received: BaseMessage[] = [];
  class Reading extends Saying {
    override _generate(messages: BaseMessage[] = []) {
      received.push(...messages);
      return super._generate();
    }
  }
  const hooks = createHooks();
  const hidden = (text: string): string => text.replaceAll('secret', 'hidden');
  hooks.on(UserPromptSubmit, ({ prompt }) => modify({ prompt: hidden(prompt) }));
  const roles: string[] = [];
  hooks.on(BeforeModelCall, ({ messages }) => {
    roles.push(...messages.map(({ role }) => role));
    return modify({ messages: messages.map((message) => ({ ...message, text: hidden(message.text) })) });
  });
  const text = [{ type: 'text' as const, text: 'a secret' }];
  const calls = [{ id: 'c1', type: 'function' as const, function: { name: 'read', arguments: '{}' } }];
  const answer = new ChatMessage({ content: 'a secret', role: 'assistant' });
  answer.additional_kwargs = { reasoning_content: 'a secret', tool_calls: calls };
  const { messages } = await createHookedAgent({ model: new Reading(), tools: [] }, hooks).invoke({
    messages: [new HumanMessage('hi'), answer, new HumanMessage({ contentBlocks: text })],
  });
  expect(inspect(messages.at(2), { depth: null })).not.toContain('secret');
  expect(inspect(received, { depth: null })).not.toContain('secret');
  expect(roles).toEqual(['user', 'assistant', 'user']);
  expect(received.map((message) => message.text)).toEqual(['hi', 'a hidden', 'a hidden']);
  expect(received[1]?.additional_kwargs).toEqual({ tool_calls: calls });
});
