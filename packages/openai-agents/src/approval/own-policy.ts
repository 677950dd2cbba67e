import type { SdkFunctionTool } from '../internals.ts';

type NeedsApproval = SdkFunctionTool['needsApproval'];

/** The approval policies of hooked copies, each with the tool behind it. */
const policies: WeakMap<NeedsApproval, SdkFunctionTool> = new WeakMap();

/** Notes that hooks are asked by this policy whether calls of a tool need approval. */
export function notePolicy(policy: NeedsApproval, tool: SdkFunctionTool): void {
  policies.set(policy, tool);
}

/** Whether a tool's approval policy is that of hooks. */
export function isPolicy(needsApproval: NeedsApproval): boolean {
  return policies.has(needsApproval);
}

/**
 * Whether a tool asks by itself, whatever hooks want. A policy that looks at the call cannot be asked beforehand, and
 * counts as one that asks.
 */
export async function asksItself({ needsApproval }: SdkFunctionTool, context: unknown): Promise<boolean> {
  const behind = policies.get(needsApproval);
  if (behind !== undefined) return asksItself(behind, context);
  if (needsApproval.length > 0) return true;
  try {
    return await needsApproval(context, {});
  } catch {
    // It will throw again where the SDK asks, which knows what to do about it.
    return true;
  }
}
