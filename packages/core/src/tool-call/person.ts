import type { ApprovalAnswer } from '../approval/approval.ts';
import { HooksError } from '../error.ts';
import { isThenable } from '../thenable.ts';
import { takeAnswer } from './approve.ts';
import type { Flight } from './flight.ts';
import type { AnsweredStep } from './step.ts';
import type { CallOptions } from './types.ts';

/** Asks whoever may approve a call that waits for approval, and goes on with the answer. */
export async function askPerson(flight: Flight, options: CallOptions): Promise<AnsweredStep> {
  const { request } = flight;
  const answer = await answerOf(flight, options);
  if (flight.request !== request)
    throw new HooksError(
      'INVALID_INPUT',
      `call ${flight.event.callId} was answered by somebody else meanwhile`,
    );
  return takeAnswer(flight, answer);
}

async function answerOf(
  { signal, request, internal }: Flight,
  { approval: approver, isControlFlow }: CallOptions,
): Promise<ApprovalAnswer> {
  if (typeof approver !== 'function' || request === undefined)
    return {
      decision: 'deny',
      reason: 'Approval is required, but nobody can be asked.',
      source: 'context_canceled',
    };
  try {
    const answering = approver(request, { signal });
    const answer = isThenable(answering) ? await unlessAborted(answering, signal) : answering;
    if (!['allow', 'deny', 'canceled'].includes(answer?.decision))
      throw new TypeError('the approver gave no answer');
    return answer;
  } catch (cause) {
    if (isControlFlow?.(cause) === true) throw cause;
    if (signal?.aborted) return { decision: 'canceled' };
    internal.report(
      new HooksError(
        'APPROVER_FAILED',
        `The approver failed on a call of ${request.toolName}; the call was denied.`,
        { cause },
      ),
    );
    return {
      decision: 'deny',
      reason: 'Approval is required, and the approver failed.',
      source: 'context_canceled',
    };
  }
}

async function unlessAborted<T>(promise: PromiseLike<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return promise;
  let stop: () => void = () => {};
  const abort = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop);
  });
  try {
    return await Promise.race([promise, abort]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
