import { z } from 'zod';
import type { Answer, Wire } from './scripted-model.ts';

/** Gemini's API: `generateContent`, streamed or not. */
export const gemini: Wire = {
  read: (path, body) => {
    if (!/generateContent/i.test(path)) return undefined;
    const { contents, tools } = request.parse(body);
    const responses = contents.flatMap(({ parts }) => parts.flatMap((part) => part.functionResponse ?? []));
    return {
      tools: tools.flatMap(({ functionDeclarations }) => functionDeclarations.map(({ name }) => name)),
      results: new Map(responses.map(({ id, name, response }) => [id ?? name, JSON.stringify(response)])),
      ...(!path.includes('alt=sse') && { whole: content }),
    };
  },
  stream: (answer) => `data: ${JSON.stringify(content(answer))}\n\n`,
  otherwise: { totalTokens: 1 },
};

const request = z.object({
  contents: z
    .array(
      z.object({
        parts: z
          .array(
            z.object({
              functionResponse: z
                .object({ id: z.string().optional(), name: z.string(), response: z.unknown() })
                .optional(),
            }),
          )
          .default([]),
      }),
    )
    .default([]),
  tools: z
    .array(z.object({ functionDeclarations: z.array(z.object({ name: z.string() })).default([]) }))
    .default([]),
});

function content(answer: Answer): object {
  const parts =
    'text' in answer
      ? [{ text: answer.text }]
      : answer.calls.map(({ name, input }) => ({ functionCall: { name, args: input } }));
  return {
    candidates: [{ content: { role: 'model', parts }, finishReason: 'STOP', index: 0 }],
    usageMetadata: { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 },
  };
}
