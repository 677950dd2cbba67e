import type { Session } from './session.ts';

/** The session of the agent that no other agent started: the conversation that a sub-agent works for. */
export function rootOf(session: Session): Session {
  let root = session;
  while (root.parent !== undefined) root = root.parent;
  return root;
}
