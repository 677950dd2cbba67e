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
import { NO_APPROVER, unapproved } from '../approval/pause-answers.ts';
import { hideInput, revealInput } from '../conceal.ts';
import type { Block, HookDecision } from '../decision.ts';
import type { PipelineOptions, Settling } from '../dispatch/dispatch.ts';
import { thaw } from '../dispatch/seal.ts';
import { HooksError } from '../error.ts';
import { type BeforeToolCall, PermissionRequest, ToolApprovalDecision } from '../event/catalogue/tool.ts';
import { isSameInput } from '../plain.ts';
import type { ActiveCall } from './active-call.ts';
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
  return { reason, ...(reasons && { reasons }), ...(severity && { severity }) };
}

async function seek(call: ActiveCall, requirement: ApprovalRequired): Promise<void> {
  let needed = requirement;
  const { by } = requirement;
  let hash = await hashOf(call);
  const { resumed } = call.described;
  if (hash === call.approved) return clear(call);
  if (isMet(call, hash)) return resumeApproved(call, resumed);
  const event = call.tell(PermissionRequest.type, { ...about(needed), ...(by && { by }) });
  const grant = new Grant();
  const decision = await call.ask(PermissionRequest, event, permissionRules(by, grant));
  if (decision.kind === 'block') {
    await announceRefusal(call, decision);
    return refused(call, 'denied', decision);
  }
  const patch = decision.kind === 'modify' ? (decision.patch as Partial<PermissionRequest>) : {};
  let { granted } = grant;
  if ('input' in patch) {
    const checked = await replaceInput(call, patch.input);
    if (checked.kind === 'block') return refuse(call, checked);
    needed = withGuards(needed, checked);
    // A hook cannot grant what a guard requires of a person for the input that the hook has written.
    if (needed.by === 'person') granted = undefined;
    hash = await hashOf(call);
    if (isMet(call, hash)) return resumeApproved(call, resumed);
  }
  if (granted !== undefined) {
    const { source = 'pre_tool_use_hook_allow', reason } = granted;
    return allow(call, { source, reason });
  }
  const { approvers } = call;
  const ask = !approvers.includes('deny') && (call.capabilities.ask ?? !approvers.includes(undefined));
  if (
    ask !== true &&
    (ask === 'unchanged' || resumed?.decision === 'allow') &&
    (await isChanged(call, hash))
  ) {
    const why = `Blocked, because approval is required (${needed.reason}), but a hook has changed the call, and the pause would show only what the model wrote: set the adapter's \`approval\` option to an approver.`;
    await announce(call, 'canceled', 'context_canceled', why);
    return refused(call, 'blocked', { reason: why });
  }
  if (ask === false) {
    return takeAnswer(call, unapproved(needed.reason, NO_APPROVER));
  }
  call.state = { kind: 'waiting', request: requestOf(call, needed, hash) };
}

function requestOf(
  { event, outermost }: ActiveCall,
  needed: Pick<ApprovalRequest, 'reason' | 'reasons' | 'severity'>,
  hash: string,
): ApprovalRequest {
  const { callId, toolName, input, agent, principal, concealed } = event;
  const sessionId = outermost.session.id;
  const request = {
    callId,
    toolName,
    input,
    ...about(needed),
    hash,
    sessionId,
    ...(agent !== undefined && { agent }),
    ...(principal && { principal }),
  };
  return concealed?.showTo === 'approver'
    ? Object.defineProperty(request, 'reveal', { value: () => thaw(revealInput(concealed, input)) })
    : request;
}

/** What an approval covers: the input that will run, and the tool if a hook renamed the call. */
function hashOf({ target, event: { toolName, input } }: ActiveCall): Promise<string> {
  return hashInput(target === undefined ? input : [toolName, input]);
}

/** Whether the effective tool or input differs from what the model asked for. The hash covers both. */
async function isChanged({ sent }: ActiveCall, hash: string): Promise<boolean> {
  return hash !== (await hashInput(sent));
}

/** Whether a person approved this very call through the framework. */
export function isApproved(resumed: Resumed | undefined, hash: string): boolean {
  return resumed?.decision === 'allow' && resumed.hash === hash;
}

/** Whether that is all that is required: nobody may approve what hooks of a registry with `deny` require. */
function isMet({ approvers, described: { resumed } }: ActiveCall, hash: string): boolean {
  return isApproved(resumed, hash) && !approvers.includes('deny');
}

/** Continues with a person's approval of this very call, perhaps with another input. */
export async function resumeApproved(call: ActiveCall, resumed: Resumed | undefined): Promise<void> {
  if (resumed !== undefined && 'input' in resumed) {
    const checked = await replaceInput(call, resumed.input);
    if (checked.kind === 'block') return refuse(call, checked);
  }
  return allowWaiting(call, resumed ?? {});
}

/** Records an approval of the call as it is now, and, if the person chose so, of others like it. */
async function allow(
  call: ActiveCall,
  answer: Pick<ApprovalAnswer, 'source' | 'reason' | 'by' | keyof Remember>,
): Promise<void> {
  const { source, reason, remember, matching } = answer;
  await announce(call, 'allow', source ?? sourceOf(remember), reason, {
    ...whoOf(answer),
    ...(remember !== undefined && { remember }),
    ...(remember !== undefined && matching !== undefined && { matching }),
  });
  call.approved = await hashOf(call);
  return clear(call);
}

/** The origin of a person's approval in the audit trail. */
function sourceOf(remember: Remember['remember']): ApprovalSource {
  if (remember === undefined) return 'user_approved';
  const within = typeof remember === 'string' ? remember : remember.within;
  return within === 'always' ? 'user_approved_tool' : 'user_approved_session';
}

/** What is required, with what guards require of an input that has just changed. */
function withGuards(needed: ApprovalRequired, decision: HookDecision): ApprovalRequired {
  const { approval } = (decision.kind === 'modify' ? decision.patch : {}) as Partial<BeforeToolCall>;
  return approval?.kind === 'required' ? (joinApprovals(needed, approval) as ApprovalRequired) : needed;
}

/** Records the denial of a hook before the call ends. */
async function refuse(call: ActiveCall, decision: Block): Promise<void> {
  await announceRefusal(call, decision);
  return refused(call, 'blocked', decision);
}

/** How often approvers may answer one request with other inputs. */
const MAX_ANSWERS = 10;

/** Asks the approver of each registry whose hooks require approval, once for each input that it has not seen. */
export async function askApprovers(
  call: ActiveCall,
  isControlFlow: CallOptions['isControlFlow'],
): Promise<void> {
  let last: ApprovalAnswer = { decision: 'allow' };
  for (let answers = 0; call.state.kind === 'waiting'; answers++) {
    const { request } = call.state;
    const { approvers } = call;
    const next = approvers.find(
      (approver) => typeof approver !== 'function' || call.approvedBy.get(approver) !== request.hash,
    );
    if (next === undefined && !approvers.includes(undefined)) return allowWaiting(call, last);
    if (typeof next !== 'function' || answers >= MAX_ANSWERS) {
      const reason =
        typeof next !== 'function'
          ? 'Approval is required, but there is no approver.'
          : 'Approval is required, but the approvers keep changing the input.';
      return takeShown(call, { decision: 'deny', reason, source: 'no_approver' });
    }
    last = await answerOf(call, next, request, isControlFlow);
    if (call.state.kind !== 'waiting' || call.state.request !== request)
      throw new HooksError('INVALID_INPUT', `call ${call.callId} was answered elsewhere in the meantime`);
    if (last.decision !== 'allow') return takeShown(call, last);
    if ('input' in last && !(await changeWaiting(call, request, last.input))) return;
    const { kind, request: shown = request } = call.state as { kind: string; request?: ApprovalRequest };
    if (kind === 'waiting') call.approvedBy.set(next, shown.hash);
  }
}

async function answerOf(
  call: ActiveCall,
  approver: Approver,
  request: ApprovalRequest,
  isControlFlow: CallOptions['isControlFlow'],
): Promise<ApprovalAnswer> {
  const { signal, outermost } = call;
  try {
    const answer = await unlessAborted(approver(request, { signal }), signal);
    if (!isAnswer(answer)) throw new TypeError('the approver gave no answer');
    return shownAnswer(call, answer);
  } catch (cause) {
    if (isControlFlow?.(cause) === true) throw cause;
    if (signal?.aborted) return { decision: 'canceled' };
    outermost.internal.report(
      new HooksError(
        'APPROVER_FAILED',
        `The approver failed on a call of ${request.toolName}; the call was denied.`,
        // It may quote the values that the approver was shown.
        call.event.concealed === undefined ? { cause } : {},
      ),
    );
    return {
      decision: 'deny',
      reason: 'Approval is required, and the approver failed.',
      source: 'no_approver',
    };
  }
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

function isAnswer(value: ApprovalAnswer | undefined): value is ApprovalAnswer {
  if (value?.decision === 'answer') return 'output' in value;
  return ['allow', 'deny', 'canceled'].includes(String(value?.decision));
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

/** Applies the input that a person changed. Returns whether the call still waits, now with that input. */
async function changeWaiting(call: ActiveCall, asked: ApprovalRequest, input: unknown): Promise<boolean> {
  const checked = await replaceInput(call, input);
  if (checked.kind === 'block') {
    await refuse(call, checked);
    return false;
  }
  const needed = withGuards({ ...asked, kind: 'required' }, checked);
  call.state = { kind: 'waiting', request: requestOf(call, needed, await hashOf(call)) };
  return true;
}

/** Continues with an approver's answer. */
export function takeAnswer(call: ActiveCall, answer: ApprovalAnswer): Promise<void> {
  return takeShown(call, shownAnswer(call, answer));
}

async function takeShown(call: ActiveCall, answer: ApprovalAnswer): Promise<void> {
  if (answer.decision === 'answer') return answerInPlace(call, answer);
  if (answer.decision !== 'allow') {
    const canceled = answer.decision === 'canceled';
    const reason =
      answer.reason ??
      (canceled ? 'The approval of this call was canceled.' : 'A person did not approve this call.');
    const source = answer.source ?? (canceled ? 'context_canceled' : 'user_rejected');
    await announce(call, answer.decision, source, reason, whoOf(answer));
    return refused(call, 'denied', { reason });
  }
  if (call.state.kind === 'waiting' && 'input' in answer)
    if (!(await changeWaiting(call, call.state.request, answer.input))) return;
  return allowWaiting(call, answer);
}

/** The person's answer is the result: it takes the place of the tool. */
async function answerInPlace(call: ActiveCall, answer: ApprovalAnswer): Promise<void> {
  const { output } = answer;
  if (call.capabilities.route !== true)
    return takeShown(call, {
      ...{ ...answer, decision: 'deny' },
      reason: 'A person answered this call in place of the tool, which is not possible here.',
    });
  call.event = Object.freeze({ ...call.event, execute: () => output });
  call.answer = { output };
  // Hooks on the decision tell by it that nobody said the tool may run, so no approver names another source.
  return allow(call, { ...whoOf(answer), source: 'user_answered' });
}

/** Continues with a person's yes, unless hooks of a registry with `deny` require approval of what the person has changed. */
function allowWaiting(call: ActiveCall, answer: Parameters<typeof allow>[1]): Promise<void> {
  const isDenied = call.approvers.includes('deny');
  return isDenied ? takeShown(call, unapproved('for the changed input', NO_APPROVER)) : allow(call, answer);
}

/** Who decided, for the record. */
export function whoOf({ by }: Pick<ApprovalAnswer, 'by'>): Pick<ToolApprovalDecision, 'by'> {
  return by === undefined ? {} : { by };
}

/** Fires `ToolApprovalDecision` for a hook's denial. */
export function announceRefusal(call: ActiveCall, { reason, source }: Block): Settling {
  return announce(call, 'deny', source ?? 'pre_tool_use_hook_deny', reason);
}

/** Fires `ToolApprovalDecision`. */
export function announce(
  call: ActiveCall,
  approval: 'allow' | 'deny' | 'canceled',
  source: ApprovalSource,
  reason: string | undefined,
  about: Pick<ToolApprovalDecision, 'by' | keyof Remember> = {},
): Settling {
  const event = call.tell(ToolApprovalDecision.type, {
    approval,
    source,
    ...(reason !== undefined && { reason }),
    ...about,
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
      if (decision.kind !== 'modify') return undefined;
      const patch = decision.patch as Partial<PermissionRequest>;
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
