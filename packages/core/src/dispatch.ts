import { type Chain, narrowChain, type Registration } from './chain.ts';
import { Context } from './context.ts';
import { type Deadlines, LATE } from './deadline.ts';
import { type HookDecision, modify, proceed } from './decision.ts';
import { HooksError } from './error.ts';
import type { EventPayload } from './event.ts';
import { bounded, callHandler, Failed, failure, settleHandler, timedOut } from './handler.ts';
import { type Fields, judge, mergePatch, type Refusal, type Verdict } from './judge.ts';
import { isThenable } from './thenable.ts';
import type { DispatchTrace, TracedHook } from './trace.ts';

/** What the dispatcher needs from the registry. */
export interface DispatchHost {
  readonly deadlines: Deadlines;
  /** Whether anybody listens to the trace. */
  readonly traced: boolean;
  readonly report: (error: HooksError) => void;
  readonly trace: (trace: DispatchTrace) => void;
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

/** Hooks of these events are not given the run's signal: they run to completion. */
const TO_COMPLETION = /^(turn_end|session_end|after_tool_call)$/;
const PROCEED = proceed();

/**
 * Asks the hooks of a chain about an event and folds their answers into one decision: interceptors in order, then
 * guards on the values that they left, then observers. Synchronous until a hook answers with a promise.
 */
export function ask(
  host: DispatchHost,
  chain: Chain,
  event: EventPayload,
  options: DispatchOptions,
): HookDecision | PromiseLike<HookDecision> {
  const own = chain.sensitive ? narrowChain(chain, event) : chain;
  if (own.empty) return PROCEED;
  if (host.traced || own.observers.length > 0) return drive(fold(host, own, event, options));
  // The common case needs no fold: everybody answers Proceed.
  const { interceptors, guards } = own;
  const context = new Context(signalFor(own, options));
  for (let at = 0; at < interceptors.length; at++) {
    const answer = callHandler(interceptors[at] as Registration, event, context);
    if (isThenable(answer)) return askLater(host, own, event, options, { verb: 'on', at, answer, context });
    if (answer !== PROCEED || context.read)
      return drive(fold(host, own, event, options, { verb: 'on', at, answer, context }));
  }
  for (let at = 0; at < guards.length; at++) {
    const answer = callHandler(guards[at] as Registration, event, context);
    if (answer !== PROCEED || context.read)
      return drive(fold(host, own, event, options, { verb: 'guard', at, answer, context }));
  }
  return PROCEED;
}

/** The common case of interceptors that answer with promises: an async tail costs less than a fold. */
async function askLater(
  host: DispatchHost,
  chain: Chain,
  event: EventPayload,
  options: DispatchOptions,
  first: Asked,
): Promise<HookDecision> {
  const { interceptors } = chain;
  const signal = signalFor(chain, options);
  let { at, answer, context } = first;
  for (;;) {
    const hook = interceptors[at] as Registration;
    if (isThenable(answer)) {
      try {
        answer = await bounded(host, hook, answer);
        if (answer === LATE) answer = timedOut(hook, context);
      } catch (cause) {
        answer = failure(hook, 'HOOK_FAILED', 'threw an error', cause);
      }
    }
    if (answer !== PROCEED)
      return drive(fold(host, chain, event, options, { verb: 'on', at, answer, context }));
    if (++at === interceptors.length) break;
    context = new Context(signal);
    answer = callHandler(interceptors[at] as Registration, event, context);
  }
  return chain.guards.length === 0 ? PROCEED : drive(fold(host, chain, event, options, 'guards'));
}

function signalFor(chain: Chain, { signal }: DispatchOptions): AbortSignal | undefined {
  return signal !== undefined && chain.spec.lineage.some((type) => TO_COMPLETION.test(type))
    ? undefined
    : signal;
}

/** A hook that was asked before the fold began; those ahead of it answered Proceed. */
interface Asked {
  readonly verb: 'on' | 'guard';
  readonly at: number;
  readonly answer: unknown;
  readonly context: Context;
}

/** A fold that waits for promises: yields each, and is given what it came to. */
type Fold = Generator<PromiseLike<unknown>, HookDecision, unknown>;

function* fold(
  host: DispatchHost,
  first: Chain,
  before: EventPayload,
  options: DispatchOptions,
  from?: Asked | 'guards',
): Fold {
  const { report } = host;
  const traced: TracedHook[] | undefined = host.traced ? [] : undefined;
  const now = traced === undefined ? () => 0 : Date.now;
  const began = now();
  const signal = signalFor(first, options);
  let chain = first;
  let event = before;
  let patch: Fields | undefined;
  let end: HookDecision | undefined;
  let queue = chain.interceptors;
  const done = new Set<Registration>();

  const settle = (hook: Registration, answer: PromiseLike<unknown>, context: Context): Promise<unknown> =>
    settleHandler(host, hook, answer, context);
  const judged = (hook: Registration, answer: unknown): Verdict =>
    judge(hook, answer, chain.spec, event, options);
  const take = (hook: Registration, { decision, error }: Verdict, at: number): void => {
    done.add(hook);
    if (error !== undefined) report(error);
    traced?.push({
      id: hook.id,
      verb: hook.verb,
      durationMs: now() - at,
      ...(error === undefined ? { decision } : { error }),
    });
    if (decision.kind === 'block' || decision.kind === 'retry') end = { ...decision, by: hook.id };
    if (decision.kind !== 'modify') return;
    const merged = mergePatch(event, decision.patch as Fields);
    const renamed =
      'toolName' in merged && merged['toolName'] !== (event as EventPayload & Fields)['toolName'];
    patch = { ...patch, ...merged };
    event = { ...event, ...merged };
    if (!renamed || options.rechain === undefined) return;
    // From here on the hooks are those of another tool: the interceptors not yet asked, all guards and observers.
    chain = options.rechain(event);
    if (chain.sensitive) chain = narrowChain(chain, event);
    queue = chain.interceptors.filter((other) => !done.has(other));
    next = 0;
  };

  const asked = from === 'guards' ? undefined : from;
  let next = from === 'guards' || asked?.verb === 'guard' ? queue.length : (asked?.at ?? 0);
  for (const hook of queue.slice(0, next)) done.add(hook);
  for (
    let given = asked?.verb === 'on' ? asked : undefined;
    end === undefined && next < queue.length;
    given = undefined
  ) {
    const hook = queue[next++] as Registration;
    const at = now();
    const context = given?.context ?? new Context(signal);
    let answer = given === undefined ? callHandler(hook, event, context) : given.answer;
    if (isThenable(answer)) answer = yield settle(hook, answer, context);
    take(hook, judged(hook, answer), at);
  }

  if (end === undefined && patch !== undefined) {
    const verified = options.verify?.(event);
    const reason = isThenable(verified) ? yield verified : verified;
    if (reason !== undefined) end = { kind: 'block', reason } as HookDecision;
  }

  if (end === undefined) {
    // All guards see the same event, whatever the others answer; those that wait do so together.
    const seen = event;
    const waiting: {
      hook: Registration;
      at: number;
      context: Context;
      verdict: Verdict | Promise<Verdict>;
    }[] = [];
    const given = asked?.verb === 'guard' ? asked : undefined;
    for (let i = given?.at ?? 0; i < chain.guards.length; i++) {
      const hook = chain.guards[i] as Registration;
      const at = now();
      const mine = i === given?.at ? given : undefined;
      const context = mine?.context ?? new Context(signal);
      const answer = mine === undefined ? callHandler(hook, seen, context) : mine.answer;
      const verdict = isThenable(answer)
        ? settle(hook, answer, context).then((settled) => judged(hook, settled))
        : judged(hook, answer);
      waiting.push({ hook, at, context, verdict });
      // Nobody behind a Block can change the outcome.
      if (!isThenable(verdict) && verdict.decision.kind === 'block') break;
    }
    for (const { hook, at, context, verdict } of waiting) {
      if (end !== undefined)
        context.abort(new HooksError('HOOK_FAILED', 'a guard ahead of this one has blocked'));
      else take(hook, isThenable(verdict) ? ((yield verdict) as Verdict) : verdict, at);
    }
  }

  const decision: HookDecision = end ?? (patch === undefined ? PROCEED : modify(patch));
  options.final?.(event);
  for (const hook of chain.observers) {
    const at = now();
    const context = new Context(undefined);
    const answer = callHandler(hook, event, context, decision);
    const failed = answer instanceof Failed;
    if (failed) report(answer.error);
    if (isThenable(answer)) {
      const watched = settle(hook, answer, context).then((settled) => {
        if (settled instanceof Failed) report(settled.error);
      });
      host.pending(watched);
    }
    traced?.push({
      id: hook.id,
      verb: hook.verb,
      durationMs: now() - at,
      ...(failed && { error: answer.error }),
    });
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
