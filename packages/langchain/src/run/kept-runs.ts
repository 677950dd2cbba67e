import { type Session, sessionKey } from '@hooks/core';
import { forgetRun } from '@hooks/core/adapter';
import type { HookedRun } from './run.ts';

/** Runs that may be taken up again: in a thread the last one of each agent, in a call those of agents that paused in it. */
const KEPT = sessionKey<Map<string, HookedRun>>('@hooks/langchain/kept');

/** Where a run is kept: in the session of its thread or, under the call that it was started in, in its parent's. */
export interface Place {
  readonly session: Session;
  readonly call: string | undefined;
  readonly agent: string | undefined;
}

/** Keeps a run, in the place of the one before. */
export function keepRun(place: Place, run: HookedRun): void {
  const runs = place.session.get(KEPT, () => new Map());
  const before = runs.get(nameOf(place));
  if (before !== undefined && before.id !== run.id) forgetRun(before.session, before.id);
  runs.set(nameOf(place), run);
}

/** Gives a kept run back, once. */
export function takeRun(place: Place): HookedRun | undefined {
  const runs = place.session.get(KEPT);
  const run = runs?.get(nameOf(place));
  runs?.delete(nameOf(place));
  return run?.session.state === 'closed' ? undefined : run;
}

function nameOf({ call, agent }: Place): string {
  return JSON.stringify([call, agent]);
}
