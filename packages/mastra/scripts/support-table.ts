import { readFileSync, writeFileSync } from 'node:fs';
import { supports } from '../src/index.ts';

const START = '<!-- supports -->';
const END = '<!-- /supports -->';

/** The README with the table of what the adapter supports. */
export function withSupportTable(readme: string): string {
  const [before] = readme.split(START);
  const [, after] = readme.split(END);
  return `${before}${START}\n${table()}\n${END}${after}`;
}

function table(): string {
  const rows = Object.entries(supports.events).map(([type, { fires, decisions = {} }]) => {
    const honoured = Object.entries(decisions).map(([name, { level }]) =>
      level === 'none' ? '' : `\`${name}\``,
    );
    const how = fires.note ?? '';
    return `| \`${type}\` | ${fires.level} | ${honoured.filter((cell) => cell !== '').join(', ')} | ${how} |`;
  });
  return ['| event | fires | decisions beside Proceed | how |', '|---|---|---|---|', ...rows].join('\n');
}

if (import.meta.main) {
  const file = new URL('../README.md', import.meta.url);
  writeFileSync(file, withSupportTable(readFileSync(file, 'utf8')));
}
