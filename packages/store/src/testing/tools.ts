import { expect } from 'vitest';

/** All that an iterable has. */
export async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** Asks until it is as expected; the bound is for what hangs. */
export function eventually<T>(ask: () => T, interval = 20): ReturnType<typeof expect.poll<T>> {
  return expect.poll(ask, { interval, timeout: 120_000 });
}
