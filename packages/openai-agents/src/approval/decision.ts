import {
  approvalKey,
  decidingAgent,
  type Invocation,
  type SdkAgent,
  type SdkFunctionTool,
} from '../internals.ts';

/** The decision of people about a call, or about all calls of the tool. */
export function decisionOn(
  tool: SdkFunctionTool,
  agent: SdkAgent | undefined,
  { context, details }: Pick<Invocation, 'context' | 'details'>,
): boolean | undefined {
  const callId = details?.toolCall?.callId;
  if (callId === undefined) return undefined;
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
