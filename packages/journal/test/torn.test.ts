import { constants } from 'node:buffer';
import { type ChildProcess, execFileSync, fork, spawn } from 'node:child_process';
import { createHash, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { memoryStore } from '@hooks/store';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { eraseSession, journal, pruneJournal, readJournal, replay, verifyJournal } from '../src/index.ts';

const { publicKey: key, privateKey } = generateKeyPairSync('ed25519');

const newDirectory = (): string => mkdtempSync(join(tmpdir(), 'journal-'));

const today = (directory: string): string =>
  join(directory, `${new Date().toISOString().slice(0, 10)}.jsonl`);

/** What is written from now on is written on this day. */
function begin(day: string): void {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(`${day}T12:00:00Z`) });
}

// Midnight may come while a test runs.
beforeEach(() => begin('2026-03-01'));
afterEach(() => void vi.useRealTimers());

/** A process that calls a tool once, and closes its journal. */
async function write(directory: string, session: string, key: KeyObject | null = privateKey): Promise<void> {
  const log = journal({ sink: directory, ...(key && { key }) });
  const hooks = createHooks();
  hooks.use(log);
  const input = { note: `sécret of ${session} – 🔑 "\\`, rows: [{ data: true }, { hash: 'x' }] };
  await callTool(hooks, { session: hooks.session(session), toolName: 'pay', input }, () => ({ paid: 1 }));
  await hooks.close();
  await log.close();
}

const linesIn = (path: string): readonly Buffer[] =>
  readFileSync(path, 'latin1')
    .split('\n')
    .slice(0, -1)
    .map((line) => Buffer.from(`${line}\n`, 'latin1'));

/** The lines of a process in a directory of its own. */
async function linesOf(session: string): Promise<readonly Buffer[]> {
  const directory = newDirectory();
  await write(directory, session);
  return linesIn(today(directory));
}

async function readAll(directory: string): Promise<readonly string[]> {
  const hashes: string[] = [];
  for await (const { hash } of readJournal(directory)) hashes.push(hash);
  return hashes;
}

/** The problems that reading finds. */
async function problemsOf(directory: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const _ of readJournal(directory, { onProblem: ({ message }) => found.push(message) }));
  return found;
}

/** All that may be a SHA-256 in a directory's files. */
const everyHashIn = (directory: string): readonly string[] =>
  readdirSync(directory).flatMap(
    (name) => readFileSync(join(directory, name), 'latin1').match(/[0-9a-f]{64}/g) ?? [],
  );

it('a process that begins a line anew vouches for what another one left of the line before, whatever that is', async () => {
  const killed = await linesOf('killed');
  const line = killed.find((each) => each.includes('pay'))!;
  for (const [at, left] of [
    ...Array.from({ length: 24 }, (_, part) => line.subarray(0, 1 + Math.floor((part * line.length) / 24))),
    line.subarray(0, line.indexOf('🔑') + 2),
    line.subarray(0, -1),
    // What an operating system that lost its power may leave.
    Buffer.alloc(5_000),
    Buffer.from('hello'),
    Buffer.from('{"hash":"'),
  ].entries()) {
    const directory = newDirectory();
    writeFileSync(today(directory), Buffer.concat([...killed.slice(0, 3), left]));
    const before = await verifyJournal(directory);
    expect(before, `${at}`).toMatchObject({ state: 'open', problems: [], cutOff: [expect.any(String)] });
    await write(directory, 'other');
    const found = await verifyJournal(directory, { key });
    expect(found, `${at}`).toMatchObject({ problems: [], cutOff: [expect.any(String)] });
    expect((await verifyJournal(directory)).state).toBe('open');
    expect(await readAll(directory)).toHaveLength(found.records);
    // Those that were there, two that vouch for what was left, and those of the other process.
    expect(found.records).toBe(before.records + 2 + killed.length);
  }
});

it('a process that was killed while it vouched for a line is vouched for, too', async () => {
  const killed = await linesOf('killed');
  const torn = killed[3]!.subarray(0, -20);
  const directory = newDirectory();
  writeFileSync(today(directory), Buffer.concat([...killed.slice(0, 3), torn]));
  await write(directory, 'second');
  const vouching = linesIn(today(directory))[3]!;
  for (let bytes = torn.length; bytes < vouching.length; bytes += 7) {
    const other = newDirectory();
    writeFileSync(today(other), Buffer.concat([...killed.slice(0, 3), vouching.subarray(0, bytes)]));
    await write(other, 'third');
    expect(await verifyJournal(other)).toMatchObject({
      state: 'open',
      problems: [],
      cutOff: [expect.any(String)],
    });
  }
});

it('a line that nobody vouches for is broken, however much it looks like one that is cut off', async () => {
  const killed = await linesOf('killed');
  const other = await linesOf('other');
  const half = killed[3]!.subarray(0, killed[3]!.length >> 1);
  const last = other.at(-1)!;
  const lineFeed = Buffer.from('\n');
  for (const [at, changed] of [
    [...killed.slice(0, 3), half, lineFeed, ...other],
    [...killed.slice(0, 3), half, ...other],
    [...killed, Buffer.from('{"data":null     '), ...other],
    [...killed, ...other.slice(0, -1), last.subarray(0, 60), lineFeed],
    [...killed, Buffer.from('{"hash":"ab","record":{"x":{"hash":"'), lineFeed, ...other],
  ].entries()) {
    const directory = newDirectory();
    writeFileSync(today(directory), Buffer.concat(changed));
    expect(await verifyJournal(directory), `${at}`).toMatchObject({ state: 'broken', cutOff: [] });
  }
});

it('a record vouches for what was left and for nothing else', async () => {
  const killed = await linesOf('killed');
  const directory = newDirectory();
  const left = killed[3]!.subarray(0, -20);
  writeFileSync(today(directory), Buffer.concat([...killed.slice(0, 3), left]));
  await write(directory, 'other');
  const lines = linesIn(today(directory));
  const vouching = lines[3]!;
  const flipped = Buffer.from(vouching);
  flipped[40]! ^= 1;
  for (const changed of [
    lines.with(3, flipped),
    lines.with(3, Buffer.concat([Buffer.from('x'), vouching])),
    lines.with(3, vouching.subarray(1)),
    lines.with(4, Buffer.concat([left.subarray(1), lines[4]!])),
    // The same once more, in front of another record.
    lines.with(4, Buffer.concat([left, lines[4]!])),
  ]) {
    const forged = newDirectory();
    writeFileSync(today(forged), Buffer.concat(changed));
    expect(await verifyJournal(forged, { key })).toMatchObject({ state: 'broken' });
  }
  // Who has no key can only name a line in a record that is not signed.
  const unsigned = newDirectory();
  writeFileSync(today(unsigned), Buffer.concat([...(await linesOf('s')), Buffer.from('anything')]));
  await write(unsigned, 'forged', generateKeyPairSync('ed25519').privateKey);
  expect((await verifyJournal(unsigned, { key })).state).toBe('broken');
  const without = newDirectory();
  writeFileSync(today(without), Buffer.concat([...(await linesOf('s')), Buffer.from('anything')]));
  await write(without, 'forged', null);
  expect((await verifyJournal(without, { key })).state).toBe('unsigned');

  // Without both the record's own chain is not whole.
  const less = newDirectory();
  writeFileSync(today(less), Buffer.concat(lines.toSpliced(3, 1)));
  expect((await verifyJournal(less)).state).toBe('broken');
});

it('an erasure takes the data of each line that is cut off, and the journal verifies', async () => {
  const killed = await linesOf('killed');
  const at = killed.findIndex((line) => line.includes('sécret of killed'));
  const cut = killed[at]!.subarray(0, killed[at]!.indexOf('🔑') + 2);
  for (const isFollowed of [true, false]) {
    const directory = newDirectory();
    // A day that is over, and today.
    writeFileSync(join(directory, '2026-03-01.jsonl'), cut);
    writeFileSync(today(directory), Buffer.concat([...killed.slice(0, at), cut]));
    if (isFollowed) await write(directory, 'other');
    for (const session of ['killed', 'of nobody']) {
      await eraseSession(directory, session, { key: privateKey });
      const text = readdirSync(directory).map((name) => readFileSync(join(directory, name), 'utf8'));
      expect(text.join('')).not.toContain('sécret of killed');
      expect(await verifyJournal(directory)).toMatchObject({ state: 'open', problems: [] });
    }
    if (isFollowed) expect(readFileSync(today(directory), 'utf8')).toContain('sécret of other');
  }
});

it('what an erasure has removed of a line that is cut off cannot be guessed from the journal', async () => {
  const killed = await linesOf('killed');
  const at = killed.findIndex((line) => line.includes('sécret of killed'));
  // Without the salt of the data.
  const cut = killed[at]!.subarray(0, killed[at]!.indexOf(',"salt"'));
  const directory = newDirectory();
  writeFileSync(today(directory), Buffer.concat([...killed.slice(0, at), cut]));
  await write(directory, 'other');
  // Named while its process was still writing it.
  const growing = join(directory, '2026-03-01.jsonl');
  writeFileSync(growing, cut);
  await eraseSession(directory, 'nobody', { key: privateKey });
  expect(everyHashIn(directory)).not.toContain(createHash('sha256').update(cut).digest('hex'));
  expect(await verifyJournal(directory)).toMatchObject({ state: 'open', problems: [] });
  // Nothing is left to erase.
  const before = await readAll(directory);
  await eraseSession(directory, 'nobody', { key: privateKey });
  expect(await readAll(directory)).toEqual(before);
});

it('a line that a process named while another was still writing it leaves the journal intact, and no trace once erased', async () => {
  const slow = await linesOf('slow');
  const at = slow.findIndex((line) => line.includes('sécret of slow'));
  const begun = slow[at]!.subarray(0, slow[at]!.indexOf(',"salt"'));
  const directory = newDirectory();
  writeFileSync(today(directory), Buffer.concat([...slow.slice(0, at), begun]));
  await write(directory, 'other');
  const others = readFileSync(today(directory)).subarray(Buffer.concat([...slow.slice(0, at), begun]).length);
  writeFileSync(today(directory), Buffer.concat([...slow.slice(0, at + 1), others, ...slow.slice(at + 1)]));
  expect(await verifyJournal(directory, { key })).toMatchObject({ state: 'intact', cutOff: [] });
  await eraseSession(directory, 'slow', { key: privateKey });
  expect(everyHashIn(directory)).not.toContain(createHash('sha256').update(begun).digest('hex'));
  expect(await verifyJournal(directory, { key })).toMatchObject({ state: 'intact', problems: [] });
});

it('what names a line that is cut off is removed by nothing but an erasure, and stays removed', async () => {
  const killed = await linesOf('killed');
  const directory = newDirectory();
  writeFileSync(today(directory), Buffer.concat([...killed.slice(0, 3), killed[3]!.subarray(0, -20)]));
  await write(directory, 'other');
  const before = linesIn(today(directory));
  await eraseSession(directory, 'nobody', { key: privateKey });
  const after = linesIn(today(directory));
  // Nobody says that it was erased.
  writeFileSync(today(directory), Buffer.concat([...after.slice(0, 4), ...before.slice(4)]));
  expect((await verifyJournal(directory, { key })).problems).toMatchObject([
    { code: 'malformed' },
    { code: 'erased' },
  ]);
  // The name is back, the line is not.
  const left = before[3]!.indexOf('{"data":{"salt"');
  const named = Buffer.concat([after[3]!.subarray(0, left), before[3]!.subarray(left)]);
  writeFileSync(today(directory), Buffer.concat(after.with(3, named)));
  expect((await verifyJournal(directory, { key })).problems).toMatchObject([{ code: 'erased' }]);
  await eraseSession(directory, 'nobody', { key: privateKey });
  expect(await verifyJournal(directory)).toMatchObject({ state: 'open', problems: [] });
  expect(readFileSync(today(directory)).includes(before[3]!.subarray(left))).toBe(false);
});

it('an erasure that was killed while it removed the name of a line can be repeated', async () => {
  const killed = await linesOf('killed');
  const directory = newDirectory();
  // The second is what an erasure leaves of any line.
  for (const cut of [killed[3]!.subarray(0, -20), Buffer.from('{"data"')]) {
    writeFileSync(today(directory), Buffer.concat([...killed.slice(0, 3), cut]));
    await write(directory, 'other');
    const before = readFileSync(today(directory));
    await eraseSession(directory, 'nobody', { key: privateKey });
    const after = readFileSync(today(directory));
    const name = Buffer.concat([...killed.slice(0, 3), cut]).length;
    for (let bytes = 0; bytes < before.indexOf('},"hash"', name) + 1 - name; bytes += 3) {
      // Up to here it was overwritten.
      const done = name + bytes;
      writeFileSync(
        today(directory),
        Buffer.concat([
          after.subarray(0, done),
          before.subarray(done, before.length),
          after.subarray(before.length),
        ]),
      );
      const found = await verifyJournal(directory);
      expect(found, `${bytes}`).toMatchObject({
        state: 'broken',
        cutOff: [expect.any(String)],
        problems: [{ code: 'erased' }],
      });
      await eraseSession(directory, 'nobody', { key: privateKey });
      expect(await verifyJournal(directory), `${bytes}`).toMatchObject({
        state: 'open',
        cutOff: [expect.any(String)],
        problems: [],
      });
      expect(readFileSync(today(directory), 'latin1')).not.toMatch(/"salt":"[^"]*","torn"/);
    }
  }
});

it('an erasure that was killed in a line that is cut off can be repeated', async () => {
  const killed = await linesOf('killed');
  const at = killed.findIndex((line) => line.includes('sécret of killed'));
  const directory = newDirectory();
  writeFileSync(today(directory), Buffer.concat([...killed.slice(0, at), killed[at]!.subarray(0, -20)]));
  await write(directory, 'other');
  const before = readFileSync(today(directory));
  await eraseSession(directory, 'nobody', { key: privateKey });
  const after = readFileSync(today(directory));
  const offset = before.indexOf('sécret of killed') + 1;
  // Up to here it was overwritten.
  writeFileSync(
    today(directory),
    Buffer.concat([after.subarray(0, offset), before.subarray(offset), after.subarray(before.length)]),
  );
  await eraseSession(directory, 'nobody', { key: privateKey });
  expect(readFileSync(today(directory)).includes('cret of killed')).toBe(false);
  expect(await verifyJournal(directory)).toMatchObject({ state: 'open', problems: [] });
});

it('what an erasure has removed of a line that is cut off, and that came back, is found, and is erased again', async () => {
  const killed = await linesOf('killed');
  const at = killed.findIndex((line) => line.includes('sécret of killed'));
  const directory = newDirectory();
  writeFileSync(today(directory), Buffer.concat([...killed.slice(0, at), killed[at]!.subarray(0, -20)]));
  await write(directory, 'other');
  const before = readFileSync(today(directory));
  const place = expect.stringMatching(`:${at + 1}$`);
  for (const time of ['once', 'twice']) {
    await eraseSession(directory, 'nobody', { key: privateKey });
    expect(await verifyJournal(directory), time).toMatchObject({ state: 'open', problems: [] });
    const after = readFileSync(today(directory));
    // As a backup does, or an erasure that was killed before it had overwritten anything.
    writeFileSync(today(directory), Buffer.concat([before, after.subarray(before.length)]));
    expect(await verifyJournal(directory), time).toMatchObject({
      state: 'broken',
      // The line, and its name.
      problems: [
        { code: 'erased', place },
        { code: 'erased', place },
      ],
    });
  }
});

it('a journal can be pruned whose line that is cut off was erased on a later day', async () => {
  begin('2026-03-01');
  const killed = await linesOf('killed');
  const directory = newDirectory();
  writeFileSync(today(directory), Buffer.concat([...killed.slice(0, 3), killed[3]!.subarray(0, -9)]));
  await write(directory, 'other');
  begin('2026-03-02');
  await write(directory, 'later');
  begin('2026-03-03');
  await write(directory, 'now');
  await eraseSession(directory, 'now', { key: privateKey });
  const { days } = await pruneJournal(directory, { before: new Date('2026-03-02'), key: privateKey });
  expect(days).toEqual(['2026-03-01']);
  expect(await verifyJournal(directory, { key })).toMatchObject({ problems: [], cutOff: [] });
});

// Takes 1 GB of memory, and minutes on a busy machine: only with `HOOKS_RANDOM=1`.
it.runIf(Number(process.env['HOOKS_RANDOM'] ?? 1) >= 1)(
  'a record is read behind what is left of a line, also if that is longer than a text can be',
  { timeout: 120_000 },
  async () => {
    const directory = newDirectory();
    await write(directory, 'first');
    // What an operating system that lost its power may leave: it takes no space.
    const { size } = statSync(today(directory));
    truncateSync(today(directory), size + constants.MAX_STRING_LENGTH);
    expect(await verifyJournal(directory)).toMatchObject({ state: 'open', problems: [] });
    await write(directory, 'other');
    const found = await verifyJournal(directory);
    expect(found).toMatchObject({ state: 'open', problems: [], cutOff: [expect.any(String)] });
    expect(await readAll(directory)).toHaveLength(found.records);
  },
);

it('an erasure says where it has left what it cannot read', async () => {
  const lines = await linesOf('s');
  const directory = newDirectory();
  const half = lines[3]!.subarray(0, 200);
  writeFileSync(today(directory), Buffer.concat([half, Buffer.from('\n'), half, ...lines]));
  const { unread } = await eraseSession(directory, 's', { key: privateKey });
  expect(unread).toEqual([expect.stringMatching(/:1$/), expect.stringMatching(/:2$/)]);
});

it('a journal with a line that was begun anew can be pruned', async () => {
  const directory = newDirectory();
  begin('2026-03-01');
  const lines = await linesOf('old');
  begin('2026-03-02');
  const killed = await linesOf('killed');
  writeFileSync(today(directory), Buffer.concat([...killed.slice(0, 3), killed[3]!.subarray(0, -9)]));
  await write(directory, 'other');
  const old = join(directory, '2026-03-01.jsonl');
  writeFileSync(old, Buffer.concat(lines));
  appendFileSync(old, killed[0]!.subarray(0, 30));
  await pruneJournal(directory, { before: new Date(), key: privateKey });
  expect(await verifyJournal(directory, { key })).toMatchObject({
    problems: [],
    cutOff: [expect.any(String)],
  });
});

/** A process whose write was cut off in the middle of a line. A limit on the size of files acts as a full disk does. */
async function onFullDisk(directory: string): Promise<ChildProcess> {
  const program = fileURLToPath(new URL('programs/full-disk.ts', import.meta.url));
  const limited = ['-c', 'ulimit -S -f 8; exec "$0" "$@"', process.execPath];
  const now = new Date().toISOString();
  const child = spawn('bash', [...limited, '--conditions=@hooks/source', program, directory, now], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return child;
}

it.skipIf(process.platform !== 'linux')(
  'a process that is killed when the disk was full in the middle of a line, and another one that goes on',
  async () => {
    const directory = newDirectory();
    const child = await onFullDisk(directory);
    child.kill('SIGKILL');
    await once(child, 'close');
    const left = readFileSync(today(directory));
    expect(left.at(-1)).not.toBe(10);
    await write(directory, 'other');
    expect(await verifyJournal(directory)).toMatchObject({
      state: 'open',
      problems: [],
      cutOff: [expect.any(String)],
    });
  },
);

it.skipIf(process.platform !== 'linux')(
  'a line is not cut off where its process has written it again, also if another one has named it before',
  async () => {
    const directory = newDirectory();
    const child = await onFullDisk(directory);
    await write(directory, 'other');
    expect((await verifyJournal(directory)).cutOff).toHaveLength(1);
    execFileSync('prlimit', [`--pid=${child.pid}`, '--fsize=unlimited:']);
    child.send('there is space');
    await once(child, 'message');
    await once(child, 'close');
    expect(await verifyJournal(directory)).toMatchObject({ state: 'intact', problems: [], cutOff: [] });
    expect(await problemsOf(directory)).toEqual([]);
    await eraseSession(directory, 'nobody');
    expect(await verifyJournal(directory)).toMatchObject({ state: 'intact', problems: [], cutOff: [] });
    expect(await problemsOf(directory)).toEqual([]);
  },
);

it('a process names what others leave while it writes, also between its look at the end and its write', async () => {
  const directory = newDirectory();
  await write(directory, 'first');
  const program = fileURLToPath(new URL('programs/tears.ts', import.meta.url));
  const children = [1, 2].map(() => fork(program, [today(directory)], { execArgv: [] }));
  await Promise.all(children.map((child) => once(child, 'message')));
  const log = journal({ sink: directory, key: privateKey, required: true });
  const hooks = createHooks();
  hooks.use(log);
  const session = hooks.session('s');
  for (let call = 0; call < 300; call++)
    await callTool(hooks, { session, toolName: 'pay', callId: `c${call}`, input: {} }, () => 'paid');
  for (const child of children) child.send('stop');
  await Promise.all(children.map((child) => once(child, 'close')));
  await hooks.close();
  await log.close();
  const found = await verifyJournal(directory);
  expect(found).toMatchObject({ state: 'open', problems: [] });
  expect(found.cutOff.length).toBeGreaterThan(10);
  expect(found.writers.every(({ closed }) => closed)).toBe(true);
});

it('an erasure removes only names that it replaces, also while other processes tear lines', async () => {
  const directory = newDirectory();
  await write(directory, 'first');
  const program = fileURLToPath(new URL('programs/tears.ts', import.meta.url));
  const children = [1, 2].map(() => fork(program, [today(directory)], { execArgv: [] }));
  await Promise.all(children.map((child) => once(child, 'message')));
  for (let time = 0; time < 15; time++) await eraseSession(directory, 'nobody', { key: privateKey });
  for (const child of children) child.send('stop');
  await Promise.all(children.map((child) => once(child, 'close')));
  await write(directory, 'last');
  const { problems, erased } = await verifyJournal(directory);
  expect(problems).toEqual([]);
  expect(erased).toBeGreaterThan(10);
});

it('a day with a line that is cut off can be pruned, replayed and exported', async () => {
  begin('2026-03-01');
  const killed = await linesOf('killed');
  const directory = newDirectory();
  writeFileSync(today(directory), Buffer.concat([...killed.slice(0, 3), killed[3]!.subarray(0, -9)]));
  await write(directory, 'other');
  const { coverage } = await replay(directory, { name: 'empty', register: () => {} });
  expect(coverage).toMatchObject({ unread: 0, cutOff: 1, lost: 0 });
  begin('2026-03-02');
  await write(directory, 'later');
  await pruneJournal(directory, { before: new Date(), key: privateKey });
  expect(await verifyJournal(directory, { key })).toMatchObject({ problems: [], cutOff: [] });
});

it('a record is read behind whatever stands before it in its line, and verify names that', async () => {
  const rows = Array.from({ length: 20_000 }, (_, row) => ({ hash: `${row}`, data: { '"': '\\"{"data":' } }));
  const other = await linesOf('other');
  const cut = Buffer.from(`{"data":{"input":${JSON.stringify(rows)},"note":"{\\"hash\\":é`);
  for (const left of [cut, cut.subarray(0, -1), ...other.map((line) => line.subarray(0, -1))]) {
    const directory = newDirectory();
    writeFileSync(today(directory), Buffer.concat([left, ...other]));
    expect(await readAll(directory)).toHaveLength(other.length);
    expect(await verifyJournal(directory)).toMatchObject({
      state: 'broken',
      records: other.length,
      problems: [{ code: 'malformed', place: expect.stringMatching(/:1$/) }],
    });
  }
});

it('what a kill cannot leave is broken', async () => {
  const lines = (await linesOf('s')).map((each) => each.subarray(0, -1));
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
  ]) {
    const directory = newDirectory();
    writeFileSync(today(directory), Buffer.concat(changed.flatMap((each) => [each, Buffer.from('\n')])));
    expect(await verifyJournal(directory), String(changed.at(-1))).toMatchObject({ state: 'broken' });
  }
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
