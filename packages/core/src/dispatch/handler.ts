import type { HookDecision } from '../decision.ts';
import { later } from '../delay.ts';
import { HooksError, type HooksErrorCode } from '../error.ts';
import type { EventPayload } from '../event/event.ts';
import { isThenable } from '../thenable.ts';
import type { Registration } from './chain.ts';

/** What a handler gets besides the event. */
export interface HandlerContext {
  /**
   * Aborts at the handler's timeout and when the run is aborted. Created on first access, before the handler has
   * answered.
   */
  readonly signal: AbortSignal;
}

/** The context of one call of a handler. */
export class Context implements HandlerContext {
  // Plain fields: private ones make a dispatch noticeably slower.
  private readonly run: AbortSignal | undefined;
  private controller: AbortController | undefined = undefined;
  private made: AbortSignal | undefined = undefined;

  /** Whether the handler is shown what nobody else may see. */
  readonly conceals: boolean;

  /** @param run the run's signal, if the event's hooks get it */
  constructor(run?: AbortSignal, conceals = false) {
    this.run = run;
    this.conceals = conceals;
  }

  get signal(): AbortSignal {
    if (!this.made) {
      this.controller = new AbortController();
      const { signal } = this.controller;
      this.made = this.run ? AbortSignal.any([this.run, signal]) : signal;
    }
    return this.made;
  }

  /** Aborts the signal, even if it is accessed only later. */
  abort(reason?: unknown): void {
    void this.signal;
    this.controller?.abort(reason);
  }
}

/**
 * Calls a handler with the event and its context, and an observer also with the decision. The answer is what it returns
 * within its time limit. A throw, a rejection or a timeout becomes a {@link HooksError}. Never throws or rejects.
 */
export function callHandler(
  hook: Registration,
  event: EventPayload,
  context: Context,
  decision?: HookDecision,
): unknown {
  try {
    // The verbs checked each handler against its point's types; here are the handlers of all points.
    const handler = hook.handler as (...given: unknown[]) => unknown;
    const answer = decision === undefined ? handler(event, context) : handler(event, decision, context);
    return isThenable(answer) ? withinLimit(hook, answer, context) : answer;
  } catch (cause) {
    return failure(hook, 'HOOK_FAILED', 'threw an error', cause);
  }
}

function withinLimit(hook: Registration, answer: PromiseLike<unknown>, context: Context): Promise<unknown> {
  return new Promise((resolve) => {
    let late = false;
    const cancel = later(hook.timeoutMs, () => {
      late = true;
      const timeout = failure(hook, 'HOOK_TIMEOUT', `did not answer within ${hook.timeoutMs} ms`);
      context.abort(timeout);
      resolve(timeout);
    });
    const settle = (final: unknown): void => {
      cancel();
      if (late) reportLate(hook, context.conceals ? undefined : final);
      resolve(final);
    };
    Promise.resolve(answer).then(settle, (cause) =>
      settle(failure(hook, 'HOOK_FAILED', 'threw an error', cause)),
    );
  });
}

/** A handler answered after its timeout. This is reported, and the answer is ignored. */
function reportLate(hook: Registration, answer: unknown): void {
  const { cause } = Object(answer) as { readonly cause?: unknown };
  hook.owner.report(failure(hook, 'LATE_ANSWER', 'answered late', cause));
}

/**
 * A hook's failure. The message names the hook and the event, but not the thrown error, which may contain a secret.
 * Only the message of a HooksError, which contains none, is repeated.
 */
export function failure(
  { info, spec }: Pick<Registration, 'info' | 'spec'>,
  code: HooksErrorCode,
  what: string,
  cause?: unknown,
): HooksError {
  const why = cause instanceof HooksError ? `: ${cause.message}` : '';
  const origin = { hook: info.id, event: spec.type, cause };
  return new HooksError(code, `hook "${info.id}" ${what} on ${spec.type}${why}`, origin);
}
