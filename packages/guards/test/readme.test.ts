import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const examples: { section: string; code: string; text: string }[] = [];
let section = '';
for (const [, heading, code, text = ''] of readme.matchAll(
  /^## (.*?)$|```ts\n(.*?)```\n\n```text\n(.*?)```/gms,
)) {
  section = heading ?? section;
  if (code !== undefined) examples.push({ section, code, text });
}

test('every example of the README says what it prints', () => {
  expect(examples).toHaveLength(readme.match(/```ts\n/g)?.length ?? 0);
});

test.each(examples)(
  'the example of $section prints what it says',
  { timeout: 30_000 },
  async ({ code, text }) => {
    const folder = mkdtempSync(join(import.meta.dirname, 'readme-'));
    try {
      const file = join(folder, 'example.ts');
      writeFileSync(file, code);
      const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=@hooks/source', file]);
      expect(stdout).toBe(text);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
