/**
 * The verdicts on all labelled commands, to compare before and after a change:
 * `node --conditions=@hooks/source bench/verdicts.ts after.json [before.json]` writes them, prints recall, precision and the
 * share of agents' own commands that is refused, and lists each row whose verdict differs from the earlier file.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { type AnalyzeOptions, checkCommand, presets } from '../src/index.ts';

interface Row {
  readonly id?: string;
  readonly command: string;
  readonly label?: string;
  readonly preset?: string;
  readonly rule?: string;
  readonly shell?: 'powershell' | 'cmd';
  readonly cwd?: string;
  readonly home?: string;
}

const DATA = new URL('../test/data/', import.meta.url);

function read(path: string): readonly Row[] {
  const url = new URL(path, DATA);
  if (!existsSync(url)) return [];
  const lines = readFileSync(url, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line): Row => JSON.parse(line));
}

function placeOf(path: string, { shell, cwd, home }: Row): AnalyzeOptions {
  if (!path.startsWith('opened-')) return shell ? { shell } : {};
  const place = shell
    ? { shell, cwd: 'C:\\Users\\dev\\project', home: 'C:\\Users\\dev' }
    : { cwd: '/home/dev/project', home: '/home/dev' };
  return { ...place, ...(cwd && { cwd }), ...(home && { home }) };
}

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(2)} % of ${whole}`;

const folders = readdirSync(DATA).filter((name) => name.startsWith('opened-'));
const files = [
  ...readdirSync(DATA).filter((name) => name.startsWith('commands.') || name === 'scope.jsonl'),
  ...folders.flatMap((folder) =>
    ['dangerous', 'harmless', 'agents'].map((name) => `${folder}/${name}.jsonl`),
  ),
];

const verdicts: Record<string, string> = {};
for (const path of files) {
  const decided = new Map(
    read(path.replace(/[^/]*$/, 'adjudication.jsonl')).map((decision) => [decision.id, decision]),
  );
  const tally = { dangerous: 0, caught: 0, harmless: 0, mistaken: 0 };
  for (const [i, row] of read(path).entries()) {
    const { label, preset, rule, ...rest } = { ...row, ...decided.get(row.id) };
    const policy = path.startsWith('commands.') && preset === 'strict' ? presets.strict : presets.recommended;
    const verdict = checkCommand(rest.command, policy, placeOf(path, rest))?.rule ?? '';
    verdicts[`${path}:${i + 1}`] = verdict;
    const isDangerous = label === undefined ? rule !== undefined : /^danger/.test(label);
    if (isDangerous && preset === 'strict' && path.startsWith('opened-')) continue;
    tally[isDangerous ? 'dangerous' : 'harmless']++;
    if (verdict !== '') tally[isDangerous ? 'caught' : 'mistaken']++;
  }
  const { dangerous, caught, harmless, mistaken } = tally;
  const figures = [
    ...(dangerous > 0
      ? [`recall ${percent(caught, dangerous)}`, `precision ${percent(caught, caught + mistaken)}`]
      : []),
    ...(harmless > 0 ? [`refused ${mistaken}: ${percent(mistaken, harmless)}`] : []),
  ];
  console.log(`${path}: ${figures.join(', ')}`);
}

const [after, before] = process.argv.slice(2);
if (after !== undefined) writeFileSync(after, JSON.stringify(verdicts));
if (before !== undefined) {
  const earlier: Readonly<Record<string, string>> = JSON.parse(readFileSync(before, 'utf8'));
  for (const [row, verdict] of Object.entries(verdicts))
    if (earlier[row] !== undefined && earlier[row] !== verdict)
      console.log(`${row}: ${earlier[row] || 'fine'} → ${verdict || 'fine'}`);
}
