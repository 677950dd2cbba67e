import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type ModelRequest, startModelServer } from '@hooks/conformance';
import { createHooks } from '@hooks/core';
import { dockerModelRunner, unloadModels } from '@hooks/guards';
import { hookedAgent } from '@hooks/mastra';
import { hookedRunner } from '@hooks/openai-agents';
import { Agent as MastraAgent } from '@mastra/core/agent';
import { noopLogger } from '@mastra/core/logger';
import { Agent, OpenAIProvider, Runner } from '@openai/agents';
import { expect, test } from 'vitest';

const CODER = 'You write code.';
const REVIEWER = 'You review code.';

/** Stands for Docker Model Runner: tells which models it was asked to unload. */
async function startModelRunner(): Promise<{ url: string; unloaded: string[] } & AsyncDisposable> {
  const unloaded: string[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.url === '/engines/_unload') unloaded.push(...JSON.parse(body).models);
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    unloaded,
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** The coder hands over with this tool; whoever has nothing left to do says so. */
const handingOver =
  (tool: string, input: object) =>
  ({ system, turn }: ModelRequest) =>
    system.includes(REVIEWER) || turn > 0
      ? { text: 'done' }
      : { toolCalls: [{ id: 'call_1', name: tool, arguments: input }] };

// LangChain's createAgent knows no hand-over.
test('with OpenAI Agents, the models of the agent that hands over are unloaded', async () => {
  await using runner = await startModelRunner();
  await using server = await startModelServer({ script: handingOver('transfer_to_reviewer', {}) });
  await using hooks = createHooks();
  hooks.use(unloadModels({ unloaders: [dockerModelRunner({ url: runner.url })] }));
  const modelProvider = new OpenAIProvider({ baseURL: server.url, apiKey: 'none', useResponses: false });
  const reviewer = new Agent({ name: 'reviewer', instructions: REVIEWER, model: 'ai/qwen3-coder' });
  const coder = new Agent({
    name: 'coder',
    instructions: CODER,
    model: 'ai/qwen3-large',
    handoffs: [reviewer],
  });
  const hookedOne = hookedRunner(new Runner({ tracingDisabled: true, modelProvider }), hooks);
  const { lastAgent } = await hookedOne.run(coder, 'Go.');
  await hooks.settled();
  expect(lastAgent?.name).toBe('reviewer');
  expect(runner.unloaded).toEqual(['ai/qwen3-large']);
});

test('with Mastra, a supervisor’s models are unloaded when it delegates, the other’s when that hands back', async () => {
  await using runner = await startModelRunner();
  await using server = await startModelServer({ script: handingOver('agent-reviewer', { prompt: 'Look.' }) });
  await using hooks = createHooks();
  hooks.use(unloadModels({ unloaders: [dockerModelRunner({ url: runner.url })] }));
  const endpoint = { url: server.url, apiKey: 'none' };
  const reviewer = new MastraAgent({
    id: 'reviewer',
    name: 'reviewer',
    description: 'Reviews code.',
    instructions: REVIEWER,
    model: { id: 'dmr/ai/qwen3-coder', ...endpoint },
  });
  const coder = hookedAgent(
    {
      id: 'coder',
      name: 'coder',
      instructions: CODER,
      model: { id: 'dmr/ai/qwen3-large', ...endpoint },
      agents: { reviewer },
    },
    hooks,
  );
  for (const agent of [coder, reviewer]) agent.__setLogger(noopLogger);
  await coder.generate('Go.', { maxSteps: 5 });
  await hooks.settled();
  expect(runner.unloaded).toEqual(['ai/qwen3-large', 'ai/qwen3-coder']);
});
