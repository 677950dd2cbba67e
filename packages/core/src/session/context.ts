import type { EventPayload, EventSpec } from '../event/event.ts';
import { endValues } from './runs.ts';
import type { Contributed, Session } from './session.ts';

/** What hooks may add to any event that declares it. */
export interface Contribution {
  readonly context?: readonly string[];
  readonly metadata?: { readonly [name: string]: unknown };
}

/** An owner of sessions. */
interface Keeper {
  state(session: Session): Session;
}

/**
 * Stores what hooks contributed, for as long as the event says: context in the event's session, from which the adapter
 * takes it, and metadata also in the sessions of the other registries whose hooks ran.
 */
export function keepContributed(
  { context: scope }: EventSpec,
  keepers: readonly Keeper[],
  event: EventPayload & Contribution,
  { context, metadata }: Contribution,
): void {
  const { session } = event;
  const run = scope === 'session' ? undefined : event.run;
  const texts = scope && context?.slice(event.context?.length);
  if (texts || (metadata && run)) session.contributed.push({ run, scope, texts, metadata });
  if (!metadata || !run) return;
  for (const other of keepers.map((keeper) => keeper.state(session)))
    if (other !== session) other.contributed.push({ run, scope, texts: undefined, metadata });
}

/**
 * The context for the next model call of a run, for a system message that is not stored: the session's, the run's, and
 * that for one call, which is returned only once.
 */
export function takeContributed(session: Session, run: string | undefined): readonly string[] {
  if (session.contributed.length === 0) return [];
  const told = contributedTo(session, run);
  drop(session, (kept) => (kept.scope === 'call' || kept.scope === 'request') && told.includes(kept));
  return told.flatMap(({ texts = [] }) => texts);
}

/**
 * The same for a model call of a run. In a turn, what is for one call is returned for each of its requests, until
 * {@link forgetTaken}. What hooks contribute to one request is in their answer, because others may be made at the same time.
 */
export function takeForRun(session: Session, run: string, inTurn: boolean): readonly string[] {
  if (session.contributed.length === 0) return [];
  const told = contributedTo(session, run);
  if (inTurn) for (const kept of told) if (kept.scope === 'call') kept.takenBy = run;
  drop(
    session,
    (kept) => told.includes(kept) && (kept.scope === 'request' || (kept.scope === 'call' && !inTurn)),
  );
  return told.flatMap(({ scope, texts = [] }) => (scope === 'request' ? [] : texts));
}

/** Forgets what is for one call of a run and was taken: its next turn begins. */
export function forgetTaken(session: Session, run: string): void {
  if (session.contributed.length > 0) drop(session, ({ takenBy }) => takenBy === run);
}

function contributedTo(session: Session, id: string | undefined): readonly Contributed[] {
  return session.contributed.filter(
    ({ run, takenBy }) => (run === undefined || run === id) && (takenBy === undefined || takenBy === id),
  );
}

/** Forgets a finished run's metadata, context and values. */
export function forgetRun(session: Session, run: string): void {
  endValues(session, run);
  drop(session, (kept) => kept.run === run || kept.takenBy === run);
}

function drop({ contributed }: Session, over: (kept: Contributed) => boolean): void {
  contributed.splice(0, contributed.length, ...contributed.filter((kept) => !over(kept)));
}
