import type { Hooks } from '../registry/hooks.ts';
import type { Contributed } from '../session/contributed.ts';
import type { Session } from '../session/session.ts';

/**
 * What the next model call of a run is to be told, as a system message that is stored nowhere: the session's context,
 * the run's, and that for one call, which is handed out once. DESIGN 3.1, Context.
 */
export function takeContext(hooks: Hooks, session: Session, run?: string): readonly string[] {
  // Who asks models uses the session.
  hooks['~internal'].state(session).idle = 0;
  if (session.contributed.length === 0) return [];
  const told = session.contributed.filter((kept) => kept.run === undefined || kept.run === run);
  drop(session, (kept) => kept.scope === 'call' && told.includes(kept));
  return told.flatMap(({ texts = [] }) => texts);
}

/** Forgets a run's metadata and context: it is over. */
export function forgetRun(session: Session, run: string): void {
  drop(session, (kept) => kept.run === run);
}

function drop({ contributed }: Session, over: (kept: Contributed) => boolean): void {
  contributed.splice(0, contributed.length, ...contributed.filter((kept) => !over(kept)));
}
