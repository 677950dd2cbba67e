import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { AfterModelCall } from '@hooks/core';
import type { AgentRun, ModelCall, Prepared, RunStop } from '@hooks/core/adapter';
import { addUsage, lostSetting, parsed } from '@hooks/language-model';
import type { Gate } from '../run/gate.ts';
import { isRecord } from '../sdk.ts';
import { type Answer, changedAnswer, ownAnswer, refusedAnswer, responseIn } from './answer.ts';
import { changedBody, type RequestBody, requestOf, type Send, withReminder } from './request.ts';
import {
  answerIn,
  changedEvents,
  eventOf,
  eventsIn,
  eventsOf,
  isBeside,
  type StreamEvent,
} from './stream.ts';
import { relay, writeHead } from './upstream.ts';

/** A request of Claude Code to a model. */
export interface Asked {
  readonly body: RequestBody;
  readonly sessionId: string;
  readonly agentId: string | undefined;
  /** Sends a body to the API. */
  send(body: RequestBody): Promise<IncomingMessage>;
  readonly response: ServerResponse;
  /** Fires when Claude Code does not wait for the answer any more. */
  readonly signal: AbortSignal;
}

/** An answer of the API that is none of a model: an error, for example. It is passed on as it is. */
class NoAnswer extends Error {
  readonly answer: IncomingMessage;
  constructor(answer: IncomingMessage) {
    super(`the API answered with the status ${String(answer.statusCode)}`);
    this.answer = answer;
  }
}

/**
 * What hooks decided on the request of a run that failed. Claude Code repeats it, with other features of the API or after
 * a while, and hooks are not asked again.
 */
const failed: WeakMap<AgentRun, { readonly about: string; readonly prepared: Send }> = new WeakMap();

/** What hooks decide on. */
function aboutOf({ turn }: AgentRun, { model, system, messages, tools }: RequestBody): string {
  return JSON.stringify([turn, model, system, messages, tools]);
}

/** Runs a request to a model through its hooks. */
export async function callModel(gate: Gate, asked: Asked): Promise<void> {
  const { body, sessionId, agentId, response } = asked;
  if (isProbe(body)) return relay(await asked.send(body), response);
  const conversation = gate.conversation(sessionId, agentId);
  const reply = (reason: string) => write(asked, ownAnswer(body.model, reason));
  if (conversation.closed !== undefined) return reply(conversation.closed);
  const compaction = gate.compaction(agentId);
  if (compaction?.summary !== undefined) return reply(`<summary>\n${compaction.summary}\n</summary>`);
  const { run, isAside } = conversation.runOfModelCall(agentId, compaction !== undefined);
  // Claude Code calls a model once more after some refusals.
  if (run.stop !== undefined) return reply(run.stop.reason);
  const call = callOf(run, asked);
  try {
    const prepared = await prepare(run, call, body);
    if (prepared.kind === 'blocked') return reply(prepared.stop.reason);
    // Another request of the same turn must not take the context of this one.
    const context = isAside ? prepared.context : conversation.contextOfTurn(run, prepared.context);
    const changed = changedBody(body, { ...prepared, context });
    if (!isAside) run.offer((changed.tools ?? []).map(({ name }) => name));
    const guided = compaction?.context.length ? withReminder(changed, compaction.context) : changed;
    await answer(gate, run, call, { ...asked, body: guided }).catch((error: unknown) => {
      if (!(error instanceof NoAnswer)) throw error;
      failed.set(run, { about: aboutOf(run, body), prepared });
      return passOn(error, response);
    });
  } finally {
    if (isAside) run.forget();
  }
}

function callOf(run: AgentRun, { body, signal }: Asked): ModelCall {
  const model = { provider: 'anthropic', model: String(body.model) };
  return run.modelCall(model, {
    signal: run.signal === undefined ? signal : AbortSignal.any([signal, run.signal]),
    refuse: (decision, about) => (about === 'request' ? lostSetting(decision) : undefined),
  });
}

/** What hooks make of a request, unless they have decided on it before. */
async function prepare(run: AgentRun, call: ModelCall, body: RequestBody): Promise<Prepared> {
  const repeated = failed.get(run);
  failed.delete(run);
  const isSame = repeated !== undefined && repeated.about === aboutOf(run, body);
  return isSame ? repeated.prepared : call.prepare(() => requestOf(body));
}

/** Passes on what is no answer of a model: as it is, or as an event of a stream that is open. */
async function passOn({ answer, message }: NoAnswer, response: ServerResponse): Promise<void> {
  if (!response.headersSent) return relay(answer, response);
  const json = parsed(await text(answer));
  const told = isRecord(json) ? json : { error: { type: 'api_error', message } };
  response.end(eventOf({ ...told, type: 'error' }).raw);
}

/** Whether a request asks only whether there is such a model. It holds nothing of the user's. */
function isProbe({ max_tokens: max, tools, system = [], messages }: RequestBody): boolean {
  const said = [system, ...messages.map(({ content }) => content)].flatMap((content) =>
    typeof content === 'string' ? content : content.map((block) => String(block['text'])),
  );
  return max === 1 && tools === undefined && said.every((text) => PROBE.test(text));
}

const PROBE =
  /^(?:x-anthropic-billing-header: [\w .;=-]*|You are Claude Code, Anthropic's official CLI for Claude\.|Hi)$/;

/** Sends a request, and lets hooks decide on the answer. */
async function answer(gate: Gate, run: AgentRun, call: ModelCall, asked: Asked): Promise<void> {
  const { response, body, send } = asked;
  const first = await answered(send(body));
  if (!run.hears(AfterModelCall)) return relay(first, response);
  if (first.headers['content-type']?.startsWith('text/event-stream') !== true)
    return whole(call, first, asked);
  const holds = gate.setting.registries.holds(AfterModelCall);
  await streamed(call, first, asked, holds && run.decides(AfterModelCall));
}

/** The answer of a model, in one piece. */
async function whole(call: ModelCall, first: IncomingMessage, asked: Asked): Promise<void> {
  const open = opening(first, asked);
  const read = async () => {
    const said = parsed(await text(await open()));
    if (!isAnswer(said)) throw new Error('the API did not answer in the form of the Messages API');
    return said;
  };
  const judged = await call.answer<Answer>(read, responseIn);
  const own = withUsage(judged.answer, judged.retried);
  const left =
    judged.kind === 'blocked'
      ? refusedAnswer(own, judged.stop.reason)
      : judged.kind === 'replaced'
        ? changedAnswer(own, judged.response)
        : own;
  writeHead(first, asked.response);
  asked.response.end(JSON.stringify(left));
}

/** How often a held stream shows that the connection is open. Claude Code would give it up. */
const PING_MS = 5000;

/** The streamed answer of a model. It is held back where hooks may change or refuse it. */
async function streamed(
  call: ModelCall,
  first: IncomingMessage,
  asked: Asked,
  isHeld: boolean,
): Promise<void> {
  const { response } = asked;
  const open = opening(first, asked);
  const spent: Answer[] = [];
  let isEnding = endsAnswer();
  const changed = (events: readonly StreamEvent[], change: (answer: Answer) => Answer) => {
    const before = spent.at(-1) as Answer; // hooks have decided on it
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
      if (answer !== undefined) spent.push(answer);
      return answer;
    },
    read: responseIn,
    write: (left, chunks) => changed(chunks, (answer) => changedAnswer(answer, left)),
    refuse: ({ reason }: RunStop, chunks) => changed(chunks, (answer) => refusedAnswer(answer, reason)),
    pass: !isHeld,
    isEnd: (event) => isEnding(event),
    isHeldLater: isBeside,
  });
  writeHead(first, response);
  const ping = isHeld ? setInterval(() => response.write(PING), PING_MS) : undefined;
  try {
    for await (const event of events) {
      const isSum = event.data.type === 'message_delta' && spent.length > 1;
      const { usage } = isSum ? withUsage(spent.at(-1) as Answer, spent.slice(0, -1)) : {};
      if (!response.write(isSum ? eventOf({ ...event.data, usage }).raw : event.raw))
        await Promise.race([once(response, 'drain'), once(response, 'close')]);
    }
  } finally {
    clearInterval(ping);
  }
  response.end();
}

const PING = eventOf({ type: 'ping' }).raw;

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

/** An answer with the usage of those for which hooks asked again. */
function withUsage(answer: Answer, retried: readonly Answer[]): Answer {
  if (retried.length === 0) return answer;
  return { ...answer, usage: addUsage([...retried, answer].map(({ usage }) => usage)) ?? {} };
}

/** Opens the first answer, which has arrived, and after that sends the request again each time. */
function opening(first: IncomingMessage, { body, send }: Asked): () => Promise<IncomingMessage> {
  const arrived = [first];
  return async () => arrived.pop() ?? answered(send(body));
}

/** The answer of the API, if it is one of a model. */
async function answered(sending: Promise<IncomingMessage>): Promise<IncomingMessage> {
  const answer = await sending;
  const { statusCode = 0 } = answer;
  // Claude Code takes each of these for an answer.
  if (statusCode < 200 || statusCode >= 300) throw new NoAnswer(answer);
  return answer;
}

/** Answers in place of a model. */
function write({ body, response }: Pick<Asked, 'body' | 'response'>, answer: Answer): void {
  const type = body.stream === true ? 'text/event-stream' : 'application/json';
  response.writeHead(200, { 'content-type': type });
  if (body.stream !== true) response.end(JSON.stringify(answer));
  else response.end([...eventsOf(answer)].map(({ raw }) => raw).join(''));
}

function isAnswer(value: unknown): value is Answer {
  return isRecord(value) && Array.isArray(value['content']) && value['content'].every(isRecord);
}
