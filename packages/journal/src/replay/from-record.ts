import {
  block,
  type EventPayload,
  type HookDecision,
  type HookOptions,
  type HookProvider,
  type HookRegistrar,
  type HookVerb,
  modify,
  proceed,
  retry,
} from '@hooks/core';
import type { JournalReading } from '../read/parse.ts';
import type { RecordedDecision } from '../record/types.ts';

/** Answers from the record, on the event that is being replayed. */
export interface OnRecord {
  /** That of a hook that asks outside of the process; undefined where it is not on record, or cannot be given again. */
  external(external: string, verb: HookVerb, type: string): HookDecision | undefined;
  /** That of an interceptor which saw a value that is not recorded; undefined where it is to be asked. */
  kept(id: string, type: string, external: string | undefined): HookDecision | undefined;
}

/**
 * The provider, some of whose hooks are not asked: their answers come from the record.
 *
 * @param live hooks that ask outside of the process are asked, too
 */
export function fromRecord(provider: HookProvider, record: OnRecord, live: boolean): HookProvider {
  const { version } = provider;
  return {
    name: provider.name,
    ...(provider.once !== undefined && { once: provider.once }),
    ...(version !== undefined && { version }),
    register(hooks) {
      /** Registers a handler that looks into the record before it asks the given one. */
      const answering = <E>(
        verb: HookVerb,
        handler: E,
        options: HookOptions | undefined,
        add: (handler: E) => Disposable,
      ): Disposable => {
        const answer = (event: EventPayload, ...others: readonly unknown[]): unknown => {
          const external = options?.external?.(event);
          const kept = verb === 'on' ? record.kept(id, event.type, external) : undefined;
          if (kept) return kept;
          return live || external === undefined
            ? (handler as (event: EventPayload, ...given: readonly unknown[]) => unknown)(event, ...others)
            : (record.external(external, verb, event.type) ?? proceed());
        };
        // What it answers was recorded as the answer of a hook on this very point.
        const registered = add(answer as E);
        // The registry names the hook.
        const id = hooks.list().at(-1)?.id ?? '';
        return registered;
      };
      const registrar: HookRegistrar = {
        ...hooks,
        use: (inner, options) => hooks.use(fromRecord(inner, record, live), options),
        on: (point, handler, options) =>
          answering('on', handler, options, (answer) => hooks.on(point, answer, options)),
        guard: (point, handler, options) =>
          answering('guard', handler, options, (answer) => hooks.guard(point, answer, options)),
      };
      provider.register(registrar);
    },
  };
}

/** A recorded answer, as a decision; undefined where the record does not hold all of it. */
export function decisionFrom(
  { record, data }: JournalReading,
  index: number,
  recorded: RecordedDecision | undefined,
): HookDecision | undefined {
  const { reason, note } = data?.hooks?.[index] ?? {};
  // A hook that failed: on a gate that is what a failed hook comes to.
  if (recorded === undefined)
    return record.decision?.failed ? block('The hook failed when it was recorded.') : proceed();
  switch (recorded.kind) {
    case 'proceed':
      return note === undefined ? proceed() : proceed({ note });
    case 'block':
      return reason === undefined ? undefined : block(reason, recorded.stop ? { stop: true } : {});
    case 'retry':
      return reason === undefined
        ? undefined
        : retry(reason, recorded.delayMs === undefined ? {} : { delayMs: recorded.delayMs });
    case 'modify': {
      const patch: { [field: string]: unknown } = {};
      for (const field of recorded.fields ?? []) {
        if (recorded.superseded?.includes(field)) return undefined;
        if (field === 'approval') {
          if (reason === undefined || recorded.approval === undefined) return undefined;
          patch[field] = { ...recorded.approval, reason };
        } else if (field === 'toolName') patch[field] = recorded.toolName;
        else {
          const value = (data as Readonly<Record<string, unknown>> | null | undefined)?.[field];
          if (value === undefined) return undefined;
          patch[field] = value;
        }
      }
      return modify(patch);
    }
    default:
      return recorded.kind satisfies never;
  }
}
