import { AfterModelCall, createHooks, modify } from '@hooks/core';
import { AIMessage } from '@langchain/core/messages';
import { expect, test } from 'vitest';
import { createHookedAgent } from '../src/index.ts';
import { Saying } from './saying.ts';

/** A hook reads the reasoning wherever a client of LangChain puts it, and can remove it. */

const said = 'It is a secret.';
const text = { type: 'text', text: 'Done.' };

const shapes: { readonly [client: string]: ConstructorParameters<typeof AIMessage>[0] } = {
  Anthropic: { content: [{ type: 'thinking', thinking: said, signature: 'c2lnbmVk' }, text] },
  Bedrock: {
    content: [{ type: 'reasoning_content', reasoningText: { text: said, signature: 'c2ln' } }, text],
  },
  Mistral: { content: [{ type: 'thinking', thinking: [{ type: 'text', text: said }] }, text] },
  'standard blocks': { content: [{ type: 'reasoning', reasoning: said }, text] },
  'a block that is not standard': {
    content: [{ type: 'non_standard', value: { type: 'thinking', thinking: said } }, text],
  },
  DeepSeek: { content: 'Done.', additional_kwargs: { reasoning_content: said } },
  Groq: { content: 'Done.', additional_kwargs: { reasoning: said } },
  OpenRouter: {
    content: 'Done.',
    additional_kwargs: { reasoning_details: [{ type: 'reasoning.text', text: said, format: 'x-v1' }] },
  },
  'a summary of OpenAI': {
    content: 'Done.',
    additional_kwargs: {
      reasoning: { id: 'rs_1', type: 'reasoning', summary: [{ type: 'summary_text', text: said }] },
    },
  },
  'the output of OpenAI in a stream': {
    content: 'Done.',
    response_metadata: {
      reasoning: { effort: 'medium', summary: 'auto' },
      output: [
        { id: 'rs_1', type: 'reasoning', summary: [], content: [{ type: 'reasoning_text', text: said }] },
        { id: 'msg_1', type: 'message', content: [{ type: 'output_text', text: 'Done.' }] },
      ],
    },
  },
  'a raw answer': {
    content: 'Done.',
    additional_kwargs: { __raw_response: { choices: [{ message: { content: 'Done.', reasoning: said } }] } },
  },
};

test.each(Object.entries(shapes))('of %s is read and removed', async (_client, fields) => {
  const seen: unknown[] = [];
  const hooks = createHooks();
  hooks.on(AfterModelCall, ({ response }) => {
    seen.push(response.reasoning);
    const { reasoning: _removed, ...rest } = response;
    return modify({ response: { ...rest, reasoning: '' } });
  });
  const agent = createHookedAgent({ model: new Saying(new AIMessage(fields)) }, hooks);
  const { messages } = await agent.invoke({ messages: 'Go.' });
  expect(seen).toEqual([said]);
  expect(messages.at(-1)?.text).toBe('Done.');
  expect(JSON.stringify(messages)).not.toContain(said);
});

test('what a provider encrypts, signs or counts, and an argument or a field of that name, is no reasoning', async () => {
  const seen: unknown[] = [];
  const hooks = createHooks();
  hooks.observe(AfterModelCall, ({ response }) => void seen.push(response.reasoning));
  const answer = new AIMessage({
    content: [
      { type: 'redacted_thinking', data: 'b3BhcXVl' },
      { type: 'thinking', thinking: '', signature: 'c2ln' },
      { type: 'reasoning', id: 'rs_1', summary: [], encrypted_content: 'b3BhcXVl' },
      { type: 'tool_use', id: 'c1', name: 'look', input: { reasoning: 'An argument.' } },
      text,
    ],
    additional_kwargs: {
      parsed: { reasoning: 'A field.' },
      __gemini_function_call_thought_signatures__: { call: 'c2ln' },
    },
    response_metadata: { usage: { reasoning_tokens: 7 }, reasoning: { effort: 'medium', summary: 'auto' } },
  });
  await createHookedAgent({ model: new Saying(answer) }, hooks).invoke({ messages: 'Go.' });
  expect(seen).toEqual([undefined]);
});
