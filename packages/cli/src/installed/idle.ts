import {
  coverageOf,
  DIALECTS,
  type DialectName,
  type HookEntry,
  type HookFile,
  readHooks,
} from '@hooks/config';
import { eventsOf } from '../agents/agent.ts';
import type { Program } from '../program.ts';
import { INSTALLABLE, type InstallableAgent } from './agents.ts';
import { filesOf } from './command.ts';
import { installedHooks, projectOf, readSettings, settingsPath } from './settings.ts';

/** A hook of a file that an installed agent never runs, and why. */
export interface IdleHook {
  readonly entry: HookEntry;
  readonly why: string;
}

/** The hooks of a file that an agent never runs: their matcher matches none of its tools, or `install` puts nothing under their event. */
export async function idleHooks(name: string, file: string, { cwd }: Program): Promise<readonly IdleHook[]> {
  return idleIn(name, await readHooks(file, { cwd: cwd() }));
}

/**
 * The same for the agents that run these files: Claude Code for its own dialect, and the agents for which `hooks install` was run.
 */
export async function idleInAgents(
  files: readonly HookFile[],
  program: Program,
): Promise<readonly IdleHook[]> {
  const found: IdleHook[] = [];
  for (const [name, agent] of Object.entries(INSTALLABLE)) {
    // An agent with unreadable settings runs no hook.
    const path = settingsPath(agent, program);
    const settings = await readSettings(path).catch(() => ({}));
    const project = projectOf(agent, program, path);
    const installed = new Set(
      installedHooks(settings, name).flatMap(({ command }) => filesOf(command, project)),
    );
    const asked = files.filter((file) => installed.has(file.path));
    // Claude Code itself runs the hooks of its own files.
    const own = files.filter((file) => file.dialect.name === name && name === 'claude-code');
    found.push(...idleIn(name, asked));
    found.push(
      ...unmatchedIn(
        agent,
        own.filter((file) => !asked.includes(file)),
      ),
    );
  }
  return found;
}

function idleIn(name: string, files: readonly HookFile[]): readonly IdleHook[] {
  const agent = INSTALLABLE[name];
  return agent === undefined ? [] : [...unmatchedIn(agent, files), ...unaskedIn(name, agent, files)];
}

/** Matchers of MCP tools are skipped, because MCP servers can have tools of any name. */
function unmatchedIn({ title, tools }: InstallableAgent, files: readonly HookFile[]): readonly IdleHook[] {
  return files
    .flatMap(({ entries, dialect }) => coverageOf(entries, dialect, tools).unmatched)
    .filter(({ matcher = '' }) => !matcher.includes('mcp'))
    .map((entry) => ({ entry, why: `${entry.matcher} (${entry.label}) matches no tool of ${title}` }));
}

/** An option that stands for several hooks counts only if none of them is asked. */
function unaskedIn(
  name: string,
  { title, events }: InstallableAgent,
  files: readonly HookFile[],
): readonly IdleHook[] {
  const asked = new Set(
    events.flatMap((event) => {
      const { event: type } = DIALECTS[name as DialectName].events[event] ?? {};
      return type === undefined ? [] : eventsOf(type);
    }),
  );
  return files.flatMap(({ entries }) => {
    const places = new Set(entries.filter(({ event }) => asked.has(event)).map(placeOf));
    return entries
      .filter((entry) => !asked.has(entry.event) && !places.has(placeOf(entry)))
      .map((entry) => ({
        entry,
        why: `${title} never runs "${entry.label}", because "hooks install" puts nothing under an event for ${entry.event}`,
      }));
  });
}

function placeOf({ origin: { file, line, column } }: HookEntry): string {
  return `${file}:${line}:${column}`;
}
