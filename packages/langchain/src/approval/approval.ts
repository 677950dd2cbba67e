import type { ApprovalRequest, Approver, Resumed } from '@hooks/core';
import { type CallIdentity, isPaused, type RunStop } from '@hooks/core/adapter';
import type { Whereabouts } from '../config.ts';
import {
  hasCheckpointer,
  isControlFlow,
  isResumedById,
  lastInterrupts,
  resumedWith,
  takenOf,
} from '../internals.ts';
import type { Registry } from '../registries.ts';
import type { HookedRun } from '../run/run.ts';
import { answerFor, fits, type InterruptAnswer, toResumed } from './answers.ts';
import { type ApprovalInterrupt, isApprovalInterrupt } from './pending.ts';
import type { Review } from './review.ts';

/** The part of LangGraph's config by which a node waits for a person. */
export type Pausable = Whereabouts & { readonly interrupt?: ((value: unknown) => unknown) | undefined };

/** A call that may pause the graph. */
export interface PausableCall {
  readonly run: Pausing;
  /** Without an id where an answer could not name it. */
  readonly call: Omit<CallIdentity, 'callId'> & { readonly callId: string | undefined };
  readonly config: Pausable | undefined;
  /** What `interruptOn` says of the tool. */
  readonly review?: Review | undefined;
  /** Asked before a person is: why the run is to end, if so. */
  readonly runEnds?: (() => Promise<RunStop | undefined>) | undefined;
}

/** The run, as far as pausing it goes. */
type Pausing = Pick<HookedRun, 'session' | 'registries' | 'pause' | 'waits'>;

/** How a call is approved by LangGraph's pause, and what a person has said of it already. */
export interface NativeApproval {
  readonly approver: Approver;
  readonly resumed: Resumed | undefined;
  readonly needsApproval: string | undefined;
}

/** How a call is approved by LangGraph's pause. */
export async function nativeApproval(pausable: PausableCall): Promise<NativeApproval> {
  const { run, call, config, review } = pausable;
  const unanswered = { resumed: undefined, needsApproval: review?.reason };
  if (config?.interrupt === undefined || !hasCheckpointer(config))
    return { ...unanswered, approver: denyAll('this run cannot pause: it has no checkpointer') };
  const { callId } = call;
  if (callId === undefined)
    return {
      ...unanswered,
      approver: denyAll('an answer could not name this call: it has no tool call id of its own'),
    };
  const answers = await takeAnswers(pausable, callId, config.interrupt);
  const approver = askByInterrupt(pausable, config.interrupt, answers);
  const answer = answers.at(-1);
  const [outermost] = run.registries;
  const { session } = run;
  if (answer === undefined || (outermost && isPaused(outermost.hooks, { ...call, callId, session })))
    return { ...unanswered, approver };
  // A yes from before is to what the person was shown: what hooks make of the call since needs another.
  const approved =
    answer.decision === 'allow' ? 'A person has approved this call as it was shown.' : undefined;
  return { approver, resumed: toResumed(answer), needsApproval: review?.reason ?? approved };
}

/** Whether a person has answered for a call: that counts, also where no hook concerns the call any longer. */
export function isAnswered(
  registries: readonly Registry[],
  callId: string | undefined,
  config: Pausable | undefined,
): boolean {
  if (callId === undefined || registries.every(({ options }) => options.approval !== 'native')) return false;
  return resumedWith(config).some((value) => answerFor(value, callId) !== undefined);
}

function denyAll(why: string): Approver {
  return ({ reason }) => ({
    decision: 'deny',
    reason: `Approval is required (${reason}), but ${why}.`,
    source: 'context_canceled',
  });
}

/**
 * Interrupts the graph until there is an answer for this very call, about this very input. Of those given the newest that
 * fits counts: a person may have been asked about the call as a middleware has changed it, too. Nobody is asked where a hook
 * has ended the run.
 */
function askByInterrupt(
  { run, review, runEnds }: PausableCall,
  interrupt: (value: unknown) => unknown,
  answers: readonly InterruptAnswer[],
): Approver {
  return async (request, { signal }) => {
    let answer = answers.findLast((one) => fits(one, request.hash));
    while (answer === undefined || !fits(answer, request.hash)) {
      const ended = await runEnds?.();
      if (ended !== undefined)
        return { decision: 'canceled', source: 'context_canceled', reason: ended.reason };
      if (signal?.aborted) return { decision: 'canceled' }; // meanwhile; nobody is asked any more
      const value = { ...interruptOf(request), ...(await review?.shown(request)) };
      answer = answerFor(await paused(run, request, () => interrupt(value)), request.callId);
    }
    return answer;
  };
}

function interruptOf(request: ApprovalRequest): ApprovalInterrupt {
  return { type: 'hooks_approval', ...request };
}

/** What an interrupt gives; where it pauses the run, hooks are told that a person is waited for. */
async function paused(run: Pausing, request: ApprovalRequest, interrupt: () => unknown): Promise<unknown> {
  try {
    return interrupt();
  } catch (error) {
    if (isControlFlow(error)) {
      run.waits = true;
      await run.pause([request]);
    }
    throw error;
  }
}

/**
 * The answers for this call among those with which the node was resumed, oldest first. Interrupts are matched by their order
 * in the node, so one that was answered has to be asked again before the tool asks its own, unless others that ask in the
 * same node have done so.
 */
async function takeAnswers(
  { config, review }: PausableCall,
  callId: string,
  interrupt: (value: unknown) => unknown,
): Promise<readonly InterruptAnswer[]> {
  const values = resumedWith(config);
  const given = values.map((value, index) => {
    const answer = answerFor(value, callId);
    if (answer !== undefined) return review?.checked(answer) ?? answer;
    // An older one was checked when it was new.
    const toAll = index === values.length - 1 && !isResumedById(config);
    return review?.decided(value, toAll ? 'to all' : 'to it');
  });
  const at = given.findLastIndex((answer) => answer !== undefined);
  for (let index = takenOf(config); index <= at; index++) interrupt(undefined);
  return withHashes(
    given.flatMap((answer) => answer ?? []),
    callId,
    config,
  );
}

/**
 * The answers, each yes with the hash of what it is to: where a person has not brought it along, the newest is to what this
 * node has shown last. A yes of which nobody can tell that is none.
 */
async function withHashes(
  answers: readonly InterruptAnswer[],
  callId: string,
  config: Pausable | undefined,
): Promise<readonly InterruptAnswer[]> {
  if (answers.every(({ decision, hash }) => decision !== 'allow' || hash !== undefined)) return answers;
  const shown = (await lastInterrupts(config)).findLast(
    (value) => isApprovalInterrupt(value) && value.callId === callId,
  );
  const last = isApprovalInterrupt(shown) ? shown.hash : undefined;
  return answers.flatMap((answer, index) => {
    const hash = answer.hash ?? (index === answers.length - 1 ? last : undefined);
    if (answer.decision !== 'allow') return answer;
    return hash === undefined ? [] : { ...answer, hash };
  });
}
