import { createHash } from 'node:crypto';
import { dirname, join } from 'node:path';

/** The command that `hooks install` writes into an agent's settings. */
export interface InstalledCommand {
  /** The value of `--as`. */
  readonly agent: string;
  /** The other options of `run`, with absolute paths. */
  readonly args: readonly string[];
  /** The command line that starts this program. */
  readonly self: readonly string[];
  /** The name of the worker's socket, if the hook uses a worker. */
  readonly warm?: string;
}

/**
 * The command that an agent's shell runs. It has only absolute paths, because an agent started from a desktop has a short
 * PATH. `hook.sh` turns every failure into a refusal; if the script itself is missing, `|| exit 2` does.
 */
export function commandLine({ agent, args, self, warm }: InstalledCommand, gate: boolean): string {
  const script = join(dirname(self.at(-1) ?? ''), 'hook.sh');
  const asks = warm === undefined ? [] : ['--warm', warm];
  const words = [script, gate ? 'gate' : 'other', ...asks, ...self, 'run', '--as', agent, ...args];
  return `/bin/sh ${words.map(quoted).join(' ')}${gate ? ' || exit 2' : ''}`;
}

/** A name for the worker's socket, unique per agent, policy and installation. */
export function workerName({ agent, args, self }: InstalledCommand): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([self, args]))
    .digest('hex');
  return `${agent}-${digest.slice(0, 12)}.sock`;
}

/** The same command without its worker, which would keep the environment of the trial run. */
export function coldCommand(command: string): string {
  return command.replace(/(?<= (?:gate|other)) --warm [\w.-]+/, '');
}

/** Whether this or an earlier version installed a command for this agent. */
export function isInstalledFor(agent: string, command: unknown): boolean {
  if (typeof command !== 'string') return false;
  const ours = command.startsWith('hooks run ') || /^\/bin\/sh .*\bhook\.sh'? (?:gate|other) /s.test(command);
  return ours && command.includes(` run --as ${agent} `);
}

/** The values that an installed command has for an option. */
export function valuesOf(option: string, command: string): readonly string[] {
  const words = command.match(/(?:'[^']*'|\\'|[^\s'])+/g) ?? [];
  return words.flatMap((word, at) => (words[at - 1] === option ? [unquoted(word)] : []));
}

/** Takes the quotes off that `quoted` put on. */
function unquoted(word: string): string {
  return word.replaceAll(/'([^']*)'|\\'/g, (_, text?: string) => text ?? "'");
}

/** Quotes a word for POSIX shells and fish. */
function quoted(word: string): string {
  return /^[\w./=@:+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
