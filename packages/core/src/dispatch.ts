import { type Chain, chainOf, narrowChain, type Registration, toolNameOf } from './chain.ts';
import { Context, contextFor } from './context.ts';
import { keepContributed } from './contributed.ts';
import { type Deadlines, ticks, type Wait } from './deadline.ts';
import { type HookDecision, modify, proceed } from './decision.ts';
import { HooksError } from './error.ts';
import type { EventPayload } from './event.ts';
import { reportLate, threw, timedOut } from './failure.ts';
import { callHandler, settleHandler } from './handler.ts';
import { type Fields, judge, mergePatch, type Refusal, type Verdict } from './judge.ts';
import { after, isThenable } from './thenable.ts';
import type { HookVerb, TracedHook, TraceListener } from './trace.ts';

/** What the dispatcher needs from the registry. */
export interface DispatchHost {
  readonly deadlines: Deadlines;
  readonly traces: ReadonlySet<TraceListener>;
  readonly report: (error: HooksError) => void;
  /** Calls the listeners of the trace. */
  readonly trace: TraceListener;
  /** Keeps an observer's promise for `settled()`. */
  readonly pending: (promise: Promise<unknown>) => void;
}

/** What a dispatch may be told beside the event. */
export interface DispatchOptions extends Refusal {
  /** The run's signal. It reaches neither observers nor hooks of events that run to completion on an abort. */
  readonly signal?: AbortSignal | undefined;
  /** The chain of an event whose tool a hook has just changed. */
  rechain?(event: EventPayload): Chain;
  /** Looks at an event that interceptors have changed, before the guards do; a text blocks with that reason. */
  verify?(event: EventPayload): string | undefined | PromiseLike<string | undefined>;
  /** Gets the event as hooks have left it, whatever the decision; not called where everybody answered Proceed. */
  final?(event: EventPayload): void;
}

/** A decision, or the promise of one. */
export type Folded = HookDecision | PromiseLike<HookDecision>;

const PROCEED = proceed();

/**
 * Asks the hooks of a chain about an event and folds their answers into one decision: interceptors in order, then
 * guards on the values that they left, then observers. What hooks contribute is kept in the event's session.
 * Synchronous until a hook answers with a promise.
 */
export function ask(host: DispatchHost, chain: Chain, event: EventPayload, options: DispatchOptions): Folded {
  if (chain.sensitive) return ask(host, narrowChain(chain, event), event, options);
  if (chain.empty) return PROCEED;
  if (chain.observers.length > 0 || host.traces.size > 0) return drive(fold(host, chain, event, options));
  // The common case needs no fold: everybody answers Proceed.
  const { deciders } = chain;
  const context = contextFor(chain, options);
  for (let at = 0; at < deciders.length; at++) {
    const hook = deciders[at] as Registration;
    const answer = callHandler(hook, event, context);
    if (answer === PROCEED && !context.read) continue;
    const asked = { answer, context };
    return hook.info.verb === 'on' && isThenable(answer)
      ? askLater(host, chain, event, options, at, asked)
      : drive(fold(host, chain, event, options, at, asked));
  }
  return PROCEED;
}

/**
 * The common case of interceptors that answer Proceed with promises: an async function that awaits them costs less than
 * a fold, and one wait for all of them less than one for each. After a timeout a fold goes on in its place.
 */
function askLater(
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
      resolve,
      reject,
      expire() {
        const { at, context } = wait;
        const answer = timedOut(chain.deciders[at] as Registration, context);
        resolve(drive(fold(host, chain, event, options, at, { answer, context })));
      },
    };
    void awaitEach(host, chain, event, options, from, asked, wait);
  });
}

/** A wait for the hook that was asked last, of somebody who is told of the outcome by `resolve` or `reject`. */
interface OpenWait extends Wait {
  at: number;
  context: Context;
  readonly resolve: (decision: Folded) => void;
  readonly reject: (error: unknown) => void;
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
  let at = from;
  let outcome: Folded = PROCEED;
  try {
    for (;;) {
      const hook = deciders[at] as Registration;
      if (isThenable(answer)) {
        if (wait !== undefined) {
          wait.at = at;
          wait.context = context;
          wait.left = ticks(hook.timeoutMs);
          host.deadlines.enter(wait);
        }
        try {
          answer = await answer;
        } catch (cause) {
          answer = threw(hook, cause);
        }
        if (wait !== undefined && wait.left < 0) {
          reportLate(host, hook, answer);
          break;
        }
      }
      const given = answer === PROCEED ? undefined : { answer, context };
      const next = given === undefined ? deciders[++at] : undefined;
      if (next?.info.verb !== 'on') {
        if (at < deciders.length) outcome = drive(fold(host, chain, event, options, at, given));
        break;
      }
      context = contextFor(chain, options);
      answer = callHandler(next, event, context);
    }
  } catch (error) {
    if (wait === undefined) throw error;
    wait.reject(error);
  }
  if (wait !== undefined) {
    host.deadlines.leave(wait);
    wait.resolve(outcome);
  }
  return outcome;
}

/** What a hook answered before the fold began; those ahead of it answered Proceed. */
interface Asked {
  readonly answer: unknown;
  readonly context: Context;
}
/** A hook that was asked, and what its answer amounts to. */
interface Asking {
  readonly hook: Registration;
  /** When it was asked. */
  readonly at: number;
  readonly context: Context;
  readonly verdict: Verdict | PromiseLike<Verdict>;
}

/** A fold that waits for promises: yields each, and is given what it came to. */
type Fold = Generator<PromiseLike<unknown>, HookDecision, unknown>;

/** Folds the answers of a chain's deciders, from the one at `from` on, and shows the outcome to the observers. */
function* fold(
  host: DispatchHost,
  first: Chain,
  before: EventPayload,
  options: DispatchOptions,
  from = 0,
  asked?: Asked,
): Fold {
  const traced: TracedHook[] | undefined = host.traces.size > 0 ? [] : undefined;
  const now = traced === undefined ? () => 0 : Date.now;
  const began = now();
  let chain = first;
  let event = before;
  let patch: Fields | undefined;
  let end: HookDecision | undefined;
  let given = asked;
  let next = from;

  const note = (
    { info: { id, verb } }: Registration,
    at: number,
    { error, decision }: Partial<Verdict>,
  ): void => {
    if (error !== undefined) host.report(error);
    traced?.push({ id, verb, durationMs: now() - at, ...(error ? { error } : decision && { decision }) });
  };
  const askOne = (hook: Registration): Asking => {
    const at = now();
    const context = given?.context ?? contextFor(first, options);
    const answer = given === undefined ? callHandler(hook, event, context) : given.answer;
    given = undefined;
    const settled = isThenable(answer) ? settleHandler(host, hook, answer, context) : answer;
    const verdict = after(settled, (final) => judge(hook, final, chain.spec, event, options));
    return { hook, at, context, verdict };
  };
  const take = (hook: Registration, at: number, verdict: Verdict): void => {
    const { decision } = verdict;
    note(hook, at, verdict);
    if (decision.kind === 'block' || decision.kind === 'retry') end = { ...decision, by: hook.info.id };
    if (decision.kind !== 'modify') return;
    const toolName = toolNameOf(event);
    const merged = mergePatch(event, decision.patch as Fields);
    patch = { ...patch, ...merged };
    event = { ...event, ...merged };
    if (toolNameOf(event) === toolName || options.rechain === undefined) return;
    // From here on the hooks are those of another tool: the interceptors not yet asked, all guards and observers.
    const asked = chain.deciders.slice(0, next);
    const { spec, deciders, observers } = narrowChain(options.rechain(event), event);
    chain = chainOf(
      spec,
      [...deciders, ...observers].filter((other) => !asked.includes(other)),
    );
    next = 0;
  };
  /** The next to be asked, if it is of that verb and nobody has ended the chain. */
  const following = (verb: HookVerb): Registration | undefined => {
    const hook = chain.deciders[next];
    if (end !== undefined || hook?.info.verb !== verb) return undefined;
    next++;
    return hook;
  };

  for (let hook = following('on'); hook !== undefined; hook = following('on')) {
    const { at, verdict } = askOne(hook);
    take(hook, at, isThenable(verdict) ? ((yield verdict) as Verdict) : verdict);
  }

  if (end === undefined && patch !== undefined) {
    const verified = options.verify?.(event);
    const reason = isThenable(verified) ? yield verified : verified;
    if (reason !== undefined) end = { kind: 'block', reason } as HookDecision;
  }

  // All guards see the same event, whatever the others answer; those that wait do so together.
  const waiting: Asking[] = [];
  for (let hook = following('guard'); hook !== undefined; hook = following('guard')) {
    const asking = askOne(hook);
    waiting.push(asking);
    // Nobody behind a Block can change the outcome.
    if (!isThenable(asking.verdict) && asking.verdict.decision.kind === 'block') break;
  }
  for (const { hook, at, context, verdict } of waiting) {
    if (end === undefined) take(hook, at, isThenable(verdict) ? ((yield verdict) as Verdict) : verdict);
    else context.abort(new HooksError('HOOK_FAILED', 'a guard ahead of this one has blocked'));
  }

  let decision = end ?? PROCEED;
  if (end === undefined && patch !== undefined) {
    keepContributed(chain.spec, before, patch);
    decision = modify(patch);
  }
  options.final?.(event);
  for (const hook of chain.observers) {
    const at = now();
    const context = new Context(undefined);
    const answer = callHandler(hook, event, context, decision);
    note(hook, at, answer instanceof HooksError ? { error: answer } : {});
    if (isThenable(answer)) {
      const settled = settleHandler(host, hook, answer, context);
      host.pending(settled.then((final) => final instanceof HooksError && host.report(final)));
    }
  }
  if (traced !== undefined)
    host.trace({ before, event, hooks: traced, decision, at: began, durationMs: now() - began });
  return decision;
}

function drive(folding: Fold): HookDecision | Promise<HookDecision> {
  const step = folding.next();
  return step.done ? step.value : driveLater(folding, step.value);
}

async function driveLater(folding: Fold, first: PromiseLike<unknown>): Promise<HookDecision> {
  for (let waiting = first; ; ) {
    const step = folding.next(await waiting);
    if (step.done) return step.value;
    waiting = step.value;
  }
}
