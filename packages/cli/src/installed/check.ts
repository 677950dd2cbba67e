import { existsSync } from 'node:fs';
import type { Program } from '../program.ts';
import { INSTALLABLE, type InstallableAgent } from './agents.ts';
import { HOW_TO_STOP_TYPING, letsModelType, untrustedByCodex } from './codex.ts';
import { coldCommand } from './command.ts';
import { whyUnanswered } from './probe.ts';
import { type InstalledHook, installedHooks, readSettings, type Settings, settingsPath } from './settings.ts';
import { switchedOff } from './switches.ts';
import { gatesOf } from './version.ts';

/** The state of the hooks in one agent's settings. */
export interface InstalledCheck {
  readonly agent: string;
  readonly path: string;
  /** Why the agent does not run them, or why they do not respond. */
  readonly problems: readonly string[];
}

/** Runs the installed hooks of each agent as the agent would, and checks whether the agent runs them at all. */
export async function checkInstalled(program: Program): Promise<readonly InstalledCheck[]> {
  const checks: InstalledCheck[] = [];
  for (const [name, agent] of Object.entries(INSTALLABLE)) {
    const path = settingsPath(agent, program);
    if (!existsSync(path)) continue;
    const settings = await readSettings(path);
    const hooks = installedHooks(settings, name);
    if (hooks.length === 0) continue;
    const problems = [
      ...switchedOff(name, program),
      ...missing(await gatesOf(agent, program), hooks),
      ...(await unanswered(agent, hooks, program)),
    ];
    if (name === 'codex') problems.push(...(await problemsOfCodex(path, settings)));
    checks.push({ agent: name, path, problems });
  }
  return checks;
}

/** Codex asks for trust only in its own interface. */
export const HOW_TO_TRUST = 'start "codex", trust them under /hooks, then run "hooks doctor"';

async function problemsOfCodex(path: string, settings: Settings): Promise<readonly string[]> {
  const untrusted = await untrustedByCodex(path, settings);
  const skipped = `Codex skips its hooks on ${untrusted.join(', ')}, because you have not trusted them; ${HOW_TO_TRUST}`;
  return [
    ...(untrusted.length > 0 ? [skipped] : []),
    ...((await letsModelType(path)) ? [HOW_TO_STOP_TYPING] : []),
  ];
}

function missing(gates: readonly string[], hooks: readonly InstalledHook[]): readonly string[] {
  const without = gates.filter((gate) => !hooks.some(({ event }) => event === gate));
  return without.length === 0
    ? []
    : [`there is no hook on ${without.join(', ')}; run "npx --no-install hooks install" again`];
}

/** Runs each different command of the event before a tool call. */
async function unanswered(
  agent: InstallableAgent,
  hooks: readonly InstalledHook[],
  program: Program,
): Promise<readonly string[]> {
  const asked = hooks.filter(({ event }) => event === agent.event.hook_event_name);
  const whys: string[] = [];
  for (const command of new Set(asked.map((hook) => hook.command))) {
    const why = await whyUnanswered(agent, coldCommand(command), program);
    if (why !== undefined) whys.push(`the hook does not respond: ${why}`);
  }
  return whys;
}
