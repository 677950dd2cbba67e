import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { AGENT_NAMES, type AgentName, PACKAGES } from './packages.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The program of each installed agent. */
    readonly agents: Readonly<Partial<Record<AgentName, string>>>;
  }
}

const run = promisify(execFile);

/**
 * Installs the agents from npm before the suite, each in its own folder outside the repository, and prints which could
 * not be installed. `HOOKS_AGENTS_CACHE` sets the folder. Default: in the system's temporary folder.
 */
export default async function installAgents(project: TestProject): Promise<void> {
  const cache =
    process.env['HOOKS_AGENTS_CACHE'] ?? join(tmpdir(), `hooks-agents-${userInfo().uid.toString()}`);
  mkdirSync(cache, { recursive: true, mode: 0o700 });
  const found: Partial<Record<AgentName, string>> = {};
  await Promise.all(
    [...AGENT_NAMES, 'opencode' as const].map(async (name) => {
      try {
        found[name] = await install(name, cache);
      } catch (error) {
        console.warn(`skipped: ${name}, since ${PACKAGES[name].package} could not be had: ${whyNot(error)}`);
      }
    }),
  );
  project.provide('agents', found);
}

/** Returns the agent's program. Installs it unless it is already there and starts. */
async function install(name: AgentName, cache: string): Promise<string> {
  const { package: exact, bin } = PACKAGES[name];
  const folder = join(cache, exact.replace(/^@/, '').replaceAll(/[/@]/g, '-'));
  const program = join(folder, 'node_modules', '.bin', bin);
  const starts = () =>
    run(program, ['--version'], { timeout: 30_000, env: { ...process.env, HOME: folder } });
  if (await starts().catch(() => undefined)) return program;
  const flags = ['--no-audit', '--no-fund', '--no-save', '--no-update-notifier'];
  await run('npm', ['install', '--prefix', folder, ...flags, exact], { timeout: 120_000 });
  await starts();
  return program;
}

/** The first error line of npm, or another error, in one line. */
function whyNot(error: unknown): string {
  const said = error instanceof Error && 'stderr' in error ? String(error.stderr) : '';
  const [line = ''] = (/^npm error .*/m.exec(said)?.[0] ?? String(error)).split('\n');
  return line;
}
