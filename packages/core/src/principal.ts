import { isBlank } from './blank.ts';

/**
 * The user on whose behalf an agent works. Add your own fields by declaration merging:
 *
 * @example
 * ```ts
 * declare module '@hooks/core' {
 *   interface Principal {
 *     readonly plan?: 'free' | 'paid';
 *   }
 * }
 * ```
 */
export interface Principal {
  readonly id: string;
  readonly roles?: readonly string[];
  readonly tenant?: string;
}

/** Whether two principals are the same user with the same rights. */
export function isSamePrincipal(one: Principal | undefined, other: Principal | undefined): boolean {
  return identityOf(one) === identityOf(other);
}

/** What tells users apart, as a text. */
export function identityOf({ id, tenant, roles }: Partial<Principal> = {}): string {
  // Where they come from may give them in any order.
  return JSON.stringify([id, tenant, Array.isArray(roles) ? [...roles].sort() : roles]);
}

/** Whether a value is a principal, with an id that a person sees. */
export function isPrincipal(value: unknown): value is Principal {
  const { id, roles = [], tenant = '' }: { readonly [field: string]: unknown } = Object(value);
  if (typeof id !== 'string' || isBlank(id)) return false;
  // A text as roles would have every role that is a part of it: `roles.includes('admin')`.
  return Array.isArray(roles) && [...roles, tenant].every((each) => typeof each === 'string');
}
