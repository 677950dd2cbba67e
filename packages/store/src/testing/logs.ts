import { describe, expect, it } from 'vitest';
import type { Store } from '../store.ts';
import type { Stage } from './stage.ts';
import { all, eventually } from './tools.ts';

/** What a store promises of logs. */
export function testLogs(stage: Stage): void {
  const recordsOf = async (store: Store, stream: string, from = 0) =>
    (await all(store.read(stream, { from }))).map(({ record }) => record);

  describe('a log', () => {
    it('has its records in the order in which they were appended', async () => {
      const store = await stage.open();
      expect(await store.append('stream', ['a', { b: 1 }])).toEqual({ appended: true, length: 2 });
      expect(await store.append('stream', ['c\u0000'])).toEqual({ appended: true, length: 3 });
      expect(await store.append('other', [null])).toEqual({ appended: true, length: 1 });
      expect(await all(store.read('stream'))).toEqual([
        { position: 0, record: 'a' },
        { position: 1, record: { b: 1 } },
        { position: 2, record: 'c\u0000' },
      ]);
      expect(await all(store.read('stream', { from: 2 }))).toEqual([{ position: 2, record: 'c\u0000' }]);
      expect(await recordsOf(store, 'stream', 3)).toEqual([]);
      expect(await recordsOf(store, 'unknown')).toEqual([]);
    });

    it('takes records only at the expected position', async () => {
      const store = await stage.open();
      expect(await store.append('stream', ['x'], { expected: 1 })).toEqual({ appended: false, length: 0 });
      expect(await store.append('stream', ['a', 'b'], { expected: 0 })).toEqual({
        appended: true,
        length: 2,
      });
      expect(await store.append('stream', ['x'], { expected: 0 })).toEqual({ appended: false, length: 2 });
      expect(await store.append('stream', ['c'], { expected: 2 })).toEqual({ appended: true, length: 3 });
      expect(await recordsOf(store, 'stream')).toEqual(['a', 'b', 'c']);
    });

    it('loses nothing of what many append at the same time', async () => {
      const store = await stage.open();
      const appends = Array.from({ length: 32 }, (_, index) =>
        store.append('stream', [`${index}a`, `${index}b`]),
      );
      const lengths = (await Promise.all(appends)).map(({ length }) => length);
      expect(lengths.toSorted((a, b) => a - b)).toEqual(
        Array.from({ length: 32 }, (_, index) => 2 * index + 2),
      );
      const records = await recordsOf(store, 'stream');
      for (const [index, length] of lengths.entries())
        expect(records.slice(length - 2, length)).toEqual([`${index}a`, `${index}b`]);
    });

    it('is read whole, however long', async () => {
      const store = await stage.open();
      const records = Array.from({ length: 1_203 }, (_, index) => index);
      await store.append('stream', records);
      expect(await recordsOf(store, 'stream')).toEqual(records);
    });

    it('expires as a whole, after its last append', async () => {
      const store = await stage.open();
      await store.append('stream', ['a'], { ttlMs: 50 });
      await store.append('stream', ['b'], { ttlMs: 50 });
      // On a slow machine the first record is gone before the second one comes: it gets more time.
      let [kept, length] = ['', 0];
      for (let ttlMs = 50; length !== 2; ttlMs *= 4) {
        kept = `kept ${ttlMs}`;
        await store.append(kept, ['a'], { ttlMs });
        ({ length } = await store.append(kept, ['b']));
        await store.append(`like ${kept}`, ['a'], { ttlMs });
      }
      await eventually(() => recordsOf(store, 'stream')).toEqual([]);
      await eventually(() => recordsOf(store, `like ${kept}`)).toEqual([]);
      expect(await store.append('stream', ['x'], { expected: 2 })).toEqual({ appended: false, length: 0 });
      expect(await store.append('stream', ['c'], { expected: 0 })).toEqual({ appended: true, length: 1 });
      expect(await recordsOf(store, 'stream')).toEqual(['c']);
      expect(await recordsOf(store, kept)).toEqual(['a', 'b']);
    });

    it('can be trimmed: its oldest records go, and the others keep their positions', async () => {
      const store = await stage.open();
      await store.append('stream', ['a', 'b', 'c', 'd']);
      await store.append('other', ['a']);
      await store.trim('stream', 2);
      const left = [
        { position: 2, record: 'c' },
        { position: 3, record: 'd' },
      ];
      expect(await all(store.read('stream'))).toEqual(left);
      expect(await all(store.read('stream', { from: 3 }))).toEqual(left.slice(1));
      // Again, and what is not there.
      for (const before of [2, 1, 0]) await store.trim('stream', before);
      await store.trim('unknown', 5);
      expect(await all(store.read('stream'))).toEqual(left);
      expect(await store.append('stream', ['x'], { expected: 2 })).toEqual({ appended: false, length: 4 });
      expect(await store.append('stream', ['e'], { expected: 4 })).toEqual({ appended: true, length: 5 });
      await store.trim('stream', 5);
      expect(await all(store.read('stream'))).toEqual([]);
      expect(await store.append('stream', ['f'])).toEqual({ appended: true, length: 6 });
      expect(await all(store.read('stream'))).toEqual([{ position: 5, record: 'f' }]);
      expect(await recordsOf(store, 'unknown')).toEqual([]);
      expect(await recordsOf(store, 'other')).toEqual(['a']);
    });

    it('of which the oldest records were trimmed is read whole, however long', async () => {
      const store = await stage.open();
      await store.append(
        'stream',
        Array.from({ length: 1_203 }, (_, index) => index),
      );
      await store.trim('stream', 101);
      const left = await all(store.read('stream'));
      expect(left).toEqual(
        Array.from({ length: 1_102 }, (_, index) => ({ position: 101 + index, record: 101 + index })),
      );
    });

    it('begins anew at position 0 where it expires after it was trimmed', async () => {
      const store = await stage.open();
      await store.append('stream', ['a', 'b'], { ttlMs: 50 });
      await store.trim('stream', 1);
      await eventually(() => recordsOf(store, 'stream')).toEqual([]);
      await eventually(async () => (await store.append('stream', ['x'], { expected: 7 })).length).toBe(0);
      await store.append('stream', ['c']);
      expect(await all(store.read('stream'))).toEqual([{ position: 0, record: 'c' }]);
    });

    it('is apart from the value and the counter of the same name', async () => {
      const store = await stage.open();
      await store.set('name', 'value');
      await store.append('name', ['record']);
      await store.count({ key: 'name', amount: 7, windowMs: 60_000 });
      await store.delete('name');
      expect(await recordsOf(store, 'name')).toEqual(['record']);
      expect(await store.count({ key: 'name', amount: 0, windowMs: 60_000 })).toMatchObject({ totals: [7] });
    });
  });
}
