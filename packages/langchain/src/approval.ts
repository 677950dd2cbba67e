import {
  type ApprovalAnswer,
  type ApprovalRequest,
  type Approver,
  type Hooks,
  type Resumed,
  type Session,
  UserInputRequired,
} from '@hooks/core';
import type { ToolHookOptions } from './options.ts';
import type { Whereabouts } from './run.ts';
import { isControlFlow } from './translate.ts';

/** The value of the interrupt with which a call waits for a person. */
export interface ApprovalInterrupt extends ApprovalRequest {
  readonly type: 'hooks_approval';
}

/** A call that waits for a person. */
export type PendingApproval = Pick<ApprovalRequest, 'callId' | 'toolName' | 'input' | 'reason' | 'hash'>;

/** A person's answer; `hash` is that of the pending approval, and must be there if another process takes the run up. */
export interface NativeAnswer extends ApprovalAnswer {
  readonly hash?: string;
}

/**
 * What a paused run is resumed with: the answers by tool call id. A call that is not named goes on waiting.
 *
 * @example
 * ```ts
 * const [pending] = pendingApprovals(result);
 * const resume: ApprovalAnswers = { [pending.callId]: { decision: 'allow', hash: pending.hash } };
 * await agent.invoke(new Command({ resume }), config);
 * ```
 */
export interface ApprovalAnswers {
  readonly [callId: string]: NativeAnswer;
}

/**
 * The calls that wait for a person's answer.
 *
 * @param resultOrState what `invoke` gave, or `await agent.graph.getState(config)`, also in another process
 */
export function pendingApprovals(resultOrState: unknown): readonly PendingApproval[] {
  const { __interrupt__: interrupts = [], tasks = [] } = Object(resultOrState) as {
    readonly __interrupt__?: readonly Waiting[];
    readonly tasks?: readonly { readonly interrupts?: readonly Waiting[] }[];
  };
  return [...interrupts, ...tasks.flatMap((task) => task.interrupts ?? [])].flatMap(({ value }) =>
    isApprovalInterrupt(value) ? [pick(value)] : [],
  );
}

interface Waiting {
  readonly value?: unknown;
}

function isApprovalInterrupt(value: unknown): value is ApprovalInterrupt {
  return typeof value === 'object' && value !== null && Reflect.get(value, 'type') === 'hooks_approval';
}

function pick({ callId, toolName, input, reason, hash }: ApprovalInterrupt): PendingApproval {
  return { callId, toolName, input, reason, hash };
}

/** The part of LangGraph's config by which a node waits for a person. */
export type Pausable = Whereabouts & { readonly interrupt?: ((value: unknown) => unknown) | undefined };

/** How a call is approved at its place. */
export interface ApprovalSeat {
  readonly approval: Approver | 'deny' | undefined;
  /** A decision that was made before this process knew the call. */
  readonly resumed: Resumed | undefined;
}

/** Who approves a call, and what a person has said of it already. */
export function seatApproval(
  approval: ToolHookOptions['approval'],
  hooks: Hooks,
  session: Session,
  callId: string | undefined,
  config: Pausable | undefined,
): ApprovalSeat {
  if (approval !== 'native') return { approval, resumed: undefined };
  const { interrupt } = config ?? {};
  if (interrupt === undefined || config?.configurable?.['__pregel_checkpointer'] === undefined)
    return { approval: denyUnpausable, resumed: undefined };
  const answer = callId === undefined ? undefined : takeAnswer(callId, config, interrupt);
  const remembered = callId !== undefined && hooks['~internal'].state(session).paused.has(callId);
  return {
    approval: askByInterrupt(hooks, session, interrupt, answer),
    resumed: remembered || answer === undefined || 'input' in answer ? undefined : toResumed(answer),
  };
}

const denyUnpausable: Approver = ({ reason }) => ({
  decision: 'deny',
  reason: `Approval is required (${reason}), but this run cannot pause: it has no checkpointer.`,
  source: 'context_canceled',
});

/** Interrupts the graph until there is an answer for this very call, about this very input. */
function askByInterrupt(
  hooks: Hooks,
  session: Session,
  interrupt: (value: unknown) => unknown,
  given: NativeAnswer | undefined,
): Approver {
  let first = given;
  return async (request) => {
    const value: ApprovalInterrupt = { type: 'hooks_approval', ...request };
    for (;;) {
      const answer =
        first ?? answerFor(await paused(hooks, session, request, () => interrupt(value)), request.callId);
      first = undefined;
      const fits = answer?.hash === undefined || answer.hash === request.hash;
      if (answer !== undefined && (fits || answer.decision !== 'allow')) return answer;
    }
  };
}

/** What the interrupt gives; where it pauses the run, hooks are told that a person is waited for. */
async function paused(
  hooks: Hooks,
  session: Session,
  { reason, agent }: ApprovalRequest,
  interrupt: () => unknown,
): Promise<unknown> {
  try {
    return interrupt();
  } catch (error) {
    if (isControlFlow(error))
      await hooks.dispatch(UserInputRequired, {
        session,
        message: reason,
        ...(agent !== undefined && { agent }),
      });
    throw error;
  }
}

/**
 * An answer for this call among those with which the node was resumed. Interrupts are matched by their order in the
 * node, so one that was answered has to be asked again before the tool asks its own.
 */
function takeAnswer(
  callId: string,
  config: Pausable,
  interrupt: (value: unknown) => unknown,
): NativeAnswer | undefined {
  const { resume = [], nullResume } = Object(config.configurable?.['__pregel_scratchpad']) as {
    readonly resume?: readonly unknown[];
    readonly nullResume?: unknown;
  };
  const at = [...resume, nullResume].findIndex((value) => answerFor(value, callId) !== undefined);
  let answer: NativeAnswer | undefined;
  for (let index = 0; index <= at; index++) answer = answerFor(interrupt(undefined), callId);
  return answer;
}

function answerFor(value: unknown, callId: string): NativeAnswer | undefined {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, callId)) return undefined;
  const answer: unknown = Reflect.get(value, callId);
  const decision: unknown =
    typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'decision') : undefined;
  // Anything else is no answer: the call goes on waiting.
  return decision === 'allow' || decision === 'deny' || decision === 'canceled'
    ? (answer as NativeAnswer)
    : undefined;
}

function toResumed({ decision, reason, hash }: NativeAnswer): Resumed {
  return {
    decision: decision === 'allow' ? 'allow' : 'deny',
    by: 'person',
    ...(reason !== undefined && { reason }),
    ...(hash !== undefined && { hash }),
  };
}
