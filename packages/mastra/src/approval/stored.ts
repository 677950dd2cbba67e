import type { AnyAgent, StoredCall, SuspendedRun } from '../agent.ts';
import { ANSWERS, argumentsOf, RUNS, storedCallsIn, workflowsOf } from '../internals.ts';

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

/** The id of the only call that a paused run waits for, as Mastra has stored it. */
export async function storedCallId(suspended: FindSuspended): Promise<string | undefined> {
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

/** A list of Mastra's; empty if it is none. */
export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}
