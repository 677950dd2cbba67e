import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { readText } from '@hooks/config/protocol';
import { parse as parseJson } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { agentFolder, withParents } from '../folders.ts';
import type { Program } from '../program.ts';
import { checkoutOf } from './checkout.ts';
import { geminiFolder, isTrustedByGemini, systemFilesOfGemini } from './gemini-trust.ts';
import type { Settings } from './settings.ts';

/** A settings file that an agent reads in this folder. */
export interface Layer {
  readonly path: string;
  readonly scope: Scope;
  /** Undefined if the file cannot be read. */
  readonly settings: Settings | undefined;
}

/** Whose settings they are: of an administrator, the user, a team, or the user in one project. */
type Scope = 'managed' | 'user' | 'project' | 'local';

type Place = readonly [scope: Scope, path: string];

/** The existing settings files of an agent. A value of a later one replaces that of an earlier one. */
export function layersOf(agent: string, program: Program): readonly Layer[] {
  const places = PLACES[agent]?.(program) ?? [];
  // In the home, the files of a user are those of the project, too. The agent reads them as the user's.
  const scopes = Map.groupBy(places, ([, path]) => path);
  return [...scopes]
    .map(([path, [first]]): Place => [first?.[0] ?? 'project', path])
    .filter(([, path]) => existsSync(path))
    .map(([scope, path]) => ({ path, scope, settings: parsed(path, agent === 'gemini') }));
}

/** Where each agent reads, from the weakest to the strongest. Tried with Claude Code 2.1.332, Codex 0.171.0 and Gemini CLI 0.61.0. */
const PLACES: Readonly<Record<string, (program: Program) => readonly Place[]>> = {
  'claude-code': (program) => {
    const cwd = program.cwd();
    const user = agentFolder(program, 'CLAUDE_CONFIG_DIR', '.claude');
    const { main = cwd } = checkoutOf(cwd) ?? {};
    return [
      ['user', join(user, 'settings.json')],
      // Project settings are those of the folder itself. Local settings are also those of the main checkout, in its worktrees
      // and subfolders, too.
      ['project', join(cwd, '.claude/settings.json')],
      ['local', join(main, '.claude/settings.local.json')],
      ['local', join(cwd, '.claude/settings.local.json')],
      ...['/etc/claude-code', '/Library/Application Support/ClaudeCode'].flatMap((folder): Place[] => [
        ['managed', join(folder, 'managed-settings.json')],
        ...globSync('managed-settings.d/*.json', { cwd: folder })
          .toSorted()
          .map((file): Place => ['managed', join(folder, file)]),
      ]),
      ['managed', join(user, 'remote-settings.json')],
    ];
  },
  codex: (program) => {
    const user = agentFolder(program, 'CODEX_HOME', '.codex');
    const config = join(user, 'config.toml');
    return [
      ['managed', '/etc/codex/config.toml'],
      ['user', config],
      ['user', join(user, 'hooks.json')],
      ...projectsOfCodex(program.cwd(), config).flatMap((folder): Place[] => [
        ['project', join(folder, '.codex/config.toml')],
        ['project', join(folder, '.codex/hooks.json')],
      ]),
      ['managed', '/etc/codex/managed_config.toml'],
      ['managed', '/etc/codex/requirements.toml'],
    ];
  },
  gemini: (program) => {
    const { defaults, system } = systemFilesOfGemini(program);
    const project: Place = ['project', join(program.cwd(), '.gemini/settings.json')];
    return [
      ['managed', defaults],
      ['user', join(geminiFolder(program), 'settings.json')],
      ...(isTrustedByGemini(program) === false ? [] : [project]),
      ['managed', system],
    ];
  },
};

/** The folders whose `.codex` Codex reads: from the root of a trusted project to this one. */
function projectsOfCodex(cwd: string, config: string): readonly string[] {
  const { root = cwd, main = cwd } = checkoutOf(cwd) ?? {};
  const { projects } = Object(existsSync(config) ? parsed(config, false) : {});
  const isTrusted = [cwd, root, main].some((one) => Object(Object(projects)[one]).trust_level === 'trusted');
  const folders = withParents(cwd);
  return isTrusted ? folders.slice(0, folders.indexOf(root) + 1).toReversed() : [];
}

/** Only Gemini CLI reads JSON with comments. The others use nothing of such a file. */
function parsed(file: string, hasComments: boolean): Settings | undefined {
  try {
    const text = readText(file);
    if (file.endsWith('.toml')) return parseToml(text);
    const settings: unknown = hasComments
      ? parseJson(text, [], { allowTrailingComma: true })
      : JSON.parse(text);
    return typeof settings === 'object' && settings !== null ? { ...settings } : undefined;
  } catch {
    return undefined;
  }
}
