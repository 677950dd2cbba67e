import { existsSync, readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { HooksError, isHooksError } from '@hooks/core';
import type { DialectName } from './dialects/dialect.ts';
import { messageOf } from './error-message.ts';
import { readCached } from './file/cache.ts';
import { type ConfigIssue, formatIssue } from './file/error.ts';
import type { HookFile } from './file/read.ts';
import { readText } from './file/read-text.ts';
import type { LoadOptions } from './load-options.ts';
import { LoadedHooks } from './provider/loaded.ts';
import { isTrusted } from './trust/ask.ts';
import { trustedPath } from './trust/path.ts';

export type { LoadOptions } from './load-options.ts';
export { userDirectory } from './trust/directory.ts';

/**
 * Loads hooks from a file, a directory (its `hooks.yaml` or `hooks.json`; for Claude Code, Gemini CLI and Codex the
 * user's and the project's settings), or an object of the same shape. Give the result to `hooks.use`.
 *
 * @throws HooksError `CONFIG_INVALID` if the file is invalid, with every problem and its position, or if it is not trusted
 *
 * @example
 * ```ts
 * const hooks = createHooks();
 * hooks.use(await loadHooks('hooks.yaml'));
 * ```
 */
export async function loadHooks(source: string | object, options: LoadOptions = {}): Promise<LoadedHooks> {
  const cwd = resolve(options.cwd ?? '.');
  const read = (): Promise<readonly HookFile[]> => readSource(source, cwd, options);
  return LoadedHooks.load({ read, paths: pathsOf(source, cwd, options.dialect), cwd, options });
}

/** Reads files without running or trusting them, as `hooks validate` does. */
export async function readHooks(
  source: string | object,
  { dialect, cwd = '.' }: Pick<LoadOptions, 'dialect' | 'cwd'> = {},
): Promise<readonly HookFile[]> {
  const { readHookFile } = await import('./file/read.ts');
  if (typeof source !== 'string')
    return [readHookFile(JSON.stringify(source, undefined, 2), '(object)', dialect)];
  return pathsOf(source, resolve(cwd), dialect).map((path) => readHookFile(textOf(path), path, dialect));
}

/** All problems as one error. */
function invalid(issues: readonly ConfigIssue[]): HooksError {
  return new HooksError('CONFIG_INVALID', issues.map(formatIssue).join('\n'));
}

async function readSource(
  source: string | object,
  cwd: string,
  options: LoadOptions,
): Promise<readonly HookFile[]> {
  const files =
    typeof source === 'string'
      ? await Promise.all(pathsOf(source, cwd, options.dialect).map((path) => readTrusted(path, options)))
      : await readHooks(source, options);
  const issues = files.flatMap((file) => file.issues);
  if (issues.length > 0) throw invalid(issues);
  return files;
}

/** Uses the same content that was checked. */
async function readTrusted(path: string, { trust = {}, dialect, cache }: LoadOptions): Promise<HookFile> {
  const content = textOf(path);
  if (!(await isTrusted(trustedPath(path), content, trust))) {
    throw new HooksError(
      'CONFIG_INVALID',
      `${path} is not trusted, so its hooks are not loaded; review it and run "npx --no-install hooks trust ${path}".`,
    );
  }
  if (cache) return readCached(content, path, dialect);
  const { readHookFile } = await import('./file/read.ts');
  return readHookFile(content, path, dialect);
}

function textOf(path: string): string {
  try {
    return readText(path);
  } catch (cause) {
    if (isHooksError(cause)) throw cause;
    throw new HooksError('CONFIG_INVALID', `${path} cannot be read: ${messageOf(cause)}`, { cause });
  }
}

/** The files that a source names, which may be a directory. Reads none of them. */
export function pathsOf(source: string | object, cwd: string, dialect?: DialectName): readonly string[] {
  if (typeof source !== 'string') return [];
  const path = resolve(cwd, source);
  if (!existsSync(path))
    throw new HooksError(
      'CONFIG_INVALID',
      `${path} does not exist; expected a file of hooks or its directory.`,
    );
  if (!statSync(path).isDirectory()) return [path];
  const candidates = filesIn(path, dialect);
  const paths = candidates.filter((file) => existsSync(file));
  if (paths.length === 0)
    throw new HooksError(
      'CONFIG_INVALID',
      `${path} has no hooks; expected one of: ${candidates.join(', ')}.`,
    );
  return dialect !== undefined && layered.has(dialect) ? paths : paths.slice(0, 1);
}

/** Dialects of programs that read all of their files. Others read the first that exists. */
const layered: ReadonlySet<DialectName> = new Set(['claude-code', 'copilot', 'gemini', 'codex']);

/** The locations of hooks in a directory. */
function filesIn(path: string, dialect?: DialectName): readonly string[] {
  if (dialect === 'claude-code') return claudeSettings(path);
  if (dialect === 'gemini')
    return [...new Set([homedir(), path])].map((folder) => join(folder, '.gemini', 'settings.json'));
  if (dialect === 'codex')
    return [...new Set([homedir(), path])].flatMap((folder) =>
      ['hooks.json', 'config.toml'].map((name) => join(folder, '.codex', name)),
    );
  if (dialect === 'cursor') return [join(path, '.cursor', 'hooks.json')];
  if (dialect === 'copilot') {
    const folder = join(path, '.github', 'hooks');
    const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];
    return (names.length > 0 ? names.sort() : ['*.json']).map((name) => join(folder, name));
  }
  return ['hooks.yaml', 'hooks.yml', 'hooks.json'].map((name) => join(path, name));
}

/** User, project, local: each adds to the previous ones. The user's home is also a project, with the same file. */
function claudeSettings(project: string): readonly string[] {
  const files = [
    join(homedir(), '.claude', 'settings.json'),
    join(project, '.claude', 'settings.json'),
    join(project, '.claude', 'settings.local.json'),
  ];
  return [...new Set(files)];
}
