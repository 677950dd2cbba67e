import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { checkCommand, presets } from '../src/index.ts';
import { figures, type Labelled, load } from './labelled.ts';

const blocks = ({ command, preset = 'recommended' }: Labelled): boolean =>
  checkCommand(command, presets[preset]) !== undefined;

test('every command that the rules were made from is judged as it is labelled', () => {
  const { missed, mistaken } = figures(load('commands.made-from'), blocks);
  expect(missed.map(({ command }) => command)).toEqual([]);
  expect(mistaken.map(({ command }) => command)).toEqual([]);
});

test.each([
  // Whose misses nobody listed; of the first, the totals were watched while rules changed.
  ['held-out', 0.97],
  ['unseen-5', 0.97],
  // Of somebody who had not read the rules, which were then widened from misses of the first, not of the second.
  ['unseen-6', 0.99],
  ['unseen-7', 0.97],
  // Of another such evaluator; the rules were widened from its misses.
  ['unseen-8', 0.99],
  // Looked at, and many of its misses fixed; some of its labels contradict those of the others.
  ['unseen-3', 0.94],
] as const)('recall and precision on commands that the rules were not made from: %s', (name, least) => {
  const { recall, precision } = figures(load(`commands.${name}`), blocks);
  expect(recall).toBeGreaterThanOrEqual(least);
  expect(precision).toBeGreaterThanOrEqual(0.98);
});

interface OpenedRow {
  readonly id: string;
  readonly command: string;
  readonly label: 'danger' | 'harmless';
  readonly preset?: 'essential' | 'recommended' | 'strict';
  readonly shell?: 'powershell' | 'cmd';
  readonly cwd?: string;
  readonly home?: string;
}

const opened = (set: string, name: string): OpenedRow[] => {
  const file = new URL(`data/${set}/${name}.jsonl`, import.meta.url);
  // Some sets have no commands of agents.
  if (name === 'agents' && !existsSync(file)) return [];
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .filter((line) => line !== '')
    .map((line): OpenedRow => JSON.parse(line));
};

/** What `recommended` says of a row, where that set says that it runs. */
const refuses = ({ command, shell, cwd, home }: OpenedRow): boolean => {
  const place = shell
    ? { shell, cwd: 'C:\\Users\\dev\\project', home: 'C:\\Users\\dev' }
    : { cwd: '/home/dev/project', home: '/home/dev' };
  const there = { ...place, ...(cwd && { cwd }), ...(home && { home }) };
  return checkCommand(command, presets.recommended, there) !== undefined;
};

test.each([
  ['opened-1', 0.97, 0.99],
  ['opened-2', 0.96, 0.99],
  ['opened-3', 0.98, 0.99],
  ['opened-4', 0.96, 0.99],
  ['opened-5', 0.96, 0.99],
] as const)(
  'recall, precision and refusals of real commands on a set that was sealed until it was opened: %s',
  (set, recall, precision) => {
    const decided = new Map(opened(set, 'adjudication').map((decision) => [decision.id, decision]));
    const rows = (name: string): OpenedRow[] =>
      opened(set, name).map((row) => ({ ...row, ...decided.get(row.id) }));
    const labelled = [...rows('dangerous'), ...rows('harmless')];
    const dangerous = labelled.filter(({ label, preset }) => label === 'danger' && preset !== 'strict');
    const harmless = labelled.filter(({ label }) => label === 'harmless');
    const real = rows('agents').filter(({ label }) => label === 'harmless');

    const caught = dangerous.filter(refuses).length;
    const mistaken = harmless.filter(refuses).length;
    expect(caught / dangerous.length).toBeGreaterThanOrEqual(recall);
    expect(caught / (caught + mistaken)).toBeGreaterThanOrEqual(precision);
    expect(real.filter(refuses).length).toBeLessThanOrEqual(0.0015 * real.length);
  },
);
