import { ChatOpenAI } from '@langchain/openai';
import { AIMessage, AIMessageChunk, createAgent, tool } from 'langchain';
import { z } from 'zod';
import { testClient } from './client.ts';

const weather = tool(({ city }) => `sunny in ${city}`, {
  name: 'weather',
  description: 'Tells the weather.',
  schema: z.object({ city: z.string() }),
});

for (const [endpoint, useResponsesApi] of [
  ['chat.completions', false],
  ['responses', true],
] as const) {
  testClient({
    name: 'ChatOpenAI',
    endpoint,
    sends: { model: 'scripted', settings: { temperature: 0 } },
    async run(server, prompt, streaming) {
      // Not `streaming: true` on the model, because its `invoke` then fetches a tokenizer from the network.
      const model = new ChatOpenAI({
        model: 'scripted',
        apiKey: 'none',
        temperature: 0,
        maxRetries: 0,
        useResponsesApi,
        configuration: { baseURL: server.url },
      });
      const agent = createAgent({ model, tools: [weather], systemPrompt: 'Be brief.' });
      const input = { messages: [{ role: 'user', content: prompt }] };
      if (!streaming) {
        const last = (await agent.invoke(input)).messages.at(-1);
        const usage = AIMessage.isInstance(last) ? last.usage_metadata : undefined;
        return { text: last?.text, usage: usageOf(usage), pieces: [] };
      }
      const chunks: AIMessageChunk[] = [];
      for await (const [message] of await agent.stream(input, { streamMode: 'messages' }))
        if (AIMessageChunk.isInstance(message)) chunks.push(message);
      const pieces = chunks.map(({ text }) => text).filter((text) => text !== '');
      const usage = chunks.findLast((chunk) => chunk.usage_metadata !== undefined)?.usage_metadata;
      return { text: pieces.join(''), usage: usageOf(usage), pieces };
    },
  });
}

function usageOf(usage: { readonly input_tokens: number; readonly output_tokens: number } | undefined) {
  return usage && { inputTokens: usage.input_tokens, outputTokens: usage.output_tokens };
}
