import { expect, it } from 'vitest';
import type { Stage } from './stage.ts';
import { all, eventually } from './tools.ts';

/** A thousand keys; ten thousand with `HOOKS_RANDOM=10`. */
const MANY = 1_000 * Number(process.env['HOOKS_RANDOM'] ?? 1);

/** What a store leaves behind. */
export function testRemains(stage: Stage): void {
  it(`leaves nothing behind: ${MANY} keys, after some later writes`, async () => {
    const space = stage.space();
    const store = await stage.openAt(space);
    const remains = async (): Promise<number> => (await stage.remains?.(space)) ?? Number.NaN;
    await store.set('kept', 1);
    await store.append('kept', [1]);
    await store.count({ key: 'kept', amount: 1, windowMs: 3_600_000 });
    const before = await remains();
    expect(before).toBeGreaterThan(3);

    const ttlMs = 2_000;
    await inPortions(0.4 * MANY, (index) => store.set(`value/${index}`, index, { ttlMs }));
    await inPortions(0.02 * MANY, (index) => {
      const keys = Array.from({ length: 20 }, (_, part) => `counter/${index}/${part}`);
      return store.count(...keys.map((key) => ({ key, amount: 1, windowMs: ttlMs })));
    });
    await inPortions(0.2 * MANY, (index) => store.append(`log/${index}`, [index], { ttlMs }));

    await eventually(() => all(store.read(`log/${0.2 * MANY - 1}`))).toEqual([]);
    await inPortions(60, async (index) => {
      await store.set('kept', index);
      await store.append('kept', [index]);
      const lease = { key: 'slots', windowMs: 60_000, id: `lease ${index}` };
      await store.count({ ...lease, amount: 1 });
      await store.count({ ...lease, amount: 0 });
    });
    await eventually(remains).toBe(before + 60);
    expect(await store.get('kept')).toBeDefined();
    expect(await all(store.read('kept'))).toHaveLength(61);
  });
}

async function inPortions(times: number, work: (index: number) => Promise<unknown>): Promise<void> {
  for (let from = 0; from < times; from += 100)
    await Promise.all(Array.from({ length: Math.min(100, times - from) }, (_, index) => work(from + index)));
}
