/**
 * Runs a benchmark in several processes, one after the other, and prints the medians of their ratios. V8's inlining and
 * the memory layout differ between processes, and change a ratio more than the rounds within a process.
 *
 * Usage: `node bench-processes.ts FILE [PROCESSES]`, with Node options for the benchmark. Default: 5 processes.
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
