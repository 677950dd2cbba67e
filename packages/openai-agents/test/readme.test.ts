import { readFileSync } from 'node:fs';
import { type Step, startModelServer } from '@hooks/conformance';
import { examplesOf, run } from '@hooks/testing/examples';
import { expect, test } from 'vitest';
import { withSupportTable } from '../scripts/support-table.ts';
import { call } from './setup.ts';

/** What the model says in each example. */
const scripts: { readonly [example: string]: readonly Step[] } = {
  'first-block': [
    { toolCalls: [call('shell', { command: 'rm -rf /' })] },
    { text: 'I may not delete everything; which folder shall go?' },
  ],
  'failing-tool': [{ toolCalls: [call('fetch_page', { url: 'https://a.test' })] }, { text: 'Read.' }],
  approval: [{ toolCalls: [call('remove', { path: 'notes.txt' })] }, { text: 'It is gone.' }],
  redaction: [{ toolCalls: [call('read_config', {})] }, { text: '80.' }],
  'plain-sdk': [{ toolCalls: [call('shell', { command: 'ls' })] }, { text: 'I have no shell.' }],
};

test.each(examplesOf(new URL('..', import.meta.url)))(
  'the example $name prints what it says',
  async ({ name, file, prints }) => {
    await using server = await startModelServer({ script: scripts[name] ?? [] });
    const env = {
      OPENAI_BASE_URL: server.url,
      OPENAI_API_KEY: 'none',
      OPENAI_AGENTS_DISABLE_TRACING: '1',
    };
    expect(await run(file, env)).toBe(prints);
  },
);

test('SUPPORT.md is up to date with the data (pnpm --filter @hooks/openai-agents generate)', () => {
  const page = readFileSync(new URL('../SUPPORT.md', import.meta.url), 'utf8');
  expect(withSupportTable(page)).toBe(page);
});
