import { resolve } from 'node:path';
import type { Store } from '@hooks/store';

/**
 * The store in a file that a file of hooks names.
 *
 * @throws StoreError `INVALID` where it is no path: another store's URL holds a password
 */
export async function storeAt(path: string, storesIn: string): Promise<Store> {
  // Only for a store: Node's SQLite is slow to load.
  const { sqliteStore } = await import('@hooks/store/sqlite');
  // As it was written. Behind a folder, a URL would look like a path.
  const asWritten = sqliteStore(path);
  return path === ':memory:' ? asWritten : sqliteStore(resolve(storesIn, path));
}
