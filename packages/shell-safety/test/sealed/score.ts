// Measures the command guard on the sealed set.
//
//   node packages/shell-safety/test/sealed/score.ts --out /tmp/misses.jsonl [--rows folder] [--subject ./other.ts] [--raw]
//
// Reads the rows beside it, or in the folder given by --rows. Prints counts only. Misses and false alarms go to the
// file given by --out: of sealed rows, whoever writes rules may read the printed figures, and not that file.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const presets = ['essential', 'recommended', 'strict'] as const;
export type Preset = (typeof presets)[number];

export interface Row {
  readonly id: string;
  readonly command: string;
  readonly label: 'danger' | 'harmless';
  readonly category?: string;
  /** The first preset that should refuse the command; absent on harmless rows. */
  readonly preset?: Preset;
  readonly source: string;
  readonly shell?: 'bash' | 'powershell' | 'cmd';
  readonly cwd?: string;
  readonly home?: string;
  /** Set where two careful readers may differ; a string says why. */
  readonly debatable?: true | string;
  /** Authors of rules may know the command: an earlier set or an issue has it. */
  readonly seen?: true;
  /** How the command hides what it does, such as `quoting` or `encoding`. */
  readonly evasion?: string;
}

export interface Refusal {
  readonly refused: boolean;
  readonly category?: string | undefined;
}

type Refuses = (
  row: Required<Pick<Row, 'command' | 'cwd' | 'home' | 'shell'>>,
  preset: Preset,
) => Refusal | Promise<Refusal>;

/** One line of `adjudication.jsonl`: what a reader decided about a row after the first run. */
interface Adjudication extends Partial<Pick<Row, 'label' | 'category' | 'preset'>> {
  readonly id: string;
  readonly why: string;
}

/** A row, and what the guard said about it under one preset. */
interface Judged {
  readonly row: Row;
  /** `early` is a dangerous row that only a stricter preset has to refuse: no miss, and no false alarm. */
  readonly expected: 'refuse' | 'pass' | 'early';
  readonly refusal: Refusal;
}

const here = import.meta.dirname;

/** Where a command runs whose row says nothing else. */
const places = {
  bash: { cwd: '/home/dev/project', home: '/home/dev' },
  powershell: { cwd: 'C:\\Users\\dev\\project', home: 'C:\\Users\\dev' },
  cmd: { cwd: 'C:\\Users\\dev\\project', home: 'C:\\Users\\dev' },
} as const;

function readRows<T>(file: string): T[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as T);
}

function adjudicated(rows: readonly Row[], decisions: ReadonlyMap<string, Adjudication>): Row[] {
  return rows.map((row) => {
    const decision = decisions.get(row.id);
    if (decision === undefined) return row;
    const { id: _id, why: _why, ...changed } = decision;
    if (changed.label !== 'harmless') return { ...row, ...changed };
    const { preset: _preset, ...rest } = row;
    return { ...rest, ...changed };
  });
}

function expectation(row: Row, preset: Preset): Judged['expected'] {
  if (row.label === 'harmless') return 'pass';
  if (row.preset === undefined) throw new Error(`${row.id}: a dangerous row needs a preset`);
  return presets.indexOf(row.preset) <= presets.indexOf(preset) ? 'refuse' : 'early';
}

async function judgeRows(rows: readonly Row[], preset: Preset, refuses: Refuses): Promise<Judged[]> {
  const judged: Judged[] = [];
  for (const row of rows) {
    const { command, shell = 'bash', cwd = places[shell].cwd, home = places[shell].home } = row;
    const refusal = await refuses({ command, cwd, home, shell }, preset);
    judged.push({ row, expected: expectation(row, preset), refusal });
  }
  return judged;
}

const isMiss = ({ expected, refusal }: Judged): boolean => expected === 'refuse' && !refusal.refused;
const isHit = ({ expected, refusal }: Judged): boolean => expected === 'refuse' && refusal.refused;
const isFalseAlarm = ({ expected, refusal }: Judged): boolean => expected === 'pass' && refusal.refused;

function share(part: number, whole: number): string {
  return whole === 0 ? '      –' : `${((100 * part) / whole).toFixed(2).padStart(6)} %`;
}

/** Prints recall by a property of the row, and precision where the guard names a category. */
function printTable(title: string, judged: readonly Judged[], key: (row: Row) => string | undefined): void {
  const groups = new Map<string, Judged[]>();
  for (const one of judged) {
    const name = key(one.row);
    if (name === undefined || one.expected !== 'refuse') continue;
    groups.set(name, [...(groups.get(name) ?? []), one]);
  }
  console.log(`  ${title.padEnd(18)}   rows   refused   recall`);
  for (const [name, members] of [...groups].sort(([a], [b]) => a.localeCompare(b))) {
    const hits = members.filter(isHit).length;
    const counts = `${String(members.length).padStart(6)}  ${String(hits).padStart(6)}  ${share(hits, members.length)}`;
    console.log(`    ${name.padEnd(18)} ${counts}`);
  }
}

/** Prints precision by category: the guard's own names, because a false alarm has no category of ours. */
function printPrecision(judged: readonly Judged[]): void {
  const counts = new Map<string, { hits: number; alarms: number }>();
  for (const one of judged) {
    if (!isHit(one) && !isFalseAlarm(one)) continue;
    const name = one.refusal.category ?? 'not named';
    const count = counts.get(name) ?? { hits: 0, alarms: 0 };
    if (isHit(one)) count.hits += 1;
    else count.alarms += 1;
    counts.set(name, count);
  }
  console.log('  refused as           right   wrong   precision');
  for (const [name, { hits, alarms }] of [...counts].sort(([a], [b]) => a.localeCompare(b))) {
    const figures = `${String(hits).padStart(6)}  ${String(alarms).padStart(6)}  ${share(hits, hits + alarms)}`;
    console.log(`    ${name.padEnd(18)} ${figures}`);
  }
}

function printTotals(name: string, judged: readonly Judged[]): void {
  const hits = judged.filter(isHit).length;
  const misses = judged.filter(isMiss).length;
  const alarms = judged.filter(isFalseAlarm).length;
  const harmless = judged.filter(({ expected }) => expected === 'pass').length;
  const early = judged.filter(({ expected, refusal }) => expected === 'early' && refusal.refused).length;
  console.log(
    `  ${name}: recall ${share(hits, hits + misses)} of ${hits + misses}, precision ${share(hits, hits + alarms)}, ` +
      `harmless rows refused ${alarms} of ${harmless} (${share(alarms, harmless).trim()}), refused early ${early}`,
  );
}

function findings(set: string, preset: Preset, judged: readonly Judged[]): string[] {
  return judged
    .filter((one) => isMiss(one) || isFalseAlarm(one))
    .map((one) => {
      const kind = isMiss(one) ? 'miss' : 'false-alarm';
      return JSON.stringify({ kind, under: preset, set, refusedAs: one.refusal.category, ...one.row });
    });
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      out: { type: 'string' },
      rows: { type: 'string', default: here },
      subject: { type: 'string' },
      raw: { type: 'boolean', default: false },
    },
  });
  if (values.out === undefined) {
    throw new Error('Give --out <file>: misses and false alarms are written there, not printed.');
  }
  const subject = resolve(values.subject ?? resolve(here, 'subject.ts'));
  const { refuses } = (await import(pathToFileURL(subject).href)) as { readonly refuses: Refuses };

  const { rows: folder } = values;
  const rowsOf = (name: string): Row[] => {
    const path = resolve(folder, `${name}.jsonl`);
    return existsSync(path) ? readRows<Row>(path) : [];
  };
  const file = resolve(folder, 'adjudication.jsonl');
  const decisions = values.raw || !existsSync(file) ? [] : readRows<Adjudication>(file);
  const byId = new Map(decisions.map((decision) => [decision.id, decision]));
  const labelled = adjudicated([...rowsOf('dangerous'), ...rowsOf('harmless')], byId);
  const agents = adjudicated(rowsOf('agents'), byId);

  console.log(
    `${labelled.length} labelled rows, ${agents.length} of agents and CI, ${byId.size} adjudicated`,
  );
  const lines: string[] = [];
  for (const preset of presets) {
    const judged = await judgeRows(labelled, preset, refuses);
    console.log(`\n${preset}`);
    printTotals('all rows', judged);
    const clear = judged.filter(({ row }) => row.debatable === undefined);
    printTotals('without debatable rows', clear);
    if (judged.some(({ row }) => row.seen))
      printTotals(
        'rows of this set alone',
        judged.filter(({ row }) => !row.seen),
      );
    printTable('category', judged, ({ category }) => category);
    printTable('evasion', judged, ({ evasion }) => evasion);
    printTable('source', judged, ({ source }) => source);
    printTable('shell', judged, ({ shell }) => shell ?? 'bash');
    printPrecision(judged);
    const ofAgents = await judgeRows(agents, preset, refuses);
    printTotals('commands of agents and CI', ofAgents);
    const sessions = ofAgents.filter(({ row }) => row.source !== 'ci-script');
    printTotals('commands of agents alone', sessions);
    lines.push(...findings('labelled', preset, judged), ...findings('agents', preset, ofAgents));
  }
  writeFileSync(values.out, lines.length === 0 ? '' : `${lines.join('\n')}\n`);
}

if (import.meta.main) await main();
