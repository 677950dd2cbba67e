import type { ApprovalRequest, Approver, CallOptions, Principal, ToolCall } from '@hooks/core';
import {
  type CallIdentity,
  isPaused,
  isSameInput,
  isSamePrincipal,
  type RunStop,
  unapproved,
} from '@hooks/core/adapter';
import type { Whereabouts } from '../config.ts';
import {
  forgetResume,
  hasCheckpointer,
  isControlFlow,
  isGivenById,
  isResumed,
  isResumedById,
  isResumedForAll,
  isStorable,
  lastInterrupts,
  resumedWith,
  takenOf,
  taskOf,
  waitingInterrupts,
} from '../internals.ts';
import type { Registries } from '../registries.ts';
import { type HookedRun, refuseOther } from '../run/run.ts';
import { answerFor, fits, type InterruptAnswer, isNo, toResumed } from './answers.ts';
import type { NodeCall } from './node-calls.ts';
import {
  type ApprovalInterrupt,
  type GivenApproval,
  isApprovalInterrupt,
  isOwn,
  isReviewInterrupt,
} from './pending.ts';
import { isDecisions, type Review } from './review.ts';

/** A call that may pause the graph. */
export interface PausableCall {
  readonly run: HookedRun;
  /** All registries that hook the call. */
  readonly registries: Registries;
  /** The id is undefined if an answer could not name the call. */
  readonly call: Omit<CallIdentity, 'callId'> & { readonly callId: string | undefined };
  readonly config: Whereabouts | undefined;
  /** For whom the call runs. */
  readonly principal: Principal | undefined;
  /** The review by `interruptOn`. */
  readonly review?: Review | undefined;
  /** Called before a person is asked. Returns the stop if a hook has ended the run. */
  readonly runEnds?: (() => Promise<RunStop | undefined>) | undefined;
  /** The call among those of its node, where a node may make several. */
  readonly node?: NodeCall | undefined;
}

/** What LangGraph's pause tells of the approval of a call. */
export type NativeApproval = Pick<CallOptions, 'pause'> &
  Pick<ToolCall, 'resumed' | 'approvalId' | 'needsApproval'>;

/** How LangGraph's pause approves a call, with the answer that a person has already given. */
export async function nativeApproval(pausable: PausableCall): Promise<NativeApproval> {
  const { run, registries, call, config, principal, review, node } = pausable;
  const { callId } = call;
  const needsApproval = review?.reason;
  if (config?.interrupt === undefined || !hasCheckpointer(config))
    return { needsApproval, pause: 'this run cannot pause: it has no checkpointer' };
  if (callId === undefined)
    return { needsApproval, pause: 'an answer could not name this call: it has no tool call id of its own' };
  const answers = await takeAnswers(pausable, callId, config.interrupt);
  const pause = askByInterrupt(pausable, config.interrupt, answers);
  const answer = answers.at(-1);
  const [outermost] = run.registries;
  const { session } = run;
  const waitsHere =
    outermost && isPaused(outermost.hooks, { ...call, callId, session, principal, run: run.id });
  const given = answer && toResumed(answer);
  // Also where the call goes on: nobody is asked about it again if its tool has paused.
  if (node && answer && !isNo(answer) && given?.hash !== undefined)
    node.approval = { hash: given.hash, principal: principal ?? principalOfSession(registries, session.id) };
  const resumed = waitsHere ? undefined : given;
  const approvalId = given && JSON.stringify([taskOf(config), callId]);
  return { pause, resumed, approvalId, needsApproval };
}

/**
 * Refuses to resume a call that waits for another user, whatever the run is resumed with. Otherwise hooks would decide about the
 * call anew, for whoever resumes it.
 *
 * @param principal for whom the call runs
 */
export async function checkWaitsFor(
  principal: Principal | undefined,
  callId: string | undefined,
  { run, registries, config, node }: Pick<PausableCall, 'run' | 'registries' | 'config' | 'node'>,
): Promise<void> {
  const shown = await shownBefore(callId, config);
  if (shown.length === 0) return;
  await run.open();
  const resumes = principal ?? principalOfSession(registries, run.session.id);
  const isOther = shown.some((one) => !isSamePrincipal(principalIn(one, callId), resumes));
  if (!isOther) return;
  await disregard(shown, { config, node });
  refuseOther(run.session.id);
}

/** The same where the run is known to belong to another user. Returns, so that the caller throws the refusal. */
export async function disregardAnswer(
  callId: string | undefined,
  config: Whereabouts | undefined,
): Promise<void> {
  await disregard(await shownBefore(callId, config), { config });
}

/** The pauses of a resumed node that tell of a call: that it waits, or that it had its approval when another one paused. */
async function shownBefore(
  callId: string | undefined,
  config: Whereabouts | undefined,
): Promise<readonly ApprovalInterrupt[]> {
  if (callId === undefined) return [];
  const shown = await pausesBefore(config);
  return shown.filter((one) => one.callId === callId || givenIn(one, callId) !== undefined);
}

/** The approvals for which a resumed node has paused before. */
async function pausesBefore(config: Whereabouts | undefined): Promise<readonly ApprovalInterrupt[]> {
  return isResumed(config) ? (await lastInterrupts(config)).filter(isApprovalInterrupt) : [];
}

/** Those of this task itself: of an agent inside it, ids and positions of values are others. */
async function ownPausesBefore(config: Whereabouts | undefined): Promise<readonly ApprovalInterrupt[]> {
  return (await pausesBefore(config)).filter((one) => isOwn(one, config));
}

/** The positions of values that LangGraph gave once more: they answer nothing, and belong to whoever asked then. */
function repeatedIn(shown: readonly ApprovalInterrupt[]): readonly number[] {
  return shown.flatMap(({ repeated = [] }) => repeated);
}

function givenIn(shown: ApprovalInterrupt, callId: string | undefined): GivenApproval | undefined {
  return shown.given?.find((one) => one.callId === callId);
}

function principalIn(shown: ApprovalInterrupt, callId: string | undefined): Principal | undefined {
  return shown.callId === callId ? shown.principal : givenIn(shown, callId)?.principal;
}

/**
 * Makes an answer of another user count in no later run. LangGraph stores the answer before the node runs that refuses it. If it
 * stays in the checkpoint, the node pauses again. That uses the answer up, and the new pause says which one it was. A node of
 * one's own pauses again, too: a `ToolNode` would turn the refusal into a result, and the call would no longer wait.
 */
async function disregard(
  [shown]: readonly ApprovalInterrupt[],
  { config, node }: Pick<PausableCall, 'config' | 'node'>,
): Promise<void> {
  const stays = isResumedForAll(config) && !(await forgetResume(config));
  if (shown === undefined || config?.interrupt === undefined || !(stays || node)) return;
  const { kept = 0, ...asked } = shown;
  try {
    for (;;) {
      const after = takenOf(config);
      const rest = stays ? after - shown.after + kept : 0;
      config.interrupt({ ...asked, after, ...(rest > 0 && { kept: rest }) });
    }
  } catch (error) {
    node?.node.paused(error);
    throw error;
  }
}

/**
 * Whether a person may have answered for a call. The answer counts even if no hook concerns the call any more, and no option
 * pauses it.
 */
export function isAnswered(callId: string | undefined, config: Whereabouts | undefined): boolean {
  if (callId === undefined) return false;
  return resumedWith(config).some((value) => answerFor(value, callId) !== undefined || isDecisions(value));
}

/** A person in another process would be shown something else than what runs. */
const UNSTORABLE =
  'a checkpoint would not keep this input as it is: it has the number -0, or a field with the name `__proto__`, `lc` or `lg_name`';

/**
 * Interrupts the graph until there is an answer for this call and this input. The newest answer that fits counts, because a
 * person may also have been asked about an input that a middleware changed. Asks nobody if a hook has ended the run.
 */
function askByInterrupt(
  { run, config, review, runEnds, node }: PausableCall,
  interrupt: (value: unknown) => unknown,
  answers: readonly InterruptAnswer[],
): Approver {
  return async (request, { signal }) => {
    let first: number | undefined;
    const repeated = new Set(repeatedIn(await ownPausesBefore(config)));
    const answer = answers.findLast((one) => fits(one, request.hash));
    while (answer === undefined) {
      if (!isStorable(request.input)) return unapproved(request.reason, UNSTORABLE);
      const ended = await runEnds?.();
      if (ended !== undefined)
        return { decision: 'canceled', source: 'context_canceled', reason: ended.reason };
      if (node) node.approval = undefined; // it was for something else
      await node?.asks();
      if (signal?.aborted) return { decision: 'canceled' }; // in the meantime, so nobody is asked
      first ??= takenOf(config) - (await keptBefore(request.callId, config));
      const before = (await ownPausesBefore(config)).flatMap(({ given = [] }) => given);
      const given = [...(node?.node.given(node, before) ?? []), ...usedUp(request, before, takenOf(config))];
      const value = {
        ...interruptOf(run, request, first, config),
        ...(await review?.shown(request)),
        ...(given.length > 0 && { given }),
        ...(repeated.size > 0 && { repeated: [...repeated] }),
      };
      const at = takenOf(config);
      // What was given by interrupt id is among the values already.
      const repeats = isResumedById(config) && at >= resumedWith(config).length;
      // Only a pause brings an answer, to the next execution. A value that is there already was for others.
      await paused(run, request, () => interrupt(value), node);
      if (repeats) repeated.add(at);
    }
    if (node && !isNo(answer)) {
      node.approval = { hash: request.hash, principal: request.principal };
      await node.ready();
    }
    return answer;
  };
}

/** How many values the call has used up since LangGraph began to give it one that was not for it. It may give that again. */
async function keptBefore(callId: string, config: Whereabouts | undefined): Promise<number> {
  const { after = 0, kept = 0 } = (await ownPausesBefore(config)).findLast(isOf(callId)) ?? {};
  return kept === 0 ? 0 : takenOf(config) - after + kept;
}

/** That the approvals which a call had before are used up, where it has run with them in another process and asks for one more. */
function usedUp(
  { callId, hash, principal }: ApprovalRequest,
  before: readonly GivenApproval[],
  until: number,
): readonly GivenApproval[] {
  const ran = before.some((one) => one.callId === callId && one.ran);
  return ran ? [{ callId, hash, principal, ran, until }] : [];
}

function interruptOf(
  run: HookedRun,
  request: ApprovalRequest,
  first: number,
  config: Whereabouts | undefined,
): ApprovalInterrupt {
  const [after, task] = [takenOf(config), taskOf(config)];
  return {
    ...{ type: 'hooks_approval', ...request, after },
    ...(task !== undefined && { task }),
    ...(!run.isFor(request.principal) && { owner: run.principal ?? null }),
    ...(after > first && { kept: after - first }),
  };
}

/** Interrupts. If that pauses the run, fires `UserInputRequired`. */
async function paused(
  run: HookedRun,
  request: ApprovalRequest,
  interrupt: () => unknown,
  node: NodeCall | undefined,
): Promise<void> {
  try {
    interrupt();
  } catch (error) {
    if (isControlFlow(error)) {
      node?.node.paused(error);
      run.waits = true;
      await run.pause([request]);
    }
    throw error;
  }
}

/**
 * The answers for this call among the node's resume values, oldest first, each approval with the hash of its input. LangGraph
 * matches interrupts by their order in the node, so an answered interrupt must be repeated before the tool's own, unless another
 * call in the node has done so. Ids are the model's, so other agents of the thread may have pending approvals with the same one:
 * an answer that LangGraph gives to all of them must apply to one only.
 */
async function takeAnswers(
  { config, review }: PausableCall,
  callId: string,
  interrupt: (value: unknown) => unknown,
): Promise<readonly InterruptAnswer[]> {
  const values = resumedWith(config);
  if (values.length === 0) return [];
  const newest = values.length - 1;
  const toAll = !isResumedById(config);
  const all = await waitingInterrupts(config);
  const waiting = all.filter(isOf(callId));
  const reviews = toAll ? all.filter(isReviewInterrupt).length : 0;
  const last = await ownPausesBefore(config);
  const repeated = repeatedIn(last);
  const shown = last.findLast(isOf(callId));
  const isOther = toAll && shown === undefined && waiting.length > 0;
  const given = values.flatMap((value, index) => {
    // The newest is for another agent's call with the same id, which waits.
    if ((isOther && index === newest) || repeated.includes(index)) return [];
    const own = answerFor(value, callId);
    // Older values were checked when they were new.
    const answer = own
      ? (review?.checked(own) ?? own)
      : review?.decided(value, index === newest && toAll ? reviews : 'to it');
    return answer ? [{ answer, value, index }] : [];
  });
  const used = given.at(-1)?.index ?? -1;
  for (let index = takenOf(config); index <= used; index++) interrupt(undefined);
  if (given.every(({ answer }) => isNo(answer))) return given.map(({ answer }) => answer);
  // The node has paused for another call since, so this one had its answer.
  const known = last.map((one) => givenIn(one, callId)).findLast((one) => one !== undefined);
  const { after = 0, kept = 0 } = shown ?? {};
  const old = values.slice(after - kept, after);
  return given.flatMap(({ answer, value, index }) => {
    if (isNo(answer)) return answer;
    if (known?.ran && index < (known.until ?? values.length)) return [];
    const isNew = index >= after;
    const isForAll = isNew && !isGivenById(config, value);
    // LangGraph gives what it has kept again, in the place of the newest answer, unless that names the interrupt.
    if (isForAll && old.some((one) => isSameInput(one, value))) return [];
    // Without a hash, it is for what this node showed last.
    const asked = isNew && index === newest ? shown?.hash : undefined;
    const hash = answer.hash ?? asked ?? known?.hash;
    // This node still waits for an answer to the same, so an older one has not counted.
    if (hash === undefined || (!isNew && hash === shown?.hash)) return [];
    const meant = waiting.filter((one) => answer.hash === undefined || one.hash === hash);
    return isForAll && shown !== undefined && meant.length > 1 ? [] : { ...answer, hash };
  });
}

/** The user that hooks named when the session started. The innermost registry decides, as in core. */
function principalOfSession({ hooks }: Registries, id: string): Principal | undefined {
  return hooks.map((registry) => registry.session(id).principal).findLast((known) => known !== undefined);
}

function isOf(callId: string): (value: unknown) => value is ApprovalInterrupt {
  return (value): value is ApprovalInterrupt => isApprovalInterrupt(value) && value.callId === callId;
}
