// Generates the table of decisions and agents in SUPPORT.md from the agents' own tables: `pnpm generate`.
import { readFileSync, writeFileSync } from 'node:fs';
import { AGENTS } from '../src/agents/all.ts';
import { type Carried, DECISIONS, type Moment } from '../src/agents/carries.ts';

const BEGIN = '<!-- decisions:begin -->\n';
const END = '<!-- decisions:end -->';

/** Returns the page with the current table. */
export function withDecisionTable(page: string): string {
  const [before = '', rest = ''] = page.split(BEGIN);
  const [, after = ''] = rest.split(END);
  return `${before}${BEGIN}${table()}${END}${after}`;
}

function table(): string {
  const agents = Object.entries(AGENTS);
  const head = ['on', 'a policy decides', ...agents.map(([name]) => `\`${name}\``)];
  const rows = moments().flatMap((moment) =>
    DECISIONS[moment].map((decision, index) => [
      index === 0 ? moment : '',
      decision,
      ...agents.map(([, { carries }]) => {
        const row: { readonly [decision: string]: Carried } = carries[moment] ?? {};
        return row[decision] ?? '—';
      }),
    ]),
  );
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

function moments(): readonly Moment[] {
  return ['call', 'approval', 'result', 'failed result', 'prompt', 'start', 'turn', 'stop', 'compaction'];
}

if (import.meta.main) {
  const file = new URL('../SUPPORT.md', import.meta.url);
  writeFileSync(file, withDecisionTable(readFileSync(file, 'utf8')));
}
