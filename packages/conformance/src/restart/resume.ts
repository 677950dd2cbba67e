import { type ChildProcess, fork } from 'node:child_process';
import type { Socket } from 'node:net';
import type { PendingApproval } from '@hooks/core/adapter';
import type { PersonAnswer } from '../harness.ts';
import type { Witness } from '../hostile/witness.ts';
import { nodeScript } from '../node-script.ts';
import type { ToolRun } from '../stage.ts';
import type { PolicyName } from './policies.ts';

/** The task for another process: which run to resume, with which hooks and which answer. Plain JSON. */
export interface ResumeTask {
  /** The module that exports the harness. */
  readonly module: string;
  readonly policy: PolicyName;
  /** Whether the tools and hooks are those of a hostile model, and a person answers by what is shown there. */
  readonly hostile?: boolean;
  /** Whether the framework itself requires approval of each call of the tool. */
  readonly needsApproval: boolean;
  /** How the tool itself is hooked, further in than its agent. Default: it is not. */
  readonly tool?: HookedAlone;
  readonly stream: boolean;
  readonly modelUrl: string;
  readonly storage: string;
  readonly session: string;
  /** The user whom the context names, with which the run began and is resumed. */
  readonly user: string;
  readonly answers: readonly PersonAnswer[];
}

/** How a tool of the agent is hooked by itself. */
export interface HookedAlone {
  readonly policy: PolicyName;
  /** What its own approver answers, or `unset` if the agent's counts. */
  readonly approval: 'allow' | 'deny' | 'unset';
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
  /** `approvalId` as the hooks on BeforeToolCall, ToolApprovalDecision and BeforeExecute saw it. */
  readonly approvalIds: readonly unknown[];
  /** What the registry of the tool itself saw, and how often its approver was asked. */
  readonly ofTool: Pick<Report, 'events' | 'resumed'> & { readonly asked: number };
  /** What was wrong with the calls of a hostile model, and what ran. */
  readonly witness: Pick<Witness, 'faults' | 'ran'>;
}

/** A message to the second process, and its answer. Several runs may be resumed at once. */
export interface Numbered<T> {
  readonly id: number;
  readonly content: T;
}

/** What the second process answers: what happened, or why it could not do its task. */
export type Answer = { readonly report: Report } | { readonly failure: string | undefined };

interface SecondProcess {
  readonly child: ChildProcess;
  readonly waiting: Map<number, PromiseWithResolvers<Report>>;
}

/** The second processes by their harness's module. Each resumes run after run, because loading a framework takes long. */
const processes: Map<string, SecondProcess> = new Map();
let count = 0;

/** Resumes a paused run in a second process. Rejects if that process ends without a report. */
export function resumeThere(task: ResumeTask): Promise<Report> {
  const { child, waiting } = processes.get(task.module) ?? start(task.module);
  const report = Promise.withResolvers<Report>();
  const message: Numbered<ResumeTask> = { id: count++, content: task };
  waiting.set(message.id, report);
  child.ref();
  child.channel?.ref();
  child.send(message);
  return report.promise;
}

function start(module: string): SecondProcess {
  const { file, execArgv } = nodeScript('restart/child');
  const child = fork(file, { execArgv: [...execArgv], stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  const waiting: SecondProcess['waiting'] = new Map();
  const started = { child, waiting };
  processes.set(module, started);
  let complaints = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  const fail = (error: Error): void => {
    processes.delete(module);
    for (const report of waiting.values()) report.reject(error);
  };
  child.on('message', (message) => {
    const { id, content } = message as Numbered<Answer>;
    if ('report' in content) waiting.get(id)?.resolve(content.report);
    else waiting.get(id)?.reject(new Error(`The second process failed: ${content.failure}`));
    waiting.delete(id);
    if (waiting.size === 0) unref(child);
  });
  child.once('error', fail);
  child.once('close', (code) =>
    fail(new Error(`The second process ended with ${code} and no report: ${complaints}`)),
  );
  return started;
}

/** Lets this process end while the other one waits for a task: it ends with this one. */
function unref(child: ChildProcess): void {
  child.unref();
  child.channel?.unref();
  (child.stderr as Socket | null)?.unref();
}
