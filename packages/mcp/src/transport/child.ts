import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';

/** An MCP server to start as a process, which communicates on stdin and stdout. */
export interface CommandUpstream {
  readonly command: string;
  readonly args?: readonly string[] | undefined;
  /** The environment. Default: this process's own. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** The working directory. Default: this process's own. */
  readonly cwd?: string | undefined;
}

/** A running process. */
export interface RunningChild {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves when it has ended, with a description and the exit code. */
  readonly ended: Promise<{ readonly how: string; readonly code: number }>;
  /** Closes its stdin, and kills it if it does not exit. */
  stop(): void;
}

/** How long a server may take to end before it is signaled, and then killed. */
const PATIENCE_MS = 2_000;

/** Starts a server. */
export function startChild({ command, args = [], env, cwd }: CommandUpstream): RunningChild {
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...(env ?? process.env) },
    cwd,
  });
  const { stdin, stdout } = child;
  // The server may exit before it has read its stdin; its exit code tells.
  stdin.on('error', () => {});
  const killed = (): void => void child.kill();
  process.once('exit', killed);
  const ended = endOf(child, command).finally(() => process.off('exit', killed));
  const stop = (): void => {
    stdin.end();
    const timers = [
      setTimeout(() => child.kill('SIGTERM'), PATIENCE_MS),
      setTimeout(() => child.kill('SIGKILL'), 2 * PATIENCE_MS),
    ];
    void ended.then(() => timers.forEach(clearTimeout));
  };
  return { stdin, stdout, ended, stop };
}

function endOf(child: ChildProcess, command: string): RunningChild['ended'] {
  return new Promise((resolve) => {
    child.on('error', (error) => resolve({ how: `cannot start the MCP server: ${error.message}`, code: 1 }));
    // Not `exit`, because output may still arrive after it.
    child.on('close', (code, signal) =>
      resolve({
        how: `the MCP server (${command}) ended with ${signal ?? `exit code ${code}`}`,
        code: code ?? 1,
      }),
    );
  });
}
