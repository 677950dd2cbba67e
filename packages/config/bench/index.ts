import { spawn } from 'node:child_process';
import { createCommandRunner } from '../src/command/runner.ts';

/*
 * Compares a command hook with a bare spawn of the same shell with the same pipes: both alternate in one run, and the
 * medians count. Repeats this in a parent that holds 1 GiB, and measures how long the event loop was blocked.
 */

const command = `cat >/dev/null; echo '{}'`;
const request = {
  command,
  stdin: JSON.stringify({ hook_event_name: 'before_tool_call', tool_input: { command: 'ls' } }),
  cwd: process.cwd(),
  env: Object.fromEntries(Object.entries(process.env).flatMap(([k, v]) => (v === undefined ? [] : [[k, v]]))),
  timeoutMs: 60_000,
  maxOutputBytes: 1_048_576,
};

await compare(createCommandRunner({ spawnerAboveBytes: Number.POSITIVE_INFINITY }), 'small parent, direct');
await compare(createCommandRunner({ spawnerAboveBytes: 0 }), 'small parent, through the spawner');
const ballast = Array.from({ length: 1024 }, () => Buffer.alloc(1024 * 1024, 1));
await compare(createCommandRunner(), 'parent of 1 GiB');
if (ballast.length === 0) throw new Error('the ballast must not be collected before the end');

async function compare(runner: ReturnType<typeof createCommandRunner>, name: string): Promise<void> {
  const bare: Sample[] = [];
  const hook: Sample[] = [];
  for (let round = 0; round < 110; round++) {
    const first = await measure(bareSpawn);
    const second = await measure(() => runner.run(request));
    if (round < 10) continue;
    bare.push(first);
    hook.push(second);
  }
  runner[Symbol.dispose]();
  const rss = Math.round(process.memoryUsage.rss() / 1024 / 1024);
  const [bareMs, hookMs] = [median(bare.map(({ ms }) => ms)), median(hook.map(({ ms }) => ms))];
  const blocked = median(hook.map(({ blockedMs }) => blockedMs));
  const bareBlocked = median(bare.map(({ blockedMs }) => blockedMs));
  console.log(
    `${name} (${rss} MiB): bare ${bareMs.toFixed(1)} ms, hook ${hookMs.toFixed(1)} ms, ratio ${(hookMs / bareMs).toFixed(2)}; ` +
      `event loop blocked ${blocked.toFixed(1)} ms (bare ${bareBlocked.toFixed(1)} ms)`,
  );
}

interface Sample {
  readonly ms: number;
  /** How long the call took to return. Nothing else could run meanwhile. */
  readonly blockedMs: number;
}

async function measure(run: () => Promise<unknown>): Promise<Sample> {
  const began = performance.now();
  const running = run();
  const blockedMs = performance.now() - began;
  await running;
  return { ms: performance.now() - began, blockedMs };
}

function bareSpawn(): Promise<void> {
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', command], { stdio: 'pipe' });
    child.stdout.resume();
    child.stderr.resume();
    child.on('close', () => resolve());
    child.stdin.end(request.stdin);
  });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
