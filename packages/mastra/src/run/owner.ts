import type { Principal } from '@hooks/core';
import { isSamePrincipal } from '@hooks/core/adapter';
import type { AnyAgent } from '../agent.ts';
import type { HookedRun } from './run.ts';

/**
 * The name under which Mastra's storage has the owners of paused runs. The request context that Mastra stores with a run may not
 * tell the user, and programs share it between runs.
 */
const OWNERS = '@hooks/mastra/owners';

/** Stores whose a run is, before Mastra stores that it is paused. Does nothing without a storage. */
export async function storeOwner(agent: AnyAgent, { id: runId, principal }: HookedRun): Promise<void> {
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

/** Removes what {@link storeOwner} has stored of a run, which is over. */
export async function removeOwner(agent: AnyAgent, { id: runId }: HookedRun): Promise<void> {
  const store = await workflowsOf(agent);
  await store?.deleteWorkflowRunById({ workflowName: OWNERS, runId });
}

/** Whether a stored run belongs to this principal. Undefined if nothing tells, because it paused without hooks. */
export async function isOwner(
  agent: AnyAgent,
  runId: string,
  principal: Principal | undefined,
): Promise<boolean | undefined> {
  const store = await workflowsOf(agent);
  const stored = await store?.loadWorkflowSnapshot({ workflowName: OWNERS, runId });
  const owner: unknown = stored?.result?.['owner'];
  if (typeof owner !== 'object' || owner === null) return undefined;
  const { id, ...others }: Partial<Principal> = owner;
  return isSamePrincipal(id === undefined ? undefined : { id, ...others }, principal);
}

async function workflowsOf(agent: AnyAgent) {
  return agent.getMastraInstance()?.getStorage()?.getStore('workflows');
}
