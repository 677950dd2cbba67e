import { resolve } from 'node:path';
import { type Store, whyNoPath } from '@hooks/store';

/**
 * The store in a file that a file of hooks names.
 *
 * @throws Error where it is no file that processes share
 */
export async function storeAt(path: string, storesIn: string): Promise<Store> {
  const problem = whyNoStore(path);
  if (problem !== undefined) throw new Error(`store ${problem}`);
  // Only for a store: Node's SQLite is slow to load.
  const { sqliteStore } = await import('@hooks/store/sqlite');
  return sqliteStore(resolve(storesIn, path));
}

/** Why a text names no file for a store. Another store's URL holds a password, and what is in memory is in one process. */
export function whyNoStore(path: string): string | undefined {
  if (path === ':memory:')
    return 'needs a file, which processes share; what is kept in memory needs no store';
  return whyNoFolder(path);
}

/** Why a text is no path. It is checked as written: behind a folder, a URL would look like a path. */
export function whyNoFolder(path: string): string | undefined {
  if (path === '' || path.includes('\0')) return 'needs a path, such as `.hooks/state`.';
  const problem = whyNoPath(path);
  if (problem !== undefined) return `needs ${problem}`;
  // Nothing replaces variables here: with `/srv/${TENANT}`, all tenants would share a folder of that name.
  if (/^(?!\.\/).*\$[{(]/s.test(path))
    return 'needs a path without variables, which nothing replaces. Where it is the name of a file, begin with `./`.';
  return undefined;
}
