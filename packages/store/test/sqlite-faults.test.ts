import { execFileSync, fork, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { expect, it } from 'vitest';
import { sqliteStore } from '../src/sqlite.ts';

/** The mode of a file, in octal digits. */
const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8);

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

it("a folder that is missing is made, and what the store makes is its owner's alone", async () => {
  const folder = join(temporaryFolder(), 'new', 'data');
  const file = join(folder, 'store.db');
  const before = process.umask(0);
  try {
    await using store = sqliteStore(file);
    await store.set('key', 'a card number');
    await store.append('log', [1]);
    const modes = [file, `${file}-wal`, `${file}-shm`, folder, dirname(folder)].map(modeOf);
    expect(modes).toEqual(['600', '600', '600', '700', '700']);
  } finally {
    process.umask(before);
  }
});

it("a store that others may read becomes its owner's alone", async () => {
  const file = newFile();
  const first = sqliteStore(file);
  await first.set('key', 1);
  for (const each of [file, `${file}-wal`, `${file}-shm`]) chmodSync(each, 0o644);
  await using store = sqliteStore(file);
  await store.set('key', 2);
  expect([file, `${file}-wal`, `${file}-shm`].map(modeOf)).toEqual(['600', '600', '600']);
  await first.close();
});

it('a folder that cannot be made is named, and the store works once it can be', async () => {
  const folder = join(temporaryFolder(), 'data');
  writeFileSync(folder, 'a file in its place');
  await using store = sqliteStore(join(folder, 'store.db'));
  const unreachable = { code: 'UNREACHABLE', message: expect.stringContaining(folder) };
  await expect(Promise.all([store.get('key'), store.get('key')])).rejects.toMatchObject(unreachable);
  rmSync(folder);
  await store.set('key', 1);
  expect(await store.get('key')).toMatchObject({ value: 1 });
});

it.each([
  '',
  'file:store.db',
  'store\0.db',
  ...['postgres', 'redis', 'https', 'LIBSQL', 'sqlite'].map((scheme) => `${scheme}://ann:pw@host/db`),
  ...[
    ' postgres://ann:pw@host/db',
    ' file:store.db',
    'postgres:/ann:pw@host/db',
    'jdbc:postgresql://ann:pw@host/db',
  ],
  ...['sqlite:store.db', 'sqlite::memory:', ':MEMORY:', ':memory:?cache=shared', 'localhost:6379'],
  ...[
    'store.db ',
    ' store.db',
    'store.db\r',
    'store.db\n',
    ' ',
    ' :memory:',
    '~',
    '~/store.db',
    '~ann/store.db',
  ],
  ...['$DATABASE_URL', `\${STATE}/store.db`, '$(pwd)/store.db', '%APPDATA%\\store.db'],
  ...(process.platform === 'win32' ? [] : ['C:\\data\\store.db', 'C:/data/store.db', 'c:store.db']),
])('the path %j is refused', (path) => {
  expect(() => sqliteStore(path)).toThrow(
    expect.objectContaining({ code: 'INVALID', message: expect.stringContaining('sqliteStore needs') }),
  );
});

it.each(['$name.db', `of \${name}.db`, '~name.db', 'a:b.db', 'C:\\b.db'])(
  'the file %s of this folder has a path',
  async (name) => {
    const cwd = process.cwd();
    process.chdir(temporaryFolder());
    try {
      await using store = sqliteStore(`./${name}`);
      await store.set('key', 1);
      expect(existsSync(name)).toBe(true);
    } finally {
      process.chdir(cwd);
    }
  },
);

it('a path that is no regular file is refused', async () => {
  const fifo = newFile();
  execFileSync('mkfifo', [fifo]);
  await using store = sqliteStore(fifo);
  await expect(store.get('key')).rejects.toMatchObject({ code: 'INCOMPATIBLE' });
  await using folder = sqliteStore(temporaryFolder());
  await expect(folder.get('key')).rejects.toMatchObject({ code: 'INCOMPATIBLE' });
});

it('a call that waits for another process stops nothing else, and succeeds once the other is done', async () => {
  const file = newFile();
  await using store = sqliteStore(file, { timeoutMs: 60_000 });
  await store.set('key', 1);
  const locker = fork(fileURLToPath(new URL('./lock.ts', import.meta.url)), [file]);
  await once(locker, 'message');
  const calls = [
    store.set('key', 2),
    store.append('log', [1]),
    store.count({ key: 'c', amount: 1, windowMs: 60_000 }),
    store.delete('none'),
  ];
  let turns = 0;
  const done = Promise.all(calls).finally(() => {
    turns = Number.POSITIVE_INFINITY;
  });
  // Where a call stopped the event loop, these turns would come after it had failed.
  while (turns < 50) {
    await setTimeout(1);
    turns++;
  }
  const exited = once(locker, 'exit');
  locker.send('give back');
  await done;
  expect(await store.get('key')).toMatchObject({ value: 2 });
  expect(await store.count({ key: 'c', amount: 0, windowMs: 1 })).toMatchObject({ totals: [1] });
  await exited;
});

it('a file that another process keeps locked is unreachable for as long, and no longer', async () => {
  const file = newFile();
  await using store = sqliteStore(file, { timeoutMs: 3_000 });
  await store.set('key', 1);
  const other = new DatabaseSync(file);
  other.exec('BEGIN EXCLUSIVE');
  const unreachable = { code: 'UNREACHABLE', message: expect.stringContaining('database is locked') };
  await Promise.all(
    [
      store.set('key', 2),
      store.append('log', [1]),
      store.count({ key: 'c', amount: 1, windowMs: 60_000 }),
    ].map((call) => expect(call).rejects.toMatchObject(unreachable)),
  );
  expect(await store.get('key')).toMatchObject({ value: 1 });
  other.exec('ROLLBACK');
  other.close();
  expect(await store.set('key', 3)).toBeDefined();
});

it('a new file is made once, however many open it at the same moment', async () => {
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

it.each([
  ['removed', (file: string) => renameSync(file, `${file}-old`)],
  [
    'replaced by a new store',
    (file: string) => {
      for (const each of [file, `${file}-wal`, `${file}-shm`]) renameSync(each, `${each}-old`);
      new DatabaseSync(file).close();
    },
  ],
])('a file that was %s while it is in use answers nothing, until it is back', async (_how, take) => {
  const file = newFile();
  await using store = sqliteStore(file);
  const budget = { key: 'budget', amount: 1, limit: 1, windowMs: 60_000 };
  await store.count(budget);
  take(file);
  const gone = {
    code: 'UNREACHABLE',
    message: expect.stringContaining(`${file} cannot be reached: the file was removed or replaced`),
  };
  await expect(store.get('key')).rejects.toMatchObject(gone);
  await expect(store.set('key', 1)).rejects.toMatchObject(gone);
  await expect(store.append('log', [1])).rejects.toMatchObject(gone);
  await expect(store.count(budget)).rejects.toMatchObject(gone);
  for (const end of ['', '-wal', '-shm'])
    if (existsSync(`${file}${end}-old`) || end === '') renameSync(`${file}${end}-old`, file + end);
  expect(await store.count(budget)).toMatchObject({
    counted: false,
  });
});

it('a file keeps the ids of those writes that a caller may repeat, and of no others', async () => {
  const file = newFile();
  await using store = sqliteStore(file);
  const count = { key: 'c', amount: 1, windowMs: 60_000 };
  await store.set('key', 1);
  await store.count(count);
  await store.append('log', [1]);
  await store.delete('key');
  const database = new DatabaseSync(file);
  const ids = () => database.prepare('SELECT id FROM requests').all();
  expect(ids()).toEqual([]);
  await store.set('key', 1, { requestId: 'r' });
  await store.count([count], { requestId: 'r' });
  await store.append('log', [1], { requestId: 'r' });
  expect(ids()).toHaveLength(3);
  database.close();
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
