import { homedir, userInfo } from 'node:os';
import { isAbsolute, join } from 'node:path';

/**
 * The directory of trust decisions. Whoever can write there can run anything, so a relative path, as from an empty HOME,
 * does not count: it would lie in the workspace.
 */
export function userDirectory(): string {
  const { XDG_CONFIG_HOME: config = '' } = process.env;
  if (isAbsolute(config)) return join(config, 'hooks');
  const home = homedir();
  return join(isAbsolute(home) ? home : userInfo().homedir, '.config', 'hooks');
}
