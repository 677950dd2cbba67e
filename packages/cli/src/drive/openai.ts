import { z } from 'zod';
import type { Answer, Wire } from './scripted-model.ts';

/** OpenAI's Responses API, streamed. */
export const openai: Wire = {
  read: (path, body) => {
    if (!path.startsWith('/v1/responses')) return undefined;
    const { input, tools } = request.parse(body);
    return {
      tools: tools.map(({ type, name }) => name ?? type),
      results: new Map(
        input.flatMap(({ type, call_id: id, output }) =>
          type === 'function_call_output' && id !== undefined ? [[id, textOf(output)]] : [],
        ),
      ),
    };
  },
  stream: (answer, id) =>
    events(answer, id)
      .map(([type, data]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
      .join(''),
  otherwise: { models: [] },
};

const request = z.object({
  input: z.array(
    z.object({
      type: z.string().optional(),
      call_id: z.string().optional(),
      output: z.unknown().optional(),
    }),
  ),
  tools: z.array(z.object({ type: z.string(), name: z.string().optional() })).default([]),
});

function textOf(output: unknown): string {
  return typeof output === 'string' ? output : JSON.stringify(output);
}

function events(answer: Answer, id: number): readonly (readonly [string, object])[] {
  const usage = { input_tokens: 1, output_tokens: 1, total_tokens: 2 };
  const response = { id: `resp_${id}`, object: 'response', status: 'completed', output: [], usage };
  return [
    ['response.created', { response: { ...response, status: 'in_progress' } }],
    ...items(answer, id).map(
      (item, index) => ['response.output_item.done', { output_index: index, item }] as const,
    ),
    ['response.completed', { response }],
  ];
}

function items(answer: Answer, id: number): readonly object[] {
  if ('text' in answer) {
    const content = [{ type: 'output_text', text: answer.text, annotations: [] }];
    return [{ type: 'message', id: `msg_${id}`, role: 'assistant', status: 'completed', content }];
  }
  return answer.calls.map(({ name, namespace, input }, index) => ({
    type: 'function_call',
    id: `fc_${id}_${index}`,
    call_id: `call_${id}_${index}`,
    status: 'completed',
    name,
    ...(namespace !== undefined && { namespace }),
    arguments: JSON.stringify(input),
  }));
}
