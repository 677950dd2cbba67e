import { describe, expect, it } from 'vitest';
import type { Store } from '../store.ts';
import type { Stage } from './stage.ts';
import { all } from './tools.ts';

/** What a store refuses, on whatever driver. */
export function testArguments(stage: Stage): void {
  const selfish: Record<string, unknown> = {};
  selfish['me'] = selfish;

  describe('bad input', () => {
    // Nothing is ever written to it.
    const empty = stage.space();
    it.each<readonly [string, (store: Store) => Promise<unknown>, RegExp]>([
      ['a key of 10 kB', (store) => store.set('k'.repeat(10_000), 1), /10000 bytes; at most 1024/],
      ['an empty key', (store) => store.get(''), /key must be a string that is not empty/],
      ['a key with a zero', (store) => store.set('a\u0000b', 1), /control character/],
      ['half a character as a key', (store) => store.append('\ud83d', [1]), /half a character/],
      ['a value that is undefined', (store) => store.set('key', undefined), /value is undefined/],
      [
        'a function inside a value',
        (store) => store.set('key', { a: [() => 1] }),
        /value\.a\[0\] is function/,
      ],
      ['a bigint', (store) => store.set('key', { n: 1n }), /value\.n is bigint/],
      ['no number', (store) => store.append('s', [1, Number.NaN]), /records\[1\] is NaN/],
      [
        'a value that holds itself',
        (store) => store.set('key', selfish),
        /value\.me is an object that holds itself/,
      ],
      [
        'a value that is nested 20,000 levels deep',
        (store) => store.set('key', JSON.parse('['.repeat(20_000) + ']'.repeat(20_000))),
        /nested more than 500 levels deep/,
      ],
      [
        'a count that is none',
        (store) => store.count([null] as unknown as [], { requestId: 'r' }),
        /counts\[0\] must be an object/,
      ],
      ['an array of no counts', (store) => store.count([]), /give at least one count/],
      ['a date', (store) => store.set('key', { at: new Date() }), /value\.at is an instance of Date/],
      [
        'an object that makes its own JSON',
        (store) => store.set('key', { at: { toJSON: () => 1 } }),
        /value\.at is an instance of Object/,
      ],
      ['a map', (store) => store.append('s', [new Map()]), /records\[0\] is an instance of Map/],
      ['an empty version', (store) => store.set('key', 1, { expected: '' }), /expected must be a version/],
      [
        'no time to live',
        (store) => store.set('key', 1, { ttlMs: 0 }),
        /ttlMs must be a whole number of at least 1/,
      ],
      [
        'no end of time',
        (store) => store.set('key', 1, { ttlMs: Number.MAX_SAFE_INTEGER }),
        /at most 100 years/,
      ],
      [
        'half an amount',
        (store) => store.count({ key: 'c', amount: 0.5, windowMs: 1 }),
        /counts\[0\]\.amount/,
      ],
      [
        'a negative amount',
        (store) => store.count({ key: 'c', amount: -1, windowMs: 1 }),
        /counts\[0\]\.amount/,
      ],
      [
        'an endless amount',
        (store) => store.count({ key: 'c', amount: 2 ** 52, windowMs: 1 }),
        /at most 10\^12/,
      ],
      [
        'two counts of one key',
        (store) => store.count({ key: 'c', amount: 1, windowMs: 1 }, { key: 'c', amount: 1, windowMs: 9 }),
        /same key/,
      ],
      ['nothing to count', (store) => store.count(), /nothing to count/],
      ['no records', (store) => store.append('s', []), /no records/],
      ['half a position', (store) => store.trim('s', 0.5), /before must be a whole number/],
      ['a position before the first', (store) => store.append('s', [1], { expected: -1 }), /expected/],
    ])('is refused, and nothing is written: %s', async (_what, call, message) => {
      const store = await stage.openAt(empty);
      await expect(call(store)).rejects.toMatchObject({ name: 'StoreError', code: 'INVALID' });
      await expect(call(store)).rejects.toThrow(message);
      expect(await all(store.list(''))).toEqual([]);
      expect(await all(store.read('s'))).toEqual([]);
      expect(await store.count({ key: 'c', amount: 0, windowMs: 1 })).toMatchObject({ totals: [0] });
    });

    it('keeps keys of 1024 bytes', async () => {
      const store = await stage.open();
      const key = 'é'.repeat(512);
      await store.set(key, 1);
      await store.append(key, [1]);
      await store.count({ key, amount: 1, windowMs: 60_000, id: key });
      expect(await all(store.list(key))).toMatchObject([{ key, value: 1 }]);
      expect(await all(store.read(key))).toEqual([{ position: 0, record: 1 }]);
    });

    it('leaves out properties that are undefined', async () => {
      const store = await stage.open();
      await store.set('key', { a: 1, b: undefined });
      expect((await store.get('key'))?.value).toEqual({ a: 1 });
    });
  });

  it('a store that was closed refuses every call, and names itself', async () => {
    const store = await stage.open();
    await store.set('key', 1);
    await store.close();
    await store.close();
    const closed = {
      name: 'StoreError',
      code: 'CLOSED',
      message: expect.stringContaining(store.name.slice(4)),
    };
    await expect(store.get('key')).rejects.toMatchObject(closed);
    await expect(store.set('key', 2)).rejects.toMatchObject(closed);
    await expect(all(store.list(''))).rejects.toMatchObject(closed);
    await expect(store.count({ key: 'c', amount: 1, windowMs: 1 })).rejects.toMatchObject(closed);
  });
}
