import { examplesOf, run } from '@hooks/testing/examples';
import { expect, test } from 'vitest';

const examples = examplesOf(new URL('..', import.meta.url), ['harness.ts']);

test('the README has four examples, two of which reference.test.ts and tiny.test.ts run', () => {
  expect(examples.map(({ name }) => name).toSorted()).toEqual([
    'model-server',
    'one-scenario',
    'the-suite',
    'tiny-harness',
  ]);
});

test('a scenario runs by itself', async () => {
  await import('../examples/one-scenario.ts');
});

test('the model server answers as its script says', async () => {
  const example = examples.find(({ name }) => name === 'model-server')!;
  expect(await run(example.file)).toBe(example.prints);
});
