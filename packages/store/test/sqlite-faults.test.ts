import { execFileSync, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { expect, it } from 'vitest';
import { sqliteStore } from '../src/sqlite.ts';

const newFile = (): string => join(temporaryFolder(), 'store.db');

it('a file that is no database is refused and stays as it is', async () => {
  const file = newFile();
  const text = 'To whom it may concern. '.repeat(100);
  writeFileSync(file, text);
  await using store = sqliteStore(file);
  await expect(store.set('key', 1)).rejects.toMatchObject({
    code: 'INCOMPATIBLE',
    message: `The SQLite store ${file} is not one that this version can use: file is not a database`,
  });
  expect(readFileSync(file, 'utf8')).toBe(text);
});

it('a database of another program is refused and stays as it is', async () => {
  const file = newFile();
  const other = new DatabaseSync(file);
  other.exec('CREATE TABLE invoices (id INTEGER)');
  other.close();
  const before = readFileSync(file);
  await using store = sqliteStore(file);
  await expect(store.get('key')).rejects.toMatchObject({
    code: 'INCOMPATIBLE',
    message: `The SQLite store ${file} is a database of another program; choose a new file.`,
  });
  expect(readFileSync(file).equals(before)).toBe(true);
});

it('a store of another version is refused, with both versions', async () => {
  const file = newFile();
  const first = sqliteStore(file);
  await first.set('key', 1);
  await first.close();
  const newer = new DatabaseSync(file);
  newer.exec('PRAGMA user_version = 3');
  newer.close();
  await using store = sqliteStore(file);
  await expect(store.set('key', 2)).rejects.toMatchObject({
    code: 'INCOMPATIBLE',
    message: `The SQLite store ${file} has version 3; this version of @hooks/store needs 2.`,
  });
});

it('a folder that is missing is named, and the store works once it is there', async () => {
  const folder = join(temporaryFolder(), 'data');
  await using store = sqliteStore(join(folder, 'store.db'));
  const unreachable = { code: 'UNREACHABLE', message: expect.stringContaining(folder) };
  await expect(Promise.all([store.get('key'), store.get('key')])).rejects.toMatchObject(unreachable);
  mkdirSync(folder);
  await store.set('key', 1);
  expect(await store.get('key')).toMatchObject({ value: 1 });
});

it('a file that another process keeps locked is unreachable for as long, and no longer', async () => {
  const file = newFile();
  await using store = sqliteStore(file, { timeoutMs: 50 });
  await store.set('key', 1);
  const other = new DatabaseSync(file);
  other.exec('BEGIN EXCLUSIVE');
  const unreachable = { code: 'UNREACHABLE', message: expect.stringContaining('database is locked') };
  await expect(store.set('key', 2)).rejects.toMatchObject(unreachable);
  await expect(store.append('log', [1])).rejects.toMatchObject(unreachable);
  await expect(store.count({ key: 'c', amount: 1, windowMs: 60_000 })).rejects.toMatchObject(unreachable);
  expect(await store.get('key')).toMatchObject({ value: 1 });
  other.exec('ROLLBACK');
  other.close();
  expect(await store.set('key', 3)).toBeDefined();
});

it('a new file is made once, however many open it at the same moment', { timeout: 60_000 }, async () => {
  const [threads, rounds] = [8, 5];
  const workerData = { folder: temporaryFolder(), threads, rounds, arrived: new SharedArrayBuffer(4) };
  const script = new URL('./open-at-once.ts', import.meta.url);
  const execArgv = ['--conditions=@hooks/source'];
  const answers = await Promise.all(
    Array.from({ length: threads }, async () => {
      const [answer] = await once(new Worker(script, { workerData, execArgv }), 'message');
      return answer as readonly string[];
    }),
  );
  const nobodyElse = Array<string>(threads - 1).fill('no');
  for (let round = 0; round < rounds; round++)
    expect(answers.map((each) => each[round]).toSorted()).toEqual([...nobodyElse, 'yes']);
});

it('a store in memory of SQLite works', async () => {
  await using store = sqliteStore(':memory:');
  await store.set('key', 1);
  expect(await store.get('key')).toMatchObject({ value: 1 });
});

const inNamespace = ['unshare', '--user', '--map-root-user', '--mount'] as const;
const cannotMount =
  spawnSync(inNamespace[0], [...inNamespace.slice(1), 'mount', '-t', 'tmpfs', 'none', '/mnt']).status !== 0;

it.skipIf(cannotMount)(
  `a full disk and a read-only one are told apart, and leave nothing half written${cannotMount ? ' (not run: needs unshare)' : ''}`,
  () => {
    const program = fileURLToPath(new URL('./small-disk.ts', import.meta.url));
    const folder = temporaryFolder();
    const shell = `mount -t tmpfs -o size=500k none "$1" && exec "$2" --conditions=@hooks/source "$3" "$1"`;
    const args = [...inNamespace.slice(1), 'sh', '-c', shell, 'sh', folder, process.execPath, program];
    const report = JSON.parse(execFileSync(inNamespace[0], args, { encoding: 'utf8' }));
    expect(report).toEqual({
      full: {
        code: 'FULL',
        message: expect.stringMatching(/^The SQLite store .* is full, and nothing was written/),
      },
      fullLog: { code: 'FULL', message: expect.stringContaining('is full') },
      whole: true,
      roomAgain: true,
      readOnly: {
        code: 'DENIED',
        message: expect.stringMatching(/^The SQLite store .* denied access: .*readonly/),
      },
      stillRead: true,
    });
  },
);
