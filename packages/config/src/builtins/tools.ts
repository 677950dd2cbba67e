import { allowTools, denyTools, permissions } from '@hooks/guards';
import type { Part } from '../parts/part.ts';
import { named, row } from './arguments.ts';
import type { Builtin } from './builtin.ts';
import { allowsBy, compileAnywhere } from './permission-rule.ts';

/** Takes `allow`, `ask` and `deny`, lists of permission rules; `read_only_hint`, `trusted_servers`, `yolo`, `scope`. */
export const permitted: Builtin = async (args): Promise<Part> => {
  const options = await named(args, (z) => {
    const rules = z.array(z.string().min(1)).exactOptional();
    return z.strictObject({
      allow: rules,
      ask: rules,
      deny: rules,
      read_only_hint: z.boolean().exactOptional(),
      trusted_servers: rules,
      yolo: z.boolean().exactOptional(),
      scope: z.enum(['session', 'team']).exactOptional(),
    });
  });
  const provider = permissions({ ...options, compile: compileAnywhere });
  return { ...provider, allows: allowsBy(options.allow, compileAnywhere) };
};

/** Takes the tools that may run. */
export const allowed: Builtin = (args) => allowTools(row(args));

/** Takes the tools that may not run. */
export const denied: Builtin = (args) => denyTools(row(args));
