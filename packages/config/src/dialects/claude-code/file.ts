import { basename, dirname, resolve } from 'node:path';
import * as z from 'zod';
import type { HandlerCommon, HookEntry } from '../../entry.ts';
import { type FileFormat, readEvents } from '../../file/events.ts';
import {
  address,
  commandText,
  common,
  type HookType,
  headers,
  hookType,
  placeOf,
  type ReadHook,
  seconds,
  shortly,
  systemText,
  variableName,
} from '../../file/hook.ts';
import type { FileReader } from '../../file/reader.ts';
import { claudeCode } from './dialect.ts';
import { claudeCodeOnlyWatched } from './events.ts';

/** Reads the `hooks` of a `settings.json`. `disableAllHooks` empties it. Unknown events and fields are ignored. */
export function readClaudeCode(
  value: Readonly<Record<string, unknown>>,
  reader: FileReader,
): readonly HookEntry[] {
  const { deny, ask } = Object(value['permissions']);
  if (Object.keys(deny ?? []).length + Object.keys(ask ?? []).length > 0)
    reader.notice(
      ['permissions'],
      'only Claude Code applies these rules; write hooks for the rules that other agents have to follow',
    );
  if (value['disableAllHooks'] === true) {
    reader.notice(['disableAllHooks'], 'it is true, so no hook of this file runs');
    return [];
  }
  if (value['hooks'] === undefined) return [];
  const { [SKILL_COMMAND]: ofSkills, ...events } = reader.map(value['hooks'], ['hooks']) ?? {};
  if (ofSkills !== undefined)
    reader.notice(
      ['hooks', SKILL_COMMAND],
      'no other agent reports it; "hooks run" has the hooks of PreToolUse check these commands',
    );
  const entries = readEvents(claudeCodeFormat, events, reader, ['hooks']);
  for (const event of Object.keys(events)) {
    const lost = Object.hasOwn(claudeCodeOnlyWatched, event) ? claudeCodeOnlyWatched[event] : undefined;
    if (lost) reader.notice(['hooks', event], `the answers of a ${event} hook (${lost}) have no effect here`);
  }
  const root = pluginRoot(reader.origin([]).file);
  if (root !== undefined) return entries.map((entry) => inPlugin(entry, root));
  if (entries.some((entry) => JSON.stringify(entry.handler).includes(ROOT))) {
    reader.notice(['hooks'], `${ROOT} is set for a plugin's hooks/hooks.json only, and is empty here`);
  }
  return entries;
}

/** Shell commands in the text of a skill. `hooks install` adds it to settings. */
const SKILL_COMMAND = 'PreSkillShellCommand';

const ROOT = 'CLAUDE_PLUGIN_ROOT';

/** The folder of the plugin that this `hooks/hooks.json` belongs to. */
function pluginRoot(file: string): string | undefined {
  const folder = dirname(resolve(file));
  return basename(file) === 'hooks.json' && basename(folder) === 'hooks' ? dirname(folder) : undefined;
}

/** A shell finds the plugin's folder in its environment. In arguments, which no shell expands, it is substituted. */
function inPlugin(entry: HookEntry, root: string): HookEntry {
  const { handler } = entry;
  if (handler.type !== 'command') return entry;
  const { command } = handler;
  const inPlace = (text: string): string => text.replaceAll(`\${${ROOT}}`, root);
  return {
    ...entry,
    handler: {
      ...handler,
      env: { ...handler.env, [ROOT]: root },
      command: typeof command === 'string' ? command : command.map(inPlace),
    },
  };
}

/** Fields that only have a meaning in Claude Code itself. */
const inClaudeCode = Object.fromEntries(
  ['once', 'rewakeMessage', 'rewakeSummary', 'holdsTools', 'cloud'].map((name) => [
    name,
    z.unknown().optional(),
  ]),
);

/** Claude Code's hook types. Those that only Claude Code can run always fail. */
const claudeCodeTypes: Readonly<Record<string, HookType>> = {
  command: hookType(
    z.object({
      type: z.literal('command'),
      command: commandText,
      args: z.array(systemText).optional(),
      timeout: seconds.optional(),
      if: z.string().optional(),
      async: z.boolean().optional(),
      asyncRewake: z.boolean().optional(),
      ...inClaudeCode,
      shell: z.enum(['bash', 'powershell']).optional(),
      onFailure: z.enum(['continue', 'block']).optional(),
    }),
    (value) => ({
      label: shortly(value.command),
      handler: {
        ...settings(value, 600),
        type: 'command',
        command: value.args ? [value.command, ...value.args] : inShell(value.command, value.shell),
        env: {},
        ...((value.async || value.asyncRewake) && { background: true }),
      },
    }),
  ),
  http: hookType(
    z.object({
      type: z.literal('http'),
      url: address,
      headers: headers.optional(),
      allowedEnvVars: z.array(variableName).optional(),
      ...inClaudeCode,
      timeout: seconds.optional(),
      if: z.string().optional(),
      onFailure: z.enum(['continue', 'block']).optional(),
    }),
    (value) => ({
      label: placeOf(value.url),
      handler: {
        ...settings(value, 600),
        type: 'http',
        url: value.url,
        headers: value.headers ?? {},
        allowedEnvVars: value.allowedEnvVars ?? [],
      },
    }),
  ),
  prompt: elsewhere('prompt'),
  agent: elsewhere('agent'),
  mcp_tool: elsewhere('mcp_tool'),
};

export const claudeCodeFormat: FileFormat = {
  dialect: claudeCode,
  types: claudeCodeTypes,
  group: z.object({ matcher: z.string().optional(), hooks: z.array(z.unknown()) }),
  needsGroups: true,
  ignoresUnknownEvents: true,
};

/** Claude Code's own model, agents and MCP servers cannot be reached from here. */
function elsewhere(type: string): HookType {
  return hookType(z.looseObject({ type: z.literal(type), if: z.string().optional() }), (value): ReadHook => {
    const reason = `a hook of type "${type}" runs only in Claude Code; use type "model" in our own dialect instead`;
    return { label: type, handler: { ...settings({ if: value.if }, 60), type: 'unsupported', reason } };
  });
}

/** Fields of all types. `timeout` is in seconds. */
function settings(
  value: {
    readonly timeout?: number | undefined;
    readonly if?: string | undefined;
    readonly onFailure?: 'continue' | 'block' | undefined;
  },
  timeout: number,
): HandlerCommon {
  return {
    ...common({
      timeout: value.timeout ?? timeout,
      ...(value.onFailure === 'block' && { on_error: 'block' as const }),
      ...(value.onFailure === 'continue' && { on_error: 'warn' as const }),
    }),
    ...(value.if !== undefined && { condition: value.if }),
  };
}

function inShell(command: string, shell: 'bash' | 'powershell' | undefined): string | readonly string[] {
  if (shell === 'powershell') return ['pwsh', '-Command', command];
  // Bash takes a socket as its stdin for a remote shell, and would read the user's .bashrc first.
  return shell === 'bash' ? ['bash', '--norc', '-c', command] : command;
}
