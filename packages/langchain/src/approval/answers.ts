import type { ApprovalAnswer, Resumed } from '@hooks/core';
import { answerFrom } from '@hooks/core/adapter';

/**
 * A person's answer. `hash` is that of the pending approval, or left out. With another value, the call keeps waiting, and so it
 * does after an answer with a field that its decision does not take.
 */
export interface InterruptAnswer extends ApprovalAnswer {
  readonly hash?: string | undefined;
}

/**
 * Resumes a paused run: the answers by tool call id. A call without an answer keeps waiting.
 *
 * @example
 * ```ts
 * const [pending] = pendingApprovals(result);
 * const resume: InterruptAnswers = { [pending.callId]: { decision: 'allow', hash: pending.hash } };
 * await agent.invoke(new Command({ resume }), config);
 * ```
 */
export interface InterruptAnswers {
  readonly [callId: string]: InterruptAnswer;
}

/** The answer for a call in a resume value. Without a valid answer, the call keeps waiting. */
export function answerFor(value: unknown, callId: string): InterruptAnswer | undefined {
  const read = namesCall(value, callId) ? readAnswer(value, callId) : undefined;
  return typeof read === 'string' ? undefined : read;
}

/**
 * Why a resume value did not answer a call that waited for it; undefined if it answers others.
 *
 * @param waiting the ids of the calls that waited, too
 */
export function problemWith(value: unknown, callId: string, waiting: readonly string[]): string | undefined {
  if (!namesCall(value, callId))
    return waiting.some((other) => namesCall(value, other)) ? undefined : NAMES_NO_CALL;
  const read = readAnswer(value, callId);
  return typeof read === 'string' ? read : OTHER_PAUSE;
}

const NAMES_NO_CALL =
  'The resume value names no call that waits: resume with { [callId]: { decision, hash } }, with `callId` and `hash` of the pending approval.';

const OTHER_PAUSE =
  'The answer is for another pause, or for another input than the one that is shown: answer with the `hash` of this pending approval.';

function namesCall(value: unknown, callId: string): boolean {
  return Object.hasOwn(Object(value), callId);
}

/** Returns what is wrong with the answer if it is not one. */
function readAnswer(value: unknown, callId: string): InterruptAnswer | string {
  const read: (ApprovalAnswer & { readonly hash?: unknown }) | string = answerFrom(
    Reflect.get(Object(value), callId),
  );
  if (typeof read === 'string') return read;
  const { hash } = read;
  // Something else in the place of a hash is not taken for an answer without one.
  return hash === undefined || typeof hash === 'string' ? { ...read, hash } : '`hash` has to be a text.';
}

/** Whether an answer is a no, which is for the call. Others are for the input that was shown. */
export function isNo({ decision }: InterruptAnswer): boolean {
  return decision === 'deny' || decision === 'canceled';
}

/** Whether an answer applies to this input. */
export function fits(answer: InterruptAnswer, hash: string): boolean {
  return isNo(answer) || answer.hash === hash;
}

/** The answer as core takes it in a process that did not request it. */
export function toResumed(answer: InterruptAnswer): Resumed {
  const { decision, reason, hash, remember, matching, by, source } = answer;
  return {
    ...{ by, reason, hash, remember, matching, source },
    decision: decision === 'canceled' ? 'deny' : decision,
    ...('input' in answer && { input: answer.input }),
    ...('output' in answer && { output: answer.output }),
  };
}
