import { allowTools, denyTools, permissions } from '@hooks/guards';
import { named, row } from './arguments.ts';
import type { Builtin } from './builtin.ts';
import { compileAnywhere } from './permission-rule.ts';

/** Takes `allow`, `ask` and `deny`, lists of permission rules; `read_only_hint`, `trusted_servers`, `yolo`, `scope`. */
export const permitted: Builtin = async (args) =>
  permissions({
    ...(await named(args, (z) => {
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
    })),
    compile: compileAnywhere,
  });

/** Takes the tools that may run. */
export const allowed: Builtin = (args) => allowTools(row(args));

/** Takes the tools that may not run. */
export const denied: Builtin = (args) => denyTools(row(args));
