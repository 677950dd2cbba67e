import { BeforeModelCall, createHooks, modify, proceed, UserPromptSubmit } from '@hooks/core';
import { Agent, type AgentInputItem, assistant, OpenAIResponsesModel, tool, user } from '@openai/agents';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookedRunner } from '../src/index.ts';
import { call, requestAt, setup } from './setup.ts';

/** A run may be begun with items: of them, what the user has sent since anybody else has spoken are the prompts. */

const image = 'data:image/png;base64,AAAA';
const agent = new Agent({ name: 'A', instructions: 'Be brief.' });

async function submit(items: AgentInputItem[], rewrite?: (prompt: string) => string) {
  await using s = await setup(() => ({ text: 'Done.' }));
  const hooks = createHooks();
  const prompts: string[] = [];
  hooks.on(UserPromptSubmit, ({ prompt }) => {
    prompts.push(prompt);
    return rewrite ? modify({ prompt: rewrite(prompt) }) : proceed();
  });
  await hookedRunner(s.runner, hooks).run(agent, items);
  const [, ...messages] = requestAt(s).messages;
  return { prompts, messages, body: JSON.stringify(requestAt(s).body) };
}

describe('a run that is begun with items', () => {
  test('each message of the user is a prompt', async () => {
    const { prompts } = await submit([user('First.'), assistant('Yes?'), user('Second.')]);
    expect(prompts).toEqual(['First.', 'Second.']);
  });

  test('each of several messages of the user in a row is one, and may be rewritten', async () => {
    const items = [
      user('Hello.'),
      assistant('Hi.'),
      user('My key is 42.'),
      user('Use my key.'),
      assistant('So '),
    ];
    const { prompts, messages } = await submit(items, (prompt) => prompt.replace('42', '***'));
    expect(prompts).toEqual(['Hello.', 'My key is 42.', 'Use my key.']);
    expect(messages.map(({ content }) => content)).toEqual([
      'Hello.',
      'Hi.',
      'My key is ***.',
      'Use my key.',
      'So ',
    ]);
  });

  test('another prompt replaces the texts of the user only; what was answered stays', async () => {
    const items = [user('My name is Ann.'), assistant('Hello Ann.'), user('I am Ann.')];
    const { messages } = await submit(items, (prompt) => prompt.replace('Ann', 'somebody'));
    expect(messages.map(({ content }) => content)).toEqual([
      'My name is somebody.',
      'Hello Ann.',
      'I am somebody.',
    ]);
  });

  test('its images stay', async () => {
    const { prompts, messages, body } = await submit(
      [
        user([
          { type: 'input_text', text: 'Who is ' },
          { type: 'input_image', image },
          { type: 'input_text', text: 'this?' },
        ]),
      ],
      () => 'What is this?',
    );
    expect(prompts).toEqual([expect.stringMatching(/^Who is .*this\?$/s)]);
    expect(messages[0]?.content).toBe('What is [image_url]this?');
    expect(body).toContain(image);
  });

  test('without a message of the user there is no prompt', async () => {
    const { prompts, messages } = await submit([assistant('Where were we?')], () => 'never');
    expect(prompts).toEqual([]);
    expect(messages.map(({ content }) => content)).toEqual(['Where were we?']);
  });
});

test('A message or a tool result to which a BeforeModelCall hook gives another text keeps its images', async () => {
  const look = tool({
    name: 'look',
    description: '',
    parameters: z.object({}),
    execute: () => [
      { type: 'text' as const, text: 'I see Ann.' },
      { type: 'image' as const, image: { url: 'data:image/png;base64,BBBB' } },
    ],
  });
  await using s = await setup([{ toolCalls: [call('look', {})] }, { text: 'Done.' }], OpenAIResponsesModel);
  const hooks = createHooks();
  hooks.on(BeforeModelCall, ({ messages }) =>
    modify({
      messages: messages.map((message) => ({ ...message, text: message.text.replace('Ann', 'somebody') })),
    }),
  );
  const items = [
    user([
      { type: 'input_text', text: 'Is it Ann?' },
      { type: 'input_image', image },
    ]),
  ];
  await hookedRunner(s.runner, hooks).run(new Agent({ name: 'A', tools: [look] }), items);
  const body = JSON.stringify(requestAt(s).body);
  for (const part of ['Is it somebody?', 'I see somebody.', image, 'base64,BBBB'])
    expect(body).toContain(part);
  expect(body).not.toContain('Ann');
});
