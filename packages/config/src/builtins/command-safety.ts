import { commandSafety } from '@hooks/guards';
import { named } from './arguments.ts';
import type { Builtin } from './builtin.ts';

/** Takes `allow_when_isolated`, `context` and `policy`. */
export const safeCommands: Builtin = async (args) =>
  commandSafety(
    await named(args, (z) =>
      z.strictObject({
        allow_when_isolated: z.boolean().exactOptional(),
        context: z.enum(['workstation', 'container', 'ci']).exactOptional(),
        policy: z.enum(['essential', 'recommended', 'strict']).exactOptional(),
      }),
    ),
  );
