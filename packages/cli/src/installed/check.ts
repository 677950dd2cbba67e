import { existsSync } from 'node:fs';
import type { Program } from '../program.ts';
import { INSTALLABLE, type InstallableAgent } from './agents.ts';
import { HOW_TO_STOP_TYPING, letsModelType, untrustedByCodex } from './codex.ts';
import { coldCommand } from './command.ts';
import { whyUnanswered } from './probe.ts';
import { type InstalledHook, installedHooks, readSettings, type Settings, settingsPath } from './settings.ts';

/** How the hooks of one agent's settings fare. */
export interface InstalledCheck {
  readonly agent: string;
  readonly path: string;
  /** What keeps the agent from asking them, or an answer from coming. */
  readonly problems: readonly string[];
}

/** Runs what was installed for each agent, as the agent would, and looks whether it would ask at all. */
export async function checkInstalled(program: Program): Promise<readonly InstalledCheck[]> {
  const checks: InstalledCheck[] = [];
  for (const [name, agent] of Object.entries(INSTALLABLE)) {
    const path = settingsPath(agent, program);
    if (!existsSync(path)) continue;
    const settings = await readSettings(path);
    const hooks = installedHooks(settings, name);
    if (hooks.length === 0) continue;
    const problems = [...missing(agent, hooks), ...(await unanswered(agent, hooks, program))];
    if (name === 'codex') problems.push(...(await problemsOfCodex(path, settings)));
    checks.push({ agent: name, path, problems });
  }
  return checks;
}

/** Codex asks in its own interface only. */
export const HOW_TO_TRUST = 'start "codex", trust them under /hooks, then run "hooks doctor"';

async function problemsOfCodex(path: string, settings: Settings): Promise<readonly string[]> {
  const untrusted = await untrustedByCodex(path, settings);
  const skipped = `Codex skips its hooks on ${untrusted.join(', ')}, which nobody has trusted; ${HOW_TO_TRUST}`;
  return [
    ...(untrusted.length > 0 ? [skipped] : []),
    ...((await letsModelType(path)) ? [HOW_TO_STOP_TYPING] : []),
  ];
}

function missing({ gates }: InstallableAgent, hooks: readonly InstalledHook[]): readonly string[] {
  const without = gates.filter((gate) => !hooks.some(({ event }) => event === gate));
  return without.length === 0 ? [] : [`there is no hook on ${without.join(', ')}; install it again`];
}

/** Each different command before a tool call. */
async function unanswered(
  agent: InstallableAgent,
  hooks: readonly InstalledHook[],
  program: Program,
): Promise<readonly string[]> {
  const asked = hooks.filter(({ event }) => event === agent.event.hook_event_name);
  const whys: string[] = [];
  for (const command of new Set(asked.map((hook) => hook.command))) {
    const why = await whyUnanswered(agent, coldCommand(command), program);
    if (why !== undefined) whys.push(`the hook does not answer: ${why}`);
  }
  return whys;
}
