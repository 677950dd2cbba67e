// The table of what is supported, made from the data: `pnpm generate` writes it into SUPPORT.md.
import { readFileSync, writeFileSync } from 'node:fs';
import * as conformance from '@hooks/conformance/support-table';
import { proxySupports } from '../src/supports.ts';

/** The page with the table as the data has it now. */
export function withSupportTable(page: string): string {
  return conformance.withSupportTable(page, [proxySupports]);
}

if (import.meta.main) {
  const file = new URL('../SUPPORT.md', import.meta.url);
  writeFileSync(file, withSupportTable(readFileSync(file, 'utf8')));
}
