import type { HookDecision } from './decision.ts';
import type { EventPayload, EventSpec } from './event.ts';
import type { Session } from './session.ts';

/** Context and metadata that hooks contributed are kept in the session, for as long as the event says. */
export function keepContributed(
  session: Session,
  spec: EventSpec,
  event: EventPayload,
  decision: HookDecision,
): HookDecision {
  if (decision.kind !== 'modify') return decision;
  const { context, metadata } = decision.patch as {
    readonly context?: readonly string[];
    readonly metadata?: { readonly [name: string]: unknown };
  };
  const before = (event as { readonly context?: readonly string[] }).context?.length ?? 0;
  if (context !== undefined && spec.context !== undefined)
    session.addContext(context.slice(before), spec.context, event.run);
  if (metadata !== undefined && event.run !== undefined) session.tag(event.run, metadata);
  return decision;
}
