import { once } from 'node:events';
import { existsSync } from 'node:fs';
import Docker from 'dockerode';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dockerSandbox } from '../src/docker.ts';
import type { SandboxSession } from '../src/index.ts';
import { startAgent } from './agent-process.ts';

const docker = new Docker();
const provider = dockerSandbox(docker);
const problems = await provider.supports({});
const name = `escapes from a Docker sandbox${problems.length === 0 ? '' : ` (not run: ${problems.join(' ')})`}`;

describe.skipIf(problems.length > 0)(name, { timeout: 60_000 }, () => {
  const marker = `87${String(process.pid).padStart(7, '0')}`;
  let session: SandboxSession;
  beforeAll(async () => {
    session = await provider.createSession({
      resources: { memoryMb: 64, processes: 40, diskMb: 40, fileMb: 15 },
      labels: { marker },
    });
  }, 60_000);
  afterAll(() => session?.close());
  const containers = () => docker.listContainers({ all: true, filters: { label: [`marker=${marker}`] } });

  it('deletes only its own files, even if a command deletes everything', async () => {
    await session.execute({ command: 'echo precious > file' });
    const result = await session.execute({
      command: 'rm -rf --no-preserve-root /; ls -A /workspace | wc -l',
    });
    expect(result.stdout).toBe('0\n');
    expect(existsSync('/usr/bin/env')).toBe(true);
  });

  it('can write only to the workspace and /tmp', async () => {
    for (const path of ['/', '/usr', '/etc', '/dev', '/proc/sys/kernel', '/root'])
      expect((await session.execute({ command: `echo x > ${path}/hooks-was-here` })).exitCode).not.toBe(0);
  });

  it('has no capabilities and cannot gain any', async () => {
    const { stdout } = await session.execute({
      command: 'id -u; grep -E "Cap(Eff|Prm|Bnd)|NoNewPrivs" /proc/self/status',
    });
    expect(stdout).toMatch(/^1000\n/);
    expect(stdout.match(/Cap\w+:\s+0{16}\n/g)).toHaveLength(3);
    expect(stdout).toMatch(/NoNewPrivs:\s+1/);
  });

  it('has only its own loopback interface', async () => {
    const { stdout } = await session.execute({ command: 'tail -n +3 /proc/net/dev | cut -d: -f1' });
    expect(stdout.trim()).toMatch(/^(lo)?$/);
  });

  it('contains a fork bomb, a memory hog and a full disk', async () => {
    const bomb = `bomb() { bomb | bomb & }; bomb; sleep ${marker}`;
    const bombed = await session.execute({ argv: ['bash', '-c', bomb], timeoutMs: 1500 });
    expect(bombed.stderr).toContain('Resource temporarily unavailable');
    expect((await session.execute({ command: 'head -c 1G /dev/zero | tail -c 1G' })).exitCode).not.toBe(0);
    const fill = 'for i in 1 2 3; do head -c 10M /dev/zero > big$i || break; done; rm big*';
    expect((await session.execute({ command: fill })).stderr).toMatch(/No space left/);
    expect((await session.execute({ command: 'echo works still' })).stdout).toBe('works still\n');
  });

  it('ends background processes with their command', async () => {
    await session.execute({ command: `setsid sleep ${marker} >/dev/null 2>&1 & echo left` });
    const seen = await session.execute({ command: 'cat /proc/[0-9]*/cmdline | tr "\\0" " "' });
    expect(seen.stdout).not.toContain(`sleep ${marker}`);
  });

  it('leaves only the container with its files, and none once it is closed', async () => {
    await expect.poll(() => containers()).toHaveLength(1);
    await session.close();
    await expect.poll(() => containers()).toEqual([]);
  });

  it('leaves no container if the agent is killed by SIGKILL', async () => {
    const all = () => docker.listContainers({ all: true, filters: { label: [`hooks.sandbox=true`] } });
    const before = (await all()).map(({ Id }) => Id);
    const agent = startAgent(['hold', marker, 'docker']);
    await once(agent, 'message');
    const made = async () => (await all()).filter(({ Id }) => !before.includes(Id));
    expect(await made()).toHaveLength(2);
    agent.kill('SIGKILL');
    await expect.poll(() => made()).toEqual([]);
  });
});
