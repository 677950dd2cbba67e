import { AgentError, MaxIterations, Notification } from '@hooks/core';
import { common, type Scope } from './scope.ts';

/** Fires `AgentError`, or `MaxIterations` where the limit of turns was reached, and the `Notification` beside it. */
export async function announceFailure(scope: Scope, error: unknown): Promise<void> {
  const { hooks } = scope.attached;
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof Error && error.name === 'MaxTurnsExceededError') {
    const maxIterations = maxTurnsOf(error) ?? scope.iteration;
    await hooks.dispatch(MaxIterations, { ...common(scope), maxIterations, message });
  } else await hooks.dispatch(AgentError, { ...common(scope), error, message });
  await hooks.dispatch(Notification, { ...common(scope), level: 'error', message });
}

function maxTurnsOf(error: Error): number | undefined {
  const state: unknown = Reflect.get(error, 'state');
  const limit: unknown =
    typeof state === 'object' && state !== null ? Reflect.get(state, '_maxTurns') : undefined;
  return typeof limit === 'number' ? limit : undefined;
}
