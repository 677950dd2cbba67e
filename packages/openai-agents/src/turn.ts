import { TurnEnd, type TurnEndReason } from '@hooks/core';
import { common, concerns, type Scope } from './scope.ts';

/** Counts the turn that a model call begins. */
export function beginTurn(scope: Scope): void {
  scope.iteration++;
  scope.turnOpen = true;
}

/** Fires `TurnEnd` for the turn that goes on, if one does. */
export function endTurn(scope: Scope, reason: TurnEndReason): undefined | Promise<unknown> {
  if (!scope.turnOpen) return undefined;
  scope.turnOpen = false;
  if (!concerns(scope, TurnEnd)) return undefined;
  const event = { ...common(scope), iteration: scope.iteration, reason };
  return Promise.resolve(scope.attached.hooks.dispatch(TurnEnd, event));
}
