import { expect, it } from 'vitest';
import { memoryStore } from '../src/index.ts';
import { testStore } from '../src/testing/index.ts';

testStore('the memory store', {
  module: new URL('./stores/memory.ts', import.meta.url),
  shared: false,
  tells: true,
});

it('a counter in memory takes 50,000 ids, each at the cost of the first', async () => {
  const store = memoryStore();
  const limit = 50_000;
  for (let nth = 0; nth < limit; nth++)
    await store.count({
      key: 'leases',
      amount: 1,
      windowMs: 600_000 + (nth % 100),
      limit,
      id: `lease ${nth}`,
    });
  const more = { key: 'leases', amount: 1, windowMs: 600_000, limit };
  expect(await store.count({ ...more, id: 'one too many' })).toMatchObject({ counted: false });
  await store.count({ ...more, amount: 0, id: 'lease 7' });
  expect(await store.count({ ...more, id: 'another' })).toMatchObject({ counted: true, totals: [limit] });
});

it('a write to a store in memory is read by the next call, also before it is awaited', async () => {
  const store = memoryStore();
  const [, entry] = await Promise.all([store.set('key', 'value'), store.get('key')]);
  expect(entry).toMatchObject({ value: 'value' });
});
