import { BeforeModelCall, createHooks, modify } from '@hooks/core';
import {
  AIMessage,
  type BaseMessage,
  HumanMessage,
  SystemMessage,
  ToolMessage,
} from '@langchain/core/messages';
import { FakeListChatModel } from '@langchain/core/utils/testing';
import { describe, expect, test } from 'vitest';
import { createHookedAgent } from '../src/index.ts';

const cached = { cache_control: { type: 'ephemeral' } };
const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgo=' } };

const system = new SystemMessage({ content: [{ type: 'text', text: 'Be brief.', ...cached }] });
const messages: readonly BaseMessage[] = [
  new HumanMessage({
    content: [{ type: 'text', text: 'The secret.', ...cached }, image, { type: 'text', text: 'What is it?' }],
    name: 'ann',
  }),
  new AIMessage({
    content: [
      { type: 'thinking', thinking: 'So.', signature: 's' },
      { type: 'text', text: 'A secret.' },
      { type: 'tool_use', id: 'c1', name: 'look', input: {} },
    ],
    tool_calls: [{ type: 'tool_call', id: 'c1', name: 'look', args: {} }],
  }),
  new ToolMessage({
    content: [{ type: 'text', text: 'The secret is here.', ...cached }, image],
    tool_call_id: 'c1',
    name: 'look',
    status: 'error',
    artifact: { kept: true },
  }),
  new HumanMessage('Go on.'),
];

/** What a model is sent where hooks replace a text. */
async function sent(from: string | undefined, to = ''): Promise<readonly BaseMessage[]> {
  const model = new FakeListChatModel({ responses: ['Done.'] });
  const sent: BaseMessage[] = [];
  const handleChatModelStart = (_model: unknown, batches: BaseMessage[][]) =>
    void sent.push(...batches.flat());
  const hooks = createHooks();
  const write = (text = '') => (from === undefined ? text : text.replace(from, to));
  hooks.on(BeforeModelCall, (event) =>
    modify({
      instructions: write(event.instructions),
      messages: event.messages.map((one) => ({ ...one, text: write(one.text) })),
    }),
  );
  await createHookedAgent({ model, systemPrompt: system }, hooks).invoke(
    { messages: [...messages] },
    { callbacks: [{ handleChatModelStart }] },
  );
  return sent;
}

const shown = ({ content, name, id }: BaseMessage) => ({ content, name, id });

describe('a request whose texts a hook has changed', () => {
  test('is the same where no text is changed', async () => {
    expect((await sent(undefined)).map(shown)).toEqual([system, ...messages].map(shown));
  });

  test('keeps images, cache marks, names, calls, reasoning and the state of results', async () => {
    const [told, user, answer, result, last] = await sent('secret', 'word');
    expect(told?.content).toEqual(system.content);
    expect(user).toMatchObject({
      name: 'ann',
      content: [{ type: 'text', text: 'The word.', ...cached }, image, { type: 'text', text: 'What is it?' }],
    });
    expect(answer).toMatchObject({
      content: [
        { type: 'thinking', thinking: 'So.', signature: 's' },
        { type: 'text', text: 'A word.' },
        { type: 'tool_use', id: 'c1', name: 'look', input: {} },
      ],
      tool_calls: [{ id: 'c1', name: 'look', args: {} }],
    });
    expect(result).toMatchObject({
      content: [{ type: 'text', text: 'The word is here.', ...cached }, image],
      tool_call_id: 'c1',
      name: 'look',
      status: 'error',
      artifact: { kept: true },
    });
    expect(last?.text).toBe('Go on.');
  });

  test('keeps the cache mark of changed instructions', async () => {
    const [told] = await sent('brief', 'long');
    expect(told?.content).toEqual([{ type: 'text', text: 'Be long.', ...cached }]);
  });
});
