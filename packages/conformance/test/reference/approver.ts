import type { ApprovalAnswer, Attached } from '@hooks/core';
import type { AttachSpec } from '../../src/index.ts';
import type { Fault } from './faults.ts';

/** Who answers for a registry. */
export function approverOf(
  approval: AttachSpec['approval'],
  faults: ReadonlySet<Fault>,
  isApproved = false,
): Attached['approval'] {
  if (isApproved && faults.has("takes a person's yes for that of every approver")) return 'native';
  if (approval === undefined && faults.has('allows a call without an approver'))
    return () => ({ decision: 'allow' });
  if (approval === undefined && faults.has('asks nobody for a registry without an approver')) return 'deny';
  if (approval === 'deny' && faults.has('approves for a registry that denies'))
    return () => ({ decision: 'allow' });
  if (typeof approval !== 'function' || faults.size === 0) return approval;
  return async (request, options) => faultyAnswer(await approval(request, options), faults);
}

/** An answer, changed by the faults of the adapter. */
export function faultyAnswer<A extends ApprovalAnswer>(answer: A, faults: ReadonlySet<Fault>): A {
  const { input, reason, ...told } = answer;
  return {
    ...told,
    ...(!faults.has('hides the reason of a denial') && reason !== undefined && { reason }),
    ...(!faults.has('drops the input of an approver') && input !== undefined && { input }),
    ...(faults.has('treats a denial as an approval') && { decision: 'allow' }),
    ...(faults.has('runs the tool although an approver answered') &&
      answer.decision === 'answer' && { decision: 'allow' }),
  } as A;
}
