import { type Principal, principalFrom } from '../principal.ts';

/** The option with which every adapter reads the principal. `Native` is what the framework knows about a run. */
export interface PrincipalOption<Native> {
  /**
   * Returns the principal of a run or a call, from what the framework knows. All events of the run and its sub-agents
   * have it. Return undefined if there is none. If several registries hook an agent, the innermost that returns one
   * decides. An error fails the run.
   */
  // A method, so that options for a context of the user's own stand beside others.
  principal?(native: Native): Principal | undefined;
}

/**
 * The principal of a run or a call: a sub-agent's is its parent's, any other is that of the innermost registry that
 * knows one.
 *
 * @param options the options that the registries were attached with, outermost first
 * @throws HooksError `INVALID_INPUT` if the option returns something else than a principal, or one without an id that a person sees
 */
export function principalFor<Native>(
  options: Iterable<PrincipalOption<Native>>,
  native: Native,
  parent?: { readonly principal: Principal | undefined },
): Principal | undefined {
  if (parent?.principal !== undefined) return parent.principal;
  for (const option of [...options].reverse()) {
    const given: unknown = option.principal?.(native);
    // What the program changes later is another user, and not the run's.
    if (given !== undefined) return principalFrom(given, 'the option principal');
  }
  return undefined;
}
