import {
  AgentError,
  type Hooks,
  Notification,
  type PointData,
  TurnEnd,
  type TurnEndReason,
} from '@hooks/core';
import { hears, registered } from '@hooks/core/adapter';
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

const hearsTurnEnd = hearing(TurnEnd);

/** Ends the turn that is open, if any; synchronous where the hooks of `TurnEnd` are. */
export function endTurn(hooks: Hooks, run: HookedRun, reason: TurnEndReason): unknown {
  run.over = reason !== 'continue';
  if (run.turn === undefined) return undefined;
  const event = hearsTurnEnd(hooks) && { ...common(run), reason, iteration: run.iteration };
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
  return points.some((point) => hears(hooks, point));
}

/** The same question, for what asks it in every run: looked up once until a hook is registered or removed. */
export function hearing(...points: readonly PointData[]): (hooks: Hooks) => boolean {
  const known = new WeakMap<object, boolean>();
  return (hooks) => {
    const now = registered(hooks);
    const before = known.get(now);
    if (before !== undefined) return before;
    const heard = isHeard(hooks, ...points);
    known.set(now, heard);
    return heard;
  };
}
