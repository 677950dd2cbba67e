import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { simulateStreamingMiddleware, wrapLanguageModel } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';

type Result = Awaited<ReturnType<MockLanguageModelV4['doGenerate']>>;
type Prompt = Parameters<MockLanguageModelV4['doGenerate']>[0]['prompt'];

const none = undefined;
const usage: Result['usage'] = {
  inputTokens: {
    total: none,
    noCache: none,
    cacheRead: none,
    cacheWrite: none,
  },
  outputTokens: { total: none, text: none, reasoning: none },
};

/** Reads "Cancel order 7", calls the tool, and says what the tool answered. It needs no key. */
const scripted = wrapLanguageModel({
  middleware: simulateStreamingMiddleware(),
  model: new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const content = answerTo(prompt);
      const unified = content.type === 'text' ? 'stop' : 'tool-calls';
      return {
        content: [content],
        finishReason: { unified, raw: undefined },
        usage,
        warnings: [],
      };
    },
  }),
});

function answerTo(prompt: Prompt): Result['content'][number] {
  const last = prompt.at(-1);
  const part = typeof last?.content === 'string' ? undefined : last?.content[0];
  if (part?.type === 'tool-result') {
    const { output } = part;
    const text = 'value' in output ? String(output.value) : 'I leave it.';
    return { type: 'text', text };
  }
  const text = part?.type === 'text' ? part.text : '';
  const [, order] = /cancel order (\w+)/i.exec(text) ?? [];
  if (order === undefined) return { type: 'text', text: 'I cancel orders.' };
  return {
    type: 'tool-call',
    toolCallId: crypto.randomUUID(),
    toolName: 'cancelOrder',
    input: JSON.stringify({ order }),
  };
}

const { OPENAI_API_KEY, OPENAI_BASE_URL = 'https://api.openai.com/v1' } =
  process.env;

/** Put any model of the AI SDK here. */
export const model = OPENAI_API_KEY
  ? createOpenAICompatible({
      name: 'openai',
      baseURL: OPENAI_BASE_URL,
      apiKey: OPENAI_API_KEY,
    })('gpt-5')
  : scripted;
