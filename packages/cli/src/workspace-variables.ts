import { readFileSync, statSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { withParents } from './folders.ts';

/**
 * The files of a workspace whose variables an agent gives its hooks. Tried with Claude Code 2.1.332 and Gemini CLI 0.61; Codex 0.169
 * and Copilot 1.0.102 have none.
 */
const FILES: Readonly<Record<string, readonly string[]>> = {
  'claude-code': ['.claude/settings.json', '.claude/settings.local.json'],
  gemini: ['.gemini/.env', '.env'],
};

/**
 * Removes the variables that files of the workspace set from the environment of this process, before it reads any of them. With
 * them, a checked-out repository could name the folder of trust decisions, the server of a judge, or the code that a command
 * loads.
 */
export function forgetWorkspaceVariables(args: readonly string[]): void {
  const at = args.findIndex((word) => /^--as(?:=|$)/.test(word));
  const as = args[at]?.slice('--as='.length) || args[at + 1] || '';
  const { env } = process;
  const files = filesOf(as, [process.cwd()]);
  for (const name of Object.keys(env)) if (files.some((file) => maySet(file, name))) delete env[name];
}

/**
 * Removes the variables by which a workspace could name the folder of trust decisions. For `hooks mcp`, which passes its environment
 * on to the server: that gets what the workspace sets for it.
 */
export function forgetWorkspaceFolders(): void {
  for (const name of ['XDG_CONFIG_HOME', 'HOME'])
    if (Object.keys(FILES).some((as) => setByWorkspace(name, as, [process.cwd()]) !== undefined))
      delete process.env[name];
}

/** The file of a workspace that sets a variable of an agent's hooks, over that of whoever started the agent. */
export function setByWorkspace(name: string, as: string, folders: readonly string[]): string | undefined {
  return filesOf(as, folders).find((file) => maySet(file, name));
}

/** The variables of a workspace that hooks do not get, by the file that sets them. */
export function forgottenVariables(as: string, folder: string): ReadonlyMap<string, readonly string[]> {
  // Words of a file that is no JSON may be values.
  const files = filesOf(as, [folder]).map((file) => [file, [...(namesIn(file) ?? [])]] as const);
  return new Map(files.filter(([, names]) => names.length > 0));
}

/** The files in these folders, in the project that the agent reports, and above. */
function filesOf(as: string, folders: readonly string[]): readonly string[] {
  const names = Object.hasOwn(FILES, as) ? FILES[as] : undefined;
  if (names === undefined) return [];
  const { CLAUDE_PROJECT_DIR, GEMINI_PROJECT_DIR } = process.env;
  const all = [...folders, CLAUDE_PROJECT_DIR, GEMINI_PROJECT_DIR].filter((folder) => folder !== undefined);
  const places = new Set(all.flatMap((folder) => withParents(resolve(folder))));
  const filesIn = (): readonly string[] =>
    [...places].flatMap((folder) => names.map((name) => join(folder, name))).filter(isFile);
  if (filesIn().length === 0) return [];
  // Those of the home are the user's own. A workspace that sets HOME does not become the home.
  places.delete(userInfo().homedir);
  if (!filesIn().some((file) => maySet(file, 'HOME'))) places.delete(homedir());
  return filesIn();
}

/** Python's environments are folders named `.env`. */
function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
}

const MAX_BYTES = 4 * 1024 * 1024;

const known = new Map<string, ReadonlySet<string> | 'any'>();

/** A file that cannot be read may set every variable, and settings that are no JSON every variable that they name. */
function maySet(file: string, name: string): boolean {
  const names = known.get(file) ?? namesIn(file) ?? wordsIn(file);
  known.set(file, names);
  return names === 'any' || names.has(name);
}

/** The variables that a file sets. Returns undefined if the file cannot be read or is no JSON. */
function namesIn(file: string): ReadonlySet<string> | undefined {
  const text = textOf(file);
  if (text === undefined) return undefined;
  if (!file.endsWith('.json'))
    return new Set(
      Array.from(text.matchAll(/^\s*(?:export\s+)?([\w.-]+)\s*[=:]/gm), ([, name = '']) => name),
    );
  try {
    return new Set(Object.keys(Object(JSON.parse(text).env)));
  } catch {
    return undefined;
  }
}

function wordsIn(file: string): ReadonlySet<string> | 'any' {
  const text = textOf(file);
  return text === undefined || text.includes('\\') ? 'any' : new Set(text.match(/\w+/g));
}

function textOf(file: string): string | undefined {
  try {
    const stats = statSync(file);
    // Reading a FIFO does not end. The start of a hook loads nothing that `readText` needs.
    return stats.isFile() && stats.size <= MAX_BYTES ? readFileSync(file, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}
