import { parsed } from '@hooks/language-model';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { isRecord } from '../sdk.ts';
import type { Answer } from './answer.ts';
import type { Block } from './request.ts';

/** An event of a streamed answer: its text in the stream, and its data. */
export interface StreamEvent {
  readonly raw: string;
  readonly data: { readonly type?: unknown; readonly index?: unknown; readonly [field: string]: unknown };
}

/** The events of a stream. */
export async function* eventsIn(body: AsyncIterable<Uint8Array>): AsyncGenerator<StreamEvent> {
  const events = ReadableStream.from(body)
    .pipeThrough(new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>)
    .pipeThrough(new EventSourceParserStream());
  const fits = inOrder();
  for await (const { event, data } of events) {
    const json = parsed(data);
    const read = isRecord(json) ? json : {};
    // Claude Code could make another answer of it than hooks have seen.
    if (!fits(event, read)) throw new Error('the API did not stream in the form of the Messages API');
    const name = event === undefined ? '' : `event: ${event}\n`;
    yield { raw: `${name}data: ${data.replaceAll('\n', '\ndata: ')}\n\n`, data: read };
  }
}

/** Where a stream is after an event, by where it was before. */
const STEPS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  message_start: { start: 'message' },
  content_block_start: { message: 'block' },
  content_block_delta: { block: 'block' },
  content_block_stop: { block: 'message' },
  message_delta: { message: 'message' },
  message_stop: { message: 'end' },
};

/** Whether events are those of one message, block after block. Claude Code reads the name of an event, too. */
function inOrder(): (name: string | undefined, data: StreamEvent['data']) => boolean {
  let at: string | undefined = 'start';
  let blocks = 0;
  return (name, { type, index, message }) => {
    if (typeof type !== 'string' || !Object.hasOwn(STEPS, type)) return true;
    if (type === 'content_block_start') blocks++;
    at = STEPS[type]?.[at ?? ''];
    const isPlaced = type.startsWith('message_') || index === blocks - 1;
    const content: unknown = Object(message).content ?? [];
    const isEmpty = Array.isArray(content) && content.length === 0;
    return at !== undefined && name === type && isEmpty && isPlaced;
  };
}

/** Whether an event belongs to no answer: it keeps the connection open, or reports an error. */
export function isBeside({ data: { type } }: StreamEvent): boolean {
  return type === 'ping' || type === 'error';
}

/** The answer in the events of a whole stream. */
export function answerIn(events: readonly StreamEvent[]): Answer | undefined {
  const [start] = dataOf(events, 'message_start');
  if (!isRecord(start?.['message']) || dataOf(events, 'message_stop').length === 0) return undefined;
  const deltas = Map.groupBy(dataOf(events, 'content_block_delta'), ({ index }) => index);
  const content = dataOf(events, 'content_block_start').map(({ index, content_block: block }) =>
    built(
      isRecord(block) ? block : {},
      (deltas.get(index) ?? []).map(({ delta }) => delta),
    ),
  );
  // Each repeats what it changes.
  const ends = dataOf(events, 'message_delta');
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

/** An event with these data. */
export function eventOf(data: { readonly type: string } | StreamEvent['data']): StreamEvent {
  return { raw: `event: ${String(data.type)}\ndata: ${JSON.stringify(data)}\n\n`, data };
}
