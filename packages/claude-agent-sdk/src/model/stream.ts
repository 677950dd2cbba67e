import { parsed } from '@hooks/language-model';
import { EventSourceParserStream } from 'eventsource-parser/stream';
import { isRecord } from '../sdk.ts';
import type { Answer } from './answer.ts';
import type { Block } from './request.ts';

/** An event of a streamed answer: what stands in the stream, and its data. */
export interface StreamEvent {
  readonly raw: string;
  readonly data: { readonly type?: unknown; readonly index?: unknown; readonly [field: string]: unknown };
}

/** The events of a stream. */
export async function* eventsIn(body: AsyncIterable<Uint8Array>): AsyncGenerator<StreamEvent> {
  const events = ReadableStream.from(body)
    .pipeThrough(new TextDecoderStream() as unknown as ReadableWritablePair<string, Uint8Array>)
    .pipeThrough(new EventSourceParserStream());
  for await (const { event, data } of events) {
    const json = parsed(data);
    const name = event === undefined ? '' : `event: ${event}\n`;
    yield { raw: `${name}data: ${data.replaceAll('\n', '\ndata: ')}\n\n`, data: isRecord(json) ? json : {} };
  }
}

/** Whether an event belongs to no answer: it keeps the connection open, or tells of an error. */
export function isBeside({ data: { type } }: StreamEvent): boolean {
  return type === 'ping' || type === 'error';
}

/** The answer in the events of a whole stream. */
export function answerIn(events: readonly StreamEvent[]): Answer | undefined {
  let answer: Answer | undefined;
  const blocks: Assembled[] = [];
  for (const { data } of events) {
    const { type, index, message, content_block: block, delta, usage } = data;
    if (type === 'message_start' && isRecord(message)) answer = { ...message, content: [] };
    else if (type === 'content_block_start' && isRecord(block)) blocks.push({ index, block, json: '' });
    else if (type === 'content_block_delta' && isRecord(delta)) {
      const own = blocks.find((one) => one.index === index);
      if (own !== undefined) add(own, delta);
    } else if (type === 'message_delta' && answer !== undefined)
      answer = { ...answer, ...Object(delta), usage: { ...answer.usage, ...Object(usage) } };
    else if (type === 'message_stop' && answer !== undefined)
      return { ...answer, content: blocks.map(built) };
  }
  return undefined;
}

interface Assembled {
  readonly index: unknown;
  block: Readonly<Record<string, unknown>>;
  /** The input, as far as it has been streamed. */
  json: string;
}

function add(to: Assembled, delta: Readonly<Record<string, unknown>>): void {
  for (const field of ['text', 'thinking', 'signature'])
    if (typeof delta[field] === 'string')
      to.block = { ...to.block, [field]: `${String(to.block[field] ?? '')}${delta[field]}` };
  if (typeof delta['partial_json'] === 'string') to.json += delta['partial_json'];
}

function built({ block, json }: Assembled): Block {
  const type = String(block['type']);
  return json === '' ? { ...block, type } : { ...block, type, input: parsed(json) };
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
  const starts = of('content_block_start').map(({ data: { index } }) => index);
  yield* of('message_start');
  for (const [index, block] of after.content.entries()) {
    const at = before.content.indexOf(block);
    if (at === -1) yield* blockEvents(block, index);
    else for (const { data } of events) if (data.index === starts[at]) yield eventOf({ ...data, index });
  }
  for (const { data } of of('message_delta')) {
    const delta = { ...Object(data['delta']), stop_reason: after.stop_reason };
    yield eventOf({
      ...data,
      delta,
      usage: { ...Object(data['usage']), ...(after !== before && after.usage) },
    });
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
