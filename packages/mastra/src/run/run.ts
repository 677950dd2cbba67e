import type { Approver, Begun, Hooks, Session, ToolCall, ToolCallOutcome } from '@hooks/core';
import { concerns, decidesResult } from '@hooks/core/adapter';
import type { Attached } from '@hooks/core/tool-call';
import type { StoredCall } from '../agent.ts';
import type { HookedOptions } from '../options.ts';
import type { CallContext } from '../tool/context.ts';
import type { Execution } from '../tool/execution.ts';

/** A registry, and the options it was attached with. Where several hook something, the outermost comes first. */
export interface Registry {
  readonly hooks: Hooks;
  readonly settings: HookedOptions;
}

/** A call whose approval was sought before it runs. */
export interface BegunCall {
  readonly begun?: Begun | undefined;
  readonly execution?: Execution | undefined;
  /** The arguments that the model has written, as JSON. */
  readonly args: string;
}

/** Approval by Mastra's own pause, as the call of a tool uses it. */
export interface CallApprovals {
  /** What was begun of a call that now runs. */
  take(callId: string | undefined, toolName: string, input: unknown): Promise<BegunCall | undefined>;
  /** What is known of the approval of a call that now runs, where another process has sought it. */
  resumed(
    callId: string | undefined,
    toolName: string,
    input: unknown,
  ): Promise<Pick<ToolCall, 'resumed' | 'needsApproval'>>;
  /** A call runs whose approval is of no interest: an answer to it is none to another. */
  ran(callId: string | undefined): void;
  /** The call of that id, as the model has written it. */
  written(callId: string | undefined): StoredCall | undefined;
}

/** One run of an agent, or one bare call of a tool. */
export interface Run {
  /** Those of the agent, or of the tool. */
  readonly registries: readonly Registry[];
  session: Session;
  readonly id?: string;
  readonly agent?: string;
  /** The call by which another agent runs it. */
  readonly parentCallId?: string | undefined;
  /** That of the call which started or resumed it. */
  signal?: AbortSignal | undefined;
  /** The number of the turn that is open, from 1. */
  turn?: number | undefined;
  /** Why a hook wants the run to end: no model call follows. */
  stop?: string | undefined;
  /** The hook that wants so. */
  stopBy?: string | undefined;
  /** Calls whose tools have paused, with the input that the model has sent. */
  readonly paused: Map<string | undefined, { readonly execution: Execution; readonly sent: unknown }>;
  readonly approvals?: CallApprovals | undefined;
}

/**
 * The run of a call that no hooked agent made: a workflow step, an MCP server, a network, a direct call. Its session
 * is the agent's thread, else one of its own, which `end` closes.
 */
export function bareRun(
  registries: readonly Registry[],
  context: CallContext | undefined,
): Run & { readonly end: () => Promise<void> } {
  const thread = context?.agent?.threadId;
  const [first, ...others] = registries.map(({ hooks }) => hooks);
  if (first === undefined) throw new TypeError('a hooked call needs a registry');
  const session = first.session(thread);
  const agent = context?.agent?.agentId;
  const id = context?.workflow?.runId;
  return {
    registries,
    session,
    ...(agent !== undefined && { agent }),
    ...(id !== undefined && { id }),
    signal: context?.abortSignal,
    paused: new Map(),
    end: async () => {
      if (thread !== undefined) return;
      await session.close();
      for (const hooks of others) await hooks.session(session.id).close();
    },
  };
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

/** Notes that a hook wants the run to end. */
export function noteStop(run: Run, outcome: ToolCallOutcome): void {
  if (!outcome.stop) return;
  run.stop = outcome.reason ?? 'A hook ended the run.';
  run.stopBy = outcome.by;
}

/** The id of the turn that is open, if one is. */
export function turnOf({ id, turn }: Pick<Run, 'id' | 'turn'>): string | undefined {
  return id === undefined || turn === undefined ? undefined : `${id}:${turn}`;
}
