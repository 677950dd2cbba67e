import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { hookedAgent } from '@hooks/ai-sdk';
import { startModelServer } from '@hooks/conformance';
import { createHooks } from '@hooks/core';
import { redactSecrets } from '@hooks/guards';
import { createHookedAgent } from '@hooks/langchain';
import { hookedAgent as hookedMastraAgent } from '@hooks/mastra';
import { hookedRunner, hookedTool } from '@hooks/openai-agents';
import { tool } from '@langchain/core/tools';
import { ChatOpenAI } from '@langchain/openai';
import { noopLogger } from '@mastra/core/logger';
import { createTool } from '@mastra/core/tools';
import { Agent, OpenAIChatCompletionsModel, Runner } from '@openai/agents';
import { tool as aiTool } from 'ai';
import OpenAI from 'openai';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { SECRET } from '../src/workplace.ts';

/** The text of a tool's answer, cut in the middle of a secret. */
const [HEAD, TAIL] = [SECRET.slice(0, SECRET.length / 2), SECRET.slice(SECRET.length / 2)];
const PIECES = [`REGION=eu\nAPI_KEY=${HEAD}`, `${TAIL}\nMODE=live\n`];
const WHOLE = PIECES.join('');

/** A model that calls the tool once, and says what is left to say. */
const serve = () =>
  startModelServer({
    script: ({ turn }) =>
      turn > 0 ? { text: 'done' } : { toolCalls: [{ id: 'call_1', name: 'read', arguments: {} }] },
  });

const options = { description: 'Reads the settings.', schema: z.object({}) };

/** Runs an agent as a stream, and gives everything that came out of it, as one text. */
type Stream = (url: string, hooks: ReturnType<typeof createHooks>) => Promise<string>;

const langchain: Stream = async (url, hooks) => {
  const model = new ChatOpenAI({
    model: 'gpt-5',
    apiKey: 'none',
    configuration: { baseURL: url },
    useResponsesApi: false,
  });
  const read = tool(
    async function* () {
      yield* PIECES;
      return WHOLE;
    },
    { name: 'read', ...options },
  );
  const agent = createHookedAgent({ model, tools: [read as never] }, hooks);
  const input = { messages: [{ role: 'user', content: 'Go.' }] };
  let seen = '';
  for await (const chunk of await agent.stream(input, {
    streamMode: ['updates', 'values', 'messages', 'tools', 'debug'],
  }))
    seen += JSON.stringify(chunk);
  return seen;
};

const openaiAgents: Stream = async (url, hooks) => {
  const client = new OpenAI({ baseURL: url, apiKey: 'none' });
  const agent = new Agent({
    name: 'demo',
    model: new OpenAIChatCompletionsModel(client, 'gpt-5'),
    tools: [
      hookedTool({
        name: 'read',
        description: options.description,
        parameters: options.schema,
        execute: async () => WHOLE,
      }),
    ],
  });
  const runner = hookedRunner(new Runner({ tracingDisabled: true }), hooks);
  const result = await runner.run(agent, 'Go.', { stream: true });
  let seen = '';
  for await (const event of result) seen += JSON.stringify(event);
  return seen;
};

const mastra: Stream = async (url, hooks) => {
  const read = createTool({
    id: 'read',
    description: options.description,
    inputSchema: options.schema,
    execute: async () => WHOLE,
  });
  const model = { id: 'demo/gpt-5', url, apiKey: 'none' } as const;
  const agent = hookedMastraAgent(
    { id: 'demo', name: 'demo', instructions: 'Work.', model, tools: { read } },
    hooks,
  );
  agent.__setLogger(noopLogger);
  const { fullStream } = await agent.stream('Go.', { maxSteps: 4 });
  let seen = '';
  for await (const chunk of fullStream) seen += JSON.stringify(chunk);
  return seen;
};

const aiSdk: Stream = async (url, hooks) => {
  const read = aiTool({
    description: options.description,
    inputSchema: options.schema,
    async *execute() {
      yield* PIECES;
      yield WHOLE;
    },
  });
  const model = createOpenAICompatible({ name: 'demo', baseURL: url })('gpt-5');
  const result = await hookedAgent({ model, tools: { read } }, hooks).stream({ prompt: 'Go.' });
  let seen = '';
  for await (const part of result.stream) seen += JSON.stringify(part);
  return seen;
};

describe.each([
  ['LangChain, whose tool yields it in pieces', langchain],
  ['OpenAI Agents', openaiAgents],
  ['Mastra', mastra],
  ['the AI SDK, whose tool yields it in pieces', aiSdk],
] as const)('a secret in a stream of %s', (_, stream) => {
  test('is redacted in every chunk, and in what the model reads', async () => {
    await using server = await serve();
    await using hooks = createHooks();
    hooks.use(redactSecrets());
    const seen = await stream(server.url, hooks);
    expect(seen).toMatch(/API_KEY=\[REDACTED:[\w-]+#[\da-f]{8}\]/);
    for (const half of [HEAD, TAIL]) {
      expect(seen).not.toContain(half);
      expect(JSON.stringify(server.requests)).not.toContain(half);
    }
  });
});
