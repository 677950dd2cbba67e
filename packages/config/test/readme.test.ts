import { readFileSync } from 'node:fs';
import { examplesOf, run } from '@hooks/testing/examples';
import { expect, test } from 'vitest';
import { readHookFile } from '../src/index.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const files = [...readme.matchAll(/```yaml\n(.*?)```/gs)].map(([, text = '']) => text);

test('the file in the README is valid', () => {
  expect(files).toHaveLength(1);
  for (const text of files)
    expect(readHookFile(text, 'README.md')).toMatchObject({ issues: [], notices: [] });
});

test('the file in the README is that of the example', () => {
  expect(readFileSync(new URL('../examples/hooks.yaml', import.meta.url), 'utf8')).toBe(files[0]);
});

test.each(examplesOf(new URL('..', import.meta.url)))(
  'the example $name prints what it says',
  async ({ file, prints }) => expect(await run(file)).toBe(prints),
);
