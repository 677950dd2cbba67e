import type { Options } from '@anthropic-ai/claude-agent-sdk';
import { inlineSettings, isOn, refuse } from '../refuse.ts';

/** Variables that send requests elsewhere than to `ANTHROPIC_BASE_URL`. */
const OTHER_APIS: readonly string[] = [
  ...['BEDROCK', 'VERTEX', 'FOUNDRY', 'MANTLE', 'ANTHROPIC_AWS', 'ANTHROPIC_GOOGLE_CLOUD', 'GATEWAY'].map(
    (name) => `CLAUDE_CODE_USE_${name}`,
  ),
  'ANTHROPIC_UNIX_SOCKET',
];

/**
 * The base URL of the API that Claude Code would use.
 *
 * @throws HooksError `INVALID_INPUT` if it would not use one, so that the proxy would see nothing
 */
export function upstreamOf({ env = process.env, settings, managedSettings }: Options): string {
  const all = { ...env, ...inlineSettings(settings)?.env, ...managedSettings?.env };
  for (const name of OTHER_APIS)
    if (isOn(all[name]))
      refuse(
        name,
        "with `models: 'proxy'`, hooks see calls of the Anthropic API only; unset it, or leave out `models`",
      );
  const { ANTHROPIC_BASE_URL: base } = all;
  return base === undefined || base === '' ? 'https://api.anthropic.com' : base;
}

/**
 * Options that the types of the SDK lack. Settings then reach Claude Code by its input: every user of the machine can read a
 * command line, and would find the token of the proxy there.
 */
const BY_STDIN: object = { settingsDelivery: 'initialize', managedSettingsDelivery: 'initialize' };

/** The options with which Claude Code sends its requests to the proxy, whatever settings files say. */
export function throughProxy(options: Options, url: string): Options {
  const { env = {}, managedSettings } = options;
  const settings = inlineSettings(options.settings);
  const all = { ...env, ...settings?.env };
  // A proxy that the environment names must not get these requests.
  const hosts = [all['NO_PROXY'] ?? all['no_proxy'], '127.0.0.1'].filter(Boolean).join(',');
  const own = {
    ...Object.fromEntries(OTHER_APIS.map((name) => [name, ''])),
    ANTHROPIC_BASE_URL: url,
    NO_PROXY: hosts,
    no_proxy: hosts,
  };
  return {
    ...options,
    ...BY_STDIN,
    env: { ...env, ...own },
    settings: { ...settings, env: { ...settings?.env, ...own } },
    managedSettings: { ...managedSettings, env: { ...managedSettings?.env, ...own } },
  };
}
