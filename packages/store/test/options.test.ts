import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { inbox, rememberApprovals } from '../src/approvals/index.ts';
import { createStore, memoryStore } from '../src/index.ts';
import { postgresStore } from '../src/postgres.ts';
import { redisStore } from '../src/redis.ts';
import { sqliteStore } from '../src/sqlite.ts';

const store = memoryStore();
const client = {} as never;

/** Each function that takes options, with those that it needs. */
const functions: readonly [string, object, (options: never) => unknown][] = [
  ['memoryStore', {}, memoryStore],
  ['sqliteStore', { timeoutMs: 5 }, (options) => sqliteStore(':memory:', options)],
  ['redisStore', { timeoutMs: 5, prefix: 'mine:' }, (options) => redisStore(client, options)],
  ['postgresStore', { timeoutMs: 5, schema: 'mine' }, (options) => postgresStore(client, options)],
  ['createStore', { timeoutMs: 5 }, (options) => createStore(client, options)],
  ['inbox', { store, deadlineMs: 5, pollMs: 5 }, inbox],
  ['rememberApprovals', { store }, rememberApprovals],
];

test.each(functions)('%s refuses an option that does not exist, and names it', (name, needed, call) => {
  const refused = expect.objectContaining({
    code: 'INVALID',
    message: expect.stringContaining(`${name}: deadline is unknown; `),
  });
  for (const options of [
    { ...needed, deadline: 5 },
    { ...needed, deadline: undefined },
    Object.assign(Object.create({ deadline: 5 }), needed),
    Object.assign(runInNewContext('({ deadline: 5 })'), needed),
  ])
    expect(() => call(options as never)).toThrow(refused);
});

test.each(functions)(
  '%s takes options that are frozen, inherited, or of another realm',
  (_, needed, call) => {
    for (const options of [
      Object.freeze({ ...needed }),
      Object.create(needed),
      Object.assign(Object.create(null), needed),
      Object.assign(runInNewContext('({})'), needed),
    ])
      expect(() => call(options as never)).not.toThrow();
  },
);

test.each(functions)('%s refuses options that are no object', (name, _, call) => {
  for (const options of [null, 5, 'state.db', [], new Map(), () => {}])
    expect(() => call(options as never)).toThrow(`${name}: the options are `);
});

test.each([
  ['inbox', inbox],
  ['rememberApprovals', rememberApprovals],
])('%s without a store is refused', (_, of: (options: never) => unknown) => {
  for (const store of [undefined, null, {}, './state.db'])
    expect(() => of({ store } as never)).toThrow(expect.objectContaining({ code: 'INVALID' }));
});
