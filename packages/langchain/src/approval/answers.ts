import type { ApprovalAnswer, Resumed } from '@hooks/core';

/**
 * A person's answer. `hash` is that of the pending approval, or left out. With another value, the call keeps waiting, and so it does
 * with an `output`: the tool gives the result.
 */
export interface InterruptAnswer extends Omit<ApprovalAnswer, 'decision' | 'output'> {
  readonly decision: 'allow' | 'deny' | 'canceled';
  readonly hash?: string;
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
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, callId)) return undefined;
  const answer: unknown = Reflect.get(value, callId);
  const decision: unknown =
    typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'decision') : undefined;
  const isAnswer = decision === 'allow' || decision === 'deny' || decision === 'canceled';
  return isAnswer && hasHash(answer) && Reflect.get(Object(answer), 'output') === undefined
    ? (answer as InterruptAnswer)
    : undefined;
}

/** Whether the hash of an answer is one, or left out. Something else in its place is not taken for an answer without one. */
function hasHash(answer: unknown): boolean {
  const hash: unknown = Reflect.get(Object(answer), 'hash');
  return hash === undefined || typeof hash === 'string';
}

/** Whether an answer applies to this input. An approval is for the input that was shown, a denial for the call. */
export function fits(answer: InterruptAnswer, hash: string): boolean {
  return answer.decision !== 'allow' || answer.hash === hash;
}

/** The answer as core takes it in a process that did not request it. */
export function toResumed(answer: InterruptAnswer): Resumed {
  const { decision, reason, hash, remember, matching, by } = answer;
  return {
    ...{ by, reason, hash, remember, matching },
    decision: decision === 'allow' ? 'allow' : 'deny',
    ...('input' in answer && { input: answer.input }),
  };
}
