import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createHooks, type Hooks, TurnEnd, TurnStart } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { openSnapshots, type Snapshots, snapshot } from '../src/index.ts';
import { commit, runGit, temporaryRepository } from './repository.ts';

// On a busy machine, git and long texts can be slow.
vi.setConfig({ testTimeout: 60_000 });

afterEach(() => void vi.unstubAllEnvs());

interface Agent {
  readonly cwd: string;
  readonly dataDir: string;
  readonly hooks: Hooks;
  readonly snapshots: Snapshots;
  readonly write: (path: string, text: string) => void;
  /** One turn whose work is one tool call. */
  readonly turn: (work: () => void) => Promise<void>;
}

function agentIn(cwd: string): Agent {
  const dataDir = temporaryFolder();
  const hooks = createHooks();
  const provider = snapshot({ cwd, dataDir });
  hooks.use(provider);
  const session = hooks.session('s');
  const turn = async (work: () => void): Promise<void> => {
    await hooks.dispatch(TurnStart, { session, iteration: 1 });
    await callTool(hooks, { session, toolName: 'edit', input: {} }, work);
    await hooks.dispatch(TurnEnd, { session, reason: 'normal', iteration: 1 });
  };
  const write = (path: string, text: string): void => writeFileSync(join(cwd, path), text);
  return { cwd, dataDir, hooks, snapshots: provider.snapshots, write, turn };
}

describe('a checkpoint', () => {
  test('survives a line that a killed process left incomplete', async () => {
    const { dataDir, turn, write, snapshots } = agentIn(temporaryRepository());
    await turn(() => write('a.txt', 'two\n'));
    const [folder = ''] = readdirSync(dataDir);
    appendFileSync(join(dataDir, folder, 'checkpoints.jsonl'), '{"id":"half');
    await turn(() => write('a.txt', 'three\n'));
    expect((await snapshots.list()).map(({ files }) => files)).toEqual([
      [{ path: 'a.txt', change: 'modified' }],
      [{ path: 'a.txt', change: 'modified' }],
    ]);
  });

  test('tells which tool changed which files', async () => {
    const { turn, write, snapshots } = agentIn(temporaryRepository());
    await turn(() => {
      write('a.txt', 'two\n');
      write('b.txt', 'new\n');
    });
    const [checkpoint, ...rest] = await snapshots.list();
    expect(rest).toEqual([]);
    expect(checkpoint).toMatchObject({
      session: 's',
      event: 'after_tool_call',
      toolName: 'edit',
      files: [
        { path: 'a.txt', change: 'modified' },
        { path: 'b.txt', change: 'added' },
      ],
    });
    expect(await snapshots.diff(checkpoint?.id ?? '')).toMatch(/-one\n\+two[\s\S]*\+new/);
  });

  test('is recorded only when files changed', async () => {
    const { turn, write, snapshots, hooks } = agentIn(temporaryRepository());
    await turn(() => write('a.txt', 'two\n'));
    await turn(() => {});
    await hooks.close();
    expect(await snapshots.list()).toHaveLength(1);
  });

  test('does not contain what the user changes between turns', async () => {
    const { turn, write, snapshots } = agentIn(temporaryRepository());
    await turn(() => {});
    write('a.txt', 'by the user\n');
    await turn(() => write('b.txt', 'by the agent\n'));
    const files = (await snapshots.list()).flatMap((checkpoint) => checkpoint.files);
    expect(files).toEqual([{ path: 'b.txt', change: 'added' }]);
  });

  test('is visible to another process', async () => {
    const { turn, write, cwd, dataDir, snapshots } = agentIn(temporaryRepository());
    await turn(() => write('a.txt', 'two\n'));
    expect(await openSnapshots({ cwd, dataDir }).list()).toEqual(await snapshots.list());
  });
});

describe('restoring', () => {
  test('restores changed and deleted files, and removes added ones', async () => {
    const cwd = temporaryRepository();
    writeFileSync(join(cwd, 'gone.txt'), 'keep me\n');
    commit(cwd, 'second');
    const { turn, write, snapshots } = agentIn(cwd);
    await turn(() => {
      write('a.txt', 'two\n');
      mkdirSync(join(cwd, 'deep/er'), { recursive: true });
      write('deep/er/new file *.txt', 'new\n');
      runGit(cwd, 'rm', '-q', '--cached', 'gone.txt');
      runGit(cwd, 'clean', '-q', '-f', 'gone.txt');
    });
    const [checkpoint] = await snapshots.list();
    const restored = await snapshots.restore(checkpoint?.id ?? '');
    expect(restored).toHaveLength(3);
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('one\n');
    expect(readFileSync(join(cwd, 'gone.txt'), 'utf8')).toBe('keep me\n');
    expect(existsSync(join(cwd, 'deep'))).toBe(false);
  });

  test('can be undone', async () => {
    const { turn, write, snapshots, cwd } = agentIn(temporaryRepository());
    await turn(() => write('a.txt', 'two\n'));
    await snapshots.restore((await snapshots.list())[0]?.id ?? '');
    const undo = (await snapshots.list()).at(-1);
    expect(undo).toMatchObject({ event: 'restore' });
    await snapshots.restore(undo?.id ?? '');
    expect(readFileSync(join(cwd, 'a.txt'), 'utf8')).toBe('two\n');
  });

  test('rejects an unknown checkpoint', async () => {
    await expect(agentIn(temporaryRepository()).snapshots.restore('x')).rejects.toThrow(/no checkpoint "x"/);
  });
});

test('snapshots leave out files ignored by .gitignore or info/exclude', async () => {
  const cwd = temporaryRepository();
  writeFileSync(join(cwd, '.gitignore'), '*.log\n');
  commit(cwd, 'ignore');
  const { turn, write, snapshots } = agentIn(cwd);
  await turn(() => {
    writeFileSync(join(cwd, '.git/info/exclude'), 'private/\n');
    mkdirSync(join(cwd, 'private'));
    write('private/x', '');
    write('a.log', '');
    write('b.txt', '');
  });
  expect((await snapshots.list())[0]?.files).toEqual([{ path: 'b.txt', change: 'added' }]);
});

test('snapshots leave out a new file over 2 MiB, but not one that was small before', async () => {
  const { turn, write, snapshots } = agentIn(temporaryRepository());
  const large = 'x'.repeat(2 * 1024 * 1024 + 1);
  await turn(() => {
    write('#large [1] file.bin', large);
    write('just.bin', large.slice(1));
  });
  await turn(() => write('just.bin', large));
  expect((await snapshots.list()).map(({ files }) => files)).toEqual([
    [{ path: 'just.bin', change: 'added' }],
    [{ path: 'just.bin', change: 'modified' }],
  ]);
});

test('snapshots leave out a nested repository, but nothing else', async () => {
  const { turn, write, snapshots, cwd } = agentIn(temporaryRepository());
  await turn(() => {
    mkdirSync(join(cwd, 'inner'));
    runGit(join(cwd, 'inner'), 'init', '-q');
    write('inner/x', '');
    write('b.txt', '');
  });
  expect((await snapshots.list())[0]?.files).toEqual([{ path: 'b.txt', change: 'added' }]);
});

test("the user's .git does not change, and the shadow repository has only trees and files", async () => {
  const { turn, write, cwd, dataDir } = agentIn(temporaryRepository());
  vi.stubEnv('GIT_DIR', join(cwd, '.git'));
  const before = listed(join(cwd, '.git'));
  const status = runGit(cwd, 'status', '--porcelain=v2');
  await turn(() => write('b.txt', 'new\n'));
  vi.unstubAllEnvs();
  runGit(cwd, 'clean', '-qf');
  expect(listed(join(cwd, '.git'))).toEqual(before);
  expect(runGit(cwd, 'status', '--porcelain=v2')).toBe(status);
  const [shadow = ''] = readdirSync(dataDir);
  const objects = runGit(
    join(dataDir, shadow),
    '--git-dir=.',
    'cat-file',
    '--batch-all-objects',
    '--batch-check',
  );
  expect(
    new Set(
      objects
        .trim()
        .split('\n')
        .map((line) => line.split(' ')[1]),
    ),
  ).toEqual(new Set(['tree', 'blob']));
  expect(runGit(join(dataDir, shadow), '--git-dir=.', 'for-each-ref')).toBe('');
});

test('snapshot does nothing outside of a repository', async () => {
  const { turn, write, snapshots, dataDir } = agentIn(temporaryFolder());
  await turn(() => write('a.txt', ''));
  expect(await snapshots.list()).toEqual([]);
  expect(readdirSync(dataDir)).toEqual([]);
});

test('line ends and links are restored unchanged', async () => {
  const cwd = temporaryRepository();
  writeFileSync(join(cwd, '.gitattributes'), '* text=auto eol=lf\n');
  writeFileSync(join(cwd, 'dos.txt'), 'a\r\nb\r\n');
  symlinkSync('a.txt', join(cwd, 'link'));
  commit(cwd, 'more');
  const { turn, write, snapshots } = agentIn(cwd);
  await turn(() => write('dos.txt', 'changed'));
  await snapshots.restore((await snapshots.list())[0]?.id ?? '');
  expect(readFileSync(join(cwd, 'dos.txt'), 'utf8')).toBe('a\r\nb\r\n');
});

/** Every file below a folder, with its content. */
function listed(folder: string): Record<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    files.map(({ parentPath, name }) => [
      join(parentPath, name),
      readFileSync(join(parentPath, name), 'latin1'),
    ]),
  );
}
