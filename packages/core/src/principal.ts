import { isBlank } from './blank.ts';
import { fail } from './error.ts';
import { isObject, readAll, readPlain } from './plain.ts';

/**
 * The user on whose behalf an agent works. It is plain data: a run with a principal that JSON cannot show does not start. Add
 * your own fields by declaration merging:
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

/** What {@link principalFrom} has returned. It is frozen, so it need not be read again. */
const principals: WeakSet<object> = new WeakSet();

/**
 * Reads a principal: a frozen copy as plain data, which everybody gets instead of the original. Each field is read once,
 * because a getter may answer differently the next time. Of an instance of a class, the copy has all fields and accessors, and no
 * methods.
 *
 * @param where what the error begins with, such as the name of the function that was given the principal
 * @throws HooksError `INVALID_INPUT` if it is no principal, or one without an id that a person sees
 */
export function principalFrom(value: unknown, where: string): Principal {
  if (isObject(value) && principals.has(value)) return value as Principal;
  const read = readPrincipal(value);
  if ('problem' in read)
    fail(
      'INVALID_INPUT',
      `${where}: ${read.problem}. A principal is { id: string, roles?: string[], tenant?: string } as plain data, not a promise.`,
      read,
    );
  principals.add(read.data);
  return read.data;
}

/** A principal; or what is wrong with it, and what reading it threw. */
function readPrincipal(
  value: unknown,
): { readonly data: Principal } | { readonly problem: string; readonly cause?: unknown } {
  try {
    const plain = readPlain(readAll(Object(value)), 'principal');
    if ('problem' in plain) return plain;
    const problem = problemOf(Object(plain.data));
    return problem === undefined ? { data: plain.data as Principal } : { problem };
  } catch (cause) {
    return { problem: 'principal cannot be read', cause };
  }
}

function problemOf({
  id,
  roles = [],
  tenant = '',
}: {
  readonly [Field in keyof Principal]?: unknown;
}): string | undefined {
  if (typeof id !== 'string' || isBlank(id))
    return 'principal.id must be a string with a character that a person sees';
  // Stores and headers would show another user's name.
  if (![id, tenant].every((text) => typeof text !== 'string' || text.isWellFormed()))
    return 'principal.id and principal.tenant must not have half a character';
  // A text as roles would have every role that is a part of it: `roles.includes('admin')`.
  if (!Array.isArray(roles) || !roles.every((role) => typeof role === 'string'))
    return 'principal.roles must be an array of strings, or left out';
  return typeof tenant === 'string' ? undefined : 'principal.tenant must be a string, or left out';
}

/** Whether two principals are the same user with the same rights. */
export function isSamePrincipal(one: Principal | undefined, other: Principal | undefined): boolean {
  return identityOf(one) === identityOf(other);
}

/** What tells users apart, as a text. */
export function identityOf(principal: Principal | undefined): string {
  if (principal === undefined) return '[]';
  const { id, tenant, roles } = principalFrom(principal, 'isSamePrincipal');
  // Where they come from may give them in any order.
  return JSON.stringify([id, tenant, roles?.toSorted()]);
}
