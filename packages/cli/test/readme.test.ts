import { expect, test } from 'vitest';
// @boundaries-ignore one way to run examples for all packages
import { examplesOf, run } from '../../../examples.shared.ts';

test.each(examplesOf(new URL('..', import.meta.url)))(
  'the example $name prints what the README says',
  async ({ file, prints }) => expect(await run(file)).toBe(prints),
);
