import {
  AfterModelCall,
  type Attached,
  type DispatchDecision,
  type DispatchOptions,
  type EventPayload,
  type HookDecision,
  modify,
  type Point,
  proceed,
  retry,
  UserPromptSubmit,
} from '@hooks/core';
import { AgentRun, type AgentRunOptions, after, forgetRun } from '@hooks/core/adapter';
import type { Fault } from './faults.ts';

type Fields<E> = Omit<E, 'type' | 'session' | 'run' | 'agent' | 'turn' | 'principal'>;

/** A run that hides fields from hooks or ignores their decisions. */
export class FaultyRun extends AgentRun {
  readonly #faults: ReadonlySet<Fault>;
  readonly #abort: AbortSignal | undefined;

  constructor(registries: readonly Attached[], options: AgentRunOptions, faults: ReadonlySet<Fault>) {
    const deaf = ['ignores an abort', 'hides the signal from hooks', 'treats an abort as a Block'] as const;
    super(registries, deaf.some((fault) => faults.has(fault)) ? { ...options, signal: undefined } : options);
    this.#faults = faults;
    this.#abort = faults.has('treats an abort as a Block') ? options.signal : undefined;
  }

  override get maxAttempts(): number {
    return this.#faults.has('never stops a Retry') ? 5 : super.maxAttempts;
  }

  override ask<E extends EventPayload, Decision, G>(
    point: Point<E, Decision, G> & { readonly type: string },
    fields: Fields<E>,
    options: DispatchOptions = {},
  ): DispatchDecision<Decision> | PromiseLike<DispatchDecision<Decision>> {
    const { type } = point;
    // The token determines the type of the answer, but here the token's type is unknown.
    const given = (decision: HookDecision) => decision as DispatchDecision<Decision>;
    if (this.#faults.has(`never fires ${type}`)) return given(proceed());
    const shown = Object.entries(fields).filter(([field]) => !this.#faults.has(`hides ${field} of ${type}`));
    const asked = super.ask(point, Object.fromEntries(shown) as Fields<E>, this.#rules(type, options));
    return after(asked, (answer) => {
      if (type === UserPromptSubmit.type && this.#faults.has('loses a run’s metadata'))
        forgetRun(this.session, this.id);
      return given(this.#obeyed(type, answer as HookDecision, options));
    });
  }

  protected override reopen(): boolean {
    return !this.#faults.has('continues in a closed session') && super.reopen();
  }

  #rules(type: string, options: DispatchOptions): DispatchOptions {
    const last =
      type === AfterModelCall.type && this.#faults.has('stops asking hooks after a Retry at the limit');
    const { refuse: _, ...others } = options;
    const kept = this.#faults.has('lets hooks say of which call a result is') ? others : options;
    return { ...kept, ...(this.#abort && { signal: this.#abort }), ...(last && { last: false }) };
  }

  /** The part of an answer that the faults do not drop. */
  #obeyed(type: string, answer: HookDecision, { last = false }: DispatchOptions): HookDecision {
    const faults = this.#faults;
    if (faults.has(`ignores ${answer.kind} on ${type}`) || (answer.kind === 'retry' && last))
      return proceed();
    if (answer.kind === 'retry')
      return faults.has('ignores the delay of a model Retry') ? retry(answer.reason) : answer;
    if (answer.kind !== 'modify') return answer;
    const kept = Object.entries(answer.patch).filter(
      ([field]) => !faults.has(`ignores modify.${field} on ${type}`),
    );
    return modify(Object.fromEntries(kept));
  }
}
