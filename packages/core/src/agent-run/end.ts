import { isBlockedError } from '../blocked.ts';
import { AgentError, MaxIterations, Notification } from '../event/catalogue/agent.ts';
import type { TurnEndReason } from '../event/catalogue/model.ts';
import { errorText } from '../tool-call/refusal.ts';
import { type RunState, turnEndOf } from './state.ts';

/** How the framework ended a run. If a hook ended it, or it was aborted, the run knows that itself. */
export type RunEnd =
  /** `response` is the agent's final text. */
  | { readonly kind: 'done'; readonly response?: string | undefined }
  | { readonly kind: 'error'; readonly error: unknown }
  /** It reached the limit of model calls. */
  | { readonly kind: 'limit'; readonly maxIterations: number; readonly message: string }
  | { readonly kind: 'canceled' };

/** Reports an error or a limit, and returns the reason of the last turn's end. */
export async function tellEnd(run: RunState, end: RunEnd): Promise<TurnEndReason> {
  if (run.stop !== undefined) return turnEndOf(run.stop);
  if (end.kind === 'canceled' || (run.signal?.aborted === true && end.kind !== 'done')) return 'canceled';
  switch (end.kind) {
    case 'done':
      return 'normal';
    case 'limit':
      await tellLimit(run, end.maxIterations, end.message);
      return 'continue';
    case 'error': {
      const { error } = end;
      if (isBlockedError(error)) return 'hook_blocked';
      const message = errorText(error);
      await run.ask(AgentError, { error, message });
      await run.ask(Notification, { level: 'error', message });
      return 'error';
    }
  }
}

/** Reports that the run reached its limit of model calls. */
export async function tellLimit(run: RunState, maxIterations: number, message: string): Promise<void> {
  await run.ask(MaxIterations, { maxIterations, message });
  await run.ask(Notification, { level: 'warning', message });
}
