import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Agent } from '@mastra/core/agent';
import type { MastraModelConfig } from '@mastra/core/llm';
import { noopLogger } from '@mastra/core/logger';
import { createTool } from '@mastra/core/tools';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type ModelServer, startModelServer, toolResults } from '../../src/index.ts';
import { oneCall, twoCalls } from './fixtures.ts';

const weather = createTool({
  id: 'weather',
  description: 'Tells the weather.',
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => `sunny in ${city}`,
});

const doors: readonly Door[] = [
  {
    door: '@ai-sdk/openai-compatible',
    endpoint: 'chat.completions',
    // Its types are newer than the copy of them inside Mastra.
    modelOf: ({ url }) =>
      createOpenAICompatible({ name: 'scripted', baseURL: url, includeUsage: true })(
        'gpt-5',
      ) as MastraModelConfig,
    streamsUsage: true,
  },
  {
    door: 'its model router',
    endpoint: 'chat.completions',
    modelOf: ({ url }) => ({ id: 'scripted/gpt-5', url, apiKey: 'none' }),
    streamsUsage: false,
  },
  {
    door: 'its model router',
    endpoint: 'responses',
    modelOf: ({ url }) => ({ id: 'scripted/gpt-5', url, apiKey: 'none', api: 'responses' }),
    streamsUsage: true,
  },
];

interface Door {
  readonly door: string;
  readonly endpoint: 'chat.completions' | 'responses';
  readonly modelOf: (server: ModelServer) => MastraModelConfig;
  /** Whether it asks for the usage of a streamed answer. */
  readonly streamsUsage: boolean;
}

describe.each(doors)('Mastra through $door over $endpoint', ({ endpoint, modelOf, streamsUsage }) => {
  const run = async (server: ModelServer, prompt: string, streaming: boolean) => {
    const agent = new Agent({
      id: 'assistant',
      name: 'Assistant',
      instructions: 'Be brief.',
      model: modelOf(server),
      tools: { weather },
    });
    agent.__setLogger(noopLogger);
    const options = { modelSettings: { maxOutputTokens: 100, maxRetries: 0 } };
    if (!streaming) {
      const { text, usage } = await agent.generate(prompt, options);
      return { text, usage, pieces: [] };
    }
    const output = await agent.stream(prompt, options);
    const pieces: string[] = [];
    for await (const piece of output.textStream) pieces.push(piece);
    return { text: await output.text, usage: await output.usage, pieces };
  };

  test.each([false, true])('a text answer arrives with its usage (streaming: %s)', async (streaming) => {
    await using server = await startModelServer({
      script: [{ text: 'A somewhat longer answer.', usage: { inputTokens: 7, outputTokens: 3 } }],
    });
    const { text, usage, pieces } = await run(server, 'Hi', streaming);
    expect(text).toBe('A somewhat longer answer.');
    const [inputTokens, outputTokens] = streaming && !streamsUsage ? [] : [7, 3];
    expect([usage.inputTokens, usage.outputTokens]).toEqual([inputTokens, outputTokens]);
    if (streaming) {
      expect(pieces.length).toBeGreaterThan(2);
      expect(pieces.join('')).toBe('A somewhat longer answer.');
    }
    expect(server.requests).toMatchObject([
      {
        endpoint,
        model: 'gpt-5',
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
        settings: { maxTokens: 100 },
        stream: streaming,
        turn: 0,
      },
    ]);
  });

  test.each([false, true])('a tool call makes the round trip (streaming: %s)', async (streaming) => {
    await using server = await startModelServer({ script: oneCall });
    expect(await run(server, 'Rome?', streaming)).toMatchObject({ text: 'It is sunny.' });
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
    expect((await run(server, 'Both?', streaming)).text).toContain('Both are sunny.');
    expect(server.requests.map((request) => request.turn)).toEqual([0, 1]);
    expect(server.requests.map(toolResults)).toEqual([{}, { rome: 'sunny in Rome', oslo: 'sunny in Oslo' }]);
    expect(server.requests[1]?.messages[2]?.content).toBe('I look at both.');
  });

  test('a failure is what the client throws', async () => {
    await using server = await startModelServer({ script: [] });
    await expect(run(server, 'Hi', false)).rejects.toThrow('The script has no answer for turn 0');
  });
});
