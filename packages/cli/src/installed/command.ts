import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';

/** What `hooks install` puts into an agent's settings. */
export interface InstalledCommand {
  /** `--as`. */
  readonly agent: string;
  /** The further options of `run`, with absolute paths. */
  readonly args: readonly string[];
  /** The words that start this program. */
  readonly self: readonly string[];
  /** The name of the worker's socket, where one shall be asked. */
  readonly warm?: string;
}

/**
 * The command that an agent's shell runs. Everything in it is an absolute path, since an agent that is started from a
 * desktop has hardly anything on its PATH. `hook.sh` turns each way to fail into a refusal; where the script itself is
 * gone, the end of the line does.
 */
export function commandLine({ agent, args, self, warm }: InstalledCommand, gate: boolean): string {
  const script = join(dirname(self.at(-1) ?? ''), 'hook.sh');
  const asks = warm === undefined ? [] : ['--warm', warm];
  const words = [script, gate ? 'gate' : 'other', ...asks, ...self, 'run', '--as', agent, ...args];
  return `/bin/sh ${words.map(quoted).join(' ')}${gate ? ' || exit 2' : ''}`;
}

/** A name for the worker's socket that no other agent, policy or installation has. */
export function workerName({ agent, args, self }: InstalledCommand): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([self, args]))
    .digest('hex');
  return `${agent}-${digest.slice(0, 12)}.sock`;
}

/** The same command without its worker, which would be started with the environment of whoever tries the command. */
export function coldCommand(command: string): string {
  return command.replace(/(?<= (?:gate|other)) --warm [\w.-]+/, '');
}

/** Whether a command was installed for this agent, by this version or by an earlier one. */
export function isInstalledFor(agent: string, command: unknown): boolean {
  if (typeof command !== 'string') return false;
  const ours = command.startsWith('hooks run ') || /^\/bin\/sh .*\bhook\.sh'? (?:gate|other) /s.test(command);
  return ours && command.includes(` run --as ${agent} `);
}

/** A word of a POSIX shell, and of fish. */
function quoted(word: string): string {
  return /^[\w./=@:+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
