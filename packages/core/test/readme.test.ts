import { readFileSync } from 'node:fs';
import { examplesOf, run } from '@hooks/testing/examples';
import { expect, it } from 'vitest';
import { withEventTable } from '../scripts/event-table.ts';

it('EVENTS.md is up to date with the data (pnpm --filter @hooks/core generate)', () => {
  const page = readFileSync(new URL('../EVENTS.md', import.meta.url), 'utf8');
  expect(withEventTable(page)).toBe(page);
});

it.each(examplesOf(new URL('..', import.meta.url)))(
  'the example $name prints what it says',
  async ({ file, prints }) => expect(await run(file)).toBe(prints),
);
