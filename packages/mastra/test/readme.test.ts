import { readdirSync, readFileSync } from 'node:fs';
import { toolResults } from '@hooks/conformance';
import { describe, expect, test, vi } from 'vitest';
import { withSupportTable } from '../scripts/support-table.ts';
import { serve } from './fixtures.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const examples = readdirSync(new URL('../examples', import.meta.url));
const codeOf = (file: string) => readFileSync(new URL(`../examples/${file}`, import.meta.url), 'utf8');

/** What the model of the examples asks of each tool. */
const proposals: Readonly<Record<string, object>> = {
  shell: { command: 'rm -rf /' },
  deploy: { target: 'prod' },
  readFile: { path: '.env' },
};

describe('the README', () => {
  test('has the table of what is supported (pnpm --filter @hooks/mastra generate)', () => {
    expect(withSupportTable(readme)).toBe(readme);
  });

  test('shows each example as it is run here, and no other', () => {
    const shown = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code);
    expect(shown.toSorted()).toEqual(examples.map(codeOf).toSorted());
  });

  test.each(examples)('%s prints what its comments say', async (file) => {
    await using server = await serve((request) => {
      const name = request.tools[0]?.name ?? '';
      if (request.turn === 0) return { toolCalls: [{ name, arguments: proposals[name] ?? {} }] };
      return { text: `I was told: ${Object.values(toolResults(request)).join()}` };
    });
    vi.stubEnv('OPENAI_BASE_URL', server.url);
    vi.resetModules();
    const printed: string[] = [];
    using _log = vi
      .spyOn(console, 'log')
      .mockImplementation((...parts) => void printed.push(parts.join(' ')));
    await import(`../examples/${file}`);
    const said = [...codeOf(file).matchAll(/^console\.log\(.*; \/\/ (.*)$/gm)].map(([, text]) => text);
    expect(printed).toEqual(said);
  });
});
