import { type HookDecision, modify, PROCEED } from '../decision.ts';
import { HooksError } from '../error.ts';
import type { EventPayload } from '../event/event.ts';
import { type Chain, type Registration, toolNameOf } from '../registry/chain.ts';
import { keepContributed } from '../session/contributed.ts';
import { after, isThenable } from '../thenable.ts';
import { Context, contextFor } from './context.ts';
import type { DispatchHost, DispatchOptions } from './dispatch.ts';
import { callHandler, settleHandler } from './handler.ts';
import { type Fields, judge, mergePatch, type Verdict } from './judge.ts';
import type { TracedHook } from './trace.ts';

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
 * @param place where among the deciders to begin; those ahead have answered Proceed
 * @param early what the one at that place has answered already
 */
export function fold(
  host: DispatchHost,
  first: Chain,
  before: EventPayload,
  options: DispatchOptions,
  place: number,
  early: Asked | undefined,
): Folded {
  const traced: TracedHook[] | undefined = host.traces.size ? [] : undefined;
  const now = traced ? Date.now : () => 0;
  const began = now();
  let chain = first;
  let { deciders } = first;
  let event = before;
  let patch: Fields | undefined;
  let end: HookDecision | undefined;
  let decision: HookDecision | undefined;

  const ask = (hook: Registration): Asking => {
    const at = early ? began : now();
    const context = early?.context ?? contextFor(first, options);
    const answer = early ? early.answer : callHandler(hook, event, context);
    early = undefined;
    const verdict = after(settleHandler(host, hook, answer, context), (final) =>
      judge(hook, final, chain.spec, event, options),
    );
    return { hook, at, context, verdict };
  };
  const note = ({ hook, at }: Pick<Asking, 'hook' | 'at'>, { error, decision }: Partial<Verdict>): void => {
    if (error) host.report(error);
    const { id, verb } = hook.info;
    if (traced && hook.suits(event))
      traced.push({ id, verb, durationMs: now() - at, ...(error ? { error } : decision && { decision }) });
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
    if (toolNameOf(event) === toolName || !options.rechain) return;
    // From here on the hooks are those of another tool: the interceptors not yet asked, all guards and observers.
    const asked = deciders.slice(0, place + 1);
    chain = options.rechain(event);
    deciders = chain.deciders.filter((other) => !asked.includes(other));
    place = -1;
  };

  const steps = async (): Promise<HookDecision> => {
    for (let hook = deciders[place]; !end && hook?.info.verb === 'on'; hook = deciders[++place]) {
      const asking = ask(hook);
      const { verdict } = asking;
      take(asking, isThenable(verdict) ? await verdict : verdict);
    }

    if (!end && patch) {
      const verified = options.verify?.(event);
      const reason = isThenable(verified) ? await verified : verified;
      if (reason !== undefined) end = { kind: 'block', reason } as HookDecision;
    }

    // All guards see the same event, whatever the others answer; those that wait do so together.
    const guards: Asking[] = [];
    for (let hook = end ? undefined : deciders[place]; hook; hook = deciders[++place]) {
      const asking = ask(hook);
      guards.push(asking);
      // Nobody behind a Block can change the outcome.
      if ('decision' in asking.verdict && asking.verdict.decision.kind === 'block') break;
    }
    for (const asking of guards) {
      const { context, verdict } = asking;
      if (!end) take(asking, isThenable(verdict) ? await verdict : verdict);
      else {
        context.abort();
        note(asking, verdict as Partial<Verdict>);
      }
    }

    const outcome = end ?? (patch ? modify(patch) : PROCEED);
    if (outcome.kind === 'modify') keepContributed(chain.spec, before, outcome.patch);
    options.final?.(event);
    for (const hook of chain.observers) {
      const at = now();
      const context = new Context();
      const answer = callHandler(hook, event, outcome, context);
      note({ hook, at }, answer instanceof HooksError ? { error: answer } : {});
      const settled = settleHandler(host, hook, answer, context);
      if (isThenable(settled))
        host.pending(settled.then((final) => final instanceof HooksError && host.report(final)));
    }
    if (traced?.length)
      host.trace({ before, event, hooks: traced, decision: outcome, at: began, durationMs: now() - began });
    decision = outcome;
    return outcome;
  };
  const folded = steps();
  return decision ?? folded;
}
