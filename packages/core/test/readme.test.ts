import { readFileSync } from 'node:fs';
import { examplesOf, run } from '@hooks/testing/examples';
import { expect, it } from 'vitest';
import { withEventTable } from '../scripts/event-table.ts';

it('the README has the table of events as the tokens have it (pnpm --filter @hooks/core generate)', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  expect(withEventTable(readme)).toBe(readme);
});

it.each(examplesOf(new URL('..', import.meta.url)))(
  'the example $name prints what the README says',
  async ({ file, prints }) => expect(await run(file)).toBe(prints),
);
