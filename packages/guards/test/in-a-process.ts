import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { AgentReport, AgentTask } from './programs/agent.ts';

const PROGRAM = fileURLToPath(new URL('programs/agent.ts', import.meta.url));

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
