import type { HookProvider } from '@hooks/core';
import { type CommandSafetyOptions, commandSafety } from './command-safety.ts';
import { type Checks, checkOptions } from './options.ts';
import { type RedactSecretsOptions, redactSecrets } from './redact/provider.ts';
import { type SensitivePathsOptions, sensitivePaths } from './sensitive-paths/provider.ts';
import { versionOf } from './version.ts';

/** Options of {@link recommended}: those of the guards in it. */
export interface RecommendedOptions {
  readonly commandSafety?: CommandSafetyOptions;
  readonly sensitivePaths?: SensitivePathsOptions;
  readonly redactSecrets?: RedactSecretsOptions;
}

/** The guards check their own. */
const CHECKS: Checks<RecommendedOptions> = {
  commandSafety: () => undefined,
  sensitivePaths: () => undefined,
  redactSecrets: () => undefined,
};

/**
 * The guards for every agent with a shell and files: {@link commandSafety} (priority 100, id
 * `builtin:command-safety-guard`), {@link sensitivePaths} (99, `builtin:security-audit`) and {@link redactSecrets}.
 * Without options, registering it twice has no further effect; with options, a second one needs a name.
 *
 * @throws HooksError `CONFIG_INVALID` if an option is unknown, invalid, or has no effect
 * @example
 * ```ts
 * hooks.use(recommended());
 * ```
 */
export function recommended(options: RecommendedOptions = {}): HookProvider {
  options = checkOptions('recommended', options, CHECKS);
  const guards = [
    commandSafety(options.commandSafety),
    sensitivePaths(options.sensitivePaths),
    redactSecrets(options.redactSecrets),
  ];
  return {
    name: 'recommended',
    version: versionOf(options),
    // With options, two may differ in functions that have the same source, so a second one is never dropped.
    once: Object.values(options).every((one) => one === undefined),
    register(hooks) {
      for (const guard of guards) guard.register(hooks);
    },
  };
}
