import { examplesOf, runHere } from '@hooks/testing/examples';
import { expect, it } from 'vitest';

it.each(examplesOf(new URL('..', import.meta.url)))(
  'the example $name prints what the README says',
  async ({ file, prints }) => expect(await runHere(file)).toBe(prints),
);
