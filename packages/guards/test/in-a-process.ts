import { fork } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Script, startModelServer } from '@hooks/conformance';
import { onTestFinished } from 'vitest';
import type { AgentReport, AgentTask } from './programs/agent.ts';

const PROGRAM = fileURLToPath(new URL('programs/agent.ts', import.meta.url));

interface NewRun {
  /** Begins the run. */
  readonly task: AgentTask;
  /** What its tool has paid, in all processes. */
  paid(): readonly string[];
}

/** A run with a model and folders of its own. */
export async function newRun(harness: string, script: Script): Promise<NewRun> {
  const folder = mkdtempSync(join(tmpdir(), 'run-'));
  const storage = join(folder, 'storage');
  mkdirSync(storage);
  const marks = join(folder, 'marks');
  const server = await startModelServer({ script });
  onTestFinished(server.close);
  return {
    task: { harness, modelUrl: server.url, storage, store: join(folder, 'state.db'), marks, does: 'run' },
    paid: () => (existsSync(marks) ? readFileSync(marks, 'utf8').trimEnd().split('\n') : []),
  };
}

interface Process {
  /** Resolves to undefined where the process was killed. */
  play(task: AgentTask): Promise<AgentReport | undefined>;
  kill(): boolean;
}

/** A process that plays parts of a run. */
export function startProcess(): Process {
  const child = fork(PROGRAM, {
    execArgv: ['--conditions=@hooks/source'],
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const closed = new Promise<string>((resolve) => {
    child.once('close', (code, signal) => resolve(String(signal ?? code)));
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let complaints = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  const play = async (task: AgentTask): Promise<AgentReport | undefined> => {
    const reported = new Promise<AgentReport>((resolve, reject) => {
      child.once('message', (message) => resolve(message as AgentReport));
      child.once('error', reject);
    });
    child.send(task);
    const report = await Promise.race([reported, closed]);
    if (report === 'SIGKILL') return undefined;
    if (typeof report === 'string') throw new Error(`The process ended with ${report}: ${complaints}`);
    if (!task.stays) await closed;
    return report;
  };
  return { play, kill: () => child.kill('SIGKILL') };
}

/** Plays a part of a run in a process of its own; undefined where that was killed. */
export function inAProcess(task: AgentTask, killed?: Promise<void>): Promise<AgentReport | undefined> {
  const { play, kill } = startProcess();
  void killed?.then(kill);
  return play(task);
}
