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

/** Answers for hooks that ask outside of the process, from the record. */
export interface OnRecord {
  /** The answer of a hook on the event that is being replayed; undefined where it is not on record, or cannot be given again. */
  answer(external: string, verb: HookVerb, type: string): HookDecision | undefined;
}

/** The provider, whose external hooks are not asked: their answers come from the record. */
export function fromRecord(provider: HookProvider, record: OnRecord): HookProvider {
  const { version } = provider;
  return {
    name: provider.name,
    ...(provider.once !== undefined && { once: provider.once }),
    ...(version !== undefined && { version }),
    register(hooks) {
      const replaced = <E>(verb: HookVerb, handler: E, options: HookOptions | undefined): E => {
        const external = options?.external;
        if (external === undefined) return handler;
        const answer = (event: EventPayload, ...others: readonly unknown[]): unknown => {
          const asked = external(event);
          return asked === undefined
            ? (handler as (event: EventPayload, ...given: readonly unknown[]) => unknown)(event, ...others)
            : (record.answer(asked, verb, event.type) ?? proceed());
        };
        // It was recorded as the answer of a hook on this very point.
        return answer as E;
      };
      const registrar: HookRegistrar = {
        ...hooks,
        use: (inner, options) => hooks.use(fromRecord(inner, record), options),
        on: (point, handler, options) => hooks.on(point, replaced('on', handler, options), options),
        guard: (point, handler, options) => hooks.guard(point, replaced('guard', handler, options), options),
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
  const reason = data?.hooks?.[index]?.reason;
  // A hook that failed: on a gate that is what a failed hook comes to.
  if (recorded === undefined)
    return record.decision?.failed ? block('The hook failed when it was recorded.') : proceed();
  switch (recorded.kind) {
    case 'proceed':
      return proceed();
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
