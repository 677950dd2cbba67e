import type { HookProvider } from '@hooks/core';
import { git } from '../git.ts';
import { fs, os, runtime } from '../node.ts';
import { checkOptions } from '../options.ts';
import { CONTEXT, type ContextOptions, eachTurn, onceASession } from './contributor.ts';

/**
 * Tells the model the date at each turn, in this machine's time zone: `Today's date: 2026-11-21`.
 *
 * @example
 * ```ts
 * hooks.use(addDate());
 * ```
 */
export function addDate(): HookProvider {
  return eachTurn('add_date', {}, () => {
    const now = new Date();
    const two = (value: number): string => String(value).padStart(2, '0');
    return `Today's date: ${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
  });
}

/**
 * Tells the model, once per session, its working directory, whether that is a git repository, the operating system and
 * the CPU architecture.
 *
 * @example
 * ```ts
 * hooks.use(addEnvironmentInfo());
 * ```
 */
export function addEnvironmentInfo(options: ContextOptions = {}): HookProvider {
  options = checkOptions('addEnvironmentInfo', options, CONTEXT);
  return onceASession('add_environment_info', options, async ({ cwd, signal }) => {
    const inside = await git(['rev-parse', '--is-inside-work-tree'], { cwd, signal });
    return [
      'The environment that you run in:',
      `Working directory: ${cwd}`,
      `Is a git repository: ${inside?.trim() === 'true' ? 'yes' : 'no'}`,
      `Operating system: ${os().platform()} ${os().release()}`,
      `CPU architecture: ${runtime().arch}`,
    ].join('\n');
  });
}

/**
 * Tells the model, once per session, who uses this machine: user name, full name if the system has it, host name.
 *
 * @example
 * ```ts
 * hooks.use(addUserInfo());
 * ```
 */
export function addUserInfo(): HookProvider {
  return onceASession('add_user_info', {}, async () => {
    const { username } = os().userInfo();
    const fullName = await fullNameOf(username);
    const user = fullName === undefined ? username : `${username} (${fullName})`;
    return `User: ${user}\nHostname: ${os().hostname()}`;
  });
}

/** The name in the comment field of /etc/passwd. Systems that store users elsewhere have none. */
async function fullNameOf(username: string): Promise<string | undefined> {
  const users = await fs()
    .readFile('/etc/passwd', 'utf8')
    .catch(() => '');
  const line = users.split('\n').find((user) => user.startsWith(`${username}:`));
  return line?.split(':')[4]?.split(',')[0] || undefined;
}
