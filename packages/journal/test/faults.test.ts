import { fork } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { describe, expect, it } from 'vitest';
import { fileSink, type JournalSink, journal, readJournal, verifyJournal } from '../src/index.ts';

const directory = (): string => mkdtempSync(join(tmpdir(), 'journal-'));

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

it('two processes write to one journal at once', { timeout: 120_000 }, async () => {
  const path = directory();
  const program = fileURLToPath(new URL('programs/writes.ts', import.meta.url));
  const ends = [1, 2].map(() => {
    const child = fork(program, [path], { execArgv: ['--conditions=@hooks/source'] });
    return new Promise((resolve) => child.once('close', resolve));
  });
  expect(await Promise.all(ends)).toEqual([0, 0]);
  const found = await verifyJournal(path);
  expect(found).toMatchObject({ state: 'intact', sessions: 1, problems: [] });
  expect(found.writers.map(({ records }) => records > 600)).toEqual([true, true]);
});
