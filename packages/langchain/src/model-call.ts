import { AfterModelCall, BeforeModelCall, type Hooks, HooksError, TurnStart } from '@hooks/core';
import { after, takeContext } from '@hooks/core/adapter';
import { turnEndOf } from '@hooks/core/tool-call';
import { AIMessage, type BaseMessage, SystemMessage } from '@langchain/core/messages';
import type { ModelRequest, WrapModelCallHook } from 'langchain';
import { type BlockMark, finalRefusal, markOf, stopMark } from './blocked.ts';
import { common, endTurn, isHeard } from './events.ts';
import { answerDecider, type Decider, mayChangeAnswer } from './model-answer.ts';
import type { Gate } from './model-gate.ts';
import { type Interception, interceptModel } from './model-intercept.ts';
import { type ModelWish, modelWith } from './model-settings.ts';
import {
  modelName,
  toMessages,
  toModelMessage,
  toModelTools,
  toolName,
  unknownTool,
} from './model-translate.ts';
import type { AgentHookOptions } from './options.ts';
import { type HookedRun, runFor } from './run.ts';

/** The next model call of a run, for the framework's `handler`. */
export type Handler = Parameters<WrapModelCallHook>[1];
type Response = Awaited<ReturnType<Handler>>;

/**
 * Who decides on the answers of the model calls that are going on, by the messages that the call was made about, where a
 * middleware behind all others holds them: those may put another model in place.
 */
export type HeldAnswers = WeakMap<readonly BaseMessage[], Answering | undefined>;

type Answering = Decider & Interception;

/** What model calls need of their agent. */
export interface ModelSeat {
  readonly hooks: Hooks;
  readonly options: AgentHookOptions;
  readonly heldLast: HeldAnswers | undefined;
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
  const changed = isHeard(hooks, BeforeModelCall) ? await beforeModelCall(hooks, run, wanted) : wanted;
  const response =
    'reason' in changed
      ? finalRefusal(changed)
      : await answered(seat, run, withContext(changed, takeContext(hooks, run.session, run.id)), handler);
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
  { hooks, options, heldLast }: ModelSeat,
  run: HookedRun,
  request: ModelRequest,
  handler: Handler,
): Promise<Response> {
  if (!isHeard(hooks, AfterModelCall)) return handler(request);
  const decider = answerDecider(hooks, run, request.model, request.runtime.signal);
  const { decide, stands } = decider;
  const decides = mayChangeAnswer(hooks);
  const answering = decides ? { ...decider, hold: options.holdStream !== false } : undefined;
  heldLast?.set(request.state.messages, answering);
  const effective = heldLast === undefined ? intercepted(request, answering) : request;
  for (;;) {
    const response = await refusable(handler(effective), answering);
    // Hooks only look, the model's own run could not be reached, or another middleware has answered.
    const answers = answersIn(response);
    const message = answers.at(decides ? -1 : 0); // in a structured response the first is the model's
    if (message === undefined || (decides && answers.some(stands))) return response;
    const decided = await decide(message);
    if (decided === 'again') continue;
    return decided === message ? response : decided;
  }
}

/** Has the answer of the model that is really called decided on. */
export function holdAnswer(held: HeldAnswers, request: ModelRequest, handler: Handler): ReturnType<Handler> {
  const answering = held.get(request.state.messages);
  return refusable(handler(intercepted(request, answering)), answering);
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

async function beforeModelCall(
  hooks: Hooks,
  run: HookedRun,
  request: ModelRequest,
): Promise<ModelRequest | BlockMark> {
  const model = modelName(request.model);
  const decision = await hooks.dispatch(
    BeforeModelCall,
    {
      ...common(run),
      iteration: run.iteration,
      instructions: request.systemMessage.text,
      messages: request.messages.map(toModelMessage),
      tools: toModelTools(request.tools),
      ...(model !== undefined && { model }),
      ...(run.settings !== undefined && { settings: run.settings }),
      native: request,
    },
    {
      signal: request.runtime.signal,
      refuse: (answer, event) =>
        answer.kind === 'modify' ? impossible(answer.patch, event as BeforeModelCall, request) : undefined,
    },
  );
  if (decision.kind === 'block') {
    const { reason, by } = decision;
    return { reason, ...(by !== undefined && { by }) };
  }
  if (decision.kind === 'proceed') return request;
  const { instructions, messages, tools, settings } = decision.patch;
  return {
    ...wished(request, { settings }),
    ...(instructions !== undefined && { systemMessage: new SystemMessage(instructions) }),
    ...(messages !== undefined && { messages: toMessages(messages) }),
    ...(tools !== undefined && {
      tools: request.tools.filter((tool) => tools.some(({ name }) => name === toolName(tool))),
    }),
  };
}

/** The request with the model and the settings that hooks want. */
function wished(request: ModelRequest, wish: ModelWish): ModelRequest {
  if (wish.model === undefined && wish.settings === undefined) return request;
  const model = modelWith(request.model, wish);
  if (model === undefined)
    throw new HooksError('INVALID_DECISION', `A hook changed model or settings, but ${FIXED_MODEL}`);
  return { ...request, model: model as ModelRequest['model'] };
}

const FIXED_MODEL = 'this model cannot be made anew; give the agent a chat model of its own class';

/** Why a patch cannot be honoured, if so. */
function impossible(
  patch: Partial<BeforeModelCall>,
  event: BeforeModelCall,
  { model }: ModelRequest,
): string | undefined {
  if (patch.settings !== undefined && modelWith(model, {}) === undefined) return FIXED_MODEL;
  return unknownTool(patch, event);
}

/** The request with what hooks want the model to know: beside the agent's own instructions, stored nowhere. */
function withContext(request: ModelRequest, context: readonly string[]): ModelRequest {
  if (context.length === 0) return request;
  return { ...request, systemMessage: told(request.systemMessage, context) };
}

/** The messages with what hooks want the model to know in the first of them, the system message. */
function withToldFirst(messages: readonly BaseMessage[], context: readonly string[]): readonly BaseMessage[] {
  if (context.length === 0) return messages;
  const [first, ...others] = messages;
  return SystemMessage.isInstance(first)
    ? [told(first, context), ...others]
    : [told(new SystemMessage(''), context), ...messages];
}

function told(instructions: SystemMessage, context: readonly string[]): SystemMessage {
  const text = context.join('\n\n');
  return instructions.text === '' ? new SystemMessage(text) : instructions.concat(`\n\n${text}`);
}
