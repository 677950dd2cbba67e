import { HooksError } from '@hooks/core';
import { type ToolCallRequest, ToolInvocationError, type WrapToolCallHook } from 'langchain';
import { disregardAnswer, isAnswered } from '../approval/approval.ts';
import { isReviewed, reviewOf } from '../approval/review.ts';
import { dropForgedMark, markOf } from '../blocked.ts';
import { ambientConfig } from '../config.ts';
import { hasCheckpointer, isControlFlow, isPause, isSharedNode } from '../internals.ts';
import { refusalOfCut } from '../model/storable.ts';
import type { HookedOptions } from '../options.ts';
import type { Approvers } from '../registries.ts';
import { contextAround, type HookedRun, isOtherPrincipal, type RunSeat, runFor } from '../run/run.ts';
import { argumentsOf } from './arguments.ts';
import { callHooked, type EnteringCall } from './call.ts';
import type { Adopt } from './execution.ts';
import { isIntercepted } from './intercept.ts';
import { resultsOf } from './known-results.ts';
import { answersOf, failureMessage, textOf, withAnswers } from './result.ts';
import { type FindTool, type HookableTool, partsOf } from './tool.ts';

type ToolHandler = Parameters<WrapToolCallHook>[1];
type ToolAnswer = Awaited<ReturnType<ToolHandler>>;

/** Where the tool calls of an agent enter. */
export interface ToolSeat extends RunSeat {
  readonly options: HookedOptions;
  /** Whether a tool that throws ends the run, as it does with any user middleware that wraps tool calls. */
  readonly fatal: boolean;
  /** Whether user middleware may stand between this one and the tools. */
  readonly between: boolean;
  readonly find: FindTool | undefined;
}

/** Runs a tool call of an agent through its hooks, around the middleware behind ours. */
export function wrapToolCall(
  seat: ToolSeat,
  request: ToolCallRequest,
  handler: ToolHandler,
  approvers: Approvers = new Map(),
): Promise<ToolAnswer> {
  const { toolCall, runtime, state } = request;
  const cut = refusalOfCut(toolCall.args);
  if (cut !== undefined) return Promise.resolve(failureMessage(cut, toolCall.id ?? '', toolCall.name));
  const tool = request.tool as HookableTool | undefined; // ToolNode only calls what has an `invoke`
  const failed = (error: unknown, refused = false): ToolAnswer => {
    // The tool, or an agent inside it, waits for a person, so the run is not over.
    if (isPause(error)) runFor(seat, runtime, state.messages).waits = true;
    const fatal = seat.fatal && !refused; // the model's mistakes do not end a run
    if (fatal || isControlFlow(error) || runtime.signal?.aborted || isInputError(error)) throw error;
    // Any middleware that wraps tool calls makes errors of tools fatal. Without ours, the model would read the error.
    return failureMessage(error, toolCall.id ?? '', toolCall.name);
  };
  const { original, registries } = partsOf(tool, seat.registries);
  const toolName = tool?.name ?? toolCall.name; // a middleware may have replaced the tool, and not the name
  const concerned =
    registries.concerns(toolName) || isReviewed(seat.options, toolName) || isAnswered(toolCall.id, runtime);
  return concerned
    ? hookedCall(seat, { registries, tool: original, approvers, failed }, toolName, request, handler)
    : Promise.resolve(handler(request))
        .then((answer) => unmarked(answer, toolCall.id))
        .catch(failed);
}

/** What a tool answered. Only hooks may mark the messages in it as blocked. */
function unmarked(answer: ToolAnswer, callId: string | undefined): ToolAnswer {
  if (answersOf(answer, callId).every((message) => markOf(message) === undefined)) return answer;
  return withAnswers(answer, callId, (message) => {
    dropForgedMark(message);
    return message;
  }) as ToolAnswer; // the same kind of answer
}

async function hookedCall(
  seat: ToolSeat,
  entering: Pick<EnteringCall, 'registries' | 'tool' | 'approvers' | 'failed'>,
  toolName: string,
  request: ToolCallRequest,
  handler: ToolHandler,
): Promise<ToolAnswer> {
  const { registries, tool, approvers } = entering;
  const { between, find } = seat;
  const { toolCall, runtime, state } = request;
  if (registries.isNative && hasCheckpointer(runtime) && isSharedNode(ambientConfig()))
    throw sharedNode(`hooksMiddleware: approval 'native' pauses the graph`);
  const run = await runOfCall(seat, request);
  const pauses =
    isReviewed(seat.options, toolName) || registries.isNative || isAnswered(toolCall.id, runtime);
  const decision = pauses ? run.deciding.begin() : undefined;
  const input = argumentsOf(toolCall, state);
  try {
    const answer = await callHooked({
      ...entering,
      run,
      about: { toolName, callId: toolCall.id, input },
      native: { tool: request.tool, config: runtime, request },
      state,
      config: runtime,
      place: { ...runtime, ...contextAround() },
      pauses,
      review: () => reviewOf(seat.options, toolName, request, input),
      async runEnds() {
        await decision?.others();
        return run.stop;
      },
      between,
      find,
      start: (target, args, adopt) => {
        decision?.end();
        const name = target?.name ?? toolCall.name;
        const changed = {
          ...request,
          tool: target as ToolCallRequest['tool'],
          toolCall: { ...toolCall, name, args: args as typeof toolCall.args },
        };
        return handler(between ? withEntered(changed, adopt, approvers) : changed);
      },
    });
    const given = unmarked(answer as ToolAnswer, toolCall.id); // the handler's own answer, or a message that replaces it
    if (registries.decidesResult(toolName)) {
      const { name, args } = toolCall;
      const results = resultsOf(run, { toolName: name, input: args }, tool, () => registries);
      for (const result of answersOf(given, toolCall.id)) await results.remember(result, name);
    }
    return given;
  } catch (error) {
    if (isPause(error)) run.waits = true;
    throw error;
  } finally {
    decision?.end();
  }
}

/** The run of a call. If it belongs to another user, what resumed it counts in no later run. */
async function runOfCall(seat: ToolSeat, { toolCall, runtime, state }: ToolCallRequest): Promise<HookedRun> {
  try {
    return runFor(seat, runtime, state.messages);
  } catch (error) {
    if (isOtherPrincipal(error)) await disregardAnswer(toolCall.id, runtime);
    throw error;
  }
}

/** All calls of an answer are one node there, and LangGraph starts a node anew each time that it resumes. */
export function sharedNode(pauses: string): HooksError {
  return new HooksError(
    'CONFIG_INVALID',
    `${pauses}, and with version "v1" each answer would run all calls again that have run beside it: leave \`version\` out, or set "v2".`,
  );
}

/**
 * Wraps tool calls behind all other middleware. If those have replaced the tool, it is a new call for the hooks. Where
 * they have only changed the input, the interception of the tool's function rechecks it.
 */
export function wrapLast(
  seat: ToolSeat,
  request: ToolCallRequest,
  handler: ToolHandler,
): Promise<ToolAnswer> {
  const entered: Entered | undefined = Reflect.get(request, ENTERED);
  const same = entered && sameTool(entered, request);
  return same === undefined
    ? wrapToolCall({ ...seat, between: false }, request, handler, entered?.approvers)
    : Promise.resolve(handler(same));
}

/** A call that hooks have decided on, as it is passed to the middleware behind ours. */
interface Entered {
  /** Intercepts a tool that only a middleware knows. */
  readonly adopt: Adopt;
  readonly approvers: Approvers;
  readonly tool: HookableTool | undefined;
  readonly name: string;
  /** The input as text, to notice changes in place. */
  input: string | undefined;
}

/** A field of requests that survives when a middleware spreads them. */
const ENTERED = Symbol('entered');

function withEntered(request: ToolCallRequest, adopt: Adopt, approvers: Approvers): ToolCallRequest {
  const { name, args } = request.toolCall;
  const entered: Entered = {
    adopt,
    approvers,
    tool: request.tool as HookableTool | undefined,
    name,
    input: textOf(args),
  };
  return Object.assign({ ...request }, { [ENTERED]: entered });
}

/** The request to pass on, if it still calls the tool that hooks have decided on. */
function sameTool(entered: Entered, request: ToolCallRequest): ToolCallRequest | undefined {
  const { name, args } = request.toolCall;
  const called = request.tool as HookableTool | undefined;
  if (name !== entered.name) return undefined;
  if (called === undefined) return entered.tool === undefined ? request : undefined;
  const brought = entered.tool === undefined && called.name === name;
  const tool = brought ? entered.adopt(called) : called;
  if (tool === undefined || !(brought || tool === entered.tool)) return undefined;
  const passed = { ...request, tool: tool as ToolCallRequest['tool'] };
  if (isIntercepted(tool)) return passed;
  // Nothing behind this can recheck the input or count the attempts, so only the first call with this input is the same.
  const { input } = entered;
  entered.input = undefined;
  return input !== undefined && input === textOf(args) ? passed : undefined;
}

/** Whether the input does not fit the tool's schema. ToolNode tells the model so itself. */
function isInputError(error: unknown): boolean {
  const chain = new Set<unknown>();
  for (let at = error; at instanceof Error && !chain.has(at); at = at.cause) {
    if (ToolInvocationError.isInstance(at)) return true;
    chain.add(at); // a cause may be circular
  }
  return false;
}
