/** Measures the search for secrets and personal data in typical and in long texts. */
import { readFileSync } from 'node:fs';
import { bench, do_not_optimize, group, run } from 'mitata';
import { findPii, findSecrets } from '../src/index.ts';
import { loadSamples } from '../test/secret-samples.ts';

const samples = loadSamples('secrets.held-out');
const source = readFileSync(new URL('../src/redact/find.ts', import.meta.url), 'utf8');
const long = (size: number): string => source.repeat(Math.ceil(size / source.length)).slice(0, size);

group('findSecrets', () => {
  const lines = samples.filter(({ label }) => label === 'benign').map(({ text }) => text);
  bench(`${lines.length} ordinary lines`, () => {
    for (const line of lines) do_not_optimize(findSecrets(line));
  });
  for (const size of [1000, 10_000, 100_000]) {
    const text = long(size);
    bench(`${size / 1000} kB of source code`, () => do_not_optimize(findSecrets(text)));
  }
  const keys = 'key='.repeat(25_000);
  bench('100 kB of "key=", the slowest text known', () => do_not_optimize(findSecrets(keys)));
});

group('findPii', () => {
  const text = long(10_000);
  bench('10 kB of source code', () => do_not_optimize(findPii(text)));
});

await run();
