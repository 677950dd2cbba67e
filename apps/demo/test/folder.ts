import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of its own, removed when it goes out of scope. */
export interface Folder extends Disposable {
  readonly path: string;
}

export function makeFolder(): Folder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'hooks-guards-')));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** A git repository with one commit, `first`, of `notes.txt`. */
export function makeRepository(): Folder {
  const folder = makeFolder();
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder.path, stdio: 'pipe' });
  writeFileSync(join(folder.path, 'notes.txt'), 'mine\n');
  git('init', '-q', '-b', 'main');
  git('add', '.');
  git('-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', 'commit', '-qm', 'first');
  return folder;
}
