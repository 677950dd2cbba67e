import { readFileSync } from 'node:fs';
import { startModelServer, toolResults } from '@hooks/conformance';
import { examplesOf, run } from '@hooks/testing/examples';
import { expect, test } from 'vitest';
import { withSupportTable } from '../scripts/support-table.ts';

/** What the model of the examples asks of each tool. */
const proposals: Readonly<Record<string, object>> = {
  shell: { command: 'rm -rf /' },
  deploy: { target: 'prod' },
  readFile: { path: '.env' },
};

test.each(examplesOf(new URL('..', import.meta.url)))(
  'the example $name prints what the README says',
  async ({ file, prints }) => {
    await using server = await startModelServer({
      script: (request) => {
        const name = request.tools[0]?.name ?? '';
        if (request.turn === 0) return { toolCalls: [{ name, arguments: proposals[name] ?? {} }] };
        return { text: `I was told: ${Object.values(toolResults(request)).join()}` };
      },
    });
    expect(await run(file, { OPENAI_BASE_URL: server.url })).toBe(prints);
  },
);

test('SUPPORT.md is up to date with the data (pnpm --filter @hooks/ai-sdk generate)', () => {
  const page = readFileSync(new URL('../SUPPORT.md', import.meta.url), 'utf8');
  expect(withSupportTable(page)).toBe(page);
});
