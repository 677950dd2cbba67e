import type { EventPayload, EventSpec } from './event.ts';

/** What hooks may add to any event that declares it. */
export interface Contribution {
  readonly context?: readonly string[];
  readonly metadata?: { readonly [name: string]: unknown };
}

/** Context and metadata that hooks contributed are kept in the session, for as long as the event says. */
export function keepContributed(
  spec: EventSpec,
  event: EventPayload & Contribution,
  { context, metadata }: Contribution,
): void {
  const { session, run } = event;
  if (context && spec.context) session.addContext(context.slice(event.context?.length), spec.context, run);
  if (metadata && run !== undefined) session.tag(run, metadata);
}
