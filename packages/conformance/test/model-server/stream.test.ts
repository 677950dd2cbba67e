import type OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { startModelServer } from '../../src/index.ts';
import { clientOf, gate } from './fixtures.ts';

const hi = [{ role: 'user' as const, content: 'Hi' }];

describe('A streamed answer', () => {
  const script = [
    {
      text: 'Let me look at it.',
      toolCalls: [
        { name: 'read', arguments: { path: 'README.md' } },
        { name: 'list', arguments: { path: 'src' } },
      ],
    },
  ];

  test('consists of chat completion chunks that add up to the plain answer', async () => {
    await using server = await startModelServer({ script });
    const create = { model: 'scripted', messages: hi };
    const stream = clientOf(server).chat.completions.stream({
      ...create,
      stream_options: { include_usage: true },
    });
    let chunks = 0;
    for await (const chunk of stream)
      if (chunk.choices[0]?.delta.tool_calls?.[0]?.function?.arguments) chunks++;
    expect(chunks).toBeGreaterThan(4);
    const streamed = await stream.finalChatCompletion();
    const whole = await clientOf(server).chat.completions.create(create);
    expect(streamed.choices[0]?.message.tool_calls).toMatchObject([
      { id: 'call_1', function: { name: 'read', arguments: '{"path":"README.md"}' } },
      { id: 'call_2', function: { name: 'list', arguments: '{"path":"src"}' } },
    ]);
    expect(streamed.choices[0]).toMatchObject({
      finish_reason: 'tool_calls',
      message: { content: 'Let me look at it.' },
    });
    expect(streamed.usage).toEqual(whole.usage);
    expect(whole.choices[0]?.message).toMatchObject({
      content: 'Let me look at it.',
      tool_calls: [{ id: 'call_3' }, { id: 'call_4' }],
    });
  });

  test('consists of numbered response events that add up to the plain answer', async () => {
    await using server = await startModelServer({ script });
    const create = { model: 'scripted', input: 'Hi' };
    const stream = clientOf(server).responses.stream(create);
    const events = [];
    for await (const event of stream) events.push(event);
    expect(events.map((event) => event.sequence_number)).toEqual(events.map((_, index) => index));
    expect([...new Set(events.map((event) => event.type))]).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.completed',
    ]);
    const streamed = await stream.finalResponse();
    const whole = await clientOf(server).responses.create(create);
    expect(streamed.output_text).toBe('Let me look at it.');
    expect(streamed.output).toMatchObject([
      { type: 'message' },
      { type: 'function_call', call_id: 'call_1', name: 'read', arguments: '{"path":"README.md"}' },
      { type: 'function_call', call_id: 'call_2', name: 'list', arguments: '{"path":"src"}' },
    ]);
    expect(whole.output_text).toBe(streamed.output_text);
    expect(whole.usage).toEqual(streamed.usage);
  });

  test.each(['chat.completions', 'responses'] as const)(
    'can be paused by the script (%s)',
    async (endpoint) => {
      const rest = gate<string>();
      async function* held() {
        yield 'One, ';
        yield await rest.promise;
      }
      await using server = await startModelServer({ script: () => ({ text: held() }) });
      const client = clientOf(server);
      const pieces =
        endpoint === 'responses'
          ? responsePieces(await client.responses.create({ model: 'm', input: 'Count.', stream: true }))
          : chatPieces(await client.chat.completions.create({ model: 'm', messages: hi, stream: true }));
      expect(await pieces.next()).toEqual({ value: 'One, ', done: false });
      rest.open('two.');
      expect(await pieces.next()).toEqual({ value: 'two.', done: false });
      expect((await pieces.next()).done).toBe(true);
    },
  );
});

async function* chatPieces(stream: AsyncIterable<OpenAI.ChatCompletionChunk>): AsyncGenerator<string> {
  for await (const { choices } of stream) if (choices[0]?.delta.content) yield choices[0].delta.content;
}

async function* responsePieces(
  stream: AsyncIterable<OpenAI.Responses.ResponseStreamEvent>,
): AsyncGenerator<string> {
  for await (const event of stream) if (event.type === 'response.output_text.delta') yield event.delta;
}
