import { type Chain, type Registration, toolNameOf } from './chain.ts';
import { Context, contextFor } from './context.ts';
import { keepContributed } from './contributed.ts';
import { type HookDecision, modify, PROCEED } from './decision.ts';
import type { DispatchHost, DispatchOptions } from './dispatch.ts';
import { HooksError } from './error.ts';
import type { EventPayload } from './event.ts';
import { callHandler, settleHandler } from './handler.ts';
import { type Fields, judge, mergePatch, type Verdict } from './judge.ts';
import { after, drive, isThenable } from './thenable.ts';
import type { HookVerb, TracedHook } from './trace.ts';

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
 * @param given what the one at `from` has answered already
 */
export function fold(
  host: DispatchHost,
  chain: Chain,
  event: EventPayload,
  options: DispatchOptions,
  from = 0,
  given?: Asked,
): Folded {
  return drive(folding(host, chain, event, options, from, given));
}

/** Yields what it waits for. */
function* folding(
  host: DispatchHost,
  first: Chain,
  before: EventPayload,
  options: DispatchOptions,
  from: number,
  given: Asked | undefined,
): Generator<unknown, HookDecision, unknown> {
  const traced: TracedHook[] | undefined = host.traces.size > 0 ? [] : undefined;
  const now = traced ? Date.now : () => 0;
  const began = now();
  const asked = new Set(first.deciders.slice(0, from));
  let chain = first;
  let event = before;
  let early = given;
  let patch: Fields | undefined;
  let end: HookDecision | undefined;

  const note = ({ hook, at }: Pick<Asking, 'hook' | 'at'>, { error, decision }: Partial<Verdict>): void => {
    if (error) host.report(error);
    const { id, verb } = hook.info;
    if (hook.suits(event))
      traced?.push({ id, verb, durationMs: now() - at, ...(error ? { error } : decision && { decision }) });
  };
  /** Asks the next hook of that verb, if there is one and nobody has ended the chain. */
  const ask = (verb: HookVerb): Asking | undefined => {
    const hook = chain.deciders.find((other) => other.info.verb === verb && !asked.has(other));
    if (end || !hook) return undefined;
    asked.add(hook);
    const at = now();
    const context = early?.context ?? contextFor(first, options);
    const answer = early ? early.answer : callHandler(hook, event, context);
    early = undefined;
    const verdict = after(settleHandler(host, hook, answer, context), (final) =>
      judge(hook, final, chain.spec, event, options),
    );
    return { hook, at, context, verdict };
  };
  const take = (asking: Asking, verdict: Verdict): void => {
    const { decision } = verdict;
    note(asking, verdict);
    if (decision.kind === 'block' || (decision.kind === 'retry' && !options.last))
      end = { ...decision, by: asking.hook.info.id };
    if (decision.kind !== 'modify') return;
    const toolName = toolNameOf(event);
    const merged = mergePatch(event, decision.patch as Fields);
    patch = { ...patch, ...merged };
    event = { ...event, ...merged };
    // From here on the hooks are those of another tool: the interceptors not yet asked, all guards and observers.
    if (toolNameOf(event) !== toolName && options.rechain) chain = options.rechain(event);
  };

  for (let asking = ask('on'); asking; asking = ask('on')) take(asking, (yield asking.verdict) as Verdict);

  if (!end && patch) {
    const reason = yield options.verify?.(event);
    if (reason !== undefined) end = { kind: 'block', reason } as HookDecision;
  }

  // All guards see the same event, whatever the others answer; those that wait do so together.
  const guards: Asking[] = [];
  for (let asking = ask('guard'); asking; asking = ask('guard')) {
    guards.push(asking);
    // Nobody behind a Block can change the outcome.
    if ('decision' in asking.verdict && asking.verdict.decision.kind === 'block') break;
  }
  for (const asking of guards) {
    if (!end) take(asking, (yield asking.verdict) as Verdict);
    else {
      asking.context.abort(new HooksError('HOOK_FAILED', 'a guard ahead has blocked'));
      note(asking, asking.verdict as Partial<Verdict>);
    }
  }

  const decision = end ?? (patch ? modify(patch) : PROCEED);
  if (decision.kind === 'modify') keepContributed(chain.spec, before, decision.patch);
  options.final?.(event);
  for (const hook of chain.observers) {
    const at = now();
    const context = new Context(undefined);
    const answer = callHandler(hook, event, decision, context);
    note({ hook, at }, answer instanceof HooksError ? { error: answer } : {});
    const settled = settleHandler(host, hook, answer, context);
    if (isThenable(settled))
      host.pending(settled.then((final) => final instanceof HooksError && host.report(final)));
  }
  if (traced?.length)
    host.trace({ before, event, hooks: traced, decision, at: began, durationMs: now() - began });
  return decision;
}
