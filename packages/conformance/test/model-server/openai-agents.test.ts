import {
  Agent,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  Runner,
  setTracingDisabled,
  tool,
} from '@openai/agents';
import OpenAI from 'openai';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { startModelServer } from '../../src/index.ts';
import { type Client, testClient } from './client.ts';

// Otherwise the SDK sends its traces to OpenAI.
beforeAll(() => setTracingDisabled(true));

const weather = tool({
  name: 'weather',
  description: 'Tells the weather.',
  parameters: z.object({ city: z.string() }),
  execute: ({ city }) => `sunny in ${city}`,
});

const run =
  (Model: typeof OpenAIChatCompletionsModel | typeof OpenAIResponsesModel): Client['run'] =>
  async (server, prompt, streaming) => {
    const client = new OpenAI({ baseURL: server.url, apiKey: 'none' });
    const agent = new Agent({
      name: 'Assistant',
      instructions: 'Be brief.',
      model: new Model(client, 'scripted'),
      modelSettings: { temperature: 0 },
      tools: [weather],
    });
    const runner = new Runner({ tracingDisabled: true });
    if (!streaming) {
      const { finalOutput, rawResponses } = await runner.run(agent, prompt);
      return { text: finalOutput, usage: rawResponses.at(-1)?.usage, pieces: [] };
    }
    const result = await runner.run(agent, prompt, { stream: true });
    const pieces: string[] = [];
    for await (const piece of result.toTextStream({ compatibleWithNodeStreams: true }))
      pieces.push(`${piece}`);
    await result.completed;
    return { text: result.finalOutput, usage: result.rawResponses.at(-1)?.usage, pieces };
  };

for (const [endpoint, Model] of [
  ['chat.completions', OpenAIChatCompletionsModel],
  ['responses', OpenAIResponsesModel],
] as const) {
  testClient({
    name: 'The OpenAI Agents SDK',
    endpoint,
    sends: { model: 'scripted', settings: { temperature: 0 } },
    run: run(Model),
  });

  test(`over ${endpoint} a client that retries after a failure gets the next answer`, async () => {
    await using server = await startModelServer({
      script: [{ status: 429, error: 'Slow down.' }, { status: 500, error: 'Oops.' }, { text: 'Here.' }],
    });
    expect(await run(Model)(server, 'Hi', false)).toMatchObject({ text: 'Here.' });
    expect(server.requests.map(({ turn, attempt }) => [turn, attempt])).toEqual([
      [0, 1],
      [0, 2],
      [0, 3],
    ]);
  });
}
