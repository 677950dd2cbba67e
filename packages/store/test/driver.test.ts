import { setTimeout } from 'node:timers/promises';
import { inspect } from 'node:util';
import { expect, it } from 'vitest';
import { createStore, isStoreError, type StoreDriver } from '../src/index.ts';

/** A driver whose calls all do the same. */
function driverThat(act: () => Promise<never>, rest: Partial<StoreDriver> = {}): StoreDriver {
  return {
    name: 'the test store',
    get: act,
    set: act,
    list: act,
    count: act,
    append: act,
    read: act,
    trim: act,
    ...rest,
  };
}

it('an error of a driver becomes one that names the store, without what the client keeps on it', async () => {
  const thrown = Object.assign(new Error('getaddrinfo ENOTFOUND s3cret'), {
    code: 'ENOTFOUND',
    command: { args: ['s3cret'] },
  });
  const store = createStore(driverThat(() => Promise.reject(thrown)));
  const error: unknown = await store.get('key').catch((each: unknown) => each);
  expect(error).toMatchObject({
    name: 'StoreError',
    code: 'FAILED',
    message: 'The test store failed: no such host (ENOTFOUND)',
    cause: { message: 'no such host (ENOTFOUND)', code: 'ENOTFOUND' },
  });
  expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('s3cret');
  expect(isStoreError(error)).toBe(true);
  expect(isStoreError(thrown)).toBe(false);
});

it('an error of a driver has the code that the driver gives it', async () => {
  const refusedBy = (host: string): Error =>
    Object.assign(new Error(`connect ECONNREFUSED ${host}`), { code: 'ECONNREFUSED' });
  const refused = new AggregateError([refusedBy('::1'), refusedBy('127.0.0.1')]);
  const store = createStore(driverThat(() => Promise.reject(refused), { codeOf: () => 'UNREACHABLE' }));
  await expect(store.count({ key: 'c', amount: 1, windowMs: 1 })).rejects.toMatchObject({
    code: 'UNREACHABLE',
    message: 'The test store cannot be reached: the connection was refused (ECONNREFUSED)',
  });
});

it('a driver may throw anything, at once, too', async () => {
  const store = createStore(
    driverThat(() => {
      throw 'broken';
    }),
  );
  await expect(store.set('key', 1)).rejects.toMatchObject({
    message: 'The test store failed: its client threw a value of type string',
  });
});

it('a call of a driver that never answers rejects when its time is over', async () => {
  const store = createStore(
    driverThat(() => new Promise(() => {})),
    { timeoutMs: 20 },
  );
  await expect(store.append('log', [1])).rejects.toMatchObject({
    code: 'UNREACHABLE',
    message: 'The test store cannot be reached: it did not answer within 20 ms',
  });
});

it('a time limit of more than 24.8 days, the longest of a timer, is not over at once', async () => {
  const store = createStore(
    driverThat(() => Promise.reject(), { get: () => setTimeout(20, undefined) }),
    { timeoutMs: 2 ** 31 },
  );
  expect(await store.get('key')).toBeUndefined();
});

it('a time limit that is none is refused', () => {
  expect(() =>
    createStore(
      driverThat(() => Promise.reject()),
      { timeoutMs: 0 },
    ),
  ).toThrow(/timeoutMs/);
});

it('large values and records are read few at a time, and small ones many', async () => {
  const longest = async (of: number, count: number): Promise<readonly [number, number, number]> => {
    const text = JSON.stringify('x'.repeat(of));
    const places = Array.from({ length: count }, (_, position) => position);
    let [calls, most, found] = [0, 0, 0];
    const given = <T>(portion: readonly T[]): readonly T[] => {
      calls++;
      most = Math.max(most, portion.length * of);
      return portion;
    };
    const keyed = places.map((place) => ({ key: String(place).padStart(5, '0'), text, version: 'v' }));
    const store = createStore(
      driverThat(() => Promise.reject(), {
        list: async (_prefix, after, limit) => given(keyed.filter(({ key }) => key > after).slice(0, limit)),
        read: async (_stream, from, limit) =>
          given(places.slice(from, from + limit).map((position) => ({ position, text }))),
      }),
    );
    for await (const { value } of store.list('')) found += String(value).length / of;
    for await (const { record } of store.read('log')) found += String(record).length / of;
    return [found, calls, most];
  };
  expect(await longest(1_000_000, 40)).toEqual([80, expect.any(Number), 16_000_000]);
  const [found, calls] = await longest(10, 2_000);
  expect(found).toBe(4_000);
  expect(calls).toBeLessThan(20);
});

it('what another program wrote that is no JSON is refused, with its key and without its text', async () => {
  const text = 'a secret of theirs';
  const store = createStore(
    driverThat(() => Promise.reject(new Error('not asked')), {
      get: async () => ({ text, version: '1' }),
      list: async () => [{ key: 'theirs', text, version: '1' }],
      read: async () => [{ position: 0, text }],
    }),
  );
  const refused = {
    code: 'INCOMPATIBLE',
    message: 'The test store has no JSON at "theirs"; another program wrote it. Delete the key.',
  };
  await expect(store.get('theirs')).rejects.toMatchObject(refused);
  await expect(store.list('')[Symbol.asyncIterator]().next()).rejects.toMatchObject(refused);
  await expect(store.read('theirs')[Symbol.asyncIterator]().next()).rejects.toMatchObject(refused);
  const error: unknown = await store.get('theirs').catch((each: unknown) => each);
  expect(inspect(error, { depth: 10, showHidden: true })).not.toContain('secret');
});
