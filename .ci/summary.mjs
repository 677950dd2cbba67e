// Adds up what each package's vitest run and the release check reported; prints the one line that CI reads.
import { globSync, readFileSync } from 'node:fs';

let passed = 0;
let failed = 0;
let skipped = 0;
const files = globSync([
  '{packages,apps,apps/examples}/*/.turbo/{test,site}-results.json',
  '.turbo/release-check.json',
]);
if (files.length === 0) throw new Error('no test results found: did `pnpm test` run?');
for (const file of files) {
  const result = JSON.parse(readFileSync(file, 'utf8'));
  passed += result.numPassedTests;
  failed += result.numFailedTests;
  skipped += result.numPendingTests + result.numTodoTests;
}
console.log(`${passed} passed, ${failed} failed, ${skipped} skipped`);
process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
