import {
  AfterToolCall,
  block,
  type EventPayload,
  type HandlerContext,
  type HookDecision,
  type HookRegistrar,
  Notification,
  proceed,
} from '@hooks/core';
import type { HookEntry } from '../entry.ts';
import type { EventType } from '../events.ts';
import { isFailure } from '../protocol/answer.ts';
import { wireEventOf } from '../protocol/stdin.ts';
import type { RunContext } from '../run/context.ts';
import { type AskedAll, askHooks, concerned } from './ask.ts';
import { contributeLate, lateContext, toDecision } from './decision.ts';
import { viewEvent, type WireView } from './event.ts';
import { closes, describeFailure, type Failures, failureError } from './failure.ts';
import { Recheck } from './recheck.ts';
import { routed } from './route.ts';
import { TOKENS } from './tokens.ts';
import { versionOfAsked } from './version.ts';

/**
 * Registers the hooks that run outside of this process: one interceptor per event runs all of them. Those with a phase
 * run before or after the others.
 */
export function registerWireHooks(
  entries: readonly HookEntry[],
  hooks: HookRegistrar,
  context: RunContext,
  failures: Failures,
): readonly Disposable[] {
  return (['first', undefined, 'last'] as const).flatMap((phase) => {
    const own = entries.filter(({ wireEvent }) => wireEventOf(context.dialect, wireEvent).phase === phase);
    const wire = new WireHooks(own, hooks, context, failures);
    const types = new Set(own.map(({ event }) => event));
    return [...types].flatMap((type) => wire.register(type, phase === undefined ? type : `${type}-${phase}`));
  });
}

/** An event, and the hooks for it. */
interface Question {
  readonly type: EventType;
  readonly event: EventPayload;
  readonly entries: readonly HookEntry[];
  readonly view: WireView;
}

class WireHooks {
  readonly #entries: readonly HookEntry[];
  readonly #hooks: HookRegistrar;
  readonly #context: RunContext;
  readonly #failures: Failures;
  readonly #recheck = new Recheck();

  constructor(entries: readonly HookEntry[], hooks: HookRegistrar, context: RunContext, failures: Failures) {
    this.#entries = entries;
    this.#hooks = hooks;
    this.#context = context;
    this.#failures = failures;
  }

  register(type: EventType, id: string): readonly Disposable[] {
    // Each hook has its own timeout.
    const options = {
      timeoutMs: Number.POSITIVE_INFINITY,
      external: (event: EventPayload) => versionOfAsked(this.#question(type, event).entries),
    };
    const registered = [
      this.#hooks.on<EventPayload, HookDecision, never>(
        TOKENS[type],
        (event, { signal }) => this.#intercept(type, event, signal),
        { ...options, id },
      ),
    ];
    if (type !== 'before_tool_call') return registered;
    return [
      ...registered,
      this.#hooks.guard<EventPayload, never, HookDecision>(
        TOKENS[type],
        (event, context) => this.#guard(type, event, context),
        {
          ...options,
          external: (event) =>
            versionOfAsked(this.#recheck.toAskAgain(event, this.#question(type, event).entries)),
          id: `${id}-again`,
        },
      ),
      this.#hooks.observe(AfterToolCall, (event) => this.#recheck.forget(event), { id: `${id}-over` }),
    ];
  }

  #intercept(
    type: EventType,
    event: EventPayload,
    signal: AbortSignal,
  ): HookDecision | Promise<HookDecision> {
    const question = this.#question(type, event);
    return question.entries.length === 0 ? proceed() : this.#ask(question, signal);
  }

  async #ask(question: Question, signal: AbortSignal): Promise<HookDecision> {
    const { type, event, entries, view } = question;
    const { spec } = TOKENS[type];
    const { all, refusal } = await this.#answers(question, signal);
    if (refusal) return refusal;
    const late = lateContext(spec, all.answer);
    if (late.length > 0) contributeLate(event, late);
    const decision = this.#routed(toDecision(spec, event, all.answer, view.tool), type, all);
    if (type === 'before_tool_call') this.#recheck.remember(event, decision, entries, all.asked);
    return decision;
  }

  /** Runs hooks again on a call that changed after they saw it. As guards, they can only refuse. */
  #guard(
    type: EventType,
    event: EventPayload,
    { signal }: HandlerContext,
  ): HookDecision | Promise<HookDecision> {
    const question = this.#question(type, event);
    const entries = this.#recheck.toAskAgain(event, question.entries);
    return entries.length === 0 ? proceed() : this.#askAgain({ ...question, entries }, signal);
  }

  async #askAgain(question: Question, signal: AbortSignal): Promise<HookDecision> {
    const { type, event } = question;
    const { spec } = TOKENS[type];
    const { all, refusal } = await this.#answers(question, signal);
    if (refusal) return refusal;
    const { permission, reason, stop } = all.answer;
    const changes = all.asked.find(
      ({ result }) =>
        !isFailure(result) && (result.input ?? result.toolName ?? result.output ?? result.route),
    );
    if (changes && permission !== 'deny') {
      throw failureError(
        changes.entry,
        { failed: 'it would change a call that other hooks have already allowed' },
        spec,
      );
    }
    const refused =
      permission === 'deny' || permission === 'ask' ? { permission, ...(reason && { reason }) } : {};
    return toDecision(spec, event, { ...refused, ...(stop && { stop }) });
  }

  #question(type: EventType, event: EventPayload): Question {
    const { dialect, cwd } = this.#context;
    const view = viewEvent(dialect, type, event, cwd);
    const own = this.#entries.filter((entry) => entry.event === type);
    return { type, event, view, entries: concerned(own, event, view, this.#context) };
  }

  /** Runs the hooks and notifies the user. Returns all answers and, if a hook failed, the refusal. */
  async #answers(
    { type, event, entries, view }: Question,
    signal: AbortSignal,
  ): Promise<{ all: AskedAll; refusal: HookDecision | undefined }> {
    const all = await askHooks(entries, view, this.#context, signal);
    await this.#tell(type, event, all);
    return { all, refusal: this.#refusalOf(type, all) };
  }

  #routed(decision: HookDecision, type: EventType, { answer, asked }: AskedAll): HookDecision {
    const result = routed(decision, answer, this.#context.route);
    if ('kind' in result) return result;
    const [asking] = asked.filter(({ result }) => !isFailure(result) && result.route !== undefined);
    if (asking === undefined) return decision;
    throw failureError(asking.entry, result, TOKENS[type].spec);
  }

  /** A refusal comes before a failure. A failure that closes the gate comes before everything else. */
  #refusalOf(type: EventType, { answer, asked }: AskedAll): HookDecision | undefined {
    if (answer.permission === 'deny' || answer.stop) return undefined;
    const { spec } = TOKENS[type];
    for (const { entry, result } of asked) {
      if (!isFailure(result) || !closes(this.#context.dialect, entry, type, this.#failures)) continue;
      const blocks =
        entry.handler.onError === 'block' && spec.onFailure === 'proceed' && spec.permits.includes('block');
      if (blocks) return block(describeFailure(entry, result));
      throw failureError(entry, result, spec);
    }
    return undefined;
  }

  /** Notifies the user of the hooks' messages and of ignored failures. */
  async #tell(type: EventType, { session }: EventPayload, { answer, asked }: AskedAll): Promise<void> {
    if (type === 'notification') return;
    const passedOver = asked.flatMap(({ entry, result }) => {
      const quiet =
        entry.handler.onError === 'ignore' || closes(this.#context.dialect, entry, type, this.#failures);
      return isFailure(result) && !quiet ? [describeFailure(entry, result)] : [];
    });
    for (const message of [...(answer.messages ?? []), ...passedOver]) {
      const told = this.#hooks.dispatch(Notification, { session, level: 'warning', message });
      // Every event of a session waits for its start, so the notification must follow without being awaited.
      if (type !== 'session_start') await told;
    }
  }
}
