import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { Agent } from '@mastra/core/agent';
import type { MastraModelConfig } from '@mastra/core/llm';
import { noopLogger } from '@mastra/core/logger';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';
import type { ModelServer } from '../../src/index.ts';
import { type Client, testClient } from './client.ts';

const weather = createTool({
  id: 'weather',
  description: 'Tells the weather.',
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => `sunny in ${city}`,
});

/** Runs an agent with this model. */
function through(modelOf: (server: ModelServer) => MastraModelConfig): Pick<Client, 'sends' | 'run'> {
  return {
    sends: { model: 'gpt-5', settings: { maxTokens: 100 } },
    async run(server, prompt, streaming) {
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
    },
  };
}

testClient({
  name: 'Mastra through @ai-sdk/openai-compatible',
  endpoint: 'chat.completions',
  // Its types are newer than Mastra's own copy.
  ...through(
    ({ url }) =>
      createOpenAICompatible({ name: 'scripted', baseURL: url, includeUsage: true })(
        'gpt-5',
      ) as MastraModelConfig,
  ),
});

testClient({
  name: 'Mastra through its model router',
  endpoint: 'chat.completions',
  streamsUsage: false,
  ...through(({ url }) => ({ id: 'scripted/gpt-5', url, apiKey: 'none' })),
});

testClient({
  name: 'Mastra through its model router',
  endpoint: 'responses',
  ...through(({ url }) => ({ id: 'scripted/gpt-5', url, apiKey: 'none', api: 'responses' })),
});
