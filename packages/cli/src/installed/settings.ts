import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, realpath, rename, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { readText } from '@hooks/config/protocol';
import { homeOf } from '../folders.ts';
import { type Program, UserError } from '../program.ts';
import { INSTALLABLE, type InstallableAgent } from './agents.ts';
import { isInstalledFor, type Project } from './command.ts';

/** An agent's settings: a JSON object. */
export type Settings = Readonly<Record<string, unknown>>;

/** The path of an agent's settings. */
export function settingsPath(
  { home, homeVariable, userHomeVariable, settings }: InstallableAgent,
  program: Program,
  given?: string,
): string {
  if (given !== undefined) return resolve(program.cwd(), given);
  const own = homeVariable && program.env[homeVariable];
  if (own) return resolve(program.cwd(), own, basename(settings));
  const folder = home
    ? (userHomeVariable && program.env[userHomeVariable]) || homeOf(program)
    : program.cwd();
  return join(folder, settings);
}

/** The project to which settings belong; undefined for the user's own. */
export function projectOf(
  { settings, projectVariable }: InstallableAgent,
  program: Program,
  path: string,
): Project | undefined {
  const folder = path.slice(0, -settings.length - 1);
  if (projectVariable === undefined || path !== join(folder, settings)) return undefined;
  return folder === homeOf(program) ? undefined : { folder, variable: projectVariable };
}

/** Reads the settings. A missing file is empty. */
export async function readSettings(path: string): Promise<Settings> {
  const text = existsSync(path) ? readText(path) : '{}';
  try {
    const settings: unknown = JSON.parse(text);
    if (typeof settings === 'object' && settings !== null && !Array.isArray(settings)) return { ...settings };
  } catch {
    // Reported below.
  }
  throw new UserError(`${path} is not a JSON object, so it stays unchanged`);
}

/** Writes atomically, through links, and keeps the file's permissions, because settings may contain keys. */
export function writeSettings(path: string, settings: Settings): Promise<void> {
  return writeText(path, `${JSON.stringify(settings, undefined, 2)}\n`);
}

/** Like `writeSettings`, for text. */
export async function writeText(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const file = existsSync(path) ? await realpath(path) : path;
  const mode = existsSync(path) ? (await stat(file)).mode : 0o644;
  // A new random name, so that a workspace cannot place a file or a link there in advance.
  const written = `${file}.${randomUUID()}`;
  await writeFile(written, text, { mode, flag: 'wx' });
  await rename(written, file);
}

/** Adds a hook to each of these events, after the existing ones. */
export function withHooks(
  settings: Settings,
  commands: Readonly<Record<string, { readonly command: string; readonly timeout?: number }>>,
): Settings {
  const hooks: Record<string, unknown> = { ...Object(settings['hooks']) };
  for (const [event, hook] of Object.entries(commands)) {
    const groups = Array.isArray(hooks[event]) ? hooks[event] : [];
    hooks[event] = [...groups, { hooks: [{ type: 'command', ...hook }] }];
  }
  return { ...settings, hooks };
}

/** Removes the installed hooks of this agent, and lists that become empty. */
export function withoutHooks(settings: Settings, agent: string): Settings {
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
  const hooks = hooksOf(group);
  if (hooks === undefined) return group;
  const others = hooks.filter((hook) => !isInstalledFor(agent, Object(hook).command));
  if (others.length === hooks.length) return group;
  return others.length > 0 ? { ...Object(group), hooks: others } : undefined;
}

/** An installed hook in an agent's settings. */
export interface InstalledHook {
  readonly event: string;
  /** The index of its group in the event, and of the hook in its group. */
  readonly group: number;
  readonly index: number;
  readonly command: string;
  readonly timeout?: number;
  /** The name that somebody gave it. */
  readonly name?: string;
  /** What is not as `install` writes it, because of which it may not run on every event, or decide nothing. */
  readonly changedBy?: string;
}

/** The installed hooks of this agent. */
export function installedHooks(settings: Settings, agent: string): readonly InstalledHook[] {
  return Object.entries(Object(settings['hooks'])).flatMap(([event, groups]) =>
    (Array.isArray(groups) ? groups : []).flatMap((one, group) =>
      (hooksOf(one) ?? []).flatMap((hook, index) => {
        const { command, timeout, name } = Object(hook);
        if (!isInstalledFor(agent, command)) return [];
        const changedBy = changeOf(Object(one), Object(hook), event, INSTALLABLE[agent]);
        return [
          {
            ...{ event, group, index, command, timeout },
            ...(typeof name === 'string' && { name }),
            ...(changedBy !== undefined && { changedBy }),
          },
        ];
      }),
    ),
  );
}

/** Fields that only say something to people. */
const LABELS = ['name', 'description', 'statusMessage'];

/**
 * What differs from a hook as `install` writes it, in a group without a matcher. All else counts: a field of a later version of
 * the agent may narrow a hook, too.
 */
function changeOf(
  group: Settings,
  hook: Settings,
  event: string,
  agent: InstallableAgent | undefined,
): string | undefined {
  if (!['', '*', undefined, null].some((all) => group['matcher'] === all))
    return `"matcher": ${JSON.stringify(group['matcher'])}`;
  const { gates = [], newGates = {}, timeout, failsClosed = {} } = agent ?? {};
  const isGate = gates.includes(event) || Object.hasOwn(newGates, event);
  const written: Settings = { type: 'command', ...(isGate && { timeout, ...failsClosed }) };
  const isAsWritten = (field: string): boolean => {
    const value = hook[field];
    if (field === 'timeout' && !isGate) return true;
    if (field === 'timeout') return typeof value === 'number' && value >= Number(timeout);
    return Object.hasOwn(written, field) ? value === written[field] : value === undefined || value === false;
  };
  const known = ['command', ...LABELS];
  const fields = new Set(
    [...Object.keys(hook), ...Object.keys(written)].filter((one) => !known.includes(one)),
  );
  const field = [...fields].find((one) => !isAsWritten(one));
  return (
    field && (hook[field] === undefined ? `no "${field}"` : `"${field}": ${JSON.stringify(hook[field])}`)
  );
}

function hooksOf(group: unknown): readonly unknown[] | undefined {
  const { hooks } = Object(group);
  return Array.isArray(hooks) ? hooks : undefined;
}
