import type { HookProvider } from '@hooks/core';

/** Makes the provider of a built-in hook. Throws for arguments that it cannot take. */
export type Builtin = (
  args: readonly string[] | Readonly<Record<string, unknown>>,
  options: { readonly cwd: string },
) => HookProvider;
