import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { readText } from '@hooks/config/protocol';
import { parse as parseJson } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import type { Program } from '../program.ts';

/** A setting with which an agent runs no hooks, or not these. */
interface Switch {
  readonly path: readonly string[];
  readonly value: boolean;
  /** Only in the files of an administrator. */
  readonly managed?: true;
}

/** The settings that an agent reads, and those that switch its hooks off. */
interface Layers {
  readonly managed: readonly string[];
  /** Relative to the user's home, or to the folder that a variable names. */
  readonly home: string;
  readonly homeVariable?: { readonly name: string; readonly file: string };
  /** Relative to the project. */
  readonly project: readonly string[];
  readonly switches: readonly Switch[];
}

const LAYERS: Readonly<Record<string, Layers>> = {
  'claude-code': {
    managed: [
      '/etc/claude-code/managed-settings.json',
      '/Library/Application Support/ClaudeCode/managed-settings.json',
    ],
    home: '.claude/settings.json',
    homeVariable: { name: 'CLAUDE_CONFIG_DIR', file: 'settings.json' },
    project: ['.claude/settings.json', '.claude/settings.local.json'],
    switches: [
      { path: ['disableAllHooks'], value: true },
      { path: ['allowManagedHooksOnly'], value: true, managed: true },
    ],
  },
  codex: {
    managed: ['/etc/codex/config.toml', '/etc/codex/managed_config.toml'],
    home: '.codex/config.toml',
    homeVariable: { name: 'CODEX_HOME', file: 'config.toml' },
    project: ['.codex/config.toml'],
    switches: [
      { path: ['features', 'hooks'], value: false },
      { path: ['features', 'codex_hooks'], value: false },
    ],
  },
  gemini: {
    managed: ['/etc/gemini-cli/settings.json', '/Library/Application Support/GeminiCli/settings.json'],
    home: '.gemini/settings.json',
    project: ['.gemini/settings.json'],
    switches: [{ path: ['hooksConfig', 'enabled'], value: false }],
  },
};

/** Why an agent runs no hooks of its settings, by each of its files that says so. */
export function switchedOff(agent: string, { cwd, env }: Program): readonly string[] {
  const layers = LAYERS[agent];
  if (!layers) return [];
  const { homeVariable, managed } = layers;
  const own = homeVariable && env[homeVariable.name];
  const user =
    homeVariable && own
      ? resolve(cwd(), own, homeVariable.file)
      : join(env['HOME'] ?? homedir(), layers.home);
  const files = new Set([...managed, user, ...layers.project.map((file) => join(cwd(), file))]);
  return [...files].flatMap((file) => {
    if (!existsSync(file)) return [];
    const settings = parsed(file);
    if (settings === undefined) return [`${file} cannot be read, so it may switch hooks off`];
    return layers.switches
      .filter(({ managed: only }) => !only || managed.includes(file))
      .filter(({ path, value }) => at(settings, path) === value)
      .map(({ path, value }) => `${file} has ${path.join('.')}: ${value}, so no hook runs`);
  });
}

function parsed(file: string): unknown {
  try {
    const text = readText(file);
    return file.endsWith('.toml') ? parseToml(text) : parseJson(text, [], { allowTrailingComma: true });
  } catch {
    return undefined;
  }
}

function at(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((found, key) => Object(found)[key], value);
}
