/** Measures how long a page waits for a journal: for the first rows of 10,000 runs, for all, and for one run. */
import { copyFileSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BeforeToolCall, createHooks, proceed } from '@hooks/core';
import { openRun } from '@hooks/core/adapter';
import { journal, readJournal } from '@hooks/journal';
import { openView, type View } from '../src/index.ts';

const RUNS = process.env['HOOKS_BENCH'] === 'once' ? 100 : Number(process.env['VIEW_RUNS'] ?? 10_000);
const ROUNDS = process.env['HOOKS_BENCH'] === 'once' ? 1 : 5;

const folder = mkdtempSync(join(tmpdir(), 'view-bench-'));

/** Runs with a prompt and two tool calls. */
async function play(): Promise<void> {
  const log = journal({ sink: folder });
  const hooks = createHooks();
  hooks.use(log);
  hooks.on(BeforeToolCall, () => proceed());
  for (let at = 0; at < RUNS; at++) {
    const run = openRun([{ hooks }], { sessionId: `session-${at}` });
    for (let call = 0; call < 2; call++)
      await run.callTool(
        { toolName: 'search', callId: `call-${at}-${call}`, input: { query: `the weather of city ${at}` } },
        () => ({ found: ['sunny', 'warm'], of: at }),
      );
    await run.end({ kind: 'done', response: `It is sunny in city ${at}.` });
    await hooks.session(`session-${at}`).close();
  }
  await hooks.close();
  await log.close();
}

/** What anybody does who reads the journal once. */
async function read(): Promise<number> {
  const began = performance.now();
  for await (const _ of readJournal(folder));
  return performance.now() - began;
}

/** The times until the first rows are there, all are, and one run of the middle is opened. */
async function open(): Promise<{ first: number; rows: number; all: number; one: number }> {
  const began = performance.now();
  await using view = await openView({ journal: folder });
  const get = clientOf(view);
  let runs = await get('runs');
  const [first, rows] = [performance.now() - began, runs.length];
  while (runs.length < RUNS) runs = await get('runs');
  const all = performance.now() - began;
  const asked = performance.now();
  await get(`runs/${runs[RUNS / 2]?.id}`);
  return { first, rows, all, one: performance.now() - asked };
}

/** The time until the first rows are there. */
async function openFirst(): Promise<number> {
  const began = performance.now();
  await using view = await openView({ journal: folder });
  await clientOf(view)('runs');
  return performance.now() - began;
}

function clientOf(view: View): (path: string) => Promise<readonly { readonly id: string }[]> {
  const { origin, hash } = new URL(view.url);
  const headers = { authorization: `Bearer ${hash.replace('#token=', '')}` };
  return async (path) => JSON.parse(await (await fetch(`${origin}/api/${path}`, { headers })).text());
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

await play();
const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
const [reads, opened] = [[] as number[], [] as Awaited<ReturnType<typeof open>>[]];
for (let round = 0; round < ROUNDS; round++) {
  reads.push(await read());
  opened.push(await open());
}
console.log(`\n${RUNS} runs, ${Math.round(bytes / 2 ** 20)} MiB\n| | ms | ratio |\n|---|---|---|`);
const whole = median(reads);
for (const [name, value] of [
  ['`readJournal`', whole],
  [`the first rows (${median(opened.map(({ rows }) => rows))})`, median(opened.map(({ first }) => first))],
  ['all rows', median(opened.map(({ all }) => all))],
  ['one run', median(opened.map(({ one }) => one))],
] as const)
  console.log(`| ${name} | ${value.toFixed(1)} | ${(value / whole).toFixed(2)} |`);

// The same day nine times before it.
const [day = ''] = readdirSync(folder).filter((name) => name.endsWith('.jsonl'));
for (let nth = 1; nth < 10; nth++) copyFileSync(join(folder, day), join(folder, `2020-01-0${nth}.jsonl`));
const ofTen: number[] = [];
for (let round = 0; round < ROUNDS; round++) ofTen.push(await openFirst());
console.log(
  `| the first rows of ten such days | ${median(ofTen).toFixed(1)} | ${(median(ofTen) / whole).toFixed(2)} |`,
);
rmSync(folder, { recursive: true });
