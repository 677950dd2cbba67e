import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { visible } from '@hooks/config';
import { INSTALLABLE, type InstallableAgent } from '../installed/agents.ts';
import { HOW_TO_TRUST } from '../installed/check.ts';
import { HOW_TO_STOP_TYPING } from '../installed/codex.ts';
import { commandLine, workerName } from '../installed/command.ts';
import { whyUnanswered } from '../installed/probe.ts';
import { readSettings, settingsPath, withHooks, withoutHooks, writeSettings } from '../installed/settings.ts';
import { unmatchedBy } from '../installed/unmatched.ts';
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
  const settings = withoutHooks(await readSettings(path), options.for);
  const installed = { agent: options.for, args: ['--file', file], self: program.self };

  const why = await whyUnanswered(agent, commandLine(installed, true), program);
  if (why !== undefined)
    throw new UserError(
      `not installed: started as ${agent.title} would start it, the hook does not respond: ${why}`,
    );

  const commands = agent.events.map((event) => {
    const gate = agent.gates.includes(event);
    const command = commandLine(
      options.warm ? { ...installed, warm: workerName(installed) } : installed,
      gate,
    );
    return [event, { command, ...(gate && { timeout: agent.timeout }) }] as const;
  });
  await writeSettings(path, withHooks(settings, Object.fromEntries(commands)));
  program.stdout.write(`installed in ${path}; ${agent.title} can run it, and it responds\n`);
  if (options.for === 'codex')
    program.stdout.write(
      `Codex runs hooks only after you have trusted them, and "codex exec" silently skips others: ${HOW_TO_TRUST}\n${HOW_TO_STOP_TYPING}\n`,
    );
  for (const { wireEvent, matcher, label } of await unmatchedBy(agent, file, program))
    program.stdout.write(
      `matches no tool of ${agent.title}: ${wireEvent} ${visible(`${matcher} (${label})`)}\n`,
    );
  return 0;
}

/** Removes it again. */
export async function uninstall(options: InstallOptions, program: Program): Promise<number> {
  const path = settingsPath(agentOf(options.for), program, options.settings);
  if (existsSync(path)) await writeSettings(path, withoutHooks(await readSettings(path), options.for));
  program.stdout.write(`removed from ${path}\n`);
  return 0;
}

function agentOf(name: string): InstallableAgent {
  const agent = Object.hasOwn(INSTALLABLE, name) ? INSTALLABLE[name] : undefined;
  if (agent) return agent;
  throw new UserError(`--for ${name}: expected one of: ${Object.keys(INSTALLABLE).join(', ')}`);
}
