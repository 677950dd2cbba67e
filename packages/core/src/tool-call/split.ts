import { answerFrom } from '../approval/answer-from.ts';
import type { ApprovalAnswer } from '../approval/approval.ts';
import { defined } from '../defined.ts';
import { ContinuedElsewhere, fail } from '../error.ts';
import { isPlain, isSameInput } from '../plain.ts';
import type { KnownSession } from '../session/state.ts';
import { ActiveCall, enter, keepPaused } from './active-call.ts';
import { askApprovers, failedAnswer, takeAnswer } from './approve.ts';
import { admit, begin } from './before.ts';
import { listOf, membersOf } from './members.ts';
import { type Ending, finish, refused, returned, threw, wording } from './result.ts';
import type {
  Approving,
  AskApproval,
  BeginOptions,
  Begun,
  CallOptions,
  CallToken,
  DoneCall,
  Finished,
  Registries,
  RunCall,
  ToolCall,
  ToolCallOutcome,
  ToolResult,
} from './types.ts';

/** The calls for tokens of this process. For other tokens, only their content is known. */
const calls: WeakMap<CallToken, ActiveCall> = new WeakMap();

/**
 * The first half of a tool call, for frameworks with separate callbacks before and after: opens the session, checks the
 * input, fires `BeforeToolCall`, requests approval, and fires `BeforeExecute`.
 * @returns `run`: run the tool, then `finishToolCall`; `ask`: ask a person, then `answerToolCall`; `done`: do not run
 * it
 */
export async function beginToolCall(
  registries: Registries,
  call: ToolCall,
  { capabilities, ...options }: BeginOptions = {},
): Promise<Begun> {
  const active = enter(registries, call, {
    ...options,
    capabilities: { ...capabilities, ask: capabilities?.ask ?? false },
  });
  await begin(active);
  return begunOf(active);
}

/**
 * Continues a call that waits for approval.
 *
 * @param answer the person's answer through the framework's pause, after which the approver functions of others are asked; or
 * who answers, as for `callTool`. An approver that fails denies. `approvalId`: see `ToolCall`
 * @throws HooksError `INVALID_INPUT` if the call does not wait in this process, or no longer: begin it again there,
 * with `resumed`
 */
export async function answerToolCall(
  token: CallToken,
  answer: (ApprovalAnswer | (Approving & Pick<CallOptions, 'isControlFlow'>)) & Pick<ToolCall, 'approvalId'>,
): Promise<Begun> {
  const call = calls.get(token);
  if (call?.state.kind !== 'waiting' || call.changed?.checking || !isDue(call, token)) {
    throw new ContinuedElsewhere(
      `answerToolCall: call ${token.callId} does not wait for approval in this process; begin it again with \`resumed\`.`,
    );
  }
  const { hash } = call.state.request;
  call.due = undefined;
  takeUp(call, { approvalId: answer.approvalId });
  if ('decision' in answer) {
    const { approvalId: _, ...said } = answer;
    // A class may have its fields as accessors.
    const read = answerFrom(isPlain(answer) ? said : answer, hash);
    await takeAnswer(call, typeof read === 'string' ? failedAnswer(call, read) : read);
    await askApprovers(call, undefined);
  } else {
    call.approveBy(answer);
    await askApprovers(call, answer.isControlFlow);
  }
  // Where an approver has thrown, the call is still paused.
  call.outermost.session.paused?.delete(call);
  return begunOf(call);
}

/**
 * The second half of a tool call: transforms the tool's result and fires `AfterToolCall`.
 * @param token what `beginToolCall` returned, or its JSON in another process
 * @throws HooksError `INVALID_INPUT` if this process has already finished the call with it
 */
export async function finishToolCall(
  registries: Registries,
  token: CallToken,
  result: ToolResult,
): Promise<Finished> {
  const known = calls.get(token);
  if (known !== undefined && known.due !== token)
    fail(
      'INVALID_INPUT',
      `finishToolCall: call ${token.callId} has continued since \`token\` was returned; use the newest token, and each only once.`,
    );
  const call = known ?? callOf(registries, token);
  call.due = undefined;
  await finish(call, endingOf(call, result));
  if (call.state.kind === 'finished') return { kind: 'done', outcome: call.state.outcome };
  const delayMs = call.state.kind === 'ready' ? call.state.delayMs : 0;
  return { kind: 'again', ...running(call, delayMs), delayMs, token: handOut(call) };
}

/**
 * Ends a call that ran where no hook could see it, such as in a client: transforms its result and fires
 * `AfterToolCall`. Neither `BeforeToolCall` nor approval concerns it any more, and it cannot be retried.
 *
 * @param begun what `beginToolCall` returned, if the call began in this process
 */
export async function endToolCall(
  registries: Registries,
  call: ToolCall,
  result: ToolResult,
  begun?: RunCall,
): Promise<ToolCallOutcome> {
  const active =
    begun === undefined ? enter(registries, call, {}) : resumeBegun(begun, call, { ranElsewhere: true });
  // The request in which it began may be over, and its signal have fired.
  active.described = { ...active.described, signal: call.signal };
  for (const { session } of active.members) await session.open(active.event.principal);
  active.begin();
  await finish(active, endingOf(active, result));
  if (active.state.kind === 'finished') return active.state.outcome;
  fail(
    'INVALID_INPUT',
    `endToolCall: call ${active.callId} ran elsewhere and cannot be retried; begin it without \`retry\`.`,
  );
}

function endingOf(call: ActiveCall, result: ToolResult): Ending {
  return 'error' in result ? threw(call, result.error) : returned(call, result.output);
}

/** Ends a call that may run, and never will: fires `AfterToolCall`. Has no effect on one that has continued. */
export async function abandonCall({ token }: RunCall, reason: string): Promise<void> {
  const call = calls.get(token);
  if (call === undefined || call.due !== token || call.state.kind !== 'running') return;
  call.due = undefined;
  call.pause();
  await refused(call, 'blocked', { reason });
}

/**
 * Forgets the paused calls of a session with that id, or of that run. One that hooks had let run, and that paused in its
 * tool, ends: what they took for it when they let it run is given back.
 */
export async function abandonPaused(
  { paused }: KnownSession,
  { callId, run }: { readonly callId?: string; readonly run?: string },
  reason: string,
): Promise<void> {
  const forgotten = [...(paused ?? [])]
    .filter((call) => call instanceof ActiveCall)
    .filter((call) => call.callId === callId || (run !== undefined && call.event.run === run));
  // All of them first: while hooks hear of one, none of the others may resume.
  for (const call of forgotten) paused?.delete(call);
  for (const call of forgotten)
    if (call.admitted && call.state.kind !== 'finished') await refused(call, 'blocked', { reason });
}

/**
 * The call that continues after `beginToolCall`. Another signal may abort it by now.
 *
 * @param options `ranElsewhere`: the framework may have parsed the input meanwhile
 */
export function resumeBegun(
  { kind, token }: RunCall | AskApproval,
  { callId, toolName, input, ...resuming }: ToolCall,
  { ranElsewhere = false, ...approving }: Approving & { readonly ranElsewhere?: boolean },
): ActiveCall {
  const call = calls.get(token);
  if (call === undefined)
    fail('INVALID_INPUT', 'callTool: `begun` must be what beginToolCall returned in this process.');
  if (!isDue(call, token))
    throw new ContinuedElsewhere(
      `callTool: call ${token.callId} has continued since \`begun\` was returned; use the newest one, and each only once.`,
    );
  const { described, sent } = call;
  const isSame = described.toolName === toolName && (!callId || callId === call.callId);
  if (!isSame || !(ranElsewhere || isSameInput(input, sent)))
    fail(
      'INVALID_INPUT',
      `callTool: \`begun\` is of another call (${token.callId} of ${described.toolName}); a decision holds for the call and input that it was made about.`,
    );
  call.outermost.session.paused?.delete(call);
  takeUp(call, resuming);
  call.approveBy(approving);
  if (kind === 'run' && call.state.kind === 'running') call.pause();
  call.due = undefined;
  return call;
}

/** Notes what the call goes on with. */
function takeUp(call: ActiveCall, { signal, approvalId }: Pick<ToolCall, 'signal' | 'approvalId'>): void {
  const { described } = call;
  call.described = {
    ...described,
    signal: signal ?? described.signal,
    approvalId: approvalId ?? described.approvalId,
  };
}

/**
 * Continues a call that waits for approval, unless another request has done so meanwhile, by another answer to the same
 * approval: then it is over here, and its hooks hear of it from there.
 */
export async function unlessElsewhere<Result>(
  { token }: AskApproval,
  act: () => Promise<Result>,
): Promise<Result | DoneCall> {
  try {
    return await act();
  } catch (error) {
    const call = calls.get(token);
    if (call === undefined || !(error instanceof ContinuedElsewhere)) throw error;
    const { callId, toolName, input } = token;
    const reason = `The call did not run: another request has answered this approval of ${toolName}.`;
    const message = wording(call, { reason, toolName, ran: false });
    return {
      kind: 'done',
      outcome: {
        callId,
        toolName,
        input,
        status: 'blocked',
        ran: false,
        reason,
        message,
        attempts: 0,
        exhausted: false,
        durationMs: 0,
        context: [],
        stop: false,
        aborted: false,
      },
    };
  }
}

/** Whether the token continues a call: the newest token does, once; any does if the call has paused since and waits. */
function isDue(call: ActiveCall, token: CallToken): boolean {
  const { due, outermost } = call;
  return due === undefined ? outermost.session.paused?.has(call) === true : due === token;
}

async function begunOf(call: ActiveCall): Promise<Begun> {
  if (call.state.kind === 'ready' && call.runsIn !== 'callTool') await admit(call);
  const { state } = call;
  if (state.kind === 'finished') return { kind: 'done', outcome: state.outcome };
  if (state.kind === 'waiting') {
    keepPaused(call);
    const { request } = state;
    const next = call.nextStep(request.hash);
    const native = next.kind === 'ask' && next.who.includes('native');
    return { kind: 'ask', native, request, token: handOut(call) };
  }
  return { kind: 'run', ...running(call, 0), token: handOut(call) };
}

/** Begins the next attempt, and returns what to run. */
function running(call: ActiveCall, delayMs: number): Pick<RunCall, 'input' | 'execute' | 'idempotencyKey'> {
  call.begin(delayMs);
  const { substitute, idempotencyKey } = call;
  return {
    // Where `callTool` runs it, nobody else needs the values that the call conceals.
    input: call.runsIn === 'callTool' ? call.input : call.runnable,
    ...defined({ execute: substitute, idempotencyKey }),
  };
}

/** A new token, which is from now on the only one that continues the call. */
function handOut(call: ActiveCall): CallToken {
  const { token } = call;
  call.due = token;
  calls.set(token, call);
  return token;
}

/** A call that another process began, from the content of its token. */
function callOf(registries: Registries, token: CallToken): ActiveCall {
  const {
    session,
    toolName,
    nativeToolName,
    retry,
    attempt,
    startedAt,
    modelInput,
    executionId,
    idempotencyKey,
    answered = false,
    ...about
  } = token;
  const attached = listOf(registries);
  const [outermost] = attached;
  if (outermost === undefined) fail('INVALID_INPUT', 'finishToolCall: at least one registry is needed');
  const described = { ...about, toolName: nativeToolName, session: outermost.hooks.session(session) };
  const call = new ActiveCall(membersOf(attached, described.session), described, { capabilities: { retry } });
  call.renamed(token);
  call.change({ modelInput });
  call.executionId = executionId;
  call.idempotencyKey = idempotencyKey;
  call.answeredElsewhere = answered;
  call.attempt = attempt;
  call.startedAt = startedAt;
  call.state = { kind: 'running' };
  return call;
}
