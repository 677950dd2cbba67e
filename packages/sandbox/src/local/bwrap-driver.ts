import { type ChildProcess, spawn } from 'node:child_process';
import type { Duplex } from 'node:stream';
import type { SandboxOutput } from '../command.ts';
import type { DriverExit, DriverRequest, SandboxDriver } from '../driver.ts';
import { SandboxError } from '../error.ts';
import { DEFAULT_RESOURCES, type SandboxSpec } from '../spec.ts';
import {
  ARGUMENTS_FD,
  bwrapArguments,
  GO,
  limited,
  READY_FD,
  STATUS_FD,
  WORKSPACE,
} from './bwrap-arguments.ts';
import { type Holder, pathOnHost, type RunAs, startHolder } from './holder.ts';
import { withoutInherited } from './inherited.ts';
import { watchMemory } from './memory-watch.ts';

/** A sandbox on this machine: a holder for its files, and a bubblewrap process per command. */
export async function bwrapDriver(
  spec: SandboxSpec,
  options: { readonly readOnly: readonly string[]; readonly runAs: RunAs | undefined },
  signal?: AbortSignal,
): Promise<SandboxDriver> {
  const holder = await startHolder(spec.resources?.diskMb ?? DEFAULT_RESOURCES.diskMb, options.runAs, signal);
  const running = new Set<Promise<unknown>>();
  return {
    provider: 'local',
    workspace: WORKSPACE,
    died: holder.gone.then(() => 'The process with the files of the sandbox has ended.'),
    run: (request, output, stop) => {
      const run = runOne({ holder, spec, ...options }, request, output, stop);
      const settled = run.catch(() => {}).finally(() => running.delete(settled));
      running.add(settled);
      return run;
    },
    close: async () => {
      await holder.stop(); // kills all that runs under it
      await Promise.all(running);
    },
  };
}

interface Place {
  readonly holder: Holder;
  readonly spec: SandboxSpec;
  readonly readOnly: readonly string[];
  readonly runAs: RunAs | undefined;
}

async function runOne(
  place: Place,
  request: DriverRequest,
  output: (chunk: SandboxOutput) => void,
  signal: AbortSignal,
): Promise<DriverExit> {
  const { holder, spec, readOnly, runAs } = place;
  const { memoryMb } = { ...DEFAULT_RESOURCES, ...spec.resources };
  const child = spawn(
    pathOnHost('nsenter'),
    [
      ...['--target', `${holder.pid}`, '--user', '--mount', '--preserve-credentials'],
      ...[`--pid=/proc/${holder.pid}/ns/pid_for_children`],
      ...[pathOnHost('bwrap'), '--args', `${ARGUMENTS_FD}`, '--json-status-fd', `${STATUS_FD}`, '--'],
      ...limited(spec, request.cwd, request.argv),
    ],
    { cwd: '/', env: {}, stdio: [...withoutInherited(6)], ...runAs },
  );
  feed(child, 0, request.stdin ?? new Uint8Array());
  feed(child, ARGUMENTS_FD, Buffer.from(bwrapArguments(spec, readOnly, request.env).join('\0')));

  let complaint = '';
  let status = '';
  let stands = false;
  let limit: string | undefined;
  let watch: Disposable | undefined;
  pipe(child, 1).on('data', (data) => output({ stream: 'stdout', data }));
  pipe(child, 2).on('data', (data) => {
    if (complaint.length < 2000) complaint += data;
    output({ stream: 'stderr', data });
  });
  pipe(child, STATUS_FD).on('data', (data) => {
    status += data;
  });

  // While the sandbox is being set up, killing bubblewrap could leave its child behind. So a command that is stopped by
  // then never gets the signal to start, instead of being killed.
  const kill = (): void => void (stands && child.kill('SIGKILL'));
  signal.addEventListener('abort', kill, { once: true });
  pipe(child, READY_FD).on('error', () => {});
  pipe(child, READY_FD).once('data', () => {
    stands = true;
    pipe(child, READY_FD).end(signal.aborted ? '' : GO);
    watch = watchMemory(child.pid ?? 0, memoryMb * 1024 * 1024, () => {
      limit = `more than ${memoryMb} MiB of memory`;
      kill();
    });
  });

  const [code, by] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve, reject) => {
    child.once('error', (cause) =>
      reject(new SandboxError('FAILED', `Could not enter the sandbox: ${cause.message}`, { cause })),
    );
    child.once('close', (...how) => resolve(how));
  }).finally(() => {
    signal.removeEventListener('abort', kill);
    watch?.[Symbol.dispose]();
  });

  if (signal.aborted) return { exitCode: null };
  const exitCode = /"exit-code": (\d+)/.exec(status)?.[1];
  if (stands && exitCode !== undefined) return { exitCode: Number(exitCode) };
  if (!stands)
    throw new SandboxError('FAILED', `The sandbox did not start: ${complaint.trim() || (code ?? by)}`);
  return { exitCode: null, limit: limit ?? 'killed from outside' };
}

/** A command that ends without reading its input is not an error. */
function feed(child: ChildProcess, fd: number, data: Uint8Array): void {
  pipe(child, fd).on('error', () => {});
  pipe(child, fd).end(data);
}

/** Node makes each `pipe` of a child a socket, despite the types for descriptors beyond stderr. */
function pipe(child: ChildProcess, fd: number): Duplex {
  return child.stdio[fd] as Duplex;
}
