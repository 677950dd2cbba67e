import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import Docker from 'dockerode';
import { describe, expect, it } from 'vitest';
import { dockerSandbox } from '../src/docker.ts';
import { formatResult, localSandbox, type SandboxSession, type SandboxSpec } from '../src/index.ts';
import { cannotIsolate } from './machine.ts';

const MIB = 1024 * 1024;

describe.skipIf(cannotIsolate !== undefined)(
  `the limits of a session${cannotIsolate ? ` (not run: ${cannotIsolate})` : ''}`,
  () => {
    const original = temporaryFolder();
    writeFileSync(join(original, 'file'), 'x'.repeat(2 * MIB));
    const open = (spec: SandboxSpec = {}): Promise<SandboxSession> =>
      localSandbox().createSession({ workspace: { kind: 'copy', path: original }, ...spec });

    it('opening fails if the workspace does not fit on the disk', async () => {
      await expect(open({ resources: { diskMb: 1 } })).rejects.toMatchObject({
        code: 'UNAVAILABLE',
        message: expect.stringMatching(/^Could not unpack the workspace in the sandbox: .*tar: .\/file/),
      });
    });

    it('opening fails if the workspace cannot be packed', async () => {
      // Longer than the patterns that the host's tar accepts.
      const exclude = ['x'.repeat(200_000)];
      await expect(open({ workspace: { kind: 'copy', path: original, exclude } })).rejects.toMatchObject({
        code: 'UNAVAILABLE',
        message: expect.stringContaining(`Could not copy the workspace ${original}`),
      });
    });

    it('changes() fails if there is no room for the comparison', async () => {
      await using session = await open({ resources: { diskMb: 3 } });
      await expect(session.changes()).rejects.toMatchObject({
        code: 'FAILED',
        message: expect.stringMatching(/^Could not list the changes: .*tar: .\/file/s),
      });
    });

    it('changes() fails for more than 16 MiB instead of truncating', async () => {
      await using session = await open();
      await session.execute({ command: `head -c ${16 * MIB} /dev/zero | tr '\\0' a > long` });
      await expect(session.changes()).rejects.toMatchObject({ code: 'LIMIT' });
    });

    it('readFile reads up to 64 MiB', async () => {
      await using session = await open({ workspace: { kind: 'scratch' } });
      const read = (): Promise<unknown> =>
        session.readFile('long').then(
          ({ length }) => length,
          ({ code }) => code,
        );
      await session.execute({ command: `head -c ${64 * MIB} /dev/zero > long` });
      expect(await read()).toBe(64 * MIB);
      await session.execute({ command: 'head -c 1M /dev/zero >> long' });
      expect(await read()).toBe('LIMIT');
    });

    it('a command id must be unique among running commands', async () => {
      await using session = await open({ workspace: { kind: 'scratch' } });
      const running = session.execute({ id: 'same', command: 'sleep 60' });
      await expect(session.execute({ id: 'same', command: 'true' })).rejects.toMatchObject({
        code: 'FAILED',
      });
      expect(session.cancel('same')).toBe(true);
      expect(await running).toMatchObject({ canceled: true });
    });
  },
);

describe('formatResult', () => {
  const result = {
    exitCode: 0,
    stderr: '',
    timedOut: false,
    canceled: false,
    truncated: false,
    durationMs: 1,
  };

  it('keeps the beginning and the end of a text longer than maxChars', () => {
    expect(formatResult({ ...result, stdout: `begin${'.'.repeat(90)}ends!` }, { maxChars: 10 })).toBe(
      'SANDBOX_RESULT: {"exitCode":0,"stdout":"begin\\n[90 characters left out]\\nends!","stderr":""}',
    );
  });

  it('tells what ended a command and which files it wrote', () => {
    const ended = { ...result, exitCode: null, stdout: '', timedOut: true, canceled: true };
    expect(formatResult({ ...ended, limit: 'more than 1 MiB of memory', artifacts: ['a'] })).toBe(
      'SANDBOX_RESULT: {"exitCode":null,"stdout":"","stderr":"","timedOut":true,"canceled":true,"limit":"more than 1 MiB of memory","artifacts":["a"]}',
    );
  });
});

describe('dockerSandbox without an engine', () => {
  const provider = dockerSandbox(new Docker({ socketPath: '/nowhere/docker.sock' }));

  it.each<[string, SandboxSpec, RegExp]>([
    ['a profile', { profile: 'small' }, /has no profiles; set image instead/],
    ['a relative workspace', { workspace: { kind: 'copy', path: 'here' } }, /must be an absolute path/],
    ['a missing workspace', { workspace: { kind: 'copy', path: '/nowhere' } }, /is not a directory/],
    ['an invalid limit', { resources: { diskMb: 0.5 } }, /diskMb must be a whole number/],
  ])('reports %s together with the missing engine and does not open', async (_, spec, problem) => {
    const problems = await provider.supports(spec);
    expect(problems).toEqual([
      expect.stringMatching(/^Cannot reach a Docker engine/),
      expect.stringMatching(problem),
    ]);
    await expect(provider.createSession(spec)).rejects.toMatchObject({
      code: 'UNSUPPORTED',
      message: problems.join(' '),
    });
  });
});
