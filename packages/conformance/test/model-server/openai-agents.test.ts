import {
  Agent,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  Runner,
  setTracingDisabled,
  tool,
} from '@openai/agents';
import OpenAI from 'openai';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type ModelServer, startModelServer, toolResults } from '../../src/index.ts';
import { oneCall, twoCalls } from './fixtures.ts';

// Or the SDK would send its traces to OpenAI.
beforeAll(() => setTracingDisabled(true));

const weather = tool({
  name: 'weather',
  description: 'Tells the weather.',
  parameters: z.object({ city: z.string() }),
  execute: ({ city }) => `sunny in ${city}`,
});

const clientOf = (server: ModelServer) => new OpenAI({ baseURL: server.url, apiKey: 'none' });

describe.each([
  { endpoint: 'chat.completions', Model: OpenAIChatCompletionsModel },
  { endpoint: 'responses', Model: OpenAIResponsesModel },
] as const)('The OpenAI Agents SDK over $endpoint', ({ endpoint, Model }) => {
  const run = async (server: ModelServer, prompt: string, stream: boolean) => {
    const agent = new Agent({
      name: 'Assistant',
      instructions: 'Be brief.',
      model: new Model(clientOf(server), 'scripted'),
      modelSettings: { temperature: 0 },
      tools: [weather],
    });
    const runner = new Runner({ tracingDisabled: true });
    if (!stream) {
      const { finalOutput, rawResponses } = await runner.run(agent, prompt);
      return { finalOutput, usage: rawResponses.at(-1)?.usage, pieces: [] };
    }
    const result = await runner.run(agent, prompt, { stream: true });
    const pieces: string[] = [];
    for await (const piece of result.toTextStream({ compatibleWithNodeStreams: true }))
      pieces.push(`${piece}`);
    await result.completed;
    return { finalOutput: result.finalOutput, usage: result.rawResponses.at(-1)?.usage, pieces };
  };

  test.each([false, true])('a text answer arrives with its usage (streaming: %s)', async (streaming) => {
    await using server = await startModelServer({
      script: [{ text: 'A somewhat longer answer.', usage: { inputTokens: 7, outputTokens: 3 } }],
    });
    const { finalOutput, usage, pieces } = await run(server, 'Hi', streaming);
    expect(finalOutput).toBe('A somewhat longer answer.');
    expect(usage).toMatchObject({ inputTokens: 7, outputTokens: 3, totalTokens: 10 });
    if (streaming) {
      expect(pieces.length).toBeGreaterThan(2);
      expect(pieces.join('')).toBe('A somewhat longer answer.');
    }
    expect(server.requests).toMatchObject([
      {
        endpoint,
        model: 'scripted',
        system: 'Be brief.',
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Hi' },
        ],
        tools: [
          {
            name: 'weather',
            description: 'Tells the weather.',
            parameters: { properties: { city: { type: 'string' } } },
          },
        ],
        settings: { temperature: 0 },
        stream: streaming,
        turn: 0,
      },
    ]);
  });

  test.each([false, true])('a tool call makes the round trip (streaming: %s)', async (streaming) => {
    await using server = await startModelServer({ script: oneCall });
    expect(await run(server, 'Rome?', streaming)).toMatchObject({ finalOutput: 'It is sunny.' });
    expect(server.requests[1]?.messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Rome?' },
      {
        role: 'assistant',
        content: '',
        toolCalls: [{ id: 'call_1', name: 'weather', arguments: '{"city":"Rome"}' }],
      },
      { role: 'tool', content: 'sunny in Rome', toolCallId: 'call_1' },
    ]);
  });

  test.each([false, true])('text and parallel tool calls are one turn (streaming: %s)', async (streaming) => {
    await using server = await startModelServer({ script: twoCalls });
    expect(await run(server, 'Both?', streaming)).toMatchObject({ finalOutput: 'Both are sunny.' });
    expect(server.requests.map((request) => request.turn)).toEqual([0, 1]);
    expect(server.requests.map(toolResults)).toEqual([{}, { rome: 'sunny in Rome', oslo: 'sunny in Oslo' }]);
    expect(server.requests[1]?.messages[2]?.content).toBe('I look at both.');
  });

  test('a failure is what the client throws', async () => {
    await using server = await startModelServer({ script: [] });
    await expect(run(server, 'Hi', false)).rejects.toThrow('400 The script has no answer for turn 0');
  });

  test('a client that tries again after a failure goes on to the next answer', async () => {
    await using server = await startModelServer({
      script: [{ status: 429, error: 'Slow down.' }, { status: 500, error: 'Oops.' }, { text: 'Here.' }],
    });
    expect(await run(server, 'Hi', false)).toMatchObject({ finalOutput: 'Here.' });
    expect(server.requests.map(({ turn, attempt }) => [turn, attempt])).toEqual([
      [0, 1],
      [0, 2],
      [0, 3],
    ]);
  });
});
