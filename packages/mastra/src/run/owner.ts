import type { Principal } from '@hooks/core';
import { isSamePrincipal } from '@hooks/core/adapter';
import { RequestContext } from '@mastra/core/request-context';
import type { RunOptions } from '../agent.ts';
import type { Registries } from '../registries.ts';

/**
 * The key under which a run's request context has its owner. Mastra stores that context with a paused run, but drops what is no
 * plain data. So the `principal` option may not find the user in what is stored.
 */
const OWNER = '@hooks/mastra/owner';

/** Notes the owner of a run in its request context, and overwrites what a client has put there. */
export function withOwner(
  registries: Registries,
  { id, tenant, roles }: Partial<Principal> = {},
  context: RequestContext = new RequestContext(),
): Pick<RunOptions, 'requestContext'> {
  if (registries.option('principal') === undefined) return {};
  context.set(OWNER, { id, tenant, roles });
  return { requestContext: context };
}

/** Whether a stored run belongs to this principal. Undefined if it has no note, because it ran without hooks. */
export function isOwner(stored: RequestContext, principal: Principal | undefined): boolean | undefined {
  const owner: Partial<Principal> | undefined = stored.get(OWNER);
  if (owner === undefined) return undefined;
  const { id, ...others } = owner;
  return isSamePrincipal(id === undefined ? undefined : { id, ...others }, principal);
}
