import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { examplesOf, run } from '@hooks/testing/examples';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { expect, inject, test } from 'vitest';
import { withSupportTable } from '../scripts/support-table.ts';
import { bash, environment, type Request, readBy, startModel, withClaude } from './fixtures.ts';

/** What the model of the examples runs. It harms nothing, if no hook should stop it. */
const proposals: Readonly<Record<string, string>> = {
  'first-block': 'echo rm -rf build',
  approval: 'echo noon',
};

withClaude.concurrent.for(examplesOf(new URL('..', import.meta.url)))(
  'the example $name prints what it says',
  async ({ name, file, prints }) => {
    const answer = (request: Request) => {
      const [read] = readBy([request]);
      if (read === undefined) return [bash(proposals[name] ?? 'true', 'toolu_1')];
      return read.startsWith('!') ? `I was told: ${read.replace(/.*error: /, '')}` : `I read: ${read}`;
    };
    await using model = await startModel(answer);
    const home = temporaryFolder();
    const env = { ...environment(model.url, home), NODE_PATH: installed(home) };
    expect(
      await run(file, Object.fromEntries(Object.entries(env).map(([key, value]) => [key, value ?? '']))),
    ).toBe(prints);
  },
);

/** A folder of packages in which Claude Code's program is where the SDK looks for it. */
function installed(folder: string): string {
  const packages = join(folder, 'packages');
  mkdirSync(join(packages, '@anthropic-ai'), { recursive: true });
  const name = `@anthropic-ai/claude-agent-sdk-${process.platform}-${process.arch}`;
  symlinkSync(dirname(inject('claude') ?? ''), join(packages, name));
  return packages;
}

test('SUPPORT.md is up to date with the data (pnpm --filter @hooks/claude-agent-sdk generate)', () => {
  const page = readFileSync(new URL('../SUPPORT.md', import.meta.url), 'utf8');
  expect(withSupportTable(page)).toBe(page);
});
