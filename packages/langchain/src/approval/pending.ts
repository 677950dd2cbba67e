import type { ApprovalRequest } from '@hooks/core';
import type { SaidOfCalls } from './recorded-answers.ts';

/** The value of the interrupt with which a call waits for a person. */
export interface ApprovalInterrupt extends ApprovalRequest {
  readonly type: 'hooks_approval';
}

/** A call that waits for a person. */
export type PendingApproval = Pick<ApprovalRequest, 'callId' | 'toolName' | 'input' | 'reason' | 'hash'>;

/**
 * The calls that wait for a person's answer: those that hooks want approved, and those that a
 * `humanInTheLoopMiddleware` asks about in an agent of `createHookedAgent`.
 *
 * @param resultOrState what `invoke` gave, or `await agent.graph.getState(config)`, also in another process
 */
export function pendingApprovals(resultOrState: unknown): readonly PendingApproval[] {
  const { __interrupt__: interrupts = [], tasks = [] } = Object(resultOrState) as {
    readonly __interrupt__?: readonly Waiting[];
    readonly tasks?: readonly { readonly interrupts?: readonly Waiting[] }[];
  };
  return [...interrupts, ...tasks.flatMap((task) => task.interrupts ?? [])].flatMap(({ value }) =>
    isApprovalInterrupt(value) ? [pick(value)] : shownBeside(value).calls,
  );
}

interface Waiting {
  readonly value?: unknown;
}

function isApprovalInterrupt(value: unknown): value is ApprovalInterrupt {
  return typeof value === 'object' && value !== null && Reflect.get(value, 'type') === 'hooks_approval';
}

const SHOWN = 'hooks';

/** What is shown to a person beside another's interrupt. */
export interface Shown {
  /** The calls that it asks about, in its order. */
  readonly calls: readonly PendingApproval[];
  /** What was said of others meanwhile. */
  readonly said: SaidOfCalls;
}

/** The value of another's interrupt, with the calls that it asks about. */
export function withShown(value: unknown, { calls, said }: Shown): object {
  return { ...Object(value), [SHOWN]: { calls: calls.map(pick), said } };
}

/** What was shown beside another's interrupt. */
export function shownBeside(value: unknown): Shown {
  const { calls = [], said = {} }: Partial<Shown> = Object(Reflect.get(Object(value), SHOWN));
  return { calls, said };
}

function pick({ callId, toolName, input, reason, hash }: PendingApproval): PendingApproval {
  return { callId, toolName, input, reason, hash };
}
