import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { withParents } from '../folders.ts';

/**
 * The settings of a workspace that set a variable of an agent's hooks, over that of whoever started the agent: so a checked-out
 * repository could say who its user is.
 *
 * @param folders where the workspace may be; the folders above them count, too
 */
export function setByWorkspace(
  name: string,
  settings: readonly string[],
  folders: readonly string[],
  home: string = homedir(),
): string | undefined {
  const places = new Set(folders.flatMap(withParents));
  // Those of the home are the user's own.
  places.delete(home);
  const files = [...places].flatMap((folder) => settings.map((file) => join(folder, file)));
  return files.find((file) => existsSync(file) && maySet(file, name));
}

/** Settings that cannot be read may set any. */
function maySet(file: string, name: string): boolean {
  try {
    const { env } = Object(JSON.parse(readFileSync(file, 'utf8')));
    return Object.hasOwn(Object(env), name);
  } catch {
    return true;
  }
}
