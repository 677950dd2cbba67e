import { readFile } from 'node:fs/promises';
import { hostname, platform, release, userInfo } from 'node:os';
import type { HookProvider } from '@hooks/core';
import { git } from '../git.ts';
import { type ContextOptions, onceASession } from './contributor.ts';

/**
 * Tells the model once a session where it works: working directory, whether that is a git repository, operating system
 * and CPU architecture.
 *
 * @example
 * ```ts
 * hooks.use(addEnvironmentInfo());
 * ```
 */
export function addEnvironmentInfo(options: ContextOptions = {}): HookProvider {
  return onceASession('add_environment_info', options, async ({ cwd, signal }) => {
    const inside = await git(['rev-parse', '--is-inside-work-tree'], { cwd, signal });
    return [
      'The environment that you run in:',
      `Working directory: ${cwd}`,
      `Is a git repository: ${inside?.trim() === 'true' ? 'yes' : 'no'}`,
      `Operating system: ${platform()} ${release()}`,
      `CPU architecture: ${process.arch}`,
    ].join('\n');
  });
}

/**
 * Tells the model once a session who uses this machine: user name, full name where the system knows it, host name.
 *
 * @example
 * ```ts
 * hooks.use(addUserInfo());
 * ```
 */
export function addUserInfo(): HookProvider {
  return onceASession('add_user_info', {}, async () => {
    const { username } = userInfo();
    const fullName = await fullNameOf(username);
    const user = fullName === undefined ? username : `${username} (${fullName})`;
    return `User: ${user}\nHostname: ${hostname()}`;
  });
}

/** From the comment field of /etc/passwd; systems that keep users elsewhere tell none. */
async function fullNameOf(username: string): Promise<string | undefined> {
  const users = await readFile('/etc/passwd', 'utf8').catch(() => '');
  const line = users.split('\n').find((user) => user.startsWith(`${username}:`));
  return line?.split(':')[4]?.split(',')[0] || undefined;
}
