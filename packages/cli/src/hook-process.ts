import { readSync, writeSync } from 'node:fs';
import type { Reply } from './agents/agent.ts';
import { type HookProgram, runAsHook } from './commands/run.ts';
import { messageOf } from './program.ts';

/** Agents kill a hook after 600 seconds, which `hooks install` sets, and then run the tool. */
const LIMIT_MS = 590_000;

/**
 * Is the hook of an agent with the whole process. An agent takes everything but an answer, or exit code 2, for leave to
 * run the tool. So whatever ends this process, an error that nobody catches, `process.exit()` or a wait for something
 * that never comes, ends in the closed answer.
 */
export async function runHookProcess(args: readonly string[]): Promise<void> {
  let close = (reason: string): Reply => ({ exitCode: 2, stderr: reason });
  let ended: number | undefined;
  const say = (reply: Reply): number => {
    ended ??= writeReply(reply, answerFile(args));
    return ended;
  };
  const fail = (error: unknown): never => process.exit(say(close(`hooks run failed: ${messageOf(error)}`)));

  divertStdout();
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  process.on('beforeExit', () => fail('it has nothing left to wait for, and has not answered'));
  process.on('exit', () => {
    process.exitCode = say(close('hooks run failed: the process was ended before it answered'));
  });
  setTimeout(() => fail(`it took longer than ${LIMIT_MS / 1000} seconds`), LIMIT_MS).unref();

  try {
    const { reply, failed, finish } = await runAsHook(args, hookProcess, (closed) => {
      close = closed;
    });
    // What a policy forgot to await, and has failed already, is heard of now.
    await new Promise(setImmediate);
    say(reply);
    await finish();
    const warm = args.indexOf('--warm');
    if (warm >= 0 && !failed) (await import('./warm/start-worker.ts')).startWorker(args, hookProcess);
    process.exit();
  } catch (error) {
    fail(error);
  }
}

/**
 * This process. What it reads and writes are files here, as pipes and terminals are: to load Node's streams takes
 * longer than most hooks take to answer.
 */
const hookProcess: HookProgram = {
  readStdin,
  stdout: { write: (text) => write(1, text) },
  stderr: { write: (text) => write(2, text) },
  env: process.env,
  self: [process.execPath, ...process.execArgv, process.argv[1] ?? ''],
  cwd: () => process.cwd(),
};

/** Stdout is the agent's. What a policy prints there would make its answer unreadable, so it goes to stderr. */
function divertStdout(): void {
  Object.defineProperty(process, 'stdout', {
    configurable: true,
    enumerable: true,
    get: () => process.stderr,
  });
}

/**
 * The file that the answer is written to: `hook.sh` gives another one than stdout, which then is stderr also for the
 * programs that a policy starts.
 */
function answerFile(args: readonly string[]): number {
  return args.at(-2) === '--answer-fd' ? Number(args.at(-1)) : 1;
}

/** Returns the exit code. An answer that nobody can read is none. */
function writeReply({ stdout, stderr, exitCode }: Reply, file: number): number {
  try {
    if (stderr !== undefined) write(2, `${stderr}\n`);
  } catch {
    // The exit code says it, too.
  }
  try {
    if (stdout !== undefined) write(file, `${JSON.stringify(stdout)}\n`);
    return exitCode;
  } catch {
    return 2;
  }
}

async function readStdin(): Promise<string> {
  const chunks: Buffer[] = [];
  const chunk = Buffer.allocUnsafe(64 * 1024);
  for (;;) {
    const length = patiently(() => readSync(0, chunk));
    if (length === 0) return Buffer.concat(chunks).toString('utf8');
    chunks.push(Buffer.from(chunk.subarray(0, length)));
  }
}

function write(file: number, text: string): void {
  let rest = Buffer.from(text);
  while (rest.length > 0) rest = rest.subarray(patiently(() => writeSync(file, rest)));
}

const never = new Int32Array(new SharedArrayBuffer(4));

/** Waits for a pipe that its other end made non-blocking. */
function patiently(once: () => number): number {
  for (;;) {
    try {
      return once();
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error;
      Atomics.wait(never, 0, 0, 1);
    }
  }
}
