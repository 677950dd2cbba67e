import type { MastraModelConfig } from '@mastra/core/llm';

const usage = { inputTokens: 10, outputTokens: 5, totalTokens: 15 };

/** A model in this process: it calls the tool `add` once and then answers. */
export function scriptedModel(): MastraModelConfig {
  const model = {
    specificationVersion: 'v2' as const,
    provider: 'bench.chat',
    modelId: 'gpt-5',
    supportedUrls: {},
    doGenerate: async ({ prompt }: { prompt: readonly { role: string }[] }) => {
      const answered = prompt.some(({ role }) => role === 'tool');
      return {
        content: answered
          ? [{ type: 'text' as const, text: 'Done.' }]
          : [{ type: 'tool-call' as const, toolCallId: 'c1', toolName: 'add', input: '{"a":1}' }],
        finishReason: answered ? ('stop' as const) : ('tool-calls' as const),
        usage,
        warnings: [],
      };
    },
    doStream: async () => {
      throw new Error('The bench does not stream.');
    },
  };
  return model;
}
