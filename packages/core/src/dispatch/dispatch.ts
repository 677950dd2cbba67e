import { PROCEED } from '../decision.ts';
import type { HooksError } from '../error.ts';
import type { EventPayload } from '../event/event.ts';
import type { Chain, Decider, Registration } from '../registry/chain.ts';
import { isThenable } from '../thenable.ts';
import { awaitHooks } from './await-hooks.ts';
import { borrow, giveBack } from './context.ts';
import type { Deadlines } from './deadline.ts';
import { threw } from './failure.ts';
import { type Asked, type Folded, fold } from './fold.ts';
import type { Refusal } from './judge.ts';
import type { TraceListener } from './trace.ts';

/** What the dispatcher needs from the registry. */
export interface DispatchHost {
  readonly deadlines: Pick<Deadlines, 'enter' | 'leave'>;
  readonly traces: ReadonlySet<TraceListener>;
  readonly report: (error: HooksError) => void;
  /** Calls the listeners of the trace. */
  readonly trace: TraceListener;
  /** Keeps an observer's promise for `settled()`. */
  readonly pending: (promise: PromiseLike<unknown>) => void;
}

/** What a dispatch may be told beside the event. */
export interface DispatchOptions extends Refusal {
  /** The run's signal. It reaches neither observers nor hooks of events that run to completion on an abort. */
  readonly signal?: AbortSignal | undefined;
  /** The chain of an event whose tool a hook has just changed; nobody has seen the event yet, so it may be completed. */
  rechain?(event: EventPayload): Chain;
  /** Looks at an event that interceptors have changed, before the guards do; a text blocks with that reason. */
  verify?(event: EventPayload): string | undefined | PromiseLike<string | undefined>;
  /** A Retry can no longer be obeyed: it counts as Proceed, and the hooks behind have their say about what then stands. */
  readonly last?: boolean;
  /** Gets the event as hooks have left it, whatever the decision; not called where everybody answered Proceed. */
  final?(event: EventPayload): void;
}

const NO_OPTIONS: DispatchOptions = {};

/**
 * Asks the hooks of a chain about an event and folds their answers into one decision: interceptors in order, then
 * guards on the values that they left, then observers. What hooks contribute is kept in the event's session.
 * Synchronous until a hook answers with a promise.
 */
export function ask(
  host: DispatchHost,
  chain: Chain,
  event: EventPayload,
  options: DispatchOptions = NO_OPTIONS,
): Folded {
  let at = 0;
  let asked: Asked | undefined;
  if (!chain.observers.length && !host.traces.size) {
    // The common case needs no fold: everybody answers Proceed.
    const { deciders, handlers } = chain;
    const context = borrow(chain, options);
    for (; ; at++) {
      if (at === handlers.length) {
        giveBack(context);
        return PROCEED;
      }
      const handler = handlers[at] as Decider; // called as a property, it would get our array as its `this`
      let answer: unknown;
      try {
        answer = handler(event, context);
      } catch (cause) {
        answer = threw(deciders[at] as Registration, cause);
      }
      if (answer === PROCEED && context.controller === undefined) continue;
      asked = { answer, context };
      if (isThenable(answer) && deciders[at]?.info.verb === 'on')
        return awaitHooks(host, chain, event, options, at, asked);
      break;
    }
  }
  return fold(host, chain, event, options, at, asked);
}
