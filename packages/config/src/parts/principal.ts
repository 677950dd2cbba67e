import { type Principal, proceed, SessionStart, sessionKey } from '@hooks/core';
import { isBlank } from '@hooks/core/adapter';
import { named } from '../builtins/arguments.ts';
import type { MakePart } from './part.ts';
import type { PrincipalArguments } from './schemas.ts';

/** A session that the program opened for a user of its own. */
const OTHERS = sessionKey<true>('@hooks/config/principal');

/**
 * The user of a program that works for one, from its environment. Counts where the program itself does not say who the user is. Where
 * the variable is not set, nobody is, and `require_principal` refuses.
 */
export const principalPart: MakePart = async (args, { env }) => {
  const { principalSchema } = await import('./schemas.ts');
  const { idEnv, rolesEnv, tenantEnv } = await named<PrincipalArguments>(args, () => principalSchema);
  const valueIn = (name: string | undefined): string | undefined => {
    const value = (name && env[name]?.trim()) ?? '';
    return isBlank(value) ? undefined : value;
  };
  const id = valueIn(idEnv);
  const roles = valueIn(rolesEnv)
    ?.split(',')
    .map((role) => role.trim())
    .filter((role) => role !== '');
  const tenant = valueIn(tenantEnv);
  const principal: Principal | undefined =
    id === undefined ? undefined : { id, ...(roles && { roles }), ...(tenant !== undefined && { tenant }) };
  return {
    name: 'principal',
    principal,
    register(hooks) {
      hooks.on(
        SessionStart,
        ({ session, principal: known }) => {
          // Whoever is nobody in a session of another user stays nobody, and so do the sub-agents.
          if (known !== undefined || session.parent?.get(OTHERS)) session.set(OTHERS, true);
          else hooks.session(session.id, { principal });
          return proceed();
        },
        { id: 'principal', priority: 1000 },
      );
    },
  };
};
