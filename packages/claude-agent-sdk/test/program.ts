import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** Claude Code's program; undefined where it cannot be had. */
    readonly claude: string | undefined;
  }
}

const run = promisify(execFile);

/**
 * Provides Claude Code's program where `HOOKS_CLAUDE` is set; elsewhere, and where it cannot be had, the tests
 * that need it are skipped. It has 400 MB and is in nobody's install. It is kept outside of the repository:
 * `HOOKS_CLAUDE_CACHE` sets the folder.
 */
export default async function provideClaude(project: TestProject): Promise<void> {
  const isWanted = Boolean(process.env['HOOKS_CLAUDE']);
  const program = isWanted ? await claudeProgram() : undefined;
  project.provide('claude', program);
  // For the processes that tests start, too.
  if (program !== undefined) process.env['HOOKS_CLAUDE_PROGRAM'] = program;
}

/** The program, fetched if need be. */
async function claudeProgram(): Promise<string | undefined> {
  const name = `@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}`;
  const cache =
    process.env['HOOKS_CLAUDE_CACHE'] ?? join(tmpdir(), `hooks-claude-${userInfo().uid.toString()}`);
  const folder = join(cache, version());
  const program = join(folder, 'package', process.platform === 'win32' ? 'claude.exe' : 'claude');
  if (existsSync(program)) return program;
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { stdout } = await run('npm', ['pack', `${name}@${version()}`, '--silent'], {
      cwd: folder,
      timeout: 300_000,
    });
    await run('tar', ['-xzf', stdout.trim()], { cwd: folder, timeout: 120_000 });
    return existsSync(program) ? program : undefined;
  } catch (error) {
    console.warn(
      `skipped: what needs ${name}, which could not be had: ${String(error).split('\n')[0] ?? ''}`,
    );
    return undefined;
  }
}

function version(): string {
  const entry = createRequire(import.meta.url).resolve('@anthropic-ai/claude-agent-sdk');
  const manifest: { readonly version: string } = JSON.parse(
    readFileSync(join(dirname(entry), 'package.json'), 'utf8'),
  );
  return manifest.version;
}
