import type { Approver, Hooks, Principal, ToolCall } from '@hooks/core';
import { AgentRun, type AgentRunOptions, concerns, decidesResult, principalFor } from '@hooks/core/adapter';
import type { Attached } from '@hooks/core/tool-call';
import { RequestContext } from '@mastra/core/request-context';
import type { HookedOptions } from '../options.ts';
import type { CallContext } from '../tool/context.ts';
import type { Execution } from '../tool/execution.ts';

/** A registry, and the options it was attached with. Where several hook something, the outermost comes first. */
export interface Registry {
  readonly hooks: Hooks;
  readonly settings: HookedOptions;
}

/** Approval by Mastra's own pause, as the call of a tool uses it. */
export interface CallApprovals {
  /** The arguments of a call as the model has written them. */
  written(callId: string | undefined): { readonly toolName: string; readonly input: unknown } | undefined;
  /** What is known of the approval of a call that now runs, where another process has sought it. */
  resumed(
    callId: string | undefined,
    toolName: string,
    input: unknown,
  ): Promise<Pick<ToolCall, 'resumed' | 'needsApproval'>>;
  /** A call runs whose approval is of no interest: an answer to it is none to another. */
  ran(callId: string | undefined): void;
}

/** One run of an agent, or one bare call of a tool. */
export class HookedRun extends AgentRun {
  /** Calls that were begun and have not ended, and what hooks were shown of them first. */
  readonly executions: Map<string | undefined, Execution> = new Map();
  readonly hooked: readonly Registry[];
  readonly approvals: CallApprovals | undefined;

  constructor(hooked: readonly Registry[], options: AgentRunOptions, pause?: Approver) {
    super(attachedTo(hooked, pause), options);
    this.hooked = hooked;
  }
}

/**
 * The run of a call that no hooked agent made: a workflow step, an MCP server, a network, a direct call. Its session
 * is the agent's thread, else one of its own, which closes with it.
 */
export function bareRun(registries: readonly Registry[], context: CallContext | undefined): HookedRun {
  return new HookedRun(registries, {
    sessionId: context?.agent?.threadId,
    agent: context?.agent?.agentId,
    id: context?.workflow?.runId,
    signal: context?.abortSignal,
    principal: principalIn(registries, context?.requestContext),
  });
}

/** For whom a run or a bare call is. */
export function principalIn(
  registries: readonly Registry[],
  context: RequestContext | undefined,
  parent?: AgentRun,
): Principal | undefined {
  return principalFor(
    registries.map(({ settings }) => settings),
    context ?? new RequestContext(),
    parent,
  );
}

/** Whether any registry has hooks for calls of a tool. */
export function isHooked(registries: readonly Registry[], toolName: string): boolean {
  return registries.some(({ hooks }) => concerns(hooks, toolName));
}

/**
 * The registries as core takes them.
 *
 * @param pause who answers where a registry wants Mastra's own pause
 */
export function attachedTo(registries: readonly Registry[], pause?: Approver): readonly Attached[] {
  return registries.map(({ hooks, settings: { approval } }) => ({
    hooks,
    approval: approval === 'native' ? pause : approval,
  }));
}

/** Whether what a tool writes is held back. */
export function holdsWrites(registries: readonly Registry[], toolName: string): boolean {
  return registries.some(
    ({ hooks, settings }) => settings.holdStream !== false && decidesResult(hooks, toolName),
  );
}
