import type { Chain, Registration } from './chain.ts';
import { type Context, contextFor } from './context.ts';
import type { Wait } from './deadline.ts';
import { type HookDecision, PROCEED } from './decision.ts';
import type { DispatchHost, DispatchOptions } from './dispatch.ts';
import type { EventPayload } from './event.ts';
import { reportLate, threw, timedOut } from './failure.ts';
import { type Asked, type Folded, fold } from './fold.ts';
import { callHandler } from './handler.ts';
import { isThenable } from './thenable.ts';

/**
 * The common case of interceptors that answer Proceed with promises: an async function that awaits them costs less than
 * a fold, and one wait for all of them less than one for each. After a timeout a fold goes on in its place.
 */
export function awaitHooks(
  host: DispatchHost,
  chain: Chain,
  event: EventPayload,
  options: DispatchOptions,
  from: number,
  asked: Asked,
): Promise<HookDecision> {
  if (chain.patient) return awaitEach(host, chain, event, options, from, asked);
  return new Promise((resolve, reject) => {
    const wait: OpenWait = {
      left: 0,
      place: -1,
      at: from,
      context: asked.context,
      goOn(at, given) {
        try {
          resolve(goOn(host, chain, event, options, at, given));
        } catch (error) {
          reject(error);
        }
      },
      expire() {
        const { at, context } = wait;
        wait.goOn(at, { answer: timedOut(chain.deciders[at] as Registration, context), context });
      },
    };
    void awaitEach(host, chain, event, options, from, asked, wait);
  });
}

/** A wait for the hook that was asked last. */
interface OpenWait extends Wait {
  at: number;
  context: Context;
  /** Goes on from there, with what that hook has answered, and tells whoever waits of the outcome. */
  goOn(at: number, given?: Asked): void;
}

async function awaitEach(
  host: DispatchHost,
  chain: Chain,
  event: EventPayload,
  options: DispatchOptions,
  from: number,
  asked: Asked,
  wait?: OpenWait,
): Promise<HookDecision> {
  const { deciders } = chain;
  let { answer, context } = asked;
  for (let at = from; ; ) {
    const hook = deciders[at] as Registration;
    if (isThenable(answer)) {
      if (wait) {
        wait.at = at;
        wait.context = context;
        host.deadlines.enter(wait, hook.timeoutMs);
      }
      try {
        answer = await answer;
      } catch (cause) {
        answer = threw(hook, cause);
      }
      if (wait && wait.left < 0) {
        // A fold has gone on in its place.
        reportLate(host, hook, answer);
        return PROCEED;
      }
    }
    const given = answer === PROCEED ? undefined : { answer, context };
    const next = given ? undefined : deciders[++at];
    if (next?.info.verb !== 'on') {
      if (!wait) return goOn(host, chain, event, options, at, given);
      host.deadlines.leave(wait);
      wait.goOn(at, given);
      return PROCEED;
    }
    context = contextFor(chain, options);
    answer = callHandler(next, event, context);
  }
}

/** What comes of the hooks from there on. */
function goOn(
  host: DispatchHost,
  chain: Chain,
  event: EventPayload,
  options: DispatchOptions,
  at: number,
  given?: Asked,
): Folded {
  return at < chain.deciders.length ? fold(host, chain, event, options, at, given) : PROCEED;
}
