import type { ApprovalRequest, Principal } from '@hooks/core';
import type { PendingApproval } from '@hooks/core/adapter';

/** The interrupt value of a pending approval. */
export interface ApprovalInterrupt extends ApprovalRequest {
  readonly type: 'hooks_approval';
  /** How many resume values its node had used before, so that an older one is not taken for the answer. */
  readonly after: number;
  /** The user of the run, or null for nobody, where the call is not for the same one. */
  readonly owner?: Principal | null;
  /** How many of them it used up itself: LangGraph had kept them from answers to others. */
  readonly kept?: number;
}

/**
 * The pending approvals.
 *
 * @param resultOrState what `invoke` resolved to, or `await agent.graph.getState(config)`, also in another process
 */
export async function pendingApprovals(resultOrState: unknown): Promise<readonly PendingApproval[]> {
  const { __interrupt__: interrupts = [], tasks = [] } = Object(resultOrState) as {
    readonly __interrupt__?: readonly Waiting[];
    readonly tasks?: readonly { readonly interrupts?: readonly Waiting[]; readonly result?: unknown }[];
  };
  // A task that has a result was answered, while others of its step still wait.
  const waiting = tasks.filter(({ result }) => result === undefined);
  return [...interrupts, ...waiting.flatMap((task) => task.interrupts ?? [])].flatMap(({ value }) => {
    if (!isApprovalInterrupt(value)) return [];
    const { callId, toolName, input, reason, hash } = value;
    return { callId, toolName, input, reason, hash };
  });
}

interface Waiting {
  readonly value?: unknown;
}

/** Whether an interrupt value is a pending approval. */
export function isApprovalInterrupt(value: unknown): value is ApprovalInterrupt {
  return typeof value === 'object' && value !== null && Reflect.get(value, 'type') === 'hooks_approval';
}

/** Whether an interrupt value is a pending review by `interruptOn`, which also takes LangChain's form of answers. */
export function isReviewInterrupt(value: unknown): boolean {
  return isApprovalInterrupt(value) && 'actionRequests' in value;
}
