import { AfterModelCall, type Hooks, TurnStart } from '@hooks/core';
import { after, takeContext } from '@hooks/core/adapter';
import { turnEndOf } from '@hooks/core/tool-call';
import { AIMessage, type BaseMessage } from '@langchain/core/messages';
import type { ModelRequest, WrapModelCallHook } from 'langchain';
import { finalRefusal, markOf, stopMark } from '../blocked.ts';
import type { AgentHookOptions } from '../options.ts';
import { common, endTurn, isHeard } from '../run/events.ts';
import { type HookedRun, runFor } from '../run/run.ts';
import { answerDecider, type Decider, mayChangeAnswer } from './answer.ts';
import type { Gate } from './gate.ts';
import { type Interception, interceptModel } from './intercept.ts';
import { prepared, wished, withToldFirst } from './request.ts';

/** The next model call of a run, for the framework's `handler`. */
export type Handler = Parameters<WrapModelCallHook>[1];
type Response = Awaited<ReturnType<Handler>>;

/**
 * The model calls that are going on, by the messages that they were made about, where a middleware behind all others has
 * the last of them: those may change the request, and put another model in place.
 */
export type LastCalls = WeakMap<readonly BaseMessage[], LastCall>;

interface LastCall {
  readonly run: HookedRun;
  /** What hooks want the model to know, where those about the request are asked last. */
  readonly told: Set<string> | undefined;
  /** Who decides on the answer, where hooks may change or refuse it. */
  readonly answering: Answering | undefined;
}

type Answering = Decider & Interception;

/** What model calls need of their agent. */
export interface ModelSeat {
  readonly hooks: Hooks;
  readonly options: AgentHookOptions;
  readonly lastCalls: LastCalls | undefined;
  /** Whether hooks are asked about requests by the middleware behind all others. */
  readonly asksLast: boolean;
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
  const { hooks } = seat;
  const refused = await beginTurn(hooks, run, request.messages);
  if (refused !== undefined) return refused;
  const { iteration } = run;
  const { signal } = request.runtime;
  if (isHeard(hooks, TurnStart)) await hooks.dispatch(TurnStart, { ...common(run), iteration }, { signal });
  const wanted = wished(request, run);
  const ready = seat.asksLast ? wanted : await prepared(hooks, run, wanted);
  const response = 'reason' in ready ? finalRefusal(ready) : await answered(seat, run, ready, handler);
  const mark = AIMessage.isInstance(response) ? markOf(response) : undefined;
  if (mark !== undefined) await endTurn(hooks, run, turnEndOf(mark.by));
  else if (isFinal(response) && !seat.asksStop) await endTurn(hooks, run, 'normal');
  return response;
}

/** Before the model calls of an agent when hooks hear of its tools at most: what those want of the next model call. */
export function modelGate({ hooks, owner }: Pick<ModelSeat, 'hooks'> & { readonly owner: object }): Gate {
  return (messages, config) => {
    const run = runFor(hooks, owner, config, messages);
    return after(
      beginTurn(hooks, run, messages),
      (refused) => refused ?? withToldFirst(messages, takeContext(hooks, run.session, run.id)),
    );
  };
}

/**
 * Begins the turn of a model call; where the run is not to go on, the answer in the model's place. Synchronous where
 * the hooks are.
 */
function beginTurn(
  hooks: Hooks,
  run: HookedRun,
  messages: readonly BaseMessage[],
): AIMessage | undefined | PromiseLike<AIMessage | undefined> {
  const refused = run.refused ?? run.stopped ?? stopMark(messages);
  run.stopped = undefined;
  if (refused !== undefined)
    return after(endTurn(hooks, run, turnEndOf(refused.by)), () => finalRefusal(refused));
  return after(endTurn(hooks, run, 'continue'), () => {
    run.iteration++;
    run.turn = `${run.id}:${run.iteration}`;
    return run.session.state === 'open' ? undefined : run.session.open();
  });
}

/** Calls the model until its answer stands. */
async function answered(
  { hooks, options, lastCalls, asksLast }: ModelSeat,
  run: HookedRun,
  request: ModelRequest,
  handler: Handler,
): Promise<Response> {
  const decider = answerDecider(hooks, run, request.model, request.runtime.signal);
  const { decide, stands } = decider;
  const decides = mayChangeAnswer(hooks);
  const answering = decides ? { ...decider, hold: options.holdStream !== false } : undefined;
  const told = asksLast ? new Set(takeContext(hooks, run.session, run.id)) : undefined;
  lastCalls?.set(request.state.messages, { run, told, answering });
  if (!isHeard(hooks, AfterModelCall)) return handler(request);
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
  hooks: Hooks,
  calls: LastCalls,
  request: ModelRequest,
  handler: Handler,
): Promise<Response> {
  const call = calls.get(request.state.messages);
  if (call === undefined) return handler(request);
  const { run, told, answering } = call;
  const ready = told === undefined ? request : await prepared(hooks, run, request, told);
  return 'reason' in ready
    ? finalRefusal(ready)
    : refusable(handler(intercepted(ready, answering)), answering);
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
