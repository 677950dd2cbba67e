import { type PendingApproval, unknownPending } from '@hooks/core/adapter';
import type { AnyAgent, StoredCall, SuspendedRun } from '../agent.ts';
import { ANSWERS, argumentsOf, RUNS, storedCallsIn, workflowsOf } from '../internals.ts';
import type { HookedRun } from '../run/run.ts';

/** The paused runs of this process, by id. */
const paused: Map<string, HookedRun> = new Map();

/** Stores a paused run while its session is open. */
export function notePaused(run: HookedRun): void {
  for (const [id, { session }] of paused) if (session.state === 'closed') paused.delete(id);
  paused.set(run.id, run);
}

/** The paused run of that id, whichever agent of this process has it. */
export function pausedRun(id: string): HookedRun | undefined {
  return paused.get(id);
}

/** Forgets a run that has resumed or is over. */
export function forgetPaused({ id }: HookedRun): void {
  paused.delete(id);
}

/** The pending approvals of a run's sub-agents, at whatever depth. */
function waitingInside(parent: HookedRun): readonly PendingApproval[] {
  const children = [...paused.values()].filter((run) => run.parent === parent);
  return children.flatMap((child) => [...child.pending.waiting, ...waitingInside(child)]);
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
  const run = paused.get(runId);
  const known = run?.pending.waiting.find((one) => one.callId === callId);
  if (known !== undefined) return known;
  const inside = run === undefined ? [] : waitingInside(run);
  const meant = waiting === call ? inside : inside.filter((one) => one.callId === waiting.toolCallId);
  const [only, ...others] = meant;
  if (only !== undefined && others.length === 0) return { ...only, callId };
  return unknownPending({ callId, toolName: String(waiting.toolName), input: argumentsOf(waiting.args) });
}

/** A paused run, as Mastra has stored it. Undefined if it has stored none of that id. */
export type FindSuspended = () => Promise<SuspendedRun | undefined>;

/** Looks for a paused run in Mastra's storage when it is first asked for, and once: Mastra lists all of them. */
export function findSuspended(agent: AnyAgent, runId: string | undefined): FindSuspended {
  let found: Promise<SuspendedRun | undefined> | undefined;
  const find = async () => {
    const { runs } = await agent.listSuspendedRuns({});
    return runs.find((run) => run.runId === runId);
  };
  return () => (found ??= find());
}

/** The call of a paused run that waits for approval, as Mastra has stored it. */
export async function storedCall(
  agent: AnyAgent,
  runId: string,
  callId: string | undefined,
  suspended: FindSuspended,
): Promise<StoredCall | undefined> {
  const { toolCalls = [] } = (await suspended()) ?? {};
  const call = toolCalls.find((one) => one.requiresApproval && (callId ?? one.toolCallId) === one.toolCallId);
  if (call === undefined) return undefined;
  const { calls } = await storedAnswer(agent, runId);
  const repeats = calls.filter(({ toolCallId }) => toolCallId === call.toolCallId).length > 1;
  return { ...call, args: argumentsOf(call.args), repeats };
}

/** The id of the call that a paused run waits for: Mastra asks about one at a time. Undefined if several wait for something else. */
export async function waitingCallId(runId: string, suspended: FindSuspended): Promise<string | undefined> {
  const [first] = paused.get(runId)?.pending.waiting ?? [];
  if (first !== undefined) return first.callId;
  const { toolCalls = [] } = (await suspended().catch(() => undefined)) ?? {};
  return toolCalls.length === 1 ? toolCalls[0]?.toolCallId : undefined;
}

/** The memory thread of a paused run, as Mastra has stored it. Where it has no storage, Mastra says so itself. */
export async function storedThread(suspended: FindSuspended): Promise<string | undefined> {
  const run = await suspended().catch(() => undefined);
  return run?.threadId;
}

/** Whether Mastra has stored a run of that id under this name. */
export async function isStored(
  agent: AnyAgent,
  runId: string,
  workflowName: string = RUNS,
): Promise<boolean> {
  const store = await workflowsOf(agent);
  return Boolean(await store?.loadWorkflowSnapshot({ workflowName, runId }));
}

/**
 * The calls of a paused run's last answer that have not begun, as Mastra has stored them. A call with the id of one that has
 * begun is not among them: an answer is by id.
 */
export async function storedUnbegun(agent: AnyAgent, runId: string): Promise<readonly StoredCall[]> {
  const { calls, outputs } = await storedAnswer(agent, runId);
  const begun = new Set(calls.filter((_, at) => outputs[at] != null).map(({ toolCallId }) => toolCallId));
  return calls.filter(({ toolCallId }) => !begun.has(toolCallId));
}

/** The calls of a paused run's last answer, and what has become of those that have begun. */
async function storedAnswer(agent: AnyAgent, runId: string) {
  const store = await workflowsOf(agent);
  const { context = {} } = (await store?.loadWorkflowSnapshot({ workflowName: ANSWERS, runId })) ?? {};
  const { calls, outputs } = storedCallsIn(context);
  return { calls: asList(calls).map((one): StoredCall => Object(one)), outputs: asList(outputs) };
}

function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
