import type { Options, Settings } from '@anthropic-ai/claude-agent-sdk';
import { AfterToolCall, HooksError, TransformToolResult } from '@hooks/core';
import type { ApprovalResponse } from './options.ts';
import type { Registries } from './registries.ts';
import { isRecord } from './sdk.ts';

/**
 * Refuses options with which something goes round the hooks.
 *
 * @throws HooksError `INVALID_INPUT`
 */
export function checkOptions(options: Options): void {
  const { env = process.env, settings, managedSettings = {}, settingSources, resume } = options;
  for (const arg of Object.keys(options.extraArgs ?? {})) {
    // It may bring its value in its name.
    const [name = ''] = arg.split('=');
    const [, why] = REFUSED_ARGS.find(([names]) => names.includes(name)) ?? [];
    if (why !== undefined) refuse(`extraArgs.${name}`, why);
  }
  if ((options.executableArgs ?? []).length > 0)
    refuse('executableArgs', 'Claude Code may take them for its own; set `NODE_OPTIONS` in `env`');
  const inline = inlineSettings(settings);
  if (inline === undefined)
    refuse('settings', 'hooks must know what is loaded; pass the settings in place of a path');
  for (const from of [env, inline.env ?? {}])
    if (isOn(from['CLAUDE_CODE_SIMPLE']))
      refuse('CLAUDE_CODE_SIMPLE', 'Claude Code then asks no hook at all; unset it in `env`');
  if (options.permissionPromptToolName !== undefined)
    refuse(
      'permissionPromptToolName',
      'the tool could rewrite a call after your hooks have decided on it; use `canUseTool`',
    );
  if (resume !== undefined && !UUID.test(resume))
    refuse(
      'resume',
      'hooks must know the session; set it to the id of the session, not to a title or a file',
    );
  const closed =
    inline.disableAllHooks === true ||
    managedSettings.disableAllHooks === true ||
    managedSettings.allowManagedHooksOnly === true;
  if (closed) return;
  if (settingSources === undefined || settingSources.length > 0)
    refuse('settingSources', `hooks in settings files ${REWRITE}, or set \`settingSources: []\``);
  if ((options.plugins ?? []).length > 0) refuse('plugins', `hooks of plugins ${REWRITE}`);
  if (inline.hooks !== undefined) refuse('settings.hooks', `such hooks ${REWRITE}`);
}

const REWRITE =
  'could rewrite a call after your hooks have decided on it. To leave them out, set `managedSettings: { allowManagedHooksOnly: true }`';

/** The settings of an object or its JSON. Undefined for a path. */
export function inlineSettings(settings: Options['settings'] = {}): Settings | undefined {
  if (typeof settings !== 'string') return settings;
  try {
    const parsed: unknown = JSON.parse(settings);
    return isRecord(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Arguments of Claude Code with which something goes round the hooks, and why each is refused. */
const REFUSED_ARGS: readonly (readonly [names: readonly string[], why: string])[] = [
  [['bare'], 'Claude Code then asks no hook at all; leave it out'],
  [
    ['settings', 'managed-settings', 'setting-sources', 'plugin-dir', 'plugin-url'],
    'use the option of the SDK, so that hooks know what is loaded',
  ],
  [
    ['resume', 'r', 'continue', 'c', 'from-pr', 'teleport', 'session-id', 'fork-session'],
    'use the option of the SDK, so that hooks know the session',
  ],
  [
    ['permission-prompt-tool'],
    'the tool could rewrite a call after your hooks have decided on it; use `canUseTool`',
  ],
];

/** Settings that keep out hooks which are added while the query runs, and ask about the calls that have waited. */
export function closedSettings({ managedSettings }: Options, answers: readonly ApprovalResponse[]): Settings {
  const { permissions } = managedSettings ?? {};
  const ask = [...(permissions?.ask ?? []), ...(answers.length > 0 ? ['*'] : [])];
  return {
    ...managedSettings,
    allowManagedHooksOnly: true,
    // Commands in the files of skills and slash commands run without a call that hooks could decide on.
    disableSkillShellExecution: true,
    ...(ask.length > 0 && { permissions: { ...permissions, ask } }),
  };
}

/** Tools of Claude Code that may go on in the background, whether the model wants it or not. */
const IN_BACKGROUND = ['Agent', 'Task', 'Bash', 'PowerShell'];

/** The environment of a query, as far as hooks need it to be. */
export function closedEnvironment(
  { resume, continue: continues = false }: Options,
  registries: Registries,
  answers: readonly ApprovalResponse[],
): Readonly<Record<string, string>> {
  // A session that is resumed runs the call that waits as soon as it starts, and sometimes before it knows the hooks:
  // without an answer, it must not.
  const isUnanswered = (resume !== undefined || continues) && answers.length === 0;
  return {
    ...(isUnanswered && { CLAUDE_CODE_DISABLE_DEFERRED_TOOL_RESUME: '1' }),
    // Files that a prompt or a skill mentions are read without a call that hooks could decide on. The model can read them.
    CLAUDE_CODE_DISABLE_FILE_MENTIONS: '1',
    ...([TransformToolResult, AfterToolCall].some((event) => registries.decidesOfAnyTool(event)) && {
      // Sends calls to a model with their results, also those that hooks could not replace.
      CLAUDE_CODE_EMIT_TOOL_USE_SUMMARIES: '0',
      // A call that goes on in the background answers in a message.
      CLAUDE_CODE_MCP_AUTO_BACKGROUND_MS: '0',
    }),
    // What ends in the background is told in a message, whose text no hook can replace, or written to a file.
    ...(IN_BACKGROUND.some((tool) => registries.decidesResult(tool)) && {
      CLAUDE_CODE_DISABLE_BACKGROUND_TASKS: '1',
    }),
  };
}

/** The settings of a query. Those of files, which the agent may write, also set its environment, and these win. */
export function closedFlags({ settings }: Options, closed: Readonly<Record<string, string>>): Settings {
  const inline = inlineSettings(settings) ?? {};
  return { ...inline, env: { ...inline.env, CLAUDE_CODE_SIMPLE: '0', ...closed } };
}

/** Refuses settings that are changed while a query runs. */
export function checkSettings(settings: { readonly [name: string]: unknown }): void {
  for (const name of ['hooks', 'enabledPlugins', 'allowManagedHooksOnly', 'env'])
    if (name in settings) refuse(name, 'it cannot be changed while the query runs');
}

/** Whether a variable of the environment switches something on. */
export function isOn(value: unknown): boolean {
  return value !== undefined && !['', '0', 'false', 'no', 'off'].includes(String(value).toLowerCase());
}

/** Refuses an option by its name. */
export function refuse(name: string, why: string): never {
  throw new HooksError('INVALID_INPUT', `@hooks/claude-agent-sdk refuses the option ${name}: ${why}.`);
}
