import type { ApprovalAnswer, Approver } from '@hooks/core';
import type { AttachSpec } from '../../src/index.ts';
import type { Fault } from './faults.ts';

/** Who approves what the hooks of a registry require; nobody where the framework pauses. */
export function approverOf(
  approval: AttachSpec['approval'],
  faults: ReadonlySet<Fault>,
): Approver | 'deny' | undefined {
  if (approval === undefined && faults.has('allows where nobody can be asked'))
    return () => ({ decision: 'allow' });
  if (approval === 'native') return undefined;
  if (typeof approval !== 'function' || faults.size === 0) return approval;
  return async (request, options) => faultyAnswer(await approval(request, options), faults);
}

/** An answer as an adapter with faults takes it. */
export function faultyAnswer<A extends ApprovalAnswer>(answer: A, faults: ReadonlySet<Fault>): A {
  const { input, reason, ...told } = answer;
  return {
    ...told,
    ...(!faults.has('hides the reason of a no') && reason !== undefined && { reason }),
    ...(!faults.has('drops the input of an approver') && input !== undefined && { input }),
    ...(faults.has('takes a no for a yes') && { decision: 'allow' }),
  } as A;
}
