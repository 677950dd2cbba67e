import { type HookDecision, PROCEED } from '../decision.ts';
import type { EventPayload } from '../event/event.ts';
import type { Chain, Registration } from '../registry/chain.ts';
import { contextFor } from './context.ts';
import type { Wait } from './deadline.ts';
import type { DispatchHost, DispatchOptions } from './dispatch.ts';
import { reportLate, threw, timedOut } from './failure.ts';
import { type Asked, type Folded, fold } from './fold.ts';
import { callHandler } from './handler.ts';

/**
 * The common case of interceptors that answer Proceed with promises: an async function that awaits them costs less than
 * a fold, and one wait for all of them less than one for each. After a timeout a fold goes on in its place.
 *
 * @param at where among the deciders the one stands that was asked
 */
export function awaitHooks(
  host: DispatchHost,
  chain: Chain,
  event: EventPayload,
  options: DispatchOptions,
  at: number,
  { answer, context }: Asked,
): Promise<HookDecision> {
  const { deciders } = chain;
  let wait: Wait | undefined;
  let resolve: (folded: Folded) => void;
  const goOn = (): Folded => fold(host, chain, event, options, at, { answer, context });

  const proceeding = async (): Promise<HookDecision> => {
    for (;;) {
      const hook = deciders[at] as Registration;
      if (wait) host.deadlines.enter(wait, hook.timeoutMs);
      try {
        answer = await answer;
      } catch (cause) {
        answer = threw(hook, cause);
      }
      if (wait && wait.left < 0) {
        reportLate(host, hook, answer);
        return PROCEED;
      }
      const next = deciders[at + 1];
      if (answer !== PROCEED || next?.info.verb !== 'on') break;
      at++;
      context = contextFor(chain, options);
      answer = callHandler(next, event, context);
    }
    const folded = answer === PROCEED && at + 1 === deciders.length ? PROCEED : goOn();
    if (!wait) return folded;
    host.deadlines.leave(wait);
    resolve(folded);
    return PROCEED;
  };

  if (chain.patient) return proceeding();
  return new Promise((done) => {
    resolve = done;
    wait = {
      left: 0,
      place: -1,
      expire() {
        answer = timedOut(deciders[at] as Registration, context);
        resolve(goOn());
      },
    };
    void proceeding();
  });
}
