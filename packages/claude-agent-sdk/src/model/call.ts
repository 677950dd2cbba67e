import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { AfterModelCall } from '@hooks/core';
import { type AgentRun, addUsage, type ModelCall, type RunStop } from '@hooks/core/adapter';
import { lostSetting, parsed } from '@hooks/language-model';
import type { Gate } from '../run/gate.ts';
import { isRecord } from '../sdk.ts';
import { type Answer, changedAnswer, ownAnswer, refusedAnswer, responseIn } from './answer.ts';
import { changedBody, isHeader, type RequestBody, requestOf, withReminder } from './request.ts';
import {
  answerIn,
  bounded,
  changedEvents,
  errorEvent,
  eventOf,
  eventsIn,
  eventsOf,
  isBeside,
  type StreamEvent,
  UnreadableAnswer,
} from './stream.ts';
import { relay, writeHead } from './upstream.ts';

/** A request of Claude Code to a model, and where its answer goes. */
export interface IncomingCall {
  readonly body: RequestBody;
  readonly sessionId: string;
  readonly agentId: string | undefined;
  /** Sends a body to the API. */
  send(body: RequestBody): Promise<IncomingMessage>;
  readonly response: ServerResponse;
  /** Aborts when Claude Code no longer waits for the answer. */
  readonly signal: AbortSignal;
}

/** The API gave an error in place of an answer. Claude Code gets it as it is. */
class ApiError extends Error {
  readonly answer: IncomingMessage;
  constructor(answer: IncomingMessage) {
    super(`the API answered with the status ${String(answer.statusCode)}`);
    this.answer = answer;
  }
}

/** Runs a request to a model through its hooks. */
export async function callModel(gate: Gate, incoming: IncomingCall): Promise<void> {
  const { body, sessionId, agentId, response } = incoming;
  if (isProbe(body)) return relay(await incoming.send(body), response);
  const conversation = gate.conversation(sessionId, agentId);
  const reply = (reason: string) => write(incoming, ownAnswer(body.model, reason));
  if (conversation.closed !== undefined) return reply(conversation.closed);
  const compaction = gate.compaction(agentId);
  if (compaction?.summary !== undefined) return reply(`<summary>\n${compaction.summary}\n</summary>`);
  const { run, isAside } = conversation.runOfModelCall(agentId, compaction !== undefined);
  // Claude Code calls a model once more after some refusals.
  if (run.stop !== undefined) return reply(run.stop.reason);
  const call = callOf(run, incoming);
  try {
    // Claude Code repeats a failed request, later or without some features of the API, and hooks decide on it again.
    const prepared = await call.prepare(() => requestOf(body));
    if (prepared.kind === 'blocked') return reply(prepared.stop.reason);
    const changed = changedBody(body, prepared);
    if (!isAside) run.offer((changed.tools ?? []).map(({ name }) => name));
    const guided = compaction?.context.length ? withReminder(changed, compaction.context) : changed;
    await answer(gate, run, call, { ...incoming, body: guided }).catch((error: unknown) => {
      if (error instanceof UnreadableAnswer && response.headersSent)
        return void response.end(errorEvent(error.message).raw);
      if (!(error instanceof ApiError)) throw error;
      return passOn(error, response);
    });
  } finally {
    if (isAside) run.forget();
  }
}

function callOf(run: AgentRun, { body, signal }: IncomingCall): ModelCall {
  const model = { provider: 'anthropic', model: String(body.model) };
  return run.modelCall(model, {
    signal: run.signal === undefined ? signal : AbortSignal.any([signal, run.signal]),
    refuse: (decision, about) => (about === 'request' ? lostSetting(decision) : undefined),
  });
}

/** Passes on an error of the API: as it is, or as an event once the stream is open. */
async function passOn({ answer, message }: ApiError, response: ServerResponse): Promise<void> {
  if (!response.headersSent) return relay(answer, response);
  const json = parsed(await text(bounded(answer)));
  response.end((isRecord(json) ? eventOf({ ...json, type: 'error' }) : errorEvent(message)).raw);
}

/** Whether a request only checks that a model exists. It holds no text of the user. */
function isProbe({ max_tokens: max, tools, system = [], messages }: RequestBody): boolean {
  const texts = [system, ...messages.map(({ content }) => content)].flatMap((content) =>
    typeof content === 'string' ? content : content.map((block) => String(block['text'])),
  );
  return max === 1 && tools === undefined && texts.every((text) => PROBE.has(text) || isHeader(text));
}

const PROBE: ReadonlySet<string> = new Set([
  "You are Claude Code, Anthropic's official CLI for Claude.",
  'Hi',
]);

/** Sends a request, and lets hooks decide on the answer. */
async function answer(gate: Gate, run: AgentRun, call: ModelCall, incoming: IncomingCall): Promise<void> {
  const { response, body, send } = incoming;
  const first = await answered(send(body));
  if (!run.hears(AfterModelCall)) return relay(first, response);
  if (first.headers['content-type']?.startsWith('text/event-stream') !== true)
    return whole(call, first, incoming);
  const holds = gate.setting.registries.holds(AfterModelCall);
  await streamed(call, first, incoming, holds && run.decides(AfterModelCall));
}

/** The answer of a model, in one piece. */
async function whole(call: ModelCall, first: IncomingMessage, incoming: IncomingCall): Promise<void> {
  const open = opening(first, incoming);
  const read = async () => {
    const answer = parsed(await text(bounded(await open())));
    if (!isAnswer(answer)) throw new Error('the API did not answer in the form of the Messages API');
    return answer;
  };
  const judged = await call.answer<Answer>(read, responseIn);
  const own = withUsage(judged.answer, judged.retried);
  const decided =
    judged.kind === 'blocked'
      ? refusedAnswer(own, judged.stop.reason)
      : judged.kind === 'replaced'
        ? changedAnswer(own, judged.response)
        : own;
  writeHead(first, incoming.response);
  incoming.response.end(JSON.stringify(decided));
}

/** How often a held stream shows that the connection is open: Claude Code would give up a silent one. */
const PING_MS = 5000;

/** The streamed answer of a model. It is held back where hooks may change or refuse it. */
async function streamed(
  call: ModelCall,
  first: IncomingMessage,
  incoming: IncomingCall,
  isHeld: boolean,
): Promise<void> {
  const { response } = incoming;
  const open = opening(first, incoming);
  const answers: Answer[] = [];
  let isEnding = endsAnswer();
  const changed = (events: readonly StreamEvent[], change: (answer: Answer) => Answer) => {
    const before = answers.at(-1) as Answer; // hooks have decided on it
    return changedEvents(events, before, change(before));
  };
  const events = call.stream<StreamEvent, Answer>({
    async open() {
      const answer = await open();
      isEnding = endsAnswer();
      return eventsIn(answer);
    },
    whole(chunks) {
      const answer = answerIn(chunks);
      if (answer !== undefined) answers.push(answer);
      return answer;
    },
    retried: (before) => void answers.push(...before),
    read: responseIn,
    write: (decided, chunks) => changed(chunks, (answer) => changedAnswer(answer, decided)),
    refuse: ({ reason }: RunStop, chunks) => changed(chunks, (answer) => refusedAnswer(answer, reason)),
    pass: !isHeld,
    isEnd: (event) => isEnding(event),
    isHeldLater: isBeside,
  });
  writeHead(first, response);
  const ping = isHeld ? setInterval(() => response.write(PING), PING_MS) : undefined;
  try {
    for await (const event of events) {
      const isSum = event.data.type === 'message_delta' && answers.length > 1;
      const { usage } = isSum ? withUsage(answers.at(-1) as Answer, answers.slice(0, -1)) : {};
      if (!response.write(isSum ? eventOf({ ...event.data, usage }).raw : event.raw)) await drained(response);
    }
  } finally {
    clearInterval(ping);
  }
  response.end();
}

const PING = eventOf({ type: 'ping' }).raw;

/** Waits until a response takes more, or nobody reads it any more. */
async function drained(response: ServerResponse): Promise<void> {
  if (response.destroyed) return;
  const waiting = new AbortController();
  const { signal } = waiting;
  await Promise.race([once(response, 'drain', { signal }), once(response, 'close', { signal })]);
  waiting.abort();
}

/**
 * Whether an event, or one before it, lets Claude Code act on the answer: it may run a call before the answer ends.
 */
function endsAnswer(): (event: StreamEvent) => boolean {
  const calls = new Set<unknown>();
  let isOver = false;
  return (event) => {
    if (isBeside(event)) return false;
    const { type, index, content_block: block } = event.data;
    if (isRecord(block) && block['type'] === 'tool_use') calls.add(index);
    isOver ||= type === 'message_delta' || (type === 'content_block_stop' && calls.has(index));
    return isOver;
  };
}

/** An answer whose usage counts the answers that hooks retried, too. */
function withUsage(answer: Answer, retried: readonly Answer[]): Answer {
  if (retried.length === 0) return answer;
  return { ...answer, usage: addUsage([...retried, answer].map(({ usage }) => usage)) ?? {} };
}

/** Opens the first answer, which has arrived, and after that sends the request again each time. */
function opening(first: IncomingMessage, { body, send }: IncomingCall): () => Promise<IncomingMessage> {
  const arrived = [first];
  return async () => arrived.pop() ?? answered(send(body));
}

/** The answer of a model. Throws an error of the API. */
async function answered(sending: Promise<IncomingMessage>): Promise<IncomingMessage> {
  const answer = await sending;
  const { statusCode = 0 } = answer;
  // Claude Code reads an answer from any of these statuses.
  if (statusCode < 200 || statusCode >= 300) throw new ApiError(answer);
  return answer;
}

/** Answers in place of a model: as a stream, if Claude Code wants one. */
function write({ body, response }: Pick<IncomingCall, 'body' | 'response'>, answer: Answer): void {
  const type = body.stream === true ? 'text/event-stream' : 'application/json';
  response.writeHead(200, { 'content-type': type });
  if (body.stream !== true) response.end(JSON.stringify(answer));
  else response.end([...eventsOf(answer)].map(({ raw }) => raw).join(''));
}

function isAnswer(value: unknown): value is Answer {
  return isRecord(value) && Array.isArray(value['content']) && value['content'].every(isRecord);
}
