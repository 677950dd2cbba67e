import type { MastraModelConfig } from '@mastra/core/llm';

type Model = Extract<
  MastraModelConfig,
  {
    specificationVersion: 'v4';
    doGenerate(options: never): PromiseLike<{ content: unknown }>;
  }
>;
type Prompt = Parameters<Model['doGenerate']>[0]['prompt'];
type Answer = Awaited<ReturnType<Model['doGenerate']>>;
type Stream = Awaited<ReturnType<Model['doStream']>>['stream'];
type Part = Stream extends ReadableStream<infer Each> ? Each : never;

/** Reads "Pay 120 to Bob", calls the tool, and repeats what the tool answered. It needs no key. */
export const scriptedModel: Model = {
  specificationVersion: 'v4',
  provider: 'scripted',
  modelId: 'scripted',
  supportedUrls: {},
  doGenerate: async ({ prompt }) => answerTo(prompt),
  doStream: async ({ prompt }) => {
    const { content, finishReason, usage } = answerTo(prompt);
    const parts: Part[] = [{ type: 'stream-start', warnings: [] }];
    const id = 'text';
    for (const part of content) {
      if (part.type === 'tool-call') parts.push(part);
      if (part.type !== 'text') continue;
      parts.push({ type: 'text-start', id });
      parts.push({ type: 'text-delta', id, delta: part.text });
      parts.push({ type: 'text-end', id });
    }
    parts.push({ type: 'finish', finishReason, usage });
    return { stream: ReadableStream.from(parts) };
  },
};

function answerTo(prompt: Prompt): Answer {
  const last = prompt.at(-1);
  const read = JSON.stringify(last?.content);
  const [, euros, to] = /pay (\d+) to (\w+)/i.exec(read) ?? [];
  if (last?.role === 'user' && to !== undefined)
    return answer('tool-calls', {
      type: 'tool-call',
      toolCallId: crypto.randomUUID(),
      toolName: 'pay',
      input: JSON.stringify({ to, euros: Number(euros) }),
    });
  const result = last?.role === 'tool' ? last.content[0] : undefined;
  const output = result?.type === 'tool-result' ? result.output : undefined;
  const text = output && 'value' in output ? output.value : 'I can pay.';
  return answer('stop', { type: 'text', text: String(text) });
}

function answer(
  unified: 'stop' | 'tool-calls',
  part: Answer['content'][number],
): Answer {
  const total = undefined;
  const input = { total, noCache: total, cacheRead: total, cacheWrite: total };
  const output = { total, text: total, reasoning: total };
  return {
    content: [part],
    finishReason: { unified, raw: undefined },
    usage: { inputTokens: input, outputTokens: output },
    warnings: [],
  };
}
