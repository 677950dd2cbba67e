import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';

/** Where a path leads on this machine. Of a path that does not exist, the nearest folder that does is followed. */
export function followLinks(path: string): string {
  let folder = path.replace(/^~(?=\/|$)/, homedir());
  let rest = '';
  for (let i = 0; i < 64; i++) {
    try {
      return join(realpathSync(folder), rest);
    } catch {
      const parent = dirname(folder);
      if (parent === folder) break;
      rest = join(basename(folder), rest);
      folder = parent;
    }
  }
  return path;
}
