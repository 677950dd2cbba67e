import type { Approval } from '../approval/approval.ts';
import { type Block, type HookDecision, isDecision, modify, PROCEED } from '../decision.ts';
import { defined } from '../defined.ts';
import { HooksError } from '../error.ts';
import type { EventPayload } from '../event/event.ts';
import { keepContributed } from '../session/context.ts';
import { after, isThenable } from '../thenable.ts';
import { type Fields, judge, mergePatch, type Refusal, type Verdict } from './answer.ts';
import { type Chain, type Owner, type Registration, toolNameOf } from './chain.ts';
import { Context, callHandler, failure } from './handler.ts';
import { thawFields } from './seal.ts';
import type { TracedHook } from './trace.ts';

/** A decision, or the promise of one. */
export type Settling = HookDecision | PromiseLike<HookDecision>;

/** Options of a dispatch. */
export interface DispatchOptions extends Refusal {
  /** The run's signal. Not passed to observers, nor to hooks of events that complete after an abort. */
  readonly signal?: AbortSignal | undefined;
  /** A Retry can no longer be obeyed. It counts as Proceed, and later hooks decide about what then stands. */
  readonly last?: boolean;
  /** Gets the event as hooks left it, whatever the decision. */
  final?(event: EventPayload): void;
}

/** Further options, for the tool-call pipeline. */
export interface PipelineOptions extends DispatchOptions {
  /** A hook changed the tool: returns the event for the new one, and its hooks. */
  rechain?(event: EventPayload): { readonly event: EventPayload; readonly chain: Chain };
  /** Checks an event that interceptors changed, before the guards. A returned text blocks with that reason. */
  verify?(event: EventPayload): string | undefined | PromiseLike<string | undefined>;
  /** What guards get that nobody else is shown. If it throws, the gate stays closed. */
  forGuards?(
    event: EventPayload,
  ): { readonly event: EventPayload; hide(value: unknown): unknown } | undefined;
  /** The canonical name of the event's tool in a registry other than the first. */
  toolNameIn?(owner: Owner, event: EventPayload): string;
  /** Called for each registry with a hook that requires approval. */
  approvalRequiredBy?(owner: Owner): void;
}

const NO_OPTIONS: PipelineOptions = {};

/**
 * Runs the hooks of a chain on an event and combines their answers into one decision: interceptors in order, then
 * guards on the resulting values, then observers. Stores contributed context in the event's session. Synchronous until
 * a hook returns a promise.
 * @param event sealed; its creator may rely on it until the dispatch is over
 */
export function ask(chain: Chain, event: EventPayload, options: PipelineOptions = NO_OPTIONS): Settling {
  return new Dispatch(chain, event, options).intercept();
}

/** A hook that ran, and its answer. */
interface Asking {
  readonly hook: Registration;
  /** When it started. */
  readonly at: number;
  readonly context: Context;
  /** Its validated answer. */
  readonly verdict: Verdict | PromiseLike<Verdict>;
}

/** A dispatch. Each phase calls the next, at once or when its promise has settled. */
class Dispatch {
  private readonly before: EventPayload;
  private readonly options: PipelineOptions;
  private readonly signal: AbortSignal | undefined;
  private readonly traced: Map<Owner, TracedHook[]> | undefined;
  private readonly began: number;
  private chain: Chain;
  /** The hooks that answer, and how many of them have run. */
  private deciders: readonly Registration[];
  private asked = 0;
  private event: EventPayload;
  /** What the hooks of a registry see of an event: the same object, so that they can keep what they know of it. */
  private views: Map<Owner, { readonly of: EventPayload; readonly view: EventPayload }> | undefined;
  /** Hides what guards quote of the values that only they are shown. */
  private hide: ((value: unknown) => unknown) | undefined = undefined;
  private patch: Fields | undefined = undefined;
  /** The Block or Retry that ends the chain. */
  private end: HookDecision | undefined = undefined;

  constructor(chain: Chain, event: EventPayload, options: PipelineOptions) {
    this.before = event;
    this.chain = chain;
    this.deciders = chain.deciders;
    this.event = event;
    this.options = options;
    this.signal = chain.spec.abortable ? options.signal : undefined;
    this.traced = chain.owners.some(isTraced) ? new Map() : undefined;
    this.began = this.now();
  }

  /** Runs the interceptors, one after the other. */
  intercept(): Settling {
    for (let hook = this.next('on'); hook && !this.end; hook = this.next('on')) {
      const asking = this.ask(hook);
      const { verdict } = asking;
      if (isThenable(verdict))
        return verdict.then((settled) => {
          this.take(asking, settled);
          return this.intercept();
        });
      this.take(asking, verdict);
    }
    if (!this.patch || this.end || !this.options.verify) return this.guard();
    return after(this.options.verify(this.event), (reason) => {
      if (reason !== undefined) this.end = { kind: 'block', reason } as HookDecision;
      return this.guard();
    });
  }

  /** Runs the guards. All see the same event, whatever the others answer. Asynchronous ones run concurrently. */
  private guard(): Settling {
    const { event } = this;
    try {
      const shown = this.end === undefined ? this.options.forGuards?.(event) : undefined;
      if (shown !== undefined) {
        this.event = shown.event;
        this.hide = shown.hide;
      }
    } catch {
      // What it threw may hold what it conceals.
      this.end = {
        kind: 'block',
        reason: 'Blocked, because the values of this call could not be revealed.',
      } as Block;
    }
    const asked = this.askGuards();
    this.event = event;
    return this.fold(asked, 0);
  }

  private askGuards(): readonly Asking[] {
    const asked: Asking[] = [];
    for (let hook = this.next('guard'); hook && !this.end; hook = this.next('guard')) {
      const asking = this.ask(hook);
      asked.push(asking);
      // Nobody behind a Block can change the outcome.
      if ('decision' in asking.verdict && asking.verdict.decision.kind === 'block') break;
    }
    return asked;
  }

  /** Takes the guards' answers in order. */
  private fold(asked: readonly Asking[], from: number): Settling {
    for (let at = from; at < asked.length; at++) {
      const asking = asked[at] as Asking;
      const { verdict } = asking;
      if (this.end) {
        asking.context.abort();
        this.note(asking, isThenable(verdict) ? {} : verdict);
      } else if (isThenable(verdict))
        return verdict.then((settled) => {
          this.take(asking, settled);
          return this.fold(asked, at + 1);
        });
      else this.take(asking, verdict);
    }
    return this.conclude();
  }

  /** The next hook, if it is of this verb. */
  private next(verb: 'on' | 'guard'): Registration | undefined {
    const hook = this.deciders[this.asked];
    return hook?.info.verb === verb ? hook : undefined;
  }

  private ask(hook: Registration): Asking {
    this.asked++;
    const at = this.now();
    const context = new Context(this.signal, this.hide !== undefined);
    const answer = callHandler(hook, this.viewOf(hook.owner), context);
    const verdict = isThenable(answer)
      ? answer.then((final) => this.judge(hook, final))
      : this.judge(hook, answer);
    return { hook, at, context, verdict };
  }

  private judge(hook: Registration, answer: unknown): Verdict {
    const verdict = judge(hook, answer, this.chain.spec, this.event, this.options);
    try {
      return this.hide === undefined ? verdict : hidden(verdict, this.hide);
    } catch {
      return { decision: UNHIDDEN };
    }
  }

  private take(asking: Asking, verdict: Verdict): void {
    const { decision } = verdict;
    const { info, owner } = asking.hook;
    if (this.traced || verdict.error) this.note(asking, verdict);
    if (decision.kind === 'block' || (decision.kind === 'retry' && !this.options.last))
      this.end = Object.freeze({ ...decision, by: info.id });
    if (decision.kind !== 'modify') return;
    const patch = decision.patch as Fields & { readonly approval?: Approval };
    if (patch.approval?.kind === 'required') this.options.approvalRequiredBy?.(owner);
    const toolName = toolNameOf(this.event);
    const merged = mergePatch(this.chain.spec, this.event, patch);
    this.patch = { ...this.patch, ...merged };
    this.event = Object.freeze({ ...this.event, ...merged });
    if (toolNameOf(this.event) === toolName || !this.options.rechain) return;
    // From here on the hooks are those of another tool: the interceptors not yet asked, all guards and observers.
    const { event, chain } = this.options.rechain(this.event);
    const done = this.deciders.slice(0, this.asked);
    this.event = event;
    this.chain = chain;
    this.deciders = chain.deciders.filter((other) => !done.includes(other));
    this.asked = 0;
  }

  private conclude(): HookDecision {
    const { chain } = this;
    const outcome = this.end ?? (this.patch ? Object.freeze(modify(Object.freeze(this.patch))) : PROCEED);
    if (outcome.kind === 'modify') keepContributed(chain.spec, chain.owners, this.before, outcome.patch);
    this.options.final?.(this.event);
    for (const hook of chain.observers) this.show(hook, outcome);
    if (this.traced)
      for (const [owner, hooks] of this.traced)
        owner.trace({
          before: this.before,
          event: this.viewOf(owner),
          hooks,
          decision: outcome,
          at: this.began,
          durationMs: this.now() - this.began,
        });
    return outcome;
  }

  private show(hook: Registration, outcome: HookDecision): void {
    const { owner } = hook;
    const at = this.now();
    const answer = callHandler(hook, this.viewOf(owner), new Context(), outcome);
    const error = failureOfObserver(hook, answer);
    this.note({ hook, at }, error ? { error } : {});
    if (isThenable(answer))
      owner.keep(
        answer.then((final) => {
          const late = failureOfObserver(hook, final);
          if (late) owner.report(late);
        }),
      );
  }

  private note({ hook, at }: Pick<Asking, 'hook' | 'at'>, { error, decision }: Partial<Verdict>): void {
    const { info, owner } = hook;
    if (error) owner.report(error);
    if (!this.traced || !isTraced(owner) || !hook.suits(this.viewOf(owner))) return;
    const external = externalOf(hook, this.viewOf(owner));
    const traced: TracedHook = {
      id: info.id,
      verb: info.verb,
      durationMs: this.now() - at,
      ...defined({ external, error, decision: error ? undefined : decision }),
    };
    const noted = this.traced.get(owner);
    if (noted) noted.push(traced);
    else this.traced.set(owner, [traced]);
  }

  /** The event as a registry's hooks see it: with their own session and its user, and their own name of the tool. */
  private viewOf(owner: Owner): EventPayload {
    const { event } = this;
    const session = owner.state(event.session);
    // A hook may have named the user when the session started, after the event was made.
    const { principal = session.principal } = event;
    // Who made the event made it for the registry of its session.
    if (session === event.session && principal === event.principal) return event;
    const known = this.views?.get(owner);
    if (known?.of === event) return known.view;
    const toolName = this.options.toolNameIn?.(owner, event);
    const view = Object.freeze({ ...event, session, ...defined({ principal, toolName }) });
    this.views ??= new Map();
    this.views.set(owner, { of: event, view });
    return view;
  }

  private now(): number {
    return this.traced ? Date.now() : 0;
  }
}

/** An observer that answers with a decision means to change something, and does not. */
function failureOfObserver(hook: Registration, answer: unknown): HooksError | undefined {
  if (answer instanceof HooksError) return answer;
  return isDecision(answer) && answer.kind !== 'proceed'
    ? failure(hook, 'INVALID_DECISION', `only observes, so its answer "${answer.kind}" changes nothing,`)
    : undefined;
}

/** What a guard quotes, and what kept it from being hidden, may hold the values. */
const UNHIDDEN = {
  kind: 'block',
  reason: 'Blocked, because the values of this call could not be hidden in the answer of a guard.',
} as Block;

/** A guard's answer without the values that it quotes. */
function hidden({ decision, error }: Verdict, hide: (value: unknown) => unknown): Verdict {
  const { kind, ...said } = decision;
  const fields = Object.entries(said).map(([field, value]) => [
    field,
    typeof value === 'string' || typeof value === 'object' ? hide(value) : value,
  ]);
  const shown = { ...Object.fromEntries(fields), kind } as HookDecision;
  if (error === undefined) return { decision: shown };
  const { code, hook, event, message } = error;
  return { decision: shown, error: new HooksError(code, String(hide(message)), defined({ hook, event })) };
}

/** The decision with a patch that its receiver may change. */
export function thawDecision(decision: HookDecision): HookDecision {
  return decision.kind === 'modify' ? modify(thawFields(decision.patch)) : decision;
}

/** The calls of a hook to other processes; undefined if it does not report any. */
function externalOf({ external }: Registration, event: EventPayload): string | undefined {
  try {
    return external?.(event);
  } catch {
    return undefined;
  }
}

function isTraced({ traces }: Owner): boolean {
  return traces.size > 0;
}
