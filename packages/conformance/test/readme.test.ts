import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { expect, test, vi } from 'vitest';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const examples = [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) => code);

/** Runs an example as it stands, but for where it imports from. */
async function run(code: string, name: string): Promise<void> {
  const file = new URL(`readme-${name}.generated.ts`, import.meta.url);
  const here = code
    .replaceAll("'@hooks/conformance'", "'../src/index.ts'")
    .replaceAll("{ harness } from './harness.ts'", "{ referenceHarness } from './reference/harness.ts'")
    .replace(/^(?=(?!import)\S)/m, referenceAsHarness(code));
  writeFileSync(file, here);
  try {
    await import(file.href);
  } finally {
    rmSync(file);
  }
}

function referenceAsHarness(code: string): string {
  return code.includes('harness') ? 'const harness = referenceHarness();\n' : '';
}

test('one scenario is played alone', async () => {
  expect(examples[1]).toContain('runScenario');
  await run(examples[1] ?? '', 'scenario');
});

test('the model server answers as its script says', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  await run(examples[2] ?? '', 'server');
  expect(log.mock.calls).toEqual([['Sunny.'], [[{}, { c1: 'clear sky' }]]]);
});
