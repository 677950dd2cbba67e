import type { ModelResponse } from '@hooks/core';
import { type AnswerPart, changedParts, responseOf, withheldParts } from '@hooks/language-model';
import { describe, expect, test } from 'vitest';

const stored = (itemId: string) => ({ openai: { itemId } });
const source = { type: 'source', sourceType: 'url', id: 's', url: 'https://example.com' };
const file = { type: 'file', mediaType: 'image/png', data: 'iVBORw0KGgo=' };
const look = { type: 'tool-call', toolCallId: 'c1', toolName: 'look', input: '{"at": "a"}', dynamic: true };
const pay = { type: 'tool-call', toolCallId: 'c2', toolName: 'pay', input: '{"sum":5}' };
const usage = { inputTokens: { total: 3 }, outputTokens: { total: 4 } };
const metadata = { some: { logprobs: ['secret'], cached: 7, detail: { tier: 'x' } } };
const finish = {
  type: 'finish',
  finishReason: { unified: 'tool-calls', raw: 'tool_use' },
  usage,
  providerMetadata: metadata,
};

const whole: readonly AnswerPart[] = [
  {
    type: 'reasoning',
    text: 'The secret.',
    providerMetadata: { anthropic: { signature: 's' } },
  } as AnswerPart,
  { type: 'text', text: 'It is ', providerMetadata: { some: { note: 1 } } },
  source,
  { type: 'text', text: 'secret.', providerMetadata: { some: { citations: ['secret'] } } },
  file,
  look,
  pay,
  finish,
];

const chunks: readonly AnswerPart[] = [
  { type: 'stream-start', warnings: ['one'] } as AnswerPart,
  { type: 'response-metadata', id: 'r1' },
  { type: 'raw', rawValue: 'secret' } as AnswerPart,
  { type: 'reasoning-start', id: 'r' },
  { type: 'reasoning-delta', id: 'r', delta: 'The secret.' },
  { type: 'reasoning-end', id: 'r' },
  { type: 'text-start', id: 'a' },
  { type: 'text-delta', id: 'a', delta: 'It ' },
  { type: 'text-delta', id: 'a', delta: 'is ' },
  { type: 'text-end', id: 'a' },
  source,
  { type: 'text-start', id: 'b' },
  { type: 'text-delta', id: 'b', delta: 'sec' },
  { type: 'text-delta', id: 'b', delta: 'ret.', providerMetadata: { some: { logprobs: ['secret'] } } },
  { type: 'text-end', id: 'b' },
  file,
  { type: 'tool-input-start', id: 'c1', toolName: 'look' },
  { type: 'tool-input-delta', id: 'c1', delta: '{"at": "a"}' },
  { type: 'tool-input-end', id: 'c1' },
  look,
  pay,
  finish,
];

const forms = [
  ['whole', whole],
  ['stream', chunks],
] as const;

const typesOf = (parts: readonly AnswerPart[]) => parts.map(({ type }) => type);

describe.each(forms)('an answer (%s)', (form, parts) => {
  const response = responseOf(parts);
  const changed = (patch: Partial<ModelResponse>) => changedParts(parts, { ...response, ...patch }, form);

  test('has its text, calls and usage', () => {
    expect(response).toMatchObject({
      text: 'It is secret.',
      toolCalls: [
        { callId: 'c1', toolName: 'look', input: { at: 'a' } },
        { callId: 'c2', toolName: 'pay', input: { sum: 5 } },
      ],
      usage: { inputTokens: 3, outputTokens: 4 },
    });
  });

  test('stays as it is where hooks changed nothing', () => {
    expect(changed({})).toEqual(parts);
    expect(changed({ toolCalls: structuredClone(response.toolCalls) })).toEqual(parts);
  });

  test('with another text keeps sources, files, calls, usage, and the texts that did not change', () => {
    const left = changed({ text: 'It is withheld.' });
    expect(JSON.stringify(left)).not.toContain('secret');
    expect(responseOf(left)).toMatchObject({ text: 'It is withheld.', toolCalls: response.toolCalls });
    for (const kept of [source, file, look, pay]) expect(left).toContain(kept);
    const first = parts.filter(({ text, id }) => text === 'It is ' || id === 'a');
    for (const kept of first) expect(left).toContain(kept);
    expect(left.at(-1)).toEqual({
      ...finish,
      providerMetadata: { some: { cached: 7, detail: { tier: 'x' } } },
    });
  });

  test('without text keeps the rest', () => {
    const left = changed({ text: '' });
    expect(responseOf(left).text).toBe('');
    expect(typesOf(left).some((type) => type.startsWith('text'))).toBe(false);
    expect(left).toContain(source);
  });

  test('with another input of one call keeps everything else, reasoning included', () => {
    const [first, second] = response.toolCalls;
    const left = changed({ toolCalls: [first!, { ...second!, input: { sum: 1 } }] });
    const expected = parts
      .filter(({ type }) => type !== 'raw')
      .map((part) => (part === pay ? { ...pay, input: '{"sum":1}' } : part));
    expect(left).toEqual(expected);
  });

  test('with a changed call has none of its original input', () => {
    const [first, second] = response.toolCalls;
    const left = changed({ toolCalls: [{ ...first!, input: { at: 'b' } }, second!] });
    expect(typesOf(left).filter((type) => type.startsWith('tool-input'))).toEqual([]);
    expect(left.find(({ toolCallId }) => toolCallId === 'c1')).toEqual({ ...look, input: '{"at":"b"}' });
  });

  test('without its calls ends for another reason', () => {
    const left = changed({ toolCalls: [] });
    expect(typesOf(left).filter((type) => type.startsWith('tool-'))).toEqual([]);
    expect(left.at(-1)).toEqual({ ...finish, finishReason: { unified: 'stop', raw: 'tool_use' } });
  });

  test('with a call more has it before its end', () => {
    const added = { callId: 'c3', toolName: 'look', input: { at: 'c' } };
    const left = changed({ toolCalls: [...response.toolCalls, added] });
    expect(left.slice(-2)).toEqual([
      { type: 'tool-call', toolCallId: 'c3', toolName: 'look', input: '{"at":"c"}' },
      finish,
    ]);
  });
});

test('calls with one id are told apart by their order', () => {
  const twice = [look, { ...pay, toolCallId: 'c1' }, finish];
  const response = responseOf(twice);
  const [, second] = response.toolCalls;
  const left = changedParts(
    twice,
    { ...response, toolCalls: [response.toolCalls[0]!, { ...second!, input: 1 }] },
    'whole',
  );
  expect(left).toEqual([look, { ...pay, toolCallId: 'c1', input: '1' }, finish]);
  expect(changedParts(twice, { ...response, toolCalls: [] }, 'whole').slice(0, -1)).toEqual([]);
});

test('a text is put in front of the calls of an answer that had none', () => {
  const { providerMetadata: _, ...end } = finish;
  const response = responseOf([look, end]);
  expect(changedParts([look, end], { ...response, text: 'I look.' }, 'whole')).toEqual([
    { type: 'text', text: 'I look.' },
    look,
    end,
  ]);
  expect(typesOf(changedParts([look, end], { ...response, text: 'I look.' }, 'stream'))).toEqual([
    'text-start',
    'text-delta',
    'text-end',
    'tool-call',
    'finish',
  ]);
});

test('a changed answer names no item that its provider has stored', () => {
  const parts: readonly AnswerPart[] = [
    { type: 'reasoning', text: 'So.', providerMetadata: stored('rs_1') } as AnswerPart,
    { type: 'text', text: 'Hello.', providerMetadata: stored('msg_1') },
    { ...look, providerMetadata: stored('fc_1') },
    { ...pay, providerMetadata: stored('fc_2') },
  ];
  const response = responseOf(parts);
  const left = changedParts(parts, { ...response, toolCalls: response.toolCalls.slice(0, 1) }, 'whole');
  expect(JSON.stringify(left)).not.toContain('_1');
  expect(left.map(({ type }) => type)).toEqual(['text', 'tool-call']);
});

test('a withheld answer has its frame only', () => {
  const { providerMetadata: _, ...end } = finish;
  expect(withheldParts(chunks)).toEqual([
    chunks[0],
    chunks[1],
    { ...end, finishReason: { unified: 'stop', raw: 'tool_use' } },
  ]);
});

test('usage and the reason of older versions are numbers and texts', () => {
  const end = { type: 'finish', finishReason: 'tool-calls', usage: { inputTokens: 1, outputTokens: 2 } };
  const response = responseOf([pay, end]);
  expect(response.usage).toEqual({ inputTokens: 1, outputTokens: 2 });
  expect(changedParts([pay, end], { ...response, toolCalls: [] }, 'stream')).toEqual([
    { ...end, finishReason: 'stop' },
  ]);
});

test.each(['whole', 'stream'] as const)(
  'an answer without its reasoning has none beside its calls either, and keeps signatures: %s',
  (form) => {
    const openrouter = { reasoning_details: [{ type: 'reasoning.text', text: 'The secret.' }], cached: 1 };
    const providerMetadata = { openrouter, google: { thoughtSignature: 'c2ln' } };
    const thought: readonly AnswerPart[] =
      form === 'whole'
        ? [{ type: 'reasoning', text: 'The secret.', providerMetadata }]
        : [{ type: 'reasoning-delta', id: 'r', delta: 'The secret.', providerMetadata }];
    const parts = [...thought, { ...look, providerMetadata }, { ...finish, providerMetadata }];
    const response = responseOf(parts);
    expect(response.reasoning).toBe('The secret.');
    const changed = changedParts(parts, { ...response, reasoning: '' }, form);
    expect(JSON.stringify(changed)).not.toContain('secret');
    const kept = { openrouter: { cached: 1 }, google: { thoughtSignature: 'c2ln' } };
    expect(changed).toEqual([
      { ...look, providerMetadata: kept },
      { ...finish, providerMetadata: kept },
    ]);
  },
);
