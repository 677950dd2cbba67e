import type { HookProvider } from '@hooks/core';
import { checkPath } from '@hooks/shell-safety';
import { fs, os, path } from '../node.ts';
import { checkArgument, checkOptions, listOf, text } from '../options.ts';
import { CONTEXT, type ContextOptions, eachTurn, onceASession } from './contributor.ts';

/**
 * Gives the model instruction files at each turn. It looks for each name in the working directory and its parents (the
 * nearest one wins), and in the home directory; the model gets both. It skips missing names, names that are not files,
 * and links to files with secrets.
 *
 * @param names such as `AGENTS.md`, or paths relative to those directories
 * @example
 * ```ts
 * hooks.use(addPromptFiles(['GUIDELINES.md', 'PROJECT.md']));
 * ```
 */
export function addPromptFiles(names: readonly string[], options: ContextOptions = {}): HookProvider {
  checkArgument('addPromptFiles', 'names', names, listOf(text, "names of files, such as ['AGENTS.md']"));
  options = checkOptions('addPromptFiles', options, CONTEXT);
  return eachTurn('add_prompt_files', options, async ({ cwd }) => {
    const files = new Map<string, string>();
    for (const name of names) {
      for (const folders of [upwards(cwd), [os().homedir()]]) {
        const found = await firstFile(folders.map((folder) => path().join(folder, name)));
        if (found) files.set(found.path, found.text);
      }
    }
    return [...files].map(([file, text]) => `Instructions from ${file}:\n${text}`).join('\n\n');
  });
}

/**
 * Lists the entries of the working directory once per session: at most 100, in alphabetical order, without dot files.
 * Folders end in `/`.
 *
 * @example
 * ```ts
 * hooks.use(addDirectoryListing());
 * ```
 */
export function addDirectoryListing(options: ContextOptions = {}): HookProvider {
  options = checkOptions('addDirectoryListing', options, CONTEXT);
  return onceASession('add_directory_listing', options, async ({ cwd }) => {
    const entries = await fs()
      .readdir(cwd, { withFileTypes: true })
      .catch(() => []);
    const names = entries
      .filter(({ name }) => !name.startsWith('.'))
      .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
      .sort((a, b) => (a < b ? -1 : 1));
    if (names.length === 0) return undefined;
    const more = names.length > MOST_ENTRIES ? [`… and ${names.length - MOST_ENTRIES} more`] : [];
    return [`Contents of ${cwd}:`, ...names.slice(0, MOST_ENTRIES), ...more].join('\n');
  });
}

const MOST_ENTRIES = 100;

function upwards(from: string): readonly string[] {
  const folder = path().resolve(from);
  const parent = path().dirname(folder);
  return parent === folder ? [folder] : [folder, ...upwards(parent)];
}

async function firstFile(paths: readonly string[]): Promise<{ path: string; text: string } | undefined> {
  for (const file of paths) {
    const text = await textOf(file).catch(() => undefined);
    if (text !== undefined) return { path: file, text };
  }
  return undefined;
}

/** Reads a file. Skips links to files with secrets, because a cloned workspace may contain links to anywhere. */
async function textOf(file: string): Promise<string | undefined> {
  const real = await fs().realpath(file);
  if (real !== file && checkPath(real)) return undefined;
  return (await fs().stat(real)).isFile() ? fs().readFile(real, 'utf8') : undefined;
}
