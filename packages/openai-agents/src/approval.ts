import type { Begun } from '@hooks/core';
import { beginToolCall } from '@hooks/core/tool-call';
import type { Invocation } from './definition.ts';
import { parsed } from './schema.ts';
import { type Scope, scopeOf } from './scope.ts';
import type { SdkContext } from './sdk.ts';
import { approvalReason, type HookedCalls } from './tool.ts';

/**
 * The approval policy of a hooked tool: hooks are asked when the SDK asks whether the call needs approval, and not
 * again when it runs. The SDK pauses where a person is to be asked.
 */
export function approvalPolicy(
  calls: HookedCalls,
): (context: SdkContext, input: unknown, callId?: string) => Promise<boolean> {
  return async (context, input, callId) => {
    const { tool, attached, definition } = calls;
    const scope = scopeOf(attached);
    const wanted = await tool.needsApproval(context, await parsed(definition.parameters, input), callId);
    if (scope === undefined || callId === undefined) return wanted;
    const { approval } = attached.options;
    if (!wanted && approval !== 'native') return false;
    const known = scope.begun?.get(callId);
    const begun = known ?? (await begin(calls, scope, context, input, callId, wanted));
    scope.begun ??= new Map();
    scope.begun.set(callId, begun);
    // With an approver the call is asked for in place, when the SDK invokes the tool.
    return begun.kind === 'ask' && typeof approval !== 'function';
  };
}

async function begin(
  calls: HookedCalls,
  scope: Scope,
  context: SdkContext,
  input: unknown,
  callId: string,
  wanted: boolean,
): Promise<Begun> {
  const { attached, tool, check } = calls;
  const raw = JSON.stringify(input);
  const details = { toolCall: { callId, name: tool.name, arguments: raw } };
  const invocation: Invocation = { context, input: raw, details };
  const call = calls.describe(scope, invocation, input, {
    ...(wanted && { needsApproval: approvalReason(tool.name) }),
  });
  const rename = (name: string) => calls.rename(name, invocation);
  // The SDK's pause shows a person the model's arguments, and runs those.
  const ask = typeof attached.options.approval === 'function' || 'unchanged';
  return beginToolCall(attached.hooks, call, { check, can: { retry: true, route: true, rename, ask } });
}

/** A call that was begun and waits for a person, in this run or in that of an agent as a tool. */
export function waiting(scope: Scope, callId: string): Begun | undefined {
  const own = scope.begun?.get(callId);
  if (own !== undefined) return own;
  for (const child of scope.children?.values() ?? []) {
    const found = waiting(child, callId);
    if (found !== undefined) return found;
  }
  return undefined;
}
