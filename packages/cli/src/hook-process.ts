import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { devNull } from 'node:os';
import type { Reply } from './agents/agent.ts';
import { AGENTS } from './agents/all.ts';
import { type HookProgram, isLimit, runAsHook } from './commands/run.ts';
import { counted } from './counted.ts';
import { problemOf } from './problem.ts';
import { closeAfter } from './watchdog.ts';

/** `hooks install` sets a timeout of 600 seconds, after which an agent kills the hook and runs the tool. */
const LIMIT_SECONDS = 590;

/**
 * Makes the whole process the hook of an agent. An agent takes anything but an answer or exit code 2 as permission to run
 * the tool. So however this process ends (by an uncaught error, `process.exit()`, or a promise that never settles), it
 * gives the closed answer.
 */
export async function runHookProcess(args: readonly string[]): Promise<void> {
  let close = (reason: string): Reply => ({ exitCode: 2, stderr: reason });
  let ended: number | undefined;
  const files = filesOf(args);
  const say = (reply: Reply): number => {
    ended ??= writeReply(reply, files);
    return ended;
  };
  const fail = (error: unknown): never => process.exit(say(close(`hooks run failed: ${problemOf(error)}`)));

  divertOutput(files.error);
  process.on('uncaughtException', fail);
  process.on('unhandledRejection', fail);
  process.on('beforeExit', () => fail('the process has nothing left to do and has not answered'));
  process.on('exit', () => {
    process.exitCode = say(close('hooks run failed: the process exited before it answered'));
  });

  try {
    const limit = limitOf(args);
    // The agent counts from the start of the process, which takes seconds on a busy machine.
    const left = Math.max(1, (limit - process.uptime()) * 1000);
    closeAfter(left, () => fail(`it took longer than ${counted(limit, 'second')}`));
    const { reply, failed, cold, finish } = await runAsHook(args, hookProcess, (closed) => {
      close = closed;
    });
    // Let rejections of promises that a policy did not await surface now.
    await new Promise(setImmediate);
    say(reply);
    await finish();
    const warm = args.indexOf('--warm');
    if (warm >= 0 && !failed && !cold)
      (await import('./warm/start-worker.ts')).startWorker(args, hookProcess);
    process.exit();
  } catch (error) {
    fail(error);
  }
}

/** The value of `--limit`, in seconds. `answerEvent` refuses one that is none. */
function limitOf(args: readonly string[]): number {
  const optionOf = (option: string): string | undefined =>
    args.includes(option) ? args[args.indexOf(option) + 1] : undefined;
  const given = optionOf('--limit');
  const as = optionOf('--as') ?? '';
  return isLimit(given) ? Number(given) : (Object.hasOwn(AGENTS, as) && AGENTS[as]?.limit) || LIMIT_SECONDS;
}

/**
 * This process. It reads and writes file descriptors, because loading Node's streams takes longer than most hooks take to
 * answer.
 */
const hookProcess: HookProgram = {
  readStdin,
  stdout: { write: (text) => process.stdout.write(text) },
  stderr: { write: (text) => process.stderr.write(text) },
  env: process.env,
  self: [process.execPath, ...process.execArgv, process.argv[1] ?? ''],
  cwd: () => process.cwd(),
};

/** The file descriptors of the answer and of messages. */
interface Files {
  readonly answer: number;
  readonly error: number;
}

/** `hook.sh` passes others than stdout and stderr, which the programs that a policy starts inherit. */
function filesOf(args: readonly string[]): Files {
  const fileOf = (option: string, usual: number): number =>
    args.includes(option) ? Number(args[args.indexOf(option) + 1]) : usual;
  return { answer: fileOf('--answer-fd', 1), error: fileOf('--error-fd', 2) };
}

/**
 * Makes the policy's output messages, because on stdout it would make the answer unreadable. If messages have their own
 * file, stdout and stderr become the null device, so that a program which the policy starts does not hold them open.
 */
function divertOutput(error: number): void {
  if (error !== 2) {
    for (const file of [1, 2]) {
      // The lowest free descriptor is the one that was just closed.
      closeSync(file);
      openSync(devNull, 'w');
    }
  }
  let messages: NodeJS.WritableStream | undefined;
  const get = (): NodeJS.WritableStream => {
    messages ??= error === 2 ? process.stderr : streamTo(error);
    return messages;
  };
  Object.defineProperty(process, 'stdout', { configurable: true, enumerable: true, get });
  if (error !== 2) Object.defineProperty(process, 'stderr', { configurable: true, enumerable: true, get });
}

/** A stream that has written when `write` returns. Node's streams are loaded only for a policy that prints. */
function streamTo(file: number): NodeJS.WritableStream {
  const { Writable } = process.getBuiltinModule('node:stream');
  return new Writable({
    decodeStrings: false,
    write: (chunk: string | Buffer, _, done) => {
      write(file, chunk);
      done();
    },
  });
}

/** Tells `hook.sh` that there is an answer. 0 does not: a policy can end the process with it before it has answered. */
const ANSWERED = 100;

/** Writes the reply and returns the exit code. If the answer cannot be written, the exit code refuses. */
function writeReply({ stdout, stderr, exitCode }: Reply, { answer, error }: Files): number {
  try {
    if (stderr !== undefined) write(error, `${stderr}\n`);
  } catch {
    // The exit code carries the answer as well.
  }
  try {
    if (stdout !== undefined) write(answer, `${JSON.stringify(stdout)}\n`);
    return exitCode === 0 && answer !== 1 ? ANSWERED : exitCode;
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

function write(file: number, text: string | Buffer): void {
  let rest = typeof text === 'string' ? Buffer.from(text) : text;
  while (rest.length > 0) rest = rest.subarray(patiently(() => writeSync(file, rest)));
}

const never = new Int32Array(new SharedArrayBuffer(4));

/** Repeats a read or write on a pipe that its other end made non-blocking. */
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
