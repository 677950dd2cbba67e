import {
  BeforeModelCall,
  BeforeToolCall,
  type Block,
  block,
  type EventPayload,
  type HookProvider,
  type Principal,
  type Proceed,
  proceed,
} from '@hooks/core';
import { isBlank } from '@hooks/core/adapter';
import { anyOf, type Checks, checkOptions, expecting, listOf, text } from '../options.ts';
import { versionOf } from '../version.ts';

/** Options of {@link requirePrincipal}. */
export interface RequirePrincipalOptions {
  /** A role that the user needs; one of a list is enough. */
  readonly role?: string | readonly string[];
  /** The user has to belong to a tenant, or to one of these. */
  readonly tenant?: true | readonly string[];
}

const CHECKS: Checks<RequirePrincipalOptions> = {
  role: anyOf('a role, or a list of roles', text, listOf(text)),
  tenant: anyOf(
    'true, or a list of tenants',
    expecting('true', (value) => value === true),
    listOf(text),
  ),
};

/**
 * Refuses every model call and tool call of nobody: where the adapter was not told who the user is, or that user lacks a role
 * or a tenant. Tell it with the adapter's option `principal`.
 *
 * @throws HooksError `CONFIG_INVALID` if an option is unknown or invalid
 * @example
 * ```ts
 * hooks.use(requirePrincipal({ tenant: true }));
 * hooks.guard(BeforeToolCall.matching('.*_order'), ({ input, principal }) =>
 *   Object(input).tenant === principal?.tenant ? proceed() : block('This order belongs to another customer.'),
 * );
 * ```
 */
export function requirePrincipal(options: RequirePrincipalOptions = {}): HookProvider {
  options = checkOptions('requirePrincipal', options, CHECKS);
  const judge = ({ principal }: EventPayload): Block | Proceed => {
    const missing = missingOf(principal, options);
    return missing === undefined ? proceed() : block(`Blocked (principal): ${missing}`, { stop: true });
  };
  return {
    name: 'builtin:require-principal',
    version: versionOf(options),
    register(hooks) {
      hooks.guard(BeforeModelCall, judge, { id: 'model-call', priority: 100, optional: true });
      hooks.guard(BeforeToolCall, judge, { id: 'tool-call', priority: 100 });
    },
  };
}

function missingOf(principal: Principal | undefined, options: RequirePrincipalOptions): string | undefined {
  const { role, tenant } = options;
  if (principal === undefined)
    return "nobody says who the user is. Set the adapter's option `principal`, or `principal` in the file of hooks.";
  const roles = typeof role === 'string' ? [role] : role;
  if (roles !== undefined && !roles.some((one) => principal.roles?.includes(one)))
    return `the user needs the role ${roles.join(' or ')}.`;
  if (tenant === undefined) return undefined;
  const own = principal.tenant;
  if (own === undefined || isBlank(own)) return 'the user belongs to no tenant.';
  return tenant === true || tenant.includes(own)
    ? undefined
    : 'the tenant of the user may not use this agent.';
}
