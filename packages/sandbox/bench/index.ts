import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createSandbox, localSandbox, type SandboxSession } from '../src/index.ts';

/*
 * Measures what a local sandbox adds to a command: a bare spawn of the same shell on the host, the command in a warm
 * session, and in a session opened and closed for it. They alternate in one run, and the medians count.
 */

const ROUNDS = 100;
const WARM_UP = 10;
const command = 'echo hi';

const provider = localSandbox();
const problems = await provider.supports({});
if (problems.length > 0) throw new Error(problems.join(' '));
await using session = await provider.createSession({});
await using pool = createSandbox(provider);

const cases: Readonly<Record<string, () => Promise<unknown>>> = {
  'bare spawn': bareSpawn,
  'warm session': () => run(session),
  'warm session, through createSandbox': () => pool.execute({ id: 'bench' }, { command }),
  'session opened and closed for it': async () => {
    await using own = await provider.createSession({});
    await run(own);
  },
};

const samples = new Map(Object.keys(cases).map((name) => [name, [] as number[]]));
for (let round = 0; round < ROUNDS + WARM_UP; round++)
  for (const [name, work] of Object.entries(cases)) {
    const started = performance.now();
    await work();
    if (round >= WARM_UP) samples.get(name)?.push(performance.now() - started);
  }

const bare = median(samples.get('bare spawn') ?? []);
for (const [name, times] of samples)
  console.log(`${name}: ${median(times).toFixed(1)} ms, ${(median(times) / bare).toFixed(1)} × bare`);

async function bareSpawn(): Promise<void> {
  const child = spawn('/bin/sh', ['-c', command], { stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.resume();
  child.stderr.resume();
  await once(child, 'close');
}

async function run(where: SandboxSession): Promise<void> {
  const { stdout } = await where.execute({ command });
  if (stdout !== 'hi\n') throw new Error(`It printed ${JSON.stringify(stdout)}.`);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
