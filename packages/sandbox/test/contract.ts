import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { SandboxCommand, SandboxProvider, SandboxSession, SandboxSpec } from '../src/index.ts';

/** The contract of every provider, tested against a real one. `unavailable` skips it, with the reason in its name. */
export function testProvider(provider: SandboxProvider, unavailable?: string, spec: SandboxSpec = {}): void {
  const name = `contract: ${provider.id}${unavailable === undefined ? '' : ` (not run: ${unavailable})`}`;
  describe.skipIf(unavailable !== undefined)(name, { timeout: 60_000 }, () => {
    let session: SandboxSession;
    beforeAll(async () => {
      session = await provider.createSession(spec);
    }, 120_000);
    afterAll(() => session?.close());

    it('returns exit code, stdout and stderr of a shell line', async () => {
      const result = await session.execute({ command: 'echo out; echo err >&2; exit 3' });
      expect(result).toMatchObject({
        exitCode: 3,
        stdout: 'out\n',
        stderr: 'err\n',
        timedOut: false,
        canceled: false,
      });
      expect(result.durationMs).toBeGreaterThan(0);
    });

    it('runs argv without a shell', async () => {
      const result = await session.execute({ argv: ['printf', '%s|', '$HOME', "it's", '; id', ''] });
      expect(result.stdout).toBe("$HOME|it's|; id||");
    });

    it.each<[string, object]>([
      ['none', {}],
      ['a value that is not text', { command: 7 }],
      ['an empty list', { argv: [] }],
      ['a list with a value that is not text', { argv: ['echo', 7] }],
      ['a NUL character', { command: 'echo secret\0' }],
      ['a NUL character in a list', { argv: ['echo', 'secret\0'] }],
    ])('refuses an invalid command: %s', async (_, command) => {
      const refused = session.execute(command as SandboxCommand);
      await expect(refused).rejects.toMatchObject({
        code: 'FAILED',
        message: expect.not.stringContaining('secret'),
      });
    });

    it('ends a command if `onOutput` throws, and rejects with that error', async () => {
      const onOutput = () => {
        throw new Error('full');
      };
      await expect(session.execute({ command: 'echo hi; sleep 3600.5' }, { onOutput })).rejects.toThrow(
        'full',
      );
    });

    it("reports a missing program as the command's own failure", async () => {
      expect(await session.execute({ argv: ['no-such-program'] })).toMatchObject({ exitCode: 127 });
    });

    it('passes stdin, which is empty by default', async () => {
      expect((await session.execute({ command: 'wc -c', stdin: 'äö' })).stdout.trim()).toBe('4');
      expect((await session.execute({ command: 'wc -c' })).stdout.trim()).toBe('0');
    });

    it('starts in the workspace, or in cwd', async () => {
      expect((await session.execute({ command: 'pwd' })).stdout.trim()).toBe(session.workspace);
      expect((await session.execute({ command: 'pwd', cwd: '/usr' })).stdout.trim()).toBe('/usr');
    });

    it('does not run a command in a folder that does not exist', async () => {
      const result = await session.execute({ command: 'echo ran', cwd: 'no/such/folder' });
      expect(result.exitCode).toBeGreaterThan(0);
      expect(result.stdout).toBe('');
      expect(result.stderr).toContain('no/such/folder');
    });

    it("passes env and nothing of the agent's environment", async () => {
      vi.stubEnv('HOOKS_TEST_SECRET', 'not for the sandbox');
      const { stdout } = await session.execute({ command: 'env', env: { GIVEN: 'a b' } });
      vi.unstubAllEnvs();
      expect(stdout).toContain('GIVEN=a b\n');
      expect(stdout).not.toContain('HOOKS_TEST_SECRET');
    });

    it('refuses an environment variable with an invalid name or value', async () => {
      for (const env of [{ A: 'x\0--bind\0/\0/host' }, { 'A=B': '' }, { '': 'x' }])
        await expect(session.execute({ command: 'env', env })).rejects.toMatchObject({ code: 'FAILED' });
    });

    it('streams output while the command runs', async () => {
      let seen = '';
      const id = randomUUID();
      const result = await session.execute(
        { command: 'echo first; sleep 60', id },
        {
          onOutput: ({ data }) => {
            seen += Buffer.from(data).toString();
            session.cancel(id);
          },
        },
      );
      expect(seen).toBe('first\n');
      expect(result).toMatchObject({ canceled: true, exitCode: null });
    });

    it('kills the whole tree at the timeout', async () => {
      const result = await session.execute({ command: '(setsid sleep 61 &) ; sleep 61', timeoutMs: 500 });
      expect(result).toMatchObject({ timedOut: true, canceled: false, exitCode: null });
      const left = await session.execute({ command: 'cat /proc/[0-9]*/cmdline | tr "\\0" " "' });
      expect(left.stdout).not.toContain('sleep 61');
    });

    it('cancels by signal', async () => {
      const abort = new AbortController();
      const result = await session.execute(
        { command: 'echo started; sleep 60' },
        { signal: abort.signal, onOutput: () => abort.abort() },
      );
      expect(result).toMatchObject({ canceled: true, timedOut: false, exitCode: null });
    });

    it('cancels a command that is just starting', async () => {
      const abort = new AbortController();
      const running = session.execute({ command: 'sleep 62' }, { signal: abort.signal });
      abort.abort();
      expect(await running).toMatchObject({ canceled: true, exitCode: null });
      const left = await session.execute({ command: 'cat /proc/[0-9]*/cmdline | tr "\\0" " "' });
      expect(left.stdout).not.toContain('sleep 62');
    });

    it('cancels only a running command', () => {
      expect(session.cancel('nothing')).toBe(false);
    });

    it('keeps the beginning and the end of long output', async () => {
      const result = await session.execute({
        command: 'echo begin; seq 100000; echo end',
        maxOutputBytes: 1000,
      });
      expect(result.truncated).toBe(true);
      expect(result.stdout).toMatch(/^begin\n.*\[\d+ bytes left out\].*end\n$/s);
      expect(result.stdout.length).toBeLessThan(1100);
    });

    it('runs commands concurrently', async () => {
      const results = await Promise.all([1, 2, 3].map((n) => session.execute({ command: `echo ${n}` })));
      expect(results.map(({ stdout }) => stdout)).toEqual(['1\n', '2\n', '3\n']);
    });

    it('keeps files from command to command, in the workspace and in /tmp', async () => {
      await session.execute({ command: 'echo kept > kept; echo too > /tmp/too' });
      expect((await session.execute({ command: 'cat kept /tmp/too' })).stdout).toBe('kept\ntoo\n');
    });

    it('writes and reads files, including binary ones and files in new folders', async () => {
      const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => index % 256);
      await session.writeFile('deep/er/file.bin', bytes);
      expect(Buffer.compare(await session.readFile('deep/er/file.bin'), bytes)).toBe(0);
      await session.writeFile("odd $name' file", 'text');
      expect(Buffer.from(await session.readFile(`${session.workspace}/odd $name' file`)).toString()).toBe(
        'text',
      );
    });

    it('names the file that it cannot read', async () => {
      await expect(session.readFile('missing')).rejects.toThrow(/failed to read missing: .*No such file/);
    });

    it('lists the files written since the session began', async () => {
      await session.execute({ command: 'mkdir -p art && echo 1 > art/one && echo 2 > "art/t wo"' });
      const listed = await session.artifacts();
      expect(listed).toContain('art/one');
      expect(listed).toContain('art/t wo');
      expect((await session.execute({ command: 'true', artifacts: true })).artifacts).toEqual(listed);
    });

    it('has no network', async () => {
      const connect = 'exec 3<>/dev/tcp/1.1.1.1/443';
      const result = await session.execute({ argv: ['bash', '-c', connect], timeoutMs: 5000 });
      expect(result.exitCode).not.toBe(0);
    });

    it('copies a workspace and returns the changes as a diff that git applies', async () => {
      const original = temporaryFolder();
      writeFileSync(join(original, 'edited.txt'), 'one\ntwo\n');
      writeFileSync(join(original, 'removed.txt'), 'gone\n');
      writeFileSync(join(original, 'left-out.env'), 'SECRET=1\n');
      await using copy = await provider.createSession({
        ...spec,
        workspace: { kind: 'copy', path: original, exclude: ['*.env'] },
      });
      expect(await copy.changes()).toBe('');
      await copy.execute({
        command: 'sed -i s/two/2/ edited.txt; rm removed.txt; mkdir sub; echo new > sub/added.txt',
      });
      expect((await copy.execute({ command: 'ls' })).stdout).toBe('edited.txt\nsub\n');
      const diff = await copy.changes();
      expect(readFileSync(join(original, 'edited.txt'), 'utf8')).toBe('one\ntwo\n');
      expect(diff).toMatch(/^--- a\/edited\.txt.*\n\+\+\+ b\/edited\.txt.*$/m);
      execFileSync('git', ['apply', '-'], { cwd: original, input: diff });
      expect(readFileSync(join(original, 'edited.txt'), 'utf8')).toBe('one\n2\n');
      expect(readFileSync(join(original, 'sub/added.txt'), 'utf8')).toBe('new\n');
      expect(() => readFileSync(join(original, 'removed.txt'))).toThrow('ENOENT');
    });

    it('lists binary files in the changes, and keeps unusual names and content that looks like a header', async () => {
      const original = temporaryFolder();
      writeFileSync(join(original, 'image.bin'), Buffer.from([0, 1, 2]));
      writeFileSync(join(original, 'notes.txt'), `-- ${session.workspace}/x\n`);
      writeFileSync(join(original, 'a "b" c'), 'odd\n');
      await using copy = await provider.createSession({
        ...spec,
        workspace: { kind: 'copy', path: original },
      });
      await copy.execute({ command: `printf '\\0' > image.bin; : > notes.txt; : > 'a "b" c'` });
      const diff = await copy.changes();
      expect(diff).toContain('Binary files a/image.bin and b/image.bin differ\n');
      expect(diff).toContain(`\n--- ${session.workspace}/x\n`);
      const applied = diff
        .replace(/^diff .*image.bin\nBinary files .*\n/m, '')
        .replace(/^Binary files .*\n/m, '');
      execFileSync('git', ['apply', '-'], { cwd: original, input: applied });
      expect(readFileSync(join(original, 'a "b" c'), 'utf8')).toBe('');
    });

    it('returns changes only for a copied workspace', async () => {
      await expect(session.changes()).rejects.toMatchObject({ code: 'UNSUPPORTED' });
    });

    it('ends running commands when it is closed, and refuses more', async () => {
      const other = await provider.createSession(spec);
      let close: Promise<void> | undefined;
      const running = other.execute(
        { command: 'echo started; sleep 60' },
        {
          onOutput: () => {
            close ??= other.close();
          },
        },
      );
      expect(await running).toMatchObject({ canceled: true, exitCode: null });
      await close;
      expect(other.status).toBe('closed');
      await expect(other.execute({ command: 'true' })).rejects.toMatchObject({ code: 'CLOSED' });
      await other.close();
    });

    it('does not open for an aborted signal', async () => {
      await expect(provider.createSession(spec, AbortSignal.abort())).rejects.toThrow();
    });
  });
}
