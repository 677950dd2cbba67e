import { readFileSync } from 'node:fs';
import { examplesOf, run } from '@hooks/testing/examples';
import { expect, test } from 'vitest';
import { withDecisionTable } from '../scripts/decision-table.ts';

test.each(examplesOf(new URL('..', import.meta.url)))(
  'the example $name prints what it says',
  async ({ file, prints }) => expect(await run(file)).toBe(prints),
);

test('SUPPORT.md is up to date with the data (pnpm --filter @hooks/cli generate)', () => {
  const page = readFileSync(new URL('../SUPPORT.md', import.meta.url), 'utf8');
  expect(withDecisionTable(page)).toBe(page);
});
