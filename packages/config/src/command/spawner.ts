import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { type CommandRequest, type CommandResult, neverStarted } from './execute.ts';
import type { SpawnerAnswer, SpawnerRequest } from './spawner-process.ts';

/** The parent's side of the spawner process. It does not keep the program alive. */
export class Spawner {
  #child: ChildProcess | undefined;
  #lastId = 0;
  readonly #waiting = new Map<number, (result: CommandResult) => void>();

  /** Like `executeCommand`, in the spawner. */
  run(request: CommandRequest, signal?: AbortSignal): Promise<CommandResult> {
    if (signal?.aborted) return Promise.resolve({ ...neverStarted, aborted: true });
    this.#child ??= this.#fork();
    const id = ++this.#lastId;
    return new Promise((resolve) => {
      const abort = (): void => this.#send({ id, kind: 'abort' });
      this.#waiting.set(id, (result) => {
        signal?.removeEventListener('abort', abort);
        this.#waiting.delete(id);
        if (this.#waiting.size === 0) this.#idle();
        resolve(result);
      });
      this.#child?.ref();
      this.#child?.channel?.ref();
      this.#send({ id, kind: 'run', request });
      signal?.addEventListener('abort', abort, { once: true });
    });
  }

  /** Ends the process and all its commands. */
  close(): void {
    if (this.#child?.connected) this.#child.disconnect();
  }

  #fork(): ChildProcess {
    const child = fork(new URL(`./spawner-process${extname(import.meta.url)}`, import.meta.url), {
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      execArgv: [],
      env: { ...process.env, NODE_OPTIONS: '' },
    });
    child.on('message', ({ id, result }: SpawnerAnswer) => this.#waiting.get(id)?.(result));
    child.on('error', () => this.#lost(child));
    child.on('exit', () => this.#lost(child));
    child.on('disconnect', () => this.#lost(child));
    child.unref();
    child.channel?.unref();
    return child;
  }

  #send(message: SpawnerRequest): void {
    // The callback swallows the error of a channel that just closed; `disconnect` then fails the pending runs.
    this.#child?.send(message, () => {});
  }

  #idle(): void {
    this.#child?.unref();
    this.#child?.channel?.unref();
  }

  /** Fails the pending runs. The next run starts a new spawner. */
  #lost(child: ChildProcess): void {
    if (this.#child !== child) return;
    this.#child = undefined;
    for (const answer of [...this.#waiting.values()]) answer(lost);
  }
}

const lost: CommandResult = { ...neverStarted, error: 'the process that runs hook commands was killed' };
