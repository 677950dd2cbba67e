import type { Hooks } from '@hooks/core';
import { concerns } from '@hooks/core/adapter';
import { type ToolCallRequest, ToolInvocationError, type WrapToolCallHook } from 'langchain';
import { attachedOf, isAnswered, type NativeApproval, nativeApproval } from '../approval/approval.ts';
import { callsIn, isReviewed, reviewOf } from '../approval/review.ts';
import type { AgentHookOptions } from '../options.ts';
import { common } from '../run/events.ts';
import { PAUSED, parentCall, runFor } from '../run/run.ts';
import { callHooked, membersOf } from './call.ts';
import type { Adopt } from './execution.ts';
import { bareTool, isIntercepted, isThrough } from './intercept.ts';
import { descriptor, failureMessage, isControlFlow, isPause, textOf } from './result.ts';
import { type FindTool, type HookableTool, hasMember, hookedTool, type Member } from './tool.ts';

/** What hooks get as `native` of a call of an agent's tool. */
export interface ToolRequestNative {
  readonly request: ToolCallRequest;
}

type ToolHandler = Parameters<WrapToolCallHook>[1];
type ToolAnswer = Awaited<ReturnType<ToolHandler>>;

/** Where the tool calls of an agent enter. */
export interface ToolSeat {
  /** The registry of this middleware. */
  readonly hooks: Hooks;
  /** All registries that hook the agent's calls, outermost first. */
  readonly members: readonly Member[];
  readonly options: AgentHookOptions;
  /** Identifies the agent. */
  readonly owner: object;
  /** Whether a tool that throws ends the run, as with a middleware of the user's that wraps tool calls. */
  readonly fatal: boolean;
  /** Whether a middleware of the user's may stand between this one and the tools. */
  readonly between: boolean;
  readonly find: FindTool | undefined;
}

/** Takes a call of an agent's tool to the hooks, unless a middleware further out has done so for this registry, too. */
export function wrapToolCall(
  seat: ToolSeat,
  request: ToolCallRequest,
  handler: ToolHandler,
): Promise<ToolAnswer> {
  const { hooks, owner, options } = seat;
  const { toolCall, runtime, state } = request;
  const entered = enteredOf(request);
  if (entered !== undefined && hasMember(entered.members, hooks)) return Promise.resolve(handler(request));
  const tool = request.tool as HookableTool | undefined; // ToolNode only calls what has an `invoke`
  const failed = (error: unknown): ToolAnswer => {
    // The tool itself may ask a person, or an agent inside of it: then the run is not over.
    if (isPause(error)) runFor(hooks, owner, runtime, state.messages).session.set(PAUSED, true);
    if (seat.fatal || isControlFlow(error) || runtime.signal?.aborted || isInputError(error)) throw error;
    // A middleware around tool calls makes what tools throw fatal; the agent without ours would tell the model.
    return failureMessage(error, toolCall.id ?? '', toolCall.name);
  };
  const members = membersOf(seat.members, hookedTool(tool)?.members ?? []);
  const toolName = tool?.name ?? toolCall.name;
  const concerned =
    members.some((one) => concerns(one.hooks, toolName)) ||
    isReviewed(options, toolCall.name) ||
    isAnswered(members, toolCall.id, runtime);
  return concerned
    ? hookedCall({ ...seat, members }, request, handler, tool, failed)
    : Promise.resolve(handler(request)).catch(failed);
}

async function hookedCall(
  seat: ToolSeat,
  request: ToolCallRequest,
  handler: ToolHandler,
  tool: HookableTool | undefined,
  failed: (error: unknown) => ToolAnswer,
): Promise<ToolAnswer> {
  const { hooks, owner, between, find, members } = seat;
  const { toolCall, runtime, state } = request;
  const run = runFor(hooks, owner, runtime, state.messages);
  const pauses = mayPause(seat, toolCall.name);
  const decided = pauses ? run.undecided.begin() : undefined;
  const place = {
    ...common(run),
    callId: toolCall.id,
    toolName: tool?.name ?? toolCall.name, // a middleware may put another tool in place
    input: toolCall.args,
  };
  try {
    const approval: NativeApproval | undefined = pauses
      ? await nativeApproval({
          members,
          // Only an answer has to name the call.
          call: { ...place, callId: idOfItsOwn(request) },
          config: runtime,
          review: await reviewOf(seat.options, request),
          async runEnds() {
            const others = run.undecided.none();
            decided?.();
            await others;
            return run.stopped;
          },
        })
      : undefined;
    const native: ToolRequestNative = { request };
    const answer = await callHooked({
      members,
      registries: attachedOf(members, approval),
      tool,
      call: {
        ...place,
        tool: tool && descriptor(bareTool(hookedTool(tool)?.original ?? tool)),
        parentCallId: parentCall(runtime),
        signal: runtime.signal,
        resumed: approval?.resumed,
        needsApproval: approval?.needsApproval,
        native,
      },
      between,
      find,
      run,
      start: (target, args, adopt) => {
        decided?.();
        const name = target?.name ?? toolCall.name;
        const called = {
          ...request,
          tool: target as ToolCallRequest['tool'],
          toolCall: { ...toolCall, name, args: args as typeof toolCall.args },
        };
        // Only a middleware behind this one has to know, or could change it.
        return handler(between || members.length > 1 ? withEntered(called, { members, adopt }) : called);
      },
      failed,
    });
    return answer as ToolAnswer; // the pipeline hands on what the handler gave, or a message in its place
  } finally {
    decided?.();
  }
}

function mayPause({ options, members }: ToolSeat, name: string): boolean {
  return isReviewed(options, name) || members.some((one) => one.options.approval === 'native');
}

/**
 * Behind all other middleware: hooks are asked about a call of which those have made one of another tool. Another input of
 * the same tool is compared where its function is called.
 */
export function wrapLast(
  seat: ToolSeat,
  request: ToolCallRequest,
  handler: ToolHandler,
): Promise<ToolAnswer> {
  const { entered, ...call } = enteredCall(request);
  const asked = entered !== undefined && hasMember(entered.members, seat.hooks);
  const same = asked ? sameTool(entered, call) : undefined;
  return same === undefined
    ? wrapToolCall({ ...seat, between: false }, call, handler)
    : Promise.resolve(handler(same));
}

/** A call that hooks were asked about, as it goes to the middleware behind us. */
interface Entered {
  readonly members: readonly Member[];
  /** Makes of a tool that only a middleware knows what is to be called in its place. */
  readonly adopt: Adopt;
  readonly tool: HookableTool | undefined;
  readonly name: string;
  readonly input: string | undefined;
}

/** A field of requests that goes along where a middleware spreads them. */
const ENTERED = Symbol('entered');

function enteredOf(request: ToolCallRequest): Entered | undefined {
  return Reflect.get(request, ENTERED);
}

function withEntered(
  request: ToolCallRequest,
  { members, adopt }: Pick<Entered, 'members' | 'adopt'>,
): ToolCallRequest {
  const { name, args } = request.toolCall;
  const tool = request.tool as HookableTool | undefined;
  const entered: Entered = { members, adopt, tool, name, input: textOf(args) };
  return Object.assign({ ...request }, { [ENTERED]: entered });
}

function enteredCall(request: ToolCallRequest): ToolCallRequest & { readonly entered?: Entered } {
  const { [ENTERED]: entered, ...call } = request as ToolCallRequest & { readonly [ENTERED]?: Entered };
  return entered === undefined ? call : { ...call, entered };
}

/** The request as it is to be called, if it is still one of the tool that hooks were asked about. */
function sameTool(entered: Entered, request: ToolCallRequest): ToolCallRequest | undefined {
  const tool = request.tool as HookableTool | undefined;
  if (request.toolCall.name !== entered.name) return undefined;
  if (entered.tool === undefined)
    return tool === undefined
      ? request
      : { ...request, tool: entered.adopt(tool) as ToolCallRequest['tool'] };
  if (!isThrough(tool, entered.tool)) return undefined;
  // Where the function of a tool is out of reach, another input is another call.
  if (isIntercepted(entered.tool)) return request;
  const { input } = entered;
  return input !== undefined && input === textOf(request.toolCall.args) ? request : undefined;
}

/** The id of a call, unless the model has given it to another call of its answer, too. */
function idOfItsOwn({ toolCall, state }: ToolCallRequest): string | undefined {
  const same = callsIn(state.messages).filter(({ id }) => id === toolCall.id);
  return same.length > 1 ? undefined : toolCall.id;
}

/** An input that the tool's schema refuses: ToolNode itself words that for the model. */
function isInputError(error: unknown): boolean {
  return ToolInvocationError.isInstance(error) || (error instanceof Error && isInputError(error.cause));
}
