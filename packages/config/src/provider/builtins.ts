import type { HookProvider } from '@hooks/core';
import * as z from 'zod';

/** The arguments of a built-in hook, as the file has them. */
type BuiltinArgs = readonly string[] | Readonly<Record<string, unknown>>;

/** Makes the provider of a built-in hook. Throws for arguments that it cannot take. */
export type Builtin = (args: BuiltinArgs, options: { readonly cwd: string }) => HookProvider;

/** The hooks of `@hooks/guards` by the names that files have for them. */
export async function guardBuiltins(): Promise<Readonly<Record<string, Builtin>>> {
  const guards = await import('@hooks/guards');
  return {
    command_safety: (args) => {
      const { allow_when_isolated: allowWhenIsolated = false } = options(commandSafetyArgs, args);
      return guards.commandSafety({ allowWhenIsolated });
    },
    sensitive_paths: (args) => {
      const { symlinks = false, allow = [] } = options(sensitivePathsArgs, args);
      return guards.sensitivePaths({ symlinks, allow: allow.map((pattern) => new RegExp(pattern)) });
    },
    // Which texts it scrubs is a matter of the events that the file names it on.
    redact_secrets: (args) => {
      options(z.strictObject({}), args);
      return guards.redactSecrets({ toolInput: true });
    },
  };
}

const commandSafetyArgs = z.strictObject({ allow_when_isolated: z.boolean().optional() });
const sensitivePathsArgs = z.strictObject({
  symlinks: z.boolean().optional(),
  allow: z.array(z.string()).optional(),
});

/** Named arguments; an empty list is none. */
function options<Schema extends z.ZodType>(schema: Schema, args: BuiltinArgs): z.output<Schema> {
  if (Array.isArray(args) && args.length > 0) throw new Error('it takes no list of arguments');
  const result = schema.safeParse(Array.isArray(args) ? {} : args);
  if (!result.success) throw new Error(z.prettifyError(result.error));
  return result.data;
}
