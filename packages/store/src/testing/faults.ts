import { expect, it } from 'vitest';
import { claim } from '../claim.ts';
import type { Store } from '../store.ts';
import { type Network, networkTo } from './network.ts';
import type { Stage } from './stage.ts';
import { all } from './tools.ts';

const HOUR = 3_600_000;

/** What a store promises when the network breaks in the middle of a write: it happens once, whole, and the caller learns of it. */
export function testFaults(stage: Stage, port: number): void {
  const faults: readonly (readonly [string, (network: Network) => void])[] = [
    ['whose reply was lost', (network) => network.loseReply()],
    ['that was torn', (network) => network.tearRequest()],
  ];
  const writes: readonly (readonly [string, (store: Store) => Promise<void>])[] = [
    [
      'a count',
      async (store) => {
        const count = { key: 'calls', windowMs: HOUR };
        expect(await store.count({ ...count, amount: 5, limit: 5 })).toEqual({ counted: true, totals: [5] });
        expect(await store.count({ ...count, amount: 0 })).toMatchObject({ totals: [5] });
      },
    ],
    [
      'an append',
      async (store) => {
        const append = store.append('log', ['a', 'b'], { expected: 0 });
        expect(await append).toEqual({ appended: true, length: 2 });
        expect((await all(store.read('log'))).map(({ record }) => record)).toEqual(['a', 'b']);
      },
    ],
    [
      'a value',
      async (store) => {
        const version = await store.set('key', 'new', { expected: null });
        expect(await store.get('key')).toEqual({ key: 'key', value: 'new', version });
        expect(version).toBeDefined();
      },
    ],
    [
      'a deletion',
      async (store) => {
        expect(await store.delete('kept')).toBe(true);
        expect(await store.get('kept')).toBeUndefined();
      },
    ],
    [
      'a claim',
      async (store) => {
        const held = await claim(store, 'claimed', { ttlMs: HOUR });
        expect(held).toBeDefined();
        expect(await held?.release()).toBe(true);
      },
    ],
  ];
  for (const [what, break_] of faults)
    it.each(writes)(`%s ${what} is written once, and answered`, async (_name, write) => {
      const network = await networkTo(port);
      try {
        const store = await stage.openAt(stage.space(), network.port);
        await store.set('kept', 1);
        // The server knows each kind of call from now on.
        await store.count({ key: 'other', amount: 1, windowMs: HOUR });
        await store.append('other', [1]);
        break_(network);
        await write(store);
        expect(network.broken).toBe(true);
      } finally {
        network.close();
      }
    });
}
