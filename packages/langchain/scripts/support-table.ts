// The table of what is supported, made from the data: `pnpm generate` writes it into the README.
import { readFileSync, writeFileSync } from 'node:fs';
import type { SupportCell } from '@hooks/core';
import { supports } from '../src/supports.ts';

const BEGIN = '<!-- supports:begin -->\n';
const END = '<!-- supports:end -->';

/** The README with the table as the data has it now. */
export function withSupportTable(readme: string): string {
  const [before = '', rest = ''] = readme.split(BEGIN);
  const [, after = ''] = rest.split(END);
  return `${before}${BEGIN}${supportTable()}${END}${after}`;
}

function supportTable(): string {
  const rows = Object.entries(supports.events).flatMap(
    ([event, { fires, decisions = {}, streamed = {} }]) => [
      row(`\`${event}\``, '', fires),
      ...Object.entries(decisions).map(([decision, cell]) => row('', decision, cell)),
      ...Object.entries(streamed).map(([decision, cell]) => row('', `${decision}, streamed`, cell)),
    ],
  );
  return `| event | decision | support | how |\n|---|---|---|---|\n${rows.join('')}`;
}

function row(event: string, decision: string, { level, note = '' }: SupportCell): string {
  return `| ${event} | ${decision} | ${level === 'none' ? 'no' : level} | ${note} |\n`;
}

if (import.meta.main) {
  const file = new URL('../README.md', import.meta.url);
  writeFileSync(file, withSupportTable(readFileSync(file, 'utf8')));
}
