import type { Principal, ToolCall } from '@hooks/core';
import { AgentRun, type AgentRunOptions } from '@hooks/core/adapter';
import { RequestContext } from '@mastra/core/request-context';
import type { Registries } from '../registries.ts';
import type { CallContext } from '../tool/context.ts';
import { KnownCalls } from '../tool/known-calls.ts';

/** Approval by Mastra's own pause, as a tool call uses it. */
export interface CallApprovals {
  /**
   * What a person has said to a call that now runs, for the first time or once more after a pause inside of it.
   *
   * @throws BlockedError for a call that a person has denied, and that Mastra runs all the same, because another call of the
   *   answer has its id. Hooks know that it is over.
   */
  enter(call: StartingCall, isAgain: boolean): Promise<CallApproval>;
  /** Whether a call gets this data from whoever resumes the run. True once. */
  takesResumeData(callId: string | undefined, data: unknown): boolean;
  /** A call that runs waits for an answer of its own, or for one inside of it. */
  paused(callId: string | undefined): Promise<void>;
  /** A call runs whose approval does not matter: the answer to it, if there is one, applies to no other call. */
  ran(call: StartingCall): boolean;
}

/** What is known of a call's approval when it runs. */
export type CallApproval = Pick<ToolCall, 'resumed' | 'approvalId' | 'needsApproval'>;

/** A call that Mastra runs, with the input that the model wrote. */
export interface StartingCall {
  readonly callId: string | undefined;
  readonly toolName: string;
  readonly input: unknown;
}

/** One run of an agent, or one bare call of a tool. */
export class HookedRun extends AgentRun {
  readonly calls: KnownCalls = new KnownCalls();
  readonly hooked: Registries;
  readonly approvals: CallApprovals | undefined;
  /** Why Mastra might treat another tool otherwise than the called one, so that calls cannot be renamed; as a clause. */
  unenforced: string | undefined;

  constructor(hooked: Registries, options: AgentRunOptions) {
    super(hooked.attached(), options);
    this.hooked = hooked;
  }
}

/**
 * Makes a call in the run that it belongs to. One that no hooked agent made (a workflow step, an MCP server, a network, a direct
 * call) has its own, whose session is the agent's thread, otherwise its own, which closes with it.
 */
export async function inRun<T>(
  known: HookedRun | undefined,
  registries: Registries,
  context: CallContext | undefined,
  call: (run: HookedRun) => Promise<T>,
): Promise<T> {
  if (known !== undefined) return call(known);
  const run = new HookedRun(registries, {
    sessionId: context?.agent?.threadId,
    agent: context?.agent?.agentId,
    id: context?.workflow?.runId,
    signal: context?.abortSignal,
    principal: principalIn(registries, context?.requestContext),
  });
  try {
    return await call(run);
  } finally {
    await run.end({ kind: 'done' });
  }
}

/** The principal of a run or a single call. */
export function principalIn(
  registries: Registries,
  context: RequestContext | undefined,
  parent?: AgentRun,
): Principal | undefined {
  return registries.principal(context ?? new RequestContext(), parent);
}
