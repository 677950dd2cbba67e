import { inspect } from 'node:util';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import postgres from 'postgres';
import { createClient } from 'redis';
import { expect, it } from 'vitest';
import { createStore, type Store } from '../src/index.ts';
import { postgresStore } from '../src/postgres.ts';
import { redisStore } from '../src/redis.ts';
import { sqliteStore } from '../src/sqlite.ts';

const SECRET = 'tr0ub4dor';

/** Addresses that are written wrong, so that a part of the password is somewhere else. */
const postgresAddresses = [
  `postgres://hooks:1#${SECRET}@db.invalid/hooks`,
  `postgres://hooks:1/${SECRET}@127.0.0.1/hooks`,
  `postgres://${SECRET}.invalid/hooks`,
  `postgres://hooks:${SECRET}%@127.0.0.1:1/hooks`,
  `postgres://127.0.0.1:1/hooks?host=${SECRET}.invalid`,
  `postgres://127.0.0.1:1/hooks?sslrootcert=/no/${SECRET}`,
  `postgres://hooks:[${SECRET}@127.0.0.1/hooks`,
  `host=127.0.0.1 password=${SECRET}`,
];

const redisAddresses = [
  `redis://${SECRET}.invalid`,
  `redis://:pw@127.0.0.1:1/${SECRET}`,
  `redis://:1/${SECRET}@127.0.0.1:1`,
];

const clients: readonly (readonly [string, string, (address: string) => Store])[] = [
  ...postgresAddresses.flatMap((address) => [
    [
      'pg',
      address,
      (connectionString: string) => postgresStore(new Pool({ connectionString }).on('error', () => {})),
    ] as const,
    [
      'postgres.js',
      address,
      (url: string) => postgresStore(postgres(url, { connect_timeout: 1 }), { timeoutMs: 3_000 }),
    ] as const,
  ]),
  ...redisAddresses.flatMap((address) => [
    [
      'ioredis',
      address,
      (url: string) => redisStore(new Redis(url, { maxRetriesPerRequest: 0 }).on('error', () => {})),
    ] as const,
    [
      'node-redis',
      address,
      (url: string) => {
        const client = createClient({ url, socket: { reconnectStrategy: false } }).on('error', () => {});
        client.connect().catch(() => {});
        return redisStore(client, { timeoutMs: 1_000 });
      },
    ] as const,
  ]),
];

it.each(clients)(
  'an error of a store on %s never holds a part of the address %s',
  async (_, address, open) => {
    let store: Store;
    try {
      store = open(address);
    } catch (error) {
      // The client itself refuses the address, before there is a store.
      expect(inspect(error)).not.toContain('StoreError');
      return;
    }
    const error: unknown = await store.get('key').catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ name: 'StoreError', code: expect.stringMatching(/UNREACHABLE|FAILED/) });
    expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(SECRET);
  },
);

/** A driver whose calls all reject with an error. */
function failing(error: unknown): Store {
  const act = (): Promise<never> => Promise.reject(error);
  const calls = { get: act, set: act, list: act, count: act, append: act, read: act, trim: act };
  return createStore({ name: 'the test store', ...calls });
}

it.each([
  [new Error(`getaddrinfo ENOTFOUND ${SECRET}`)],
  [Object.assign(new Error(`read ${SECRET}`), { code: 'ECONNRESET', path: SECRET })],
  [Object.assign(new Error(`odd ${SECRET}`), { code: `E ${SECRET}` })],
  [Object.assign(new Error(`odd ${SECRET}`), { code: 'SASL_SIGNATURE' })],
  [Object.assign(new Error(`odd ${SECRET}`), { name: SECRET })],
  [Object.assign(new Error(`database "${SECRET}" does not exist`), { code: '3D000', severity: 'FATAL' })],
  [new Error(`ERR unknown command 'AUTH', with args beginning with: '${SECRET}'`)],
  [new AggregateError([new Error(SECRET)], SECRET)],
  [new Error('changed', { cause: new Error(SECRET) })],
  [Object.assign(new Error(SECRET), { message: 'changed later' })],
  [SECRET],
  [{ message: SECRET }],
])('an error of a store does not repeat what its client wrote: %o', async (thrown) => {
  const error: unknown = await failing(thrown)
    .get('key')
    .catch((each: unknown) => each);
  expect(error).toMatchObject({ name: 'StoreError' });
  expect(inspect(error, { depth: 10, showHidden: true })).not.toContain(SECRET);
});

it('an error of a store says what is known: the reason, the code and where it was thrown', async () => {
  const thrown = Object.assign(new Error(`getaddrinfo ENOTFOUND ${SECRET}`), { code: 'ENOTFOUND' });
  const error: unknown = await failing(thrown)
    .get('key')
    .catch((each: unknown) => each);
  expect(error).toMatchObject({
    message: 'The test store failed: no such host (ENOTFOUND)',
    cause: {
      code: 'ENOTFOUND',
      message: 'no such host (ENOTFOUND)',
      stack: expect.stringMatching(/^Error: no such host \(ENOTFOUND\)\n {4}at .*secrets\.test\.ts/),
    },
  });
});

it('the words of a Postgres server that has let the client in are repeated', async () => {
  const message = 'relation "hooks.entries" does not exist';
  const thrown = Object.assign(new Error(message), { severity: 'ERROR', code: '42P01' });
  await expect(failing(thrown).get('key')).rejects.toThrow(`The test store failed: ${message}`);
});

it.each([
  () => postgresStore(new Pool(), { schema: `a?password=${SECRET}` }),
  () => redisStore({ eval: async () => {}, evalsha: async () => {} }, { prefix: `a?password=${SECRET}` }),
  () => sqliteStore(`host=127.0.0.1/${SECRET}`),
  () => sqliteStore(`//hooks:${SECRET}@127.0.0.1/hooks`),
])('the name of a store holds no part of an address that it was given', (open) => {
  let shown = '';
  try {
    shown = open().name;
  } catch (error) {
    shown = inspect(error);
  }
  expect(shown).toMatch(/store/i);
  expect(shown).not.toContain(SECRET);
});
