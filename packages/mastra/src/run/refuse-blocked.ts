import type { HookDecision } from '@hooks/core';
import type { Run } from './run.ts';

/** Ends a run that a hook has blocked, as a processor does; one that was aborted while the hook was asked ends as that. */
export function refuseBlocked(
  { signal }: Run,
  decision: HookDecision,
  abort: (reason: string) => never,
): void {
  if (decision.kind !== 'block') return;
  signal?.throwIfAborted();
  abort(decision.reason);
}
