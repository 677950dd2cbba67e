import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Step, startModelServer } from '@hooks/conformance';
import { expect, test } from 'vitest';
import { withSupportTable } from '../scripts/support-table.ts';
import { call } from './setup.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

/** What the model says in the example of each section. */
const scripts: { readonly [section: string]: readonly Step[] } = {
  'The first blocked call': [
    { toolCalls: [call('shell', { command: 'rm -rf /' })] },
    { text: 'I may not delete everything; which folder shall go?' },
  ],
  'Tools that fail': [{ toolCalls: [call('fetch_page', { url: 'https://a.test' })] }, { text: 'Read.' }],
  Approval: [{ toolCalls: [call('remove', { path: 'notes.txt' })] }, { text: 'It is gone.' }],
  Redaction: [{ toolCalls: [call('read_config', {})] }, { text: '80.' }],
  'The plain SDK': [{ toolCalls: [call('shell', { command: 'ls' })] }, { text: 'I have no shell.' }],
};

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

test.each(examples)('the example of $section prints what it says', { timeout: 30_000 }, async (example) => {
  await using server = await startModelServer({ script: scripts[example.section] ?? [] });
  const folder = mkdtempSync(join(import.meta.dirname, 'readme-'));
  try {
    const file = join(folder, 'example.ts');
    writeFileSync(file, example.code);
    const { stdout } = await promisify(execFile)(process.execPath, ['--conditions=@hooks/source', file], {
      env: {
        ...process.env,
        OPENAI_BASE_URL: server.url,
        OPENAI_API_KEY: 'none',
        OPENAI_AGENTS_DISABLE_TRACING: '1',
      },
    });
    expect(stdout).toBe(example.text);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('the table of what is supported is that of the data (pnpm --filter @hooks/openai-agents generate)', () => {
  expect(withSupportTable(readme)).toBe(readme);
});
