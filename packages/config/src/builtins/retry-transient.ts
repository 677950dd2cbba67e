import { retryTransient } from '@hooks/guards';
import { named } from './arguments.ts';
import type { Builtin } from './builtin.ts';

/** Takes `tools`, a pattern of tools that may run twice. */
export const retries: Builtin = async (args) =>
  retryTransient(await named(args, (z) => z.strictObject({ tools: z.string().exactOptional() })));
