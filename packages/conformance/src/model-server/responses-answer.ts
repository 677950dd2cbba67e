import { pieces, type ServerSentEvent, textPieces, type WireAnswer } from './endpoint.ts';
import { type Fields, object } from './json.ts';
import type { StoredResponse } from './stored-responses.ts';

/** The `response` of an answer that is not streamed. */
export function responseObject(answer: WireAnswer, text: string): StoredResponse {
  const message = answer.text === undefined ? [] : [messageItem(answer, text)];
  const output = [...message, ...callItems(answer)];
  return { ...head(answer), status: 'completed', output, usage: wireUsage(answer) };
}

/** The events of a streamed answer, numbered from 0. The last one has the response that `finish` makes of the text. */
export async function* responseEvents(
  answer: WireAnswer,
  finish: (text: string) => object,
): AsyncGenerator<ServerSentEvent> {
  let sequence = 0;
  for await (const event of events(answer, finish)) {
    yield { event: event.type, data: { ...event, sequence_number: sequence++ } };
  }
}

interface Event {
  readonly type: string;
  readonly [field: string]: unknown;
}

async function* events(answer: WireAnswer, finish: (text: string) => object): AsyncGenerator<Event> {
  const begun = { ...head(answer), status: 'in_progress', output: [], usage: null };
  yield { type: 'response.created', response: begun };
  yield { type: 'response.in_progress', response: begun };
  const text = answer.text === undefined ? '' : yield* messageEvents(answer);
  const first = answer.text === undefined ? 0 : 1;
  for (const [index, item] of callItems(answer).entries())
    yield* callEvents(item, first + index, answer.pieceLength);
  yield { type: 'response.completed', response: finish(text) };
}

async function* messageEvents(answer: WireAnswer): AsyncGenerator<Event, string> {
  const begun = { ...messageItem(answer, ''), status: 'in_progress', content: [] };
  const part = { item_id: begun.id, output_index: 0, content_index: 0 };
  yield { type: 'response.output_item.added', output_index: 0, item: begun };
  yield { type: 'response.content_part.added', ...part, part: textPart('') };
  let text = '';
  for await (const delta of textPieces(answer)) {
    text += delta;
    yield { type: 'response.output_text.delta', ...part, delta, logprobs: [] };
  }
  yield { type: 'response.output_text.done', ...part, text, logprobs: [] };
  yield { type: 'response.content_part.done', ...part, part: textPart(text) };
  yield { type: 'response.output_item.done', output_index: 0, item: messageItem(answer, text) };
  return text;
}

function* callEvents(
  item: ReturnType<typeof callItems>[number],
  output_index: number,
  pieceLength: number,
): Generator<Event> {
  const at = { item_id: item.id, output_index };
  const begun = { ...item, status: 'in_progress', arguments: '' };
  yield { type: 'response.output_item.added', output_index, item: begun };
  for (const delta of pieces(item.arguments, pieceLength)) {
    yield { type: 'response.function_call_arguments.delta', ...at, delta };
  }
  yield { type: 'response.function_call_arguments.done', ...at, name: item.name, arguments: item.arguments };
  yield { type: 'response.output_item.done', output_index, item };
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

function callItems({ id, toolCalls }: WireAnswer) {
  return toolCalls.map((call, index) => ({
    id: `fc_${id}_${index}`,
    type: 'function_call',
    status: 'completed',
    ...(call.id !== null && { call_id: call.id }),
    name: call.name,
    arguments: call.arguments,
  }));
}

function head({ id, created, model, body }: WireAnswer) {
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

/** The fields that a response repeats from its request, with the API's defaults. */
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
