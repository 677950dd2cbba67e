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
  `what a session does not carry${cannotIsolate ? ` (not run: ${cannotIsolate})` : ''}`,
  () => {
    const original = temporaryFolder();
    writeFileSync(join(original, 'file'), 'x'.repeat(2 * MIB));
    const open = (spec: SandboxSpec = {}): Promise<SandboxSession> =>
      localSandbox().createSession({ workspace: { kind: 'copy', path: original }, ...spec });

    it('a workspace that its disk cannot hold is not opened', async () => {
      await expect(open({ resources: { diskMb: 1 } })).rejects.toMatchObject({
        code: 'UNAVAILABLE',
        message: expect.stringMatching(/^Could not unpack the workspace in the sandbox: .*tar: .\/file/),
      });
    });

    it('a workspace that cannot be packed is not opened', async () => {
      // More than the host's tar takes as a pattern.
      const exclude = ['x'.repeat(200_000)];
      await expect(open({ workspace: { kind: 'copy', path: original, exclude } })).rejects.toMatchObject({
        code: 'UNAVAILABLE',
        message: expect.stringContaining(`Could not copy the workspace ${original}`),
      });
    });

    it('changes that there is no room to compare are not guessed', async () => {
      await using session = await open({ resources: { diskMb: 3 } });
      await expect(session.changes()).rejects.toMatchObject({
        code: 'FAILED',
        message: expect.stringMatching(/^Could not list the changes: .*tar: .\/file/s),
      });
    });

    it('changes of more than 16 MiB are not cut off, but refused', async () => {
      await using session = await open();
      await session.execute({ command: `head -c ${16 * MIB} /dev/zero | tr '\\0' a > long` });
      await expect(session.changes()).rejects.toMatchObject({ code: 'LIMIT' });
    });

    it('a file of 64 MiB is read, and none that is larger', async () => {
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

    it('an id names one running command', async () => {
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

  it('keeps the beginning and the end of what is longer than maxChars', () => {
    expect(formatResult({ ...result, stdout: `begin${'.'.repeat(90)}ends!` }, { maxChars: 10 })).toBe(
      'SANDBOX_RESULT: {"exitCode":0,"stdout":"begin\\n[90 characters left out]\\nends!","stderr":""}',
    );
  });

  it('says what ended a command, and what it wrote', () => {
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
    ['a workspace that is none', { workspace: { kind: 'copy', path: '/nowhere' } }, /is not a directory/],
    ['a limit that is none', { resources: { diskMb: 0.5 } }, /diskMb must be a whole number/],
  ])('names %s along with the missing engine, and opens nothing', async (_, spec, problem) => {
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
