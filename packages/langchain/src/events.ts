import {
  AgentError,
  type Hooks,
  Notification,
  type PointData,
  TurnEnd,
  type TurnEndReason,
} from '@hooks/core';
import { hears } from '@hooks/core/adapter';
import type { HookedRun } from './run.ts';

/** What every event of a run carries. */
export function common(run: HookedRun): {
  readonly session: HookedRun['session'];
  readonly run: string;
  readonly agent?: string;
  readonly turn?: string;
} {
  const { session, id, agent, turn } = run;
  return { session, run: id, ...(agent !== undefined && { agent }), ...(turn !== undefined && { turn }) };
}

/** Ends the turn that is open, if any; synchronous where the hooks of `TurnEnd` are. */
export function endTurn(hooks: Hooks, run: HookedRun, reason: TurnEndReason): unknown {
  if (run.turn === undefined) return undefined;
  const event = isHeard(hooks, TurnEnd) && { ...common(run), reason, iteration: run.iteration };
  run.turn = undefined;
  return event && hooks.dispatch(TurnEnd, event);
}

/** Tells of an error that ends a run. */
export async function tellError(hooks: Hooks, run: HookedRun, error: unknown): Promise<void> {
  const message = error instanceof Error ? error.message : String(error);
  await hooks.dispatch(AgentError, { ...common(run), error, message });
  await hooks.dispatch(Notification, { ...common(run), level: 'error', message });
}

/** Whether some hook would be asked about one of these events, or watches it. */
export function isHeard(hooks: Hooks, ...points: readonly PointData[]): boolean {
  for (const point of points) if (hears(hooks, point)) return true;
  return false;
}
