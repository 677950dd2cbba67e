import { type ChildProcess, fork } from 'node:child_process';
import type { PendingApproval } from '@hooks/core/adapter';
import type { PersonAnswer } from '../harness.ts';
import { nodeScript } from '../node-script.ts';
import type { ToolRun } from '../stage.ts';
import type { PolicyName } from './policies.ts';

/** The task for another process: which run to resume, with which hooks and which answer. Plain JSON. */
export interface ResumeTask {
  /** The module that exports the harness. */
  readonly module: string;
  readonly policy: PolicyName;
  /** Whether the framework itself requires approval of each call of the tool. */
  readonly needsApproval: boolean;
  readonly stream: boolean;
  readonly modelUrl: string;
  readonly storage: string;
  readonly session: string;
  /** The user whom the context names, with which the run began and is resumed. */
  readonly user: string;
  readonly answers: readonly PersonAnswer[];
}

/** What happened in the other process. */
export interface Report {
  readonly pid: number;
  /** The pending approvals in the restored state. */
  readonly waiting: readonly PendingApproval[];
  readonly text: string;
  readonly error?: string;
  readonly blockReason?: string;
  readonly pending: readonly PendingApproval[];
  readonly ran: readonly ToolRun[];
  /** The distinct users of the events that the hooks saw. */
  readonly users: readonly (string | undefined)[];
  /** Types of the events that the hooks saw, in order. */
  readonly events: readonly string[];
  /** `call.resumed` as the BeforeToolCall hooks saw it. */
  readonly resumed: readonly unknown[];
}

/** Resumes a paused run in a second process. Rejects if that process ends without a report. */
export async function resumeThere(task: ResumeTask): Promise<Report> {
  const { file, execArgv } = nodeScript('restart/child');
  const child = fork(file, { execArgv: [...execArgv], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  const report = reportOf(child);
  child.send(task);
  return report;
}

function reportOf(child: ChildProcess): Promise<Report> {
  let complaints = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  return new Promise((resolve, reject) => {
    let report: Report | undefined;
    child.once('message', (message) => {
      report = message as Report;
    });
    child.once('error', reject);
    child.once('close', (code) => {
      if (report !== undefined) resolve(report);
      else reject(new Error(`The second process ended with ${code} and no report: ${complaints}`));
    });
  });
}
