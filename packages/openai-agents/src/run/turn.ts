import { TurnEnd, type TurnEndReason } from '@hooks/core';
import { common, concerns, type Scope } from './scope.ts';

/** Counts the turn that a model call begins. */
export function beginTurn(scope: Scope): void {
  scope.iteration++;
  scope.turn = { agent: scope.agent };
}

/** Fires `TurnEnd` for the turn that goes on, if one does. */
export function endTurn(scope: Scope, reason: TurnEndReason): undefined | Promise<unknown> {
  const { turn } = scope;
  scope.turn = undefined;
  if (turn === undefined || !concerns(scope, TurnEnd)) return undefined;
  // After a handoff it is another agent that runs by now.
  const { agent } = turn;
  const event = {
    ...common(scope),
    ...(agent !== undefined && { agent }),
    iteration: scope.iteration,
    reason,
  };
  return Promise.resolve(scope.attached.hooks.dispatch(TurnEnd, event));
}
