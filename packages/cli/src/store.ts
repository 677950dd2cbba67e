import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { isStoreError, type Store } from '@hooks/store';
import { type Program, UserError } from './program.ts';

/** The store file of a command. */
export interface StoreOption {
  readonly store?: string;
}

/** Opens the existing store of an agent on this machine. */
export async function inStore<T>(
  { store: given }: StoreOption,
  program: Program,
  use: (store: Store) => Promise<T>,
): Promise<T> {
  const path = resolve(program.cwd(), given ?? program.env['HOOKS_STORE'] ?? '.hooks/store.db');
  if (!existsSync(path))
    throw new UserError(
      `There is no store at ${path}. Give the file that your agent opens with sqliteStore(path): --store <path>, or HOOKS_STORE.`,
    );
  // Load Node's SQLite only for these commands: it is slow to load and missing in old versions.
  const { sqliteStore } = await import('@hooks/store/sqlite');
  const store = sqliteStore(path);
  try {
    return await use(store);
  } catch (error) {
    if (isStoreError(error)) throw new UserError(error.message);
    throw error;
  } finally {
    await store.close();
  }
}
