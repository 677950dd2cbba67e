import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { isStoreError, type Store } from '@hooks/store';
import { messageOf, type Program, UserError } from './program.ts';

/** The store of a command. */
export interface StoreOption {
  readonly store?: string;
}

/** What `--store` accepts, for the help. */
export const STORE_FORMS = 'a SQLite file, postgres://…, redis://…, or $NAME of a variable that has one';

/** Opens the existing store of an agent. */
export async function inStore<T>(
  { store: given }: StoreOption,
  program: Program,
  use: (store: Store) => Promise<T>,
): Promise<T> {
  await using store = await openStore(given ?? program.env['HOOKS_STORE'] ?? '.hooks/store.db', program);
  try {
    return await use(store);
  } catch (error) {
    if (isStoreError(error)) throw new UserError(error.message);
    throw error;
  }
}

/**
 * Opens a store by its address. Closing it ends its connection.
 *
 * @param canBeNew whether a file is made where there is none
 * @throws UserError where there is no such file, or the client of a server is not installed; it holds no password
 */
export async function openStore(given: string, program: Program, canBeNew = false): Promise<Store> {
  const address = addressIn(given, program);
  if (/^postgres(ql)?:\/\//i.test(address)) return openPostgres(address);
  if (/^rediss?:\/\//i.test(address)) return openRedis(address);
  const scheme = /^([a-z][a-z0-9+.-]*):\/\//i.exec(address)?.[1];
  if (scheme !== undefined)
    throw new UserError(`--store: a store cannot be at ${scheme}://; give ${STORE_FORMS}.`);
  const path = resolve(program.cwd(), address);
  if (!canBeNew && !existsSync(path))
    throw new UserError(
      `There is no store at ${path}. Give the one that your agent opens, with --store or HOOKS_STORE: ${STORE_FORMS}.`,
    );
  // Load Node's SQLite only for these commands: it is slow to load and missing in old versions.
  const { sqliteStore } = await import('@hooks/store/sqlite');
  return sqliteStore(path);
}

/** The address that `$NAME` stands for: every user of a machine sees the arguments of its processes. */
export function addressIn(given: string, { env }: Program): string {
  const [, name] = /^\$(\w+)$/.exec(given) ?? [];
  if (name === undefined) return given;
  const address = env[name];
  if (!address) throw new UserError(`--store ${given}: ${name} is not set`);
  return address;
}

async function openPostgres(address: string): Promise<Store> {
  const { rest, option: schema } = splitOption(address, 'schema');
  const pg = await import('pg').catch(missing('pg', 'postgres'));
  const { postgresStore } = await import('@hooks/store/postgres');
  const pool = new pg.default.Pool({ connectionString: rest, max: 2 });
  pool.on('error', () => {}); // Calls of the store say it.
  return closing(
    await orUserError(async () => postgresStore(pool, schema === undefined ? {} : { schema })),
    () => pool.end(),
  );
}

async function openRedis(address: string): Promise<Store> {
  const { rest, option: prefix } = splitOption(address, 'prefix');
  const { Redis } = await import('ioredis').catch(missing('ioredis', 'redis'));
  const { redisStore } = await import('@hooks/store/redis');
  const client = new Redis(rest, { maxRetriesPerRequest: 1 });
  client.on('error', () => {}); // Calls of the store say it.
  return closing(redisStore(client, prefix === undefined ? {} : { prefix }), async () => client.disconnect());
}

/** Takes an option of ours, such as `?schema=agents`, from an address. */
function splitOption(address: string, name: string): { readonly rest: string; readonly option?: string } {
  if (!URL.canParse(address))
    throw new UserError(`--store: the address cannot be read; expected ${STORE_FORMS}.`);
  const url = new URL(address);
  const option = url.searchParams.get(name);
  if (option === null) return { rest: address };
  url.searchParams.delete(name);
  return { rest: url.href, option };
}

function missing(name: string, scheme: string): (error: unknown) => never {
  return (error) => {
    const isMissing = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    if (!isMissing) throw error;
    throw new UserError(
      `--store ${scheme}://…: needs the package ${name} beside @hooks/cli: npm install ${name}`,
    );
  };
}

async function orUserError<T>(work: () => Promise<T>): Promise<T> {
  return work().catch((error: unknown) => {
    throw isStoreError(error) ? new UserError(messageOf(error)) : error;
  });
}

/** A store that ends its client when it is closed. */
function closing(inner: Store, end: () => Promise<void>): Store {
  const close = async (): Promise<void> => {
    await inner.close();
    await end();
  };
  return { ...inner, close, [Symbol.asyncDispose]: close };
}
