import { homedir } from 'node:os';
import { join } from 'node:path';

/** The directory of trust decisions. Whoever can write there can run anything. */
export function userDirectory(): string {
  return join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'hooks');
}
