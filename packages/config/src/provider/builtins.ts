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
    add_date: (args) => guards.addDate(...list(z.tuple([]), args)),
    add_environment_info: (args, { cwd }) => guards.addEnvironmentInfo(...list(z.tuple([]), args), { cwd }),
    add_prompt_files: (args, { cwd }) =>
      guards.addPromptFiles(list(z.array(z.string().min(1)).min(1), args), { cwd }),
    add_git_status: (args, { cwd }) => guards.addGitStatus(...list(z.tuple([]), args), { cwd }),
    add_git_diff: (args, { cwd }) => {
      const [full] = list(z.union([z.tuple([]), z.tuple([z.literal('full')])]), args);
      return guards.addGitDiff({ cwd, full: full === 'full' });
    },
    add_directory_listing: (args, { cwd }) => guards.addDirectoryListing(...list(z.tuple([]), args), { cwd }),
    add_user_info: (args) => guards.addUserInfo(...list(z.tuple([]), args)),
    add_recent_commits: (args, { cwd }) => {
      const [count] = list(z.union([z.tuple([]), z.tuple([positive])]), args);
      return guards.addRecentCommits(count, { cwd });
    },
    max_iterations: (args) => guards.maxIterations(...list(z.tuple([positive]), args)),
    snapshot: (args, { cwd }) => guards.snapshot(...list(z.tuple([]), args), { cwd }),
    unload: (args) => guards.unloadModels(...list(z.tuple([]), args)),
  };
}

const positive = z.coerce.number().int().positive();

const commandSafetyArgs = z.strictObject({ allow_when_isolated: z.boolean().optional() });
const sensitivePathsArgs = z.strictObject({
  symlinks: z.boolean().optional(),
  allow: z.array(z.string()).optional(),
});

/** Arguments in a row, as docker-agent's built-ins have them. */
function list<Schema extends z.ZodType>(schema: Schema, args: BuiltinArgs): z.output<Schema> {
  const result = schema.safeParse(args);
  if (!result.success) throw new Error(z.prettifyError(result.error));
  return result.data;
}

/** Named arguments; an empty list is none. */
function options<Schema extends z.ZodType>(schema: Schema, args: BuiltinArgs): z.output<Schema> {
  if (Array.isArray(args) && args.length > 0) throw new Error('it takes no list of arguments');
  const result = schema.safeParse(Array.isArray(args) ? {} : args);
  if (!result.success) throw new Error(z.prettifyError(result.error));
  return result.data;
}
