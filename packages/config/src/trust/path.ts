import { realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/**
 * The path under which a file is trusted: its folder's real path and its own name. A link is a file of its own, because a
 * workspace could link to a policy that is trusted for another one.
 */
export function trustedPath(path: string): string {
  return join(realpathSync(dirname(path)), basename(path));
}
