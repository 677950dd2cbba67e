import { concerns } from '@hooks/core/adapter';
import { type ToolCallRequest, ToolInvocationError, type WrapToolCallHook } from 'langchain';
import { isAnswered, seatApproval } from '../approval/approval.ts';
import { idOfItsOwn, saidOf } from '../approval/recorded-answers.ts';
import type { MiddlewareSeat } from '../middleware.ts';
import { common } from '../run/events.ts';
import { PAUSED, parentCall, runFor } from '../run/run.ts';
import { callHooked } from './call.ts';
import { bareTool } from './intercept.ts';
import { asAsked } from './request.ts';
import { descriptor, failureMessage, isControlFlow, isPause } from './result.ts';
import { type HookableTool, isHookedBy } from './tool.ts';

/** What hooks get as `native` of a call of an agent's tool. */
export interface ToolRequestNative {
  readonly request: ToolCallRequest;
}

type ToolHandler = Parameters<WrapToolCallHook>[1];
type ToolAnswer = Awaited<ReturnType<ToolHandler>>;

/** Takes a call of an agent's tool to the hooks, around whatever stands between this middleware and the tool. */
export function wrapToolCall(
  seat: MiddlewareSeat,
  request: ToolCallRequest,
  handler: ToolHandler,
): Promise<ToolAnswer> {
  const { hooks, owner } = seat;
  const { toolCall, runtime, state } = request;
  const tool = request.tool as HookableTool | undefined; // ToolNode only calls what has an `invoke`
  const failed = (error: unknown): ToolAnswer => {
    // A person may be asked by the tool itself, too, or by an agent inside of it: then the run is not over.
    if (isPause(error)) runFor(hooks, owner, runtime, state.messages).session.set(PAUSED, true);
    if (seat.fatal || isControlFlow(error) || runtime.signal?.aborted || isInputError(error)) throw error;
    // A middleware around tool calls makes what tools throw fatal; the agent without ours would tell the model.
    return failureMessage(error, toolCall.id ?? '', toolCall.name);
  };
  const concerned = concerns(hooks, tool?.name ?? toolCall.name) || isSettled(seat, request);
  return isHookedBy(tool, hooks) || !concerned
    ? Promise.resolve(handler(request)).catch(failed)
    : hookedCall(seat, request, handler, tool, failed);
}

/** Whether a person has had a word about the call, which hooks had asked for. */
function isSettled(
  { options, asksBefore }: MiddlewareSeat,
  { toolCall, runtime, state }: ToolCallRequest,
): boolean {
  return (
    isAnswered(options.approval, toolCall.id, runtime) ||
    (asksBefore && saidOf(state.messages, toolCall.id) !== undefined)
  );
}

function hookedCall(
  { hooks, options, owner, between, find, asksBefore }: MiddlewareSeat,
  request: ToolCallRequest,
  handler: ToolHandler,
  tool: HookableTool | undefined,
  failed: (error: unknown) => ToolAnswer,
): Promise<ToolAnswer> {
  const { toolCall, runtime, state } = request;
  const run = runFor(hooks, owner, runtime, state.messages);
  const native: ToolRequestNative = { request };
  const toolName = tool?.name ?? toolCall.name; // a middleware may put another tool in place
  const pauses = options.approval === 'native';
  // Only an answer by a person has to name the call.
  const ownId = asksBefore || pauses ? idOfItsOwn(state.messages, toolCall.id) : toolCall.id;
  let decided = (): void => {};
  const { approval, resumed, needsApproval } = seatApproval(
    options.approval,
    hooks,
    { ...common(run), callId: ownId, toolName, input: toolCall.args },
    runtime,
    {
      said: asksBefore ? saidOf(state.messages, ownId) : undefined,
      runEnds: async () => {
        const others = run.undecided.none();
        decided();
        await others;
        return run.stopped;
      },
    },
  );
  if (pauses) decided = run.undecided.begin();
  const answer = callHooked({
    hooks,
    tool,
    call: {
      session: run.session,
      agent: run.agent,
      run: run.id,
      turn: run.turn,
      toolName,
      callId: toolCall.id,
      input: toolCall.args,
      tool: tool && descriptor(bareTool(tool)),
      parentCallId: parentCall(runtime),
      signal: runtime.signal,
      resumed,
      needsApproval,
      native,
    },
    approval,
    between,
    holdStream: options.holdStream !== false,
    find,
    run,
    start: (target, args, adopt) => {
      decided();
      const asked = {
        ...request,
        tool: target as ToolCallRequest['tool'],
        toolCall: { ...toolCall, name: target?.name ?? toolCall.name, args: args as typeof toolCall.args },
      };
      return handler(between ? asAsked(asked, adopt) : asked); // only a middleware between could change it
    },
    failed,
  });
  // The pipeline hands on what the handler gave, or a message in its place.
  return (pauses ? answer.finally(decided) : answer) as Promise<ToolAnswer>;
}

/** An input that the tool's schema refuses: ToolNode itself words that for the model. */
function isInputError(error: unknown): boolean {
  return ToolInvocationError.isInstance(error) || (error instanceof Error && isInputError(error.cause));
}
