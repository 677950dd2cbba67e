import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type Server } from 'node:net';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { localSandbox, type SandboxSession } from '../src/index.ts';
import { startAgent } from './agent-process.ts';
import { descendants, lives, processesWith } from './host.ts';
import { cannotIsolate } from './machine.ts';

const name = `escapes from a local sandbox${cannotIsolate === undefined ? '' : ` (not run: ${cannotIsolate})`}`;

describe.skipIf(cannotIsolate !== undefined)(name, { timeout: 60_000 }, () => {
  const provider = localSandbox();
  const folder = temporaryFolder();
  const marker = `86${String(process.pid).padStart(7, '0')}`;
  let session: SandboxSession;
  beforeAll(async () => {
    session = await provider.createSession({ resources: SMALL });
  });
  afterAll(() => session?.close());

  describe('files', () => {
    it('deletes only its own files, even if a command deletes everything', async () => {
      await using doomed = await provider.createSession({});
      await doomed.execute({ command: 'echo precious > file' });
      // Deeper files are on the same mounts. Deleting them may take a minute on some machines.
      const result = await doomed.execute({
        command: 'find / -mindepth 1 -maxdepth 3 -delete 2>/dev/null; ls -A /workspace | wc -l',
      });
      expect(result.stdout).toBe('0\n');
      expect(existsSync('/usr/bin/env')).toBe(true);
      expect(existsSync(folder)).toBe(true);
      expect((await doomed.execute({ command: 'echo works still' })).stdout).toBe('works still\n');
    });

    it.each([
      '/',
      '/usr',
      '/usr/local/bin',
      '/etc',
      '/dev',
      '/proc/sys/kernel',
      '/run',
      '/var/tmp',
      homedir(),
    ])('cannot write to %s', async (path) => {
      // Below the sandbox's own /tmp the command succeeds inside, so check the host.
      await session.execute({ command: `mkdir -p ${path}; echo x > ${path}/hooks-was-here` });
      expect(existsSync(join(path, 'hooks-was-here'))).toBe(false);
    });

    it('sees no home, no host /tmp, no /etc/shadow and no host process', async () => {
      writeFileSync(join(folder, 'secret'), marker);
      const look = `cat ${folder}/secret ${homedir()}/.* /etc/shadow /proc/*/environ; ls -A /home /root /var /run /opt /srv /tmp`;
      const { stdout } = await session.execute({ command: look });
      expect(stdout.replaceAll('\0', '\n')).not.toContain(marker);
      expect(stdout).not.toMatch(/root:|\/tmp\/hooks-host/);
      const seen = await session.execute({ command: 'cat /proc/[0-9]*/comm' });
      expect(new Set(seen.stdout.trim().split('\n'))).toEqual(new Set(['bwrap', 'sh']));
    });

    it('has nothing of the host in the environment of its first process', async () => {
      const { stdout } = await session.execute({ command: 'cat /proc/1/environ' });
      expect(stdout).toBe('');
    });

    it('does not follow a symlink to the host in readFile', async () => {
      writeFileSync(join(folder, 'secret'), marker);
      await session.execute({ command: `ln -s ${folder}/secret link; ln -s /etc/shadow shadow` });
      await expect(session.readFile('link')).rejects.toThrow('No such file');
      await expect(session.readFile('shadow')).rejects.toThrow('No such file');
      await session.execute({ command: `ln -sfn ${folder} out` });
      await expect(session.writeFile('out/planted', 'x')).rejects.toMatchObject({ code: 'FAILED' });
      expect(existsSync(join(folder, 'planted'))).toBe(false);
    });

    it('does not see files of another session', async () => {
      await using other = await provider.createSession({});
      await session.execute({ command: 'echo mine > mine; echo mine > /tmp/mine' });
      expect((await other.execute({ command: 'ls /workspace /tmp' })).stdout).not.toContain('mine');
    });

    it('writes to a mounted workspace and nothing outside of it', async () => {
      chmodSync(folder, 0o755);
      const mounted = mkdtempSync(join(folder, 'mounted-'));
      if (process.getuid?.() === 0) chownSync(mounted, 65534, 65534);
      await using inside = await provider.createSession({ workspace: { kind: 'mount', path: mounted } });
      await inside.execute({ command: 'echo in > in; echo out > ../out' });
      expect(readFileSync(join(mounted, 'in'), 'utf8')).toBe('in\n');
      expect(existsSync(join(folder, 'out'))).toBe(false);
    });

    it('cannot write to a workspace mounted readOnly', async () => {
      await using inside = await provider.createSession({
        workspace: { kind: 'mount', path: '/usr/share', readOnly: true },
      });
      expect((await inside.execute({ command: 'ls && ! touch x && ! rm -rf *' })).exitCode).toBe(0);
    });

    it('fills only its own disk', async () => {
      for (const path of ['/workspace', '/tmp', '/dev/shm']) {
        const fill = `for i in 1 2 3 4; do head -c 20M /dev/zero > ${path}/big$i || break; done; rm ${path}/big*`;
        expect((await session.execute({ command: fill })).stderr).toMatch(/No space left|File too large/);
      }
    });
  });

  describe('network', () => {
    let server: Server;
    let port: number;
    let reached = 0;
    beforeAll(async () => {
      server = createServer(() => reached++).listen(0, '127.0.0.1');
      await once(server, 'listening');
      port = (server.address() as { port: number }).port;
    });
    afterAll(() => server.close());

    it('does not reach the host on loopback', async () => {
      const connect = ['bash', '-c', `exec 3<>/dev/tcp/127.0.0.1/${port}`] as const;
      expect(await session.execute({ argv: connect })).toMatchObject({
        exitCode: 1,
        stderr: expect.stringContaining('Connection refused'),
      });
      expect(reached).toBe(0);
    });

    it('has only its own loopback interface', async () => {
      const { stdout } = await session.execute({
        command: "tail -n +3 /proc/net/dev | cut -d: -f1 | grep -v ' lo$' | cat",
      });
      expect(stdout).toBe('');
    });
  });

  describe('privileges', () => {
    it('has no capabilities, cannot gain any, and cannot create namespaces', async () => {
      const { stdout } = await session.execute({
        command: 'grep -E "Cap(Eff|Prm|Bnd)|NoNewPrivs" /proc/self/status',
      });
      expect(stdout.match(/Cap\w+:\s+0{16}\n/g)).toHaveLength(3);
      expect(stdout).toMatch(/NoNewPrivs:\s+1/);
      expect((await session.execute({ argv: ['unshare', '--user', 'true'] })).exitCode).not.toBe(0);
    });

    it('inherits no descriptors, not even those that the agent inherited', async () => {
      const secret = openSync('/etc/hostname', 'r');
      const agent = startAgent(['descriptors'], {
        stdio: ['ignore', 'ignore', 'inherit', 'ipc', ...Array(36).fill(null), secret],
      });
      const [listed] = await once(agent, 'message');
      closeSync(secret);
      const open = [...String(listed).matchAll(/ (\d+) -> (.*)/g)].filter(([, , to]) => to !== '/dev/null');
      expect(open.map(([, fd]) => Number(fd))).toEqual([0, 1, 2, 3]); // 3 is the folder that ls itself reads
    });

    it('kills only its own processes if it kills all', async () => {
      const neighbour = session.execute({ command: 'sleep 0.5; echo untouched' });
      expect((await session.execute({ command: 'kill -9 -1; echo alive' })).exitCode).not.toBe(null);
      expect((await neighbour).stdout).toBe('untouched\n');
    });
  });

  describe('resources', () => {
    it('contains a fork bomb', async () => {
      const bomb = `bomb() { bomb | bomb & }; bomb; sleep ${marker}`;
      const contained = new AbortController();
      let said = '';
      const result = await session.execute(
        { argv: ['bash', '-c', bomb], timeoutMs: 20_000 },
        {
          signal: contained.signal,
          onOutput: ({ data }) => {
            said += Buffer.from(data).toString();
            if (said.includes('Resource temporarily unavailable')) contained.abort();
          },
        },
      );
      expect(result).toMatchObject({ canceled: true, timedOut: false });
      await expect.poll(() => processesWith(marker)).toEqual([]);
      expect((await session.execute({ command: 'echo works still' })).stdout).toBe('works still\n');
    });

    it('limits the memory of one process', async () => {
      const result = await session.execute({ command: 'head -c 1G /dev/zero | tail -c 1G | wc -c' });
      expect(result.exitCode === null ? result.limit : result.stderr).toMatch(/memory/);
    });

    it('kills processes that together exceed the memory limit', async () => {
      const hold = "x=$(head -c 15M /dev/zero | tr '\\0' x); sleep 30; :"; // not the last command, because the shell would exec it
      const result = await session.execute({ command: `for i in $(seq 8); do (${hold}) & done; wait` });
      expect(result).toMatchObject({ exitCode: null, limit: 'more than 96 MiB of memory', timedOut: false });
    });

    it('ends a hang that ignores signals', async () => {
      const result = await session.execute({
        command: "trap '' TERM INT HUP; while :; do :; done",
        timeoutMs: 300,
      });
      expect(result).toMatchObject({ timedOut: true, exitCode: null });
    });

    it('ends a program that exceeds its CPU time', async () => {
      await using short = await provider.createSession({ resources: { cpuSeconds: 1 } });
      expect((await short.execute({ command: 'while :; do :; done' })).exitCode).toBe(137);
    });

    it('keeps only a part of huge output', async () => {
      const before = process.memoryUsage().rss;
      const result = await session.execute({ command: 'yes | head -c 300M', maxOutputBytes: 10_000 });
      expect(result).toMatchObject({ exitCode: 0, truncated: true });
      expect(result.stdout.length).toBeLessThan(10_100);
      expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
    });
  });

  describe('leftovers', () => {
    it('ends background processes with their command', async () => {
      const result = await session.execute({
        command: `setsid nohup sleep ${marker} >/dev/null 2>&1 & echo left`,
      });
      expect(result.stdout).toBe('left\n');
      await expect.poll(() => processesWith(marker)).toEqual([]);
    });

    it('leaves no process of a command canceled during setup', async () => {
      for (let moment = 0; moment < 15; moment += 0.3) {
        const abort = new AbortController();
        const running = session.execute({ command: `sleep ${marker}` }, { signal: abort.signal });
        const started = performance.now();
        while (performance.now() - started < moment) await new Promise(setImmediate);
        abort.abort();
        expect(await running).toMatchObject({ canceled: true, exitCode: null });
      }
      await expect.poll(() => processesWith(marker)).toEqual([]);
    });

    it('leaves no process after closing', async () => {
      const closed = await provider.createSession({});
      const running = closed.execute({ command: `sleep ${marker}` }, { onOutput: () => {} });
      await closed.close();
      expect(await running).toMatchObject({ canceled: true });
      expect(processesWith(marker)).toEqual([]);
    });

    it('leaves no process if the agent is killed by SIGKILL', async () => {
      const agent = startAgent(['hold', marker]);
      await once(agent, 'message');
      const below = descendants(agent.pid ?? 0);
      expect(below.length).toBeGreaterThanOrEqual(4);
      agent.kill('SIGKILL');
      await expect.poll(() => below.filter(lives)).toEqual([]);
      expect(processesWith(marker)).toEqual([]);
    });

    it('does not keep the agent alive if it is never closed', async () => {
      const agent = startAgent(['forget']);
      await once(agent, 'message');
      const below = descendants(agent.pid ?? 0);
      expect(below.length).toBeGreaterThanOrEqual(1);
      agent.send('leave');
      expect(await once(agent, 'exit')).toEqual([0, null]);
      await expect.poll(() => below.filter(lives)).toEqual([]);
    });

    it('refuses commands after its files are lost', async () => {
      const before = descendants(process.pid);
      const broken = await provider.createSession({});
      const [holder = 0] = descendants(process.pid).filter((pid) => !before.includes(pid));
      process.kill(holder, 'SIGKILL');
      await expect.poll(() => broken.status).toBe('failed');
      await expect(broken.execute({ command: 'true' })).rejects.toMatchObject({ code: 'FAILED' });
      await broken.close();
    });
  });

  describe('refusals', () => {
    it.each([
      [{ network: 'open' } as const, /no network/],
      [{ image: 'alpine' }, /cannot run images/],
      [{ resources: { memoryMb: -1 } }, /resources\.memoryMb must be a whole number/],
      [{ workspace: { kind: 'mount', path: 'relative' } } as const, /absolute path/],
      [{ workspace: { kind: 'copy', path: '/does/not/exist' } } as const, /is not a directory/],
    ])('refuses %j', async (spec, reason) => {
      await expect(provider.createSession(spec)).rejects.toMatchObject({
        code: 'UNSUPPORTED',
        message: expect.stringMatching(reason),
      });
    });

    it.skipIf(process.getuid?.() !== 0)(
      'as root, refuses to mount a folder of root for writing',
      async () => {
        expect(statSync(folder).uid).toBe(0);
        const spec = { workspace: { kind: 'mount', path: folder } } as const;
        expect(await provider.supports(spec)).toEqual([expect.stringContaining('belongs to root')]);
      },
    );
  });
});

describe('a machine without bubblewrap', () => {
  it('is refused with instructions, and no command runs', async () => {
    const [refusal] = await once(startAgent(['refused'], { env: { PATH: '/nowhere' } }), 'message');
    expect(refusal).toMatchObject({
      code: 'UNSUPPORTED',
      message: expect.stringMatching(/cannot run sandboxes.*Install bubblewrap/),
    });
  });
});

const SMALL = { memoryMb: 96, processes: 40, diskMb: 50, fileMb: 30 };
