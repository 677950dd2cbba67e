import { ChatOpenAI } from '@langchain/openai';
import { AIMessageChunk, createAgent, tool } from 'langchain';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type ModelServer, startModelServer, toolResults } from '../../src/index.ts';
import { oneCall, twoCalls } from './fixtures.ts';

const weather = tool(({ city }) => `sunny in ${city}`, {
  name: 'weather',
  description: 'Tells the weather.',
  schema: z.object({ city: z.string() }),
});

describe.each([
  { endpoint: 'chat.completions', useResponsesApi: false },
  { endpoint: 'responses', useResponsesApi: true },
] as const)('ChatOpenAI over $endpoint', ({ endpoint, useResponsesApi }) => {
  const modelOf = (server: ModelServer) =>
    new ChatOpenAI({
      model: 'scripted',
      apiKey: 'none',
      temperature: 0,
      maxRetries: 0,
      useResponsesApi,
      configuration: { baseURL: server.url },
    });
  // `streaming: true` on the model is no option here: its `invoke` then fetches a tokenizer from the network.
  const run = async (
    server: ModelServer,
    prompt: string,
    streaming: boolean,
  ): Promise<string | undefined> => {
    const agent = createAgent({ model: modelOf(server), tools: [weather], systemPrompt: 'Be brief.' });
    const input = { messages: [{ role: 'user', content: prompt }] };
    if (!streaming) return (await agent.invoke(input)).messages.at(-1)?.text;
    let answer = '';
    for await (const [message] of await agent.stream(input, { streamMode: 'messages' })) {
      if (AIMessageChunk.isInstance(message)) answer += message.text;
    }
    return answer;
  };

  test('a text answer arrives with its usage', async () => {
    await using server = await startModelServer({
      script: [{ text: 'Hello there.', usage: { inputTokens: 7, outputTokens: 3 } }],
    });
    const message = await modelOf(server).invoke('Hi');
    expect(message.text).toBe('Hello there.');
    expect(message.usage_metadata).toMatchObject({ input_tokens: 7, output_tokens: 3, total_tokens: 10 });
    expect(server.requests).toMatchObject([
      {
        endpoint,
        model: 'scripted',
        system: '',
        messages: [{ role: 'user', content: 'Hi' }],
        settings: { temperature: 0 },
        stream: false,
        turn: 0,
        attempt: 1,
      },
    ]);
  });

  test('a streamed text arrives in several pieces', async () => {
    await using server = await startModelServer({ script: [{ text: 'A somewhat longer answer.' }] });
    const pieces: string[] = [];
    for await (const chunk of await modelOf(server).stream('Hi')) if (chunk.text) pieces.push(chunk.text);
    expect(pieces.length).toBeGreaterThan(2);
    expect(pieces.join('')).toBe('A somewhat longer answer.');
    expect(server.requests[0]?.stream).toBe(true);
  });

  test.each([false, true])('a tool call makes the round trip (streaming: %s)', async (streaming) => {
    await using server = await startModelServer({ script: oneCall });
    expect(await run(server, 'Rome?', streaming)).toBe('It is sunny.');
    const [first, second] = server.requests;
    expect(first).toMatchObject({ system: 'Be brief.', stream: streaming, turn: 0 });
    expect(first?.tools).toMatchObject([
      {
        name: 'weather',
        description: 'Tells the weather.',
        parameters: { properties: { city: { type: 'string' } } },
      },
    ]);
    expect(second?.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Rome?' },
      {
        role: 'assistant',
        content: '',
        toolCalls: [{ id: 'call_1', name: 'weather', arguments: '{"city":"Rome"}' }],
      },
      { role: 'tool', content: 'sunny in Rome', toolCallId: 'call_1' },
    ]);
    expect(second?.turn).toBe(1);
  });

  test.each([false, true])('text and parallel tool calls are one turn (streaming: %s)', async (streaming) => {
    await using server = await startModelServer({ script: twoCalls });
    expect(await run(server, 'Both?', streaming)).toMatch(/Both are sunny\.$/);
    expect(server.requests.map((request) => request.turn)).toEqual([0, 1]);
    expect(server.requests.map(toolResults)).toEqual([{}, { rome: 'sunny in Rome', oslo: 'sunny in Oslo' }]);
    expect(server.requests[1]?.messages[2]?.content).toBe('I look at both.');
  });
});
