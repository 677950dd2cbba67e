import type { SessionEndReason, SessionSource } from '../../session/session.ts';
import type { EventPayload, EventToken } from '../event.ts';
import { makeEvent } from '../token.ts';
import { SessionEvent } from './groups.ts';

/**
 * A session opens: before anything else happens in it, once. All else in the session waits for its
 * interceptors; so one that awaits a dispatch or a hooked tool call in this very session waits for itself, until its
 * time is up. Observers are not waited for.
 *
 * - Permits Modify of `context`: it is in every model call of the session.
 * - A failed hook proceeds.
 */
export interface SessionStart extends EventPayload {
  readonly source: SessionSource;
  readonly context?: readonly string[];
}
export const SessionStart: EventToken<SessionStart, 'modify', 'context'> =
  /* @__PURE__ */ makeEvent<SessionStart>()({
    type: 'session_start',
    permits: ['modify'],
    modifies: ['context'],
    context: 'session',
    extends: SessionEvent,
  });

/**
 * A session closes, also when it was interrupted: once, after everything else. Each phase runs in reverse order.
 *
 * Observed only: no hook can change it.
 */
export interface SessionEnd extends EventPayload {
  readonly reason: SessionEndReason;
}
export const SessionEnd: EventToken<SessionEnd> = /* @__PURE__ */ makeEvent<SessionEnd>()({
  type: 'session_end',
  abortable: false,
  order: 'reverse',
  extends: SessionEvent,
});

/**
 * A person lets the run go on past its limit of iterations.
 *
 * Observed only: no hook can change it.
 */
export interface SessionResume extends EventPayload {
  readonly previousMaxIterations: number;
  readonly newMaxIterations: number;
}
export const SessionResume: EventToken<SessionResume> = /* @__PURE__ */ makeEvent<SessionResume>()({
  type: 'session_resume',
  extends: SessionEvent,
});
