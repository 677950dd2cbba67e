import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readText } from '@hooks/config/protocol';
import { parse } from 'jsonc-parser';
import { homeOf, withParents } from '../folders.ts';
import type { Program } from '../program.ts';

/**
 * Whether the user trusts this folder in Gemini CLI. In a folder that they do not trust, it runs no hooks, not even those of the user's
 * own settings. Undefined if they have not answered: then it asks at the next start.
 */
export function isTrustedByGemini(program: Program): boolean | undefined {
  const { cwd, env } = program;
  if (env['GEMINI_RESTRICTED_MODE'] === 'true' || env['GEMINI_CLI_TRUST_WORKSPACE'] === 'false') return false;
  if (env['GEMINI_CLI_TRUST_WORKSPACE'] === 'true') return true;
  const folder = geminiFolder(program);
  const { defaults, system } = systemFilesOfGemini(program);
  const enabled = [system, join(folder, 'settings.json'), defaults]
    .map((path) => Object(Object(Object(read(path)).security).folderTrust).enabled)
    .find((value) => value !== undefined && value !== null);
  if (enabled === false) return true;
  const rules = read(env['GEMINI_CLI_TRUSTED_FOLDERS_PATH'] || join(folder, 'trustedFolders.json'));
  const around = withParents(realpathSync(cwd()));
  const [nearest] = Object.entries(Object(rules))
    .filter(([path, level]) => around.includes(real(level === 'TRUST_PARENT' ? dirname(path) : path)))
    .toSorted(([path], [other]) => other.length - path.length);
  return nearest && nearest[1] !== 'DO_NOT_TRUST';
}

/** An administrator's files: one under the user's settings, and one over all. */
export function systemFilesOfGemini({ env }: Program): {
  readonly defaults: string;
  readonly system: string;
} {
  const system =
    env['GEMINI_CLI_SYSTEM_SETTINGS_PATH'] ||
    (process.platform === 'darwin'
      ? '/Library/Application Support/GeminiCli/settings.json'
      : '/etc/gemini-cli/settings.json');
  return {
    system,
    defaults: env['GEMINI_CLI_SYSTEM_DEFAULTS_PATH'] || join(dirname(system), 'system-defaults.json'),
  };
}

/** Where Gemini CLI keeps the user's settings. */
export function geminiFolder(program: Program): string {
  return join(program.env['GEMINI_CLI_HOME'] || homeOf(program), '.gemini');
}

function read(path: string): unknown {
  try {
    return parse(readText(path));
  } catch {
    return {};
  }
}

function real(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}
