import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, readFile, realpath, rename, stat, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { type Program, UserError } from '../program.ts';

/** Options of `install` and `uninstall`. */
export interface InstallOptions {
  readonly for: string;
  readonly file?: string;
  readonly settings?: string;
}

/** Adds `hooks run` to an agent's settings, on each event that a policy may answer. Everything else in them stays. */
export async function install(options: InstallOptions, program: Program): Promise<number> {
  const { events, path } = targetOf(options, program);
  const file = resolve(program.cwd(), options.file ?? 'hooks.yaml');
  const command = `hooks run --as ${options.for} --file ${quoted(file)}`;
  const settings = without(await readSettings(path), options.for);
  const hooks: Record<string, unknown> = { ...Object(settings['hooks']) };
  for (const event of events) {
    const groups = Array.isArray(hooks[event]) ? hooks[event] : [];
    hooks[event] = [...groups, { hooks: [{ type: 'command', command }] }];
  }
  await writeSettings(path, { ...settings, hooks });
  program.stdout.write(`installed in ${path}\nnext: hooks trust ${file}\n`);
  return 0;
}

/** Takes it out again. */
export async function uninstall(options: InstallOptions, program: Program): Promise<number> {
  const { path } = targetOf(options, program);
  if (existsSync(path)) await writeSettings(path, without(await readSettings(path), options.for));
  program.stdout.write(`taken out of ${path}\n`);
  return 0;
}

type Settings = Readonly<Record<string, unknown>>;

interface Target {
  readonly settings: string;
  /** The settings stand in the user's home, not in the project. */
  readonly home?: true;
  readonly events: readonly string[];
}

const claudeEvents = [
  'PreToolUse',
  'PostToolUse',
  'PermissionRequest',
  'UserPromptSubmit',
  'Stop',
  'SessionStart',
  'PreCompact',
];

const targets: Readonly<Record<string, Target>> = {
  'claude-code': {
    settings: '.claude/settings.json',
    events: [...claudeEvents, 'PostToolUseFailure', 'SessionEnd'],
  },
  codex: { settings: '.codex/hooks.json', home: true, events: claudeEvents },
  gemini: {
    // Those of a project run in trusted folders only.
    settings: '.gemini/settings.json',
    home: true,
    events: [
      'BeforeTool',
      'AfterTool',
      'BeforeAgent',
      'AfterAgent',
      'SessionStart',
      'SessionEnd',
      'PreCompress',
    ],
  },
};

function targetOf(
  { for: name, settings }: InstallOptions,
  program: Program,
): { events: readonly string[]; path: string } {
  const target = Object.hasOwn(targets, name) ? targets[name] : undefined;
  if (!target) throw new UserError(`--for ${name}: expected one of: ${Object.keys(targets).join(', ')}`);
  const base = target.home ? (program.env['HOME'] ?? homedir()) : program.cwd();
  return {
    events: target.events,
    path: settings ? resolve(program.cwd(), settings) : join(base, target.settings),
  };
}

/** The settings without our own entries; what they leave empty goes too. */
function without(settings: Settings, agent: string): Settings {
  const { hooks, ...rest } = settings;
  if (typeof hooks !== 'object' || hooks === null) return settings;
  const kept: Record<string, unknown> = {};
  for (const [event, groups] of Object.entries(hooks)) {
    const others = Array.isArray(groups)
      ? groups.map((group) => withoutOurs(group, agent)).filter(Boolean)
      : groups;
    if (!Array.isArray(others) || others.length > 0) kept[event] = others;
  }
  return Object.keys(kept).length > 0 ? { ...rest, hooks: kept } : rest;
}

function withoutOurs(group: unknown, agent: string): unknown {
  if (typeof group !== 'object' || group === null || !('hooks' in group) || !Array.isArray(group.hooks))
    return group;
  const others = group.hooks.filter((hook) => !String(hook?.command).startsWith(`hooks run --as ${agent} `));
  if (others.length === group.hooks.length) return group;
  return others.length > 0 ? { ...group, hooks: others } : undefined;
}

async function readSettings(path: string): Promise<Settings> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '{}';
    throw error;
  });
  try {
    const settings: unknown = JSON.parse(text);
    if (typeof settings === 'object' && settings !== null && !Array.isArray(settings)) return { ...settings };
  } catch {
    // Told below.
  }
  throw new UserError(`${path} is not a JSON object; it is left as it is`);
}

/** All at once, to where a link leads, and for the same readers as before: settings may hold keys. */
async function writeSettings(path: string, settings: Settings): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const file = existsSync(path) ? await realpath(path) : path;
  const mode = existsSync(path) ? (await stat(file)).mode : 0o644;
  // A file of its own, never one, or a link, that a workspace has put there.
  const written = `${file}.${randomUUID()}`;
  await writeFile(written, `${JSON.stringify(settings, undefined, 2)}\n`, { mode, flag: 'wx' });
  await rename(written, file);
}

function quoted(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
