import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, renameSync, unlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { memoryStore } from '@hooks/store';
import { expect, it } from 'vitest';
import { eraseSession, journal, pruneJournal, readJournal, verifyJournal } from '../src/index.ts';

const { publicKey: key, privateKey } = generateKeyPairSync('ed25519');
const before = new Date('2026-03-03');

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
  /** Cuts what was written so far off as a day. */
  let done = '';
  const today = (): string =>
    join(directory, readdirSync(directory).findLast((name) => /jsonl$/.test(name)) ?? '');
  const endDay = (day: string): void => {
    const text = readFileSync(today(), 'utf8');
    writeFileSync(join(directory, `${day}.jsonl`), text.slice(done.length));
    done = text;
  };
  const running = open();
  for (let process = 0; process < 2; process++) {
    const other = open();
    await other.call('other');
    await other.call('large');
    await other.close();
  }
  for (const day of ['2026-03-01', '2026-03-02', '2026-03-03']) {
    for (let calls = 0; calls < 100; calls++) await running.call('long');
    endDay(day);
  }
  await running.call('long');
  await running.close();
  const file = today();
  const rest = readFileSync(file, 'utf8').slice(done.length);
  unlinkSync(file);
  writeFileSync(join(directory, '2026-03-04.jsonl'), rest);
  return directory;
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
  expect(await pruneJournal(directory, { before, key: privateKey })).toEqual({ days: [], records: 0 });
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

it('the record of a pruning covers nothing that stands before it', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'journal-'));
  for (const day of ['2026-03-02', '2026-03-03']) {
    const log = journal({ sink: directory, key: privateKey });
    const hooks = createHooks();
    hooks.use(log);
    await callTool(hooks, { session: hooks.session('s'), toolName: 'read', input: {} }, () => 'secret');
    await hooks.close();
    await log.close();
    const today = join(directory, days(directory).at(-1) ?? '');
    renameSync(today, join(directory, `${day}.jsonl`));
  }
  await pruneJournal(directory, { before, key: privateKey });
  expect(await verifyJournal(directory, { key })).toMatchObject({ state: 'intact' });
  renameSync(join(directory, '2026-03-02.jsonl'), join(directory, '2026-03-04.jsonl'));
  expect(await verifyJournal(directory, { key })).toMatchObject({
    state: 'broken',
    problems: [{ code: 'chain', place: '2026-03-04.jsonl:1' }],
  });
});

it('a pruning that is not signed leaves a signed journal unsigned', async () => {
  const directory = await threeDays();
  await pruneJournal(directory, { before });
  expect(await verifyJournal(directory, { key })).toMatchObject({ state: 'unsigned', problems: [] });
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
  const tomorrow = new Date(Date.now() + 24 * 60 * 60_000);
  for (const invalid of [tomorrow, new Date('never')])
    await expect(pruneJournal(directory, { before: invalid })).rejects.toThrow('today at the latest');
  await expect(pruneJournal(memoryStore(), { before })).rejects.toThrow('only a journal in a directory');
});
