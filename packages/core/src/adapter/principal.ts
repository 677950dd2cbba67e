import { fail } from '../error.ts';
import type { Principal } from '../principal.ts';

/** The option by which every adapter learns for whom an agent works. `Native` is what the framework knows of a run. */
export interface PrincipalOption<Native> {
  /**
   * For whom a run or a call is, by what the framework knows of it. Every event of the run carries it, and so do those of its
   * sub-agents. Undefined where nobody is known. What it throws fails the run.
   */
  // A method, so that options for a context of the user's own stand beside others.
  principal?(native: Native): Principal | undefined;
}

/**
 * For whom a run or a call is: a sub-agent's for whom its parent is, any other for whom the outermost registry says that can tell.
 *
 * @param options with which the registries were attached, outermost first
 * @throws HooksError `INVALID_INPUT` where the option gives something without an id
 */
export function principalFor<Native>(
  options: Iterable<PrincipalOption<Native>>,
  native: Native,
  parent?: { readonly principal: Principal | undefined },
): Principal | undefined {
  if (parent?.principal !== undefined) return parent.principal;
  for (const option of options) {
    const principal: unknown = option.principal?.(native);
    if (principal === undefined) continue;
    if (isPrincipal(principal)) return principal;
    fail(
      'INVALID_INPUT',
      'the option principal must give { id: string, roles?, tenant? } or undefined, not a promise or an empty id',
    );
  }
  return undefined;
}

function isPrincipal(value: unknown): value is Principal {
  const id: unknown = Reflect.get(Object(value), 'id');
  return typeof id === 'string' && id !== '';
}
