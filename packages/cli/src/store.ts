import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { isStoreError, type Store, whyNoPath } from '@hooks/store';
import {
  type Address,
  type NamedStore,
  namedStore,
  readAddress,
  type ServerAddress,
  STORE_FORMS,
} from './address.ts';
import { whereIs } from './paths.ts';
import { type Program, UserError } from './program.ts';

/** The store of a command. */
export interface StoreOption {
  readonly store?: string;
}

/** The usual file of a store. */
export const USUAL_STORE: NamedStore = { name: '--store', given: '.hooks/store.db' };

/** Opens the existing store of an agent. */
export async function inStore<T>(
  { store: given }: StoreOption,
  program: Program,
  use: (store: Store) => Promise<T>,
): Promise<T> {
  const named = namedStore(given, program) ?? USUAL_STORE;
  await using store = await openStore(named, program);
  try {
    return await use(store);
  } catch (error) {
    throw naming(named, error, readAddress(named, program));
  }
}

/** Adds the argument, the host and the port to the error of a store that does not work. */
function naming({ name }: NamedStore, error: unknown, address: Address): unknown {
  if (!isStoreError(error) || error.code === 'INVALID') return error;
  const { code, message } = error;
  const isLost = code === 'UNREACHABLE' || code === 'DENIED';
  const at = isLost && address.kind !== 'file' && address.at !== undefined ? `; ${address.at}` : '';
  return new UserError(`${name}: ${message.charAt(0).toLowerCase()}${message.slice(1)}${at}`);
}

/**
 * Opens a store by its address. Closing it ends its connection.
 *
 * @param canBeNew whether a file is made where there is none
 * @throws UserError where there is no such file, or the client of a server is not installed; it holds no password
 */
export async function openStore(named: NamedStore, program: Program, canBeNew = false): Promise<Store> {
  const address = readAddress(named, program);
  if (address.kind !== 'file')
    return address.kind === 'postgres' ? openPostgres(address, named) : openRedis(address, named);
  const path = resolve(program.cwd(), address.path);
  if (!existsSync(path) && named === USUAL_STORE)
    throw new UserError(
      `There is no store at ${path}. Give the one that your agent opens, with --store or HOOKS_STORE: ${STORE_FORMS}.`,
    );
  if (!existsSync(path) && !(canBeNew && whyNoPath(address.path) === undefined))
    throw new UserError(
      `${named.name}: neither an address of Postgres or Redis, nor a file ${whereIs(path)}; expected the store that your agent opens: ${STORE_FORMS}`,
    );
  // Load Node's SQLite only for these commands: it is slow to load and missing in old versions.
  const { sqliteStore } = await import('@hooks/store/sqlite');
  return sqliteStore(path);
}

async function openPostgres({ url, option: schema }: ServerAddress, named: NamedStore): Promise<Store> {
  const pg = await import('pg').catch(missing('pg', named));
  const { postgresStore } = await import('@hooks/store/postgres');
  if (schema !== undefined && !/^[a-z_][a-z0-9_]{0,50}$/.test(schema))
    throw new UserError(
      `${named.name}: "?schema=" takes at most 51 lower-case letters, digits and underscores`,
    );
  const pool = new pg.default.Pool({ connectionString: url, max: 2 });
  pool.on('error', () => {}); // Calls of the store say it.
  return closing(postgresStore(pool, schema === undefined ? {} : { schema }), () => pool.end());
}

async function openRedis({ url, option: prefix }: ServerAddress, named: NamedStore): Promise<Store> {
  const { Redis } = await import('ioredis').catch(missing('ioredis', named));
  const { redisStore } = await import('@hooks/store/redis');
  const client = new Redis(url, { maxRetriesPerRequest: 1 });
  client.on('error', () => {}); // Calls of the store say it.
  return closing(redisStore(client, prefix === undefined ? {} : { prefix }), async () => client.disconnect());
}

function missing(name: string, named: NamedStore): (error: unknown) => never {
  return (error) => {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    if (!isMissing) throw error;
    throw new UserError(
      `${named.name}: this store needs the package ${name} beside @hooks/cli: npm install ${name}`,
    );
  };
}

/** A store that ends its client when it is closed. */
function closing(inner: Store, end: () => Promise<void>): Store {
  const close = async (): Promise<void> => {
    await inner.close();
    await end();
  };
  return { ...inner, close, [Symbol.asyncDispose]: close };
}
