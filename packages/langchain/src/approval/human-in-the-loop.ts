import type { ApprovalRequest } from '@hooks/core';
import { forgetPaused, isIdle } from '@hooks/core/adapter';
import {
  answerToolCall,
  type Begun,
  beginToolCall,
  type ToolCall as HookedCall,
  hashInput,
} from '@hooks/core/tool-call';
import { AIMessage, type ToolCall } from '@langchain/core/messages';
import type { AgentMiddleware } from 'langchain';
import type { MiddlewareSeat } from '../middleware.ts';
import { common } from '../run/events.ts';
import { type HookedRun, parentCall, runFor } from '../run/run.ts';
import type { ToolRequestNative } from '../tool/agent-call.ts';
import { descriptor } from '../tool/result.ts';
import { checkOf } from '../tool/schema.ts';
import type { HookableTool } from '../tool/tool.ts';
import { canceled, fits, type NativeAnswer, resumedWith, toResumed } from './answers.ts';
import { type Pausable, paused } from './approval.ts';
import { type BegunCall, begunCalls, isSame } from './begun-calls.ts';
import { heard } from './human-answers.ts';
import { type ReviewSite, reviewOf, withCalls } from './human-review.ts';
import { withShown } from './pending.ts';
import { type SaidOfCalls, tellsSaid, withSaid } from './recorded-answers.ts';

/** Where a `humanInTheLoopMiddleware` asks. */
interface Seat extends ReviewSite {
  readonly at: MiddlewareSeat;
  readonly tools: readonly HookableTool[];
  readonly run: HookedRun;
  readonly request: Omit<ToolRequestNative['request'], 'toolCall' | 'tool'>;
  readonly config: Pausable & { readonly interrupt: (value: unknown) => unknown };
}

/** Why no hook may have another tool called in such an agent. */
export const DECIDES_BY_NAME = "the agent's HumanInTheLoopMiddleware decides by the name that the model used";

/** Whether a middleware is LangChain's `humanInTheLoopMiddleware`. */
export function asksPeople({ name }: { readonly name: string }): boolean {
  return name === 'HumanInTheLoopMiddleware';
}

/**
 * The user's `humanInTheLoopMiddleware`, hooked: the calls that it wants a person to approve are begun before it asks, so
 * that hooks may block, grant or rewrite them. It asks about those that are left, and about what will really run.
 */
export function hookedHumanInTheLoop(
  middleware: AgentMiddleware,
  at: MiddlewareSeat,
  tools: readonly HookableTool[],
): AgentMiddleware {
  const { afterModel } = middleware;
  const native = typeof afterModel === 'function' ? afterModel : afterModel?.hook;
  if (native === undefined) return middleware;
  const hook: typeof native = async (state, runtime) => {
    const { messages } = state;
    const { interrupt } = runtime;
    const message = messages.findLast((one) => AIMessage.isInstance(one));
    const calls = message?.tool_calls ?? [];
    const ids = new Set(calls.flatMap(({ id }) => id ?? []));
    if (
      isIdle(at.hooks) ||
      message === undefined ||
      calls.length === 0 ||
      ids.size < calls.length ||
      interrupt === undefined
    )
      return native(state, runtime);
    const { calls: revised, said } = await reviewed(calls, {
      at,
      tools,
      message,
      messages,
      run: runFor(at.hooks, at.owner, runtime, messages),
      afterModel: (shown) => native({ ...state, messages: shown }, runtime),
      request: { state, runtime },
      config: { ...runtime, interrupt },
    });
    return revised === calls && Object.keys(said).length === 0 && !tellsSaid(message)
      ? undefined
      : { messages: [withSaid(withCalls(message, revised), said)] };
  };
  return { ...middleware, afterModel: { ...(typeof afterModel === 'object' && afterModel), hook } };
}

/** What came of asking people. */
interface Reviewed {
  /** The calls as the tools are to be called. */
  readonly calls: ToolCall[];
  /** What people have said of them as they are now. */
  readonly said: SaidOfCalls;
}

/** A call about which a person has to be asked. */
interface Waiting {
  readonly call: ToolCall;
  readonly request: ApprovalRequest;
  readonly begun: BegunCall;
}

/** Asks hooks and people about calls; pauses the run while a person has to be asked. */
async function reviewed(calls: ToolCall[], seat: Seat): Promise<Reviewed> {
  const { at, run } = seat;
  const known = begunCalls(run.session);
  const answers = await heard(calls, seat, seat.config);
  const said: Record<string, NativeAnswer> = {};
  const revised = new Map<ToolCall, ToolCall>();
  const waiting: Waiting[] = [];
  for (const call of calls) {
    const { id = '' } = call;
    const { answer, call: wanted = call } = answers.get(id) ?? {};
    if (wanted.name !== call.name) {
      // A person had another tool called: that is another call, about which hooks have not been asked.
      known.delete(id);
      forgetPaused(at.hooks, run.session, id);
      revised.set(call, wanted);
      continue;
    }
    const before = known.get(id);
    const remembered = before !== undefined && isSame(before.proposed, call) ? before : undefined;
    const begun = remembered ?? (await begin(call, answer, seat));
    if (begun === undefined) continue;
    begun.running.signal = seat.config.signal;
    known.set(id, begun);
    if (begun.begun.kind === 'ask' && typeof at.options.approval !== 'function') {
      const { token, request } = begun.begun;
      const counts = remembered !== undefined || answer?.hash !== undefined;
      if (answer === undefined || !counts || !fits(answer, request.hash)) {
        waiting.push({ call, request, begun });
        continue;
      }
      begun.begun = await answerToolCall(token, answer);
      begun.said = { ...answer, hash: request.hash };
    }
    begun.said ??= answer;
    if (begun.said !== undefined) said[id] = begun.said;
    if (answer?.decision === 'allow' && begun.begun.kind === 'run' && 'input' in answer) {
      begun.approved = wanted;
      revised.set(call, wanted);
    }
  }
  const ended = stopAmong(calls.map(({ id = '' }) => known.get(id)?.begun));
  if (ended !== undefined) await cancel(waiting, ended);
  else if (waiting.length > 0) await pause(waiting, said, seat);
  return {
    calls: revised.size === 0 ? calls : calls.map((call) => revised.get(call) ?? call),
    said: Object.fromEntries(
      await Promise.all(Object.entries(said).map(async ([id, answer]) => [id, await onRecord(answer)])),
    ),
  };
}

/** What a person has said, about a call that has the input by now that the person wanted. */
async function onRecord({ input, ...answer }: NativeAnswer): Promise<NativeAnswer> {
  return input === undefined ? answer : { ...answer, hash: await hashInput(input) };
}

/** Begins a call that the middleware wants approved, or that a person was asked about; undefined for others. */
async function begin(
  call: ToolCall,
  answer: NativeAnswer | undefined,
  seat: Seat,
): Promise<BegunCall | undefined> {
  const { at, run, config, request, tools } = seat;
  const review = await reviewOf(seat, [call]);
  if (review === undefined && answer === undefined) return undefined;
  const tool = tools.find(({ name }) => name === call.name);
  const running = { signal: config.signal };
  const native: ToolRequestNative = {
    request: { ...request, toolCall: call, tool: tool as ToolRequestNative['request']['tool'] },
  };
  const described: HookedCall = {
    session: run.session,
    agent: run.agent,
    run: run.id,
    turn: run.turn,
    toolName: call.name,
    callId: call.id,
    input: call.args,
    tool: tool && descriptor(tool),
    parentCallId: parentCall(config),
    needsApproval: reasonIn(review) ?? `The tool "${call.name}" asks for approval.`,
    resumed: toResumed(answer),
    native,
    get signal() {
      return running.signal;
    },
  };
  const begun = await beginToolCall(at.hooks, described, {
    check: checkOf(tool),
    can: { retry: true, route: true, ask: true, rename: () => DECIDES_BY_NAME },
  });
  return { begun, proposed: call, approved: call, said: undefined, running };
}

/** The middleware's own description of what it asks. */
function reasonIn(review: object | undefined): string | undefined {
  const requests: unknown = review === undefined ? undefined : Reflect.get(review, 'actionRequests');
  const description: unknown = Array.isArray(requests) ? requests[0]?.description : undefined;
  return typeof description === 'string' ? description : undefined;
}

/** Why the run is to end, where a hook has said so of one of these calls. */
function stopAmong(calls: readonly (Begun | undefined)[]): string | undefined {
  for (const begun of calls) if (begun?.kind === 'done' && begun.outcome.stop) return begun.outcome.reason;
  return undefined;
}

/** Asks nobody about these calls: the run is to end. */
async function cancel(waiting: readonly Waiting[], reason: string): Promise<void> {
  for (const { begun } of waiting)
    if (begun.begun.kind === 'ask') begun.begun = await answerToolCall(begun.begun.token, canceled(reason));
}

/** Asks a person as the middleware does, about the inputs that will run. */
async function pause(waiting: readonly Waiting[], said: SaidOfCalls, seat: Seat): Promise<void> {
  const { at, run, config } = seat;
  const requests = waiting.map(({ request }) => request);
  const review = await reviewOf(
    seat,
    waiting.map(({ call, request }) => ({ ...call, args: Object(request.input) })),
  );
  // Interrupts are matched by their order in the node: those that were answered have to be asked again first.
  for (let left = resumedWith(config).length; left > 0; left--) config.interrupt(undefined);
  const reason = requests.map((request) => request.reason).join('\n');
  await paused(at.hooks, common(run), reason, () =>
    config.interrupt(withShown(review, { calls: requests, said })),
  );
}
