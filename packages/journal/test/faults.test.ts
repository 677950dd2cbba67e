import { execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { sqliteStore } from '@hooks/store/sqlite';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  fileSink,
  type JournalRecord,
  type JournalSink,
  journal,
  readJournal,
  replay,
  verifyJournal,
} from '../src/index.ts';

const directory = (): string => mkdtempSync(join(tmpdir(), 'journal-'));

/** For a test that changes the file of a day: midnight may come while it runs. */
function keepDay(): void {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-03-01T12:00:00Z') });
  onTestFinished(() => void vi.useRealTimers());
}

/** A sink whose disk is full until it is told otherwise. */
function fillable(sink: JournalSink): JournalSink & { full: boolean } {
  const wrapped = {
    name: sink.name,
    full: true,
    write(lines: Parameters<JournalSink['write']>[0]) {
      if (wrapped.full) throw new Error('ENOSPC: no space left on device, write');
      return sink.write(lines);
    },
    close: () => sink.close?.(),
  };
  return wrapped;
}

describe('a journal that cannot be written to', () => {
  it.each([
    ['removed', (path: string) => rmSync(path, { recursive: true }), false],
    ['moved', (path: string) => renameSync(path, `${path}-moved`), false],
    [
      'begun anew by others',
      (path: string) => {
        const [day = ''] = readdirSync(path);
        rmSync(join(path, day));
        writeFileSync(join(path, day), '');
      },
      true,
    ],
  ])('runs no tool that requires it where its directory was %s', async (_how, take, isThere) => {
    keepDay();
    const path = directory();
    const errors: string[] = [];
    const log = journal({ sink: path, required: true, onError: ({ message }) => errors.push(message) });
    const hooks = createHooks();
    hooks.use(log);
    const session = hooks.session('s');
    const call = () => callTool(hooks, { session, toolName: 'pay', input: {} }, () => 'paid');
    expect(await call()).toMatchObject({ status: 'ok' });
    take(path);
    const refused = {
      status: 'blocked',
      ran: false,
      reason: expect.stringContaining('was removed or replaced'),
    };
    expect(await call()).toMatchObject(refused);
    expect(await call()).toMatchObject(refused);
    expect(errors.length).toBeGreaterThan(0);
    expect(existsSync(path)).toBe(isThere);
    if (!existsSync(`${path}-moved`)) return;
    renameSync(`${path}-moved`, path);
    expect(await call()).toMatchObject({ status: 'ok' });
    await log.close();
    expect(await verifyJournal(path)).toMatchObject({ state: 'intact', problems: [] });
  });

  it('has each outage on record in which something was lost, and says so when it is verified', async () => {
    const path = directory();
    const sink = fillable(fileSink(path));
    sink.full = false;
    const errors: string[] = [];
    const log = journal({ sink, onError: ({ message }) => errors.push(message) });
    const hooks = createHooks();
    hooks.use(log);
    const session = hooks.session('s');
    const call = () => callTool(hooks, { session, toolName: 'pay', input: {} }, () => 'paid');
    const outage = async () => {
      sink.full = true;
      errors.length = 0;
      for (let calls = 0; calls < 6_000; calls++) await call();
      expect(errors.filter((message) => message.includes('not recorded'))).toHaveLength(1);
      sink.full = false;
      await log.flush();
      await call();
    };
    await call();
    await outage();
    await outage();
    await hooks.close();
    await log.close();
    const [gaps, written]: [number[], number[]] = [[], []];
    for await (const { record } of readJournal(path)) {
      if (record.gap) gaps.push(record.gap.lost);
      if (record.type.endsWith('_tool_call')) written.push(1);
    }
    expect(gaps).toHaveLength(2);
    const lost = gaps.reduce((sum, each) => sum + each, 0);
    // Before and after each of 12,003 calls.
    expect(written.length + lost).toBe(24_006);
    expect(await verifyJournal(path)).toMatchObject({ state: 'gap', lost, problems: [] });
  });

  it('has what was lost on record also where it is closed behind the outage', async () => {
    const path = directory();
    const sink = fillable(fileSink(path));
    const log = journal({ sink, onError: () => {} });
    const hooks = createHooks();
    hooks.use(log);
    const session = hooks.session('s');
    for (let calls = 0; calls < 6_000; calls++)
      await callTool(hooks, { session, toolName: 'pay', input: {} }, () => 'paid');
    sink.full = false;
    await log.close();
    expect(await verifyJournal(path)).toMatchObject({ state: 'gap', problems: [] });
    const { coverage } = await replay(path, { name: 'empty', register: () => {} });
    expect(coverage.lost).toBeGreaterThan(0);
  });

  it.each(['in order', 'at once'])(
    'is written when it is closed again, once there is room (%s)',
    async (how) => {
      const path = directory();
      const sink = fillable(fileSink(path));
      const log = journal({ sink, onError: () => {} });
      const hooks = createHooks();
      hooks.use(log);
      await callTool(hooks, { session: hooks.session('s'), toolName: 'pay', input: {} }, () => 'paid');
      await hooks.close();
      await expect(log.close()).rejects.toMatchObject({ code: 'WRITE_FAILED' });
      await expect(log.close()).rejects.toMatchObject({ code: 'WRITE_FAILED' });
      sink.full = false;
      if (how === 'in order') for (const _ of [1, 2]) await log.close();
      else await Promise.all([log.close(), log.close()]);
      expect(await verifyJournal(path)).toMatchObject({ state: 'intact', problems: [] });
      const tools = [];
      for await (const { record } of readJournal(path)) tools.push(record.tool?.name);
      expect(tools).toContain('pay');
    },
  );

  it('blocks every call where it is required, and loses nothing once it can be written to', async () => {
    const path = directory();
    const sink = fillable(fileSink(path));
    const errors: string[] = [];
    const log = journal({ sink, required: true, onError: ({ code }) => errors.push(code) });
    const hooks = createHooks();
    hooks.use(log);
    const call = (callId: string) =>
      callTool(hooks, { session: hooks.session('s'), toolName: 'pay', callId, input: {} }, () => 'paid');
    expect(await call('c1')).toMatchObject({
      status: 'blocked',
      ran: false,
      by: 'journal/required',
      reason: expect.stringContaining('could not be written: ENOSPC'),
    });
    expect(new Set(errors)).toEqual(new Set(['WRITE_FAILED']));
    await expect(log.flush()).rejects.toMatchObject({ code: 'WRITE_FAILED' });
    sink.full = false;
    expect(await call('c2')).toMatchObject({ status: 'ok' });
    await hooks.close();
    await log.close();
    expect(await verifyJournal(path)).toMatchObject({ state: 'intact', problems: [] });
    const calls = new Set<string | undefined>();
    for await (const { record } of readJournal(path)) calls.add(record.tool?.callId);
    expect(calls).toEqual(new Set([undefined, 'c1', 'c2']));
  });

  it('is tried again now and then, however many records come, and also where none comes', async () => {
    const path = directory();
    const sink = fillable(fileSink(path));
    let attempts = 0;
    const log = journal({ sink, onError: () => attempts++ });
    const hooks = createHooks();
    hooks.use(log);
    const session = hooks.session('s');
    for (let calls = 0; calls < 3_000; calls++)
      await callTool(hooks, { session, toolName: 'pay', input: {} }, () => 'paid');
    expect(attempts).toBeGreaterThan(0);
    expect(attempts).toBeLessThan(60);
    sink.full = false;
    await expect.poll(async () => readdirSync(path).length).not.toBe(0);
    await hooks.close();
    await log.close();
    expect(await verifyJournal(path)).toMatchObject({ state: 'intact', problems: [] });
  });

  it.skipIf(process.platform !== 'linux')('costs no more at an attempt where more records wait', () => {
    const path = directory();
    const days = [Date.now(), Date.now() + 86_400_000].map((at) => new Date(at).toISOString().slice(0, 10));
    for (const day of days) symlinkSync('/dev/full', join(path, `${day}.jsonl`));
    const sink = fileSink(path);
    let written = 0;
    const lines = Array.from({ length: 5_000 }, () => ({
      about: {} as JournalRecord,
      hash: '',
      get record() {
        written++;
        return '{}';
      },
    }));
    expect(() => sink.write(lines)).toThrow('ENOSPC');
    expect(written).toBeLessThan(1_000);
  });

  it('keeps at most so much of large records that the process goes on', async () => {
    const path = directory();
    const sink = fillable(fileSink(path));
    const log = journal({ sink, onError: () => {} });
    const hooks = createHooks();
    hooks.use(log);
    const session = hooks.session('s');
    for (let calls = 0; calls < 300; calls++)
      await callTool(hooks, { session, toolName: 'read', input: {} }, () => 'x'.repeat(500_000));
    sink.full = false;
    await hooks.close();
    await log.close();
    const { state, records, lost } = await verifyJournal(path);
    expect(state).toBe('gap');
    expect(records).toBeLessThan(300);
    expect(lost).toBeGreaterThan(300);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('the logger failed');
      },
    ],
    ['rejects', () => Promise.reject(new Error('the logger failed'))],
  ])('is written again after the outage, though onError %s', async (_how, onError) => {
    const path = directory();
    const sink = fillable(fileSink(path));
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
    onTestFinished(() => warn.mockRestore());
    const log = journal({ sink, onError: onError as () => void });
    const hooks = createHooks();
    hooks.use(log);
    await callTool(hooks, { session: hooks.session('s'), toolName: 'pay', input: {} }, () => 'paid');
    await expect.poll(() => warn.mock.calls.flat().join(' ')).toContain('the logger failed');
    sink.full = false;
    await expect.poll(() => readdirSync(path).length).not.toBe(0);
    await hooks.close();
    await log.close();
    expect(await verifyJournal(path)).toMatchObject({ state: 'intact', problems: [] });
  });

  it('is asked once for all calls that wait for it, so that each is blocked after one attempt more', async () => {
    let attempts = 0;
    const sink: JournalSink = {
      name: 'a store',
      write() {
        attempts++;
        return new Promise((_, reject) => void setTimeout(reject, 10, new Error('it did not answer')));
      },
    };
    const log = journal({ sink, required: true, onError: () => {} });
    const hooks = createHooks();
    hooks.use(log);
    const session = hooks.session('s');
    const results = await Promise.all(
      Array.from({ length: 50 }, () =>
        callTool(hooks, { session, toolName: 'pay', input: {} }, () => 'paid'),
      ),
    );
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['blocked']));
    expect(attempts).toBeLessThan(10);
  });

  it('is written at the end of the process, if it could not be closed before', async () => {
    const path = directory();
    const program = fileURLToPath(new URL('programs/closes.ts', import.meta.url));
    const child = fork(program, [path], { execArgv: ['--conditions=@hooks/source'] });
    expect(await once(child, 'exit')).toEqual([0, null]);
    expect(await verifyJournal(path)).toMatchObject({ state: 'intact', problems: [] });
  });

  it('lets calls run where it is not, and reports it', async () => {
    const errors: string[] = [];
    const log = journal({
      sink: fillable(fileSink(directory())),
      onError: ({ message }) => errors.push(message),
    });
    const hooks = createHooks();
    hooks.use(log);
    const call = { session: hooks.session('s'), toolName: 'pay', input: {} };
    expect(await callTool(hooks, call, () => 'paid')).toMatchObject({ status: 'ok' });
    await expect(log.flush()).rejects.toThrow('ENOSPC');
    expect(errors[0]).toMatch(/^The journal in .* could not be written: ENOSPC/);
  });
});

/** A limit on the size of files is what a program sees of a full disk: the write that meets it is cut off. */
it.skipIf(process.platform !== 'linux')(
  'a disk that is full closes the gate, and what was acknowledged is in the journal when there is space again',
  async () => {
    const path = directory();
    const program = fileURLToPath(new URL('programs/full-disk.ts', import.meta.url));
    const limited = ['-c', 'ulimit -S -f 8; exec "$0" "$@"', process.execPath];
    const child = spawn('bash', [...limited, '--conditions=@hooks/source', program, path], {
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    const [full] = await once(child, 'message');
    expect(full).toMatchObject({ status: 'blocked', reason: expect.stringContaining('EFBIG') });
    execFileSync('prlimit', [`--pid=${child.pid}`, '--fsize=unlimited:']);
    child.send('there is space');
    const [again] = await once(child, 'message');
    expect(again).toMatchObject({ status: 'ok' });
    await once(child, 'close');
    expect(await verifyJournal(path)).toMatchObject({ state: 'intact', problems: [] });
    const ended: (string | undefined)[] = [];
    for await (const { record } of readJournal(path))
      if (record.type === 'hooks.after_tool_call') ended.push(record.tool?.callId);
    expect(ended).toEqual(Array.from({ length: again.made }, (_, call) => `c${call}`));
  },
);

it.each([
  ['a directory', directory, (path: string) => ({ sink: path }), 6_000_000],
  // What is read once more for the sake of others that were written with it is kept, up to 8 million characters.
  [
    'a store',
    () => join(directory(), 'store.db'),
    (path: string) => ({ store: sqliteStore(path) }),
    20_000_000,
  ],
])(
  'a large journal in %s is read, verified and replayed record by record, its large values one by one',
  async (_place, newPath, target, most) => {
    const path = newPath();
    const log = journal(target(path));
    const hooks = createHooks();
    hooks.use(log);
    // 32 MB, of which a half is in large values.
    for (let call = 0; call < 80; call++) {
      const session = hooks.session(`s${call % 2}`);
      for (const length of [200_000, 60_000, 60_000, 60_000])
        await callTool(hooks, { session, toolName: 'search', input: {} }, () => 'x'.repeat(length));
      await log.flush();
    }
    await hooks.close();
    await log.close();
    const program = fileURLToPath(new URL('programs/reads.ts', import.meta.url));
    const child = fork(program, [path], {
      execArgv: ['--conditions=@hooks/source', '--expose-gc'],
    });
    const [found] = await Promise.race([once(child, 'message'), once(child, 'close')]);
    expect(found).toMatchObject({ state: 'intact', calls: 320 });
    expect(found.grown).toBeLessThan(most);
  },
);

it('two processes write to one journal at once', async () => {
  const path = directory();
  const program = fileURLToPath(new URL('programs/writes.ts', import.meta.url));
  const ends = [1, 2].map(() => {
    const child = fork(program, [path], { execArgv: ['--conditions=@hooks/source'] });
    return new Promise((resolve) => child.once('close', resolve));
  });
  expect(await Promise.all(ends)).toEqual([0, 0]);
  const found = await verifyJournal(path);
  expect(found).toMatchObject({ state: 'intact', sessions: 1, problems: [] });
  // One that sees the other in the middle of a write may have named that line, as a writer of its own.
  expect(found.writers.filter(({ records }) => records > 600)).toHaveLength(2);
});

it('a line that a killed process could not end takes no record of another process with it', async () => {
  keepDay();
  const path = directory();
  const log = journal({ sink: path, required: true });
  const hooks = createHooks();
  hooks.use(log);
  const session = hooks.session('s');
  const call = (callId: string) =>
    callTool(hooks, { session, toolName: 'pay', callId, input: { note: '{"hash":"' } }, () => 'paid');
  await call('c1');
  const [file = ''] = readdirSync(path);
  const torn = readFileSync(join(path, file), 'utf8').split('\n')[1]?.slice(0, 200) ?? '';
  appendFileSync(join(path, file), torn);
  await call('c2');
  await hooks.close();
  await log.close();

  const callsIn = async (): Promise<readonly (string | undefined)[]> => {
    const calls = new Set<string | undefined>();
    const readings = readJournal(path, { onProblem: () => {} });
    for await (const { record } of readings) if (record.tool) calls.add(record.tool.callId);
    return [...calls];
  };
  expect(await callsIn()).toEqual(['c1', 'c2']);
  const found = async () => {
    const { state, problems, cutOff } = await verifyJournal(path);
    return { state, problems, cutOff: cutOff.length };
  };
  const isOpen = { state: 'open', problems: [], cutOff: 1 };
  expect(await found()).toEqual(isOpen);

  // Glued together, as where it happened between the look at the end of the file and the write.
  const text = readFileSync(join(path, file), 'utf8');
  writeFileSync(join(path, file), text.replace(`${torn}\n`, torn));
  expect(await callsIn()).toEqual(['c1', 'c2']);
  expect(await found()).toEqual(isOpen);
});

it('each record of another process is read behind each beginning of a line that is cut off', async () => {
  keepDay();
  const path = directory();
  const log = journal({ sink: path });
  const hooks = createHooks();
  hooks.use(log);
  // A model may write what looks like the beginning of a line.
  const input = { rows: Array.from({ length: 40 }, (_, row) => ({ data: row })) };
  await callTool(hooks, { session: hooks.session('s'), toolName: 'pay', input }, () => 'paid');
  await hooks.close();
  await log.close();
  const [file = ''] = readdirSync(path).map((name) => join(path, name));
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect(lines.filter((line) => line.startsWith('{"data":')).length).toBeGreaterThan(1);
  for (const begun of lines)
    for (const [at, line] of lines.entries()) {
      writeFileSync(file, `${lines.with(at, begun.slice(0, -1) + line).join('\n')}\n`);
      const found = [];
      for await (const { hash } of readJournal(path, { onProblem: () => {} })) found.push(hash);
      expect(found).toEqual(lines.map((each) => JSON.parse(each).hash));
      // No record names what stands before it.
      const place = expect.stringMatching(`:${at + 1}$`);
      expect(await verifyJournal(path)).toMatchObject({ problems: [{ code: 'malformed', place }] });
    }
});

it('a record is under a checkpoint after a while, and a session that has ended leaves nothing behind', async () => {
  const path = directory();
  const log = journal({ sink: path, checkpointMs: 20 });
  const hooks = createHooks();
  hooks.use(log);
  await callTool(hooks, { session: hooks.session('s'), toolName: 'pay', input: {} }, () => 'paid');
  await expect.poll(async () => (await verifyJournal(path)).writers[0]?.uncovered).toBe(0);
  await hooks.session('s').close();
  await callTool(hooks, { session: hooks.session('s'), toolName: 'pay', input: {} }, () => 'paid');
  await hooks.close();
  await log.close();
  const starts: number[] = [];
  for await (const { record } of readJournal(path, { session: 's' }))
    if (record.sequence === 0) starts.push(Number(record.id));
  expect(starts).toHaveLength(2);
  expect(await verifyJournal(path)).toMatchObject({ state: 'intact', problems: [] });
  expect(() => journal({ sink: path, checkpointMs: 2 ** 31 })).toThrow('checkpointMs');
});

it('a URL in the place of a journal is refused, and its password is not shown', async () => {
  const url = 'postgres://hooks:correct-horse@127.0.0.1/hooks';
  const error: unknown = await verifyJournal(url).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'INVALID' });
  expect(String(error)).not.toContain('correct-horse');
});
