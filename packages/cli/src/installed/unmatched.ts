import { coverageOf, type HookEntry, type HookFile, readHooks } from '@hooks/config';
import type { Program } from '../program.ts';
import { INSTALLABLE, type InstallableAgent } from './agents.ts';
import { filesOf } from './command.ts';
import { installedHooks, projectOf, readSettings, settingsPath } from './settings.ts';

/** The hooks of a file whose matcher matches no tool of an agent: a name of another agent, or a typo. */
export async function unmatchedBy(
  agent: InstallableAgent,
  file: string,
  { cwd }: Program,
): Promise<readonly HookEntry[]> {
  return unmatchedIn(agent, await readHooks(file, { cwd: cwd() }));
}

/** A hook whose matcher matches no tool of an agent that runs it. */
export interface UnmatchedHook {
  readonly agent: string;
  readonly entry: HookEntry;
}

/**
 * The hooks whose matchers match no tool of the agents that run these files: Claude Code for its own dialect, and the
 * agents for which `hooks install` was run.
 */
export async function unmatchedHooks(
  files: readonly HookFile[],
  program: Program,
): Promise<readonly UnmatchedHook[]> {
  const found: UnmatchedHook[] = [];
  for (const [name, agent] of Object.entries(INSTALLABLE)) {
    // An agent with unreadable settings runs no hook.
    const path = settingsPath(agent, program);
    const settings = await readSettings(path).catch(() => ({}));
    const project = projectOf(agent, program, path);
    const installed = new Set(
      installedHooks(settings, name).flatMap(({ command }) => filesOf(command, project)),
    );
    const asked = files.filter(
      (file) => (file.dialect.name === 'claude-code' && name === 'claude-code') || installed.has(file.path),
    );
    found.push(...unmatchedIn(agent, asked).map((entry) => ({ agent: agent.title, entry })));
  }
  return found;
}

/** The unmatched hooks. Matchers of MCP tools are skipped, because MCP servers can have tools of any name. */
function unmatchedIn({ tools }: InstallableAgent, files: readonly HookFile[]): readonly HookEntry[] {
  return files
    .flatMap(({ entries, dialect }) => coverageOf(entries, dialect, tools).unmatched)
    .filter(({ matcher = '' }) => !matcher.includes('mcp'));
}
