import type { LanguageModel } from 'ai';
import { MockLanguageModelV4 } from 'ai/test';

type DoStream = MockLanguageModelV4['doStream'];
type Prompt = Parameters<DoStream>[0]['prompt'];
type StreamPart =
  Awaited<ReturnType<DoStream>>['stream'] extends ReadableStream<infer Part>
    ? Part
    : never;

/** Reads "Read a file" and "Delete a file", calls the tool, and says what the tool answered. It needs no key. */
export const scriptedModel: LanguageModel = new MockLanguageModelV4({
  doStream: async ({ prompt }) => {
    const answer = toolAnswer(prompt);
    return {
      stream: ReadableStream.from(
        answer === undefined ? called(prompt) : said(answer),
      ),
    };
  },
});

/** What the tool answered, where the prompt ends with that. */
function toolAnswer(prompt: Prompt): string | undefined {
  const last = prompt.at(-1);
  if (last?.role !== 'tool') return undefined;
  const result = last.content.find((part) => part.type === 'tool-result');
  if (result === undefined) return undefined;
  const { output } = result;
  return 'value' in output
    ? String(output.value)
    : `No: ${output.reason ?? 'you said no.'}`;
}

function called(prompt: Prompt): readonly StreamPart[] {
  const user = prompt.findLast(({ role }) => role === 'user');
  const parts = typeof user?.content === 'string' ? [] : (user?.content ?? []);
  const text = parts
    .map((part) => (part.type === 'text' ? part.text : ''))
    .join('');
  const [, verb, path] = /^(read|delete) (\S+)/i.exec(text) ?? [];
  if (verb === undefined) return said('I can read and delete files.');
  return answer('tool-calls', {
    type: 'tool-call',
    toolCallId: crypto.randomUUID(),
    toolName: `${verb.toLowerCase()}File`,
    input: JSON.stringify({ path }),
  });
}

function said(text: string): readonly StreamPart[] {
  const id = 'text';
  return answer(
    'stop',
    { type: 'text-start', id },
    { type: 'text-delta', id, delta: text },
    { type: 'text-end', id },
  );
}

function answer(
  unified: 'stop' | 'tool-calls',
  ...parts: readonly StreamPart[]
): readonly StreamPart[] {
  const none = {
    total: undefined,
    noCache: undefined,
    cacheRead: undefined,
    cacheWrite: undefined,
  };
  const usage = {
    inputTokens: none,
    outputTokens: { total: undefined, text: undefined, reasoning: undefined },
  };
  return [
    { type: 'stream-start', warnings: [] },
    ...parts,
    { type: 'finish', finishReason: { unified, raw: undefined }, usage },
  ];
}
