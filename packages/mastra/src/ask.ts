import {
  type ApprovalAnswer,
  type Approver,
  type AskApproval,
  answerToolCall,
  type Begun,
} from '@hooks/core';

/** Asks the approver about a call that was begun in a callback of its own. An approver that fails denies. */
export async function askInPlace(
  { request, token }: AskApproval,
  approver: Approver | string | undefined,
  signal: AbortSignal | undefined,
): Promise<Begun> {
  let answer: ApprovalAnswer;
  try {
    answer =
      typeof approver === 'function'
        ? await approver(request, { signal })
        : { decision: 'deny', reason: `Approval is required (${request.reason}), but nobody can be asked.` };
  } catch {
    answer = {
      decision: signal?.aborted ? 'canceled' : 'deny',
      reason: 'Approval is required, and the approver failed.',
    };
  }
  return answerToolCall(token, answer);
}
