/**
 * Runs a benchmark in several processes, one after the other, and prints the medians of their ratios: what V8 inlines, and
 * where objects come to lie, is settled anew in each, and moves a ratio by more than a round does.
 *
 * `node bench-processes.ts FILE [PROCESSES]`, with the options of Node that the benchmark needs; 5 unless told otherwise.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { print, type Report } from './bench.ts';

const [file = '', processes = '5'] = process.argv.slice(2);
const reports: Report[] = [];
for (let started = 0; started < Number(processes); started++) {
  const child = fork(file);
  child.on('message', (made) => reports.push(made as Report));
  const [[code]] = await Promise.all([once(child, 'exit'), once(child, 'disconnect')]);
  if (code !== 0) throw new Error(`${file} ended with ${code}`);
}
for (const same of Map.groupBy(reports, ({ title }) => title).values()) print(same);
