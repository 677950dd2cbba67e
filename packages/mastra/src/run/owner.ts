import type { Principal } from '@hooks/core';
import type { AnyAgent } from '../agent.ts';
import { workflowsOf } from '../internals.ts';

/**
 * The name under which Mastra's storage has the owners of paused runs. The request context that Mastra stores with a run may not
 * tell the user, and programs share it between runs.
 */
const OWNERS = '@hooks/mastra/owners';

/** Who owns a run. */
export interface RunOwner {
  /** Undefined if nobody was signed in. */
  readonly principal: Principal | undefined;
}

/** Stores who owns a run. Call it before Mastra stores that the run is paused. Does nothing without a storage. */
export async function storeOwner(
  agent: AnyAgent,
  { id: runId, principal }: RunOwner & { readonly id: string },
): Promise<void> {
  const store = await workflowsOf(agent);
  const { id, tenant, roles }: Partial<Principal> = principal ?? {};
  await store?.persistWorkflowSnapshot({
    workflowName: OWNERS,
    runId,
    snapshot: {
      runId,
      status: 'success',
      result: { owner: { id, tenant, roles } },
      ...{ value: {}, context: {}, serializedStepGraph: [], activePaths: [], activeStepsPath: {} },
      ...{ suspendedPaths: {}, resumeLabels: {}, waitingPaths: {}, timestamp: Date.now() },
    },
  });
}

/** Removes the stored owner of a run that is over. */
export async function removeOwner(agent: AnyAgent, runId: string): Promise<void> {
  const store = await workflowsOf(agent);
  await store?.deleteWorkflowRunById({ workflowName: OWNERS, runId });
}

/** The stored owner of a run. Undefined if none is stored. */
export async function storedOwner(agent: AnyAgent, runId: string): Promise<RunOwner | undefined> {
  const store = await workflowsOf(agent);
  const stored = await store?.loadWorkflowSnapshot({ workflowName: OWNERS, runId });
  const owner: unknown = stored?.result?.['owner'];
  if (typeof owner !== 'object' || owner === null) return undefined;
  const { id, ...others }: Partial<Principal> = owner;
  return { principal: id === undefined ? undefined : { id, ...others } };
}
