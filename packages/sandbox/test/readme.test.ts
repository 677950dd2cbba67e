import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { cannotIsolate } from './machine.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const examples = [...readme.matchAll(/```ts\n(.*?)```.*?```text\n(.*?)```/gs)].map(
  ([, code = '', text = '']) => ({ code, text }),
);

it('the README has three examples', () => {
  expect(examples).toHaveLength(3);
});

it.skipIf(cannotIsolate !== undefined).each(examples)(
  `an example of the README prints what it says${cannotIsolate ? ` (not run: ${cannotIsolate})` : ''}: $text`,
  { timeout: 30_000 },
  async ({ code, text }) => {
    const folder = mkdtempSync(join(import.meta.dirname, 'readme-'));
    try {
      writeFileSync(join(folder, 'example.ts'), code);
      const { stdout } = await promisify(execFile)(process.execPath, [
        '--conditions=@hooks/source',
        join(folder, 'example.ts'),
      ]);
      expect(stdout).toBe(text);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);
