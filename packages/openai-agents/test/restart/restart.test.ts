import { fork } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ModelRequest, startModelServer, toolResults } from '@hooks/conformance';
import { BeforeToolCall, createHooks, requireApproval } from '@hooks/core';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { describe, expect, test } from 'vitest';
import { hookedRunner, pendingApprovals } from '../../src/index.ts';
import { clerk, runnerOn } from './agents.ts';
import type { Report, TakeUp } from './second-process.ts';

/** The clerk asks its helper, who wants to remove a file; then both answer. */
function script({ system, turn }: { readonly system: string; readonly turn: number }) {
  const helper = system.includes('Help.');
  if (turn > 0) return { text: helper ? 'Helped.' : 'Done.' };
  return {
    toolCalls: [
      helper
        ? { id: 'inner', name: 'remove', arguments: { path: 'notes.txt' } }
        : { id: 'outer', name: 'helper', arguments: { input: 'Remove notes.txt.' } },
    ],
  };
}

/** Pauses the run here, and takes it up in a second process from nothing but the text of its state. */
async function restarted(answer: Pick<TakeUp, 'refused' | 'blocks'>) {
  const log = join(temporaryFolder(), 'log');
  const server = await startModelServer({ script });
  try {
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching('remove'), () => requireApproval('it is gone for good'));
    const runner = hookedRunner(runnerOn(server.url), hooks, { approval: 'native' });
    const paused = await runner.run(clerk(log), 'Tidy up.');
    const waiting = await pendingApprovals(paused);
    expect(existsSync(log)).toBe(false);
    const state = paused.state.toString();
    const report = await inSecondProcess({ state, modelUrl: server.url, log, ...answer });
    const removals = existsSync(log) ? readFileSync(log, 'utf8').trimEnd().split('\n') : [];
    return { waiting, report, removals, read: whatWasRead(server.requests) };
  } finally {
    await server.close();
  }
}

/** What the two models read of their tool calls, by call id. */
function whatWasRead(requests: readonly ModelRequest[]): Readonly<Record<string, string>> {
  return Object.assign({}, ...requests.map(toolResults));
}

function inSecondProcess(task: TakeUp): Promise<Report> {
  const child = fork(new URL('second-process.ts', import.meta.url), {
    execArgv: ['--conditions=@hooks/source'],
  });
  child.send(task);
  return new Promise((resolve, reject) => {
    child.once('message', (report) => resolve(report as Report));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`The second process ended with ${code}.`)));
  });
}

describe('A call of an agent as a tool that waits for approval, taken up by another process', () => {
  test('runs there once after a yes, hooked, and both agents go on', async () => {
    const { waiting, report, removals, read } = await restarted({ blocks: false });
    expect(waiting).toMatchObject([
      { callId: 'inner', toolName: 'remove', input: { path: 'notes.txt' }, reason: 'it is gone for good' },
    ]);
    expect(report.pid).not.toBe(process.pid);
    expect(removals).toEqual([`${report.pid} removed notes.txt`]);
    expect(report.asked).toEqual(['Helper remove allow']);
    expect(report.ended).toEqual(['remove ok', 'helper ok']);
    expect(read).toEqual({ inner: 'removed notes.txt', outer: 'Helped.' });
    expect(report.finalOutput).toBe('Done.');
  });

  test('does not run where a hook blocks it there, in spite of the yes', async () => {
    const { report, removals, read } = await restarted({ blocks: true });
    expect(removals).toEqual([]);
    expect(report.ended).toEqual(['remove blocked not any more', 'helper ok']);
    expect(read).toEqual({ inner: 'not any more', outer: 'Helped.' });
  });

  test('does not run after a no, which is final: no hook is asked, and the sub-agent reads why', async () => {
    const { report, removals, read } = await restarted({ blocks: false, refused: 'keep it' });
    expect(removals).toEqual([]);
    expect(report.asked).toEqual([]);
    expect(report.ended).toEqual(['remove denied keep it', 'helper ok']);
    expect(read).toEqual({ inner: 'keep it', outer: 'Helped.' });
    expect(report.finalOutput).toBe('Done.');
  });
});
