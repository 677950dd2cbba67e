import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it, vi } from 'vitest';
import { withEventTable } from '../scripts/event-table.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const examples = readdirSync(new URL('../examples', import.meta.url));

describe('the README', () => {
  it('has the table of events as the tokens have it (pnpm --filter @hooks/core generate)', () => {
    expect(withEventTable(readme)).toBe(readme);
  });

  it('shows each example as it is run here, and no other', () => {
    const shown = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, code]) => code);
    const files = examples.map((file) =>
      readFileSync(new URL(`../examples/${file}`, import.meta.url), 'utf8'),
    );
    expect(shown.toSorted()).toEqual(files.toSorted());
  });

  it.each(examples)('%s prints what its comments say', async (file) => {
    const printed: string[] = [];
    using _log = vi
      .spyOn(console, 'log')
      .mockImplementation((...parts) => void printed.push(parts.join(' ')));
    await import(`../examples/${file}`);
    const code = readFileSync(new URL(`../examples/${file}`, import.meta.url), 'utf8');
    for (const [, said] of code.matchAll(/^console\.log\(.*; \/\/ (.*)$/gm)) expect(printed).toContain(said);
  });
});
