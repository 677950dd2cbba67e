import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir, hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { createHooks, type HookProvider, TurnStart } from '@hooks/core';
import { takeContext } from '@hooks/core/adapter';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { afterEach, describe, expect, test, vi } from 'vitest';
import {
  addDate,
  addDirectoryListing,
  addEnvironmentInfo,
  addGitDiff,
  addGitStatus,
  addPromptFiles,
  addRecentCommits,
  addUserInfo,
} from '../src/index.ts';
import { commit, runGit, temporaryRepository } from './repository.ts';
import { fill, randomFrom } from './secret-samples.ts';

// On a busy machine, git and long texts can be slow.
vi.setConfig({ testTimeout: 60_000 });

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

/** The context in the first model call, and in a second one in the same turn. */
async function told(provider: HookProvider): Promise<{ first: string; second: string }> {
  const hooks = createHooks();
  hooks.use(provider);
  const session = hooks.session('s');
  await hooks.dispatch(TurnStart, { session, iteration: 1 });
  return { first: takeContext(hooks, session).join('\n'), second: takeContext(hooks, session).join('\n') };
}

describe('each turn', () => {
  test('addDate adds the local date to that turn only', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 0, 5, 23, 59) });
    expect(await told(addDate())).toEqual({ first: "Today's date: 2026-01-05", second: '' });
  });

  test('addPromptFiles reads the nearest file above and the one in the home directory', async () => {
    const root = temporaryFolder();
    const home = temporaryFolder();
    vi.stubEnv('HOME', home);
    expect(homedir()).toBe(home);
    const cwd = join(root, 'a/b');
    mkdirSync(cwd, { recursive: true });
    writeFileSync(join(root, 'AGENTS.md'), 'from above');
    writeFileSync(join(root, 'a/AGENTS.md'), 'from nearer');
    writeFileSync(join(home, 'AGENTS.md'), 'from home');
    const { first } = await told(addPromptFiles(['AGENTS.md', 'NONE.md'], { cwd }));
    expect(first).toBe(
      `Instructions from ${root}/a/AGENTS.md:\nfrom nearer\n\nInstructions from ${home}/AGENTS.md:\nfrom home`,
    );
  });

  test('addPromptFiles skips names that are not files and links to secrets', async () => {
    const root = temporaryFolder();
    const cwd = join(root, 'a/b/c');
    mkdirSync(cwd, { recursive: true });
    mkdirSync(join(root, '.ssh'));
    writeFileSync(join(root, '.ssh/id_rsa'), 'a secret');
    writeFileSync(join(root, 'notes.md'), 'from a link');
    symlinkSync('/dev/zero', join(cwd, 'AGENTS.md'));
    symlinkSync(join(root, '.ssh/id_rsa'), join(root, 'a/b/AGENTS.md'));
    symlinkSync(join(root, 'notes.md'), join(root, 'a/AGENTS.md'));
    expect((await told(addPromptFiles(['AGENTS.md'], { cwd }))).first).toBe(
      `Instructions from ${root}/a/AGENTS.md:\nfrom a link`,
    );
  });

  test('addPromptFiles adds a file once if it is both above and in the home directory', async () => {
    const home = temporaryFolder();
    vi.stubEnv('HOME', home);
    writeFileSync(join(home, 'AGENTS.md'), 'x');
    expect(
      (await told(addPromptFiles(['AGENTS.md'], { cwd: home }))).first.match(/Instructions/g),
    ).toHaveLength(1);
  });

  test('addGitStatus adds the short status with the branch', async () => {
    const cwd = temporaryRepository();
    writeFileSync(join(cwd, 'new.txt'), '');
    expect((await told(addGitStatus({ cwd }))).first).toBe('Git status:\n## main\n?? new.txt');
  });

  test('addGitDiff adds the summary, or the whole diff with full', async () => {
    const cwd = temporaryRepository();
    expect((await told(addGitDiff({ cwd }))).first).toBe('');
    writeFileSync(join(cwd, 'a.txt'), 'two\n');
    expect((await told(addGitDiff({ cwd }))).first).toMatch(/^Git diff:\n a\.txt \| 2 \+-/);
    expect((await told(addGitDiff({ cwd, full: true }))).first).toContain('-one\n+two');
  });

  test('addGitDiff cuts at 4 KB, between two characters', async () => {
    const cwd = temporaryRepository();
    writeFileSync(join(cwd, 'a.txt'), `${'ä'.repeat(60)}\n`.repeat(5000));
    const { first } = await told(addGitDiff({ cwd, full: true }));
    expect(first).toMatch(/… \(cut off at 4 KB\)$/);
    expect(first).not.toContain('\uFFFD');
    const size = Buffer.byteLength(first);
    expect(size).toBeGreaterThan(4090);
    expect(size).toBeLessThanOrEqual(4096);
  });

  test.each([
    ['addGitStatus', addGitStatus],
    ['addGitDiff', addGitDiff],
  ])('%s adds nothing outside of a repository or without git', async (_, make) => {
    expect((await told(make({ cwd: temporaryFolder() }))).first).toBe('');
    const cwd = temporaryRepository();
    vi.stubEnv('PATH', '/nowhere');
    expect((await told(make({ cwd }))).first).toBe('');
  });

  test('a repository cannot make git run its programs', async () => {
    const cwd = temporaryRepository();
    const marker = join(cwd, 'ran');
    runGit(cwd, 'config', 'core.fsmonitor', `touch ${marker} #`);
    runGit(cwd, 'config', 'diff.external', `touch ${marker} #`);
    writeFileSync(join(cwd, 'a.txt'), 'two\n');
    await told(addGitStatus({ cwd }));
    await told(addGitDiff({ cwd, full: true }));
    expect(existsSync(marker)).toBe(false);
  });
});

test('context is added without its secrets', async () => {
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'AGENTS.md'), fill('Use the key sk-<alnum:48>.', 'benign', randomFrom(1)).text);
  const { first } = await told(addPromptFiles(['AGENTS.md'], { cwd }));
  expect(first).toContain('Use the key [REDACTED:sk-key#');
});

describe('once a session, in all of its model calls', () => {
  test('addEnvironmentInfo adds the directory, git, the system and the architecture', async () => {
    const cwd = temporaryRepository();
    const { first, second } = await told(addEnvironmentInfo({ cwd }));
    expect(first).toContain(
      `Working directory: ${cwd}\nIs a git repository: yes\nOperating system: ${process.platform}`,
    );
    expect(first).toContain(`CPU architecture: ${process.arch}`);
    expect(second).toBe(first);
    expect((await told(addEnvironmentInfo({ cwd: temporaryFolder() }))).first).toContain(
      'git repository: no',
    );
  });

  test('addDirectoryListing adds at most 100 entries, sorted and without dot files', async () => {
    const cwd = temporaryFolder();
    mkdirSync(join(cwd, 'src'));
    for (const name of ['.env', 'b.txt', 'a.txt']) writeFileSync(join(cwd, name), '');
    expect((await told(addDirectoryListing({ cwd }))).first).toBe(`Contents of ${cwd}:\na.txt\nb.txt\nsrc/`);
    for (let i = 0; i < 104; i++) writeFileSync(join(cwd, `z${i}`), '');
    const lines = (await told(addDirectoryListing({ cwd }))).first.split('\n');
    expect(lines).toHaveLength(102);
    expect(lines.at(-1)).toBe('… and 7 more');
  });

  test('addUserInfo adds the user and the host name', async () => {
    const { first } = await told(addUserInfo());
    expect(first).toMatch(new RegExp(`^User: ${userInfo().username}( \\(.+\\))?\nHostname: `));
    expect(first.endsWith(hostname())).toBe(true);
  });

  test('addRecentCommits adds ten commits, or the given number', async () => {
    const cwd = temporaryRepository();
    for (let i = 2; i <= 12; i++) commit(cwd, `commit ${i}`);
    const ten = (await told(addRecentCommits(undefined, { cwd }))).first.split('\n');
    expect(ten).toHaveLength(11);
    expect(ten[1]).toMatch(/^[0-9a-f]{7,} commit 12$/);
    expect((await told(addRecentCommits(2, { cwd }))).first.split('\n')).toHaveLength(3);
    expect(() => addRecentCommits(0)).toThrow(/whole number/);
  });
});
