import type { HookDecision } from '../decision.ts';
import type { HooksError } from '../error.ts';
import type { EventPayload } from '../event/event.ts';
import type { Registration } from '../registry/chain.ts';
import { isThenable } from '../thenable.ts';
import type { Context } from './context.ts';
import type { Deadlines, Wait } from './deadline.ts';
import { reportLate, threw, timedOut } from './failure.ts';

/** Calls a handler: with the event and its context, an observer with the decision between them. A throw becomes a {@link HooksError}. */
export function callHandler(
  hook: Registration,
  event: EventPayload,
  second: HookDecision | Context,
  third?: Context,
): unknown {
  try {
    // The verbs checked each handler against its point's types; here are the handlers of all points.
    const handler = hook.handler as (...given: unknown[]) => unknown; // no method of the registration
    return handler(event, second, third);
  } catch (cause) {
    return threw(hook, cause);
  }
}

/** What bounding a handler takes of the registry. */
interface HandlerHost {
  readonly deadlines: Pick<Deadlines, 'enter' | 'leave'>;
  readonly report: (error: HooksError) => void;
}

/** What a handler's answer comes to, where it is a promise; a rejection or a timeout becomes a {@link HooksError}. Never rejects. */
export function settleHandler(
  host: HandlerHost,
  hook: Registration,
  answer: unknown,
  context: Context,
): unknown {
  if (!isThenable(answer)) return answer;
  return new Promise((resolve) => {
    const wait: Wait = { left: 0, place: -1, expire: () => resolve(timedOut(hook, context)) };
    const settle = (final: unknown): void => {
      host.deadlines.leave(wait);
      if (wait.left < 0) reportLate(host, hook, final);
      resolve(final);
    };
    host.deadlines.enter(wait, hook.timeoutMs);
    Promise.resolve(answer).then(settle, (cause) => settle(threw(hook, cause)));
  });
}
