import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

/** Runs a benchmark with one round of each contestant. */
function once(file: string): string {
  const path = fileURLToPath(new URL(`../bench/${file}`, import.meta.url));
  return execFileSync(process.execPath, ['--expose-gc', '--conditions=@hooks/source', path], {
    env: { ...process.env, HOOKS_BENCH: 'once' },
    encoding: 'utf8',
  });
}

it.each([
  ['load.ts', '| 100,000 invented names of tools, 5,000 hooks |'],
  ['index.ts', '| a hooked tool that no hook concerns |'],
])('the benchmark %s runs to its end', (file, lastRow) => {
  expect(once(file)).toContain(lastRow);
});
