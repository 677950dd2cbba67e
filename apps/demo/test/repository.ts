import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@hooks/testing/temporary-folder';

/** A git repository with one commit, `first`, of `notes.txt`. */
export function makeRepository(): string {
  const cwd = temporaryFolder();
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd, stdio: 'pipe' });
  writeFileSync(join(cwd, 'notes.txt'), 'mine\n');
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', 'commit', '-qm', 'first');
  return cwd;
}
