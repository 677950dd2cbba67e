import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { drawn } from '@hooks/testing/random';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { CommandRequest } from '../src/command/execute.ts';
import { type CommandRunner, createCommandRunner } from '../src/command/runner.ts';

const dir = temporaryFolder();

describe.each([
  ['directly', Number.POSITIVE_INFINITY],
  ['through the spawner', 0],
])('a command run %s', (_, spawnerAboveBytes) => {
  let runner: CommandRunner;
  beforeAll(() => {
    runner = createCommandRunner({ spawnerAboveBytes });
  });
  afterAll(() => runner[Symbol.dispose]());

  const run = (
    command: CommandRequest['command'],
    over: Partial<CommandRequest> = {},
    signal?: AbortSignal,
  ) => runner.run({ ...request, command, ...over }, signal);

  test('reads its stdin and returns stdout, stderr and the exit code', async () => {
    const result = await run('cat; echo oops >&2; exit 3', { stdin: '{"tool_name":"shell"}' });
    expect(result).toEqual({
      exitCode: 3,
      stdout: '{"tool_name":"shell"}',
      stderr: 'oops\n',
      truncated: false,
      malformed: false,
      timedOut: false,
      aborted: false,
    });
  });

  test('gets only the given environment and working directory', async () => {
    const result = await run('echo "$HOOK_VAR|$HOME|$(pwd)"', {
      env: { PATH: process.env['PATH'] ?? '', HOOK_VAR: 'x' },
    });
    expect(result.stdout).toBe(`x||${dir}\n`);
  });

  test('runs without a shell if it is a list', async () => {
    const result = await run(['printf', '%s', '$HOME; ls']);
    expect(result.stdout).toBe('$HOME; ls');
  });

  test('ends with 127 if it does not exist, and with an error if it is a list', async () => {
    expect(await run('./no-such-hook')).toMatchObject({ exitCode: 127 });
    expect((await run(['./no-such-hook'])).error).toMatch(/ENOENT/);
  });

  test('fails in a directory that does not exist', async () => {
    const gone = join(dir, 'gone');
    expect((await run('true', { cwd: gone })).error).toBe(`its working directory ${gone} does not exist`);
    writeFileSync(join(dir, 'file'), '');
    expect((await run('true', { cwd: join(dir, 'file') })).error).toMatch(/file is not a directory/);
  });

  test('ends with 126 if it is not executable', async () => {
    writeFileSync(join(dir, 'plain'), 'echo hi');
    chmodSync(join(dir, 'plain'), 0o644);
    expect(await run('./plain')).toMatchObject({ exitCode: 126 });
  });

  test('fails if it contains a NUL character', async () => {
    expect((await run('echo \0')).error).toMatch(/null bytes/);
  });

  test('has no exit code if a signal kills it', async () => {
    const result = await run('kill -KILL $$');
    expect(result.signal).toBe('SIGKILL');
    expect(result.exitCode).toBeUndefined();
  });

  test('is killed at its timeout with its children', async () => {
    const pids = join(dir, `hang-${spawnerAboveBytes}`);
    const command = `sleep 100 & printf '%s\\n' $! $$ > ${pids}; wait`;
    // On a busy machine it may be killed before it has written its ids, so try again with more time.
    for (let timeoutMs = 200; !existsSync(pids) || readFileSync(pids, 'utf8') === ''; timeoutMs *= 2)
      expect(await run(command, { timeoutMs })).toMatchObject({ timedOut: true, signal: 'SIGKILL' });
    await expectGone(readFileSync(pids, 'utf8').trim().split('\n'));
  });

  test('ends without waiting for its child, which is killed', async () => {
    const pids = join(dir, `left-${spawnerAboveBytes}`);
    // Waiting for the child would exceed the test's timeout.
    const result = await run(`sleep 100 & echo $! > ${pids}; echo done`);
    expect(result).toMatchObject({ exitCode: 0, stdout: 'done\n' });
    await expectGone(readFileSync(pids, 'utf8').trim().split('\n'));
  });

  test('ends even if a child outside its group holds the pipe open', async () => {
    const pid = join(dir, `setsid-${spawnerAboveBytes}`);
    // Waiting for the child would exceed the test's timeout.
    const result = await run(
      `setsid sh -c 'echo $$ > ${pid}; exec sleep 100' & while [ ! -s ${pid} ]; do :; done; echo done`,
    );
    process.kill(Number(readFileSync(pid, 'utf8')), 'SIGKILL');
    expect(result).toMatchObject({ exitCode: 0, stdout: 'done\n' });
  });

  test('need not read a large stdin', async () => {
    const result = await run('exec <&-; exit 0', { stdin: 'x'.repeat(10_000_000) });
    expect(result).toMatchObject({ exitCode: 0 });
    expect(result.error).toBeUndefined();
  });

  test('can write 100 MB, of which only the first bytes are kept', async () => {
    const result = await run('head -c 100000000 /dev/zero; echo "head" >&2', { maxOutputBytes: 1000 });
    expect(result).toMatchObject({ exitCode: 0, truncated: true, stderr: 'head\n' });
    expect(result.stdout).toHaveLength(1000);
  });

  test('is marked as malformed if its output is not UTF-8', async () => {
    expect(await run(`printf '{"a":"\\377\\376"}'`)).toMatchObject({ exitCode: 0, malformed: true });
    expect(await run(`printf '{"a":"ü"}'`)).toMatchObject({ malformed: false, stdout: '{"a":"ü"}' });
  });

  test('is killed when the run is aborted, before or after it started', async () => {
    expect(await run('sleep 100', {}, AbortSignal.abort())).toMatchObject({ aborted: true });
    const controller = new AbortController();
    const started = join(dir, `started-${spawnerAboveBytes}`);
    const result = run(`touch ${started}; exec sleep 100`, {}, controller.signal);
    await expect.poll(() => existsSync(started)).toBe(true);
    controller.abort();
    expect(await result).toMatchObject({ aborted: true, signal: 'SIGKILL' });
  });

  test('is killed when the runner is closed', async () => {
    const own = createCommandRunner({ spawnerAboveBytes });
    const result = own.run({ ...request, command: 'sleep 100' });
    own[Symbol.dispose]();
    expect(await result).toMatchObject({ stdout: '' });
  });
});

test('hundreds of runs leave no file descriptor and no child process behind', {
  timeout: 60_000,
}, async () => {
  using runner = createCommandRunner({ spawnerAboveBytes: Number.POSITIVE_INFINITY });
  const run = () => runner.run({ ...request, command: 'cat >/dev/null; echo "{}"' });
  await run();
  const before = { descriptors: descriptors(), children: children(process.pid) };
  for (let done = 0; done < drawn(200); done += 20) {
    const results = await Promise.all(Array.from({ length: 20 }, run));
    expect(results.every((result) => result.exitCode === 0 && result.stdout === '{}\n')).toBe(true);
  }
  await new Promise(setImmediate);
  expect(descriptors()).toBeLessThanOrEqual(before.descriptors);
  expect(children(process.pid).filter((pid) => !before.children.includes(pid))).toEqual([]);
});

describe('the spawner', () => {
  test('fails pending runs when it is killed, and the next run starts a new one', async () => {
    using runner = createCommandRunner({ spawnerAboveBytes: 0 });
    const known = new Set(children(process.pid));
    await runner.run({ ...request, command: 'true' });
    const spawner = children(process.pid).find((pid) => !known.has(pid));
    const waiting = runner.run({ ...request, command: 'sleep 100' });
    process.kill(Number(spawner), 'SIGKILL');
    expect((await waiting).error).toMatch(/was killed/);
    expect(await runner.run({ ...request, command: 'true' })).toMatchObject({ exitCode: 0 });
  });

  test('does not keep the program alive and dies with it', async () => {
    const pidFile = join(dir, 'orphan');
    const program = `
      const { createCommandRunner } = await import(${JSON.stringify(new URL('../src/command/runner.ts', import.meta.url).href)});
      const runner = createCommandRunner({ spawnerAboveBytes: 0 });
      const request = ${JSON.stringify(request)};
      const { stdout } = await runner.run({ ...request, command: 'echo $PPID' });
      process.stdout.write(stdout);
      void runner.run({ ...request, command: 'echo $$ > ${pidFile}; exec sleep 100' });
      const { existsSync } = await import('node:fs');
      while (!existsSync('${pidFile}')) await new Promise((resolve) => setTimeout(resolve, 5));
      process.kill(process.pid, 'SIGKILL');`;
    let output = '';
    try {
      execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
    } catch (error) {
      output = (error as { stdout: string }).stdout;
    }
    await expectGone([output.trim(), readFileSync(pidFile, 'utf8').trim()]);
  });
});

const request: CommandRequest = {
  command: 'true',
  stdin: '',
  cwd: dir,
  env: { PATH: process.env['PATH'] ?? '' },
  timeoutMs: 60_000,
  maxOutputBytes: 1_000_000,
};

const descriptors = () => readdirSync('/proc/self/fd').length;

const children = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean);

/** Waits until the parent has reaped the killed processes. */
async function expectGone(pids: readonly string[]): Promise<void> {
  expect(pids.length).toBeGreaterThan(0);
  await expect.poll(() => pids.filter(isAlive)).toEqual([]);
}

function isAlive(pid: string): boolean {
  if (!/^\d+$/.test(pid)) throw new Error(`not a process id: ${pid}`);
  if (!existsSync(`/proc/${pid}/stat`)) return false;
  return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}
