import { injection, requirePrincipal, validHistory } from '@hooks/guards';
import { named, none } from './arguments.ts';
import type { Builtin } from './builtin.ts';
import { storeAt } from './store.ts';

/** Takes `found`: context, block, no-tools or flag; and `store`. */
export const injections: Builtin = async (args, { storesIn, counters }) => {
  const { store, ...given } = await named(args, (z) =>
    z.strictObject({
      found: z.enum(['context', 'block', 'no-tools', 'flag']).exactOptional(),
      store: z.string().min(1).exactOptional(),
    }),
  );
  const file = store ?? (given.found === 'no-tools' ? counters : undefined);
  return injection({ ...given, ...(file !== undefined && { store: await storeAt(file, storesIn) }) });
};

/** Takes `role`, one or a list, and `tenant`: true, or a list. */
export const principal: Builtin = async (args) =>
  requirePrincipal(
    await named(args, (z) => {
      const names = z.array(z.string().min(1)).min(1);
      return z.strictObject({
        role: z.union([z.string().min(1), names]).exactOptional(),
        tenant: z.union([z.literal(true), names]).exactOptional(),
      });
    }),
  );

/** Takes no arguments. */
export const history: Builtin = (args) => {
  none(args);
  return validHistory();
};
