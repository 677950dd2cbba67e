import { type Chain, chainOf, narrowChain, type Registration, toolNameOf } from './chain.ts';
import { Context, contextFor } from './context.ts';
import { keepContributed } from './contributed.ts';
import { type HookDecision, modify, proceed } from './decision.ts';
import type { DispatchHost, DispatchOptions } from './dispatch.ts';
import { HooksError } from './error.ts';
import type { EventPayload } from './event.ts';
import { callHandler, settleHandler } from './handler.ts';
import { type Fields, judge, mergePatch, type Verdict } from './judge.ts';
import { after, isThenable } from './thenable.ts';
import type { HookVerb, TracedHook } from './trace.ts';

const PROCEED = proceed();

/** A decision, or the promise of one. */
export type Folded = HookDecision | PromiseLike<HookDecision>;

/** What a hook answered before the fold began; those ahead of it answered Proceed. */
export interface Asked {
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

/**
 * Folds the answers of a chain's hooks into one decision, and shows the outcome to the observers. Synchronous until a
 * hook answers with a promise.
 *
 * @param from where among the deciders to begin; those ahead have answered Proceed
 * @param asked what the one at `from` has answered already
 */
export function fold(
  host: DispatchHost,
  chain: Chain,
  event: EventPayload,
  options: DispatchOptions,
  from = 0,
  asked?: Asked,
): Folded {
  const folding = steps(host, chain, event, options, from, asked);
  const step = folding.next();
  return step.done ? step.value : foldLater(folding, step.value);
}

async function foldLater(folding: Steps, first: PromiseLike<unknown>): Promise<HookDecision> {
  for (let waiting = first; ; ) {
    const step = folding.next(await waiting);
    if (step.done) return step.value;
    waiting = step.value;
  }
}

/** A fold, which yields each promise that it waits for and is given what it came to. */
type Steps = Generator<PromiseLike<unknown>, HookDecision, unknown>;

function* steps(
  host: DispatchHost,
  first: Chain,
  before: EventPayload,
  options: DispatchOptions,
  from: number,
  asked: Asked | undefined,
): Steps {
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
