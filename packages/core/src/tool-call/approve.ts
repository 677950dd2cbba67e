import {
  type Approval,
  type ApprovalAnswer,
  type ApprovalSource,
  hashInput,
  type Resumed,
} from '../approval/approval.ts';
import { type Block, block, type HookDecision } from '../decision.ts';
import { ask } from '../dispatch/dispatch.ts';
import { type BeforeToolCall, PermissionRequest, ToolApprovalDecision } from '../event/catalogue/tool.ts';
import { after } from '../thenable.ts';
import { recheck } from './check.ts';
import type { Flight } from './flight.ts';
import { keepPaused } from './paused.ts';
import { aborted, refused } from './result.ts';
import type { Rules } from './rules.ts';
import type { AnsweredStep, BegunStep } from './step.ts';

const RUN: AnsweredStep = { status: 'run' };

/** Seeks approval where a hook or the framework requires it; the call runs where nobody does. */
export function approve(flight: Flight): BegunStep | PromiseLike<BegunStep> {
  const { approval } = flight.event;
  const { needsApproval, resumed } = flight.described;
  return approval === undefined && needsApproval === undefined && resumed === undefined
    ? run(flight)
    : weigh(flight, approval, needsApproval ?? approvedOnce(resumed));
}

/** What a hook wants, what the framework wants, and what a person has said elsewhere. */
function weigh(
  flight: Flight,
  approval: Approval | undefined,
  needsApproval: string | undefined,
): BegunStep | PromiseLike<BegunStep> {
  const { resumed } = flight.described;
  if (approval?.kind === 'required') return seek(flight, approval.reason, approval.by);
  // What a person has put in the place of the input stands, whoever grants the call by now.
  if (resumed?.decision === 'allow' && 'input' in resumed)
    return seek(flight, needsApproval ?? 'A person has changed this call.', undefined);
  // A grant is a verdict, and on record as one, also where nobody would have been asked.
  if (approval === undefined)
    return needsApproval === undefined ? run(flight) : seek(flight, needsApproval, undefined);
  return after(announce(flight, 'allow', approval.source ?? 'pre_tool_use_hook_allow', approval.reason), () =>
    run(flight),
  );
}

/** Why approval is required of a call that a person approved in another process: it may be another one by now. */
function approvedOnce(resumed: Resumed | undefined): string | undefined {
  return resumed?.hash === undefined ? undefined : 'a person has approved another call';
}

async function seek(flight: Flight, reason: string, by: 'person' | undefined): Promise<BegunStep> {
  let hash = await hashOf(flight);
  if (hash === undefined) return unshowable(flight);
  const { resumed } = flight.described;
  if (hash === flight.approved) return run(flight);
  if (approved(resumed, hash)) return runApproved(flight);
  const event = { ...flight.tell(PermissionRequest.type), reason, ...(by && { by }) };
  const decision = await flight.ask(flight.chains.permission, event, permissionRules(by));
  if (decision.kind === 'block') {
    await announceRefusal(flight, decision);
    return refused(flight, 'denied', decision);
  }
  const patch = decision.kind === 'modify' ? (decision.patch as Partial<PermissionRequest>) : {};
  let granted = patch.approval;
  if ('input' in patch) {
    const checked = await recheck(flight, patch.input);
    if (checked.kind === 'block') return refuse(flight, checked);
    // A grant is a hook's own; what a guard wants of a person, about the input that the hook has written, it cannot give.
    if (asksPerson(checked)) granted = undefined;
    hash = await hashOf(flight);
    if (hash === undefined) return unshowable(flight);
    if (approved(resumed, hash)) return runApproved(flight);
  }
  if (granted !== undefined)
    return runAllowed(flight, granted.source ?? 'pre_tool_use_hook_allow', granted.reason);
  const ask = flight.can.ask;
  if (
    ask !== true &&
    (ask === 'unchanged' || resumed?.decision === 'allow') &&
    (await changed(flight, hash))
  ) {
    const why = `Blocked, because approval is required (${reason}), and a hook has changed the call, of which a person would be shown only what the model wrote: set the adapter's \`approval\` option to an approver.`;
    await announce(flight, 'canceled', 'context_canceled', why);
    return refused(flight, 'blocked', { reason: why });
  }
  if (ask !== true && ask !== 'unchanged') {
    const why = `Approval is required (${reason}), but nobody can be asked: set the adapter's \`approval\` option.`;
    await announce(flight, 'deny', 'context_canceled', why);
    return refused(flight, 'denied', { reason: why });
  }
  const { callId, toolName, input, agent } = flight.event;
  flight.request = {
    callId,
    toolName,
    input,
    reason,
    hash,
    sessionId: flight.session.id,
    ...(agent !== undefined && { agent }),
  };
  keepPaused(flight);
  return { status: 'ask' };
}

/**
 * What a yes is to: the input that will run, and the tool where a hook has put another in the place of the one called.
 * Undefined where it has no JSON form.
 */
function hashOf({ target, event: { toolName, input } }: Flight): Promise<string | undefined> {
  return hashInput(target === undefined ? input : [toolName, input]).catch(() => undefined);
}

function unshowable(flight: Flight): BegunStep | PromiseLike<BegunStep> {
  return refused(flight, 'blocked', {
    reason: 'Blocked, because approval is required and the input cannot be shown as JSON.',
  });
}

/** Whether what would run is another tool or another input than what the model asked for: the hash is of both. */
async function changed({ described }: Flight, hash: string): Promise<boolean> {
  return hash !== (await hashInput(described.input).catch(() => undefined));
}

/** Whether a person said yes to this very call, in another process. */
function approved(resumed: Resumed | undefined, hash: string): boolean {
  return resumed?.decision === 'allow' && resumed.hash === hash;
}

async function runApproved(flight: Flight): Promise<AnsweredStep> {
  const { resumed } = flight.described;
  if (resumed !== undefined && 'input' in resumed) {
    const checked = await recheck(flight, resumed.input);
    if (checked.kind === 'block') return refuse(flight, checked);
  }
  return runAllowed(flight, 'user_approved', resumed?.by);
}

/** Somebody has said yes, to the call as it is now and to no other. */
async function runAllowed(
  flight: Flight,
  source: ApprovalSource,
  reason: string | undefined,
): Promise<AnsweredStep> {
  await announce(flight, 'allow', source, reason);
  flight.approved = await hashOf(flight);
  return run(flight);
}

function asksPerson(decision: HookDecision): boolean {
  if (decision.kind !== 'modify') return false;
  const { approval } = decision.patch as Partial<BeforeToolCall>;
  return approval?.kind === 'required' && approval.by === 'person';
}

/** A call that a hook refuses: that is on record before the call is over. */
async function refuse(flight: Flight, decision: Block): Promise<AnsweredStep> {
  await announceRefusal(flight, decision);
  return refused(flight, 'blocked', decision);
}

/** Goes on with the answer of whoever was asked. */
export async function takeAnswer(flight: Flight, answer: ApprovalAnswer): Promise<AnsweredStep> {
  const { request } = flight;
  flight.session.paused?.delete(flight.event.callId);
  flight.request = undefined;
  if (answer.decision !== 'allow') {
    const canceled = answer.decision === 'canceled';
    const reason =
      answer.reason ??
      (canceled ? 'The approval of this call was canceled.' : 'A person did not approve this call.');
    await announce(
      flight,
      answer.decision,
      answer.source ?? (canceled ? 'context_canceled' : 'user_rejected'),
      reason,
    );
    return refused(flight, 'denied', { reason });
  }
  if ('input' in answer) {
    const checked = await recheck(flight, answer.input);
    if (checked.kind === 'block') return refuse(flight, checked);
  } else if (request?.hash !== (await hashOf(flight)))
    return refuse(
      flight,
      block('Blocked, because its input has changed since a person was asked.', {
        source: 'context_canceled',
      }),
    );
  return runAllowed(flight, answer.source ?? 'user_approved', answer.reason);
}

/** Fires `ToolApprovalDecision` for a hook's no. */
export function announceRefusal(flight: Flight, { reason, source }: Block): ReturnType<typeof announce> {
  return announce(flight, 'deny', source ?? 'pre_tool_use_hook_deny', reason);
}

/** Fires `ToolApprovalDecision`. */
export function announce(
  flight: Flight,
  approval: 'allow' | 'deny' | 'canceled',
  source: ApprovalSource,
  reason: string | undefined,
): HookDecision | PromiseLike<HookDecision> {
  const event = {
    ...flight.tell(ToolApprovalDecision.type),
    approval,
    source,
    ...(reason !== undefined && { reason }),
  };
  return ask(flight.internal, flight.chains.decided, event);
}

/** Everybody agrees: the tool may run, unless the run was aborted meanwhile. */
export function run(flight: Flight): AnsweredStep | PromiseLike<AnsweredStep> {
  if (flight.signal?.aborted) return aborted(flight, flight.signal.reason);
  flight.cleared = true;
  flight.attempt++;
  flight.startedAt = Date.now();
  return RUN;
}

/** What PermissionRequest's hooks may do to a call; only a person may approve one that `by` says so of. */
const permissionRules = (by: 'person' | undefined): Rules => ({
  refuse(_flight, decision) {
    if (decision.kind !== 'modify') return undefined;
    const { approval } = decision.patch as { readonly approval?: { readonly kind: string } };
    if (approval === undefined) return undefined;
    if (approval.kind !== 'granted') return 'approval is required already; a hook can only grant it or block';
    return by === 'person' ? 'only a person may approve this call' : undefined;
  },
});
