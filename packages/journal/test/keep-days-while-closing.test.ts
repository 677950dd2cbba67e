import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { expect, onTestFinished, test, vi } from 'vitest';
import { journal, readJournal, verifyJournal } from '../src/index.ts';

test('processes that remove the same days at once report nothing', async () => {
  const sink = mkdtempSync(join(tmpdir(), 'journal-'));
  onTestFinished(() => void vi.useRealTimers());
  for (let day = 1; day <= 28; day++) {
    vi.useFakeTimers({ now: new Date(Date.UTC(2026, 0, day, 12)), toFake: ['Date'] });
    const hooks = createHooks();
    const old = journal({ sink });
    hooks.use(old);
    await callTool(hooks, { session: hooks.session('s'), toolName: 'read', input: {} }, () => 'x');
    await hooks.close();
    await old.close();
  }
  vi.useRealTimers();
  const program = fileURLToPath(new URL('programs/keeps.ts', import.meta.url));
  const children = [1, 2, 3].map(() => fork(program, [sink], { execArgv: ['--conditions=@hooks/source'] }));
  onTestFinished(() => children.forEach((child) => void child.kill('SIGKILL')));
  const said = () => Promise.all(children.map(async (child) => (await once(child, 'message'))[0]));
  await said();
  const errors = said();
  for (const child of children) child.send('close');
  expect(await errors).toEqual([[], [], []]);
  expect(await verifyJournal(sink)).toMatchObject({ state: 'intact', problems: [], pruned: 168 });
  const calls: string[] = [];
  for await (const { record } of readJournal(sink)) if (record.tool) calls.push(record.time);
  expect(calls).toEqual([]);
});

test('a journal is closed when the removal of old days that has begun is over', async () => {
  const sink = mkdtempSync(join(tmpdir(), 'journal-'));
  vi.useFakeTimers({ now: new Date('2026-01-01T12:00:00Z'), toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const old = journal({ sink });
  const hooks = createHooks();
  hooks.use(old);
  for (let call = 0; call < 600; call++)
    await callTool(hooks, { session: hooks.session('s'), toolName: 'read', input: {} }, () => 'x');
  await hooks.close();
  await old.close();

  const toFake = ['Date', 'setTimeout', 'setInterval', 'clearTimeout', 'clearInterval'] as const;
  vi.useFakeTimers({ now: new Date('2026-02-05T12:00:00Z'), toFake: [...toFake] });
  const log = journal({ sink, keepDays: 30 });
  vi.advanceTimersByTime(60_000);
  vi.useRealTimers();
  await log.close();
  const calls: string[] = [];
  for await (const { record } of readJournal(sink)) if (record.tool) calls.push(record.time);
  expect(calls).toEqual([]);
});
