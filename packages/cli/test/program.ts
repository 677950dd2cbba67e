import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TrustStore, trustedPath } from '@hooks/config';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { vi } from 'vitest';
import { runCli } from '../src/cli.ts';
import { runAsHook } from '../src/commands/run.ts';

/** The result of a command line. */
interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** A directory in which command lines run. */
export interface Workspace {
  readonly dir: string;
  /** The same user in another directory. */
  in(dir: string): Pick<Workspace, 'cli'>;
  /** Runs `hooks …`. */
  cli(...args: string[]): Promise<Ran>;
  /** Runs `hooks run …` with this event on stdin, after trusting the modules that it names. */
  asHook(stdin: object | string, ...args: string[]): Promise<Ran>;
  /** Writes and trusts a file. */
  trust(name: string, text: string): Promise<void>;
}

/** The command line of `hooks` from the sources. */
export const SELF: readonly string[] = [
  process.execPath,
  '--conditions=@hooks/source',
  fileURLToPath(new URL('../src/main.ts', import.meta.url)),
];

/** A directory with these files and its own trust decisions. It is the user's home unless that is another. */
export function workspace(
  files: Readonly<Record<string, string>> = {},
  self: readonly string[] = SELF,
  home?: string,
): Workspace {
  const dir = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text);
  vi.stubEnv('XDG_CONFIG_HOME', join(dir, '.config'));

  const run = async (
    command: (program: Parameters<typeof runAsHook>[1]) => Promise<number>,
    stdin = '',
    cwd = dir,
  ): Promise<Ran> => {
    const out = { stdout: '', stderr: '' };
    const code = await command({
      readStdin: async () => stdin,
      stdout: { write: (text: string) => (out.stdout += text) },
      stderr: { write: (text: string) => (out.stderr += text) },
      env: { ...process.env, HOME: home ?? dir },
      self,
      cwd: () => cwd,
    });
    return { code, ...out };
  };
  return {
    dir,
    cli: (...args) => run((program) => runCli(args, program)),
    in: (other) => ({ cli: (...args) => run((program) => runCli(args, program), '', other) }),
    asHook: (stdin, ...args) =>
      run(
        async (program) => {
          await trustModules(dir, args);
          const { reply, finish } = await runAsHook(args, program);
          await finish();
          if (reply.stdout !== undefined) program.stdout.write(`${JSON.stringify(reply.stdout)}\n`);
          if (reply.stderr !== undefined) program.stderr.write(`${reply.stderr}\n`);
          return reply.exitCode;
        },
        typeof stdin === 'string' ? stdin : JSON.stringify(stdin),
      ),
    trust: async (name, text) => new TrustStore().trust(join(dir, name), text),
  };
}

/** Trusts the modules among the options of a command. */
export async function trustModules(dir: string, args: readonly string[]): Promise<void> {
  for (const [at, word] of args.entries()) {
    const path = resolve(dir, args[at + 1] ?? '');
    if (word === '--policy' && existsSync(path))
      await new TrustStore().trust(trustedPath(path), readFileSync(path, 'utf8'));
  }
}
