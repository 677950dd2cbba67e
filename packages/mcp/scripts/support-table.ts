// Generates the support table in SUPPORT.md from the data: `pnpm generate`.
import { readFileSync, writeFileSync } from 'node:fs';
import * as conformance from '@hooks/conformance/support-table';
import { supports } from '../src/supports.ts';

/** Returns the page with the current table. */
export function withSupportTable(page: string): string {
  return conformance.withSupportTable(page, [supports]);
}

if (import.meta.main) {
  const file = new URL('../SUPPORT.md', import.meta.url);
  writeFileSync(file, withSupportTable(readFileSync(file, 'utf8')));
}
