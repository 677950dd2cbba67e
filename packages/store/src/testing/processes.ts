import { expect, it } from 'vitest';
import { claim } from '../claim.ts';
import type { Stage } from './stage.ts';
import { all, eventually } from './tools.ts';

const FIVE_MINUTES = 300_000;

/** How many processes are killed while they write: one kill may come between two writes. */
const KILLS = 8;

/** What a store promises when several processes use it. */
export function testProcesses(stage: Stage): void {
  it('count against one limit at full speed, and not one more gets through', async () => {
    const space = stage.space();
    const others = await Promise.all([stage.start(space, 'count'), stage.start(space, 'count')]);
    const counted = await Promise.all(others.map((other) => other.run()));
    expect(counted).toEqual([expect.any(Number), expect.any(Number)]);
    expect(counted.map(Number).reduce((a, b) => a + b)).toBe(600);
    const store = await stage.openAt(space);
    const window = { amount: 0, windowMs: 1 };
    expect(await store.count({ ...window, key: 'shared' }, { ...window, key: 'beside' })).toMatchObject({
      totals: [600, 1_200],
    });
  });

  it('append to one log, each record at the position that it expects', async () => {
    const space = stage.space();
    const others = await Promise.all([stage.start(space, 'append'), stage.start(space, 'append')]);
    const lengths = await Promise.all(others.map((other) => other.run()));
    expect(lengths.toSorted().at(-1)).toBe(80);
    const store = await stage.openAt(space);
    const records = await all(store.read('shared'));
    expect(records).toHaveLength(80);
    for (const { position, record } of records) expect(record).toMatchObject({ at: position });
  });

  it('find whole records after one of them was killed while it appended', async () => {
    const space = stage.space();
    const store = await stage.openAt(space);
    const other = await stage.start(space, 'appendForever');
    other.run().catch(() => undefined); // It is killed.
    // Whoever reads meanwhile sees no half of an append, which one kill may miss.
    for (let read = 0, length = 0; read < 50 || length <= 20; read++) {
      ({ length } = await all(store.read('shared')));
      expect(length % 2, 'records of appends of two each').toBe(0);
    }
    await other.kill();
    // A server may finish what it was told before.
    let length = 0;
    const append = async (): Promise<boolean> => {
      const answer = await store.append('shared', [{ at: length }], { expected: length });
      length = answer.length;
      return answer.appended;
    };
    await eventually(append).toBe(true);
    const records = await all(store.read('shared'));
    expect(records.length % 2).toBe(1);
    for (const { position, record } of records) expect(record).toEqual({ at: position });
  });

  it(`find each write whole or not at all, after ${KILLS} of them were killed while they wrote`, async () => {
    for (let killed = 0; killed < KILLS; killed++) {
      const space = stage.space();
      const other = await stage.start(space, 'writeAndDie');
      await expect(other.run()).rejects.toThrow('ended');
      const store = await stage.openAt(space);
      const records = await all(store.read('shared'));
      expect(records.length).toBeGreaterThan(1);
      expect(records.length % 2, 'records of appends of two each').toBe(0);
      const value = (await store.get('shared'))?.value;
      expect(value).toEqual([Object(value)[0], Object(value)[0]]);
      const count = { amount: 0, windowMs: 1 };
      const { totals } = await store.count({ ...count, key: 'one' }, { ...count, key: 'other' });
      expect(totals[0]).toBe(totals[1]);
      expect(await store.append('shared', ['after'])).toMatchObject({ appended: true });
    }
  });

  it('send again what one of them sent until it was killed, and each write happened once', async () => {
    const space = stage.space();
    const store = await stage.openAt(space);
    const other = await stage.start(space, 'requestForever');
    other.run().catch(() => undefined); // It is killed.
    await eventually(async () => (await all(store.read('requests'))).length).toBeGreaterThan(20);
    await other.kill();
    const sendAgain = await Promise.all([stage.start(space, 'request'), stage.start(space, 'request')]);
    expect(await Promise.all(sendAgain.map((each) => each.run()))).toEqual([undefined, undefined]);
    const records = (await all(store.read('requests'))).map(({ record }) => JSON.stringify(record));
    expect(new Set(records).size).toBe(records.length);
    expect(records.length).toBeGreaterThanOrEqual(100);
    const { totals } = await store.count({ key: 'requests', amount: 0, windowMs: 1 });
    // The one that was killed may have appended, and not counted.
    expect([0, 1]).toContain(records.length / 2 - (totals[0] ?? 0));
  });

  it('claim one thing at the same moment, five of them in a new store, and one gets it', async () => {
    const space = stage.space();
    const others = await Promise.all(Array.from({ length: 5 }, () => stage.start(space, 'claim')));
    const claimed = await Promise.all(others.map((other) => other.run()));
    expect(claimed.toSorted()).toEqual([...Array<boolean>(4).fill(false), true]);
  });

  it('get what one of them held that was killed, when its time is over', async () => {
    const space = stage.space();
    const store = await stage.openAt(space);
    const other = await stage.start(space, 'hold');
    expect(await other.run()).toBe(true);
    await other.kill();
    const take = () => claim(store, 'claimed', { ttlMs: 60_000 });
    const count = () => store.count({ key: 'slots', amount: 1, limit: 1, windowMs: 60_000, id: 'next' });
    expect(await take()).toBeUndefined();
    expect(await count()).toMatchObject({ counted: false });
    await eventually(take).toBeDefined();
    await eventually(count).toMatchObject({ counted: true, totals: [1] });
  });

  it.each([FIVE_MINUTES, -FIVE_MINUTES])(
    'agree on the time, though the clock of one is %i ms ahead',
    async (ahead) => {
      const space = stage.space();
      const store = await stage.openAt(space);
      expect(await claim(store, 'claimed', { ttlMs: 60_000 })).toBeDefined();
      await store.count({ key: 'counter', amount: 1, limit: 2, windowMs: 60_000 });
      const writer = await stage.start(space, 'write', ahead);
      expect(await writer.run()).toEqual({ counted: true, totals: [2] });
      const claimer = await stage.start(space, 'claim', ahead);
      expect(await claimer.run()).toBe(false);
      expect(await store.get('value')).toMatchObject({ value: 'from the other process' });
      expect(await all(store.read('log'))).toHaveLength(1);
      const refused = await store.count({ key: 'counter', amount: 1, limit: 2, windowMs: 60_000 });
      expect(refused.counted ? undefined : refused.retryAfterMs).toBeLessThanOrEqual(60_600);
    },
  );
}
