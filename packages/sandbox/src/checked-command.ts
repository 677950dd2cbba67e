import type { SandboxCommand } from './command.ts';
import { SandboxError } from './error.ts';

/**
 * Validates a command and returns what to start. Callers may not use a compiler. The message repeats no part of the
 * command, which may hold a secret.
 */
export function argvOf({ command, argv }: SandboxCommand): readonly [string, ...string[]] {
  const words: readonly unknown[] = argv ?? ['/bin/sh', '-c', command];
  const [program, ...rest] = words.filter(isWord);
  if (program === undefined || rest.length + 1 < words.length)
    throw new SandboxError(
      'FAILED',
      'There is no command to run. Pass `command`, a string, or `argv`, a list of strings, without NUL characters.',
    );
  return [program, ...rest];
}

/** Providers pass variables as `NAME=value` in lists that end with a NUL. */
export function checkedEnv(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(env))
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || value.includes('\0'))
      throw new SandboxError(
        'FAILED',
        `The environment variable ${JSON.stringify(name)} has an invalid name or value.`,
      );
  return env;
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0');
}
