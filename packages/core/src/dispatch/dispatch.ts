import type { Approval } from '../approval/approval.ts';
import { type HookDecision, modify, PROCEED } from '../decision.ts';
import { HooksError } from '../error.ts';
import type { EventPayload } from '../event/event.ts';
import { keepContributed } from '../session/context.ts';
import { isThenable } from '../thenable.ts';
import { type Fields, judge, mergePatch, type Refusal, type Verdict } from './answer.ts';
import { type Chain, type Owner, type Registration, toolNameOf } from './chain.ts';
import { Context, callHandler } from './handler.ts';
import type { TracedHook } from './trace.ts';

/** A decision, or the promise of one. */
export type Settling = HookDecision | PromiseLike<HookDecision>;

/** What a dispatch may be told beside the event. */
export interface DispatchOptions extends Refusal {
  /** The run's signal. It reaches neither observers nor hooks of events that run to completion on an abort. */
  readonly signal?: AbortSignal | undefined;
  /** A Retry can no longer be obeyed: it counts as Proceed, and the hooks behind have their say about what then stands. */
  readonly last?: boolean;
  /** Gets the event as hooks have left it, whatever the decision. */
  final?(event: EventPayload): void;
}

/** What the tool-call pipeline tells a dispatch beside that. */
export interface PipelineOptions extends DispatchOptions {
  /** The tool has been changed: the event about the new one, and its hooks. */
  rechain?(event: EventPayload): { readonly event: EventPayload; readonly chain: Chain };
  /** Looks at an event that interceptors have changed, before the guards do; a text blocks with that reason. */
  verify?(event: EventPayload): string | undefined | PromiseLike<string | undefined>;
  /** The canonical name of the event's tool in another registry than the first. */
  toolNameIn?(owner: Owner, event: EventPayload): string;
  /** Is told of each registry one of whose hooks requires approval. */
  approvalRequiredBy?(owner: Owner): void;
}

const NO_OPTIONS: PipelineOptions = {};

/**
 * Asks the hooks of a chain about an event and folds their answers into one decision: interceptors in order, then guards on
 * the values that they left, then observers. What hooks contribute is kept in the event's session. Synchronous until a hook
 * answers with a promise.
 *
 * @param event sealed; who made it may rely on it until the dispatch is over
 */
export function ask(chain: Chain, event: EventPayload, options: PipelineOptions = NO_OPTIONS): Settling {
  const dispatch = new Dispatch(chain, event, options);
  const settled = dispatch.run();
  return dispatch.decision ?? settled;
}

/** A hook that was asked, and what its answer amounts to. */
interface Asking {
  readonly hook: Registration;
  /** When it was asked. */
  readonly at: number;
  readonly context: Context;
  readonly verdict: Verdict | PromiseLike<Verdict>;
}

class Dispatch {
  /** Set when all hooks have answered. */
  decision: HookDecision | undefined;
  readonly #before: EventPayload;
  readonly #options: PipelineOptions;
  readonly #run: AbortSignal | undefined;
  readonly #traced: Map<Owner, TracedHook[]> | undefined;
  readonly #began: number;
  #chain: Chain;
  /** Those that answer, and how many of them have been asked. */
  #deciders: readonly Registration[];
  #asked = 0;
  #event: EventPayload;
  /** The event as registries other than the first see it. */
  #views: Map<Owner, EventPayload> | undefined;
  #patch: Fields | undefined;
  /** The Block or Retry that ends the chain. */
  #end: HookDecision | undefined;

  constructor(chain: Chain, event: EventPayload, options: PipelineOptions) {
    this.#before = event;
    this.#chain = chain;
    this.#deciders = chain.deciders;
    this.#event = event;
    this.#options = options;
    this.#run = chain.spec.abortable ? options.signal : undefined;
    this.#traced = chain.owners.some(({ traces }) => traces.size > 0) ? new Map() : undefined;
    this.#began = this.#now();
  }

  async run(): Promise<HookDecision> {
    for (let hook = this.#next('on'); hook && !this.#end; hook = this.#next('on')) {
      const asking = this.#ask(hook);
      this.#take(asking, isThenable(asking.verdict) ? await asking.verdict : asking.verdict);
    }

    if (this.#patch && !this.#end) {
      const verified = this.#options.verify?.(this.#event);
      const reason = isThenable(verified) ? await verified : verified;
      if (reason !== undefined) this.#end = { kind: 'block', reason } as HookDecision;
    }

    // All guards see the same event, whatever the others answer; those that wait do so together.
    const guards: Asking[] = [];
    for (let hook = this.#next('guard'); hook && !this.#end; hook = this.#next('guard')) {
      const asking = this.#ask(hook);
      guards.push(asking);
      // Nobody behind a Block can change the outcome.
      if ('decision' in asking.verdict && asking.verdict.decision.kind === 'block') break;
    }
    for (const asking of guards) {
      if (!this.#end) {
        this.#take(asking, isThenable(asking.verdict) ? await asking.verdict : asking.verdict);
        continue;
      }
      asking.context.abort();
      this.#note(asking, isThenable(asking.verdict) ? {} : asking.verdict);
    }
    return this.#conclude();
  }

  /** The next hook to ask, where it is of this verb. */
  #next(verb: 'on' | 'guard'): Registration | undefined {
    const hook = this.#deciders[this.#asked];
    return hook?.info.verb === verb ? hook : undefined;
  }

  #ask(hook: Registration): Asking {
    this.#asked++;
    const at = this.#now();
    const context = new Context(this.#run);
    const answer = callHandler(hook, this.#viewOf(hook.owner), context);
    const weigh = (final: unknown): Verdict =>
      judge(hook, final, this.#chain.spec, this.#event, this.#options);
    return { hook, at, context, verdict: isThenable(answer) ? answer.then(weigh) : weigh(answer) };
  }

  #take(asking: Asking, verdict: Verdict): void {
    const { decision } = verdict;
    const { info, owner } = asking.hook;
    this.#note(asking, verdict);
    if (decision.kind === 'block' || (decision.kind === 'retry' && !this.#options.last))
      this.#end = Object.freeze({ ...decision, by: info.id });
    if (decision.kind !== 'modify') return;
    const patch = decision.patch as Fields & { readonly approval?: Approval };
    if (patch.approval?.kind === 'required') this.#options.approvalRequiredBy?.(owner);
    const toolName = toolNameOf(this.#event);
    const merged = mergePatch(this.#event, patch);
    this.#patch = { ...this.#patch, ...merged };
    this.#event = Object.freeze({ ...this.#event, ...merged });
    this.#views = undefined;
    if (toolNameOf(this.#event) === toolName || !this.#options.rechain) return;
    // From here on the hooks are those of another tool: the interceptors not yet asked, all guards and observers.
    const { event, chain } = this.#options.rechain(this.#event);
    const asked = this.#deciders.slice(0, this.#asked);
    this.#event = event;
    this.#chain = chain;
    this.#deciders = chain.deciders.filter((other) => !asked.includes(other));
    this.#asked = 0;
  }

  #conclude(): HookDecision {
    const outcome = this.#end ?? (this.#patch ? Object.freeze(modify(Object.freeze(this.#patch))) : PROCEED);
    if (outcome.kind === 'modify')
      keepContributed(this.#chain.spec, this.#chain.owners, this.#before, outcome.patch);
    this.#options.final?.(this.#event);
    for (const hook of this.#chain.observers) this.#show(hook, outcome);
    if (this.#traced)
      for (const [owner, hooks] of this.#traced)
        owner.trace({
          before: this.#before,
          event: this.#viewOf(owner),
          hooks,
          decision: outcome,
          at: this.#began,
          durationMs: this.#now() - this.#began,
        });
    this.decision = outcome;
    return outcome;
  }

  #show(hook: Registration, outcome: HookDecision): void {
    const { owner } = hook;
    const at = this.#now();
    const answer = callHandler(hook, this.#viewOf(owner), outcome, new Context());
    this.#note({ hook, at }, answer instanceof HooksError ? { error: answer } : {});
    if (isThenable(answer))
      owner.keep(answer.then((final) => final instanceof HooksError && owner.report(final)));
  }

  #note({ hook, at }: Pick<Asking, 'hook' | 'at'>, { error, decision }: Partial<Verdict>): void {
    const { info, owner } = hook;
    if (error) owner.report(error);
    if (!this.#traced || owner.traces.size === 0 || !hook.suits(this.#viewOf(owner))) return;
    const traced: TracedHook = {
      id: info.id,
      verb: info.verb,
      durationMs: this.#now() - at,
      ...(error ? { error } : decision && { decision }),
    };
    const noted = this.#traced.get(owner);
    if (noted) noted.push(traced);
    else this.#traced.set(owner, [traced]);
  }

  /** The event as a registry's hooks see it: in their own session, with their own name of the tool. */
  #viewOf(owner: Owner): EventPayload {
    const event = this.#event;
    const session = owner.state(event.session);
    // Who made the event made it for the registry of its session.
    if (session === event.session) return event;
    const known = this.#views?.get(owner);
    if (known) return known;
    const toolName = this.#options.toolNameIn?.(owner, event);
    const view = Object.freeze({ ...event, session, ...(toolName !== undefined && { toolName }) });
    this.#views ??= new Map();
    this.#views.set(owner, view);
    return view;
  }

  #now(): number {
    return this.#traced ? Date.now() : 0;
  }
}
