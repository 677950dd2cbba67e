import type { ApprovalAnswer, Resumed } from '@hooks/core';
import type { Whereabouts } from '../run/run.ts';

/** A person's answer; `hash` is that of the pending approval, and must be there if another process takes the run up. */
export interface NativeAnswer extends ApprovalAnswer {
  readonly hash?: string;
}

/**
 * What a paused run is resumed with: the answers by tool call id. A call that is not named goes on waiting.
 *
 * @example
 * ```ts
 * const [pending] = pendingApprovals(result);
 * const resume: ApprovalAnswers = { [pending.callId]: { decision: 'allow', hash: pending.hash } };
 * await agent.invoke(new Command({ resume }), config);
 * ```
 */
export interface ApprovalAnswers {
  readonly [callId: string]: NativeAnswer;
}

/** The answer for a call in what a run was resumed with. Anything else is no answer: the call goes on waiting. */
export function answerFor(value: unknown, callId: string): NativeAnswer | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, callId)) return undefined;
  const answer: unknown = Reflect.get(value, callId);
  const decision: unknown =
    typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'decision') : undefined;
  return decision === 'allow' || decision === 'deny' || decision === 'canceled'
    ? (answer as NativeAnswer)
    : undefined;
}

/** Whether an answer is about this input: a yes counts for what the person was shown, a no for the call. */
export function fits(answer: NativeAnswer, hash: string): boolean {
  return answer.decision !== 'allow' || answer.hash === undefined || answer.hash === hash;
}

/** The answer to a call in a run that a hook has ended. */
export function canceled(reason: string): NativeAnswer {
  return { decision: 'canceled', source: 'context_canceled', reason };
}

/** The answer as core takes it in a process that did not ask. */
export function toResumed(answer: NativeAnswer | undefined): Resumed | undefined {
  if (answer === undefined) return undefined;
  const { decision, reason, hash } = answer;
  return {
    decision: decision === 'allow' ? 'allow' : 'deny',
    by: 'person',
    ...(reason !== undefined && { reason }),
    ...(hash !== undefined && { hash }),
    ...('input' in answer && { input: answer.input }),
  };
}

/** LangGraph's memory of what a node was resumed with. */
interface Scratchpad {
  readonly resume?: readonly unknown[];
  readonly nullResume?: unknown;
  /** The place of the last value that was taken. */
  readonly interruptCounter?: number;
}

function scratchpad(config: Whereabouts | undefined): Scratchpad {
  return Object(config?.configurable?.['__pregel_scratchpad']);
}

/** All that a node was resumed with so far, in order; looking at it takes nothing. */
export function resumedWith(config: Whereabouts | undefined): readonly unknown[] {
  const { resume = [], nullResume } = scratchpad(config);
  // What is given by the interrupts' ids is newer: LangGraph keeps what it was resumed with before without any.
  const stale = config?.configurable?.['__pregel_resume_map'] !== undefined;
  return nullResume === undefined || stale ? resume : [...resume, nullResume];
}

/** How many of those values the calls in this node have taken. */
export function takenOf(config: Whereabouts | undefined): number {
  return (scratchpad(config).interruptCounter ?? -1) + 1;
}
