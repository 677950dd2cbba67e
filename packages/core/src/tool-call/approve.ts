import { answerFrom } from '../approval/answer-from.ts';
import {
  type Approval,
  type ApprovalAnswer,
  type ApprovalGranted,
  type ApprovalRequest,
  type ApprovalRequired,
  type ApprovalSource,
  type Approver,
  joinApprovals,
  type Remember,
  type Resumed,
} from '../approval/approval.ts';
import { hashInput } from '../approval/hash.ts';
import { type Answerer, NO_PAUSE, OTHER_INPUT, unapproved } from '../approval/questions.ts';
import { boundsOf } from '../approval/remember.ts';
import { isBlank } from '../blank.ts';
import { hideInput, revealInput } from '../conceal.ts';
import { type Block, type HookDecision, patchOf } from '../decision.ts';
import { defined } from '../defined.ts';
import type { PipelineOptions, Settling } from '../dispatch/dispatch.ts';
import { seal, thaw } from '../dispatch/seal.ts';
import { ContinuedElsewhere, HooksError } from '../error.ts';
import { type BeforeToolCall, PermissionRequest, ToolApprovalDecision } from '../event/catalogue/tool.ts';
import { answering } from '../execute.ts';
import { isSameInput } from '../plain.ts';
import { type ActiveCall, keepPaused } from './active-call.ts';
import { replaceInput } from './input.ts';
import { aborted, refused } from './result.ts';
import type { CallOptions } from './types.ts';

/**
 * Requests approval if a hook, the framework or an answer from another process requires it. Otherwise the call is
 * ready.
 */
export async function approve(call: ActiveCall): Promise<void> {
  const { approval } = call.event;
  const { needsApproval, resumed } = call.described;
  if (approval?.kind === 'required') return seek(call, approval);
  // A person approved a call of this id in another process: it may be another one by now.
  const reason =
    needsApproval ?? (resumed?.hash === undefined ? undefined : 'a person has approved another call');
  // What a person has put in the place of the input stands, whoever grants the call by now.
  if (resumed?.decision === 'allow' && 'input' in resumed)
    return seek(call, required(reason ?? 'A person has changed this call.'));
  if (resumed?.decision === 'answer')
    return seek(call, required(reason ?? 'A person has answered this call.'));
  if (approval === undefined) return reason === undefined ? clear(call) : seek(call, required(reason));
  // A grant is on record, also where nobody would have been asked.
  await announce(call, 'allow', approval.source ?? 'pre_tool_use_hook_allow', approval.reason);
  return clear(call);
}

function required(reason: string): ApprovalRequired {
  return { kind: 'required', reason };
}

/** What a request says of the requirement. */
function about({
  reason,
  reasons,
  severity,
}: Omit<ApprovalRequired, 'kind'>): Pick<ApprovalRequest, 'reason' | 'reasons' | 'severity'> {
  return { reason, ...defined({ reasons, severity }) };
}

async function seek(call: ActiveCall, requirement: ApprovalRequired): Promise<void> {
  const { resumed } = call.described;
  if ((await hashOf(call)) === call.approved) return clear(call);
  let needed = await hear(call, resumed, requirement);
  if (needed === undefined) return;
  if (call.nextStep(await hashOf(call)).kind === 'approved') return allow(call, resumed ?? {});
  const { by } = needed;
  const rechecked = call.changed?.checking === true ? true : undefined;
  const { execute } = call.event;
  const event = call.tell(PermissionRequest.type, {
    ...about(needed),
    ...defined({ by, execute, rechecked }),
  });
  const grant = new Grant();
  const decision = await call.ask(PermissionRequest, event, permissionRules(by, grant));
  if (decision.kind === 'block') return refuse(call, 'denied', decision);
  const patch: Partial<PermissionRequest> = patchOf(decision);
  let { granted } = grant;
  if ('input' in patch) {
    needed = await replace(call, needed, patch.input);
    if (needed === undefined) return;
    // A hook cannot grant what a guard requires of a person for the input that the hook has written.
    if (needed.by === 'person') granted = undefined;
    needed = await hear(call, resumed, needed);
    if (needed === undefined) return;
  }
  if (granted !== undefined) {
    const { source = 'pre_tool_use_hook_allow', reason } = granted;
    return allow(call, { source, reason }, false);
  }
  return wait(call, needed, resumed);
}

/** Waits for those who have not answered yet, unless nobody can be asked. */
async function wait(call: ActiveCall, needed: ApprovalRequired, resumed: Resumed | undefined): Promise<void> {
  const hash = await hashOf(call);
  const open = await openFor(call, { ...needed, hash }, resumed ?? {});
  if (open === undefined) return;
  const { ask = typeof call.byPause === 'function' } = call.capabilities;
  if (open.includes('native') && ask !== true) {
    if ((ask === 'unchanged' || resumed?.decision === 'allow') && (await isChanged(call, hash)))
      return cancel(
        call,
        `Blocked, because approval is required (${needed.reason}), but a hook has changed the call, and the pause would show only what the model wrote: set the adapter's \`approval\` option to an approver.`,
      );
    if (ask === false) return denyUnanswered(call, needed.reason, whyNoPause(call));
  }
  call.state = { kind: 'waiting', request: requestOf(call, needed, hash) };
}

/**
 * Whose questions are open. Undefined if there is none any more: all have said yes, and the call is allowed by the latest, or
 * nobody can be asked, and it is denied.
 */
async function openFor(
  call: ActiveCall,
  { hash, reason }: Pick<ApprovalRequest, 'hash' | 'reason'>,
  latest: Parameters<typeof allow>[1],
): Promise<readonly [Answerer, ...Answerer[]] | undefined> {
  const next = call.nextStep(hash);
  if (next.kind === 'ask') return next.who;
  if (next.kind === 'denied') await denyUnanswered(call, reason, next.why);
  else {
    claimAnswer(call);
    await allow(call, latest);
  }
  return undefined;
}

/** Why no person can be asked about a call. */
function whyNoPause({ byPause, answers, described: { resumed } }: ActiveCall): string {
  if (answers.has('native') || resumed?.decision === 'allow') return OTHER_INPUT;
  return typeof byPause === 'string' ? byPause : NO_PAUSE;
}

/** Hears a yes or an answer that came through the framework's pause, if it is to this very call. Undefined if the call needs nothing more. */
async function hear(
  call: ActiveCall,
  resumed: Resumed | undefined,
  needed: ApprovalRequired,
): Promise<ApprovalRequired | undefined> {
  if (resumed === undefined || !isAbout(resumed, await hashOf(call))) return needed;
  if (resumed.decision === 'allow') return accept(call, 'native', resumed, needed);
  await takeAnswer(call, resumed);
  return undefined;
}

/**
 * Notes a yes, which is for the call as it is now, or for the input that comes with it. Returns what is required of the call;
 * undefined if it is over, because the schema or a guard refuses that input.
 */
async function accept(
  call: ActiveCall,
  who: Answerer,
  yes: Pick<ApprovalAnswer, 'input'>,
  needed: ApprovalRequired,
): Promise<ApprovalRequired | undefined> {
  const required = 'input' in yes ? await replace(call, needed, yes.input) : needed;
  if (required !== undefined) call.answers.set(who, await hashOf(call));
  return required;
}

/** Replaces the input, which schema and guards check. Returns what is required of the new one; undefined if the call is over. */
async function replace(
  call: ActiveCall,
  needed: ApprovalRequired,
  input: unknown,
): Promise<ApprovalRequired | undefined> {
  const checked = await replaceInput(call, input);
  if (checked.kind !== 'block') return withGuards(needed, checked);
  await refuse(call, 'blocked', checked);
  return undefined;
}

function requestOf(
  { event, outermost }: ActiveCall,
  needed: Pick<ApprovalRequest, 'reason' | 'reasons' | 'severity'>,
  hash: string,
): ApprovalRequest {
  const { callId, toolName, renamedTo, nativeToolName, input, agent, principal, concealed } = event;
  const sessionId = outermost.session.id;
  const request = {
    callId,
    toolName,
    input,
    ...about(needed),
    hash,
    sessionId,
    ...defined({
      renamedTo,
      nativeToolName: nativeToolName === toolName ? undefined : nativeToolName,
      agent,
      principal,
    }),
  };
  return concealed?.showTo === 'approver'
    ? Object.defineProperty(request, 'reveal', { value: () => thaw(revealInput(concealed, input)) })
    : request;
}

/** What an approval covers: the input that will run, and the tool if a hook renamed the call. */
function hashOf({ target, event: { input } }: ActiveCall): Promise<string> {
  return hashInput(target === undefined ? input : [target.name, input]);
}

/** Whether the effective tool or input differs from what the model asked for. The hash covers both. */
async function isChanged({ sent }: ActiveCall, hash: string): Promise<boolean> {
  return hash !== (await hashInput(sent));
}

/** Whether a person has let this very call run, or answered it, through the framework. */
function isAbout({ decision, hash }: Resumed, shown: string): boolean {
  return decision !== 'deny' && hash === shown;
}

/**
 * A person has answered a pending approval of this process, and the framework runs the call anew. The call goes on waiting
 * if the answer is to another input.
 */
export async function takeResumed(call: ActiveCall, resumed: Resumed): Promise<void> {
  if (call.state.kind === 'waiting' && isAbout(resumed, call.state.request.hash))
    return takeAnswer(call, resumed);
}

/** Records an approval of the call as it is now, and, if the person chose so, of others like it. */
async function allow(
  call: ActiveCall,
  answer: Pick<ApprovalAnswer, 'source' | 'reason' | 'by' | keyof Remember>,
  isByPause = call.answers.has('native'),
): Promise<void> {
  const { source } = answer;
  const reason = reasonOf(call, answer);
  // Hooks see copies: none extends what another one remembers.
  const matching = seal(answer.matching);
  const remember = seal(extentOf(call, answer));
  await announce(call, 'allow', source ?? sourceOf(remember), reason, {
    ...byPause(isByPause),
    ...whoOf(call, answer),
    ...defined({ remember, matching: remember === undefined ? undefined : matching }),
  });
  call.approved = await hashOf(call);
  return clear(call);
}

/** How far an answer says that the approval extends. One that cannot be remembered is for this call alone. */
function extentOf({ event, outermost }: ActiveCall, { remember, matching }: Remember): Remember['remember'] {
  const unset = matching === undefined ? undefined : 'there is a pattern, but `remember` is not set';
  const bounds = remember === undefined ? unset : boundsOf(remember);
  if (typeof bounds !== 'string') return remember;
  const message = `The approval of ${event.toolName} is not remembered: ${bounds}.`;
  outermost.internal.report(new HooksError('INVALID_INPUT', message));
  return undefined;
}

/** The origin of a person's approval in the audit trail. */
function sourceOf(remember: Remember['remember']): ApprovalSource {
  if (remember === undefined) return 'user_approved';
  const within = typeof remember === 'string' ? remember : remember.within;
  return within === 'always' ? 'user_approved_tool' : 'user_approved_session';
}

/** What is required, with what guards require of an input that has just changed. */
function withGuards(needed: ApprovalRequired, decision: HookDecision): ApprovalRequired {
  const { approval }: Partial<BeforeToolCall> = patchOf(decision);
  return approval?.kind === 'required' ? (joinApprovals(needed, approval) as ApprovalRequired) : needed;
}

/** How often approvers may answer one request with other inputs. */
const MAX_ANSWERS = 10;

/** Asks everybody whose question is open, once for each input that they have not seen. */
export async function askApprovers(
  call: ActiveCall,
  isControlFlow: CallOptions['isControlFlow'],
): Promise<void> {
  for (let answers = 0; call.state.kind === 'waiting'; answers++) {
    const { request } = call.state;
    // Others may answer where it goes on than where it has begun.
    const open = await openFor(call, request, {});
    if (open === undefined) return;
    const [who] = open;
    const approver = who === 'native' ? call.byPause : who;
    if (typeof approver !== 'function') return denyUnanswered(call, request.reason, whyNoPause(call));
    if (answers >= MAX_ANSWERS) {
      const reason = 'Approval is required, but the approvers keep changing the input.';
      return takeShown(call, { decision: 'deny', reason, source: 'no_approver' }, 'nobody');
    }
    const answer = await answerOf(call, approver, request, isControlFlow);
    if (call.state.kind !== 'waiting' || call.state.request !== request)
      throw new ContinuedElsewhere(`call ${call.callId} was answered elsewhere in the meantime`);
    await takeShown(call, answer, who);
  }
}

async function answerOf(
  call: ActiveCall,
  approver: Approver,
  request: ApprovalRequest,
  isControlFlow: CallOptions['isControlFlow'],
): Promise<ApprovalAnswer> {
  const { signal } = call;
  try {
    const answer = answerFrom(await unlessAborted(approver(request, { signal }), signal), request.hash);
    return typeof answer === 'string' ? failedAnswer(call, answer) : shownAnswer(call, answer);
  } catch (cause) {
    if (isControlFlow?.(cause) === true) throw cause;
    if (signal?.aborted) return { decision: 'canceled' };
    // It may quote the values that the approver was shown.
    return failedAnswer(call, '', call.event.concealed === undefined ? { cause } : {});
  }
}

/** The denial in the place of an answer that never came, or that says more than its decision does. */
export function failedAnswer(
  { event, outermost }: ActiveCall,
  problem: string,
  options?: ErrorOptions,
): ApprovalAnswer & { readonly decision: 'deny' } {
  const message =
    `The approver failed on a call of ${event.toolName}; the call was denied. ${problem}`.trim();
  outermost.internal.report(new HooksError('APPROVER_FAILED', message, options));
  return {
    decision: 'deny',
    reason: 'Approval is required, and the approver failed.',
    source: 'no_approver',
  };
}

/** An answer without the values that a person, who may have seen them, quotes or returns in the input. */
function shownAnswer({ event }: ActiveCall, answer: ApprovalAnswer): ApprovalAnswer {
  const { concealed, input: shown } = event;
  if (concealed === undefined) return answer;
  const { decision, ...said } = answer;
  try {
    const input = 'input' in said ? { input: hideInput(concealed, shown, said.input) } : {};
    return { ...(concealed.hide({ ...said, ...input }) as Partial<ApprovalAnswer>), decision };
  } catch {
    const reason = 'Denied, because the values of this call could not be hidden in the answer.';
    return { decision: 'deny', reason, source: 'no_approver' };
  }
}

async function unlessAborted<T>(promise: T | PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  let stop: () => void = () => {};
  const abort = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([promise, abort]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

/** Continues with a person's answer through the framework's pause. */
export function takeAnswer(call: ActiveCall, answer: ApprovalAnswer): Promise<void> {
  return takeShown(call, shownAnswer(call, answer));
}

/** Denies a call that nobody has answered. */
function denyUnanswered(call: ActiveCall, reason: string, why: string): Promise<void> {
  return takeShown(call, shownAnswer(call, unapproved(reason, why)), 'nobody');
}

/**
 * Claims a waiting call for one answer. Other answers may arrive while hooks hear of this one, and must not count.
 *
 * @returns what it waited for, and how it goes on waiting; undefined if it does not wait
 */
function claimAnswer(
  call: ActiveCall,
): { readonly request: ApprovalRequest; wait(next?: ApprovalRequest): void } | undefined {
  const { state, outermost } = call;
  if (state.kind !== 'waiting') return undefined;
  const { request } = state;
  const wasPaused = outermost.session.paused?.delete(call) === true;
  call.state = { kind: 'answered' };
  return {
    request,
    wait(next = request) {
      call.state = { kind: 'waiting', request: next };
      if (wasPaused) keepPaused(call);
    },
  };
}

/** Continues with an answer. A yes leaves the call waiting where others have not answered. */
async function takeShown(
  call: ActiveCall,
  answer: ApprovalAnswer,
  who: Answerer | 'nobody' = 'native',
): Promise<void> {
  const claimed = claimAnswer(call);
  if (answer.decision === 'answer') return answerInPlace(call, answer, who);
  if (answer.decision !== 'allow') {
    const canceled = answer.decision === 'canceled';
    const reason =
      reasonOf(call, answer) ??
      (canceled ? 'The approval of this call was canceled.' : 'A person did not approve this call.');
    const source = answer.source ?? (canceled ? 'context_canceled' : 'user_rejected');
    await announce(call, answer.decision, source, reason, {
      ...whoOf(call, answer),
      ...byPause(who === 'native' && !canceled),
    });
    return refused(call, 'denied', { reason });
  }
  if (claimed === undefined || who === 'nobody') return;
  const { request, wait } = claimed;
  const needed = await accept(call, who, answer, { ...request, kind: 'required' });
  if (needed === undefined) return;
  const hash = await hashOf(call);
  if ((await openFor(call, { ...needed, hash }, answer)) !== undefined)
    wait(hash === request.hash ? request : requestOf(call, needed, hash));
}

/** The person's answer is the result: it takes the place of the tool. */
async function answerInPlace(
  call: ActiveCall,
  answer: ApprovalAnswer,
  who: Answerer | 'nobody',
): Promise<void> {
  const { output } = answer;
  if (call.capabilities.route !== true)
    return takeShown(
      call,
      {
        ...{ ...answer, decision: 'deny' },
        reason: 'A person answered this call in place of the tool, which is not possible here.',
      },
      who,
    );
  call.change({ execute: answering(() => output) });
  call.answer = { output };
  // Hooks on the decision tell by it that nobody said the tool may run, so no approver names another source.
  return allow(call, { by: answer.by, source: 'user_answered' }, who === 'native');
}

/** Who decided, for the record. */
function whoOf(call: ActiveCall, { by }: Pick<ApprovalAnswer, 'by'>): Pick<ToolApprovalDecision, 'by'> {
  if (by === undefined) return {};
  if (typeof by === 'string' && !isBlank(by)) return { by };
  reportOdd(call, '`by` is not recorded: it has to be the name of who decided, with a visible character');
  return {};
}

/** The reason of an answer, if a person has written one. */
function reasonOf(call: ActiveCall, { reason }: Pick<ApprovalAnswer, 'reason'>): string | undefined {
  if (typeof reason === 'string') return isBlank(reason) ? undefined : reason;
  if (reason !== undefined) reportOdd(call, 'its `reason` is ignored: it has to be a text');
  return undefined;
}

/** The answer comes from another program, which may not be typed. It counts without what is wrong in it. */
function reportOdd({ event, outermost }: ActiveCall, what: string): void {
  const message = `An answer to the approval of ${event.toolName}: ${what}.`;
  outermost.internal.report(new HooksError('INVALID_INPUT', message));
}

/** Ends a call that nobody can approve any more. */
export async function cancel(call: ActiveCall, reason: string): Promise<void> {
  await announce(call, 'canceled', 'context_canceled', reason);
  return refused(call, 'blocked', { reason });
}

/** Ends a call that a hook refuses. */
export async function refuse(call: ActiveCall, status: 'blocked' | 'denied', decision: Block): Promise<void> {
  await announce(call, 'deny', decision.source ?? 'pre_tool_use_hook_deny', decision.reason);
  return refused(call, status, decision);
}

function byPause(isByPause: boolean): Pick<ToolApprovalDecision, 'answered'> {
  return isByPause ? { answered: true } : {};
}

/** Fires `ToolApprovalDecision`. */
function announce(
  call: ActiveCall,
  approval: 'allow' | 'deny' | 'canceled',
  source: ApprovalSource,
  reason: string | undefined,
  about: Pick<ToolApprovalDecision, 'answered' | 'by' | keyof Remember> = {},
): Settling {
  const { approvalId } = call.described;
  const event = call.tell(ToolApprovalDecision.type, {
    approval,
    source,
    ...about,
    ...defined({ reason, approvalId }),
  });
  // Hooks hear of it even if the run was aborted meanwhile.
  return call.ask(ToolApprovalDecision, event, { signal: undefined });
}

/** Clears the call to run, unless the run was aborted meanwhile. */
async function clear(call: ActiveCall): Promise<void> {
  if (call.signal?.aborted) return aborted(call, call.signal.reason);
  call.state = { kind: 'ready', delayMs: 0 };
}

/** The grant of a hook: it is for the call that its hook saw or wrote, and lapses if a later hook changes tool or input. */
export class Grant {
  granted: ApprovalGranted | undefined;

  /** Notes what a hook's Modify does to it. */
  note(approval: Approval | undefined, isChanged: boolean): void {
    if (approval?.kind === 'granted') this.granted = approval;
    else if (isChanged) this.granted = undefined;
  }
}

/** What PermissionRequest hooks may do to a call. `by` may reserve the decision for a person. */
function permissionRules(by: 'person' | undefined, grant: Grant): PipelineOptions {
  return {
    refuse(decision, event) {
      const patch: Partial<PermissionRequest> = patchOf(decision);
      const { approval } = patch;
      if (approval !== undefined && approval.kind !== 'granted')
        return 'approval is required already; a hook can only grant it or block';
      if (approval !== undefined && by === 'person') return 'only a person may approve this call';
      grant.note(approval, changesInput(patch, event as PermissionRequest));
      return undefined;
    },
  };
}

/** Whether a Modify changes the input of a call. */
export function changesInput(
  patch: { readonly input?: unknown },
  { input }: { readonly input: unknown },
): boolean {
  return 'input' in patch && !isSameInput(patch.input, input);
}
