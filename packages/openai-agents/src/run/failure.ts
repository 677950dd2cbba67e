import { AgentError, MaxIterations, Notification } from '@hooks/core';
import type { SdkState } from '../internals.ts';
import { common, type Scope } from './scope.ts';

/** Fires `AgentError`, or `MaxIterations` where the limit of turns was reached, and the `Notification` beside it. */
export async function announceFailure(scope: Scope, error: unknown): Promise<void> {
  const { hooks } = scope.attached;
  const message = error instanceof Error ? error.message : String(error);
  if (isLimit(error)) return announceLimit(scope, maxTurnsOf(error) ?? scope.iteration, message);
  await hooks.dispatch(AgentError, { ...common(scope), error, message });
  await hooks.dispatch(Notification, { ...common(scope), level: 'error', message });
}

/** Fires `MaxIterations` where an error handler of the run has answered in place of the limit's error. */
export async function announceHandled(scope: Scope, state: SdkState): Promise<void> {
  const { _currentTurn: turns, _maxTurns: limit, _lastProcessedResponse: last } = state;
  // A refusal, or an output that does not fit, is what a model has answered; at the limit none was asked.
  if (limit === null || turns < limit || last !== undefined) return;
  await announceLimit(scope, limit, `Max turns (${limit}) exceeded`);
}

async function announceLimit(scope: Scope, maxIterations: number, message: string): Promise<void> {
  const { hooks } = scope.attached;
  await hooks.dispatch(MaxIterations, { ...common(scope), maxIterations, message });
  await hooks.dispatch(Notification, { ...common(scope), level: 'warning', message });
}

/** Whether it was the limit of turns that ended a run, which would have gone on. */
export function isLimit(error: unknown): error is Error {
  return error instanceof Error && error.name === 'MaxTurnsExceededError';
}

function maxTurnsOf(error: Error): number | undefined {
  const state: unknown = Reflect.get(error, 'state');
  const limit: unknown =
    typeof state === 'object' && state !== null ? Reflect.get(state, '_maxTurns') : undefined;
  return typeof limit === 'number' ? limit : undefined;
}
