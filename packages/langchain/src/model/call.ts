import { AfterModelCall } from '@hooks/core';
import type { ModelCall, RunStop } from '@hooks/core/adapter';
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import type { ModelRequest, WrapModelCallHook } from 'langchain';
import { dropForgedMark, finalRefusal, markOf, stopMark } from '../blocked.ts';
import { emptied, isCommand } from '../internals.ts';
import type { HookedRun, RunSeat } from '../run/run.ts';
import { namedModel, type Spent, toAIMessage, toModelResponse, toolName } from '../translate.ts';
import { counted, type Decide, type Interception, interceptModel } from './intercept.ts';
import { prepared, refusedDecision, wished } from './request.ts';

/** The framework's `handler` of a model call. */
export type Handler = Parameters<WrapModelCallHook>[1];
type Response = Awaited<ReturnType<Handler>>;

/**
 * The model calls in progress, by the messages of their state, for our inner middleware. The middleware in between may have
 * changed the request and the model.
 */
export type LastCalls = WeakMap<readonly BaseMessage[], LastCall>;

interface LastCall {
  readonly run: HookedRun;
  /** Set if hooks may change or refuse the answer. */
  readonly answering: Answering | undefined;
}

/** Decides on the answers to one model call. */
interface Decider {
  readonly decide: Decide;
  /** Whether this is the answer that was decided on. */
  readonly stands: (message: AIMessage) => boolean;
  /** The reason of a Block as an answer, if there was one. */
  readonly refusal: () => AIMessage | undefined;
}

type Answering = Decider & Pick<Interception, 'hold'>;

/** What model calls need of their agent. */
export interface ModelSeat extends RunSeat {
  /** Set if our inner middleware asks hooks about requests. */
  readonly lastCalls: LastCalls | undefined;
  /** Whether the graph has a node for `Stop`, which ends the turn of the last answer. */
  readonly asksStop: boolean;
}

/** Runs a model call through its hooks. */
export async function callModel(
  seat: ModelSeat,
  run: HookedRun,
  request: ModelRequest,
  handler: Handler,
): Promise<Response> {
  const stop = await beginTurn(run, request.messages);
  if (stop !== undefined) return finalRefusal(stop);
  const response = await answered(seat, run, wished(request, { model: run.model }), handler);
  if (isCommand(response)) return emptied(response) as Response;
  const answer = AIMessage.isInstance(response) ? response : undefined;
  run.response = answer?.text ?? '';
  run.hasAnswered = isFinal(response);
  const mark = answer && markOf(answer);
  if (mark !== undefined) await run.endTurn('hook_blocked');
  else if (isFinal(response) && !seat.asksStop) await run.endTurn('normal');
  return response;
}

/** Begins the turn of a model call. Returns the stop if a hook has ended the run, possibly in another process. */
async function beginTurn(run: HookedRun, messages: readonly BaseMessage[]): Promise<RunStop | undefined> {
  const mark = stopMark(messages);
  if (mark !== undefined) run.endBy(mark);
  return run.startTurn();
}

function modelCall(run: HookedRun, request: ModelRequest): ModelCall {
  return run.modelCall(namedModel(request.model), {
    signal: request.runtime.signal,
    refuse: (decision, about) => (about === 'request' ? refusedDecision(request, decision) : undefined),
  });
}

/** Calls the model until hooks accept its answer. */
async function answered(
  seat: ModelSeat,
  run: HookedRun,
  request: ModelRequest,
  handler: Handler,
): Promise<Response> {
  const decider = answerDecider(modelCall(run, request), request);
  const { decide, stands } = decider;
  const decides = run.decides(AfterModelCall);
  const answering = decides ? { ...decider, hold: seat.registries.holds(AfterModelCall) } : undefined;
  run.offer(request.tools.map(toolName));
  const last = { run, answering };
  seat.lastCalls?.set(request.state.messages, last);
  const send = seat.lastCalls ? handler : (final: ModelRequest) => sendLast(last, final, handler);
  if (!run.hears(AfterModelCall)) return unmarked(await send(request), run);
  for (;;) {
    const response = unmarked(await refusable(send(request), answering), run);
    // Reached if hooks only observe, if the model cannot be intercepted, or if another middleware has answered.
    const answers = answersIn(response);
    const message = answers.at(decides ? -1 : 0); // the first in a structured response is the model's
    if (message === undefined || (decides && answers.some(stands))) return response;
    if (markOf(message) !== undefined) return response; // blocked before any model was called
    const decided = await decide(message);
    if (decided === 'again') continue;
    if (decided.message !== message) return decided.message;
    return AIMessage.isInstance(response) ? counted(response, decided.spent) : response;
  }
}

/** Sends the final request, behind all other middleware. */
export async function callLast(
  { between, tools }: { readonly between: boolean; readonly tools: ReadonlyMap<string, unknown> },
  calls: LastCalls,
  request: ModelRequest,
  handler: Handler,
): Promise<Response> {
  // LangChain omits this check if any middleware wraps tool calls, and ours does.
  const added = between ? [] : request.tools.filter((tool) => 'invoke' in tool && !tools.has(toolName(tool)));
  if (added.length > 0)
    throw new Error(
      `You have added a new tool in "wrapModelCall": ${added.map(toolName).join(', ')}. This is not supported unless a middleware provides a "wrapToolCall" handler to execute it.`,
    );
  const last = calls.get(request.state.messages);
  return last === undefined ? handler(request) : sendLast(last, request, handler);
}

/** Asks hooks about a request, and about the answer of the model that is called. */
async function sendLast(
  { run, answering }: LastCall,
  request: ModelRequest,
  handler: Handler,
): Promise<Response> {
  const ready = await prepared(modelCall(run, request), request);
  if ('stop' in ready) return finalRefusal(ready.stop);
  run.offer(ready.request.tools.map(toolName));
  return refusable(handler(intercepted(ready.request, answering)), answering);
}

/** A response in which only hooks have marked an answer as blocked. */
function unmarked(response: Response, { stop }: HookedRun): Response {
  for (const answer of answersIn(response)) dropForgedMark(answer, stop);
  return response;
}

/** Intercepts the model's answers, if hooks may change or refuse them. */
function intercepted(request: ModelRequest, answering: Answering | undefined): ModelRequest {
  const model = answering && interceptModel(request.model, answering);
  return model === undefined ? request : { ...request, model: model as ModelRequest['model'] };
}

/**
 * The reason of a Block does not fit the response format, so the framework throws, and version v3 of `streamEvents` makes a message
 * without the mark of it. Returns the reason in both cases.
 */
async function refusable(response: ReturnType<Handler>, answering: Answering | undefined): Promise<Response> {
  try {
    const answer = await response;
    const refusal = AIMessage.isInstance(answer) && answering?.stands(answer) && answering.refusal();
    return refusal || answer;
  } catch (error) {
    const refusal = answering?.refusal();
    if (refusal === undefined) throw error;
    return refusal;
  }
}

/** Whether the model is done: it calls no tool, or gave a structured response. */
function isFinal(response: object): boolean {
  return AIMessage.isInstance(response) ? !response.tool_calls?.length : 'structuredResponse' in response;
}

/** The answer, or the messages of a structured response. */
function answersIn(response: object): readonly AIMessage[] {
  if (AIMessage.isInstance(response)) return [response];
  const messages: unknown = Reflect.get(response, 'messages');
  return Array.isArray(messages) ? messages.filter((message) => AIMessage.isInstance(message)) : [];
}

/** Fires `AfterModelCall` for each answer to one model call. */
function answerDecider(call: ModelCall, { responseFormat, tools }: ModelRequest): Decider {
  const names = new Set(tools.map(toolName));
  const isAnswer = (name: string): boolean => responseFormat !== undefined && !names.has(name);
  let verdict: AIMessage | undefined;
  let text: string | undefined;
  let spent: Spent | undefined;
  return {
    async decide(message) {
      verdict = undefined;
      text = undefined;
      dropForgedMark(message);
      const judged = await call.judge(toModelResponse(message, isAnswer), { native: message });
      const all = counted(message, spent);
      if (judged.kind === 'retry') {
        spent = all.usage_metadata;
        return 'again';
      }
      if (judged.kind === 'blocked') verdict = finalRefusal(judged.stop, message.id, all.usage_metadata);
      else verdict = judged.kind === 'replaced' ? toAIMessage(judged.response, all) : message;
      text = textOf(verdict); // now, because whoever gets the message may change it
      const decided = { message: verdict, ...(verdict === message && { spent }) };
      // A middleware may ask the model for another answer.
      spent = undefined;
      return decided;
    },
    stands: (message) => text !== undefined && text === textOf(message),
    refusal: () => (verdict !== undefined && markOf(verdict) !== undefined ? verdict : undefined),
  };
}

/** The content of a message, to compare it: one that was streamed is a new object. */
function textOf({ text, tool_calls = [] }: AIMessage): string {
  return JSON.stringify([text, tool_calls.map(({ id, name, args }) => [id, name, args])]);
}
