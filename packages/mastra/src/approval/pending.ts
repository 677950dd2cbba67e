import { type PendingApproval, unknownPending } from '@hooks/core/adapter';
import { argumentsOf } from '../internals.ts';
import { type MastraRun, pausedRuns } from '../run/agent-run.ts';
import { asList } from './stored.ts';

/** The pending approvals of a run's sub-agents, at whatever depth. */
function waitingInside(parent: MastraRun): readonly PendingApproval[] {
  return pausedRuns
    .childrenOf(parent)
    .flatMap((child) => [...child.pending.waiting, ...waitingInside(child)]);
}

/** A paused run, or a list of them, as Mastra tells. */
interface Suspended {
  readonly runId?: unknown;
  readonly suspendPayload?: unknown;
  readonly toolCalls?: unknown;
  readonly runs?: unknown;
  readonly tripwire?: unknown;
}

/** A call of `listSuspendedRuns`, which says whether it waits for approval; the payload of a result has the schema of one. */
interface SuspendedCall {
  readonly toolCallId?: unknown;
  readonly toolName?: unknown;
  readonly args?: unknown;
  readonly requiresApproval?: unknown;
  readonly resumeSchema?: unknown;
  /** Of the call of a sub-agent: the call inside of it that waits. */
  readonly suspendPayload?: unknown;
}

/**
 * The calls that wait for a person's approval, with the input that will run.
 *
 * @param resultOrState what `generate` or `stream` gave (a stream: after it was read), or, also in another process, what
 *   `agent.listSuspendedRuns()` or one of its `runs` says
 * @example
 * ```ts
 * const result = await agent.generate('Clean up.');
 * for (const { callId, toolName, input, reason } of await pendingApprovals(result)) {
 *   const answer = { runId: result.runId, toolCallId: callId };
 *   await (ask(toolName, input, reason) ? agent.approveToolCallGenerate(answer) : agent.declineToolCallGenerate(answer));
 * }
 * ```
 */
export async function pendingApprovals(resultOrState: unknown): Promise<readonly PendingApproval[]> {
  const { runs, runId, tripwire, suspendPayload, toolCalls }: Suspended = Object(resultOrState);
  // A hook ended the run, including calls that would have waited.
  if (tripwire) return [];
  if (Array.isArray(runs)) return (await Promise.all(runs.map(pendingApprovals))).flat();
  if (typeof runId !== 'string') return [];
  const payload = await suspendPayload;
  const calls = payload === undefined ? asList(await toolCalls) : [payload];
  return Promise.all(
    calls
      .map(Object)
      .filter(waitsForApproval)
      .map((call) => pendingOf(runId, call)),
  );
}

function waitsForApproval(call: SuspendedCall): boolean {
  const { toolName, requiresApproval, resumeSchema } = innermost(call);
  if (typeof toolName !== 'string') return false;
  return requiresApproval === true || String(resumeSchema).includes('"approved"');
}

/** The call that waits: this one, or, if it is of a sub-agent, the one inside of it. */
function innermost(call: SuspendedCall): SuspendedCall {
  const inside: SuspendedCall = Object(call.suspendPayload);
  return typeof inside.toolCallId === 'string' && typeof inside.toolName === 'string'
    ? innermost(inside)
    : call;
}

async function pendingOf(runId: string, call: SuspendedCall): Promise<PendingApproval> {
  // Mastra is answered by the id of the call of the sub-agent.
  const callId = String(call.toolCallId);
  const waiting = innermost(call);
  const run = pausedRuns.peek(runId);
  const known = run?.pending.waiting.find((one) => one.callId === callId);
  if (known !== undefined) return known;
  const inside = run === undefined ? [] : waitingInside(run);
  const meant = waiting === call ? inside : inside.filter((one) => one.callId === waiting.toolCallId);
  const [only, ...others] = meant;
  if (only !== undefined && others.length === 0) return { ...only, callId };
  return unknownPending({ callId, toolName: String(waiting.toolName), input: argumentsOf(waiting.args) });
}
