import { expect, test } from 'vitest';
import { expectEach, expectNoFaults } from '../src/hostile/seeds.ts';

test.each([
  ['has faults', async () => ({ faults: ['too much ran'], about: { size: 1n } })],
  ['throws', () => Promise.reject(new Error('too much ran'))],
  [
    'throws at once',
    () => {
      throw new Error('too much ran');
    },
  ],
  ['hangs', () => new Promise<never>(() => {})],
])('a failure names the seed of a case that %s', async (_how, play) => {
  const failure = expectNoFaults(9, async (seed) => (seed === 7 ? play() : { faults: [], about: 1 }), {
    hangsAfterMs: 20,
  });
  await expect(failure).rejects.toThrow(/1 of 9 cases have faults:\n {2}seed 7: .*(too much ran|not ended)/);
});

test('a failed expectation names the seed of its case', async () => {
  const failure = expectEach(9, async (seed) => expect(seed).toBeLessThan(7));
  await expect(failure).rejects.toThrow(/^seed 7 .*expected 7 to be less than 7/);
});
