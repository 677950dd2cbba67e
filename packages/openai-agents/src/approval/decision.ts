import {
  approvalKey,
  decidingAgent,
  type Invocation,
  type SdkAgent,
  type SdkFunctionTool,
} from '../internals.ts';

/** What identifies a call among those of a context. */
type Invoked = Pick<Invocation, 'context' | 'details'>;

/** The calls that approvals were used for, by the usage of their run, which copies of its context share. */
const used: WeakMap<object, Map<string, object>> = new WeakMap();

/**
 * Uses an approval for a call, before it runs: an approval is for one call, a model may repeat its id in a later run with
 * the same context, and two runs may have that context at once.
 */
export function useApproval(call: object, tool: SdkFunctionTool, { context, details }: Invoked): void {
  const callId = details?.toolCall?.callId;
  if (callId === undefined || context?.usage === undefined) return;
  const users = used.get(context.usage) ?? new Map<string, object>();
  used.set(context.usage, users.set(keyOf(tool, callId), call));
}

/** Gives the approval back, because the call has not come to an end. */
export function releaseApproval(call: object, tool: SdkFunctionTool, { context, details }: Invoked): void {
  const users = used.get(context?.usage ?? NONE);
  const key = keyOf(tool, details?.toolCall?.callId ?? '');
  if (users?.get(key) === call) users.delete(key);
}

const NONE = {};

/**
 * Whether the approval of the call with that id was used for another call. The SDK lets another one with its id run without
 * asking anybody.
 */
export function isUsed(call: object, tool: SdkFunctionTool, { context, details }: Invoked): boolean {
  const user = used.get(context?.usage ?? NONE)?.get(keyOf(tool, details?.toolCall?.callId ?? ''));
  return user !== undefined && user !== call;
}

function keyOf(tool: SdkFunctionTool, callId: string): string {
  return JSON.stringify([approvalKey(tool), callId]);
}

/** The decision of people about a call, or about all calls of the tool. Undefined if it was used for another call. */
export function decisionOn(
  call: object,
  tool: SdkFunctionTool,
  agent: SdkAgent | undefined,
  { context, details }: Invoked,
): boolean | undefined {
  const callId = details?.toolCall?.callId;
  if (callId === undefined || isUsed(call, tool, { context, details })) return undefined;
  return context?.isToolApproved?.({ toolName: approvalKey(tool), callId, agent: decidingAgent(agent) });
}

/**
 * Whether a tool asks by itself, whatever hooks want. A policy that looks at the call cannot be asked beforehand, and
 * counts as one that asks.
 */
export async function asksItself({ needsApproval }: SdkFunctionTool, context: unknown): Promise<boolean> {
  if (needsApproval.length > 0) return true;
  try {
    return await needsApproval(context, {});
  } catch {
    // It will throw again where the SDK asks, which knows what to do about it.
    return true;
  }
}
