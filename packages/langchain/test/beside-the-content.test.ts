import { createHooks, modify, proceed, TransformToolResult } from '@hooks/core';
import { AIMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import { Command } from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import { expect, test } from 'vitest';
import { createHookedAgent, hookTool } from '../src/index.ts';
import { readTool, user } from './fixtures.ts';
import { Saying } from './saying.ts';

const message = (fields: object): ToolMessage =>
  new ToolMessage({ content: 'fine', tool_call_id: 'c1', ...fields });

const command = (...contents: readonly string[]): Command =>
  new Command({ update: { messages: contents.map((content) => message({ content })) } });

class Quiet extends Error {
  override toString(): string {
    return 'fine';
  }
}

const thrown = (error: unknown) => (): never => {
  throw error;
};

/** What a tool may return or throw, with a secret that is not in the content. */
const ways: { readonly [name: string]: () => unknown } = {
  'the artifact of an error': () => message({ status: 'error', artifact: 'secret' }),
  'an artifact that JSON cannot show': () =>
    message({ status: 'error', artifact: { toJSON: () => 'fine', key: 'secret', size: 1n } }),
  additional_kwargs: () => message({ additional_kwargs: { key: 'secret' } }),
  'additional_kwargs of an error': () => message({ status: 'error', additional_kwargs: { key: 'secret' } }),
  response_metadata: () => message({ response_metadata: { key: 'secret' } }),
  metadata: () => message({ metadata: { key: 'secret' } }),
  'a field of its own': () => message({ key: 'secret' }),
  'its name': () => message({ name: 'secret' }),
  'the call that it answers': () => message({ tool_call_id: 'secret' }),
  'a second answer': () => command('fine', 'secret'),
  'a second answer in a list of pairs': () =>
    new Command({
      update: [
        ['messages', message({})],
        ['messages', message({ content: 'secret' })],
      ],
    }),
  'the message of a thrown object': thrown({ message: 'secret' }),
  'the message of an error with a text of its own': thrown(new Quiet('secret')),
};

const call = { name: 'read', args: { path: 'a' }, id: 'c1', type: 'tool_call' } as const;
const has = (value: unknown): boolean => JSON.stringify(value ?? '').includes('secret');

test.each(Object.entries(ways))(
  'a result with a secret in %s is hidden by a hook that looks for it',
  async (_way, raw) => {
    const { read } = readTool(raw);
    const hooks = createHooks();
    hooks.on(TransformToolResult, ({ output, errorMessage }) => {
      if (has(output)) return modify({ output: 'hidden' });
      return has(errorMessage) ? modify({ errorMessage: 'hidden' }) : proceed();
    });
    const model = new Saying(new AIMessage({ content: '', tool_calls: [call] }));
    const agent = createHookedAgent({ model, tools: [read] }, hooks);
    const { messages } = await agent.invoke(user('go'));
    expect(messages.filter((one) => ToolMessage.isInstance(one))).toHaveLength(1);
    expect(JSON.stringify(messages)).not.toContain('secret');
    const node = new ToolNode([hookTool(read, hooks)]);
    const given = await node.invoke([
      new HumanMessage('go'),
      new AIMessage({ content: '', tool_calls: [call] }),
    ]);
    expect(JSON.stringify(given)).not.toContain('secret');
  },
);

test('hooks see the other fields of a message as a third part, and may change them', async () => {
  const { read } = readTool(() => message({ additional_kwargs: { key: 'secret', kind: 'page' } }));
  const hooks = createHooks();
  const seen: unknown[] = [];
  hooks.on(TransformToolResult, ({ output }) => {
    seen.push(output);
    return modify({ output: ['fine', null, { additional_kwargs: { key: 'hidden', kind: 'page' } }] });
  });
  const model = new Saying(new AIMessage({ content: '', tool_calls: [call] }));
  const { messages } = await createHookedAgent({ model, tools: [read] }, hooks).invoke(user('go'));
  expect(seen).toEqual([['fine', null, { additional_kwargs: { key: 'secret', kind: 'page' } }]]);
  expect(messages[2]).toMatchObject({ content: 'fine', additional_kwargs: { key: 'hidden', kind: 'page' } });
});

test.each([
  () => message({ id: 'm1', status: 'error', artifact: { size: 4 }, additional_kwargs: { kind: 'page' } }),
  () => message({ id: 'm1', artifact: { size: 4 }, response_metadata: { kind: 'page' } }),
])('a message that hooks do not change keeps its fields', async (raw) => {
  const made = raw();
  const { read } = readTool(() => made);
  const hooks = createHooks();
  hooks.on(TransformToolResult, () => proceed());
  const model = new Saying(new AIMessage({ content: '', tool_calls: [call] }));
  const { messages } = await createHookedAgent({ model, tools: [read] }, hooks).invoke(user('go'));
  const { content, status, artifact, additional_kwargs, response_metadata } = raw();
  expect(messages[2]).toMatchObject({ content, status, artifact, additional_kwargs, response_metadata });
});

test('hooks may change each of several answers to one call', async () => {
  const { read } = readTool(() => command('one secret', 'two'));
  const hooks = createHooks();
  hooks.on(TransformToolResult, ({ output }) => {
    expect(output).toEqual(['one secret', 'two']);
    return modify({ output: ['one key', 'two'] });
  });
  const model = new Saying(new AIMessage({ content: '', tool_calls: [call] }));
  const { messages } = await createHookedAgent({ model, tools: [read] }, hooks).invoke(user('go'));
  const results = messages.filter((one) => ToolMessage.isInstance(one));
  expect(results.map(({ text }) => text)).toEqual(['one key', 'two']);
});
