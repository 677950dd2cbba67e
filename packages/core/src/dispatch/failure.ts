import { type HookDecision, PROCEED } from '../decision.ts';
import { HooksError, type HooksErrorCode } from '../error.ts';
import type { EventSpec } from '../event/event.ts';
import type { Registration } from '../registry/chain.ts';
import type { Context } from './context.ts';

/**
 * What a failed hook comes to: gates fail closed, observers fail quiet; the event says which, and the hook's own
 * `onFailure` overrides it.
 */
export function failedDecision(hook: Registration, spec: EventSpec, error: HooksError): HookDecision {
  const mode = hook.onFailure ?? spec.onFailure;
  if (mode === 'proceed' || mode === 'ask') return PROCEED;
  const reason = `Blocked, because ${error.message}.`;
  return { kind: 'block', reason, failed: true } as HookDecision;
}

/** A handler threw, or its promise was rejected. */
export function threw(hook: Registration, cause: unknown): HooksError {
  return failure(hook, 'HOOK_FAILED', 'threw an error', cause);
}

/** A handler did not answer in time: its signal fires. */
export function timedOut(hook: Registration, context: Context): HooksError {
  const timeout = failure(hook, 'HOOK_TIMEOUT', `did not answer within ${hook.timeoutMs} ms`);
  context.abort(timeout);
  return timeout;
}

/** A handler answered after its timeout: that is reported, and ignored. */
export function reportLate(
  { report }: { readonly report: (error: HooksError) => void },
  hook: Registration,
  answer: unknown,
): void {
  const { cause } = Object(answer) as { readonly cause?: unknown };
  report(failure(hook, 'LATE_ANSWER', 'answered late', cause));
}

/**
 * A failure of a hook. The message names the hook and the event, never what it threw, since that may hold a secret;
 * only the message of a HooksError, which holds none, is repeated.
 */
export function failure(hook: Registration, code: HooksErrorCode, what: string, cause?: unknown): HooksError {
  const { info, spec } = hook;
  const why = cause instanceof HooksError ? `: ${cause.message}` : '';
  const origin = { hook: info.id, event: spec.type, cause };
  return new HooksError(code, `hook "${info.id}" ${what} on ${spec.type}${why}`, origin);
}
