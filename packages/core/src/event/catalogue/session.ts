import type { SessionEndReason, SessionSource } from '../../session/session.ts';
import type { EventPayload, EventToken } from '../event.ts';
import { makeEvent } from '../token.ts';
import { SessionEvent } from './groups.ts';

/**
 * A session opens. Fires once, before anything else in the session, which waits for the interceptors. An interceptor
 * that awaits a dispatch or a hooked tool call in the same session therefore waits for itself until it times out.
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
 * A session closes, even if it was interrupted. Fires once, after everything else. Each phase runs in reverse order.
 *
 * Can only be observed.
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
 * A person lets the run continue past its limit of iterations.
 *
 * Can only be observed.
 */
export interface SessionResume extends EventPayload {
  readonly previousMaxIterations: number;
  readonly newMaxIterations: number;
}
export const SessionResume: EventToken<SessionResume> = /* @__PURE__ */ makeEvent<SessionResume>()({
  type: 'session_resume',
  extends: SessionEvent,
});
