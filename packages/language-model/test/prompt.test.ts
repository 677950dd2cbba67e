import type { ModelMessage } from '@hooks/core';
import { changedPrompt, instructionsOf, messagesOf, type PromptMessage } from '@hooks/language-model';
import { describe, expect, test } from 'vitest';

const cached = { anthropic: { cacheControl: { type: 'ephemeral' } } };
const stored = { openai: { itemId: 'msg_1', phase: 'answer' } };
const image = { type: 'file', mediaType: 'image/png', data: 'iVBORw0KGgo=' };

const system = { role: 'system', content: 'Be brief.', providerOptions: cached } as const;
const user = {
  role: 'user',
  content: [
    { type: 'text', text: 'A long document.', providerOptions: cached },
    image,
    { type: 'text', text: 'What is it?' },
  ],
  providerOptions: { some: { name: 'ann' } },
} as const;
const thought = { type: 'reasoning', text: 'A cat.', providerOptions: { anthropic: { signature: 's' } } };
const call = { type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: {} };
const assistant = {
  role: 'assistant',
  content: [thought, { type: 'text', text: 'I look.', providerOptions: cached }, image, call],
} as const;
const results = {
  role: 'tool',
  content: [
    result('c1', { type: 'content', value: [{ type: 'text', text: 'A cat.' }, image] }),
    result('c2', { type: 'json', value: { secret: 1 }, providerOptions: cached }),
    result('c3', { type: 'error-text', value: 'Out of order.' }),
    result('c4', { type: 'execution-denied', reason: 'Not you.' }),
  ],
  providerOptions: cached,
} as const;
const late = { role: 'system', content: 'It is late.' } as const;

const prompt: readonly PromptMessage[] = [system, user, assistant, results, late, { ...user }];

function result(toolCallId: string, output: { readonly type: string; readonly [field: string]: unknown }) {
  return { type: 'tool-result', toolCallId, toolName: 'look', output, providerOptions: cached };
}

/** The prompt after hooks have replaced one text by another in all messages. */
function replaced(from: string, to: string): readonly PromptMessage[] {
  const messages = messagesOf(prompt).map((one) => ({ ...one, text: one.text.replace(from, to) }));
  return changedPrompt(prompt, { messages });
}

test('hooks see the texts of all messages, and each result as a message of its own', () => {
  expect(instructionsOf(prompt)).toBe('Be brief.\n\nIt is late.');
  expect(messagesOf(prompt).map(({ role, text }) => [role, text])).toEqual([
    ['user', 'A long document.\nWhat is it?'],
    ['assistant', 'I look.'],
    ['tool', 'A cat.'],
    ['tool', '{"secret":1}'],
    ['tool', 'Out of order.'],
    ['tool', 'Not you.'],
    ['user', 'A long document.\nWhat is it?'],
  ]);
});

describe('a prompt with changed messages', () => {
  test('is the same where the texts are, however hooks copied the messages', () => {
    const copies = messagesOf(prompt).map((one): ModelMessage => ({ ...one }));
    expect(changedPrompt(prompt, { messages: copies })).toEqual(prompt);
  });

  test('keeps the image, the other text and their options in a changed user message', () => {
    const [, changed, ...others] = replaced('What is it?', 'What cat is it?');
    const content = [user.content[0], image, { type: 'text', text: 'What cat is it?' }];
    expect(changed).toEqual({ ...user, content });
    expect(others.slice(0, 3)).toEqual([assistant, results, late]);
  });

  test('keeps the cache mark of a changed text', () => {
    const [, changed] = replaced('A long document.', 'A short one.');
    const content = [{ ...user.content[0], text: 'A short one.' }, image, user.content[2]];
    expect(changed).toEqual({ ...user, content });
  });

  test('keeps reasoning, files, calls and options in a changed answer of the model', () => {
    const content = [thought, { ...assistant.content[1], text: 'I see.' }, image, call];
    expect(replaced('I look.', 'I see.')[2]).toEqual({ ...assistant, content });
  });

  test('keeps the image, the type and the options of changed results, in one message', () => {
    const messages = messagesOf(prompt).map((one) =>
      one.role === 'tool'
        ? { ...one, text: one.text.startsWith('{') ? '{"secret":2}' : `${one.text}!` }
        : one,
    );
    const [first, second, third, fourth] = results.content;
    expect(changedPrompt(prompt, { messages })[3]).toEqual({
      ...results,
      content: [
        { ...first, output: { type: 'content', value: [{ type: 'text', text: 'A cat.!' }, image] } },
        { ...second, output: { type: 'json', value: { secret: 2 }, providerOptions: cached } },
        { ...third, output: { type: 'error-text', value: 'Out of order.!' } },
        { ...fourth, output: { type: 'execution-denied', reason: 'Not you.!' } },
      ],
    });
  });

  test('has a text where a result was JSON and is none any more', () => {
    const changed = replaced('{"secret":1}', 'Withheld.')[3]?.content[1];
    expect(changed).toEqual({
      ...results.content[1],
      output: { type: 'text', value: 'Withheld.', providerOptions: cached },
    });
  });

  test('leaves out removed messages and keeps system messages where they were', () => {
    const messages = messagesOf(prompt).filter(({ role }) => role !== 'assistant');
    expect(changedPrompt(prompt, { messages }).map(({ role }) => role)).toEqual([
      'system',
      'user',
      'tool',
      'system',
      'user',
    ]);
    expect(changedPrompt(prompt, { messages: [] })).toEqual([system, late]);
  });

  test('has new messages as texts', () => {
    const messages: ModelMessage[] = [
      { role: 'user', text: 'One.' },
      { role: 'assistant', text: 'Two.' },
      { role: 'tool', text: 'Three.' },
    ];
    expect(changedPrompt([user], { messages })).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'One.' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Two.' }] },
      { role: 'user', content: [{ type: 'text', text: 'Three.' }] },
    ]);
  });

  test('has a text beside the image of a message that had none, and is never empty', () => {
    const only: PromptMessage = { role: 'user', content: [image] };
    const silent: PromptMessage = { role: 'assistant', content: [thought, call] };
    const written = [only, silent].map((message) => {
      const messages = messagesOf([message]).map((one) => ({ ...one, text: 'Look.' }));
      return changedPrompt([message], { messages })[0]?.content;
    });
    const added = { type: 'text', text: 'Look.' };
    expect(written).toEqual([
      [added, image],
      [thought, added, call],
    ]);
    const bare: PromptMessage = { role: 'user', content: [added] };
    const emptied = messagesOf([bare]).map((one) => ({ ...one, text: '' }));
    expect(changedPrompt([bare], { messages: emptied })[0]?.content).toEqual([{ type: 'text', text: '' }]);
  });

  test('names no item of an answer that a provider has stored otherwise', () => {
    const kept: PromptMessage = {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'So.', providerOptions: { openai: { itemId: 'rs_1' } } },
        { type: 'text', text: 'The secret.', providerOptions: stored },
        { ...call, providerOptions: { openai: { itemId: 'fc_1' } } },
      ],
    };
    expect(changedPrompt([kept], { messages: messagesOf([kept]) })).toEqual([kept]);
    const messages = messagesOf([kept]).map((one) => ({ ...one, text: 'Withheld.' }));
    expect(changedPrompt([kept], { messages })[0]?.content).toEqual([
      { type: 'text', text: 'Withheld.', providerOptions: { openai: { phase: 'answer' } } },
      { ...call, providerOptions: { openai: {} } },
    ]);
  });
});

describe('a prompt with changed instructions', () => {
  test('keeps the cache mark and the other system messages', () => {
    const changed = changedPrompt(prompt, { instructions: 'Be long.\n\nIt is late.' });
    expect(changed).toEqual([{ ...system, content: 'Be long.' }, ...prompt.slice(1)]);
  });

  test('begins with them where it had none', () => {
    expect(changedPrompt([user], { instructions: 'Be long.' })).toEqual([
      { role: 'system', content: 'Be long.' },
      user,
    ]);
  });

  test('has context behind the first system messages', () => {
    const context = ['It is Monday.'];
    expect(changedPrompt([system, user], { context })).toEqual([
      system,
      { role: 'system', content: 'It is Monday.' },
      user,
    ]);
  });
});
