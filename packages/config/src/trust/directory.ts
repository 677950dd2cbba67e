import { homedir } from 'node:os';
import { join } from 'node:path';

/** Where a user's word about files is kept; whoever may write there may run anything. */
export function userDirectory(): string {
  return join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'hooks');
}
