import type { Options, Settings } from '@anthropic-ai/claude-agent-sdk';
import { HooksError } from '@hooks/core';
import type { ApprovalResponse } from './options.ts';

/**
 * Refuses options with which something goes round the hooks.
 *
 * @throws HooksError `INVALID_INPUT`
 */
export function checkOptions(options: Options): void {
  const { extraArgs = {}, env = process.env, settings, managedSettings = {}, settingSources } = options;
  // An argument may bring its value in its name: `settings={}`.
  const args = new Set(Object.keys(extraArgs).map((name) => name.split('=')[0]));
  if (args.has('bare')) refuse('extraArgs.bare', 'Claude Code then asks no hook at all; leave it out');
  const inline = typeof settings === 'object' ? settings : {};
  for (const from of [env, inline.env ?? {}])
    if (isOn(from['CLAUDE_CODE_SIMPLE']))
      refuse('CLAUDE_CODE_SIMPLE', 'Claude Code then asks no hook at all; unset it in `env`');
  for (const name of ['settings', 'managed-settings', 'setting-sources', 'plugin-dir', 'plugin-url'])
    if (args.has(name))
      refuse(`extraArgs.${name}`, 'use the option of the SDK, so that hooks know what is loaded');
  for (const name of ['resume', 'continue', 'from-pr', 'teleport', 'session-id', 'fork-session'])
    if (args.has(name))
      refuse(`extraArgs.${name}`, 'use the option of the SDK, so that hooks know the session');
  const closed =
    inline.disableAllHooks === true ||
    managedSettings.disableAllHooks === true ||
    managedSettings.allowManagedHooksOnly === true;
  if (closed) return;
  if (settingSources === undefined || settingSources.length > 0)
    refuse('settingSources', `hooks in settings files ${REWRITE}, or set \`settingSources: []\``);
  if ((options.plugins ?? []).length > 0) refuse('plugins', `hooks of plugins ${REWRITE}`);
  if (typeof settings === 'string') refuse('settings', `hooks in a settings file ${REWRITE}`);
  if (inline.hooks !== undefined) refuse('settings.hooks', `such hooks ${REWRITE}`);
}

const REWRITE =
  'could rewrite a call after your hooks have decided on it. To leave them out, set `managedSettings: { allowManagedHooksOnly: true }`';

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

/**
 * The environment of a query. A session that is resumed runs the call that waits as soon as it starts, and sometimes
 * before it knows the hooks: without an answer, it must not.
 */
export function closedEnvironment(
  { env = process.env, resume }: Options,
  answers: readonly ApprovalResponse[],
): NonNullable<Options['env']> {
  return resume === undefined || answers.length > 0
    ? env
    : { ...env, CLAUDE_CODE_DISABLE_DEFERRED_TOOL_RESUME: '1' };
}

/** Refuses settings that are changed while a query runs. */
export function checkSettings(settings: { readonly [name: string]: unknown }): void {
  for (const name of ['hooks', 'enabledPlugins', 'allowManagedHooksOnly', 'env'])
    if (name in settings) refuse(name, 'it cannot be changed while the query runs');
}

function isOn(value: unknown): boolean {
  return value !== undefined && !['', '0', 'false', 'no', 'off'].includes(String(value).toLowerCase());
}

function refuse(name: string, why: string): never {
  throw new HooksError('INVALID_INPUT', `@hooks/claude-agent-sdk refuses the option ${name}: ${why}.`);
}
