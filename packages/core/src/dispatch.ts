import { type Chain, narrowChain, type Registration } from './chain.ts';
import { Context } from './context.ts';
import type { Deadlines } from './deadline.ts';
import { type HookDecision, modify, proceed } from './decision.ts';
import { HooksError } from './error.ts';
import type { EventPayload } from './event.ts';
import { callHandler, Failed, settleHandler } from './handler.ts';
import { type Fields, judge, mergePatch, type Refusal, type Verdict } from './judge.ts';
import { after, isThenable } from './thenable.ts';
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
const TO_COMPLETION: readonly string[] = ['turn_end', 'session_end', 'after_tool_call'];
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
  if (host.traced) return new Dispatch(host, own, event, options).run();
  // The common case needs no object for the fold: everybody answers Proceed at once, and never reads the signal.
  const { interceptors, guards, observers } = own;
  const context = new Context(options.signal === undefined ? undefined : signalFor(own, options));
  for (let i = 0; i < interceptors.length; i++) {
    const answer = callHandler(interceptors[i] as Registration, event, context);
    if (answer !== PROCEED || context.read)
      return new Dispatch(host, own, event, options).run({ at: i, answer, context });
  }
  for (let i = 0; i < guards.length; i++) {
    const answer = callHandler(guards[i] as Registration, event, context);
    if (answer !== PROCEED || context.read)
      return new Dispatch(host, own, event, options).runGuards({ at: i, answer, context });
  }
  if (observers.length > 0) new Dispatch(host, own, event, options).observe();
  return PROCEED;
}

function signalFor(chain: Chain, options: DispatchOptions): AbortSignal | undefined {
  return TO_COMPLETION.some((type) => chain.spec.lineage.includes(type)) ? undefined : options.signal;
}

/** A hook that was asked already when a {@link Dispatch} took over: its place and its raw answer. */
interface Asked {
  readonly at: number;
  readonly answer: unknown;
  readonly context: Context;
}

/** A dispatch in which somebody answers something, or that is traced. */
class Dispatch {
  readonly #host: DispatchHost;
  readonly #options: DispatchOptions;
  readonly #signal: AbortSignal | undefined;
  readonly #before: EventPayload;
  readonly #began: number;
  readonly #traced: TracedHook[] | undefined;
  #chain: Chain;
  #event: EventPayload;
  /** What interceptors and guards have changed so far. */
  #patch: Fields | undefined;
  /** The Block or Retry that ended the chain. */
  #end: HookDecision | undefined;
  #queue: readonly Registration[];
  #next = 0;
  readonly #asked: Set<Registration> = new Set();

  constructor(host: DispatchHost, chain: Chain, event: EventPayload, options: DispatchOptions) {
    this.#host = host;
    this.#options = options;
    this.#signal = signalFor(chain, options);
    this.#before = event;
    this.#traced = host.traced ? [] : undefined;
    this.#began = this.#now();
    this.#chain = chain;
    this.#event = event;
    this.#queue = chain.interceptors;
  }

  /** All phases; `asked` is the interceptor that has answered already. */
  run(asked?: Asked): HookDecision | PromiseLike<HookDecision> {
    if (asked !== undefined) {
      for (const hook of this.#queue.slice(0, asked.at)) this.#asked.add(hook);
      this.#next = asked.at;
    }
    return after(this.#intercept(asked), () => after(this.#verify(), () => this.runGuards()));
  }

  /** Guards and observers; `asked` is the guard that has answered already. */
  runGuards(asked?: Asked): HookDecision | PromiseLike<HookDecision> {
    return after(this.#guard(asked), () => this.observe());
  }

  #intercept(asked?: Asked): undefined | Promise<undefined> {
    let mine = asked;
    while (this.#end === undefined) {
      const hook = this.#queue[this.#next++];
      if (hook === undefined) break;
      const began = this.#now();
      const context = mine?.context ?? new Context(this.#signal);
      const answer = mine === undefined ? callHandler(hook, this.#event, context) : mine.answer;
      mine = undefined;
      if (isThenable(answer)) return this.#interceptLater(hook, this.#settle(hook, answer, context), began);
      context.release();
      this.#take(hook, this.#judge(hook, answer), began);
    }
    return undefined;
  }

  async #interceptLater(hook: Registration, answer: Promise<unknown>, began: number): Promise<undefined> {
    this.#take(hook, this.#judge(hook, await answer), began);
    // From here on this function already waits, so that one await a promise is all that is added.
    while (this.#end === undefined) {
      const next = this.#queue[this.#next++];
      if (next === undefined) break;
      const at = this.#now();
      const context = new Context(this.#signal);
      const given = callHandler(next, this.#event, context);
      this.#take(
        next,
        this.#judge(next, isThenable(given) ? await this.#settle(next, given, context) : given),
        at,
      );
    }
    return undefined;
  }

  #verify(): undefined | PromiseLike<undefined> {
    if (this.#end !== undefined || this.#patch === undefined) return undefined;
    return after(this.#options.verify?.(this.#event), (reason) => {
      if (reason !== undefined) this.#end = { kind: 'block', reason } as HookDecision;
      return undefined;
    });
  }

  #guard(asked?: Asked): undefined | Promise<undefined> {
    if (this.#end !== undefined) return undefined;
    const event = this.#event; // the same for all guards, whatever the others answer
    const { guards } = this.#chain;
    const waiting: Waiting[] = [];
    for (let i = asked?.at ?? 0; i < guards.length; i++) {
      const hook = guards[i] as Registration;
      const began = this.#now();
      const given = i === asked?.at ? asked : undefined;
      const context = given?.context ?? new Context(this.#signal);
      const answer = given === undefined ? callHandler(hook, event, context) : given.answer;
      if (isThenable(answer)) {
        const verdict = this.#settle(hook, answer, context).then((settled) => this.#judge(hook, settled));
        waiting.push({ hook, verdict, context, began });
        continue;
      }
      context.release();
      const verdict = this.#judge(hook, answer);
      if (waiting.length > 0) waiting.push({ hook, verdict, context, began });
      else this.#take(hook, verdict, began);
      if (verdict.decision.kind === 'block') break; // nobody behind a Block can change the outcome
    }
    return waiting.length > 0 ? this.#guardLater(waiting) : undefined;
  }

  async #guardLater(waiting: readonly Waiting[]): Promise<undefined> {
    for (const { hook, verdict, context, began } of waiting) {
      if (this.#end !== undefined)
        context.abort(new HooksError('HOOK_FAILED', 'a guard ahead of this one has blocked'));
      else this.#take(hook, await verdict, began);
    }
    return undefined;
  }

  /** Shows the outcome to observers and trace, and returns it. */
  observe(): HookDecision {
    const decision = this.#end ?? (this.#patch === undefined ? PROCEED : modify(this.#patch));
    this.#options.final?.(this.#event);
    for (const hook of this.#chain.observers) {
      const began = this.#now();
      const context = new Context(undefined);
      const answer = callHandler(hook, this.#event, context, decision);
      if (answer instanceof Failed) this.#host.report(answer.error);
      else if (isThenable(answer)) this.#host.pending(this.#watch(hook, answer, context));
      this.#note(hook, began, answer instanceof Failed ? { error: answer.error } : {});
    }
    if (this.#traced !== undefined && this.#traced.length > 0) {
      const { at, durationMs } = { at: this.#began, durationMs: Date.now() - this.#began };
      this.#host.trace({
        before: this.#before,
        event: this.#event,
        hooks: this.#traced,
        decision,
        at,
        durationMs,
      });
    }
    return decision;
  }

  async #watch(hook: Registration, answer: PromiseLike<unknown>, context: Context): Promise<void> {
    const settled = await this.#settle(hook, answer, context);
    if (settled instanceof Failed) this.#host.report(settled.error);
  }

  #settle(hook: Registration, answer: PromiseLike<unknown>, context: Context): Promise<unknown> {
    return settleHandler(hook, answer, context, this.#host.deadlines, this.#host.report);
  }

  #judge(hook: Registration, answer: unknown): Verdict {
    return judge(hook, answer, this.#chain.spec, this.#event, this.#options);
  }

  /** Folds one hook's verdict into the dispatch. */
  #take(hook: Registration, { decision, error }: Verdict, began: number): void {
    this.#asked.add(hook);
    if (error !== undefined) this.#host.report(error);
    this.#note(hook, began, error === undefined ? { decision } : { error });
    if (decision.kind === 'block' || decision.kind === 'retry') this.#end = { ...decision, by: hook.id };
    if (decision.kind !== 'modify') return;
    const merged = mergePatch(this.#event, decision.patch as Fields);
    const renamed =
      'toolName' in merged && merged['toolName'] !== (this.#event as EventPayload & Fields)['toolName'];
    this.#patch = { ...this.#patch, ...merged };
    this.#event = { ...this.#event, ...merged };
    if (renamed && this.#options.rechain !== undefined) this.#rechain(this.#options.rechain(this.#event));
  }

  /** From here on the hooks are those of another tool: the interceptors not yet asked, and all guards and observers. */
  #rechain(chain: Chain): void {
    this.#chain = chain.sensitive ? narrowChain(chain, this.#event) : chain;
    this.#queue = this.#chain.interceptors.filter((hook) => !this.#asked.has(hook));
    this.#next = 0;
  }

  #note(
    hook: Registration,
    began: number,
    outcome: { readonly decision?: HookDecision; readonly error?: HooksError },
  ): void {
    this.#traced?.push({ id: hook.id, verb: hook.verb, durationMs: Date.now() - began, ...outcome });
  }

  #now(): number {
    return this.#traced === undefined ? 0 : Date.now();
  }
}

/** A guard that was asked, whose answer may still be on its way. */
interface Waiting {
  readonly hook: Registration;
  readonly verdict: Verdict | Promise<Verdict>;
  readonly context: Context;
  readonly began: number;
}
