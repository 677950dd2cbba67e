import { resolve } from 'node:path';
import type { Store } from '@hooks/store';

/**
 * The store in a file that a file of hooks names.
 *
 * @throws StoreError `INVALID` where it is no path: another store's URL holds a password
 * @throws Error where it is in memory: under `hooks run` each event is a process, so a limit would never be reached
 */
export async function storeAt(path: string, storesIn: string): Promise<Store> {
  // Only for a store: Node's SQLite is slow to load.
  const { sqliteStore } = await import('@hooks/store/sqlite');
  if (path === ':memory:')
    throw new Error('store needs a file, which processes share; what is kept in memory needs no store');
  // As it was written. Behind a folder, a URL would look like a path.
  sqliteStore(path);
  checkVariables('store', path);
  return sqliteStore(resolve(storesIn, path));
}

/**
 * A file of hooks replaces no variables: with `/srv/${TENANT}`, all tenants would share a folder of that name.
 *
 * @throws Error where a path has `${…}`, unless it begins with `./`, as names of files do that look like something else
 */
export function checkVariables(field: string, path: string): void {
  if (/^(?!\.\/).*\$[{(]/s.test(path))
    throw new Error(
      `${field} needs a path without variables, which nothing replaces. Where it is the name of a file, begin with \`./\`.`,
    );
}
