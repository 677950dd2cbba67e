import type { Options } from '@anthropic-ai/claude-agent-sdk';
import { inlineSettings, isOn, refuse } from '../refuse.ts';

/** Ways to a model that do not lead over `ANTHROPIC_BASE_URL`. */
const PAST: readonly string[] = [
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
  for (const name of PAST)
    if (isOn(all[name]))
      refuse(
        name,
        "with `models: 'proxy'`, hooks see calls of the Anthropic API only; unset it, or leave out `models`",
      );
  const { ANTHROPIC_BASE_URL: base } = all;
  return base === undefined || base === '' ? 'https://api.anthropic.com' : base;
}

/**
 * Options of the SDK that its types do not have: settings go to Claude Code by its input. Every user of the machine can read
 * a command line, and would find the token of the proxy there.
 */
const BY_STDIN: object = { settingsDelivery: 'initialize', managedSettingsDelivery: 'initialize' };

/** The options with which Claude Code sends its requests to the proxy, whatever settings files say. */
export function throughProxy(options: Options, url: string): Options {
  const { env = {}, settings, managedSettings } = options;
  const all = { ...env, ...inlineSettings(settings)?.env };
  // Nor over a proxy of the company's.
  const hosts = [all['NO_PROXY'] ?? all['no_proxy'], '127.0.0.1'].filter(Boolean).join(',');
  const own = {
    ...Object.fromEntries(PAST.map((name) => [name, ''])),
    ANTHROPIC_BASE_URL: url,
    NO_PROXY: hosts,
    no_proxy: hosts,
  };
  return {
    ...options,
    ...BY_STDIN,
    env: { ...env, ...own },
    settings: { ...inlineSettings(settings), env: { ...inlineSettings(settings)?.env, ...own } },
    managedSettings: { ...managedSettings, env: { ...managedSettings?.env, ...own } },
  };
}
