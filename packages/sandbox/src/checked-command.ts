import type { SandboxCommand } from './command.ts';
import { SandboxError } from './error.ts';

/**
 * What to start for a command. Not everybody who gives one has a compiler; the message repeats nothing of it, since it
 * may hold a secret.
 */
export function argvOf({ command, argv }: SandboxCommand): readonly [string, ...string[]] {
  const words: readonly unknown[] = argv ?? ['/bin/sh', '-c', command];
  const [program, ...rest] = words.filter(isWord);
  if (program === undefined || rest.length + 1 < words.length)
    throw new SandboxError(
      'FAILED',
      'There is no command to run: expected `command`, a text, or `argv`, a list of texts, without NULs.',
    );
  return [program, ...rest];
}

/** Providers hand variables on as `NAME=value` in lists that end at a NUL. */
export function checkedEnv(env: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  for (const [name, value] of Object.entries(env))
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || value.includes('\0'))
      throw new SandboxError(
        'FAILED',
        `The environment variable ${JSON.stringify(name)} has a name or value that no process can have.`,
      );
  return env;
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && !value.includes('\0');
}
