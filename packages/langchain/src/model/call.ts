import { AfterModelCall } from '@hooks/core';
import { after, type ModelCall, type RunStop } from '@hooks/core/adapter';
import { turnEndOf } from '@hooks/core/tool-call';
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import type { ModelRequest, WrapModelCallHook } from 'langchain';
import { finalRefusal, markOf, stopMark } from '../blocked.ts';
import { emptied, isCommand } from '../internals.ts';
import type { HookedOptions } from '../options.ts';
import { type HookedRun, type RunSeat, runFor } from '../run/run.ts';
import { namedModel, toAIMessage, toModelResponse, toolName } from '../translate.ts';
import type { Gate } from './gate.ts';
import { type Decide, type Interception, interceptModel } from './intercept.ts';
import { prepared, refusedDecision, wished, withToldFirst } from './request.ts';

/** The next model call of a run, for the framework's `handler`. */
export type Handler = Parameters<WrapModelCallHook>[1];
type Response = Awaited<ReturnType<Handler>>;

/**
 * The model calls that are going on, by the messages that they were made about, where a middleware of ours behind all others
 * has the last of them: those may change the request, and put another model in place.
 */
export type LastCalls = WeakMap<readonly BaseMessage[], LastCall>;

interface LastCall {
  readonly run: HookedRun;
  /** What hooks want the model to know. */
  readonly told: Set<string>;
  /** Who decides on the answer, where hooks may change or refuse it. */
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
  readonly options: HookedOptions;
  /** Set where hooks are asked about requests by the middleware behind all others. */
  readonly lastCalls: LastCalls | undefined;
  /** Whether a node asks `Stop` behind the last answer, and ends its turn. */
  readonly asksStop: boolean;
}

/** Takes one model call of a run through its hooks. */
export async function callModel(
  seat: ModelSeat,
  run: HookedRun,
  request: ModelRequest,
  handler: Handler,
): Promise<Response> {
  const stop = await beginTurn(run, request.messages);
  if (stop !== undefined) return finalRefusal(stop);
  const wanted = wished(request, { model: run.model });
  const call = modelCall(run, wanted);
  const ready = seat.lastCalls === undefined ? await prepared(call, wanted) : { request: wanted };
  const response =
    'stop' in ready ? finalRefusal(ready.stop) : await answered(seat, run, call, ready.request, handler);
  if (isCommand(response)) return emptied(response) as Response;
  const answer = AIMessage.isInstance(response) ? response : undefined;
  run.response = answer?.text ?? '';
  const mark = answer && markOf(answer);
  if (mark !== undefined) await run.endTurn(turnEndOf(mark.by));
  else if (isFinal(response) && !seat.asksStop) await run.endTurn('normal');
  return response;
}

/** Before the model calls of an agent when hooks hear of its tools at most: what those want of the next model call. */
export function modelGate(seat: RunSeat): Gate {
  return (messages, config) => {
    const run = runFor(seat, config, messages);
    return after(beginTurn(run, messages), (stop) =>
      stop === undefined ? withToldFirst(messages, run.takeContext()) : finalRefusal(stop),
    );
  };
}

/** Begins the turn of a model call; or why the run is not to go on, maybe since a tool call in another process. */
function beginTurn(
  run: HookedRun,
  messages: readonly BaseMessage[],
): RunStop | undefined | PromiseLike<RunStop | undefined> {
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

/** Calls the model until its answer stands. */
async function answered(
  { options, lastCalls }: ModelSeat,
  run: HookedRun,
  call: ModelCall,
  request: ModelRequest,
  handler: Handler,
): Promise<Response> {
  const decider = answerDecider(call);
  const { decide, stands } = decider;
  const decides = run.decides(AfterModelCall);
  const answering = decides ? { ...decider, hold: options.holdStream !== false } : undefined;
  // What `TurnStart` hooks gave is handed out once, and each model that is called is told.
  if (lastCalls !== undefined)
    lastCalls.set(request.state.messages, { run, told: new Set(run.takeContext()), answering });
  if (!run.hears(AfterModelCall)) return handler(request);
  const effective = lastCalls === undefined ? intercepted(request, answering) : request;
  for (;;) {
    const response = await refusable(handler(effective), answering);
    // Hooks only look, the model's own run could not be reached, or another middleware has answered.
    const answers = answersIn(response);
    const message = answers.at(decides ? -1 : 0); // in a structured response the first is the model's
    if (message === undefined || (decides && answers.some(stands))) return response;
    if (markOf(message) !== undefined) return response; // refused before any model was called
    const decided = await decide(message);
    if (decided === 'again') continue;
    return decided === message ? response : decided;
  }
}

/** Asks hooks about the request as it has become, and has the answer of the model that is really called decided on. */
export async function callLast(
  { between, toolNames }: { readonly between: boolean; readonly toolNames: ReadonlySet<string> },
  calls: LastCalls,
  request: ModelRequest,
  handler: Handler,
): Promise<Response> {
  // LangChain does not see this where a middleware wraps tool calls, as ours does.
  const added = between
    ? []
    : request.tools.filter((tool) => 'invoke' in tool && !toolNames.has(toolName(tool)));
  if (added.length > 0)
    throw new Error(
      `You have added a new tool in "wrapModelCall": ${added.map(toolName).join(', ')}. This is not supported unless a middleware provides a "wrapToolCall" handler to execute it.`,
    );
  const last = calls.get(request.state.messages);
  if (last === undefined) return handler(request);
  const { run, told, answering } = last;
  const ready = await prepared(modelCall(run, request), request, told);
  return 'stop' in ready
    ? finalRefusal(ready.stop)
    : refusable(handler(intercepted(ready.request, answering)), answering);
}

/** The request with a model whose answers are decided on, where hooks may change or refuse them. */
function intercepted(request: ModelRequest, answering: Answering | undefined): ModelRequest {
  const model = answering && interceptModel(request.model, answering);
  return model === undefined ? request : { ...request, model: model as ModelRequest['model'] };
}

/** The reason of a Block fits no response format, at which the framework fails: the reason is the answer all the same. */
async function refusable(response: ReturnType<Handler>, answering: Answering | undefined): Promise<Response> {
  try {
    return await response;
  } catch (error) {
    const refusal = answering?.refusal();
    if (refusal === undefined) throw error;
    return refusal;
  }
}

/** Whether the model is done: it calls no tool, or has given what was asked for in a format. */
function isFinal(response: object): boolean {
  return AIMessage.isInstance(response) ? !response.tool_calls?.length : 'structuredResponse' in response;
}

/** The answer, or those inside of a structured response. */
function answersIn(response: object): readonly AIMessage[] {
  if (AIMessage.isInstance(response)) return [response];
  const messages: unknown = Reflect.get(response, 'messages');
  return Array.isArray(messages) ? messages.filter((message) => AIMessage.isInstance(message)) : [];
}

/** Fires `AfterModelCall` for each answer to one model call. */
function answerDecider(call: ModelCall): Decider {
  let verdict: AIMessage | undefined;
  let text: string | undefined;
  return {
    async decide(message) {
      verdict = undefined;
      text = undefined;
      const judged = await call.judge(toModelResponse(message), { native: message });
      if (judged.kind === 'retry') return 'again';
      if (judged.kind === 'blocked') verdict = finalRefusal(judged.stop, message.id);
      else verdict = judged.kind === 'replaced' ? toAIMessage(judged.response, message) : message;
      text = textOf(verdict); // now, because whoever gets the message may change it
      return verdict;
    },
    stands: (message) => text !== undefined && text === textOf(message),
    refusal: () => (verdict !== undefined && markOf(verdict) !== undefined ? verdict : undefined),
  };
}

/** The content of a message, to compare it: one that was streamed is a new object. */
function textOf({ text, tool_calls = [] }: AIMessage): string {
  return JSON.stringify([text, tool_calls.map(({ id, name, args }) => [id, name, args])]);
}
