import { randomUUID } from 'node:crypto';
import { posix } from 'node:path';
import { argvOf, checkedEnv } from './checked-command.ts';
import type { ExecuteOptions, SandboxCommand } from './command.ts';
import type { SandboxDriver } from './driver.ts';
import { SandboxError } from './error.ts';
import { OutputBuffer } from './output.ts';
import type { SandboxSession } from './provider.ts';
import type { SandboxResult } from './result.ts';
import type { SandboxSpec } from './spec.ts';
import { diffAgainst, pack, unpack } from './workspace-copy.ts';

const MIB = 1024 * 1024;
const CARRIED_BYTES = 64 * MIB;

/** Makes a session from a provider's driver: everything that is the same for all providers. */
export async function openSession(
  driver: SandboxDriver,
  spec: SandboxSpec,
  signal?: AbortSignal,
): Promise<SandboxSession> {
  const session = new DriverSession(driver, spec.env ?? {});
  try {
    await session.prepare(spec, signal);
    return session;
  } catch (cause) {
    await session.close();
    throw cause;
  }
}

class DriverSession implements SandboxSession {
  readonly id = randomUUID();
  readonly provider: string;
  readonly workspace: string;
  readonly #driver: SandboxDriver;
  readonly #env: Readonly<Record<string, string>>;
  readonly #running = new Map<string, AbortController>();
  #status: SandboxSession['status'] = 'open';
  #failure = '';
  #original: Uint8Array | undefined;
  #since = 0;
  #closing: Promise<void> | undefined;

  constructor(driver: SandboxDriver, env: Readonly<Record<string, string>>) {
    this.#driver = driver;
    this.#env = env;
    this.provider = driver.provider;
    this.workspace = driver.workspace;
    void driver.died?.then((reason) => {
      if (this.#status !== 'open') return;
      this.#status = 'failed';
      this.#failure = reason;
    });
  }

  get status(): SandboxSession['status'] {
    return this.#status;
  }

  /** Copies the workspace in and records the time in the sandbox. */
  async prepare(spec: SandboxSpec, signal?: AbortSignal): Promise<void> {
    if (spec.workspace?.kind === 'copy') {
      this.#original = await pack(spec.workspace, signal);
      await unpack(this, this.#original, signal);
    }
    const now = await this.#must(['date', '+%s.%N'], 'tell the time', signal ? { signal } : {});
    this.#since = Number.parseFloat(now.stdout) - CLOCK_TICK_SECONDS;
  }

  async execute(command: SandboxCommand, options: ExecuteOptions = {}): Promise<SandboxResult> {
    const result = await this.#execute(command, options);
    return command.artifacts ? { ...result, artifacts: await this.artifacts() } : result;
  }

  cancel(commandId: string): boolean {
    const running = this.#running.get(commandId);
    running?.abort(CANCELED);
    return running !== undefined;
  }

  async writeFile(path: string, data: string | Uint8Array): Promise<void> {
    const script = 'mkdir -p -- "$(dirname -- "$1")" && cat > "$1"';
    await this.#must(['sh', '-c', script, 'sh', this.#path(path)], `write ${path}`, { stdin: data });
  }

  async readFile(path: string): Promise<Uint8Array> {
    const encoded = await this.#must(['base64', '-w0', '--', this.#path(path)], `read ${path}`, {
      maxOutputBytes: 4 * Math.ceil(CARRIED_BYTES / 3),
    });
    if (encoded.truncated)
      throw new SandboxError(
        'LIMIT',
        `${path} is larger than ${CARRIED_BYTES / MIB} MiB, the limit of readFile.`,
      );
    return Buffer.from(encoded.stdout, 'base64');
  }

  async artifacts(): Promise<readonly string[]> {
    const find = ['find', '.', '-type', 'f', '-newermt', `@${this.#since}`, '-print0'] as const;
    const listed = await this.#must(find, 'list the workspace', {});
    if (listed.truncated) throw new SandboxError('LIMIT', 'The workspace has too many new files to list.');
    return listed.stdout
      .split('\0')
      .filter((path) => path !== '')
      .map((path) => path.replace(/^\.\//, ''))
      .sort();
  }

  async changes(): Promise<string> {
    if (this.#original === undefined)
      throw new SandboxError(
        'UNSUPPORTED',
        "changes() compares a copied workspace: open the sandbox with workspace: { kind: 'copy', path }.",
      );
    return diffAgainst(this, this.#original);
  }

  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  async #close(): Promise<void> {
    this.#status = 'closed';
    for (const running of this.#running.values()) running.abort(CANCELED);
    await this.#driver.close();
  }

  async #execute(command: SandboxCommand, options: ExecuteOptions): Promise<SandboxResult> {
    if (this.#status === 'closed') throw new SandboxError('CLOSED', 'The sandbox session is closed.');
    if (this.#status === 'failed') throw new SandboxError('FAILED', this.#failure);
    const id = command.id ?? randomUUID();
    if (this.#running.has(id))
      throw new SandboxError('FAILED', `A command with the id ${id} is already running.`);
    options.signal?.throwIfAborted();
    const argv = argvOf(command);
    const env = checkedEnv({ ...this.#env, ...command.env });

    const timeoutMs = Math.min(command.timeoutMs ?? 60_000, LONGEST_TIMER_MS);
    const kill = new AbortController();
    const onAbort = (): void => kill.abort(CANCELED);
    const timer = setTimeout(() => kill.abort(TIMED_OUT), timeoutMs);
    options.signal?.addEventListener('abort', onAbort, { once: true });
    this.#running.set(id, kill);

    const buffers = {
      stdout: new OutputBuffer(command.maxOutputBytes ?? MIB),
      stderr: new OutputBuffer(command.maxOutputBytes ?? MIB),
    };
    const started = performance.now();
    try {
      const exit = await this.#driver.run(
        {
          argv,
          cwd: this.#path(command.cwd ?? '.'),
          env,
          stdin: typeof command.stdin === 'string' ? Buffer.from(command.stdin) : command.stdin,
          timeoutMs,
        },
        (chunk) => {
          buffers[chunk.stream].write(chunk.data);
          try {
            options.onOutput?.(chunk);
          } catch (cause) {
            kill.abort(cause);
          }
        },
        kill.signal,
      );
      if (kill.signal.aborted && !OURS.has(kill.signal.reason)) throw kill.signal.reason;
      const killed = exit.exitCode === null ? kill.signal.reason : undefined;
      return {
        exitCode: exit.exitCode,
        stdout: buffers.stdout.text(),
        stderr: buffers.stderr.text(),
        timedOut: killed === TIMED_OUT,
        canceled: killed === CANCELED,
        ...(exit.limit !== undefined && killed === undefined && { limit: exit.limit }),
        truncated: buffers.stdout.dropped + buffers.stderr.dropped > 0,
        durationMs: performance.now() - started,
      };
    } finally {
      clearTimeout(timer);
      options.signal?.removeEventListener('abort', onAbort);
      this.#running.delete(id);
    }
  }

  /** Runs one of our own programs. Anything but success is a failure of the sandbox. */
  async #must(
    argv: readonly [string, ...string[]],
    what: string,
    {
      stdin,
      maxOutputBytes,
      ...options
    }: ExecuteOptions & { stdin?: string | Uint8Array; maxOutputBytes?: number },
  ): Promise<SandboxResult> {
    const result = await this.#execute(
      {
        argv,
        cwd: this.workspace,
        ...(stdin !== undefined && { stdin }),
        maxOutputBytes: maxOutputBytes ?? 4 * MIB,
      },
      options,
    );
    if (result.exitCode === 0) return result;
    const why = result.timedOut ? 'timed out' : (result.limit ?? result.stderr.trim());
    throw new SandboxError('FAILED', `The sandbox failed to ${what}: ${why}`);
  }

  #path(path: string): string {
    return posix.resolve(this.workspace, path);
  }
}

/** A longer timer would fire immediately. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
const CANCELED = Symbol('canceled');
const TIMED_OUT = Symbol('timed out');
/** The output watcher threw any other reason to stop a command. */
const OURS: ReadonlySet<unknown> = new Set([CANCELED, TIMED_OUT]);
/** File times come from a clock that may lag behind `date` by one tick. */
const CLOCK_TICK_SECONDS = 0.01;
