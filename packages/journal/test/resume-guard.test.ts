import { fork } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { startModelServer, toolResults } from '@hooks/conformance';
import { describe, expect, onTestFinished, test } from 'vitest';
import { verifyJournal } from '../src/index.ts';
import { HARNESSES } from './adapters.ts';
import type { AgentReport, AgentTask } from './programs/agent.ts';

const PROGRAM = fileURLToPath(new URL('programs/agent.ts', import.meta.url));

/** Plays a part of a run in a process of its own; undefined where that was killed. */
function inAProcess(task: AgentTask, killed?: Promise<void>): Promise<AgentReport | undefined> {
  const child = fork(PROGRAM, {
    execArgv: ['--conditions=@hooks/source'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const { promise, resolve, reject } = Promise.withResolvers<AgentReport | undefined>();
  let complaints = '';
  let report: AgentReport | undefined;
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  child.once('message', (message) => {
    report = message as AgentReport;
  });
  child.once('error', reject);
  child.once('close', (code, signal) => {
    if (report !== undefined || signal === 'SIGKILL') resolve(report);
    else reject(new Error(`The process ended with ${code}: ${complaints}`));
  });
  child.send(task);
  void killed?.then(() => child.kill('SIGKILL'));
  return promise;
}

/** A run that paused for a person, in a process that is gone. */
async function paused(harness: string) {
  const folder = mkdtempSync(join(tmpdir(), 'resume-'));
  mkdirSync(join(folder, 'storage'));
  const read: string[] = [];
  /** Set while the model is to leave the agent without an answer. */
  let asked: (() => void) | undefined;
  const server = await startModelServer({
    script: (request) => {
      if (request.turn === 0) return { toolCalls: [{ id: 'c1', name: 'pay', arguments: { amount: 5 } }] };
      if (asked !== undefined) {
        asked();
        return new Promise(() => {});
      }
      read.push(...Object.values(toolResults(request)));
      return { text: 'Done.' };
    },
  });
  onTestFinished(server.close);
  const marks = join(folder, 'marks');
  const task: AgentTask = {
    harness,
    modelUrl: server.url,
    storage: join(folder, 'storage'),
    journal: join(folder, 'journal'),
    marks,
    does: 'run',
  };
  expect(await inAProcess(task)).toMatchObject({ pending: 1 });
  return {
    task,
    read,
    resume: (dies = false) => inAProcess({ ...task, does: 'resume', dies }),
    /** Resumes it, and kills the process once the tool has answered and the model is asked. */
    async dieAfterTheTool() {
      const killed = new Promise<void>((resolve) => {
        asked = resolve;
      });
      await inAProcess({ ...task, does: 'resume' }, killed);
      asked = undefined;
    },
    paid: () => readFileSync(marks, 'utf8').trimEnd().split('\n'),
  };
}

describe.each(HARNESSES)('a run of $name', ({ harness }) => {
  test('that died after a tool call is taken up without repeating it', { timeout: 120_000 }, async () => {
    const run = await paused(harness);
    await run.dieAfterTheTool();
    expect(run.paid()).toEqual(['paid 5']);
    expect(await run.resume()).toMatchObject({ text: 'Done.', pending: 0 });
    expect(run.paid()).toEqual(['paid 5']);
    expect(run.read.join()).toContain('paid 5');
    expect(await verifyJournal(run.task.journal)).toMatchObject({ state: 'open', problems: [] });
  });

  test('that died in a tool call does not repeat it, and the model is told', {
    timeout: 120_000,
  }, async () => {
    const run = await paused(harness);
    expect(await run.resume(true)).toBeUndefined();
    expect(run.paid()).toEqual(['paid 5']);
    expect(await run.resume()).toMatchObject({ text: 'Done.', pending: 0 });
    expect(run.paid()).toEqual(['paid 5']);
    expect(run.read.join()).toContain('may have taken effect');
  });
});
