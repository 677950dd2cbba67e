import { answerToolCall } from '@hooks/core/tool-call';
import type { Scope } from './scope.ts';
import { endSubagent } from './subagent.ts';

/**
 * Ends what still waits for a person in a run that is over, since another call of the turn has failed, say: calls are
 * canceled, and agents as tools that have paused come to their end.
 */
export async function giveUp(scope: Scope): Promise<void> {
  for (const { begun } of scope.begun?.values() ?? [])
    if (begun.kind === 'ask') await answerToolCall(begun.token, { decision: 'canceled' });
  for (const [callId, child] of scope.children ?? []) {
    await giveUp(child);
    await endSubagent(scope, callId, child, 'canceled');
  }
}
