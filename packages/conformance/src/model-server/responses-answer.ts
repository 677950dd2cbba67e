import { pieces, type ServerSentEvent, textPieces, type WireAnswer, type WireToolCall } from './endpoint.ts';
import { type Fields, object } from './json.ts';

/** The `response` of an answer given at once. */
export function responseObject(answer: WireAnswer, text: string): object {
  const message = answer.text === undefined ? [] : [messageItem(answer, text)];
  const output = [...message, ...answer.toolCalls.map((call) => callItem(call))];
  return { ...head(answer), status: 'completed', output, usage: wireUsage(answer) };
}

/** The events of a streamed answer, from `response.created` to `response.completed`, numbered from 0. */
export async function* responseEvents(answer: WireAnswer): AsyncGenerator<ServerSentEvent> {
  let sequence = 0;
  for await (const event of events(answer)) {
    yield { event: event.type, data: { ...event, sequence_number: sequence++ } };
  }
}

interface Event {
  readonly type: string;
  readonly [field: string]: unknown;
}

async function* events(answer: WireAnswer): AsyncGenerator<Event> {
  const begun = { ...head(answer), status: 'in_progress', output: [], usage: null };
  yield { type: 'response.created', response: begun };
  yield { type: 'response.in_progress', response: begun };
  const text = answer.text === undefined ? '' : yield* messageEvents(answer);
  const first = answer.text === undefined ? 0 : 1;
  for (const [index, call] of answer.toolCalls.entries()) yield* callEvents(call, first + index);
  yield { type: 'response.completed', response: responseObject(answer, text) };
}

async function* messageEvents(answer: WireAnswer): AsyncGenerator<Event, string> {
  const begun = { ...messageItem(answer, ''), status: 'in_progress', content: [] };
  const part = { item_id: begun.id, output_index: 0, content_index: 0 };
  yield { type: 'response.output_item.added', output_index: 0, item: begun };
  yield { type: 'response.content_part.added', ...part, part: textPart('') };
  let text = '';
  for await (const delta of textPieces(answer.text)) {
    text += delta;
    yield { type: 'response.output_text.delta', ...part, delta, logprobs: [] };
  }
  yield { type: 'response.output_text.done', ...part, text, logprobs: [] };
  yield { type: 'response.content_part.done', ...part, part: textPart(text) };
  yield { type: 'response.output_item.done', output_index: 0, item: messageItem(answer, text) };
  return text;
}

function* callEvents(call: WireToolCall, index: number): Generator<Event> {
  const item = callItem(call);
  const at = { item_id: item.id, output_index: index };
  const begun = { ...item, status: 'in_progress', arguments: '' };
  yield { type: 'response.output_item.added', output_index: index, item: begun };
  for (const delta of pieces(call.arguments)) {
    yield { type: 'response.function_call_arguments.delta', ...at, delta };
  }
  yield { type: 'response.function_call_arguments.done', ...at, name: call.name, arguments: call.arguments };
  yield { type: 'response.output_item.done', output_index: index, item };
}

function messageItem({ id }: WireAnswer, text: string) {
  return {
    id: `msg_${id}`,
    type: 'message',
    role: 'assistant',
    status: 'completed',
    content: [textPart(text)],
  };
}

function textPart(text: string) {
  return { type: 'output_text', text, annotations: [], logprobs: [] };
}

function callItem({ id, name, arguments: text }: WireToolCall) {
  return { id: `fc_${id}`, type: 'function_call', status: 'completed', call_id: id, name, arguments: text };
}

function head({ id, created, model, body }: WireAnswer): object {
  return {
    id: `resp_${id}`,
    object: 'response',
    created_at: created,
    model,
    error: null,
    incomplete_details: null,
    ...repeated(object(body, 'The body')),
  };
}

/** What a response repeats of its request, with the API's defaults. */
function repeated(body: Fields<RepeatedField>): object {
  return {
    instructions: body.instructions ?? null,
    max_output_tokens: body.max_output_tokens ?? null,
    metadata: body.metadata ?? {},
    parallel_tool_calls: body.parallel_tool_calls ?? true,
    temperature: body.temperature ?? 1,
    text: body.text ?? { format: { type: 'text' } },
    tool_choice: body.tool_choice ?? 'auto',
    tools: body.tools ?? [],
    top_p: body.top_p ?? 1,
  };
}

type RepeatedField =
  | 'instructions'
  | 'max_output_tokens'
  | 'metadata'
  | 'parallel_tool_calls'
  | 'temperature'
  | 'text'
  | 'tool_choice'
  | 'tools'
  | 'top_p';

function wireUsage({ usage: { inputTokens, outputTokens } }: WireAnswer): object {
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  };
}
