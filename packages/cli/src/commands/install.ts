import { existsSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import { visible } from '@hooks/config';
import { INSTALLABLE, type InstallableAgent } from '../installed/agents.ts';
import { HOW_TO_TRUST } from '../installed/check.ts';
import { HOW_TO_STOP_TYPING } from '../installed/codex.ts';
import { commandLine, valuesOf, workerName } from '../installed/command.ts';
import { whyUnanswered } from '../installed/probe.ts';
import {
  installedHooks,
  readSettings,
  type Settings,
  settingsPath,
  withHooks,
  withoutHooks,
  writeSettings,
} from '../installed/settings.ts';
import { unmatchedBy } from '../installed/unmatched.ts';
import { gatesOf } from '../installed/version.ts';
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
  const file = resolve(program.cwd(), options.file ?? 'hooks.yaml');
  const before = await readSettings(path);
  const files = [...installedFiles(before, options.for).filter((other) => other !== file), file];
  await putInto(path, before, files, options, agent, program);
  program.stdout.write(`installed in ${path}; ${agent.title} can run it, and it responds\n`);
  if (files.length > 1) program.stdout.write(`it runs, in this order: ${files.map(visible).join(', ')}\n`);
  if (options.for === 'codex')
    program.stdout.write(
      `Codex runs hooks only after you have trusted them, and "codex exec" silently skips others: ${HOW_TO_TRUST}\n${HOW_TO_STOP_TYPING}\n`,
    );
  const gates = await gatesOf(agent, program);
  for (const [gate, since] of Object.entries(agent.newGates ?? {}))
    if (!gates.includes(gate))
      program.stdout.write(
        `not installed: ${gate}, which ${agent.title} has from version ${since} on, and "${agent.version?.join(' ')}" does not tell that version; after an update, run "hooks install" again\n`,
      );
  for (const { wireEvent, matcher, label } of await unmatchedBy(agent, file, program))
    program.stdout.write(
      `matches no tool of ${agent.title}: ${wireEvent} ${visible(`${matcher} (${label})`)}\n`,
    );
  return 0;
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
  const args = files.flatMap((file) => ['--file', file]);
  const installed = { agent: options.for, args, self: program.self };

  const why = await whyUnanswered(agent, commandLine(installed, true), program);
  if (why !== undefined)
    throw new UserError(
      `not installed: started as ${agent.title} would start it, the hook does not respond: ${why}`,
    );

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

/** Removes it again, or one of its files. */
export async function uninstall(options: InstallOptions, program: Program): Promise<number> {
  const agent = agentOf(options.for);
  const path = settingsPath(agent, program, options.settings);
  if (!existsSync(path)) {
    program.stdout.write(`removed from ${path}\n`);
    return 0;
  }
  const before = await readSettings(path);
  const files = installedFiles(before, options.for);
  const file = options.file === undefined ? undefined : resolve(program.cwd(), options.file);
  if (file !== undefined && !files.includes(file))
    throw new UserError(`${file} is not installed in ${path}; installed: ${files.join(', ') || 'nothing'}`);
  const left = file === undefined ? [] : files.filter((other) => other !== file);
  if (left.length > 0) {
    const [first] = installedHooks(before, options.for);
    const warm = first?.command.includes(' --warm ') === true;
    await putInto(path, before, left, { ...options, warm }, agent, program);
  } else await writeSettings(path, withoutHooks(before, options.for));
  program.stdout.write(
    `removed from ${path}${left.length > 0 ? `; it still runs: ${left.join(', ')}` : ''}\n`,
  );
  return 0;
}

/** The files that an agent's settings run. */
function installedFiles(settings: Settings, agent: string): readonly string[] {
  const commands = installedHooks(settings, agent).map(({ command }) => command);
  // An earlier version wrote relative paths, for whichever folder the agent was in.
  const files = commands.flatMap((command) => valuesOf('--file', command)).filter((file) => isAbsolute(file));
  return [...new Set(files)];
}

function agentOf(name: string): InstallableAgent {
  const agent = Object.hasOwn(INSTALLABLE, name) ? INSTALLABLE[name] : undefined;
  if (agent) return agent;
  throw new UserError(`--for ${name}: expected one of: ${Object.keys(INSTALLABLE).join(', ')}`);
}
