import { permissions } from '@hooks/guards';
import { compilePattern } from '../dialects/docker-agent/permission-pattern.ts';
import type { Part } from '../parts/part.ts';
import { named } from './arguments.ts';
import type { Builtin } from './builtin.ts';
import { allowsBy } from './permission-rule.ts';

/** Takes `allow`, `ask` and `deny` of a docker-agent file, with its patterns and tool names. */
export const dockerPermissions: Builtin = async (args): Promise<Part> => {
  const lists = await named(args, (z) => {
    const patterns = z.array(z.string()).exactOptional();
    return z.strictObject({ allow: patterns, ask: patterns, deny: patterns });
  });
  const { allow, ask, deny } = lists;
  const provider = permissions({
    // docker-agent's files may have empty lists.
    ...(allow?.length && { allow }),
    ...(ask?.length && { ask }),
    ...(deny?.length && { deny }),
    compile: compilePattern,
    scope: 'team',
  });
  return { ...provider, allows: allowsBy(allow, compilePattern) };
};
