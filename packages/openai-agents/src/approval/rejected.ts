import { answerToolCall } from '@hooks/core/tool-call';
import type { SdkContext } from '../internals.ts';
import { refusalsOf } from '../run/blocked.ts';
import { noteStop, type Scope } from '../run/scope.ts';
import { keptScopes, leave } from '../run/single-call.ts';

/**
 * Tells hooks of calls that a person has refused since they were begun, in runs that are not hooked: the SDK answers
 * them by itself, and invokes no tool.
 */
export async function settleRefused(
  scopes: readonly Scope[],
  context: SdkContext | undefined,
): Promise<void> {
  if (context === undefined) return;
  for (const scope of scopes) await settle(scope, context);
  for (const { callId, scope } of keptScopes(context)) {
    const refused = await settle(scope, context);
    if (!refused) continue;
    if (scope.stop !== undefined) refusalsOf(context).stop ??= scope.stop;
    await leave(scope, context, callId);
  }
}

/** Whether there was a refused call. */
async function settle(scope: Scope, context: SdkContext): Promise<boolean> {
  const { begun: calls } = scope;
  let refused = false;
  for (const [callId, { calls: tool, begun }] of calls ?? []) {
    if (begun.kind !== 'ask' || tool.people.decision(context, callId) !== false) continue;
    refused = true;
    const reason = tool.people.rejection(context, callId);
    const ended = await answerToolCall(begun.token, {
      decision: 'deny',
      ...(reason !== undefined && { reason }),
    });
    if (ended.kind === 'done') noteStop(scope, ended.outcome);
    calls?.delete(callId);
  }
  return refused;
}
