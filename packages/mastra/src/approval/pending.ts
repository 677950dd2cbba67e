import type { ApprovalRequest, Session } from '@hooks/core';
import { hashInput } from '@hooks/core/tool-call';
import { argumentsOf } from '../internals.ts';
import type { AnyAgent, SuspendedRun } from '../agent.ts';
import { approvalReason } from './own-approval.ts';
import type { StoredCall } from './proposals.ts';

interface Waiting {
  readonly session: Session;
  /** The run that has started it, where a sub-agent waits. */
  readonly parentId: string | undefined;
  readonly requests: readonly ApprovalRequest[];
}

/** What the paused runs of this process wait for, by run id: what the hooks of each session want to know of it. */
const waiting: Map<string, readonly Waiting[]> = new Map();

/** Notes what a paused run waits for, as one session of it has it. */
export function noteWaiting(runId: string, noted: Waiting): void {
  for (const [id, sessions] of waiting)
    if (sessions.every((one) => one.session.state === 'closed')) waiting.delete(id);
  const others = waiting.get(runId)?.filter((one) => one.session !== noted.session) ?? [];
  waiting.set(runId, [...others, noted]);
}

/** What the sub-agents of a run wait for, and theirs. */
function inside(runId: string): readonly ApprovalRequest[] {
  return [...waiting].flatMap(([id, sessions]) => {
    const own = sessions.filter(({ parentId }) => parentId === runId);
    return own.length === 0 ? [] : [...own.flatMap(({ requests }) => requests), ...inside(id)];
  });
}

/** The run goes on, or is over. */
export function forgetWaiting(runId: string): void {
  waiting.delete(runId);
}

interface Suspended {
  readonly runId?: unknown;
  readonly threadId?: unknown;
  readonly suspendPayload?: unknown;
  readonly toolCalls?: unknown;
  readonly runs?: unknown;
  readonly tripwire?: unknown;
}

interface SuspendedCall {
  readonly toolCallId?: unknown;
  readonly toolName?: unknown;
  readonly args?: unknown;
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
export async function pendingApprovals(resultOrState: unknown): Promise<readonly ApprovalRequest[]> {
  if (typeof resultOrState !== 'object' || resultOrState === null) return [];
  const state: Suspended = resultOrState;
  const { runs, runId, threadId, tripwire } = state;
  // A hook has ended the run beside calls that would have waited.
  if (tripwire) return [];
  if (Array.isArray(runs)) return (await Promise.all(runs.map(pendingApprovals))).flat();
  if (typeof runId !== 'string') return [];
  const payload = await state.suspendPayload;
  const calls: readonly unknown[] = payload === undefined ? asList(await state.toolCalls) : [payload];
  const requests = calls.filter(waitsForApproval).map(async ({ toolCallId, toolName, args }) => {
    const asked = waiting.get(runId)?.flatMap(({ requests }) => requests);
    const known = asked?.find(({ callId }) => callId === toolCallId);
    if (known !== undefined) return known;
    const [only, ...others] = inside(runId);
    // Mastra tells the call of the sub-agent, and is answered by its id.
    if (only !== undefined && others.every((other) => isSameCall(other, only)))
      return { ...only, callId: String(toolCallId) };
    const reason = approvalReason(String(toolName));
    const input = argumentsOf(args);
    const hash = await hashInput(input);
    const sessionId = typeof threadId === 'string' ? threadId : runId;
    return { callId: String(toolCallId), toolName: String(toolName), input, reason, hash, sessionId };
  });
  return Promise.all(requests);
}

/** Whether hooks of two registries wait for a person at the same call. */
function isSameCall(one: ApprovalRequest, other: ApprovalRequest): boolean {
  return one.callId === other.callId && one.sessionId === other.sessionId;
}

/** The call of a paused run that waits for approval, as Mastra has stored it. */
export async function storedCall(
  agent: AnyAgent,
  runId: string,
  threadId: string | undefined,
  callId: string | undefined,
): Promise<StoredCall | undefined> {
  const { toolCalls = [] } = (await storedRun(agent, runId, threadId)) ?? {};
  const call = toolCalls.find((one) => one.requiresApproval && (callId ?? one.toolCallId) === one.toolCallId);
  return call && { ...call, args: argumentsOf(call.args) };
}

/** The memory thread of a paused run, as Mastra has stored it. Where it has no storage, Mastra says so itself. */
export async function storedThread(agent: AnyAgent, runId: string): Promise<string | undefined> {
  const run = await storedRun(agent, runId, undefined).catch(() => undefined);
  return run?.threadId;
}

async function storedRun(
  agent: AnyAgent,
  runId: string,
  threadId: string | undefined,
): Promise<SuspendedRun | undefined> {
  const { runs } = await agent.listSuspendedRuns(threadId === undefined ? {} : { threadId });
  return runs.find((run) => run.runId === runId);
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

/** A call of `listSuspendedRuns` says so; the payload of a result has the schema of an approval. */
function waitsForApproval(call: unknown): call is SuspendedCall {
  if (typeof call !== 'object' || call === null) return false;
  const {
    requiresApproval,
    resumeSchema,
    toolName,
  }: { readonly requiresApproval?: unknown; readonly resumeSchema?: unknown; readonly toolName?: unknown } =
    call;
  if (typeof toolName !== 'string') return false;
  return (
    requiresApproval === true || (typeof resumeSchema === 'string' && resumeSchema.includes('"approved"'))
  );
}
