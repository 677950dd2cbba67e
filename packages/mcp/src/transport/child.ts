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

/** A running process, and all that it has started. */
export interface RunningChild {
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Resolves when it has ended, with a description and the exit code. */
  readonly ended: Promise<{ readonly how: string; readonly code: number }>;
  /**
   * Closes its stdin, reads nothing more, and signals its process group if it does not exit: now, or when its time is
   * over.
   */
  stop(when: 'now' | 'later'): void;
}

/**
 * How long a server may take to end before it is signaled, and then killed. A client of the official SDKs closes the
 * stdin of a server, signals it after two seconds and kills it after four; the server has to be gone by then.
 */
const SIGNAL_AFTER_MS = 2_000;
const KILL_AFTER_MS = 1_000;

/** Whether processes have groups, which a signal reaches as a whole. */
const HAS_GROUPS = process.platform !== 'win32';

/** Starts a server. */
export function startChild({ command, args = [], env, cwd }: CommandUpstream): RunningChild {
  const child = spawn(command, args, {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...(env ?? process.env) },
    cwd,
    // A process group of its own, for what the server starts: `npx` starts a shell, which starts the server.
    detached: HAS_GROUPS,
  });
  const { stdin, stdout } = child;
  const watcher = watch(child);
  // The server may exit before it has read its stdin; its exit code tells.
  stdin.on('error', () => {});
  const signal = (name: NodeJS.Signals): void => signalGroup(child, name);
  const terminate = (): void => signal('SIGTERM');
  process.once('exit', terminate);
  const timers: NodeJS.Timeout[] = [];
  let stopping: 'now' | 'later' | undefined;
  const ended = endOf(child, command).finally(() => {
    stopping = 'now';
    process.off('exit', terminate);
    timers.forEach(clearTimeout);
    signal('SIGKILL');
    watcher?.kill('SIGKILL');
  });
  const stop = (when: 'now' | 'later'): void => {
    if (stopping === 'now' || stopping === when) return;
    stopping = when;
    stdin.end();
    // Nobody reads it any more, and the end of a process that waits for a reader would not be seen.
    stdout.removeAllListeners('data').resume();
    timers.forEach(clearTimeout);
    const wait = when === 'now' ? 0 : SIGNAL_AFTER_MS;
    timers.push(
      setTimeout(terminate, wait),
      setTimeout(() => signal('SIGKILL'), wait + KILL_AFTER_MS),
    );
  };
  return { stdin, stdout, ended, stop };
}

function signalGroup({ pid }: ChildProcess, name: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(HAS_GROUPS ? -pid : pid, name);
  } catch {
    // Everything in it has ended.
  }
}

/**
 * Ends the server's process group when this process is gone, however it went: nothing else runs after a SIGKILL. The
 * shell waits on a pipe that closes with this process. It is in a group of its own, because a client may signal ours.
 */
function watch({ pid }: ChildProcess): ChildProcess | undefined {
  if (!HAS_GROUPS || pid === undefined) return undefined;
  const watcher = spawn('/bin/sh', ['-c', WATCH, 'sh', String(pid)], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  });
  watcher.on('error', () => {}); // Without a shell, only a server that ignores the end of its stdin is left behind.
  watcher.stdin?.on('error', () => {});
  watcher.unref();
  (watcher.stdin as (Writable & { unref?(): void }) | null)?.unref?.();
  return watcher;
}

const WATCH = 'read -r _; sleep 1; kill -s TERM -- "-$1"; sleep 1; kill -s KILL -- "-$1"';

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
