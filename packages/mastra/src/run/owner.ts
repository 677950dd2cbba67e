import type { Principal } from '@hooks/core';
import { principalFrom } from '@hooks/core/adapter';
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
  // Some storages make null of what is undefined, and a principal has no null.
  const owner = { id, ...(tenant !== undefined && { tenant }), ...(roles && { roles }) };
  await store?.persistWorkflowSnapshot({
    workflowName: OWNERS,
    runId,
    snapshot: {
      runId,
      status: 'success',
      result: { owner },
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

/**
 * The stored owner of a run. Undefined if none is stored.
 *
 * @throws HooksError `INVALID_INPUT` if what is stored is no principal
 */
export async function storedOwner(agent: AnyAgent, runId: string): Promise<RunOwner | undefined> {
  const store = await workflowsOf(agent);
  const stored = await store?.loadWorkflowSnapshot({ workflowName: OWNERS, runId });
  const owner: unknown = stored?.result?.['owner'];
  if (typeof owner !== 'object' || owner === null) return undefined;
  const isNobody = !('id' in owner) || owner.id === undefined || owner.id === null;
  return { principal: isNobody ? undefined : principalFrom(owner, 'the stored owner of a run') };
}
