import { describe, expect, it } from 'vitest';
import { claim } from '../claim.ts';
import type { Stage } from './stage.ts';
import { all } from './tools.ts';

const HOUR = 3_600_000;

/** What a store promises of a write that is asked for again. */
export function testRequests(stage: Stage): void {
  describe('a write that is sent again', () => {
    it('counts once, and resolves to what it did the first time, whatever came between', async () => {
      const store = await stage.open();
      const count = () =>
        store.count([{ key: 'c', amount: 2, limit: 3, windowMs: HOUR }], { requestId: 'r' });
      expect(await count()).toEqual({ counted: true, totals: [2] });
      await store.count({ key: 'c', amount: 1, windowMs: HOUR });
      expect(await count()).toEqual({ counted: true, totals: [2] });
      expect(await store.count({ key: 'c', amount: 0, windowMs: 1 })).toMatchObject({ totals: [3] });
    });

    it('renews no lease that was given back meanwhile', async () => {
      const store = await stage.open();
      const lease = { key: 'slots', limit: 1, windowMs: HOUR, id: 'a' };
      const take = () => store.count([{ ...lease, amount: 1 }], { requestId: 'take' });
      await take();
      await store.count({ ...lease, amount: 0 });
      await take();
      expect(await store.count({ ...lease, id: 'b', amount: 1 })).toMatchObject({ counted: true });
    });

    it('appends once, also where a position was expected that is over', async () => {
      const store = await stage.open();
      const append = () => store.append('log', ['a', 'b'], { expected: 0, requestId: 'r' });
      expect(await append()).toEqual({ appended: true, length: 2 });
      await store.append('log', ['c']);
      expect(await append()).toEqual({ appended: true, length: 2 });
      expect((await all(store.read('log'))).map(({ record }) => record)).toEqual(['a', 'b', 'c']);
    });

    it('does not undo what others wrote since', async () => {
      const store = await stage.open();
      const first = await store.set('key', 'mine', { requestId: 'r' });
      await store.set('key', 'theirs');
      expect(await store.set('key', 'mine', { requestId: 'r' })).toBe(first);
      expect(await store.get('key')).toMatchObject({ value: 'theirs' });
      expect(await store.delete('key', { requestId: 'd' })).toBe(true);
      await store.set('key', 'again');
      expect(await store.delete('key', { requestId: 'd' })).toBe(true);
      expect(await store.get('key')).toMatchObject({ value: 'again' });
    });

    it('claims once, and the claim can be given back', async () => {
      const store = await stage.open();
      const take = () => claim(store, 'key', { ttlMs: HOUR, requestId: 'r' });
      await take();
      const again = await take();
      expect(again).toBeDefined();
      expect(await claim(store, 'key', { ttlMs: HOUR, requestId: 'other' })).toBeUndefined();
      expect(await again?.release()).toBe(true);
    });

    it('gives no claim that is over', async () => {
      const store = await stage.open();
      const take = () => claim(store, 'key', { ttlMs: HOUR, requestId: 'r' });
      const first = await take();
      expect(await first?.release()).toBe(true);
      expect(await take()).toBeUndefined();
      expect(await claim(store, 'key', { ttlMs: HOUR })).toBeDefined();
      expect(await take()).toBeUndefined();
    });

    it('is decided anew where it wrote nothing', async () => {
      const store = await stage.open();
      await store.count({ key: 'c', amount: 1, windowMs: HOUR, id: 'holder' });
      const count = () =>
        store.count([{ key: 'c', amount: 1, limit: 1, windowMs: HOUR }], { requestId: 'r' });
      expect(await count()).toMatchObject({ counted: false });
      await store.count({ key: 'c', amount: 0, windowMs: HOUR, id: 'holder' });
      expect(await count()).toEqual({ counted: true, totals: [1] });
    });

    it('is another one where only its id is the same', async () => {
      const store = await stage.open();
      await store.set('a', 1, { requestId: 'r' });
      expect(await store.set('b', 1, { requestId: 'r' })).toBeDefined();
      expect(await store.get('b')).toMatchObject({ value: 1 });
      await store.append('log', ['a'], { requestId: 'r' });
      expect(await store.append('log', ['b'], { requestId: 'r' })).toMatchObject({ length: 2 });
      expect(await store.count([{ key: 'c', amount: 1, windowMs: HOUR }], { requestId: 'r' })).toMatchObject({
        totals: [1],
      });
    });

    it('happens once where both are sent at the same moment', async () => {
      const store = await stage.open();
      const twelve = Array.from({ length: 12 }, (_, index) => index);
      const appends = twelve.map(() => store.append('log', ['a'], { requestId: 'r' }));
      const counts = twelve.map(() =>
        store.count([{ key: 'c', amount: 1, windowMs: HOUR }], { requestId: 'r' }),
      );
      const claims = twelve.map(() => claim(store, 'key', { ttlMs: HOUR, requestId: 'r' }));
      expect(new Set((await Promise.all(appends)).map(({ length }) => length))).toEqual(new Set([1]));
      expect(new Set((await Promise.all(counts)).map(({ totals }) => totals[0]))).toEqual(new Set([1]));
      expect((await Promise.all(claims)).every(Boolean)).toBe(true);
      expect(await all(store.read('log'))).toHaveLength(1);
      expect(await store.count({ key: 'c', amount: 0, windowMs: 1 })).toMatchObject({ totals: [1] });
    });
  });
}
