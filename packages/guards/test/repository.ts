import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@hooks/testing/temporary-folder';

/** A git repository with one commit, `a.txt` in it. */
export function temporaryRepository(): string {
  const cwd = temporaryFolder();
  runGit(cwd, 'init', '-q', '-b', 'main');
  writeFileSync(join(cwd, 'a.txt'), 'one\n');
  commit(cwd, 'first');
  return cwd;
}

export function commit(cwd: string, message: string): void {
  runGit(cwd, 'add', '-A');
  runGit(
    cwd,
    '-c',
    'user.name=t',
    '-c',
    'user.email=t@example.org',
    'commit',
    '-q',
    '--allow-empty',
    '-m',
    message,
  );
}

export function runGit(cwd: string, ...args: readonly string[]): string {
  return execFileSync('git', [...args], { cwd, encoding: 'utf8' });
}
