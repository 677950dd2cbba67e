import {
  type ApprovalAnswer,
  type Approver,
  type AskApproval,
  type Begun,
  type Hooks,
  HooksError,
} from '@hooks/core';
import { reportError } from '@hooks/core/adapter';
import { answerToolCall } from '@hooks/core/tool-call';

/** Asks the approver about a call that was begun in a callback of its own. An approver that fails denies. */
export async function askInPlace(
  hooks: Hooks,
  { request, token }: AskApproval,
  approver: Approver,
  signal: AbortSignal | undefined,
): Promise<Begun> {
  let answer: ApprovalAnswer;
  try {
    answer = await approver(request, { signal });
  } catch (cause) {
    answer = signal?.aborted
      ? { decision: 'canceled' }
      : {
          decision: 'deny',
          reason: 'Approval is required, and the approver failed.',
          source: 'context_canceled',
        };
    const what = `The approver failed on a call of ${request.toolName}; the call was denied.`;
    if (!signal?.aborted) reportError(hooks, new HooksError('APPROVER_FAILED', what, { cause }));
  }
  return answerToolCall(token, answer);
}
