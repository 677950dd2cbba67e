import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { parse } from 'smol-toml';
import { type InstalledHook, installedHooks, type Settings } from './settings.ts';

/**
 * The events whose hooks Codex skips, as it runs only what its user has trusted: `config.toml` beside its `hooks.json`
 * remembers the hash of each hook by its place.
 */
export async function untrustedByCodex(path: string, settings: Settings): Promise<readonly string[]> {
  const { hooks } = await readConfig(path);
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

/** What Codex's user has to do so that a model types nothing into a command that hooks have let run. */
export const HOW_TO_STOP_TYPING =
  'Codex asks no hook about what is typed into a command that still runs: set `unified_exec_tty = false` under [features] in its config.toml';

/** Whether a model may type. */
export async function letsModelType(path: string): Promise<boolean> {
  const { features } = await readConfig(path);
  return Object(features).unified_exec_tty !== false;
}

/** Codex's `config.toml`, beside its `hooks.json`. */
async function readConfig(path: string): Promise<Readonly<Record<string, unknown>>> {
  const config = join(dirname(path), 'config.toml');
  return existsSync(config) ? parse(await readFile(config, 'utf8')) : {};
}

/** `PreToolUse` is `pre_tool_use` there. */
function label({ event }: InstalledHook): string {
  return event.replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
}

/** The hash that Codex takes of a hook without a matcher: of canonical JSON, with what it sets by default. */
function hashOf(hook: InstalledHook): string {
  const { command, timeout = 600 } = hook;
  const identity = { event_name: label(hook), hooks: [{ async: false, command, timeout, type: 'command' }] };
  return `sha256:${createHash('sha256').update(JSON.stringify(identity)).digest('hex')}`;
}
