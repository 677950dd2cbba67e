import type { Approver, CallOptions, Principal, ToolCall } from '@hooks/core';
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
  endOf,
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
import { answerFor, fits, type InterruptAnswer, isNo, problemWith, toResumed } from './answers.ts';
import type { NodeCall } from './node-calls.ts';
import {
  type ApprovalInterrupt,
  isApprovalInterrupt,
  isOwn,
  isReviewInterrupt,
  type UsedAnswer,
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
  const taken = await takeAnswers(pausable, callId, config.interrupt);
  const [outermost] = run.registries;
  const { session } = run;
  const used = taken.map((one) =>
    usedAnswer(callId, one, principal ?? principalOfSession(registries, session.id) ?? null),
  );
  // Without any, it may go on with those that its tool has paused with.
  if (node && used.length > 0) node.used = used;
  const pause = askByInterrupt(pausable, config.interrupt, taken, used);
  const answer = taken.at(-1)?.answer;
  const waitsHere =
    outermost && isPaused(outermost.hooks, { ...call, callId, session, principal, run: run.id });
  const given = answer && toResumed(answer);
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

/** The pauses of a resumed node that tell of a call: that it waits, or that it had an answer when another one paused. */
async function shownBefore(
  callId: string | undefined,
  config: Whereabouts | undefined,
): Promise<readonly ApprovalInterrupt[]> {
  if (callId === undefined) return [];
  const shown = await pausesBefore(config);
  return shown.filter((one) => one.callId === callId || usedIn(one, callId)?.principal !== undefined);
}

/** The approvals for which a resumed node has paused before. */
async function pausesBefore(config: Whereabouts | undefined): Promise<readonly ApprovalInterrupt[]> {
  return isResumed(config) ? (await lastInterrupts(config)).filter(isApprovalInterrupt) : [];
}

/** The last approval for which this task itself has paused. An agent inside it has call ids and positions of values of its own. */
async function ownPauseBefore(config: Whereabouts | undefined): Promise<ApprovalInterrupt | undefined> {
  return (await pausesBefore(config)).findLast((one) => isOwn(one, config));
}

function usedIn({ used }: ApprovalInterrupt, callId: string | undefined): UsedAnswer | undefined {
  return used.find((one) => one.callId === callId);
}

function principalIn(shown: ApprovalInterrupt, callId: string | undefined): Principal | undefined {
  return shown.callId === callId ? shown.principal : (usedIn(shown, callId)?.principal ?? undefined);
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
  const after = endOf(config);
  const since = stays ? shown.since : after;
  try {
    pauseWith({ ...shown, after, since }, config.interrupt);
  } catch (error) {
    node?.node.paused(error);
    throw error;
  }
}

/** Pauses the node. Only a pause brings an answer, to the next execution: values that are there already were for others. */
function pauseWith(value: ApprovalInterrupt, interrupt: (value: unknown) => unknown): never {
  for (;;) interrupt(value);
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
 * Interrupts the graph unless there is an answer for this call and this input. The newest answer that fits counts, because a
 * person may also have been asked about an input that a middleware changed. Asks nobody if a hook has ended the run.
 */
function askByInterrupt(
  { run, config, review, runEnds, node }: PausableCall,
  interrupt: (value: unknown) => unknown,
  taken: readonly TakenAnswer[],
  own: readonly UsedAnswer[],
): Approver {
  return async (request, { signal }) => {
    const answer = taken.findLast((one) => fits(one.answer, request.hash))?.answer;
    if (answer !== undefined) {
      if (!isNo(answer)) await node?.ready();
      return answer;
    }
    if (!isStorable(request.input)) return unapproved(request.reason, UNSTORABLE);
    const ended = await runEnds?.();
    if (ended !== undefined)
      return { decision: 'canceled', source: 'context_canceled', reason: ended.reason };
    await node?.asks();
    if (signal?.aborted) return { decision: 'canceled' }; // in the meantime, so nobody is asked
    const last = await ownPauseBefore(config);
    const shown = await review?.shown(request);
    const used = await allUsed(node?.node.used(node) ?? own, { callId: request.callId, last, config });
    const [task, after] = [taskOf(config), endOf(config)];
    const { since = Math.max(takenOf(config), last?.after ?? 0) } =
      last?.callId === request.callId && last.hash === request.hash ? last : {};
    const value: ApprovalInterrupt = {
      type: 'hooks_approval',
      ...request,
      after,
      since,
      used,
      ...(task !== undefined && { task }),
      ...(await whyStill(last, request.callId, config)),
      ...(!run.isFor(request.principal) && { owner: run.principal ?? null }),
      ...shown,
    };
    try {
      return pauseWith(value, interrupt);
    } catch (error) {
      if (isControlFlow(error)) {
        node?.node.paused(error);
        run.waits = true;
        await run.pause([request]);
      }
      throw error;
    }
  };
}

/** Why a call waits again that has been resumed. */
async function whyStill(
  last: ApprovalInterrupt | undefined,
  callId: string,
  config: Whereabouts | undefined,
): Promise<Pick<ApprovalInterrupt, 'problem'>> {
  const values = resumedWith(config);
  if (last?.callId !== callId || values.length <= last.after) return {};
  const newest = values.at(-1);
  const waiting = (await waitingInterrupts(config, newest)).filter(isApprovalInterrupt);
  const problem = problemWith(
    newest,
    callId,
    waiting.map((one) => one.callId),
  );
  return problem === undefined ? {} : { problem };
}

/** An answer, and its position among the values of its node. */
interface TakenAnswer {
  readonly answer: InterruptAnswer;
  readonly at: number;
}

function usedAnswer(
  callId: string,
  { answer: { hash }, at }: TakenAnswer,
  principal: Principal | null | undefined,
): UsedAnswer {
  return { callId, hash, principal, at };
}

/** A call for which a node pauses. */
interface PausingCall {
  readonly callId: string;
  /** The last approval for which its task has paused. */
  readonly last: ApprovalInterrupt | undefined;
  readonly config: Whereabouts | undefined;
}

/**
 * The answers that count for nothing else once the node pauses for a call.
 *
 * @param now those of the calls that the node has come to again
 */
async function allUsed(
  now: readonly UsedAnswer[],
  { callId, last, config }: PausingCall,
): Promise<readonly UsedAnswer[]> {
  const known = new Set([callId, ...now.map((one) => one.callId)]);
  const before = [...(last?.used ?? []), ...(await newAnswers(last, config))];
  return [...now, ...before.filter((one) => !known.has(one.callId))];
}

/** What the values since the last pause of the node answer, whether or not the node has come to these calls again. */
async function newAnswers(
  last: ApprovalInterrupt | undefined,
  config: Whereabouts | undefined,
): Promise<readonly UsedAnswer[]> {
  const { after = 0, callId, principal = null } = last ?? {};
  const values = resumedWith(config).slice(after);
  const ids = new Set(values.flatMap((value) => (typeof value === 'object' ? Object.keys(value ?? {}) : [])));
  const all = [...ids].map(async (id) =>
    (await answersIn(config, id)).taken
      .filter(({ at }) => at >= after)
      .map((one) => usedAnswer(id, one, id === callId ? principal : undefined)),
  );
  return (await Promise.all(all)).flat();
}

/**
 * Takes the answers for this call. LangGraph matches interrupts by their order in the node, so an answered interrupt must be
 * repeated before the tool's own, unless another call in the node has done so.
 */
async function takeAnswers(
  { config, review }: PausableCall,
  callId: string,
  interrupt: (value: unknown) => unknown,
): Promise<readonly TakenAnswer[]> {
  const { taken, until } = await answersIn(config, callId, review);
  for (let index = takenOf(config); index <= until; index++) interrupt(undefined);
  return taken;
}

/**
 * The answers for a call among the node's resume values, oldest first, each approval with the hash of its input. A value
 * counts for the pause that it answers. The next pause of the node says what it was used for, and it counts for nothing else.
 * Ids are the model's, so other agents of the thread may have pending approvals with the same one: an answer that LangGraph
 * gives to all of them must apply to one only.
 */
async function answersIn(
  config: Whereabouts | undefined,
  callId: string,
  review?: Review,
): Promise<{ readonly taken: readonly TakenAnswer[]; readonly until: number }> {
  const values = resumedWith(config);
  if (values.length === 0) return { taken: [], until: -1 };
  const newest = values.length - 1;
  const toAll = !isResumedById(config);
  const all = await waitingInterrupts(config, toAll ? values[newest] : undefined);
  const waiting = all.filter(isOf(callId));
  const reviews = toAll ? all.filter(isReviewInterrupt).length : 0;
  const last = await ownPauseBefore(config);
  const { after = 0, since = after, used = [] } = last ?? {};
  const asked = last?.callId === callId ? last : undefined;
  const isOther = toAll && asked === undefined && waiting.length > 0;
  const given = values.flatMap((value, at) => {
    const before = used.find((one) => one.callId === callId && one.at === at);
    // The newest may be for another agent's call with the same id, which waits.
    if (at < after ? before === undefined : isOther && at === newest) return [];
    const own = answerFor(value, callId);
    // Older values were checked when they were new.
    const answer = own
      ? (review?.checked(own) ?? own)
      : review?.decided(value, at === newest && toAll ? reviews : 'to it');
    return answer ? [{ answer, at, before }] : [];
  });
  const taken = given.flatMap(({ answer, at, before }) => {
    if (before) return before.ran ? [] : { answer: { ...answer, hash: before.hash }, at };
    const value = values[at];
    const isForAll = !isGivenById(config, value);
    // LangGraph gives what it has kept again, in the place of the newest answer, unless that names the interrupt.
    if (isForAll && asked && values.slice(since, after).some((one) => isSameInput(one, value))) return [];
    if (isNo(answer)) return { answer, at };
    // Without a hash, it is for what this node showed last.
    const hash = answer.hash ?? (at === after ? asked?.hash : undefined);
    if (hash === undefined) return [];
    const meant = waiting.filter((one) => answer.hash === undefined || one.hash === hash);
    return isForAll && asked && meant.length > 1 ? [] : { answer: { ...answer, hash }, at };
  });
  return { taken, until: given.at(-1)?.at ?? -1 };
}

/** The user that hooks named when the session started. The innermost registry decides, as in core. */
function principalOfSession({ hooks }: Registries, id: string): Principal | undefined {
  return hooks.map((registry) => registry.session(id).principal).findLast((known) => known !== undefined);
}

function isOf(callId: string): (value: unknown) => value is ApprovalInterrupt {
  return (value): value is ApprovalInterrupt => isApprovalInterrupt(value) && value.callId === callId;
}
