import { generateKeyPairSync } from 'node:crypto';
import fs, {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { memoryStore, type Store } from '@hooks/store';
import { expect, it, onTestFinished, vi } from 'vitest';
import {
  eraseSession,
  type JournalSource,
  journal,
  journalLineText,
  pruneJournal,
  readJournal,
  toOtlpLogs,
  verifyJournal,
} from '../src/index.ts';

const { publicKey: key, privateKey } = generateKeyPairSync('ed25519');

async function write(source: JournalSource): Promise<void> {
  await using log = journal({
    ...(typeof source === 'string' ? { sink: source } : { store: source }),
    key: privateKey,
  });
  await using hooks = createHooks();
  hooks.use(log);
  const ann = hooks.session('ann', { principal: { id: 'ann@example.org' } });
  const helper = hooks.session('helper', { parent: ann });
  const bob = hooks.session('bob');
  for (const session of [ann, helper, bob])
    await callTool(hooks, { session, toolName: 'read', input: { of: `${session.id}'s diary` } }, () =>
      `${session.id} wrote this. `.repeat(session.id === 'helper' ? 10_000 : 1),
    );
}

/** A journal with a call of a session at noon. */
async function atNoon(source: JournalSource, now = '2026-03-01T12:00:00Z', session = 's') {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) });
  onTestFinished(() => void vi.useRealTimers());
  const log = journal({
    ...(typeof source === 'string' ? { sink: source } : { store: source }),
    key: privateKey,
  });
  const hooks = createHooks();
  hooks.use(log);
  const running = {
    async call() {
      await callTool(hooks, { session: hooks.session(session), toolName: 'read', input: {} }, () => 'text');
      await log.flush();
    },
    async close() {
      await hooks.close();
      await log.close();
    },
  };
  await running.call();
  return running;
}

it.each([
  ['a directory', '2026-03-01T11:59:00Z'],
  ['a directory', '2026-02-28T12:00:00Z'],
  ['a store', '2026-02-28T12:00:00Z'],
])('an erasure from %s by a machine whose clock is late (%s) verifies', async (where, late) => {
  const source = where === 'a store' ? memoryStore() : mkdtempSync(join(tmpdir(), 'journal-'));
  const running = await atNoon(source);
  vi.setSystemTime(new Date(late));
  expect(await eraseSession(source, 's', { key: privateKey })).toMatchObject({ sessions: ['s'] });
  await running.close();
  expect(await verifyJournal(source, { key })).toMatchObject({ state: 'intact', problems: [] });
});

it.each([
  ['a directory', '2026-03-02T12:00:00Z'],
  ['a directory', '2026-03-09T12:00:00Z'],
  ['a store', '2026-03-09T12:00:00Z'],
])(
  'an erasure from %s by a machine whose clock is ahead (%s) covers no later record',
  async (where, ahead) => {
    const source = where === 'a store' ? memoryStore() : mkdtempSync(join(tmpdir(), 'journal-'));
    const running = await atNoon(source);
    const now = Date.now();
    vi.setSystemTime(new Date(ahead));
    await eraseSession(source, 's', { key: privateKey });
    vi.setSystemTime(now + 1_000);
    await running.call();
    expect(await verifyJournal(source, { key })).toMatchObject({ problems: [] });
    await running.close();
    expect(await verifyJournal(source, { key })).toMatchObject({ state: 'intact', problems: [] });
    expect(await eraseSession(source, 's', { key: privateKey })).toMatchObject({ unread: [] });
    for await (const { data } of readJournal(source)) expect(data?.output).toBeUndefined();
    expect(await verifyJournal(source, { key })).toMatchObject({ state: 'intact', problems: [] });
  },
);

it('an erasure that was killed before the data was gone is found, and can be repeated', async () => {
  const store = memoryStore();
  await write(store);
  const killed: Store = {
    ...store,
    delete: async () => {
      throw new Error('killed');
    },
  };
  await expect(eraseSession(killed, 'ann', { key: privateKey })).rejects.toThrow('killed');
  const found = await verifyJournal(store, { key });
  expect(found).toMatchObject({
    state: 'broken',
    // Of Ann's session and her helper's.
    problems: Array.from({ length: 2 }, () => ({
      code: 'erased',
      message: expect.stringContaining('erase it again'),
    })),
  });
  await eraseSession(store, 'ann', { key: privateKey });
  expect(await verifyJournal(store, { key })).toMatchObject({ state: 'intact', problems: [] });
});

it.each(['a directory', 'a store'])(
  'data that comes back into %s after an erasure is found',
  async (where) => {
    const source = where === 'a store' ? memoryStore() : mkdtempSync(join(tmpdir(), 'journal-'));
    await write(source);
    const restore = await backupOf(source);
    await eraseSession(source, 'ann', { key: privateKey });
    expect(await verifyJournal(source, { key })).toMatchObject({ state: 'intact', problems: [] });
    await restore();
    expect(await verifyJournal(source, { key })).toMatchObject({ state: 'broken' });
    await eraseSession(source, 'ann', { key: privateKey });
    expect(await verifyJournal(source, { key })).toMatchObject({ state: 'intact', problems: [] });
  },
);

/** Resolves to what puts all data of a journal back. */
async function backupOf(source: JournalSource): Promise<() => Promise<void>> {
  if (typeof source !== 'string') {
    const values: [string, unknown][] = [];
    for await (const { key: at, value } of source.list('')) values.push([at, value]);
    return async () => {
      for (const [at, value] of values) await source.set(at, value);
    };
  }
  const [file = ''] = readdirSync(source).filter((name) => /jsonl$/.test(name));
  const text = readFileSync(join(source, file), 'utf8');
  return async () => {
    const since = readFileSync(join(source, file), 'utf8').slice(text.length);
    writeFileSync(join(source, file), text + since);
  };
}

it('a sub-agent that starts during an erasure keeps its data, and the journal verifies', async () => {
  const store = memoryStore();
  const log = journal({ store, key: privateKey });
  const hooks = createHooks();
  hooks.use(log);
  const ann = hooks.session('ann');
  const call = async (session: typeof ann) => {
    await callTool(hooks, { session, toolName: 'read', input: {} }, () => 'text');
    await log.flush();
  };
  await call(ann);
  const meanwhile: Store = {
    ...store,
    async append(...args) {
      await call(hooks.session('helper', { parent: ann }));
      const appended = await store.append(...args);
      await call(hooks.session('later helper', { parent: ann }));
      return appended;
    },
  };
  expect(await eraseSession(meanwhile, 'ann', { key: privateKey })).toMatchObject({ sessions: ['ann'] });
  await hooks.close();
  await log.close();
  expect(await verifyJournal(store, { key })).toMatchObject({ state: 'intact', problems: [] });
  expect((await eraseSession(store, 'ann', { key: privateKey })).sessions).toHaveLength(3);
  expect(await verifyJournal(store, { key })).toMatchObject({ state: 'intact', problems: [] });
});

it('an erasure of a session that goes on meanwhile verifies', async () => {
  const store = memoryStore();
  const running = await atNoon(store);
  let isNoted = false;
  const meanwhile: Store = {
    ...store,
    async append(...args) {
      const appended = await store.append(...args);
      vi.setSystemTime(Date.now() + 1_000);
      if (!isNoted) await running.call();
      isNoted = true;
      return appended;
    },
  };
  await eraseSession(meanwhile, 's', { key: privateKey });
  await running.close();
  const found = await verifyJournal(store, { key });
  expect(found).toMatchObject({ state: 'intact', problems: [] });
});

it.each(['a directory', 'a store'])(
  'a session that is erased from %s is gone, and the rest verifies',
  async (where) => {
    const source = where === 'a store' ? memoryStore() : mkdtempSync(join(tmpdir(), 'journal-'));
    await write(source);
    const { records } = await verifyJournal(source, { key });

    const erased = await eraseSession(source, 'ann', { key: privateKey, by: 'dpo', why: 'ticket 7' });
    expect(erased.sessions).toEqual(['ann', 'helper']);
    expect(erased.records).toBeGreaterThan(3);
    expect(await verifyJournal(source, { key })).toMatchObject({
      state: 'intact',
      // The record of the erasure, and its checkpoint.
      records: records + 2,
      erased: erased.records,
      problems: [],
    });
    const notes = [];
    for await (const { record } of readJournal(source)) if (record.erasure) notes.push(record.erasure);
    const { unread, ...recorded } = erased;
    expect(unread).toEqual([]);
    expect(notes).toEqual([{ ...recorded, last: expect.any(Array), by: 'dpo', why: 'ticket 7' }]);
    expect(await eraseSession(source, 'ann')).toMatchObject({ records: 0 });
    const texts: string[] = [];
    for await (const reading of readJournal(source)) texts.push(JSON.stringify(reading));
    expect(texts.join()).not.toMatch(/ann wrote|ann's diary|ann@example|helper wrote/);
    expect(texts.join()).toMatch(/bob wrote/);
    if (typeof source !== 'string') return;
    const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /json/.test(name),
    );
    for (const file of files)
      expect(readFileSync(join(source, file), 'utf8')).not.toMatch(
        /ann wrote|ann's diary|ann@example|helper wrote/,
      );
  },
);

it('an erasure finds what a process wrote to a store that was killed before it had appended the records', async () => {
  const store = memoryStore();
  await write(store);
  const killed: Store = { ...store, append: () => new Promise(() => {}) };
  const hooks = createHooks();
  hooks.use(journal({ store: killed }));
  const ann = hooks.session('ann');
  const helper = hooks.session('late helper', { parent: ann });
  for (const session of [ann, helper, hooks.session('bob')])
    await callTool(hooks, { session, toolName: 'read', input: { of: `${session.id}'s letter` } }, () => 'x');
  const values = async () => {
    const texts: string[] = [];
    for await (const { value } of store.list('')) texts.push(JSON.stringify(value));
    return texts.join();
  };
  await vi.waitFor(async () => expect(await values()).toMatch(/bob's letter/));
  expect(await values()).toMatch(/ann's letter/);

  for (const session of ['ann', 'helper'])
    expect((await eraseSession(store, session, { key: privateKey })).sessions).toContain(session);
  expect(await values()).not.toMatch(/ann's|helper's/);
  expect(await values()).toMatch(/bob's letter/);
  expect(await verifyJournal(store, { key })).toMatchObject({ state: 'intact' });
});

it('an erasure removes large values of a process that was killed before it had written their records', async () => {
  const sink = mkdtempSync(join(tmpdir(), 'journal-'));
  await write(sink);
  const [ofHelper = ''] = readdirSync(join(sink, 'blobs'));
  const left = join(sink, 'blobs', `${'0'.repeat(64)}.json`);
  writeFileSync(left, `{"output":"ann's letter"}`);
  // The record of a new value may not be there yet.
  await eraseSession(sink, 'bob', { key: privateKey });
  expect(readdirSync(join(sink, 'blobs')).sort()).toEqual([basename(left), ofHelper].sort());
  const then = new Date(Date.now() - 61_000);
  utimesSync(left, then, then);
  await eraseSession(sink, 'bob', { key: privateKey });
  expect(readdirSync(join(sink, 'blobs'))).toEqual([ofHelper]);
  expect(await verifyJournal(sink, { key })).toMatchObject({ state: 'intact', problems: [] });
});

it('an erasure that was killed within a line can be repeated, wherever it was cut', async () => {
  const sink = mkdtempSync(join(tmpdir(), 'journal-'));
  const log = journal({ sink, key: privateKey });
  const hooks = createHooks();
  hooks.use(log);
  const call = { session: hooks.session('ann'), toolName: 'read', input: {} };
  await callTool(hooks, call, () => '日本€');
  await hooks.close();
  await log.close();
  const path = join(sink, readdirSync(sink)[0] ?? '');
  const before = readFileSync(path);
  await eraseSession(sink, 'ann', { key: privateKey });
  const after = readFileSync(path);
  const at = before.indexOf('日本€');
  for (let cut = at - 2; cut < at + 12; cut++) {
    const rest = Buffer.concat([before, after.subarray(before.length)]).subarray(cut);
    writeFileSync(path, Buffer.concat([after.subarray(0, cut), rest]));
    expect(await verifyJournal(sink, { key })).toMatchObject({ state: 'broken' });
    await eraseSession(sink, 'ann', { key: privateKey });
    expect(readFileSync(path).subarray(0, before.length)).toEqual(after.subarray(0, before.length));
    expect(await verifyJournal(sink, { key })).toMatchObject({ state: 'intact', problems: [] });
  }
});

it('an erasure that is not signed leaves a signed journal unsigned', async () => {
  const sink = mkdtempSync(join(tmpdir(), 'journal-'));
  await write(sink);
  await eraseSession(sink, 'ann');
  expect(await verifyJournal(sink, { key })).toMatchObject({ state: 'unsigned', problems: [] });
});

it('a large output stands in a file of its own, without which the journal verifies', async () => {
  const sink = mkdtempSync(join(tmpdir(), 'journal-'));
  await write(sink);
  expect(readdirSync(join(sink, 'blobs'))).toHaveLength(1);
  const readings = [];
  for await (const reading of readJournal(sink, { session: 'helper' })) readings.push(reading);
  const large = readings.find(({ record }) => record.blob);
  expect(String(large?.data?.output)).toHaveLength('helper wrote this. '.length * 10_000);
});

it('an erasure of an exported journal takes large data, too, which stands in its lines', async () => {
  const sink = mkdtempSync(join(tmpdir(), 'journal-'));
  await write(sink);
  const lines: string[] = [];
  for await (const reading of readJournal(sink)) lines.push(`${journalLineText(reading)}\n`);
  const exported = join(mkdtempSync(join(tmpdir(), 'journal-')), 'all.jsonl');
  writeFileSync(exported, lines.join(''));
  await eraseSession(exported, 'helper', { key: privateKey });
  expect(readFileSync(exported, 'utf8')).not.toContain('helper wrote this');
  expect(await verifyJournal(exported, { key })).toMatchObject({ state: 'intact', problems: [] });
});

it('OpenTelemetry logs have the decisions and none of the values', async () => {
  const store = memoryStore();
  await write(store);
  const requests: object[] = [];
  for await (const request of toOtlpLogs(readJournal(store, { session: 'bob' }))) requests.push(request);
  expect(JSON.stringify(requests)).not.toContain('diary');
  expect(requests).toMatchObject([
    { resourceLogs: [{ scopeLogs: [{ scope: { name: '@hooks/journal' } }] }] },
  ]);
  expect(JSON.stringify(requests)).toContain('{"key":"gen_ai.tool.name","value":{"stringValue":"read"}}');
});

it.each(['a directory', 'a store'])(
  'an erasure from %s verifies where the clock was ahead before it, and the session goes on behind it',
  async (where) => {
    const source = where === 'a store' ? memoryStore() : mkdtempSync(join(tmpdir(), 'journal-'));
    const ahead = await atNoon(source);
    vi.setSystemTime(new Date('2026-02-28T12:00:00Z'));
    await eraseSession(source, 's', { key: privateKey });
    const behind = await atNoon(source, '2026-02-28T13:00:00Z');
    expect(await verifyJournal(source, { key })).toMatchObject({ problems: [] });
    await behind.close();
    await ahead.close();
    expect(await verifyJournal(source, { key })).toMatchObject({ state: 'intact', problems: [] });
    expect(await eraseSession(source, 's', { key: privateKey })).toMatchObject({ unread: [] });
    for await (const { data } of readJournal(source)) expect(data?.output).toBeUndefined();
    expect(await verifyJournal(source, { key })).toMatchObject({ state: 'intact', problems: [] });
  },
);

it('data that is put back into the file of an older day is found, also where the session went on there', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'journal-'));
  const older = await atNoon(directory, '2026-02-28T11:00:00Z');
  const file = join(directory, '2026-02-28.jsonl');
  const before = readFileSync(file);
  await (await atNoon(directory)).close();
  vi.setSystemTime(new Date('2026-02-28T12:00:00Z'));
  await eraseSession(directory, 's', { key: privateKey });
  await older.call();
  await older.close();
  expect(await verifyJournal(directory, { key })).toMatchObject({ state: 'intact', problems: [] });
  writeFileSync(file, Buffer.concat([before, readFileSync(file).subarray(before.length)]));
  const { problems } = await verifyJournal(directory, { key });
  expect(problems).toEqual([expect.objectContaining({ code: 'erased' })]);
});

it('an erasure and a pruning of files that cannot be changed fail with an error of the journal', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'journal-'));
  await (await atNoon(directory)).close();
  mkdirSync(join(directory, '2026-02-28.jsonl'));
  const failed = { name: 'JournalError', code: 'WRITE_FAILED', message: expect.stringContaining('EISDIR') };
  await expect(eraseSession(directory, 's')).rejects.toMatchObject(failed);
  const before = new Date('2026-03-01');
  await expect(pruneJournal(directory, { before })).rejects.toMatchObject(failed);
});

it.each(['2026-03-01', '2026-03-02'])(
  'an erasure leaves what a pruning has put in the place of %s since it was read',
  async (day) => {
    const directory = mkdtempSync(join(tmpdir(), 'journal-'));
    for (const on of ['2026-03-01', '2026-03-02', '2026-03-03'])
      await (await atNoon(directory, `${on}T12:00:00Z`, on)).close();
    const pruned = join(mkdtempSync(join(tmpdir(), 'journal-')), 'pruned');
    cpSync(directory, pruned, { recursive: true });
    await pruneJournal(pruned, { before: new Date('2026-03-03'), key: privateKey });
    // Another process prunes just before the first line is overwritten.
    const { openSync } = fs;
    onTestFinished(() => {
      fs.openSync = openSync;
      syncBuiltinESMExports();
    });
    fs.openSync = (path, flags, mode) => {
      if (flags === 'r+') {
        fs.openSync = openSync;
        syncBuiltinESMExports();
        renameSync(join(pruned, '2026-03-02.jsonl'), join(directory, '2026-03-02.jsonl'));
        rmSync(join(directory, '2026-03-01.jsonl'));
      }
      return openSync(path, flags, mode);
    };
    syncBuiltinESMExports();
    await eraseSession(directory, day, { key: privateKey });
    expect(await verifyJournal(directory, { key })).toMatchObject({ state: 'intact', problems: [] });
    expect(readdirSync(directory)).toEqual(['2026-03-02.jsonl', '2026-03-03.jsonl']);
  },
);
