import { z } from 'zod';
import type { Answer, Wire } from './scripted-model.ts';

/** Anthropic's Messages API. */
export const anthropic: Wire = {
  read: (path, body) => {
    if (!path.startsWith('/v1/messages') || path.includes('count_tokens')) return undefined;
    const { messages, tools } = request.parse(body);
    const blocks = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
    return {
      tools: tools.map(({ name }) => name),
      results: new Map(
        blocks.flatMap(({ type, tool_use_id: id, content }) =>
          type === 'tool_result' && id !== undefined ? [[id, textOf(content)]] : [],
        ),
      ),
    };
  },
  stream: (answer, id) =>
    events(answer, id)
      .map(([type, data]) => `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`)
      .join(''),
  otherwise: { input_tokens: 1 },
};

const request = z.object({
  messages: z.array(
    z.object({
      content: z.union([
        z.string(),
        z.array(
          z.object({ type: z.string(), tool_use_id: z.string().optional(), content: z.unknown().optional() }),
        ),
      ]),
    }),
  ),
  tools: z.array(z.object({ name: z.string() })).default([]),
});

function textOf(content: unknown): string {
  return typeof content === 'string' ? content : JSON.stringify(content);
}

function events(answer: Answer, id: number): readonly (readonly [string, object])[] {
  const usage = { input_tokens: 1, output_tokens: 1 };
  const message = {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    model: 'claude',
    content: [],
    usage,
  };
  const reason = 'calls' in answer ? 'tool_use' : 'end_turn';
  return [
    ['message_start', { message }],
    ...blocks(answer, id).flatMap(
      ([block, delta], index) =>
        [
          ['content_block_start', { index, content_block: block }],
          ['content_block_delta', { index, delta }],
          ['content_block_stop', { index }],
        ] as const,
    ),
    ['message_delta', { delta: { stop_reason: reason, stop_sequence: null }, usage }],
    ['message_stop', {}],
  ];
}

/** The start of each content block, and its delta. */
function blocks(answer: Answer, id: number): readonly (readonly [object, object])[] {
  if ('text' in answer)
    return [
      [
        { type: 'text', text: '' },
        { type: 'text_delta', text: answer.text },
      ],
    ];
  return answer.calls.map(({ name, input }, index) => [
    { type: 'tool_use', id: `toolu_${id}_${index}`, name, input: {} },
    { type: 'input_json_delta', partial_json: JSON.stringify(input) },
  ]);
}
