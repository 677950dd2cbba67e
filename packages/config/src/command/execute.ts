import { isUtf8 } from 'node:buffer';
import { type ChildProcess, spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { messageOf } from '../error-message.ts';

/** A command: a line for the shell, or a program with its arguments (no shell). */
export interface CommandRequest {
  readonly command: string | readonly string[];
  /** Written to the command's stdin, which is then closed. */
  readonly stdin: string;
  readonly cwd: string;
  /** The command's whole environment. It inherits nothing. */
  readonly env: Readonly<Record<string, string>>;
  /** Timeout in milliseconds, after which the command's process group is killed. */
  readonly timeoutMs: number;
  /** Maximum bytes to keep of stdout and of stderr each. The rest is read and dropped. */
  readonly maxOutputBytes: number;
  /** Stop waiting once stdout begins with this text. The command continues until its timeout. */
  readonly goesOnAlone?: RegExp;
}

/** How a command ended. Failures are data, which the protocol turns into an answer. */
export interface CommandResult {
  /** Not set if the command was killed or never started. */
  readonly exitCode?: number;
  readonly signal?: string;
  readonly stdout: string;
  readonly stderr: string;
  /** stdout exceeded `maxOutputBytes`. */
  readonly truncated: boolean;
  /** stdout is not UTF-8; the text has replacement characters. */
  readonly malformed: boolean;
  readonly timedOut: boolean;
  readonly aborted: boolean;
  /** Why the command could not be started. */
  readonly error?: string;
}

/**
 * Runs a command in its own process group.
 *
 * The group is killed at the timeout, on abort, and when the command has exited, so that its background processes end
 * with it.
 */
export function executeCommand(request: CommandRequest, signal?: AbortSignal): Promise<CommandResult> {
  if (signal?.aborted) return Promise.resolve({ ...neverStarted, aborted: true });
  return new Promise((resolve) => {
    const stdout = new Collector(request.maxOutputBytes);
    const stderr = new Collector(request.maxOutputBytes);
    const ended = { timedOut: false, aborted: false };
    let drain: NodeJS.Timeout | undefined;
    let child: ChildProcess;

    const finish = (end: Pick<CommandResult, 'exitCode' | 'signal' | 'error'>): void => {
      clearTimeout(timer);
      clearTimeout(drain);
      signal?.removeEventListener('abort', abort);
      running.delete(child);
      for (const stream of [child?.stdin, child?.stdout, child?.stderr]) stream?.destroy();
      resolve({
        ...end,
        ...ended,
        stdout: stdout.text(),
        stderr: stderr.text(),
        truncated: stdout.truncated,
        malformed: !stdout.isUtf8(),
      });
    };
    const timer = setTimeout(() => {
      ended.timedOut = true;
      killGroup(child);
    }, request.timeoutMs);
    const abort = (): void => {
      ended.aborted = true;
      killGroup(child);
    };

    try {
      child = start(request);
    } catch (error) {
      // Node throws synchronously if the command cannot exist, for example with a NUL character in it.
      clearTimeout(timer);
      resolve({ ...neverStarted, error: whyNotIn(request.cwd) ?? messageOf(error) });
      return;
    }
    running.add(child);
    signal?.addEventListener('abort', abort, { once: true });

    child.stdout?.on('data', (chunk: Buffer) => {
      stdout.add(chunk);
      if (request.goesOnAlone?.test(stdout.text())) resolve({ ...neverStarted, exitCode: 0 });
    });
    child.stderr?.on('data', (chunk: Buffer) => stderr.add(chunk));
    // A command need not read its stdin, so a broken pipe is not a failure.
    child.stdin?.on('error', () => {});
    child.stdin?.end(request.stdin);

    child.on('error', (error) => finish({ error: whyNotIn(request.cwd) ?? messageOf(error) }));
    child.on('exit', () => {
      killGroup(child);
      // A process that left the group may hold the pipes open. Do not wait for it.
      drain = setTimeout(() => finish(endOf(child)), drainMs);
    });
    child.on('close', () => finish(endOf(child)));
  });
}

/** Kills the process groups of all running commands. */
function killAllCommands(): void {
  for (const child of running) killGroup(child);
}

const drainMs = 250;
const running = new Set<ChildProcess>();
let killedAtExit = false;

function start(request: CommandRequest): ChildProcess {
  if (!killedAtExit) process.on('exit', killAllCommands);
  killedAtExit = true;
  const options = { cwd: request.cwd, env: { ...request.env }, detached: true, stdio: 'pipe' } as const;
  if (typeof request.command === 'string') return spawn(request.command, { ...options, shell: true });
  const [program = '', ...args] = request.command;
  return spawn(program, args, options);
}

/** Node reports a missing working directory like a missing program. */
function whyNotIn(cwd: string): string | undefined {
  const found = statSync(cwd, { throwIfNoEntry: false });
  if (found === undefined) return `its working directory ${cwd} does not exist`;
  return found.isDirectory() ? undefined : `its working directory ${cwd} is not a directory`;
}

/** `detached` makes the command the leader of a group with its id. */
function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // ESRCH: no process of the group is left.
  }
}

/** The result of a command that did not run. */
export const neverStarted: CommandResult = {
  stdout: '',
  stderr: '',
  truncated: false,
  malformed: false,
  timedOut: false,
  aborted: false,
};

function endOf(child: ChildProcess): Pick<CommandResult, 'exitCode' | 'signal'> {
  return {
    ...(child.exitCode === null ? {} : { exitCode: child.exitCode }),
    ...(child.signalCode === null ? {} : { signal: child.signalCode }),
  };
}

/** Keeps the beginning of a stream. */
class Collector {
  truncated = false;
  readonly #max: number;
  readonly #chunks: Buffer[] = [];
  #length = 0;

  constructor(max: number) {
    this.#max = max;
  }

  add(chunk: Buffer): void {
    const room = this.#max - this.#length;
    if (chunk.length > room) this.truncated = true;
    if (room <= 0) return;
    const kept = chunk.length > room ? chunk.subarray(0, room) : chunk;
    this.#chunks.push(kept);
    this.#length += kept.length;
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }

  /** The limit may split a character, so a truncated stream is not checked. */
  isUtf8(): boolean {
    return this.truncated || isUtf8(Buffer.concat(this.#chunks));
  }
}
