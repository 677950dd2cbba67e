import { examplesOf, runHere } from '@hooks/testing/examples';
import { expect, test } from 'vitest';

test.each(examplesOf(new URL('..', import.meta.url)))(
  'the example $name prints what it says',
  async ({ file, prints }) => expect(await runHere(file)).toBe(prints),
);
