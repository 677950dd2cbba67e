import { createHash } from 'node:crypto';
import { dirname, join, resolve } from 'node:path';
import { userDirectory } from '@hooks/config';

/** A project whose settings its team shares. */
export interface Project {
  readonly folder: string;
  /** The environment variable in which the agent names the folder to its hooks. */
  readonly variable: string;
}

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
  /** The project whose settings get the command, if they belong to one. */
  readonly project?: Project | undefined;
}

/**
 * The command that an agent's shell runs. In the user's own settings it has only absolute paths, because an agent started from
 * a desktop has a short PATH. `hook.sh` turns every failure into a refusal; if the script itself is missing, `|| exit 2` does.
 *
 * Settings of a project are shared by a team, so there the command has no path of this machine: the agent's variable names the
 * project, and a launcher in the user's folder (see `launcher`) names Node and this program. Without a launcher, it refuses.
 */
export function commandLine(installed: InstalledCommand, gate: boolean): string {
  const { agent, args, self, warm, project } = installed;
  const kind = [gate ? 'gate' : 'other', ...(warm === undefined ? [] : ['--warm', warm])];
  const refuse = gate ? ' || exit 2' : '';
  const run = ['run', '--as', agent];
  if (project === undefined) {
    const words = [scriptOf(self), ...kind, ...self, ...run, ...args];
    return `/bin/sh ${words.map(quoted).join(' ')}${refuse}`;
  }
  const words = [...kind, ...run, ...args].map((word) => inProject(word, project));
  const missing = `hooks run failed: not installed for this folder on this machine: run "npx --no-install hooks install --for ${agent}" in it`;
  // A relative folder is not the user's: with the slash in front, it is none of the workspace either.
  return [
    `h=$HOME/.config; case $XDG_CONFIG_HOME in /*) h=$XDG_CONFIG_HOME;; esac; h=/$h${LAUNCHERS}$${project.variable}/${agent}.sh`,
    `[ -f "$h" ] || { echo '${missing}' >&2; exit ${gate ? 2 : 1}; }`,
    `/bin/sh "$h" ${words.join(' ')}${refuse}`,
  ].join('; ');
}

const LAUNCHERS = '/hooks/installed';

/** A script in the user's folder. It knows what the command in a project's settings leaves out. */
export interface Launcher {
  readonly path: string;
  readonly text: string;
}

/** What starts the hooks of a project on this machine. */
export function launcher(
  { agent, self }: Pick<InstalledCommand, 'agent' | 'self'>,
  { folder }: Project,
): Launcher {
  const start = self.map(quoted).join(' ');
  const text = `# Written by "hooks install". The settings of a project name no path of a machine; this script does.
kind=$1
shift
if [ "$1" = --warm ]; then
  worker=$2
  shift 2
  set -- --warm "$worker-${digestOf([self, folder])}.sock" ${start} "$@"
else
  set -- ${start} "$@"
fi
exec /bin/sh ${quoted(scriptOf(self))} "$kind" "$@"
`;
  return { path: join(userDirectory(), 'installed', folder, `${agent}.sh`), text };
}

function scriptOf(self: readonly string[]): string {
  return join(dirname(self.at(-1) ?? ''), 'hook.sh');
}

/** Quotes a word. A path in the project is written with the agent's variable. */
function inProject(word: string, { folder, variable }: Project): string {
  return word.startsWith(`${folder}/`)
    ? `"$${variable}"/${quoted(word.slice(folder.length + 1))}`
    : quoted(word);
}

/**
 * A name for the worker's socket, unique per agent, policy and installation. In a project's settings it is a part of the name: the
 * launcher adds what tells installations and projects apart.
 */
export function workerName({ agent, args, self, project }: InstalledCommand): string {
  if (project === undefined) return `${agent}-${digestOf([self, args])}.sock`;
  return `${agent}-${digestOf(args.map((word) => inProject(word, project)))}`;
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 12);
}

/** The same command without its worker, which would keep the environment of the trial run. */
export function coldCommand(command: string): string {
  return command.replace(/(?<= (?:gate|other)) --warm [\w.-]+/, '');
}

/** Whether this or an earlier version installed a command for this agent. */
export function isInstalledFor(agent: string, command: unknown): boolean {
  if (typeof command !== 'string') return false;
  const ours =
    command.startsWith('hooks run ') ||
    /^\/bin\/sh .*\bhook\.sh'? (?:gate|other) /s.test(command) ||
    command.includes(`${LAUNCHERS}$`);
  return ours && command.includes(` run --as ${agent} `);
}

/** The files that an installed command runs. Absolute, but for those that an earlier version wrote. */
export function filesOf(command: string, project?: Project): readonly string[] {
  const words = command.match(/(?:'[^']*'|\\'|[^\s'])+/g) ?? [];
  const files = words.flatMap((word, at) => (words[at - 1] === '--file' ? [unquoted(word)] : []));
  if (project === undefined) return files;
  const prefix = `"$${project.variable}"/`;
  return files.map((file) =>
    file.startsWith(prefix) ? resolve(project.folder, file.slice(prefix.length)) : file,
  );
}

/** Takes the quotes off that `quoted` put on. */
function unquoted(word: string): string {
  return word.replaceAll(/'([^']*)'|\\'/g, (_, text?: string) => text ?? "'");
}

/** Quotes a word for POSIX shells and fish. */
function quoted(word: string): string {
  return /^[\w./=@:+-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
