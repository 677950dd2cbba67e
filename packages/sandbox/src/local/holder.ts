import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { Socket } from 'node:net';
import { isAbsolute, join } from 'node:path';
import { SandboxError } from '../error.ts';

/** Where the holder keeps the session's files, in its own mount namespace. It hides the host's `/sys`. */
export const STORE = '/sys';

/**
 * The only environment of the tools that set up a sandbox (`unshare`, `nsenter`, `bwrap`, `sh`): PATH without folders that
 * the workspace fills, whose own `bwrap` would run outside of every sandbox.
 */
const HOST_PATH: { readonly PATH: string } = { PATH: pathOfTheSystem() };

function pathOfTheSystem(): string {
  const { PATH = '' } = process.env;
  const workspace = join(process.cwd(), '/');
  const kept = PATH.split(':').filter((folder) => {
    const inside = join(folder, '/');
    if (!isAbsolute(folder) || inside.endsWith('/node_modules/.bin/')) return false;
    return workspace === '/' || !inside.startsWith(workspace);
  });
  return kept.length > 0 ? kept.join(':') : '/usr/bin:/bin';
}

/** The path of a tool on the host. A program inside can read the environment of its process 1, which therefore has none. */
export function pathOnHost(program: string): string {
  const paths = HOST_PATH.PATH.split(':').map((folder) => join(folder, program));
  return paths.find((path) => existsSync(path)) ?? program;
}

/** Keeps a session's files between commands. */
export interface Holder {
  readonly pid: number;
  /** Resolves when the process has ended. */
  readonly gone: Promise<void>;
  /** Ends the process, and the files with it. */
  stop(): Promise<void>;
}

/** The user that sandboxes run as, if not the agent's own. */
export interface RunAs {
  readonly uid: number;
  readonly gid: number;
}

/**
 * Starts the holder: a process whose private mount namespace has the session's files, on a tmpfs of limited size, and
 * under which all its commands run. The holder itself only waits on a pipe from the agent. When the agent ends, even by
 * SIGKILL, the pipe closes, the holder ends, and the kernel kills all its commands and drops the files.
 */
export async function startHolder(
  diskMb: number,
  runAs: RunAs | undefined,
  signal?: AbortSignal,
): Promise<Holder> {
  const child = spawn('unshare', [...NAMESPACES, 'sh', '-c', SCRIPT, 'sh', `${diskMb}m`], {
    cwd: '/',
    env: HOST_PATH,
    stdio: ['pipe', 'pipe', 'pipe'],
    ...runAs,
  });
  const gone = new Promise<void>((resolve) =>
    child.once('exit', () => resolve()).once('error', () => resolve()),
  );
  const stop = (): Promise<void> => {
    child.ref();
    child.stdin.destroy();
    child.kill('SIGKILL');
    return gone;
  };
  child.stdin.on('error', () => {});
  const stopOnAbort = (): void => void stop();
  signal?.addEventListener('abort', stopOnAbort, { once: true });
  try {
    const problem = await firstWords(child);
    signal?.throwIfAborted();
    if (problem !== undefined || child.pid === undefined) {
      await stop();
      throw new SandboxError('UNAVAILABLE', `Could not set up the sandbox: ${problem}`);
    }
    letGo(child);
    return { pid: child.pid, gone, stop };
  } finally {
    signal?.removeEventListener('abort', stopOnAbort);
  }
}

const NAMESPACES = ['--user', '--map-root-user', '--mount-proc', '--pid', '--fork', '--kill-child'];

/**
 * `cat` waits for the pipe to close. As the first process of its namespace it would have to reap zombies; by ignoring
 * SIGCHLD it leaves that to the kernel.
 */
const SCRIPT = `set -e
mount -t tmpfs -o "size=$1,nr_inodes=100k,mode=0700" hooks ${STORE}
cd ${STORE}
mkdir workspace tmp shm
echo 'sandbox:x:1000:1000::/tmp:/bin/sh' > passwd
echo 'sandbox:x:1000:' > group
echo ready
exec env --ignore-signal=CHLD cat > /dev/null`;

/** Undefined once it is ready, otherwise the problem. */
async function firstWords(child: ChildProcess): Promise<string | undefined> {
  let complaint = '';
  child.stderr?.on('data', (data) => {
    complaint += data;
  });
  const failed = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', () => resolve(complaint.trim() || 'the process with its files has ended'));
  });
  const ready = child.stdout ? once(child.stdout, 'data').then(() => undefined) : Promise.resolve(undefined);
  return Promise.race([ready, failed]);
}

/** An open session must not keep the agent from ending. */
function letGo(child: ChildProcess): void {
  child.unref();
  for (const pipe of child.stdio) if (pipe instanceof Socket) pipe.unref();
}
