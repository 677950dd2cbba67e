import { pieces, type ServerSentEvent, textPieces, type WireAnswer, type WireToolCall } from './endpoint.ts';
import { object } from './json.ts';
import type { Usage } from './script.ts';

/** The `chat.completion` of an answer that is not streamed. */
export function chatCompletion(answer: WireAnswer, text: string): object {
  const { toolCalls, reasoning } = answer;
  const message = {
    role: 'assistant',
    content: text === '' && toolCalls.length > 0 ? null : text,
    refusal: null,
    ...(reasoning !== undefined && { reasoning_content: reasoning }),
    ...(toolCalls.length > 0 && { tool_calls: toolCalls.map(wireCall) }),
  };
  return {
    ...head(answer, 'chat.completion'),
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(answer) }],
    usage: wireUsage(answer.usage),
  };
}

/** The `chat.completion.chunk`s of a streamed answer: the reasoning, the text, then each call, then the usage if requested. */
export async function* chatCompletionChunks(answer: WireAnswer): AsyncGenerator<ServerSentEvent> {
  const start = head(answer, 'chat.completion.chunk');
  const chunk = (delta: object, finish: string | null = null): ServerSentEvent => ({
    data: { ...start, choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }] },
  });
  yield chunk({ role: 'assistant', content: answer.text === undefined ? null : '', refusal: null });
  for (const thought of pieces(answer.reasoning ?? '', answer.pieceLength))
    yield chunk({ reasoning_content: thought });
  for await (const content of textPieces(answer)) yield chunk({ content });
  for (const [index, call] of answer.toolCalls.entries()) {
    const { type, function: made, ...named } = wireCall(call);
    yield chunk({ tool_calls: [{ index, ...named, type, function: { ...made, arguments: '' } }] });
    for (const piece of pieces(made.arguments, answer.pieceLength)) {
      yield chunk({ tool_calls: [{ index, function: { arguments: piece } }] });
    }
  }
  yield chunk({}, finishReason(answer));
  if (wantsUsage(answer.body)) yield { data: { ...start, choices: [], usage: wireUsage(answer.usage) } };
  yield { data: '[DONE]' };
}

function head({ id, model, created }: WireAnswer, kind: string): object {
  return {
    id: `chatcmpl-${id}`,
    object: kind,
    created,
    model,
    service_tier: 'default',
    system_fingerprint: null,
  };
}

function wireCall({ id, name, arguments: text }: WireToolCall) {
  return { ...(id !== null && { id }), type: 'function', function: { name, arguments: text } };
}

function finishReason(answer: WireAnswer): string {
  return answer.toolCalls.length > 0 ? 'tool_calls' : 'stop';
}

function wireUsage({ inputTokens, outputTokens }: Usage): object {
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
  };
}

function wantsUsage(body: unknown): boolean {
  const { stream_options: options } = object<'stream_options'>(body, 'The body');
  return !!options && object<'include_usage'>(options, 'stream_options').include_usage === true;
}
