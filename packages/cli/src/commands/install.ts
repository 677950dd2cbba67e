import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { isAbsolute, join, resolve } from 'node:path';
import { visible } from '@hooks/config';
import { readText } from '@hooks/config/protocol';
import { homeOf } from '../folders.ts';
import { INSTALLABLE, type InstallableAgent } from '../installed/agents.ts';
import { HOW_TO_TRUST } from '../installed/check.ts';
import { HOW_TO_STOP_TYPING } from '../installed/codex.ts';
import { commandLine, filesOf, launcher, type Project, workerName } from '../installed/command.ts';
import { idleHooks } from '../installed/idle.ts';
import { whyUnanswered } from '../installed/probe.ts';
import {
  installedHooks,
  projectOf,
  readSettings,
  type Settings,
  settingsPath,
  withHooks,
  withoutHooks,
  writeSettings,
  writeText,
} from '../installed/settings.ts';
import { gatesOf } from '../installed/version.ts';
import { existing, whereIs } from '../paths.ts';
import { type Program, UserError } from '../program.ts';

/** Options of `install` and `uninstall`. */
export interface InstallOptions {
  readonly for: string;
  readonly file?: string;
  readonly settings?: string;
  /** Use a worker that keeps the policy loaded. */
  readonly warm?: boolean;
}

/**
 * Adds `hooks run` to an agent's settings, on each event that a policy may answer. Keeps everything else in them. First
 * runs the hook once as the agent would, and writes nothing if it does not respond, because the agent would then run its
 * tools.
 */
export async function install(options: InstallOptions, program: Program): Promise<number> {
  const agent = agentOf(options.for);
  const path = settingsPath(agent, program, options.settings);
  const project = projectOf(agent, program, path);
  const usual = [settingsPath(agent, program), join(homeOf(program), agent.settings)];
  if (project === undefined && !usual.includes(path) && path.endsWith(`/${agent.settings}`))
    throw new UserError(
      `${path} belongs to a project, whose team may share it, and ${agent.title}'s hooks need paths of this machine; leave --settings out`,
    );
  const before = await readSettings(path);
  const known = installedFiles(before, options.for, project);
  // Without a file, a team's settings are installed on one more machine.
  const isKnown = options.file === undefined && known.length > 0;
  const file = fileToInstall(options, known, program);
  const files = isKnown ? known : [...known.filter((other) => other !== file), file];
  const warm = options.warm ?? (isKnown && isWarm(before, options.for));
  await putInto(path, before, files, { ...options, warm }, agent, program);
  program.stdout.write(`installed in ${path}; ${agent.title} can run it, and it responds\n`);
  if (project !== undefined)
    program.stdout.write(
      `You can commit this file. Everyone runs "npx --no-install hooks install --for ${options.for}" once in their clone, and in each worktree. Until then, ${agent.title} runs no tool there.\n`,
    );
  if (files.length > 1) program.stdout.write(`it runs, in this order: ${files.map(visible).join(', ')}\n`);
  if (options.for === 'codex')
    program.stdout.write(
      `Codex runs hooks only after you have trusted them, and "codex exec" silently skips others: ${HOW_TO_TRUST}\n${HOW_TO_STOP_TYPING}\n`,
    );
  const gates = await gatesOf(agent, program);
  for (const [gate, since] of Object.entries(agent.newGates ?? {}))
    if (!gates.includes(gate))
      program.stdout.write(
        `not installed: ${gate}, which ${agent.title} has from version ${since} on, and "${agent.version?.join(' ')}" does not tell that version; after an update, run "npx --no-install hooks install" again\n`,
      );
  for (const { entry, why } of await idleHooks(options.for, file, program))
    program.stdout.write(`${visible(`${entry.wireEvent}: ${why}`)}\n`);
  return 0;
}

/** The file that is installed last. */
function fileToInstall({ file: given }: InstallOptions, known: readonly string[], program: Program): string {
  if (given !== undefined) return existing('--file', given, program, 'a file of hooks, or its directory');
  const file = known.at(-1) ?? resolve(program.cwd(), 'hooks.yaml');
  if (known.length === 0 && !existsSync(file))
    throw new UserError(`There is no ${file}; write one with "hooks init", or name the hooks with --file`);
  return file;
}

/** Writes the launcher that a project's settings start. Returns what puts back the one before. */
async function putLauncher(
  agent: string,
  project: Project | undefined,
  program: Program,
): Promise<() => Promise<void>> {
  if (project === undefined) return async () => {};
  const { path, text } = launcher({ agent, self: program.self }, project);
  const before = existsSync(path) ? readText(path) : undefined;
  await writeText(path, text);
  return () => (before === undefined ? rm(path) : writeText(path, before));
}

/** Writes the one command that runs all these files, once it has responded. */
async function putInto(
  path: string,
  before: Settings,
  files: readonly string[],
  options: InstallOptions,
  agent: InstallableAgent,
  program: Program,
): Promise<void> {
  const settings = withoutHooks(before, options.for);
  const project = projectOf(agent, program, path);
  const args = files.flatMap((file) => ['--file', file]);
  const installed = { agent: options.for, args, self: program.self, project };

  const restore = await putLauncher(options.for, project, program);
  const why = await whyUnanswered(agent, commandLine(installed, true), program);
  if (why !== undefined) {
    await restore();
    throw new UserError(
      `not installed: started as ${agent.title} would start it, the hook does not respond: ${why}`,
    );
  }

  const gates = await gatesOf(agent, program);
  const commands = [...new Set([...agent.events, ...gates])].map((event) => {
    const gate = gates.includes(event);
    const command = commandLine(
      options.warm ? { ...installed, warm: workerName(installed) } : installed,
      gate,
    );
    return [event, { command, ...(gate && { timeout: agent.timeout, ...agent.failsClosed }) }] as const;
  });
  await writeSettings(path, withHooks(settings, Object.fromEntries(commands)));
}

function nothingIn(path: string): string {
  return `nothing is installed in ${path}\n`;
}

/** Removes it again, or one of its files. */
export async function uninstall(options: InstallOptions, program: Program): Promise<number> {
  const agent = agentOf(options.for);
  const path = settingsPath(agent, program, options.settings);
  if (!existsSync(path)) {
    program.stdout.write(
      options.settings === undefined
        ? nothingIn(path)
        : `--settings: there is no such file ${whereIs(path)}, so nothing is installed there\n`,
    );
    return 0;
  }
  const before = await readSettings(path);
  const project = projectOf(agent, program, path);
  const files = installedFiles(before, options.for, project);
  const file = options.file === undefined ? undefined : resolve(program.cwd(), options.file);
  if (file !== undefined && !files.includes(file))
    throw new UserError(
      `--file: it is not installed in ${path}; installed: ${files.join(', ') || 'nothing'}`,
    );
  const left = file === undefined ? [] : files.filter((other) => other !== file);
  if (left.length > 0) {
    await putInto(path, before, left, { ...options, warm: isWarm(before, options.for) }, agent, program);
  } else {
    const isInstalled = installedHooks(before, options.for).length > 0;
    if (isInstalled) await writeSettings(path, withoutHooks(before, options.for));
    if (project !== undefined)
      await rm(launcher({ agent: options.for, self: program.self }, project).path, { force: true });
    if (!isInstalled) {
      program.stdout.write(nothingIn(path));
      return 0;
    }
  }
  program.stdout.write(
    `removed from ${path}${left.length > 0 ? `; it still runs: ${left.join(', ')}` : ''}\n`,
  );
  return 0;
}

function isWarm(settings: Settings, agent: string): boolean {
  return installedHooks(settings, agent).some(({ command }) => command.includes(' --warm '));
}

/** The files that an agent's settings run. */
function installedFiles(settings: Settings, agent: string, project?: Project): readonly string[] {
  const commands = installedHooks(settings, agent).map(({ command }) => command);
  // An earlier version wrote relative paths, for whichever folder the agent was in.
  const files = commands.flatMap((command) => filesOf(command, project)).filter((file) => isAbsolute(file));
  return [...new Set(files)];
}

function agentOf(name: string): InstallableAgent {
  const agent = Object.hasOwn(INSTALLABLE, name) ? INSTALLABLE[name] : undefined;
  if (agent) return agent;
  throw new UserError(`--for: expected one of: ${Object.keys(INSTALLABLE).join(', ')}`);
}
