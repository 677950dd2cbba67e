import type { Hooks, Session, ToolCall, ToolCallOutcome } from '@hooks/core';
import type { Approvals } from '../approval/approvals.ts';
import { madeOf } from '../internals.ts';
import type { HookToolOptions } from '../options.ts';
import type { CallContext } from '../tool/context.ts';
import type { Execution } from '../tool/execution.ts';
import type { RunOptions } from './any-agent.ts';

/** Hooks and the options that they were attached with. */
export interface Attachment {
  readonly hooks: Hooks;
  readonly options: HookToolOptions;
}

/** A call of a tool that Mastra made itself, which has paused. */
interface PausedGate {
  /** Its input as the model sent it. */
  readonly sent: unknown;
  readonly execution: Execution;
}

/** One run of an agent, or one bare call of a tool. */
export interface Run {
  session: Session;
  readonly id?: string;
  readonly agent?: string;
  /** The call by which another agent runs it. */
  readonly parentCallId?: string | undefined;
  /** That of the call which started it or took it up again. */
  signal?: AbortSignal | undefined;
  /** The number of the turn that is open, from 1. */
  turn?: number | undefined;
  /** Why a hook wants the run to end: no model call follows. */
  stop?: string | undefined;
  /** The hook that wants so. */
  stopBy?: string | undefined;
  /** Calls of tools that Mastra made itself, which paused: they are asked about once. */
  pausedGates?: Map<string, PausedGate> | undefined;
  /** How calls of hooked tools that paused are executed when they go on. */
  pausedExecutions?: Map<string | undefined, Execution>;
  /** Approval by Mastra's own pause, where the run has it. */
  approvals?: Approvals | undefined;
  /** What the run of an agent was started with, as its user gave it. */
  readonly given?: RunOptions;
  /** Closes what was opened for this run alone. */
  readonly end?: () => Promise<void>;
}

/**
 * The run of a call that no hooked agent made: a workflow step, an MCP server, a network, a direct call. Its session
 * is the agent's thread, else one of its own, which `end` closes.
 */
export function bareRun(hooks: Hooks, context: CallContext | undefined): Run & Required<Pick<Run, 'end'>> {
  const thread = context?.agent?.threadId;
  const session = hooks.session(thread);
  const agent = context?.agent?.agentId;
  const id = context?.workflow?.runId;
  return {
    session,
    ...(agent !== undefined && { agent }),
    ...(id !== undefined && { id }),
    signal: context?.abortSignal,
    end: async () => {
      if (thread === undefined) await session.close();
    },
  };
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

/** A call of a tool that Mastra made itself, as core wants it described. */
export function toolCallOf(run: Run, toolName: string, callId: string | undefined, input: unknown): ToolCall {
  const { session, agent, id, signal, parentCallId } = run;
  const kind = madeOf(toolName) === 'agent' ? 'agent' : 'framework';
  return {
    session,
    agent,
    run: id,
    turn: turnOf(run),
    toolName,
    callId,
    parentCallId,
    input,
    tool: { kind },
    signal,
  };
}
