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
