import type { Principal } from '@hooks/core';
import { isSamePrincipal } from '@hooks/core/adapter';
import { RequestContext } from '@mastra/core/request-context';
import type { RunOptions } from '../agent.ts';
import type { Registries } from '../registries.ts';

/**
 * Where the request context of a run says whose it is. Mastra stores that context with a paused run, but only as plain data: the
 * `principal` option may not find its user there.
 */
const OWNER = '@hooks/mastra/owner';

/** The options of a run with its owner in the request context. Overwrites what a client has put there. */
export function withOwner(
  registries: Registries,
  { id, tenant, roles }: Partial<Principal> = {},
  context: RequestContext = new RequestContext(),
): Pick<RunOptions, 'requestContext'> {
  if (registries.option('principal') === undefined) return {};
  context.set(OWNER, { id, tenant, roles });
  return { requestContext: context };
}

/** Whether a run is for this principal, by its stored context. Undefined if that does not tell, because no hooks were there. */
export function isOwner(stored: RequestContext, principal: Principal | undefined): boolean | undefined {
  const owner: Partial<Principal> | undefined = stored.get(OWNER);
  if (owner === undefined) return undefined;
  const { id, ...others } = owner;
  return isSamePrincipal(id === undefined ? undefined : { id, ...others }, principal);
}
