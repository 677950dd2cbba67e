import type { EventPayload, EventSpec } from '../event/event.ts';

/** For how long a contributed context is in force. */
export type ContextScope = 'session' | 'run' | 'call';

/** What hooks may add to any event that declares it. */
export interface Contribution {
  readonly context?: readonly string[];
  readonly metadata?: { readonly [name: string]: unknown };
}

/** What hooks of one event contributed, as a session keeps it. */
export interface Contributed {
  /** The run that it ends with; without one it ends with the session. */
  readonly run: string | undefined;
  /** `call`: it is told in the next model call only. */
  readonly scope: ContextScope | undefined;
  readonly texts: readonly string[] | undefined;
  readonly metadata?: { readonly [name: string]: unknown } | undefined;
}

/** Context and metadata that hooks contributed are kept in the session, for as long as the event says. */
export function keepContributed(
  { context: scope }: EventSpec,
  event: EventPayload & Contribution,
  { context, metadata }: Contribution,
): void {
  const run = scope === 'session' ? undefined : event.run;
  const texts = scope && context?.slice(event.context?.length);
  if (texts || (metadata && run)) event.session.contributed.push({ run, scope, texts, metadata });
}
