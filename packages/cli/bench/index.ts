import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { get } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TrustStore, trustedPath } from '@hooks/config';

/*
 * Measures the cold start of `hooks run` as a ratio to an empty Node script: the medians of whole processes of the built
 * command, in interleaved rounds. Each process reads the same event and has caches from earlier rounds.
 */

const rounds = Number(process.env['ROUNDS'] ?? 60);
const warmUp = 5;
const main = fileURLToPath(new URL('../dist/bin/hooks.cjs', import.meta.url));
const policy = fileURLToPath(new URL('policy.ts', import.meta.url));

const dir = mkdtempSync(join(tmpdir(), 'hooks-bench-'));
const env = { ...process.env, XDG_CONFIG_HOME: join(dir, 'config') };
process.env['XDG_CONFIG_HOME'] = env.XDG_CONFIG_HOME;

const hooks = await workspace(
  'hooks',
  'hooks:\n  before_tool_call:\n    - matcher: write\n      hooks: [{type: command, command: exit 2}]\n',
);
const shell = await workspace(
  'shell',
  'hooks:\n  before_tool_call:\n    - {type: command, command: exit 0}\n',
);
const guard = await workspace(
  'guard',
  'hooks:\n  before_tool_call:\n    - {type: builtin, command: command_safety}\n',
);
const empty = join(dir, 'empty.mjs');
writeFileSync(empty, '');

await new TrustStore().trust(trustedPath(policy), readFileSync(policy, 'utf8'));

const run = [main, 'run', '--as', 'claude-code'];
const cases: readonly Case[] = [
  { name: 'empty Node script', args: [empty] },
  { name: 'YAML policy', args: [...run, '--file', hooks] },
  { name: 'YAML policy that runs a shell command', args: [...run, '--file', shell] },
  { name: 'YAML policy with a built-in guard', args: [...run, '--file', guard] },
  { name: 'TypeScript policy', args: [...run, '--policy', policy] },
  { name: 'TypeScript policy, as it is installed', program: '/bin/sh', args: installed() },
  {
    name: 'TypeScript policy, in a warm worker',
    program: '/bin/sh',
    args: installed('--warm', 'bench.sock'),
  },
];
const event = JSON.stringify({
  hook_event_name: 'PreToolUse',
  session_id: 's',
  cwd: dir,
  tool_name: 'Bash',
  tool_use_id: 't',
  tool_input: { command: 'ls' },
});

const samples = new Map<string, number[]>();
for (let round = -warmUp; round < rounds; round++) {
  for (const one of cases) {
    const { name } = one;
    const ms = await timed(one);
    if (round >= 0) samples.set(name, [...(samples.get(name) ?? []), ms]);
  }
}
// The worker exits when it gets a request after a change.
await new TrustStore().trust(join(dir, 'other.yaml'), '');
await new Promise((resolve) =>
  get({ socketPath: join(env.XDG_CONFIG_HOME, 'hooks/warm', dir, 'bench.sock') }, resolve),
);
rmSync(dir, { recursive: true });

const base = median(samples.get('empty Node script') ?? []);
for (const [name, times] of samples)
  console.log(`${name}: ${median(times).toFixed(1)} ms, ratio ${(median(times) / base).toFixed(2)}`);

interface Case {
  readonly name: string;
  /** Default: Node. */
  readonly program?: string;
  readonly args: readonly string[];
}

/** Writes a hook file and trusts it. */
async function workspace(name: string, text: string): Promise<string> {
  mkdirSync(join(dir, name));
  const path = join(dir, name, 'hooks.yaml');
  writeFileSync(path, text);
  await new TrustStore().trust(path, text);
  return path;
}

/** The arguments of `hook.sh`, which the agent's shell starts. */
function installed(...warm: readonly string[]): readonly string[] {
  const script = fileURLToPath(new URL('../dist/bin/hook.sh', import.meta.url));
  return [script, 'gate', ...warm, process.execPath, ...run, '--policy', policy];
}

function timed({ program = process.execPath, args }: Case): Promise<number> {
  return new Promise((resolve, reject) => {
    const began = performance.now();
    const child = spawn(program, args, { env, cwd: dir, stdio: ['pipe', 'ignore', 'inherit'] });
    child.on('error', reject);
    child.on('close', (code) => {
      if (code === 0) resolve(performance.now() - began);
      else reject(new Error(`${args.join(' ')} ended with ${code}`));
    });
    child.stdin.on('error', () => {}); // The empty script reads nothing.
    child.stdin.end(event);
  });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
