/** What a check of a command costs beside parsing it, over the ordinary commands of the held-out set. */
import { readFileSync } from 'node:fs';
import { bench, do_not_optimize, group, run } from 'mitata';
import { forEachChild, parse, type SyntaxNode } from 'unbash';
import { checkCommand } from '../src/index.ts';

interface Row {
  readonly label: string;
  readonly command: string;
}

function ordinary(): readonly string[] {
  const text = readFileSync(new URL('../test/data/commands.held-out.jsonl', import.meta.url), 'utf8');
  const rows = text
    .trim()
    .split('\n')
    .map((line): Row => JSON.parse(line));
  return rows.flatMap(({ label, command }) => (label === 'benign' ? command : []));
}

/** The parser works lazily: a tree is only whole when every node has been asked for. */
function parseWhole(command: string): void {
  const visit = (node: SyntaxNode): void => forEachChild(node, visit);
  visit(parse(command));
}

const commands = ordinary();
const each = (judge: (command: string) => unknown) => (): void => {
  for (const command of commands) do_not_optimize(judge(command));
};

group(`${commands.length} ordinary commands`, () => {
  bench('parse, lazily', each(parse)).baseline();
  bench('parse, the whole tree', each(parseWhole));
  bench(
    'checkCommand',
    each((command) => checkCommand(command)),
  );
});

group('100 kB', () => {
  const long = 'npm ci && npm test; '.repeat(5000);
  bench('parse, the whole tree', () => parseWhole(long)).baseline();
  bench('checkCommand', () => do_not_optimize(checkCommand(long)));
});

await run();
