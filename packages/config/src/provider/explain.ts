import { createHooks, type EventPayload, type HookDecision, proceed, recordTraces } from '@hooks/core';
import type { HookEntry } from '../entry.ts';
import type { EventType } from '../events.ts';
import { type Failure, isFailure } from '../protocol/answer.ts';
import type { RunContext } from '../run/context.ts';
import { runHook } from '../run/hook.ts';
import { concerned } from './ask.ts';
import { toDecision } from './decision.ts';
import { viewEvent } from './event.ts';
import { closes, type Failures } from './failure.ts';
import { type NativeHooks, registerNativeHooks } from './native.ts';
import { routed } from './route.ts';
import { TOKENS } from './tokens.ts';

/** What a hook answers to an event when it runs alone. */
export interface Explained {
  readonly entry: HookEntry;
  /** The hook's decision; or how the hook failed, and whether that closes the gate. */
  readonly says: HookDecision | (Failure & { readonly closes: boolean });
}

/** Runs each hook for an event by itself, in the order of the file. No tool runs. */
export async function explainEvent(
  entries: readonly HookEntry[],
  natives: readonly NativeHooks[],
  context: RunContext,
  failures: Failures,
  event: EventPayload & { readonly type: EventType },
): Promise<readonly Explained[]> {
  const { type } = event;
  const { dialect, cwd } = context;
  const { spec } = TOKENS[type];
  const view = viewEvent(dialect, type, event, cwd);
  const own = entries.filter((entry) => entry.event === type);
  const explained: Explained[] = [];
  for (const entry of concerned(own, event, view, context)) {
    const native = natives.find((one) => one.entries.includes(entry));
    if (native) {
      const hooks = createHooks();
      registerNativeHooks(native, hooks, dialect, cwd, failures, '');
      const { listener, traces } = recordTraces();
      hooks.trace(listener);
      const point = { ...TOKENS[type], type };
      const decision = await hooks.dispatch<EventPayload, HookDecision, never>(point, event);
      const notes = traces.flatMap((trace) => trace.hooks.flatMap(({ decision: own }) => noteOf(own)));
      const says =
        decision.kind === 'proceed' && notes.length > 0 ? proceed({ note: notes.join('; ') }) : decision;
      explained.push({ entry, says });
      continue;
    }
    const result = await runHook(entry, view.data, context);
    const decided = isFailure(result)
      ? result
      : routed(toDecision(spec, event, result, view.tool), result, context.route);
    const says = 'kind' in decided ? decided : { ...decided, closes: closes(dialect, entry, type, failures) };
    explained.push({ entry, says });
  }
  return explained;
}

function noteOf(decision: HookDecision | undefined): readonly string[] {
  return decision?.kind === 'proceed' && decision.note !== undefined ? [decision.note] : [];
}
