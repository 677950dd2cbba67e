import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Step, startModelServer } from '@hooks/conformance';
import { expect, test } from 'vitest';
import { withSupportTable } from '../scripts/support-table.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

/** What the model says in the example of each section. */
const scripts: { readonly [section: string]: readonly Step[] } = {
  'The first blocked call': [
    { toolCalls: [{ name: 'shell', arguments: { command: 'rm -rf /' } }] },
    { text: 'Which folder shall go?' },
  ],
  Approval: [{ toolCalls: [{ name: 'remove', arguments: { path: 'notes.txt' } }] }, { text: 'It is gone.' }],
  Redaction: [{ toolCalls: [{ name: 'read_config', arguments: {} }] }, { text: '80.' }],
};

const examples: { section: string; code: string; text: string }[] = [];
let section = '';
for (const [, heading, code, text = ''] of readme.matchAll(
  /^## (.*?)$|```ts\n(.*?)```\n\n```text\n(.*?)```/gms,
)) {
  section = heading ?? section;
  if (code !== undefined) examples.push({ section, code, text });
}

test('every example says what it prints', () => {
  expect(examples).toHaveLength(readme.match(/```ts\n/g)?.length ?? 0);
});

test.each(examples)('the example of "$section" prints what it says', { timeout: 30_000 }, async (example) => {
  await using server = await startModelServer({ script: scripts[example.section] ?? [] });
  const folder = mkdtempSync(join(import.meta.dirname, 'readme-'));
  try {
    const file = join(folder, 'example.ts');
    writeFileSync(file, example.code);
    const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=@hooks/source', file], {
      env: { ...process.env, OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'none' },
    });
    expect(stdout).toBe(example.text);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the table of what is supported is that of the data (pnpm --filter @hooks/langchain generate)', () => {
  expect(withSupportTable(readme)).toBe(readme);
});
