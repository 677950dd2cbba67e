import { expect } from 'vitest';
import type { Store } from '../src/index.ts';

const LARGE = 'x'.repeat(100_000);

/**
 * Lists and reads small values followed by large ones.
 *
 * @param takeRead how many characters came from the server since the last call
 * @returns how many came at most for one portion
 */
export async function mostOfPortion(store: Store, takeRead: () => number): Promise<number> {
  const values = [...Array<string>(150).fill('small'), ...Array<string>(60).fill(LARGE)];
  const keys = values.map((_, nth) => `key/${String(nth).padStart(3, '0')}`);
  for (const [nth, key] of keys.entries()) await store.set(key, values[nth]);
  for (const value of values) await store.append('log', [value]);
  let most = 0;
  takeRead();
  const found: string[] = [];
  for await (const { key } of store.list('key/')) {
    found.push(key);
    most = Math.max(most, takeRead());
  }
  expect(found).toEqual(keys);
  const positions: number[] = [];
  for await (const { position } of store.read('log')) {
    positions.push(position);
    most = Math.max(most, takeRead());
  }
  expect(positions).toEqual(values.map((_, nth) => nth));
  return most;
}
