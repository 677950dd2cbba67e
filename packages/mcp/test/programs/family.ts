/**
 * A server that starts a shell, which starts another server: `node family.ts [stubborn]`. It answers each request with
 * the process ids of all three. As `stubborn`, they ignore the end of stdin and SIGTERM.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

const [, , mode = 'polite'] = process.argv;
const wait =
  mode === 'stubborn'
    ? "trap '' TERM INT HUP; sleep 1000 & echo $!; wait; sleep 1000"
    : 'sleep 1000 & echo $!; wait';
const shell = spawn('sh', ['-c', wait], { stdio: ['ignore', 'pipe', 'ignore'] });
const started = new Promise((resolve) => shell.stdout.once('data', (pid) => resolve(Number(pid))));
if (mode === 'stubborn') {
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => {});
  setInterval(() => {}, 60_000);
}

for await (const line of createInterface({ input: process.stdin })) {
  const { id } = JSON.parse(line);
  const pids = [process.pid, shell.pid, await started];
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: { pids } })}\n`);
}
if (mode !== 'stubborn') process.exit(0);
