// The table of what is supported, made from the data: `pnpm generate` writes it into the README.
import { readFileSync, writeFileSync } from 'node:fs';
import * as conformance from '@hooks/conformance/support-table';
import { supports } from '../src/supports.ts';

/** The README with the table as the data has it now. */
export function withSupportTable(readme: string): string {
  return conformance.withSupportTable(readme, [supports]);
}

if (import.meta.main) {
  const file = new URL('../README.md', import.meta.url);
  writeFileSync(file, withSupportTable(readFileSync(file, 'utf8')));
}
