import { beginToolCall } from '@hooks/core/tool-call';
import type { SdkContext } from '../internals.ts';
import { type Scope, scopeOf } from '../run/scope.ts';
import { aloneScope } from '../run/single-call.ts';
import type { HookedCalls } from '../tool/call.ts';
import { describe } from '../tool/describe.ts';
import { parsed } from '../tool/schema.ts';
import { approvalReason } from './decisions.ts';
import { isPolicy, notePolicy } from './own-policy.ts';
import { type BegunCall, begunCall } from './pending-calls.ts';

type Policy = (context: SdkContext, input: unknown, callId?: string) => Promise<boolean>;

/**
 * The approval policy of a hooked tool: hooks are asked when the SDK asks whether the call needs approval, and not
 * again when it runs. The SDK pauses where a person is to be asked.
 */
export function approvalPolicy(calls: HookedCalls): Policy {
  const policy: Policy = async (context, input, callId) => {
    const { tool, attached, definition } = calls;
    const wanted = await tool.needsApproval(context, await parsed(definition.parameters, input), callId);
    const { approval } = attached.options;
    if (callId === undefined || !calls.concerned) return wanted;
    if (!wanted && approval !== 'native') return false;
    const scope = scopeOf(attached) ?? aloneScope(attached, context, callId);
    const known = begunCall(scope, calls, callId, input);
    const { begun } = known ?? (await begin(calls, scope, context, input, callId, wanted));
    if (begun.kind === 'done') return false;
    // With an approver the call is asked for in place, when the SDK invokes the tool.
    const asks = begun.kind === 'ask' && typeof approval !== 'function';
    // These hooks may grant what the tool wants, not what other hooks inside of them want.
    return asks || (wanted && isPolicy(tool.needsApproval));
  };
  notePolicy(policy, calls.tool);
  return policy;
}

async function begin(
  calls: HookedCalls,
  scope: Scope,
  context: SdkContext,
  input: unknown,
  callId: string,
  wanted: boolean,
): Promise<BegunCall> {
  const { attached, tool, check } = calls;
  const raw = JSON.stringify(input);
  const details = { toolCall: { callId, name: tool.name, arguments: raw } };
  const at = { invocation: { context, input: raw, details } };
  const call = describe(calls, scope, at.invocation, input, {
    ...(wanted && { needsApproval: approvalReason(tool.name) }),
  });
  const rename = (name: string) => calls.rename(name, scope, at);
  // The SDK's pause shows a person the model's arguments, and runs those.
  const ask = typeof attached.options.approval === 'function' || 'unchanged';
  const can = { retry: true, route: true, rename, ask } as const;
  const begun = await beginToolCall(attached.hooks, call, { check, can });
  const begunHere: BegunCall = { calls, input, begun, at };
  scope.begun ??= new Map();
  scope.begun.set(callId, begunHere);
  return begunHere;
}
