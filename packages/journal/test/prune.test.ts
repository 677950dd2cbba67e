import { fork } from 'node:child_process';
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { memoryStore, type Store } from '@hooks/store';
import { sqliteStore } from '@hooks/store/sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  eraseSession,
  followJournal,
  type JournalSource,
  type JournalTarget,
  journal,
  pruneJournal,
  readJournal,
  verifyJournal,
} from '../src/index.ts';

const { publicKey: key, privateKey } = generateKeyPairSync('ed25519');
const before = new Date('2026-03-03');
const nothing = { days: [], records: 0, checkpoints: [], ahead: [] };

/**
 * A journal of three days: two processes have ended on the first, and one goes on over all of them, in a session that does, too.
 */
async function threeDays() {
  const directory = mkdtempSync(join(tmpdir(), 'journal-'));
  const open = () => {
    const log = journal({ sink: directory, key: privateKey });
    const hooks = createHooks();
    hooks.use(log);
    return {
      call: async (session: string) => {
        const output = 'x'.repeat(session === 'large' ? 100_000 : 1);
        await callTool(hooks, { session: hooks.session(session), toolName: 'read', input: {} }, () => output);
        await log.flush();
      },
      async close() {
        await hooks.close();
        await log.close();
      },
    };
  };
  vi.useFakeTimers({ toFake: ['Date'] });
  const beginDay = (day: string): void => void vi.setSystemTime(new Date(`${day}T12:00:00Z`));
  beginDay('2026-03-01');
  const running = open();
  for (let process = 0; process < 2; process++) {
    const other = open();
    await other.call('other');
    await other.call('large');
    await other.close();
  }
  for (const day of ['2026-03-01', '2026-03-02', '2026-03-03']) {
    beginDay(day);
    for (let calls = 0; calls < 100; calls++) await running.call('long');
  }
  beginDay('2026-03-04');
  await running.call('long');
  await running.close();
  vi.useRealTimers();
  return directory;
}

/** A journal of some days, each of which a process of its own has written. */
async function aProcessADay(
  target: JournalTarget,
  on: readonly string[] = ['2026-03-01', '2026-03-02', '2026-03-03'],
): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  for (const day of on) {
    vi.setSystemTime(new Date(`${day}T12:00:00Z`));
    const log = journal({ ...target, key: privateKey });
    const hooks = createHooks();
    hooks.use(log);
    await callTool(hooks, { session: hooks.session(day), toolName: 'read', input: {} }, () => day);
    await hooks.close();
    await log.close();
  }
}

async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const list: T[] = [];
  for await (const item of items) list.push(item);
  return list;
}

const days = (directory: string): readonly string[] =>
  readdirSync(directory).filter((name) => /jsonl/.test(name));

it('the oldest days go, and the rest of a process that goes on verifies', async () => {
  const directory = await threeDays();
  const whole = await verifyJournal(directory, { key });
  expect(whole).toMatchObject({ state: 'intact', problems: [] });
  const pruned = await pruneJournal(directory, { before, key: privateKey, by: 'ops', why: '90 days' });
  expect(pruned.days).toEqual(['2026-03-01', '2026-03-02']);
  expect(days(directory)).toEqual(['2026-03-02.jsonl', '2026-03-03.jsonl', '2026-03-04.jsonl']);
  expect(readdirSync(join(directory, 'blobs'))).toEqual([]);
  expect(await verifyJournal(directory, { key })).toMatchObject({
    state: 'intact',
    problems: [],
    pruned: pruned.records,
    // The record of the pruning, and its checkpoint.
    records: whole.records - pruned.records + 2,
  });
  const notes = [];
  for await (const { record } of readJournal(directory)) if (record.pruning) notes.push(record.pruning);
  expect(notes).toMatchObject([{ before: '2026-03-03', by: 'ops', why: '90 days' }]);

  // Once more: nothing new, then another day.
  expect(await pruneJournal(directory, { before, key: privateKey })).toEqual(nothing);
  await pruneJournal(directory, { before: new Date('2026-03-04'), key: privateKey });
  expect(days(directory)).toEqual(['2026-03-03.jsonl', '2026-03-04.jsonl']);
  expect(await verifyJournal(directory, { key })).toMatchObject({ state: 'intact', problems: [] });
});

it('what is changed, dropped or put back behind a pruning is found', async () => {
  const directory = await threeDays();
  const original = readFileSync(join(directory, '2026-03-02.jsonl'), 'utf8');
  await pruneJournal(directory, { before, key: privateKey });
  const path = join(directory, '2026-03-03.jsonl');
  const lines = readFileSync(path, 'utf8').trimEnd().split('\n');
  for (const changed of [
    lines.slice(1),
    lines.slice(0, -1),
    lines.toSpliced(5, 1),
    [lines[1], lines[0], ...lines.slice(2)],
  ]) {
    writeFileSync(path, `${changed.join('\n')}\n`);
    expect(await verifyJournal(directory, { key })).toMatchObject({ state: 'broken' });
  }
  writeFileSync(path, `${lines.join('\n')}\n`);
  const anchor = join(directory, '2026-03-02.jsonl');
  const note = readFileSync(anchor, 'utf8');
  writeFileSync(anchor, original + note);
  expect(await verifyJournal(directory, { key })).toMatchObject({ state: 'broken' });
  unlinkSync(anchor);
  expect(await verifyJournal(directory, { key })).toMatchObject({ state: 'broken' });
});

it('a directory that is pruned while it is verified or read is verified once more, and read', async () => {
  const directory = await threeDays();
  let isOver = false;
  const pruning = pruneJournal(directory, { before, key: privateKey }).finally(() => {
    isOver = true;
  });
  const readings: Promise<unknown>[] = [];
  const found: ReturnType<typeof verifyJournal>[] = [];
  while (!isOver) {
    found.push(verifyJournal(directory, { key }));
    readings.push(all(readJournal(directory)));
    await setImmediate();
  }
  await pruning;
  await Promise.all(readings);
  for (const each of await Promise.all(found)) expect(each).toMatchObject({ state: 'intact', problems: [] });
});

it('of several prunings of a directory at once, one says that it removed the days', async () => {
  for (const later of [0, 1, 2]) {
    const directory = await threeDays();
    const pruned = await Promise.all(
      [before, before, before, new Date('2026-03-02')].map(async (day, at) => {
        for (let turns = 0; turns < at * later; turns++) await setImmediate();
        return pruneJournal(directory, { before: day, key: privateKey });
      }),
    );
    expect(pruned.flatMap(({ days }) => days).sort()).toEqual(['2026-03-01', '2026-03-02']);
    expect(await verifyJournal(directory, { key })).toMatchObject({
      state: 'intact',
      problems: [],
      pruned: pruned.reduce((sum, { records }) => sum + records, 0),
    });
    expect(days(directory).filter((name) => name.includes('new'))).toEqual([]);
  }
});

it('a pruning does not name the days again that an earlier one has removed', async () => {
  const directory = await threeDays();
  const first = await pruneJournal(directory, { before: new Date('2026-03-02'), key: privateKey });
  const second = await pruneJournal(directory, { before, key: privateKey });
  expect([first.days, second.days]).toEqual([['2026-03-01'], ['2026-03-02']]);
});

it('a day whose file was renamed to an older one is found, and not pruned with what is old', async () => {
  const directory = await threeDays();
  renameSync(join(directory, '2026-03-01.jsonl'), join(directory, '2026-02-01.jsonl'));
  const { state, problems } = await verifyJournal(directory, { key });
  expect(state).toBe('broken');
  expect(problems).toEqual([
    { code: 'chain', place: '2026-02-01.jsonl:1', message: expect.stringContaining('2026-03-01') },
  ]);
  const pruning = pruneJournal(directory, { before: new Date('2026-02-15'), key: privateKey });
  await expect(pruning).rejects.toMatchObject({ code: 'INVALID' });
  expect(days(directory)).toContain('2026-02-01.jsonl');
});

it('a record whose clock was set back before it is written stands in the file of its day', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'journal-'));
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-09T12:00:00Z') });
  onTestFinished(() => void vi.useRealTimers());
  const log = journal({ sink: directory, key: privateKey });
  const hooks = createHooks();
  hooks.use(log);
  await callTool(hooks, { session: hooks.session('s'), toolName: 'read', input: {} }, () => 'read');
  vi.setSystemTime(new Date('2026-03-01T12:00:00Z'));
  await hooks.close();
  await log.close();
  expect(days(directory)).toEqual(['2026-03-09.jsonl']);
  expect(await verifyJournal(directory, { key })).toMatchObject({ state: 'intact', problems: [] });
});

describe.each(['a directory', 'a store'])('a pruning of %s by which a clock was ahead', (where) => {
  /** A journal of which each process has its own time; the first one starts with a clock that is ahead. */
  const journalAhead = async (ahead: string): Promise<JournalSource> => {
    const source = where === 'a store' ? memoryStore() : mkdtempSync(join(tmpdir(), 'journal-'));
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const target = typeof source === 'string' ? { sink: source } : { store: source };
    for (const [begin, end] of [
      ['2026-02-01', '2026-02-01'],
      [ahead, '2026-03-01'],
      ['2026-03-02', '2026-03-02'],
      ['2026-03-03', '2026-03-03'],
      ['2026-03-20', '2026-03-20'],
    ] as const) {
      const log = journal({ ...target, key: privateKey });
      const hooks = createHooks();
      hooks.use(log);
      for (const day of [begin, end]) {
        vi.setSystemTime(new Date(`${day}T12:00:00Z`));
        await callTool(hooks, { session: hooks.session(begin), toolName: 'read', input: {} }, () => 'read');
        await log.flush();
      }
      await hooks.close();
      await log.close();
    }
    return source;
  };

  it.each(['2026-03-04', '2026-03-05', '2096-03-05'])(
    'to %s leaves a journal that verifies',
    async (ahead) => {
      const source = await journalAhead(ahead);
      for (const day of ['2026-02-10', '2026-03-03', '2026-03-10']) {
        await pruneJournal(source, { before: new Date(day), key: privateKey });
        expect(await verifyJournal(source, { key })).toMatchObject({ state: 'intact', problems: [] });
      }
    },
  );

  it.runIf(where === 'a store')(
    'removes what stands behind a day that has not come, also if it was killed',
    async () => {
      const source = (await journalAhead('2096-03-05')) as Store;
      const killed = { ...source, trim: () => Promise.reject(new Error('killed')), delete: source.delete };
      const pruning = { before: new Date('2026-03-10'), key: privateKey };
      await expect(pruneJournal(killed, pruning)).rejects.toThrow('killed');
      expect(await verifyJournal(source, { key })).toMatchObject({ state: 'intact', problems: [] });
      await pruneJournal(source, pruning);
      const sessions = new Set<string | undefined>();
      for await (const { record } of readJournal(source)) if (record.tool) sessions.add(record.session);
      expect([...sessions]).toEqual(['2026-03-20']);
      expect(await verifyJournal(source, { key })).toMatchObject({ state: 'intact', problems: [] });
    },
  );
});

it.each(['2026-03-05', '2026-04-01'])(
  'a pruning of a store keeps what a process wrote just now, whose clock is ahead at %s',
  async (ahead) => {
    const store = memoryStore();
    await aProcessADay({ store }, ['2026-01-01', '2026-01-02', ahead]);
    vi.setSystemTime(new Date('2026-03-04T12:00:00Z'));
    const pruned = await pruneJournal(store, { before: new Date('2026-02-01'), key: privateKey });
    expect(pruned.days).toEqual(['2026-01-01', '2026-01-02']);
    const sessions = new Set<string | undefined>();
    for await (const { record } of readJournal(store)) if (record.tool) sessions.add(record.session);
    expect([...sessions]).toEqual([ahead]);
    expect(await verifyJournal(store, { key })).toMatchObject({ state: 'intact', problems: [] });
  },
);

it.each(['a directory', 'a store'])('a reader of %s that is pruned meanwhile reads on', async (where) => {
  const source = where === 'a store' ? memoryStore() : mkdtempSync(join(tmpdir(), 'journal-'));
  const target = typeof source === 'string' ? { sink: source } : { store: source };
  // A store is read in portions of up to 500 records.
  await aProcessADay(target, [...Array.from({ length: 150 }, () => '2026-03-01'), '2026-03-03']);
  const problems: string[] = [];
  const sessions = new Set<string | undefined>();
  for await (const { record } of readJournal(source, {
    onProblem: ({ message }) => problems.push(message),
  })) {
    if (sessions.size === 0) await pruneJournal(source, { before, key: privateKey });
    sessions.add(record.session);
  }
  expect(sessions).toContain('2026-03-03');
  expect(problems).toEqual([]);
});

describe('a day of a directory that has not come, since a clock was ahead', () => {
  const writeOn = async (directory: string, keepDays: number | undefined, ...on: readonly string[]) => {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const errors: string[] = [];
    const onError = ({ message }: { readonly message: string }) => void errors.push(message);
    vi.setSystemTime(new Date(`${on[0]}T12:00:00Z`));
    const log = journal({ sink: directory, onError, ...(keepDays !== undefined && { keepDays }) });
    const hooks = createHooks();
    hooks.use(log);
    for (const day of on) {
      vi.setSystemTime(new Date(`${day}T12:00:00Z`));
      await callTool(hooks, { session: hooks.session(day), toolName: 'read', input: {} }, () => day);
      await log.flush();
    }
    await hooks.close();
    await log.close();
    return errors;
  };

  it.each([
    ['of a process that began so', ['2099-01-01', '2026-03-01'], 'intact'],
    ['of a process that was ahead for a while', ['2026-03-01', '2099-01-01', '2026-03-01'], 'open'],
  ] as const)(
    '(%s) stays, keepDays says so, and the rest verifies when it is removed by hand',
    async (_whose, on, state) => {
      const directory = mkdtempSync(join(tmpdir(), 'journal-'));
      await writeOn(directory, undefined, ...on);
      await writeOn(directory, undefined, '2026-03-02');
      const errors = await writeOn(directory, 10, '2026-06-01');
      expect(errors).toEqual([expect.stringMatching(/2099-01-01 has not come/)]);
      expect(days(directory)).toEqual(
        ['2026-03-02', '2026-06-01', '2099-01-01'].map((day) => `${day}.jsonl`),
      );
      expect(await pruneJournal(directory, { before: new Date('2026-05-20') })).toEqual({
        ...nothing,
        ahead: ['2099-01-01'],
      });
      unlinkSync(join(directory, '2099-01-01.jsonl'));
      expect(await verifyJournal(directory)).toMatchObject({ problems: [], state });
    },
  );
});

it('a pruning that was killed before the old days went verifies, and goes on', async () => {
  const directory = await threeDays();
  const old = join(directory, '2026-03-01.jsonl');
  const [first, second] = [old, join(directory, '2026-03-02.jsonl')].map((path) => readFileSync(path));
  const { records } = await pruneJournal(directory, { before, key: privateKey });
  for (const left of [first!, second!, Buffer.concat([first!, second!])]) {
    writeFileSync(old, left);
    const intact = { state: 'intact', problems: [], pruned: records };
    expect(await verifyJournal(directory, { key })).toMatchObject(intact);
    await pruneJournal(directory, { before, key: privateKey });
    expect(days(directory)).toEqual(['2026-03-02.jsonl', '2026-03-03.jsonl', '2026-03-04.jsonl']);
    expect(await verifyJournal(directory, { key })).toMatchObject(intact);
  }
  // What it left is erased, too.
  writeFileSync(old, first!);
  await eraseSession(directory, 'long', { key: privateKey });
  expect(readFileSync(old, 'utf8')).not.toMatch(/"data":\{.*"session":"long"/);
  expect(await verifyJournal(directory, { key })).toMatchObject({ state: 'intact', problems: [] });
});

it('a pruning after one that was killed removes the large values that it left, and no others', async () => {
  const directory = await threeDays();
  const blobs = join(directory, 'blobs');
  const left = readdirSync(blobs).map(
    (name) => [join(blobs, name), readFileSync(join(blobs, name))] as const,
  );
  expect(left).toHaveLength(2);
  await pruneJournal(directory, { before, key: privateKey });
  const log = journal({ sink: directory, key: privateKey });
  const hooks = createHooks();
  hooks.use(log);
  const call = { session: hooks.session('s'), toolName: 'read', input: {} };
  await callTool(hooks, call, () => 'y'.repeat(100_000));
  await hooks.close();
  await log.close();
  const kept = readdirSync(blobs);
  const then = new Date('2026-03-01T12:00:00Z');
  for (const [path, data] of left) writeFileSync(path, data);
  for (const name of readdirSync(blobs)) utimesSync(join(blobs, name), then, then);
  expect(await pruneJournal(directory, { before, key: privateKey })).toEqual(nothing);
  expect(readdirSync(blobs)).toEqual(kept);
  expect(await verifyJournal(directory, { key })).toMatchObject({ state: 'intact', problems: [] });
});

it('a pruning with nothing to remove leaves the large values of later days alone, whose records it does not read', async () => {
  const directory = await threeDays();
  const [blob] = readdirSync(join(directory, 'blobs')).map((name) => join(directory, 'blobs', name));
  await pruneJournal(directory, { before, key: privateKey });
  const later = new Date('2026-03-03T12:00:00Z');
  writeFileSync(blob!, 'large');
  utimesSync(blob!, later, later);
  expect(await pruneJournal(directory, { before, key: privateKey })).toEqual(nothing);
  expect(existsSync(blob!)).toBe(true);
});

it('the record of a pruning covers nothing that stands before it', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'journal-'));
  await aProcessADay({ sink: directory }, ['2026-03-02', '2026-03-03']);
  await pruneJournal(directory, { before, key: privateKey });
  expect(await verifyJournal(directory, { key })).toMatchObject({ state: 'intact' });
  renameSync(join(directory, '2026-03-02.jsonl'), join(directory, '2026-03-04.jsonl'));
  expect(await verifyJournal(directory, { key })).toMatchObject({
    state: 'broken',
    problems: [{ code: 'chain', place: '2026-03-04.jsonl:1' }],
  });
});

it('records of a process that was pruned away cannot be put back into a directory', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'journal-'));
  await aProcessADay({ sink: directory });
  const removed = readFileSync(join(directory, '2026-03-01.jsonl'), 'utf8');
  const { checkpoints } = await pruneJournal(directory, { before, key: privateKey });
  expect(checkpoints).toHaveLength(2);
  expect(await verifyJournal(directory, { key, expect: checkpoints })).toMatchObject({
    state: 'broken',
    problems: [{ code: 'missing' }, { code: 'missing' }],
  });
  const today = join(directory, '2026-03-03.jsonl');
  const text = readFileSync(today, 'utf8');
  for (const together of [text + removed, removed + text]) {
    writeFileSync(today, together);
    expect(await verifyJournal(directory, { key })).toMatchObject({
      state: 'broken',
      problems: [{ code: 'chain', message: expect.stringContaining('put back') }],
    });
  }
  writeFileSync(today, text);
  expect(await verifyJournal(directory, { key })).toMatchObject({ state: 'intact', problems: [] });
});

it('a process that ended just before midnight, and whose records stand in the next day, verifies', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'journal-'));
  await aProcessADay({ sink: directory });
  const [second, third] = ['2026-03-02.jsonl', '2026-03-03.jsonl'].map((name) => join(directory, name));
  writeFileSync(third!, readFileSync(third!, 'utf8') + readFileSync(second!, 'utf8'));
  unlinkSync(second!);
  for (const day of ['2026-03-03', '2026-03-04']) {
    vi.setSystemTime(new Date('2026-03-09T12:00:00Z'));
    await pruneJournal(directory, { before: new Date(day), key: privateKey });
    expect(await verifyJournal(directory, { key })).toMatchObject({ state: 'intact', problems: [] });
  }
});

it('a pruning that is not signed leaves a signed journal unsigned', async () => {
  const directory = await threeDays();
  await pruneJournal(directory, { before });
  expect(await verifyJournal(directory, { key })).toMatchObject({ state: 'unsigned', problems: [] });
});

it('a pruning that is not signed with the key of the next one stays in a directory', async () => {
  const directory = await threeDays();
  await pruneJournal(directory, { before: new Date('2026-03-02'), by: 'somebody' });
  await pruneJournal(directory, { before, key: privateKey, by: 'ops' });
  const there = days(directory);
  expect(await pruneJournal(directory, { before, key: privateKey })).toEqual(nothing);
  expect(days(directory)).toEqual(there);
  expect(await verifyJournal(directory, { key })).toMatchObject({ state: 'unsigned', problems: [] });
  const by: unknown[] = [];
  for await (const { record } of readJournal(directory)) if (record.pruning) by.push(record.pruning.by);
  expect(by).toEqual(['somebody', 'ops']);
});

/** What only a key of the journal may sign. */
const signed: readonly [
  name: string,
  change: (source: string | Store, key: KeyObject) => Promise<unknown>,
][] = [
  ['pruning', (source, key) => pruneJournal(source, { before, key })],
  ['erasure', (source, key) => eraseSession(source, '2026-03-01', { key })],
];

it.each(signed)(
  'a %s with a key that has signed nothing in a signed journal changes nothing',
  async (_name, change) => {
    const another = generateKeyPairSync('ed25519');
    await using store = memoryStore();
    const directory = mkdtempSync(join(tmpdir(), 'journal-'));
    for (const [source, target] of [
      [store, { store }],
      [directory, { sink: directory }],
    ] as const) {
      await aProcessADay(target);
      await expect(change(source, another.privateKey)).rejects.toMatchObject({
        code: 'INVALID',
        message: expect.stringContaining('another key'),
      });
      expect(await verifyJournal(source, { key })).toMatchObject({ state: 'intact', pruned: 0, erased: 0 });
      // A key that replaces the first may sign, before it has signed anything else.
      const log = journal({ ...target, key: another.privateKey, replaces: privateKey });
      await log.close();
      await change(source, another.privateKey);
      expect(await verifyJournal(source, { key: [key, another.publicKey] })).toMatchObject({
        state: 'intact',
      });
    }
  },
);

it.each(signed)(
  'a %s with a key that another has replaced changes nothing, unless it has come back',
  async (_name, change) => {
    const another = generateKeyPairSync('ed25519');
    const keys = [key, another.publicKey];
    await using store = memoryStore();
    const directory = mkdtempSync(join(tmpdir(), 'journal-'));
    for (const [source, target] of [
      [store, { store }],
      [directory, { sink: directory }],
    ] as const) {
      await aProcessADay(target);
      await journal({ ...target, key: another.privateKey, replaces: privateKey }).close();
      await expect(change(source, privateKey)).rejects.toMatchObject({
        code: 'INVALID',
        message: expect.stringContaining('has replaced this one'),
      });
      expect(await verifyJournal(source, { key: keys })).toMatchObject({
        state: 'intact',
        pruned: 0,
        erased: 0,
      });
      await journal({ ...target, key: privateKey, replaces: another.privateKey }).close();
      await change(source, privateKey);
      expect(await verifyJournal(source, { key: keys })).toMatchObject({ state: 'intact' });
    }
  },
);

it('a key that was replaced on a day that is pruned stays replaced, and leads to the next one', async () => {
  const [second, third] = [generateKeyPairSync('ed25519'), generateKeyPairSync('ed25519')];
  await using store = memoryStore();
  const directory = mkdtempSync(join(tmpdir(), 'journal-'));
  for (const [source, target] of [
    [store, { store }],
    [directory, { sink: directory }],
  ] as const) {
    await aProcessADay(target, ['2026-03-01']);
    const changes = [
      ['2026-03-02', second.privateKey, privateKey],
      // Another process has not heard of it yet, and goes on with the first key.
      ['2026-03-03', third.privateKey, second.privateKey],
      ['2026-03-03', second.privateKey, privateKey],
    ] as const;
    for (const [day, next, replaces] of changes) {
      vi.setSystemTime(new Date(`${day}T12:00:00Z`));
      await journal({ ...target, key: next, replaces }).close();
    }
    await aProcessADay(target, ['2026-03-05']);
    for (const day of ['2026-03-03', '2026-03-04', '2026-03-05']) {
      vi.setSystemTime(new Date('2026-03-09T12:00:00Z'));
      await pruneJournal(source, {
        before: new Date(day),
        key: day > '2026-03-03' ? third.privateKey : second.privateKey,
      });
      expect(await verifyJournal(source, { key }), day).toMatchObject({ state: 'intact', problems: [] });
      for (const change of [
        () => pruneJournal(source, { before: new Date('2026-03-06'), key: privateKey }),
        () => eraseSession(source, '2026-03-01', { key: privateKey }),
      ])
        await expect(change()).rejects.toMatchObject({
          code: 'INVALID',
          message: expect.stringContaining('has replaced this one'),
        });
    }
    // Whoever holds none of the keys cannot add one.
    const other = generateKeyPairSync('ed25519').publicKey;
    expect(await verifyJournal(source, { key: other })).toMatchObject({ state: 'broken' });
  }
});

it('a pruning that a new key signs is trusted where the change to that key stands behind it', async () => {
  const next = generateKeyPairSync('ed25519');
  await using store = memoryStore();
  const directory = mkdtempSync(join(tmpdir(), 'journal-'));
  for (const [source, target] of [
    [store, { store }],
    [directory, { sink: directory }],
  ] as const) {
    await aProcessADay(target);
    await journal({ ...target, key: next.privateKey, replaces: privateKey }).close();
    await pruneJournal(source, { before, key: next.privateKey });
    expect(await verifyJournal(source, { key })).toMatchObject({ state: 'intact', problems: [] });
  }
});

it('a journal that is broken is left as it is, and so is today', async () => {
  const directory = await threeDays();
  const path = join(directory, '2026-03-01.jsonl');
  writeFileSync(path, readFileSync(path, 'utf8').replace('"read"', '"write"'));
  const there = days(directory);
  await expect(pruneJournal(directory, { before })).rejects.toMatchObject({
    code: 'INVALID',
    message: expect.stringContaining('nothing was removed'),
  });
  expect(days(directory)).toEqual(there);
  // Midnight may come while this runs.
  const dayAfter = new Date(Date.now() + 2 * 24 * 60 * 60_000);
  for (const invalid of [dayAfter, new Date('never')])
    await expect(pruneJournal(directory, { before: invalid })).rejects.toThrow('today at the latest');
  await expect(pruneJournal(path, { before })).rejects.toThrow('name its directory or store');
});

describe.each([
  ['in memory', memoryStore],
  ['of SQLite', () => sqliteStore(':memory:')],
])('in a store %s', (_name, open) => {
  /** A journal of three days, the first of which two processes have written, in sessions that go on. */
  async function threeDaysIn(store: Store) {
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const start = () => {
      const log = journal({ store, key: privateKey });
      const hooks = createHooks();
      hooks.use(log);
      return {
        async call(session: string, output: string) {
          await callTool(
            hooks,
            { session: hooks.session(session), toolName: 'read', input: {} },
            () => output,
          );
          await log.flush();
        },
        async close() {
          await hooks.close();
          await log.close();
        },
      };
    };
    const running = start();
    for (const day of ['2026-03-01', '2026-03-02', '2026-03-03']) {
      vi.setSystemTime(new Date(`${day}T12:00:00Z`));
      for (let calls = 0; calls < 30; calls++) await running.call('long', `${day} ${calls}`);
      if (day !== '2026-03-01') continue;
      const other = start();
      await other.call('large', 'x'.repeat(100_000));
      await other.close();
    }
    return running;
  }

  const outputsIn = async (store: Store): Promise<readonly unknown[]> => {
    const outputs: unknown[] = [];
    for await (const { record, data } of readJournal(store))
      if (record.type === 'hooks.after_tool_call') outputs.push(data?.output);
    return outputs;
  };
  const dataIn = async (store: Store): Promise<number> => {
    let values = 0;
    for await (const { key } of store.list('journal/')) if (key !== '') values++;
    return values;
  };

  it('the oldest days go with their data, and the rest of a process that goes on verifies', async () => {
    await using store = open();
    const running = await threeDaysIn(store);
    const [whole, values] = [await verifyJournal(store, { key }), await dataIn(store)];
    const pruned = await pruneJournal(store, { before, key: privateKey, by: 'ops', why: '90 days' });
    expect(pruned.days).toEqual(['2026-03-01', '2026-03-02']);
    expect(await dataIn(store)).toBeLessThan(0.5 * values);
    await running.call('long', 'after');
    await running.close();
    const outputs = [...Array.from({ length: 30 }, (_, calls) => `2026-03-03 ${calls}`), 'after'];
    expect(await outputsIn(store)).toEqual(outputs);
    const found = await verifyJournal(store, { key });
    expect(found).toMatchObject({ state: 'intact', problems: [], pruned: pruned.records });
    expect(found.records).toBeGreaterThan(whole.records - pruned.records + 2);
    const notes = [];
    for await (const { record } of readJournal(store)) if (record.pruning) notes.push(record.pruning);
    expect(notes).toMatchObject([{ before: '2026-03-03', by: 'ops', why: '90 days' }]);

    // Once more: nothing new, then another day.
    expect(await pruneJournal(store, { before, key: privateKey })).toEqual(nothing);
    expect(await verifyJournal(store, { key })).toEqual(found);
    vi.setSystemTime(new Date('2026-03-05T12:00:00Z'));
    const last = await pruneJournal(store, { before: new Date('2026-03-05'), key: privateKey });
    expect(last.days).toEqual(['2026-03-03']);
    expect(await outputsIn(store)).toEqual([]);
    expect(await verifyJournal(store, { key })).toMatchObject({ problems: [], records: 2 });
    expect(await dataIn(store)).toBe(0);
  });

  it('what is dropped, put back or forged behind a pruning is found', async () => {
    await using store = open();
    const running = await threeDaysIn(store);
    await running.close();
    const removed: unknown[] = [];
    for await (const { record } of store.read('journal')) removed.push(record);
    await pruneJournal(store, { before, key: privateKey });
    const start = await store.get('journal-start');
    const { records } = Object(start?.value) as { records: { record: { pruning?: object } }[] };
    const forged = (pruning: object) => [
      { ...records[0], record: { ...records[0]?.record, pruning } },
      records[1],
    ];
    for (const value of [
      { records: forged({ ...records[0]?.record.pruning, position: 1_000_000 }) },
      { records: forged({}) },
      { records: records.slice(1) },
      { records: [] },
      { records: [records[0], removed[0]] },
      { records: [...records, ...records] },
      'none',
    ]) {
      await store.set('journal-start', value);
      expect(await verifyJournal(store, { key })).toMatchObject({ state: 'broken' });
    }
    await store.set('journal-start', { records });
    expect(await verifyJournal(store, { key })).toMatchObject({ state: 'intact' });
  });

  const aProcessADayIn = (store: Store, on?: readonly string[]) => aProcessADay({ store }, on);

  it('records that are taken away, or hidden before the beginning, are found, also all those of a process', async () => {
    await using store = open();
    await aProcessADayIn(store);
    const sources: { source: string; position: number }[] = [];
    for await (const { position, record } of store.read('journal'))
      sources.push({ position, source: Object(Object(record).record).source });
    const without = (source = ''): Store => ({
      ...store,
      async *read(stream, options) {
        for await (const stored of store.read(stream, options))
          if (Object(Object(stored.record).record).source !== source) yield stored;
      },
    });
    const [first, second] = new Set(sources.map(({ source }) => source));
    for (const removed of [first, second])
      expect(await verifyJournal(without(removed), { key })).toMatchObject({
        state: 'broken',
        problems: [{ message: expect.stringContaining('before it are missing') }],
      });
    const read = async () => {
      for await (const { record } of readJournal(without(second))) expect(record.time).toBeDefined();
    };
    await expect(read()).rejects.toMatchObject({ code: 'MALFORMED' });

    await pruneJournal(store, { before, key: privateKey });
    expect(await verifyJournal(store, { key })).toMatchObject({ state: 'intact' });
    const start = await store.get('journal-start');
    await store.delete('journal-start');
    expect(await verifyJournal(store, { key })).toMatchObject({ state: 'broken' });
    // The beginning of a journal in a log that was begun anew: what is written there is not hidden by it.
    const anew = memoryStore();
    await anew.set('journal-start', start?.value);
    await aProcessADayIn(anew, ['2026-03-03']);
    expect(await verifyJournal(anew, { key })).toMatchObject({ state: 'broken' });
    expect(await pruneJournal(anew, { before, key: privateKey }).catch(({ code }) => code)).toBe('INVALID');
  });

  interface Stored {
    readonly record: { readonly source: string; readonly time: string; readonly checkpoint?: object };
  }
  const storedIn = async (store: Store): Promise<readonly Stored[]> => {
    const records: Stored[] = [];
    for await (const { record } of store.read('journal')) records.push(record as Stored);
    return records;
  };

  it.each([
    ['all records', (records: readonly Stored[]) => records],
    [
      'records up to a checkpoint',
      (records: readonly Stored[]) =>
        records.slice(0, 1 + records.findIndex(({ record }) => record.checkpoint)),
    ],
  ])('%s of a process that was pruned away cannot be put back', async (_what, part) => {
    await using store = open();
    await aProcessADayIn(store);
    const records = await storedIn(store);
    const values = await all(store.list('journal/'));
    await pruneJournal(store, { before, key: privateKey });
    const removed = records.filter(({ record }) => record.source === records[0]?.record.source);
    for (const { key: at, value } of values) await store.set(at, value);
    await store.append('journal', part(removed));
    const broken = {
      state: 'broken',
      problems: [{ code: 'chain', message: expect.stringContaining('put back') }],
    };
    expect(await verifyJournal(store, { key })).toMatchObject(broken);
    expect(await verifyJournal(store)).toMatchObject(broken);
    // Nor does another pruning accept them.
    vi.setSystemTime(new Date('2026-03-09T12:00:00Z'));
    await expect(pruneJournal(store, { before: new Date(), key: privateKey })).rejects.toMatchObject({
      code: 'INVALID',
    });
  });

  it('nor can they with the record of an earlier pruning, which they went on behind', async () => {
    await using store = open();
    const running = await threeDaysIn(store);
    await running.close();
    const records = await storedIn(store);
    const values = await all(store.list('journal/'));
    const prune = (day: string) => pruneJournal(store, { before: new Date(day), key: privateKey });
    const startIn = async () =>
      Object((await store.get('journal-start'))?.value).records as readonly unknown[];
    await prune('2026-03-02');
    const earlier = await startIn();
    vi.setSystemTime(new Date('2026-03-09T12:00:00Z'));
    await prune('2026-03-09');
    await store.set('journal-start', { records: [...earlier, ...(await startIn())] });
    const { source } = records[0]?.record ?? {};
    for (const { key: at, value } of values) if (at.includes(String(source))) await store.set(at, value);
    await store.append(
      'journal',
      records.filter(({ record }) => record.source === source),
    );
    expect(await verifyJournal(store, { key })).toMatchObject({
      state: 'broken',
      problems: [{ code: 'chain', message: expect.stringContaining('put back') }],
    });
  });

  it('a process that ended just before the cut and whose records stand behind it verifies', async () => {
    await using store = open();
    await aProcessADayIn(store);
    // The last one of the second day was overtaken by the first one of the third.
    const records = await storedIn(store);
    const day = (nth: number) => records.filter(({ record }) => record.time.startsWith(`2026-03-0${nth}`));
    const [overtaking, ...others] = day(3);
    const values = await all(store.list('journal/'));
    await using overtaken = open();
    for (const { key: at, value } of values) await overtaken.set(at, value);
    await overtaken.append('journal', [...day(1), overtaking, ...day(2), ...others]);
    expect(await verifyJournal(overtaken, { key })).toMatchObject({ state: 'intact' });
    await pruneJournal(overtaken, { before, key: privateKey });
    expect(await verifyJournal(overtaken, { key })).toMatchObject({ state: 'intact', problems: [] });
    vi.setSystemTime(new Date('2026-03-09T12:00:00Z'));
    await pruneJournal(overtaken, { before: new Date(), key: privateKey });
    expect(await verifyJournal(overtaken, { key })).toMatchObject({ state: 'intact', problems: [] });
  });

  it('checkpoints that were removed are named, and only they are missing afterwards', async () => {
    await using store = open();
    const running = await threeDaysIn(store);
    await running.close();
    const { writers } = await verifyJournal(store, { key });
    const expected = writers.flatMap(({ checkpoint = [] }) => checkpoint);
    expect(expected).toHaveLength(2);
    const { checkpoints } = await pruneJournal(store, { before, key: privateKey });
    expect(expected.filter((hash) => checkpoints.includes(hash))).toHaveLength(1);
    expect(await verifyJournal(store, { key, expect: expected })).toMatchObject({
      state: 'broken',
      problems: [
        { code: 'missing', message: expect.stringContaining('or removed with the days before 2026-03-03') },
      ],
    });
    const rest = expected.filter((hash) => !checkpoints.includes(hash));
    expect(await verifyJournal(store, { key, expect: rest })).toMatchObject({ state: 'intact' });
  });

  it('of what was written together only the data of removed records goes', async () => {
    await using store = open();
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const log = journal({ store, key: privateKey });
    const hooks = createHooks();
    hooks.use(log);
    for (const day of ['2026-03-01', '2026-03-03']) {
      vi.setSystemTime(new Date(`${day}T12:00:00Z`));
      await callTool(
        hooks,
        { session: hooks.session('s'), toolName: 'read', input: {} },
        () => `output of ${day}`,
      );
    }
    await hooks.close();
    await log.close();
    const texts = async () => JSON.stringify(await all(store.list('')));
    expect(await texts()).toContain('output of 2026-03-01');
    await pruneJournal(store, { before, key: privateKey });
    expect(await texts()).not.toContain('output of 2026-03-01');
    expect(await outputsIn(store)).toEqual(['output of 2026-03-03']);
    expect(await verifyJournal(store, { key })).toMatchObject({ state: 'intact', problems: [] });
  });

  it('a pruning that is not signed with this key stays in the journal', async () => {
    await using store = open();
    const running = await threeDaysIn(store);
    await pruneJournal(store, { before: new Date('2026-03-02'), by: 'somebody' });
    expect(await verifyJournal(store, { key })).toMatchObject({ state: 'unsigned' });
    await pruneJournal(store, { before, key: privateKey, by: 'ops' });
    vi.setSystemTime(new Date('2026-03-05T12:00:00Z'));
    await running.close();
    const found = await pruneJournal(store, { before: new Date('2026-03-05'), key: privateKey, by: 'ops' });
    expect(found.records).toBeGreaterThan(0);
    expect(await verifyJournal(store)).toMatchObject({ problems: [], state: 'intact' });
    expect(await verifyJournal(store, { key })).toMatchObject({ state: 'unsigned', problems: [] });
    const by: unknown[] = [];
    for await (const { record } of readJournal(store)) if (record.pruning) by.push(record.pruning.by);
    expect(by).toEqual(['somebody', 'ops']);
  });

  it('a journal that is pruned while it is verified is verified once more', async () => {
    await using store = open();
    const running = await threeDaysIn(store);
    await running.close();
    let isPruned = false;
    const meanwhile: Store = {
      ...store,
      async *read(stream, options) {
        for await (const stored of store.read(stream, options)) {
          yield stored;
          if (!isPruned) await pruneJournal(store, { before: new Date('2026-03-02'), key: privateKey });
          isPruned = true;
        }
      },
    };
    expect(await verifyJournal(meanwhile, { key })).toMatchObject({ state: 'intact', problems: [] });
  });

  it('data that was removed by hand keeps a journal from being pruned, and data that was erased does not', async () => {
    await using store = open();
    const running = await threeDaysIn(store);
    await running.close();
    let removed = '';
    for await (const { record } of store.read('journal')) {
      const { data, record: about } = Object(record);
      if (typeof data === 'string') removed = `journal/${about.source}/${data}`;
      if (removed !== '') break;
    }
    const value = (await store.get(removed))?.value;
    await store.delete(removed);
    await expect(pruneJournal(store, { before, key: privateKey })).rejects.toMatchObject({ code: 'INVALID' });
    await store.set(removed, value);
    await eraseSession(store, 'long', { key: privateKey });
    await pruneJournal(store, { before, key: privateKey });
    expect(await verifyJournal(store, { key })).toMatchObject({ state: 'intact', problems: [] });
  });

  it('a pruning that was killed before the old records went verifies, and goes on', async () => {
    await using inner = open();
    const running = await threeDaysIn(inner);
    await running.close();
    for (const killed of ['delete', 'trim'] as const) {
      const store: Store = {
        ...inner,
        [killed]: async () => {
          throw new Error('killed');
        },
      };
      const day = killed === 'delete' ? '2026-03-02' : '2026-03-03';
      await expect(pruneJournal(store, { before: new Date(day), key: privateKey })).rejects.toThrow('killed');
      const after = await verifyJournal(inner, { key });
      expect(after).toMatchObject({ state: 'intact', problems: [] });
      const follower = followJournal(inner);
      for await (const { record } of follower.read()) expect(record.time >= day).toBe(true);
      await pruneJournal(inner, { before: new Date(day), key: privateKey });
      expect(await verifyJournal(inner, { key })).toEqual(after);
      for await (const { position } of inner.read('journal')) {
        expect(position).toBeGreaterThan(0);
        break;
      }
    }
    const values = await dataIn(inner);
    expect(await outputsIn(inner)).toHaveLength(30);
    expect(values).toBeGreaterThan(0);
  });

  it('two prunings at once are both done, whichever is first', async () => {
    await using store = open();
    const running = await threeDaysIn(store);
    await running.close();
    await Promise.all([
      pruneJournal(store, { before, key: privateKey }),
      pruneJournal(store, { before: new Date('2026-03-02'), key: privateKey }),
    ]);
    expect(await outputsIn(store)).toHaveLength(30);
    expect(await verifyJournal(store, { key })).toMatchObject({ state: 'intact', problems: [] });
  });

  it('of two prunings at once, each removes its records from what was written together', async () => {
    await using store = open();
    vi.useFakeTimers({ toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    const log = journal({ store, key: privateKey });
    const hooks = createHooks();
    hooks.use(log);
    const session = hooks.session('s');
    for (const day of ['2026-03-01', '2026-03-02', '2026-03-03']) {
      vi.setSystemTime(new Date(`${day}T12:00:00Z`));
      await callTool(hooks, { session, toolName: 'read', input: {} }, () => `output of ${day}`);
    }
    await hooks.close();
    await log.close();
    /** Calls back with each value that a pruning reads once its record is written. */
    const pruning = (to: string, hold: () => Promise<unknown>): Promise<unknown> => {
      let isNoted = false;
      return pruneJournal(
        {
          ...store,
          async set(...write) {
            isNoted ||= write[0] === 'journal-start';
            return store.set(...write);
          },
          async get(key) {
            const entry = await store.get(key);
            if (isNoted && key !== 'journal-start') await hold();
            return entry;
          },
        },
        { before: new Date(to), key: privateKey },
      );
    };
    const [reached, holding] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = pruning('2026-03-02', () => {
      reached.resolve();
      return holding.promise;
    });
    await reached.promise;
    await pruning('2026-03-03', () => {
      holding.resolve();
      return first;
    });
    expect(await outputsIn(store)).toEqual(['output of 2026-03-03']);
    expect(JSON.stringify(await all(store.list('')))).not.toContain('output of 2026-03-02');
  });

  it('a follower goes on behind a pruning', async () => {
    await using store = open();
    const running = await threeDaysIn(store);
    const follower = followJournal(store);
    for await (const { record } of follower.read()) expect(record.time).toBeDefined();
    await pruneJournal(store, { before, key: privateKey });
    await running.call('long', 'after');
    await running.close();
    const outputs: unknown[] = [];
    for await (const { record, data } of follower.read())
      if (record.type === 'hooks.after_tool_call') outputs.push(data?.output);
    expect(outputs).toEqual(['after']);
  });

  it('a journal that is not there is NOT_FOUND', async () => {
    await using store = open();
    await expect(pruneJournal(store, { before })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  it('a journal that is broken is left as it is', async () => {
    await using store = open();
    const running = await threeDaysIn(store);
    await running.close();
    const stored: unknown[] = [];
    for await (const { record } of store.read('journal')) stored.push(record);
    await store.trim('journal', 3);
    await expect(pruneJournal(store, { before })).rejects.toMatchObject({
      code: 'INVALID',
      message: expect.stringContaining('nothing was removed'),
    });
    let left = 0;
    for await (const { position } of store.read('journal')) left += position >= 0 ? 1 : 0;
    expect(left).toBe(stored.length - 3);
  });
});

describe('keepDays', () => {
  const daysIn = async (store: Store): Promise<readonly string[]> => {
    const days = new Set<string>();
    for await (const { record } of readJournal(store)) if (record.tool) days.add(record.time.slice(0, 10));
    return [...days];
  };

  it('removes older days at the end of a program, and says so in the journal', async () => {
    const store = memoryStore();
    for (const now of ['2026-01-01T12:00:00Z', '2026-01-30T12:00:00Z', '2026-02-05T12:00:00Z']) {
      vi.useFakeTimers({ now: new Date(now), toFake: ['Date'] });
      onTestFinished(() => void vi.useRealTimers());
      const log = journal({ store, key: privateKey, keepDays: 30 });
      const hooks = createHooks();
      hooks.use(log);
      await callTool(hooks, { session: hooks.session('s'), toolName: 'read', input: {} }, () => 'x');
      await hooks.close();
      await log.close();
    }
    expect(await daysIn(store)).toEqual(['2026-01-30', '2026-02-05']);
    expect(await verifyJournal(store, { key })).toMatchObject({ state: 'intact' });
  });

  it.each(['a directory', 'a store'])(
    'removes older days from %s also where the program closes its hooks alone, and ends at once',
    { timeout: 30_000 },
    async (where) => {
      const folder = mkdtempSync(join(tmpdir(), 'journal-'));
      const path = where === 'a store' ? join(folder, 'journal.db') : folder;
      const open = () => (where === 'a store' ? sqliteStore(path) : path);
      vi.useFakeTimers({ now: new Date('2026-01-01T12:00:00Z'), toFake: ['Date'] });
      onTestFinished(() => void vi.useRealTimers());
      const source = open();
      const log = journal(typeof source === 'string' ? { sink: source } : { store: source });
      const hooks = createHooks();
      hooks.use(log);
      await callTool(hooks, { session: hooks.session('old'), toolName: 'read', input: {} }, () => 'x');
      await hooks.close();
      await log.close();
      vi.useRealTimers();
      const program = fileURLToPath(new URL('programs/ends.ts', import.meta.url));
      const child = fork(program, [path], { execArgv: ['--conditions=@hooks/source'] });
      expect((await once(child, 'exit'))[0]).toBe(0);
      const sessions: string[] = [];
      for await (const { record } of readJournal(open()))
        if (record.tool) sessions.push(record.session ?? '');
      expect(new Set(sessions)).toEqual(new Set(['now']));
      expect(await verifyJournal(open())).toMatchObject({ problems: [], pruned: expect.any(Number) });
    },
  );

  it('lets a program end whose store is away', { timeout: 30_000 }, async () => {
    const path = join(mkdtempSync(join(tmpdir(), 'journal-')), 'away.db');
    const program = fileURLToPath(new URL('programs/ends.ts', import.meta.url));
    const child = fork(program, [path], { execArgv: ['--conditions=@hooks/source'] });
    onTestFinished(() => void child.kill());
    expect((await once(child, 'exit'))[0]).toBe(0);
  });

  it('tells onError where it cannot', async () => {
    const store: Store = memoryStore();
    const write = async (keepDays?: number) => {
      const told: string[] = [];
      const onError = ({ message }: { readonly message: string }) => void told.push(message);
      const log = journal({ store, onError, ...(keepDays !== undefined && { keepDays }) });
      const hooks = createHooks();
      hooks.use(log);
      await callTool(hooks, { session: hooks.session('s'), toolName: 'read', input: {} }, () => 'x');
      await log.close();
      return told;
    };
    await write();
    store.read = () => {
      throw new Error('away');
    };
    expect(await write(1)).toEqual([
      expect.stringMatching(/older days than `keepDays: 1` keeps are still there: .*away/),
    ]);
  });

  it('reads the journal only where something is to be removed, so that a short program starts soon', async () => {
    const directory = await threeDays();
    await pruneJournal(directory, { before, key: privateKey });
    // Only who reads it all knows that this key has signed nothing of it.
    const { privateKey: other } = generateKeyPairSync('ed25519');
    expect(await pruneJournal(directory, { before, key: other })).toEqual(nothing);
    const later = new Date('2026-03-04');
    await expect(pruneJournal(directory, { before: later, key: other })).rejects.toThrow(
      /signed with another key/,
    );
  });

  it.each([0, -1, 1.5, Number.NaN, 1e9, '30' as never])('of %j is refused', (keepDays) => {
    expect(() => journal({ store: memoryStore(), keepDays })).toThrow(/keepDays is .*; expected a whole/);
  });

  it('needs a place that can be pruned', () => {
    const sink = { name: 'mine', write: () => {} };
    expect(() => journal({ sink, keepDays: 3 })).toThrow(/needs a directory as `sink`, or a `store`/);
  });
});
