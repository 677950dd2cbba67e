import {
  approvalKey,
  decidingAgent,
  type Invocation,
  type SdkAgent,
  type SdkFunctionTool,
} from '../internals.ts';

/** The approved calls that have run, by the usage of their run, which copies of its context share. */
const used: WeakMap<object, Set<string>> = new WeakMap();

/** Notes that a call has run: an approval is for one call, and a model may repeat its id in a later run with the same context. */
export function noteRan(
  tool: SdkFunctionTool,
  { context, details }: Pick<Invocation, 'context' | 'details'>,
): void {
  const callId = details?.toolCall?.callId;
  if (callId === undefined || context?.usage === undefined) return;
  const ran = used.get(context.usage) ?? new Set();
  used.set(context.usage, ran.add(keyOf(tool, callId)));
}

/** Whether the approved call with that id has run. The SDK lets another one with its id run without asking anybody. */
export function hasRun(
  tool: SdkFunctionTool,
  { context, details }: Pick<Invocation, 'context' | 'details'>,
): boolean {
  const callId = details?.toolCall?.callId;
  const usage: object | undefined = context?.usage;
  if (callId === undefined || usage === undefined) return false;
  return used.get(usage)?.has(keyOf(tool, callId)) === true;
}

function keyOf(tool: SdkFunctionTool, callId: string): string {
  return JSON.stringify([approvalKey(tool), callId]);
}

/** The decision of people about a call, or about all calls of the tool. Undefined if its call has run. */
export function decisionOn(
  tool: SdkFunctionTool,
  agent: SdkAgent | undefined,
  { context, details }: Pick<Invocation, 'context' | 'details'>,
): boolean | undefined {
  const callId = details?.toolCall?.callId;
  if (callId === undefined || hasRun(tool, { context, details })) return undefined;
  return context?.isToolApproved?.({ toolName: approvalKey(tool), callId, agent: decidingAgent(agent) });
}

/** Why a call of a tool waits for which the SDK itself asks. */
export function approvalReason(toolName: string): string {
  return `The tool "${toolName}" asks for approval.`;
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
