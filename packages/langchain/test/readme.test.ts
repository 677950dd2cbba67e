import { readFileSync } from 'node:fs';
import { type Step, startModelServer } from '@hooks/conformance';
import { examplesOf, run } from '@hooks/testing/examples';
import { expect, test } from 'vitest';
import { withSupportTable } from '../scripts/support-table.ts';

/** What the model says in each example. */
const scripts: { readonly [example: string]: readonly Step[] } = {
  'first-block': [
    { toolCalls: [{ name: 'shell', arguments: { command: 'rm -rf /' } }] },
    { text: 'Which folder shall go?' },
  ],
  approval: [{ toolCalls: [{ name: 'remove', arguments: { path: 'notes.txt' } }] }, { text: 'It is gone.' }],
  redaction: [{ toolCalls: [{ name: 'read_config', arguments: {} }] }, { text: '80.' }],
};

test.each(examplesOf(new URL('..', import.meta.url)))(
  'the example $name prints what it says',
  async ({ name, file, prints }) => {
    await using server = await startModelServer({ script: scripts[name] ?? [] });
    const env = { OPENAI_BASE_URL: server.url, OPENAI_API_KEY: 'none' };
    expect(await run(file, env)).toBe(prints);
  },
);

test('SUPPORT.md is up to date with the data (pnpm --filter @hooks/langchain generate)', () => {
  const page = readFileSync(new URL('../SUPPORT.md', import.meta.url), 'utf8');
  expect(withSupportTable(page)).toBe(page);
});
