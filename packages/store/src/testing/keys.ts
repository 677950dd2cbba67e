import { expect, it } from 'vitest';
import type { Stage } from './stage.ts';
import { all } from './tools.ts';

/** Keys that a database may take for one: by case, by accents, by Unicode form, by width, by spaces, as numbers. */
const ALIKE: readonly string[] = [
  'ann',
  'Ann',
  'ANN',
  'änn',
  'a\u0308nn',
  'ann ',
  ' ann',
  'ann\u00a0',
  'a\u200bnn',
  'аnn',
  'ａｎｎ',
  'ßs',
  'sss',
  '1',
  '01',
  '1.0',
  '1e0',
];

/** What a store promises of keys. They name users, so that one for another would be another's budget. */
export function testKeys(stage: Stage): void {
  it('keys that look alike are values, counters, ids and streams of their own', async () => {
    const store = await stage.open();
    const windowMs = 3_600_000;
    for (const key of ALIKE) {
      await store.set(key, key);
      await store.append(key, [key]);
      expect(await store.count({ key, amount: 1, windowMs, limit: 1 })).toMatchObject({ counted: true });
      expect(await store.count({ key: 'shared', amount: 1, windowMs, id: key })).toMatchObject({
        totals: [ALIKE.indexOf(key) + 1],
      });
    }
    for (const key of ALIKE) {
      expect(await store.get(key)).toMatchObject({ key, value: key });
      expect(await all(store.read(key))).toEqual([{ position: 0, record: key }]);
      expect((await all(store.list(key))).map((entry) => entry.key)).toEqual(
        ALIKE.filter((other) => other.startsWith(key)).toSorted(),
      );
    }
    expect((await all(store.list(''))).map(({ key }) => key).toSorted()).toEqual(ALIKE.toSorted());
    expect(await store.delete('ann')).toBe(true);
    expect((await all(store.list(''))).length).toBe(ALIKE.length - 1);
  });
}
