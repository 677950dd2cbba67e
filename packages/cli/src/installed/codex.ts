import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readText } from '@hooks/config/protocol';
import { parse } from 'smol-toml';
import { type InstalledHook, installedHooks, type Settings } from './settings.ts';

/**
 * The events whose hooks Codex skips because its user has not trusted them. The user's `config.toml` has the hash of each
 * trusted hook by its position.
 */
export async function untrustedByCodex(
  path: string,
  settings: Settings,
  config: string = join(dirname(path), 'config.toml'),
): Promise<readonly string[]> {
  const { hooks } = await readConfig(config);
  const state = Object(Object(hooks).state);
  const paths = [path, realpathSync(path)];
  const isTrusted = (hook: InstalledHook): boolean =>
    paths.some((file) => {
      const { trusted_hash, enabled } = Object(state[`${file}:${label(hook)}:${hook.group}:${hook.index}`]);
      return trusted_hash === hashOf(hook) && enabled !== false;
    });
  return installedHooks(settings, 'codex')
    .filter((hook) => !isTrusted(hook))
    .map(({ event }) => event);
}

/** How a user keeps the model from typing into a command that hooks have allowed. */
export const HOW_TO_STOP_TYPING =
  'Codex runs no hook for input that the model types into a running command: set `unified_exec_tty = false` under [features] in its config.toml';

/** Whether the model may type into a running command. */
export async function letsModelType(config: string): Promise<boolean> {
  const { features } = await readConfig(config);
  return Object(features).unified_exec_tty !== false;
}

async function readConfig(config: string): Promise<Readonly<Record<string, unknown>>> {
  return existsSync(config) ? parse(readText(config)) : {};
}

/** The name of the event in `config.toml`: `PreToolUse` is `pre_tool_use`. */
function label({ event }: InstalledHook): string {
  return event.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
}

/** Codex's hash of a hook without a matcher: of canonical JSON with Codex's defaults. */
function hashOf(hook: InstalledHook): string {
  const { command, timeout = 600 } = hook;
  const identity = { event_name: label(hook), hooks: [{ async: false, command, timeout, type: 'command' }] };
  return `sha256:${createHash('sha256').update(JSON.stringify(identity)).digest('hex')}`;
}
