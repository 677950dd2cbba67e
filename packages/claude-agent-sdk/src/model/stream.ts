import { parsed } from '@hooks/language-model';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { isRecord } from '../sdk.ts';
import type { Answer } from './answer.ts';
import type { Block } from './request.ts';

/** An event of a streamed answer: its name and its text in the stream, and its data. */
export interface StreamEvent {
  readonly name: string | undefined;
  readonly raw: string;
  readonly data: { readonly type?: unknown; readonly index?: unknown; readonly [field: string]: unknown };
}

/** The API gave an answer that hooks cannot read as Claude Code would. */
export class UnreadableAnswer extends Error {}

/** The most bytes of an answer. It is kept until hooks have decided, and one without end would fill the memory. */
const LONGEST_ANSWER = 64 * 2 ** 20;

/** The body of an answer, up to the longest that is kept. */
export async function* bounded(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const part of body) {
    length += part.length;
    if (length > LONGEST_ANSWER)
      throw new UnreadableAnswer(`the API answered with more than ${LONGEST_ANSWER.toString()} bytes`);
    yield part;
  }
}

/** The events of a stream. */
export async function* eventsIn(body: AsyncIterable<Uint8Array>): AsyncGenerator<StreamEvent> {
  const events = ReadableStream.from(bounded(body))
    .pipeThrough(new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>)
    .pipeThrough(new EventSourceParserStream());
  const fits = inOrder();
  for await (const { event: name, data } of events) {
    const json = parsed(data);
    const read = isRecord(json) ? json : {};
    // Claude Code could make another answer of it than hooks have seen.
    if (!fits(name, read))
      throw new UnreadableAnswer('the API did not stream in the form of the Messages API');
    const head = name === undefined ? '' : `event: ${name}\n`;
    yield { name, raw: `${head}data: ${data.replaceAll('\n', '\ndata: ')}\n\n`, data: read };
  }
}

/** The events that make up a message. */
const PARTS: ReadonlySet<unknown> = new Set([
  ...['message_start', 'message_delta', 'message_stop'],
  ...['content_block_start', 'content_block_delta', 'content_block_stop'],
]);

/**
 * Whether events are those of one message, with each part in an open block. Other events pass: the API may send new ones
 * anywhere. Blocks may interleave, and their numbers may leave some out, as gateways do: Claude Code tells blocks apart
 * by their numbers, too. It reads the name of an event.
 */
function inOrder(): (name: string | undefined, data: StreamEvent['data']) => boolean {
  let at: 'start' | 'message' | 'end' = 'start';
  let last = -1;
  const open = new Set<unknown>();
  const opens = (index: unknown): boolean => {
    if (at !== 'message' || typeof index !== 'number' || !Number.isInteger(index) || index <= last)
      return false;
    last = index;
    open.add(index);
    return true;
  };
  const goes = (from: typeof at, to: typeof at): boolean => {
    if (at !== from || open.size > 0) return false;
    at = to;
    return true;
  };
  return (name, { type, index, message }) => {
    if (!PARTS.has(type)) return true;
    if (name !== type) return false;
    if (type === 'message_start') return isEmpty(message) && goes('start', 'message');
    if (type === 'message_stop') return goes('message', 'end');
    if (type === 'message_delta') return at === 'message';
    if (type === 'content_block_start') return opens(index);
    return type === 'content_block_stop' ? open.delete(index) : open.has(index);
  };
}

function isEmpty(message: unknown): boolean {
  const content: unknown = Object(message).content ?? [];
  return Array.isArray(content) && content.length === 0;
}

/** Whether an event belongs to no answer: it keeps the connection open, or reports an error. */
export function isBeside({ name, data: { type } }: StreamEvent): boolean {
  // By another name, Claude Code shows it.
  return name === type && (type === 'ping' || type === 'error');
}

/** The answer in the events of a whole stream. Claude Code takes one without a `message_stop`, too. */
export function answerIn(events: readonly StreamEvent[]): Answer | undefined {
  const [start] = dataOf(events, 'message_start');
  const ends = dataOf(events, 'message_delta');
  const isOver = ends.length > 0 || dataOf(events, 'message_stop').length > 0;
  if (!isRecord(start?.['message']) || !isOver) return undefined;
  const deltas = Map.groupBy(dataOf(events, 'content_block_delta'), ({ index }) => index);
  const content = dataOf(events, 'content_block_start').map(({ index, content_block: block }) =>
    built(
      isRecord(block) ? block : {},
      (deltas.get(index) ?? []).map(({ delta }) => delta),
    ),
  );
  // Each end repeats what it changes.
  const usage = Object.assign({}, start['message']['usage'], ...ends.map((end) => end['usage']));
  return Object.assign({}, start['message'], ...ends.map(({ delta }) => delta), { content, usage });
}

function dataOf(events: readonly StreamEvent[], wanted: string): readonly StreamEvent['data'][] {
  return events.flatMap(({ data }) => (data.type === wanted ? [data] : []));
}

/** A block with all of its streamed parts, as far as this package reads them. Claude Code reads a part by its type, too. */
function built(start: Readonly<Record<string, unknown>>, deltas: readonly unknown[]): Block {
  const all = (field: string, wanted: string) =>
    deltas
      .map(Object)
      .map((delta) => (delta.type === wanted ? String(delta[field] ?? '') : ''))
      .join('');
  const texts = ['text', 'thinking', 'signature']
    .map((field) => [field, all(field, `${field}_delta`)] as const)
    .filter(([, text]) => text !== '')
    .map(([field, text]) => [field, `${String(start[field] ?? '')}${text}`]);
  const json = all('partial_json', 'input_json_delta');
  return {
    ...start,
    type: String(start['type']),
    ...Object.fromEntries(texts),
    ...(json !== '' && { input: parsed(json) }),
  };
}

/**
 * The events of a changed answer. Those of blocks that are the same objects as before stay, whatever they hold.
 *
 * @param events the events of the original
 */
export function* changedEvents(
  events: readonly StreamEvent[],
  before: Answer,
  after: Answer,
): Generator<StreamEvent> {
  const of = (wanted: string) => events.filter(({ data: { type } }) => type === wanted);
  const starts = dataOf(events, 'content_block_start').map(({ index }) => index);
  yield* of('message_start');
  for (const [index, block] of after.content.entries()) {
    const at = before.content.indexOf(block);
    if (at === -1) yield* blockEvents(block, index);
    else for (const { data } of events) if (data.index === starts[at]) yield eventOf({ ...data, index });
  }
  for (const { data } of of('message_delta')) {
    const delta = { ...Object(data['delta']), stop_reason: after.stop_reason };
    yield eventOf({ ...data, delta });
  }
  yield* of('message_stop');
}

/** The events of an answer that was not streamed. */
export function* eventsOf(answer: Answer): Generator<StreamEvent> {
  const { stop_reason, usage } = answer;
  yield eventOf({ type: 'message_start', message: { ...answer, content: [], stop_reason: null } });
  for (const [index, block] of answer.content.entries()) yield* blockEvents(block, index);
  yield eventOf({ type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage });
  yield eventOf({ type: 'message_stop' });
}

/** The events of a text or a call, which are all that hooks write. */
function* blockEvents(block: Block, index: number): Generator<StreamEvent> {
  const { type, text, input } = block;
  const isText = type === 'text';
  const content_block = isText ? { ...block, text: '' } : { ...block, input: {} };
  const delta = isText
    ? { type: 'text_delta', text }
    : { type: 'input_json_delta', partial_json: JSON.stringify(input) };
  yield eventOf({ type: 'content_block_start', index, content_block });
  yield eventOf({ type: 'content_block_delta', index, delta });
  yield eventOf({ type: 'content_block_stop', index });
}

/** An event that says what went wrong. */
export function errorEvent(message: string): StreamEvent {
  return eventOf({ type: 'error', error: { type: 'api_error', message } });
}

/** An event with these data. */
export function eventOf(data: { readonly type: string } | StreamEvent['data']): StreamEvent {
  const name = String(data.type);
  return { name, raw: `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`, data };
}
