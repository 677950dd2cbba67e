import { startModelServer } from '@hooks/conformance';
import { BeforeModelCall, BeforeRun, createHooks, UserPromptSubmit } from '@hooks/core';
import { Agent, OpenAIProvider, OpenAIResponsesModel, Runner, setTracingDisabled } from '@openai/agents';
import OpenAI from 'openai';
import { expect, onTestFinished, test } from 'vitest';
import { hookedRunner } from '../src/index.ts';

setTracingDisabled(true);

type AgentModel = ConstructorParameters<typeof Agent>[0]['model'];

test.each<[string, (client: OpenAI) => AgentModel, string]>([
  ['its name', () => 'gpt-5', 'gpt-5'],
  [
    'an object of the Responses API',
    (client) => new OpenAIResponsesModel(client, 'gpt-5-mini'),
    'gpt-5-mini',
  ],
])('the first event of a run names the model that an agent has by %s', async (_, modelOf, name) => {
  const server = await startModelServer({ script: [{ text: 'Hi.' }] });
  onTestFinished(server.close);
  const client = new OpenAI({ apiKey: 'none', baseURL: server.url, maxRetries: 0 });
  const hooks = createHooks();
  const seen: unknown[] = [];
  const note = ({ model, provider }: Pick<UserPromptSubmit, 'model' | 'provider'>): void => {
    seen.push([model, provider]);
  };
  hooks.observe(UserPromptSubmit, note);
  hooks.observe(BeforeRun, note);
  hooks.observe(BeforeModelCall, note);
  const model = modelOf(client);
  const runner = new Runner({ modelProvider: new OpenAIProvider({ openAIClient: client }) });
  await hookedRunner(runner, hooks).run(
    new Agent({ name: 'root', ...(model !== undefined && { model }) }),
    'hi',
  );
  expect(seen).toEqual([
    [name, 'openai'],
    [name, 'openai'],
    [name, 'openai'],
  ]);
});
