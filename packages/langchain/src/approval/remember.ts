import type { ApprovalAnswer, CallOptions } from '@hooks/core';

/** An approver who is not asked again about an input of a call to which the answer was yes, however often that runs. */
export function askedOnce(approval: CallOptions['approval']): CallOptions['approval'] {
  if (typeof approval !== 'function') return approval;
  const allowed = new Map<string, ApprovalAnswer>();
  return async (request, options) => {
    const known = allowed.get(request.hash);
    if (known !== undefined) return known;
    const answer = await approval(request, options);
    if (answer?.decision === 'allow') allowed.set(request.hash, answer);
    return answer;
  };
}
