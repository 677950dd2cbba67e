import { describe, expect, it } from 'vitest';
import type { Stage } from './stage.ts';
import { eventually } from './tools.ts';

const HOUR = 3_600_000;

/** What a store promises of counters. */
export function testCounters(stage: Stage): void {
  describe('a counter', () => {
    it('counts up to its limit, and no further', async () => {
      const store = await stage.open();
      const ask = (amount: number) => store.count({ key: 'calls', amount, limit: 5, windowMs: HOUR });
      expect(await ask(2)).toEqual({ counted: true, totals: [2] });
      expect(await ask(3)).toEqual({ counted: true, totals: [5] });
      const refused = await ask(1);
      expect(refused).toMatchObject({ counted: false, totals: [5], key: 'calls' });
      const { retryAfterMs = 0 } = refused.counted ? {} : refused;
      expect(retryAfterMs).toBeGreaterThan(HOUR * 0.98);
      expect(retryAfterMs).toBeLessThanOrEqual(HOUR * 1.01);
      expect(await ask(0)).toEqual({ counted: true, totals: [5] });
    });

    it('lets through as many of 64 calls at once as the limit says', async () => {
      const store = await stage.open();
      const calls = Array.from({ length: 64 }, () =>
        store.count({ key: 'calls', amount: 1, limit: 10, windowMs: HOUR }),
      );
      const answers = await Promise.all(calls);
      expect(answers.filter(({ counted }) => counted)).toHaveLength(10);
      expect(answers.flatMap(({ counted, totals }) => (counted ? totals : [])).sort((a, b) => a - b)).toEqual(
        Array.from({ length: 10 }, (_, index) => index + 1),
      );
    });

    it('takes several counts as arguments or as an array', async () => {
      const store = await stage.open();
      const counts = ['a', 'b'].map((key) => ({ key, amount: 1, windowMs: HOUR }));
      expect(await store.count(...counts)).toEqual({ counted: true, totals: [1, 1] });
      expect(await store.count(counts)).toEqual({ counted: true, totals: [2, 2] });
    });

    it('never has room for an amount that is above the limit', async () => {
      const store = await stage.open();
      const refused = await store.count({ key: 'tokens', amount: 11, limit: 10, windowMs: HOUR });
      expect(refused).toMatchObject({ counted: false, totals: [0], key: 'tokens' });
      expect('retryAfterMs' in refused ? refused.retryAfterMs : undefined).toBeUndefined();
    });

    it('counts without a limit what was used', async () => {
      const store = await stage.open();
      await store.count({ key: 'tokens', amount: 8, limit: 10, windowMs: HOUR });
      const used = await store.count({ key: 'tokens', amount: 1_000_000_000_000, windowMs: HOUR });
      expect(used).toEqual({ counted: true, totals: [1_000_000_000_008] });
      expect(await store.count({ key: 'tokens', amount: 1, limit: 10, windowMs: HOUR })).toMatchObject({
        counted: false,
      });
    });

    it('counts all limits of a call, or none of them', async () => {
      const store = await stage.open();
      const call = [
        { key: 'session', amount: 1, limit: 100, windowMs: HOUR },
        { key: 'user', amount: 1, limit: 2, windowMs: HOUR },
        { key: 'tokens', amount: 500, limit: 2_000, windowMs: HOUR },
      ];
      await store.count(...call);
      await store.count(...call);
      expect(await store.count(...call)).toMatchObject({ counted: false, totals: [2, 2, 1000], key: 'user' });
      expect(await store.count(...call.map((each) => ({ ...each, amount: 0 })))).toEqual({
        counted: true,
        totals: [2, 2, 1000],
      });
    });

    it('counts limits of calls that cross each other, without waiting for good', async () => {
      const store = await stage.open();
      const [a, b] = [
        { key: 'a', amount: 1, windowMs: HOUR },
        { key: 'b', amount: 1, windowMs: HOUR },
      ];
      await Promise.all(
        Array.from({ length: 50 }, (_, index) => store.count(...(index % 2 ? [a, b] : [b, a]))),
      );
      expect(await store.count({ ...a, amount: 0 }, { ...b, amount: 0 })).toMatchObject({ totals: [50, 50] });
    });

    it('forgets amounts when their window is over, each at its time', async () => {
      const store = await stage.open();
      await store.count({ key: 'calls', amount: 1, windowMs: 100 });
      await store.count({ key: 'calls', amount: 2, windowMs: HOUR });
      const total = async () => (await store.count({ key: 'calls', amount: 0, windowMs: 1 })).totals;
      await eventually(total).toEqual([2]);
      const refused = await store.count({ key: 'calls', amount: 1, limit: 2, windowMs: HOUR });
      expect(refused.counted ? 0 : refused.retryAfterMs).toBeGreaterThan(HOUR * 0.98);
    });

    it('has room again when the time is over that it said', async () => {
      const store = await stage.open();
      // A machine that is so slow that the window is over before the second call gets a longer one.
      for (let windowMs = 200; ; windowMs *= 4) {
        const ask = () => store.count({ key: `calls ${windowMs}`, amount: 1, limit: 1, windowMs });
        await ask();
        const began = performance.now();
        const refused = await ask();
        if (refused.counted) continue;
        const { retryAfterMs = 0 } = refused;
        expect(retryAfterMs).toBeGreaterThan(0);
        await eventually(async () => (await ask()).counted, 5).toBe(true);
        // A millisecond for clocks that round.
        expect(performance.now() - began).toBeGreaterThan(retryAfterMs - 2);
        break;
      }
    });
  });

  describe('an amount with an id', () => {
    const slot = { key: 'slots', amount: 1, limit: 2, windowMs: HOUR };

    it('is a lease that is given back', async () => {
      const store = await stage.open();
      expect(await store.count({ ...slot, id: 'a' })).toEqual({ counted: true, totals: [1] });
      expect(await store.count({ ...slot, id: 'b' })).toEqual({ counted: true, totals: [2] });
      expect(await store.count({ ...slot, id: 'c' })).toMatchObject({ counted: false });
      expect(await store.count({ ...slot, amount: 0, id: 'a' })).toEqual({ counted: true, totals: [1] });
      expect(await store.count({ ...slot, amount: 0, id: 'a' })).toEqual({ counted: true, totals: [1] });
      expect(await store.count({ ...slot, id: 'c' })).toEqual({ counted: true, totals: [2] });
    });

    it('is counted once, however often it is renewed', async () => {
      const store = await stage.open();
      await store.count({ ...slot, id: 'a', windowMs: 50 });
      expect(await store.count({ ...slot, id: 'a' })).toEqual({ counted: true, totals: [1] });
      await store.count({ key: 'clock', amount: 1, windowMs: 50, id: 'a' });
      await eventually(
        async () => (await store.count({ key: 'clock', amount: 0, windowMs: 1 })).totals,
      ).toEqual([0]);
      expect(await store.count({ ...slot, amount: 0 })).toEqual({ counted: true, totals: [1] });
    });

    it('is free again when its time is over', async () => {
      const store = await stage.open();
      await store.count({ ...slot, limit: 1, id: 'dead', windowMs: 50 });
      await eventually(async () => (await store.count({ ...slot, limit: 1, id: 'next' })).counted).toBe(true);
    });

    it('counts again when its time is over, beside those of other ids', async () => {
      const store = await stage.open();
      await store.count({ ...slot, id: 'other' });
      await store.count({ ...slot, id: 'a', windowMs: 50 });
      // Nobody looks at the counter until the time is over.
      await store.count({ key: 'clock', amount: 1, windowMs: 50, id: 'a' });
      await eventually(
        async () => (await store.count({ key: 'clock', amount: 0, windowMs: 1 })).totals,
      ).toEqual([0]);
      expect(await store.count({ ...slot, id: 'a' })).toEqual({ counted: true, totals: [2] });
    });

    it('turns an estimate into what was used', async () => {
      const store = await stage.open();
      const tokens = { key: 'tokens', windowMs: HOUR, limit: 1_000 };
      await store.count({ ...tokens, amount: 800, id: 'call' });
      expect(await store.count({ ...tokens, amount: 300, id: 'other' })).toMatchObject({ counted: false });
      expect(await store.count({ ...tokens, amount: 120, id: 'call' })).toEqual({
        counted: true,
        totals: [120],
      });
      expect(await store.count({ ...tokens, amount: 300, id: 'other' })).toEqual({
        counted: true,
        totals: [420],
      });
    });
  });
}
