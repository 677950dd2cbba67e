import { concerns } from '@hooks/core/adapter';
import { type ToolCallRequest, ToolInvocationError, type WrapToolCallHook } from 'langchain';
import { isAnswered, nativeApproval } from '../approval/approval.ts';
import { callsIn, isReviewed, reviewOf } from '../approval/review.ts';
import { parentCall } from '../config.ts';
import { isControlFlow, isPause } from '../internals.ts';
import { type Members, membersOf } from '../members.ts';
import type { NativeToolCall } from '../native.ts';
import type { HookedOptions } from '../options.ts';
import { type RunSeat, runFor } from '../run/run.ts';
import { callHooked } from './call.ts';
import type { Adopt } from './execution.ts';
import { bareTool, isIntercepted, isThrough } from './intercept.ts';
import { descriptor, failureMessage, textOf } from './result.ts';
import { type FindTool, type HookableTool, hookedTool } from './tool.ts';

type ToolHandler = Parameters<WrapToolCallHook>[1];
type ToolAnswer = Awaited<ReturnType<ToolHandler>>;

/** Where the tool calls of an agent enter. */
export interface ToolSeat extends RunSeat {
  readonly options: HookedOptions;
  /** Whether a tool that throws ends the run, as with a middleware of the user's that wraps tool calls. */
  readonly fatal: boolean;
  /** Whether a middleware of the user's may stand between this one and the tools. */
  readonly between: boolean;
  readonly find: FindTool | undefined;
}

/** Takes a call of an agent's tool to the hooks, around whatever stands between this middleware and the tool. */
export function wrapToolCall(
  seat: ToolSeat,
  request: ToolCallRequest,
  handler: ToolHandler,
): Promise<ToolAnswer> {
  const { toolCall, runtime, state } = request;
  const tool = request.tool as HookableTool | undefined; // ToolNode only calls what has an `invoke`
  const failed = (error: unknown): ToolAnswer => {
    // The tool itself may ask a person, or an agent inside of it: then the run is not over.
    if (isPause(error)) runFor(seat, runtime, state.messages).waits = true;
    if (seat.fatal || isControlFlow(error) || runtime.signal?.aborted || isInputError(error)) throw error;
    // A middleware around tool calls makes what tools throw fatal; the agent without ours would tell the model.
    return failureMessage(error, toolCall.id ?? '', toolCall.name);
  };
  const members = membersOf(seat.members, hookedTool(tool)?.members ?? []);
  const toolName = tool?.name ?? toolCall.name; // a middleware may put another tool in place
  const concerned =
    members.some(({ hooks }) => concerns(hooks, toolName)) ||
    isReviewed(seat.options, toolName) ||
    isAnswered(members, toolCall.id, runtime);
  return concerned
    ? hookedCall(seat, members, toolName, request, handler, failed)
    : Promise.resolve(handler(request)).catch(failed);
}

async function hookedCall(
  seat: ToolSeat,
  members: Members,
  toolName: string,
  request: ToolCallRequest,
  handler: ToolHandler,
  failed: (error: unknown) => ToolAnswer,
): Promise<ToolAnswer> {
  const { between, find } = seat;
  const { toolCall, runtime, state } = request;
  const tool = request.tool as HookableTool | undefined;
  const run = runFor(seat, runtime, state.messages);
  const pauses =
    isReviewed(seat.options, toolName) || members.some(({ options }) => options.approval === 'native');
  const decided = pauses ? run.deciding.begin() : undefined;
  const about = { toolName, callId: toolCall.id, input: toolCall.args };
  try {
    const review = pauses ? await reviewOf(seat.options, toolName, request) : undefined;
    const native =
      pauses &&
      (await nativeApproval({
        run,
        call: { ...about, callId: idOfItsOwn(request) }, // only an answer has to name the call
        config: runtime,
        review,
        async runEnds() {
          const others = run.deciding.none();
          decided?.();
          await others;
          return run.stop;
        },
      }));
    const { approver, ...said } = native || {};
    const answer = await callHooked({
      members,
      run,
      tool,
      call: {
        ...about,
        ...said,
        agent: run.agent,
        tool: tool && descriptor(bareTool(hookedTool(tool)?.original ?? tool)),
        parentCallId: parentCall(runtime),
        signal: runtime.signal,
        native: { tool: request.tool, config: runtime, request } satisfies NativeToolCall,
      },
      native: approver,
      reviewed: review !== undefined,
      between,
      find,
      start: (target, args, adopt) => {
        decided?.();
        const name = target?.name ?? toolCall.name;
        const called = {
          ...request,
          tool: target as ToolCallRequest['tool'],
          toolCall: { ...toolCall, name, args: args as typeof toolCall.args },
        };
        return handler(between ? withEntered(called, adopt) : called); // only a middleware between could change it
      },
      failed,
    });
    return answer as ToolAnswer; // the pipeline hands on what the handler gave, or a message in its place
  } finally {
    decided?.();
  }
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
  const entered: Entered | undefined = Reflect.get(request, ENTERED);
  const same = entered && sameTool(entered, request);
  return same === undefined
    ? wrapToolCall({ ...seat, between: false }, request, handler)
    : Promise.resolve(handler(same));
}

/** A call that hooks were asked about, as it goes to the middleware behind us. */
interface Entered {
  /** Makes of a tool that only a middleware knows what is to be called in its place. */
  readonly adopt: Adopt;
  readonly tool: HookableTool | undefined;
  readonly name: string;
  readonly input: string | undefined;
}

/** A field of requests that goes along where a middleware spreads them. */
const ENTERED = Symbol('entered');

function withEntered(request: ToolCallRequest, adopt: Adopt): ToolCallRequest {
  const { name, args } = request.toolCall;
  const entered: Entered = {
    adopt,
    tool: request.tool as HookableTool | undefined,
    name,
    input: textOf(args),
  };
  return Object.assign({ ...request }, { [ENTERED]: entered });
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
