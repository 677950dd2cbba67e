import type { Registration } from './chain.ts';
import type { Context } from './context.ts';
import { type Deadlines, LATE } from './deadline.ts';
import type { HookDecision } from './decision.ts';
import { HooksError, type HooksErrorCode, isHooksError } from './error.ts';
import type { EventPayload } from './event.ts';

/** What stands for the answer of a handler that failed. */
export class Failed {
  readonly error: HooksError;

  constructor(error: HooksError) {
    this.error = error;
  }
}

/** Calls a handler; a throw becomes a {@link Failed}. Observers are given the decision too. */
export function callHandler(
  hook: Registration,
  event: EventPayload,
  context: Context,
  decision?: HookDecision,
): unknown {
  try {
    // The verbs checked each handler against its point's types; here are the handlers of all points.
    const handler = hook.handler as (event: EventPayload, second: unknown, third?: unknown) => unknown;
    return decision === undefined ? handler(event, context) : handler(event, decision, context);
  } catch (cause) {
    return failure(hook, 'HOOK_FAILED', 'threw an error', cause);
  }
}

/**
 * What a handler's promise comes to within its timeout; a rejection or a timeout becomes a {@link Failed}. Never
 * rejects. An answer after the timeout is reported, and ignored.
 */
export async function settleHandler(
  hook: Registration,
  promise: PromiseLike<unknown>,
  context: Context,
  deadlines: Deadlines,
  report: (error: HooksError) => void,
): Promise<unknown> {
  try {
    if (hook.timeoutMs === Number.POSITIVE_INFINITY) return await promise;
    const answer = await deadlines.bound(promise, hook.timeoutMs, (late) => {
      report(failure(hook, 'LATE_ANSWER', 'answered after its timeout, which is ignored,', late).error);
    });
    if (answer !== LATE) return answer;
    const timeout = failure(hook, 'HOOK_TIMEOUT', `did not answer within ${hook.timeoutMs} ms`);
    context.abort(timeout.error);
    return timeout;
  } catch (cause) {
    return failure(hook, 'HOOK_FAILED', 'threw an error', cause);
  }
}

/**
 * A failure of a hook. The message names the hook and the event, never what it threw, since that may hold a secret;
 * only the message of a HooksError, which holds none, is repeated.
 */
export function failure(hook: Registration, code: HooksErrorCode, what: string, cause?: unknown): Failed {
  const origin = { hook: hook.id, event: hook.spec.type };
  const why = isHooksError(cause) ? `: ${cause.message}` : '';
  const message = `hook "${hook.id}" ${what} on ${hook.spec.type}${why}`;
  return new Failed(new HooksError(code, message, cause === undefined ? origin : { ...origin, cause }));
}
