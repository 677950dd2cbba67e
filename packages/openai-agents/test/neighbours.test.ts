import { BeforeModelCall, createHooks, modify } from '@hooks/core';
import { Agent, type AgentInputItem, OpenAIResponsesModel } from '@openai/agents';
import { expect, test } from 'vitest';
import { hookedRunner } from '../src/index.ts';
import { setup } from './setup.ts';

const image = { type: 'input_image', image: 'data:image/png;base64,iVBORw0KGgo=', detail: 'low' } as const;

const input: AgentInputItem[] = [
  {
    role: 'user',
    content: [
      { type: 'input_text', text: 'The secret. ', providerData: { cache_mark: 1 } },
      image,
      { type: 'input_text', text: 'What is it?' },
    ],
  },
  { role: 'assistant', status: 'completed', content: [{ type: 'output_text', text: 'A secret.' }] },
  { type: 'function_call', callId: 'c1', name: 'look', status: 'completed', arguments: '{"at": "a"}' },
  {
    type: 'function_call_result',
    callId: 'c1',
    name: 'look',
    status: 'completed',
    output: [{ type: 'input_text', text: 'The secret is here.' }, image],
  },
  { role: 'user', content: 'Go on.' },
];

/** What the model is sent where hooks replace a text, or where there are none. */
async function sent(from?: string, to = ''): Promise<unknown> {
  await using s = await setup(() => ({ text: 'Done.' }), OpenAIResponsesModel);
  const hooks = createHooks();
  hooks.on(BeforeModelCall, ({ messages }) =>
    modify({
      messages: messages.map((one) => ({
        ...one,
        text: from === undefined ? one.text : one.text.replace(from, to),
      })),
    }),
  );
  const runner = from === undefined && to === 'bare' ? s.runner : hookedRunner(s.runner, hooks);
  await runner.run(new Agent({ name: 'A' }), structuredClone(input));
  return Reflect.get(Object(s.server.requests[0]?.body), 'input');
}

test('A request is the same where hooks change no text of it', async () => {
  expect(await sent()).toEqual(await sent(undefined, 'bare'));
});

test('A request whose texts hooks have changed keeps images, calls, and what belongs to each part', async () => {
  const before = JSON.stringify(await sent(undefined, 'bare'));
  expect(before).toContain('cache_mark');
  expect(await sent('secret', 'word')).toEqual(JSON.parse(before.replaceAll('secret', 'word')));
});
