import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, onTestFinished, test } from 'vitest';
import { program } from './connect.ts';

/* Whatever happens to the proxy, nothing of its server is left behind. */

const commandOf = (mode: string): string[] => [
  ...['--conditions=@hooks/source', program('proxy.ts')],
  ...['--', process.execPath, program('family.ts'), mode],
];

interface Family {
  readonly proxy: ChildProcess;
  /** The server, a shell that it started, and what the shell started. */
  readonly pids: readonly number[];
}

async function family(mode: string): Promise<Family> {
  const proxy = spawn(process.execPath, commandOf(mode), {
    stdio: ['pipe', 'pipe', 'ignore'],
    detached: true,
  });
  const lines = createInterface({ input: proxy.stdout });
  proxy.stdin.on('error', () => {});
  proxy.stdin.write('{"jsonrpc":"2.0","id":1,"method":"x"}\n');
  const [line] = await once(lines, 'line');
  const { pids } = JSON.parse(line).result;
  onTestFinished(() => {
    for (const pid of [proxy.pid, ...pids]) if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  });
  return { proxy, pids };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  // Nobody may have collected its exit code.
  return process.platform !== 'linux' || !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
}

const gone = (pids: readonly number[], timeout: number) =>
  expect.poll(() => pids.filter(isAlive), { timeout, interval: 20 }).toEqual([]);

describe.each(['polite', 'stubborn'])('a %s server and what it started end', (mode) => {
  test('with a client that hangs up, before the client would kill the proxy', async () => {
    const all = await family(mode);
    const at = Date.now();
    all.proxy.stdin?.end();
    const [code] = await once(all.proxy, 'exit');
    expect(code).toBe(0);
    // A client of the SDKs kills the proxy after four seconds.
    expect(Date.now() - at).toBeLessThan(3_900);
    await gone(all.pids, 1_000);
  });

  test('with a client that hangs up while much of what it wrote is unread', async () => {
    const all = await family(mode);
    for (const pid of all.pids) process.kill(pid, 'SIGSTOP');
    const line = `{"jsonrpc":"2.0","id":2,"method":"x","params":{"x":"${'x'.repeat(2_000_000)}"}}\n`;
    for (let i = 0; i < 5; i++) all.proxy.stdin?.write(line);
    all.proxy.stdin?.end();
    await once(all.proxy, 'exit');
    await gone(all.pids, 1_000);
  });

  test('with a client that stops reading', async () => {
    const all = await family(mode);
    all.proxy.stdout?.destroy();
    all.proxy.stdin?.write('{"jsonrpc":"2.0","id":2,"method":"x"}\n');
    await once(all.proxy, 'exit');
    await gone(all.pids, 1_000);
  });

  test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)('with a proxy that gets %s', async (signal) => {
    const all = await family(mode);
    all.proxy.kill(signal);
    const [code] = await once(all.proxy, 'exit');
    expect(code).toBe({ SIGTERM: 143, SIGINT: 130, SIGHUP: 129 }[signal]);
    await gone(all.pids, 1_000);
  });

  test('with a proxy that is killed', async () => {
    const all = await family(mode);
    all.proxy.kill('SIGKILL');
    await gone(all.pids, 5_000);
  });

  test('with a proxy whose whole process group is killed', async () => {
    const all = await family(mode);
    process.kill(-Number(all.proxy.pid), 'SIGKILL');
    await gone(all.pids, 5_000);
  });

  test('with a client of the SDK that closes', async () => {
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: commandOf(mode),
      stderr: 'ignore',
    });
    const pids = new Promise<number[]>((resolve) => {
      transport.onmessage = (message) => resolve(Object(message).result.pids);
    });
    await transport.start();
    await transport.send({ jsonrpc: '2.0', id: 1, method: 'x' });
    const started = await pids;
    await transport.close();
    await gone(started, 5_000);
  });
});

test('a server that crashes takes what it started along', async () => {
  const all = await family('stubborn');
  process.kill(Number(all.pids[0]), 'SIGKILL');
  await once(all.proxy, 'exit');
  await gone(all.pids, 500);
});

test('a proxy with a hook that hangs ends its server in time', async () => {
  const proxy = spawn(
    process.execPath,
    [
      ...['--conditions=@hooks/source', program('hanging-hook.ts')],
      ...['--', process.execPath, program('family.ts')],
    ],
    { stdio: ['pipe', 'pipe', 'ignore'] },
  );
  const lines = createInterface({ input: proxy.stdout });
  proxy.stdin.write('{"jsonrpc":"2.0","id":1,"method":"x"}\n');
  const { pids } = JSON.parse((await once(lines, 'line'))[0]).result;
  proxy.stdin.write('{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"t"}}\n');
  proxy.stdin.end();
  await gone(pids, 3_900);
  proxy.kill('SIGTERM');
  await once(proxy, 'exit');
});
