import { readFileSync } from 'node:fs';
import { examplesOf, run } from '@hooks/testing/examples';
import { expect, test } from 'vitest';
import { withDecisionTable } from '../scripts/decision-table.ts';
import { workspace } from './program.ts';

test.each(examplesOf(new URL('..', import.meta.url)))(
  'the example $name prints what it says',
  async ({ file, prints }) => expect(await run(file)).toBe(prints),
);

test('SUPPORT.md is up to date with the data (pnpm --filter @hooks/cli generate)', () => {
  const page = readFileSync(new URL('../SUPPORT.md', import.meta.url), 'utf8');
  expect(withDecisionTable(page)).toBe(page);
});

test('the reference names every command', async () => {
  const page = readFileSync(new URL('../../../apps/docs/pages/reference/cli.md', import.meta.url), 'utf8');
  const { stdout } = await workspace().cli('--help');
  const commands = [...stdout.slice(stdout.indexOf('Commands:')).matchAll(/^ {2}([a-z]+)/gm)];
  const names = commands.flatMap(([, name = '']) => (name === 'help' ? [] : [name]));
  expect(names).toContain('replay');
  expect(names.filter((name) => !page.includes(`\`${name}`))).toEqual([]);
});
