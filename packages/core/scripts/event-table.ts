// The table of events, made from the tokens: `pnpm generate` writes it into EVENTS.md.
import { readFileSync, writeFileSync } from 'node:fs';
import * as events from '../src/event/catalogue/index.ts';
import type { EventSpec } from '../src/event/event.ts';

const BEGIN = '<!-- events:begin -->\n';
const END = '<!-- events:end -->';

/** The page with the table as the tokens have it now. */
export function withEventTable(page: string): string {
  const [before = '', rest = ''] = page.split(BEGIN);
  const [, after = ''] = rest.split(END);
  return `${before}${BEGIN}${eventTable()}${END}${after}`;
}

/** In the order of an agent's life; whatever is not named comes last. */
const LIFE = [
  'SessionStart',
  'UserPromptSubmit',
  'BeforeRun',
  'TurnStart',
  'BeforeModelCall',
  'AfterModelCall',
  'BeforeToolCall',
  'PermissionRequest',
  'ToolApprovalDecision',
  'BeforeExecute',
  'TransformToolResult',
  'AfterToolCall',
  'TurnEnd',
  'Stop',
];

function eventTable(): string {
  const tokens = Object.entries(events).flatMap(([name, token]) =>
    token.spec.kind === 'event' ? [{ name, spec: token.spec, at: LIFE.indexOf(name) }] : [],
  );
  const place = (at: number): number => (at === -1 ? LIFE.length : at);
  tokens.sort((a, b) => place(a.at) - place(b.at) || a.name.localeCompare(b.name));
  const rows = tokens.map(({ name, spec }) => `| ${[`\`${name}\``, ...cells(spec)].join(' | ')} |\n`);
  return `| event | type | permits beside Proceed | modifies | a failed hook | order |\n|---|---|---|---|---|---|\n${rows.join('')}`;
}

function cells({ type, permits, modifies, onFailure, order }: EventSpec): readonly string[] {
  const FAILURE = {
    block: 'blocks',
    proceed: 'proceeds',
    withhold: 'withholds the result',
    ask: 'lets the person be asked',
  };
  const PERMITS = { block: 'Block', modify: 'Modify', retry: 'Retry' };
  return [
    `\`${type}\``,
    permits.map((kind) => PERMITS[kind]).join(', ') || '—',
    modifies.map((field) => `\`${field}\``).join(', ') || '—',
    FAILURE[onFailure],
    order,
  ];
}

if (import.meta.main) {
  const file = new URL('../EVENTS.md', import.meta.url);
  writeFileSync(file, withEventTable(readFileSync(file, 'utf8')));
}
