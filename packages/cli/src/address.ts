import { type Program, UserError } from './program.ts';

/** What `--store` accepts, for the help. */
export const STORE_FORMS = 'a SQLite file, postgres://…, redis://…, or $NAME of a variable that has one';

/** A text that names a store, and the argument or variable that has it. */
export interface NamedStore {
  readonly name: string;
  readonly given: string;
}

/** Where a store is. */
export type Address = FileAddress | ServerAddress;

interface FileAddress {
  readonly kind: 'file';
  readonly path: string;
}

/** The address of a server. */
export interface ServerAddress {
  readonly kind: 'postgres' | 'redis';
  /** The address without our own option. */
  readonly url: string;
  /** Our own option of the address: the schema of Postgres, the prefix of Redis. */
  readonly option?: string;
  /** `host 127.0.0.1, port 5432`, if it says so. */
  readonly at?: string;
}

/** The store that a command uses: that of `--store`, of HOOKS_STORE, or the usual file. */
export function namedStore(given: string | undefined, { env }: Pick<Program, 'env'>): NamedStore | undefined {
  if (given !== undefined) return { name: '--store', given };
  const variable = env['HOOKS_STORE'];
  return variable === undefined ? undefined : { name: 'HOOKS_STORE', given: variable };
}

const SERVERS = {
  postgres: { option: 'schema', port: '5432' },
  redis: { option: 'prefix', port: '6379' },
} as const;

/**
 * Reads the address of a store. This is the only place that says what its host, port, schema or prefix is.
 *
 * @throws UserError where it cannot be read for certain; it repeats nothing of the address
 */
export function readAddress(store: NamedStore, program: Pick<Program, 'env'>): Address {
  const { name } = store;
  const text = addressIn(store, program);
  const kind = /^postgres(?:ql)?:\/\//i.test(text)
    ? 'postgres'
    : /^rediss?:\/\//i.test(text)
      ? 'redis'
      : 'file';
  if (kind === 'file') return { kind, path: text };
  const behindHost = text.replace(/^\w+:\/\/[^/?#]*/, '');
  // Where a password has one of these, the host would be a part of it.
  const isClear = !/[@#]|\?.*\?/.test(behindHost) && URL.canParse(text) && isEncoded(text);
  if (!isClear)
    throw new UserError(
      `${name}: the address of ${kind === 'redis' ? 'Redis' : 'Postgres'} cannot be read; expected ${kind}://user:password@host:port/…, with these signs of a name or password encoded: % as %25, @ as %40, / as %2F, ? as %3F, # as %23, : as %3A`,
    );
  const url = new URL(text);
  const { hostname, searchParams } = url;
  const { option: field, port } = SERVERS[kind];
  const option = searchParams.get(field) ?? undefined;
  searchParams.delete(field);
  const isElsewhere = hostname === '' || searchParams.has('host');
  return {
    kind,
    url: option === undefined ? text : url.href,
    ...(option !== undefined && { option }),
    ...(!isElsewhere && { at: `host ${hostname}, port ${url.port || port}` }),
  };
}

/** The address that `$NAME` stands for: every user of a machine sees the arguments of its processes. */
export function addressIn({ name, given }: NamedStore, { env }: Pick<Program, 'env'>): string {
  const [, variable] = /^\$(\w+)$/.exec(given) ?? [];
  if (variable === undefined) return given;
  const address = env[variable];
  if (!address) throw new UserError(`${name}: the variable ${variable} is not set`);
  return address;
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}
