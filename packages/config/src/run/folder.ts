import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, resolve } from 'node:path';
import type { Dialect } from '../dialects/dialect.ts';

/**
 * Where the commands of a file run, and what their relative paths start from: the folder of the file, or the project that its
 * `.claude`, `.cursor`, `.gemini`, `.codex` or `.github` folder belongs to. Not the agent's current folder: the model chooses that one, and a
 * `./check.sh` there would answer in the place of the policy's own. Commands of the user's own settings, which are for all
 * projects, and of docker-agent, whose folder no model changes, run in the session's folder.
 */
export function commandFolder(file: string, { name }: Pick<Dialect, 'name'>, cwd: string): string {
  if (!isAbsolute(file) || name === 'docker-agent') return cwd;
  const folder = dirname(file);
  if (basename(dirname(folder)) === '.github') return dirname(dirname(folder));
  if (!['.claude', '.cursor', '.gemini', '.codex'].includes(basename(folder))) return folder;
  const project = dirname(folder);
  return project === resolve(homedir()) ? cwd : project;
}
