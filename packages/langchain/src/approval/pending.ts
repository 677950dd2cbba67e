import { type ApprovalRequest, HooksError, type Principal } from '@hooks/core';
import { type PendingApproval, pendingApproval } from '@hooks/core/adapter';
import type { Whereabouts } from '../config.ts';
import { taskOf } from '../internals.ts';

/** The interrupt value of a pending approval. */
export interface ApprovalInterrupt extends ApprovalRequest {
  readonly type: 'hooks_approval';
  /** LangGraph's task that makes the call. A tool of it may be an agent, whose model gives a call of its own the same id. */
  readonly task?: string;
  /** How many resume values its node had before: the position of the one that answers it. */
  readonly after: number;
  /** The position of the first value that LangGraph gave its node while the call waited. Those before `after` were not for it. */
  readonly since: number;
  /** What the values before it have answered. They count for nothing else. */
  readonly used: readonly UsedAnswer[];
  /** Why the answer to the last pause for the call did not count. */
  readonly problem?: string;
  /** The user of the run, or null for nobody, where the call is not for the same one. */
  readonly owner?: Principal | null;
}

/** An answer to a call whose node has paused again since. LangGraph runs the node again from its start. */
export interface UsedAnswer {
  readonly callId: string;
  /** The input that it approves; undefined for a denial. */
  readonly hash?: string | undefined;
  /** For whom the call is: null for nobody, undefined where its node has not come to it. */
  readonly principal?: Principal | null | undefined;
  /** The position of its value. */
  readonly at: number;
  /** Whether the call has run with it, so that it counts no more. */
  readonly ran?: boolean;
}

/**
 * The pending approvals.
 *
 * @param resultOrState what `invoke` resolved to, or `await agent.graph.getState(config)`, also in another process
 */
export async function pendingApprovals(resultOrState: unknown): Promise<readonly PendingApproval[]> {
  const interrupts = listIn(resultOrState, '__interrupt__');
  // A task that has a result was answered, while others of its step still wait.
  const waiting = listIn(resultOrState, 'tasks').filter((task) => Reflect.get(task, 'result') === undefined);
  return [...interrupts, ...waiting.flatMap((task) => listIn(task, 'interrupts'))].flatMap((interrupt) => {
    const value: unknown = Reflect.get(interrupt, 'value');
    return isApprovalInterrupt(value) ? pendingApproval(value) : [];
  });
}

/** A list of objects in a result or a state; empty if the field is missing. */
function listIn(of: unknown, field: string): readonly object[] {
  const list: unknown = Reflect.get(Object(of), field) ?? [];
  if (Array.isArray(list) && list.every((one) => typeof one === 'object' && one !== null)) return list;
  throw new HooksError(
    'INVALID_INPUT',
    `pendingApprovals: \`${field}\` is not a list of objects. Pass what \`invoke\` resolved to, or \`await agent.graph.getState(config)\`.`,
  );
}

/** Whether an interrupt value is a pending approval. */
export function isApprovalInterrupt(value: unknown): value is ApprovalInterrupt {
  return typeof value === 'object' && value !== null && Reflect.get(value, 'type') === 'hooks_approval';
}

/** Whether this task has asked, and not one of an agent inside it. */
export function isOwn({ task }: ApprovalInterrupt, config: Whereabouts | undefined): boolean {
  return task === undefined || task === taskOf(config);
}

/** Whether an interrupt value is a pending review by `interruptOn`, which also takes LangChain's form of answers. */
export function isReviewInterrupt(value: unknown): boolean {
  return isApprovalInterrupt(value) && 'actionRequests' in value;
}
