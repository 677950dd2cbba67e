import type { Registration } from './chain.ts';
import type { Context } from './context.ts';
import { type Deadlines, ticks, type Wait } from './deadline.ts';
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
    return threw(hook, cause);
  }
}

/** A handler threw, or its promise was rejected. */
export function threw(hook: Registration, cause: unknown): Failed {
  return failure(hook, 'HOOK_FAILED', 'threw an error', cause);
}

/** A handler did not answer in time: its signal fires. */
export function timedOut(hook: Registration, context: Context): Failed {
  const timeout = failure(hook, 'HOOK_TIMEOUT', `did not answer within ${hook.timeoutMs} ms`);
  context.abort(timeout.error);
  return timeout;
}

/** What bounding a handler takes of the registry. */
interface HandlerHost {
  readonly deadlines: Deadlines;
  readonly report: (error: HooksError) => void;
}

/** A handler answered after its timeout: that is reported, and ignored. */
export function reportLate({ report }: HandlerHost, hook: Registration, answer: unknown): void {
  const cause = answer instanceof Failed ? answer.error.cause : undefined;
  report(failure(hook, 'LATE_ANSWER', 'answered after its timeout, too late', cause).error);
}

/** What a handler's promise comes to; a rejection or a timeout becomes a {@link Failed}. Never rejects. */
export function settleHandler(
  host: HandlerHost,
  hook: Registration,
  promise: PromiseLike<unknown>,
  context: Context,
): Promise<unknown> {
  return new Promise((resolve) => {
    const wait: Wait = {
      left: ticks(hook.timeoutMs),
      place: -1,
      expire: () => resolve(timedOut(hook, context)),
    };
    const settle = (answer: unknown): void => {
      host.deadlines.leave(wait);
      if (wait.left < 0) reportLate(host, hook, answer);
      resolve(answer);
    };
    host.deadlines.enter(wait);
    Promise.resolve(promise).then(settle, (cause) => settle(threw(hook, cause)));
  });
}

/**
 * A failure of a hook. The message names the hook and the event, never what it threw, since that may hold a secret;
 * only the message of a HooksError, which holds none, is repeated.
 */
export function failure(hook: Registration, code: HooksErrorCode, what: string, cause?: unknown): Failed {
  const { id, spec } = hook;
  const why = isHooksError(cause) ? `: ${cause.message}` : '';
  const origin = { hook: id, event: spec.type, ...(cause !== undefined && { cause }) };
  return new Failed(new HooksError(code, `hook "${id}" ${what} on ${spec.type}${why}`, origin));
}
