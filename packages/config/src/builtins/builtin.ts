import type { HookProvider } from '@hooks/core';

/** The arguments of a built-in hook, as the file has them. */
export type BuiltinArgs = readonly string[] | Readonly<Record<string, unknown>>;

/** Makes the provider of a built-in hook. Throws if the arguments are invalid. */
export type Builtin = (
  args: BuiltinArgs,
  options: { readonly cwd: string },
) => HookProvider | Promise<HookProvider>;
