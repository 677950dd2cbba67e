import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { memoryStore } from '@hooks/store';
import { expect, it } from 'vitest';
import { eraseSession, journal, pruneJournal, readJournal, replay, verifyJournal } from '../src/index.ts';

const { publicKey: key, privateKey } = generateKeyPairSync('ed25519');

/** The lines of a process that calls a tool in a session of its own, and closes its journal. */
async function linesOf(session: string, more: object = {}): Promise<readonly Buffer[]> {
  const sink = mkdtempSync(join(tmpdir(), 'journal-'));
  const log = journal({ sink, key: privateKey });
  const hooks = createHooks();
  hooks.use(log);
  // Characters of two, three and four bytes, escapes, and what looks like the beginning of a line.
  const input = {
    note: `sécret of ${session} – 🔑 "\\\n\u0000`,
    rows: [{ data: true }, { hash: 'x' }, 1.5],
    ...more,
  };
  await callTool(hooks, { session: hooks.session(session), toolName: 'pay', input }, () => ({ paid: -1e21 }));
  await hooks.close();
  await log.close();
  const [file = ''] = readdirSync(sink);
  const lines = readFileSync(join(sink, file)).toString().trimEnd().split('\n');
  return lines.map((line) => Buffer.from(line));
}

const LINE_FEED = Buffer.from('\n');

function fileOf(bytes: readonly Buffer[]): { readonly directory: string; readonly file: string } {
  const directory = mkdtempSync(join(tmpdir(), 'journal-'));
  const file = join(directory, '2026-03-01.jsonl');
  writeFileSync(file, Buffer.concat(bytes));
  return { directory, file };
}

const whole = (lines: readonly Buffer[]): readonly Buffer[] => lines.flatMap((line) => [line, LINE_FEED]);

it('a journal whose process was killed at any byte of its last line is open, and is read up to there', async () => {
  const killed = await linesOf('killed');
  const other = await linesOf('other');
  // Not each byte, which would take a minute.
  for (const [at, line] of killed.entries())
    for (let bytes = 1 + (at % 7); bytes < line.length; bytes += line.includes('sécret') ? 5 : 43) {
      const before = whole(killed.slice(0, at));
      const cut = line.subarray(0, bytes);
      // At the end; before another process; glued to its first line, which came between its look at the end and its write.
      for (const [behind, records] of [
        [[], 0],
        [[LINE_FEED, ...whole(other)], other.length],
        [whole(other), other.length],
      ] as const) {
        const { file } = fileOf([...before, cut, ...behind]);
        const found = await verifyJournal(file);
        // It may have been begun anew, for all that can be seen.
        const isShort = behind[0] === LINE_FEED && other.some((each) => each.subarray(0, bytes).equals(cut));
        expect(found, `${at}:${bytes}`).toMatchObject({ problems: [], records: at + records });
        if (isShort) continue;
        expect(found.state, `${at}:${bytes}`).toBe('open');
        expect(found.cutOff).toEqual([`2026-03-01.jsonl:${at + 1}`]);
      }
    }
}, 120_000);

it('a day with a line that is cut off can be pruned, replayed and exported', async () => {
  const killed = await linesOf('killed');
  const other = await linesOf('other');
  const cut = killed[3]!.subarray(0, killed[3]!.length - 9);
  const { directory } = fileOf([...whole(killed.slice(0, 3)), cut, LINE_FEED, ...whole(other)]);
  writeFileSync(join(directory, '2026-03-02.jsonl'), Buffer.concat(whole(await linesOf('later'))));
  const readings = [];
  for await (const { place } of readJournal(directory)) readings.push(place);
  expect(readings).toHaveLength(3 + 2 * other.length);
  const { coverage } = await replay(directory, { name: 'empty', register: () => {} });
  expect(coverage).toMatchObject({ unread: 0, cutOff: 1, lost: 0 });
  await pruneJournal(directory, { before: new Date('2026-03-02'), key: privateKey });
  expect(await verifyJournal(directory, { key })).toMatchObject({ problems: [], cutOff: [] });
});

it('a line that is cut off takes no record of another process with it, whatever looks like a beginning in either', async () => {
  const rows = Array.from({ length: 20_000 }, (_, row) => ({ hash: `${row}`, data: { '"': '\\"{"data":' } }));
  const other = await linesOf('other', { rows: rows.slice(0, 200) });
  const cut = Buffer.from(`{"data":{"input":${JSON.stringify(rows)},"note":"{\\"hash\\":é`);
  for (const torn of [cut, cut.subarray(0, -1)]) {
    const { file } = fileOf([torn, ...whole(other)]);
    expect(await verifyJournal(file)).toMatchObject({ state: 'open', records: other.length, problems: [] });
  }
}, 60_000);

it('what a kill cannot leave is broken', async () => {
  const lines = await linesOf('s');
  const at = 4;
  const line = lines[at]!;
  const half = line.subarray(0, line.length >> 1);
  for (const changed of [
    // Cut off, although its process went on.
    [...lines.slice(0, at), half, ...lines.slice(at + 1)],
    [...lines.slice(0, at), Buffer.alloc(0), ...lines.slice(at + 1)],
    // No beginning of a line.
    [...lines, Buffer.from('{"data":{"input":}')],
    [...lines, Buffer.from('{"hash":"xyz')],
    [...lines, Buffer.from('{"other":1')],
    [...lines, Buffer.from('hello')],
    [...lines, Buffer.alloc(100)],
    [...lines, Buffer.concat([line, Buffer.from('}')])],
    [...lines, Buffer.concat([line.subarray(1)])],
    [...lines, Buffer.concat([half, Buffer.from([0xff])])],
    // Whole, with a character that is cut off behind it.
    [...lines.slice(0, -1), Buffer.concat([lines.at(-1)!, Buffer.from([0xc3])])],
  ])
    expect(await verifyJournal(fileOf(whole(changed)).file), String(changed.at(-1))).toMatchObject({
      state: 'broken',
    });
});

it('a record in a store is whole or broken: nothing in it reads as a line that a kill has cut off', async () => {
  const written = memoryStore();
  const log = journal({ store: written, key: privateKey });
  const hooks = createHooks();
  hooks.use(log);
  await callTool(hooks, { session: hooks.session('s'), toolName: 'pay', input: {} }, () => 'paid');
  await hooks.close();
  await log.close();
  const records = [];
  for await (const { record } of written.read('journal')) records.push(record);
  const { hash, record } = Object(records.at(-1));
  for (const forged of [
    { hash: 'ab","record":{"x":{"hash":"', record: {} },
    { hash: `${hash}","record":{"id":"`, record },
    { hash: hash.slice(0, 9), record },
    { hash, record: null },
    { hash },
    '{"hash":"',
    null,
  ]) {
    const store = memoryStore();
    await store.append('journal', [...records.slice(0, -1), forged]);
    for (const options of [{}, { key }])
      expect(await verifyJournal(store, options), JSON.stringify(forged)).toMatchObject({
        state: 'broken',
        cutOff: [],
      });
  }
});

it('a line that its process began anew when there was space is not cut off, also behind those of others', async () => {
  const lines = await linesOf('s');
  const other = await linesOf('other');
  const cut = (line: Buffer): Buffer => line.subarray(0, line.length >> 1);
  const { file } = fileOf(
    whole([...lines.slice(0, 3), cut(lines[3]!), cut(other[0]!), ...other, ...lines.slice(3)]),
  );
  expect(await verifyJournal(file, { key })).toMatchObject({ state: 'intact', problems: [], cutOff: [] });
});

it('an erasure takes the data of lines that are cut off with it', async () => {
  const killed = await linesOf('killed');
  const other = await linesOf('other');
  const at = killed.findIndex((line) => line.includes('sécret of killed'));
  const line = killed[at]!;
  const cut = line.subarray(0, line.indexOf('🔑') + 2);
  for (const behind of [[LINE_FEED, ...whole(other)], whole(other)]) {
    const { directory, file } = fileOf([...whole(killed.slice(0, at)), cut, ...behind]);
    await eraseSession(directory, 'killed', { key: privateKey });
    const text = readFileSync(file, 'utf8');
    expect(text).not.toContain('sécret of killed');
    expect(text).toContain('sécret of other');
    expect(await verifyJournal(directory)).toMatchObject({ state: 'open', problems: [] });
  }
  // It was begun anew.
  const { directory, file } = fileOf(whole([...killed.slice(0, at), cut, ...killed.slice(at)]));
  await eraseSession(directory, 'killed', { key: privateKey });
  expect(readFileSync(file, 'utf8')).not.toContain('sécret');
  expect((await verifyJournal(directory)).problems).toEqual([]);
});

it('an erasure leaves a journal with a line that is cut off open', async () => {
  const other = await linesOf('other');
  const cut = Buffer.from('{"data":{"input":{"note":"secret"');
  for (const first of ['other', 'of nobody']) {
    const { directory, file } = fileOf([cut, LINE_FEED, ...whole(other)]);
    await eraseSession(directory, first, { key: privateKey });
    await eraseSession(directory, 'other', { key: privateKey });
    expect(readFileSync(file, 'utf8')).not.toContain('secret');
    expect(await verifyJournal(directory)).toMatchObject({ state: 'open', problems: [] });
  }
});

it('an erasure takes the data of a last line that is cut off, behind which nobody has written', async () => {
  const killed = await linesOf('killed');
  const at = killed.findIndex((line) => line.includes('sécret of killed'));
  const cut = killed[at]!.subarray(0, -9);
  const old = async (lines: readonly Buffer[]) => {
    const { directory, file } = fileOf([...whole(lines), cut]);
    utimesSync(file, 1, 1);
    writeFileSync(join(directory, '2026-03-02.jsonl'), Buffer.concat(whole(await linesOf('later'))));
    return { path: directory, file };
  };
  const { file } = fileOf([...whole(killed.slice(0, -1)), cut]);
  for (const journal of [
    { path: file, file },
    // Of another day; and its process had written nothing else.
    await old(killed.slice(0, at)),
    await old([]),
  ]) {
    await eraseSession(journal.path, 'killed', { key: privateKey });
    expect(readFileSync(journal.file, 'utf8')).not.toContain('sécret of killed');
    expect(await verifyJournal(journal.path)).toMatchObject({ state: 'open', problems: [] });
  }
});
