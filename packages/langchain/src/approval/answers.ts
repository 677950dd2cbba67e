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
  const answer: unknown = Object.hasOwn(Object(value), callId)
    ? Reflect.get(Object(value), callId)
    : undefined;
  const read: (ApprovalAnswer & { readonly hash?: unknown }) | string = answerFrom(answer);
  if (typeof read === 'string') return undefined;
  const { hash } = read;
  // Something else in the place of a hash is not taken for an answer without one.
  return hash === undefined || typeof hash === 'string' ? { ...read, hash } : undefined;
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
