import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The packages from which a module and all that it imports take values; `import type` leaves nothing behind. */
function packagesOf(file: URL, seen: Set<string> = new Set()): Set<string> {
  const source = readFileSync(file, 'utf8');
  for (const [, from = ''] of source.matchAll(/^(?:import|export)(?! type)[^;]*? from '(.*?)';/gms)) {
    if (!from.startsWith('.')) seen.add(from);
    else if (!seen.has(from)) packagesOf(new URL(from, file), seen.add(from));
  }
  return new Set([...seen].filter((name) => !name.startsWith('.')));
}

test('@hooks/langchain/tools runs on core and @langchain/core alone', () => {
  const packages = [...packagesOf(new URL('../src/tools.ts', import.meta.url))];
  expect(
    packages.filter((name) => !name.startsWith('@hooks/core') && !name.startsWith('@langchain/core')),
  ).toEqual([]);
});

test('the whole package imports LangGraph for its types only', () => {
  const packages = [...packagesOf(new URL('../src/index.ts', import.meta.url))];
  expect(packages.filter((name) => name.startsWith('@langchain/langgraph'))).toEqual([]);
});
