import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createHooks } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { expect, onTestFinished, test, vi } from 'vitest';
import { journal, readJournal } from '../src/index.ts';

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
