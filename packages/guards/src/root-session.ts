import type { Session } from '@hooks/core';

/** The session of the agent that no other agent started. */
export function rootOf(session: Session): Session {
  return session.parent === undefined ? session : rootOf(session.parent);
}
