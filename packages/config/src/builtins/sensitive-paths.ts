import { sensitivePaths } from '@hooks/guards';
import { named } from './arguments.ts';
import type { Builtin } from './builtin.ts';

/** Takes `symlinks`, and `allow`, a list of regular expressions. */
export const safePaths: Builtin = async (args) => {
  const { allow, ...options } = await named(args, (z) =>
    z.strictObject({
      symlinks: z.boolean().exactOptional(),
      allow: z.array(z.string().min(1)).exactOptional(),
    }),
  );
  return sensitivePaths({
    ...options,
    ...(allow && { allow: allow.map((pattern) => new RegExp(pattern)) }),
  });
};
