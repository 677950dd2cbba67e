import { expect, test, vi } from 'vitest';
import { drawn } from '../src/draw.ts';
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

test.each([
  [{}, [0, 1, 2, 3]],
  [{ HOOKS_FIRST: '7000' }, [7000, 7001, 7002, 7003]],
  [{ HOOKS_RANDOM: '0.5', HOOKS_PART: '1', HOOKS_FIRST: '7000' }, [7002, 7003]],
])('random scenarios draw the seeds that the environment names: %j', (environment, seeds) => {
  vi.stubEnv('HOOKS_RANDOM', '1');
  vi.stubEnv('HOOKS_PART', undefined);
  for (const [name, value] of Object.entries(environment)) vi.stubEnv(name, value);
  try {
    expect(drawn(4)).toEqual(seeds);
  } finally {
    vi.unstubAllEnvs();
  }
});
