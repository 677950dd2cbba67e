import { describe, expect, it } from 'vitest';
import { claim } from '../claim.ts';
import type { Entry } from '../store.ts';
import { waitFor } from '../wait-for.ts';
import type { Stage } from './stage.ts';
import { all, eventually } from './tools.ts';

/** What a store promises of values. */
export function testValues(stage: Stage): void {
  describe('a value', () => {
    const same = stage.space();
    it.each([
      ['an object', { text: 'a', number: 1.5, flag: true, none: null, list: [1, [2]], nested: { ' ': '' } }],
      ['an empty text', ''],
      ['false', false],
      ['null', null],
      ['a text with zero characters and line ends', 'a\u0000b\r\n\u2028'],
      ['emoji and half of one', '👩‍🚀 \ud83d'],
      ['a text like a number', '0017'],
      ['a megabyte', 'x'.repeat(1_000_000)],
      ['a property called __proto__', JSON.parse('{"__proto__":{"a":1}}')],
      ['a property called toJSON', { toJSON: 'a model may call an argument so' }],
    ])('reads as it was written: %s', async (_what, value) => {
      const store = await stage.openAt(same);
      const version = await store.set('key', value);
      expect(await store.get('key')).toEqual({ key: 'key', value, version });
    });

    it('is undefined where there is none', async () => {
      const store = await stage.open();
      expect(await store.get('key')).toBeUndefined();
    });

    it('has a new version after each write, also of the same value', async () => {
      const store = await stage.open();
      const versions = [await store.set('key', 1), await store.set('key', 1)];
      await store.delete('key');
      versions.push(await store.set('key', 1));
      expect(new Set(versions).size).toBe(3);
    });

    it('is replaced only where its version is the expected one', async () => {
      const store = await stage.open();
      const first = await store.set('key', 'first');
      const second = await store.set('key', 'second', { expected: first ?? null });
      expect(await store.set('key', 'late', { expected: first ?? null })).toBeUndefined();
      expect(await store.get('key')).toMatchObject({ value: 'second', version: second });
    });

    it('is not made where a version is expected', async () => {
      const store = await stage.open();
      const version = await store.set('other', 1);
      expect(await store.set('key', 1, { expected: version ?? null })).toBeUndefined();
      expect(await store.get('key')).toBeUndefined();
    });

    it('is made only where there is none, if none is expected', async () => {
      const store = await stage.open();
      expect(await store.set('key', 'first', { expected: null })).toBeDefined();
      expect(await store.set('key', 'second', { expected: null })).toBeUndefined();
      expect(await store.get('key')).toMatchObject({ value: 'first' });
    });

    it('is made once, by one of many that try at the same time', async () => {
      const store = await stage.open();
      const tries = Array.from({ length: 32 }, (_, index) => store.set('key', index, { expected: null }));
      const made = (await Promise.all(tries)).flatMap((version, index) =>
        version ? [{ version, index }] : [],
      );
      expect(made).toHaveLength(1);
      expect(await store.get('key')).toMatchObject({ value: made[0]?.index, version: made[0]?.version });
    });

    it('is answered once, by one of many that have read it', async () => {
      const store = await stage.open();
      const pending = await store.set('request', 'pending');
      const answers = Array.from({ length: 32 }, (_, index) =>
        store.set('request', index, { expected: pending ?? null }),
      );
      expect((await Promise.all(answers)).filter(Boolean)).toHaveLength(1);
    });

    it('is deleted, if its version is the expected one', async () => {
      const store = await stage.open();
      const first = await store.set('key', 1);
      const second = await store.set('key', 2);
      expect(await store.delete('key', { expected: first ?? null })).toBe(false);
      expect(await store.delete('key', { expected: second ?? null })).toBe(true);
      expect(await store.delete('key')).toBe(false);
      expect(await store.get('key')).toBeUndefined();
    });

    it('expires, and is then as if it had never been', async () => {
      const store = await stage.open();
      const version = await store.set('key', 'short', { ttlMs: 50 });
      await eventually(() => store.get('key')).toBeUndefined();
      expect(await all(store.list(''))).toEqual([]);
      expect(await store.set('key', 1, { expected: version ?? null })).toBeUndefined();
      expect(await store.delete('key')).toBe(false);
      expect(await store.set('key', 'next', { expected: null })).toBeDefined();
      expect(await store.get('key')).toMatchObject({ value: 'next' });
    });

    it('is kept as long as the last write says', async () => {
      const store = await stage.open();
      await store.set('kept', 1, { ttlMs: 50 });
      await store.set('kept', 2);
      await store.set('gone', 1, { ttlMs: 50 });
      await eventually(() => store.get('gone')).toBeUndefined();
      expect(await store.get('kept')).toMatchObject({ value: 2 });
    });
  });

  describe('a list', () => {
    it('has all values behind small ones, however large, and in whatever script', async () => {
      const store = await stage.open();
      const keys = Array.from({ length: 180 }, (_, nth) => `large/${String(nth).padStart(3, '0')}`);
      const textAt = (nth: number): string => (nth < 150 ? 'small' : (nth % 2 ? 'x' : '語').repeat(120_000));
      for (const [nth, key] of keys.entries()) await store.set(key, textAt(nth));
      for (const nth of keys.keys()) await store.append('large', [textAt(nth)]);
      const listed = await all(store.list('large/'));
      expect(listed.map(({ key }) => key)).toEqual(keys);
      expect(listed.every(({ value }, nth) => value === textAt(nth))).toBe(true);
      const read = await all(store.read('large'));
      expect(read.map(({ position }) => position)).toEqual([...keys.keys()]);
      expect(read.every(({ record }, nth) => record === textAt(nth))).toBe(true);
    });

    it('has the values whose keys start with the prefix, in order of code points', async () => {
      const store = await stage.open();
      const keys = ['p/', 'p/B', 'p/a', 'p/a/b', 'p/é', 'p/\uffee', 'p/😀'];
      for (const key of ['o/x', ...keys.toReversed(), 'p', 'p0', 'P/a']) await store.set(key, key);
      const listed = await all(store.list('p/'));
      expect(listed.map(({ key }) => key)).toEqual(keys);
      expect(listed.map(({ value }) => value)).toEqual(keys);
      expect(await store.get('p/a')).toEqual(listed[2]);
    });

    it.each(['%', '_', '*', '?', '[a]', '\\', "'"])('takes %s in a prefix as it is', async (character) => {
      const store = await stage.open();
      await store.set('a/b', 1);
      await store.set(`a${character}c`, 2);
      expect(await all(store.list(`a${character}`))).toMatchObject([{ value: 2 }]);
    });

    it('has all values, however many', async () => {
      const store = await stage.open();
      const keys = Array.from({ length: 1_203 }, (_, index) => `n/${String(index).padStart(5, '0')}`);
      await Promise.all(keys.map((key) => store.set(key, 1)));
      await store.set('n/00600', 1, { ttlMs: 1 });
      await eventually(() => store.get('n/00600')).toBeUndefined();
      const listed = await all(store.list('n/'));
      expect(listed.map(({ key }) => key)).toEqual(keys.filter((key) => key !== 'n/00600'));
    });
  });

  describe('a claim', () => {
    it('is held by one until it is given back', async () => {
      const store = await stage.open();
      const tries = Array.from({ length: 16 }, () => claim(store, 'key', { ttlMs: 60_000, by: 'me' }));
      const [held, ...more] = (await Promise.all(tries)).filter((each) => each !== undefined);
      expect(more).toEqual([]);
      expect(await store.get('key')).toMatchObject({ value: 'me' });
      expect(await held?.extend(60_000)).toBe(true);
      expect(await held?.release()).toBe(true);
      expect(await held?.release()).toBe(false);
      expect(await claim(store, 'key', { ttlMs: 60_000 })).toBeDefined();
    });

    it('is free again when its time is over, and its holder learns it', async () => {
      const store = await stage.open();
      const first = await claim(store, 'key', { ttlMs: 50 });
      await eventually(() => claim(store, 'key', { ttlMs: 60_000 })).toBeDefined();
      expect(await first?.extend(60_000)).toBe(false);
      expect(await first?.release()).toBe(false);
      expect(await claim(store, 'key', { ttlMs: 60_000 })).toBeUndefined();
    });
  });
  describe('a write with notify', () => {
    it('wakes whoever waits for the key, or is found when it is read again', async () => {
      const one = await stage.open();
      await one.set('key', 'waiting');
      const isDone = (entry: Entry | undefined): boolean => entry?.value === 'done';
      const waiting = waitFor(one, 'key', isDone, { pollMs: stage.tells === true ? 60_000 : 20 });
      const watching = await one.watch('key', () => {});
      expect(watching.isTold).toBe(stage.tells === true);
      watching.stop();
      await one.set('another', 'done', { notify: true });
      await one.set('key', 'done', { notify: true });
      expect(await waiting).toMatchObject({ value: 'done' });
      // Once more: the connection is made again when somebody waits again.
      const again = waitFor(one, 'key', (entry) => entry?.value === 'again', {
        pollMs: stage.tells === true ? 60_000 : 20,
      });
      (await one.watch('key', () => {})).stop();
      await one.set('key', 'again', { notify: true });
      expect(await again).toMatchObject({ value: 'again' });
    });
  });
}
