import { readFileSync } from 'node:fs';
import { examplesOf, run } from '@hooks/testing/examples';
import { expect, test } from 'vitest';
import { withDecisionTable } from '../scripts/decision-table.ts';

test.each(examplesOf(new URL('..', import.meta.url)))(
  'the example $name prints what the README says',
  async ({ file, prints }) => expect(await run(file)).toBe(prints),
);

test('the table of decisions is that of the data (pnpm --filter @hooks/cli generate)', () => {
  const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
  expect(withDecisionTable(readme)).toBe(readme);
});
