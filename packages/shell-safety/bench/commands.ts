/** What a check of a command costs beside parsing it, over the ordinary commands of the held-out set. */
import { readFileSync } from 'node:fs';
import { bench, do_not_optimize, group, run } from 'mitata';
import { forEachChild, parse, type SyntaxNode } from 'unbash';
import { checkCommand, checkPath } from '../src/index.ts';

interface Row {
  readonly label: string;
  readonly command: string;
  readonly path: string;
}

function ordinary(name: string): readonly Row[] {
  const text = readFileSync(new URL(`../test/data/${name}.held-out.jsonl`, import.meta.url), 'utf8');
  const rows = text
    .trim()
    .split('\n')
    .map((line): Row => JSON.parse(line));
  return rows.filter(({ label }) => label === 'benign');
}

/** The parser works lazily: a tree is only whole when every node has been asked for. */
function parseWhole(command: string): void {
  const visit = (node: SyntaxNode): void => forEachChild(node, visit);
  visit(parse(command));
}

const commands = ordinary('commands').map(({ command }) => command);
const paths = ordinary('paths').map(({ path }) => path);
const each =
  <T>(rows: readonly T[], judge: (row: T) => unknown) =>
  (): void => {
    for (const row of rows) do_not_optimize(judge(row));
  };

group(`${commands.length} ordinary commands`, () => {
  bench('parse, lazily', each(commands, parse)).baseline();
  bench('parse, the whole tree', each(commands, parseWhole));
  bench('checkCommand', each(commands, checkCommand));
});

group(`${paths.length} ordinary paths`, () => {
  bench('checkPath', each(paths, checkPath));
});

group('100 kB, for the fallback', () => {
  const long = 'npm ci && npm test; '.repeat(5000);
  bench('checkCommand', () => do_not_optimize(checkCommand(long)));
});

await run();
