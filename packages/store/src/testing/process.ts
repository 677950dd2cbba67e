import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Store } from '../store.ts';

/** What the module of a store under test exports. */
export interface StoreModule {
  /**
   * Opens the store that has this name: the same one in every process, and an empty one for a new name.
   *
   * @param port where to connect, on loopback, in place of the server's own port; given only where the store under test has a
   *   `server` with a `port`
   */
  open(space: string, port?: number): Store | Promise<Store>;
}

/** What another process can be told to do. */
export type TaskName =
  | 'append'
  | 'appendForever'
  | 'request'
  | 'requestForever'
  | 'claim'
  | 'count'
  | 'hold'
  | 'write'
  | 'writeAndDie';

/** What another process is told, as plain JSON. */
export interface Order {
  readonly module: string;
  readonly space: string;
  readonly task: TaskName;
  readonly clockAheadMs: number;
}

/** Another process, which has opened the store. */
export interface OtherProcess {
  /** Tells it to do its task; resolves to what came of it. */
  run(): Promise<unknown>;
  /** Ends it at once (SIGKILL). */
  kill(): Promise<void>;
}

/** Starts a process that opens the store and waits. */
export async function startProcess(order: Order): Promise<OtherProcess> {
  const own = fileURLToPath(import.meta.url);
  const worker = fileURLToPath(new URL(`./worker${extname(own)}`, import.meta.url));
  const execArgv = extname(own) === '.ts' ? ['--conditions=@hooks/source'] : [];
  const child = fork(worker, { execArgv, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] });
  let complaints = '';
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    complaints += text;
  });
  child.send(order);
  await message(child, () => complaints);
  return {
    async run() {
      child.send('go');
      const { result } = (await message(child, () => complaints)) as { readonly result: unknown };
      return result;
    },
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

async function message(child: ChildProcess, complaints: () => string): Promise<unknown> {
  const ended = new AbortController();
  const options = { signal: ended.signal };
  const [first] = await Promise.race([
    once(child, 'message', options),
    once(child, 'exit', options).then(([code]) => {
      throw new Error(`The other process ended with ${code}: ${complaints()}`);
    }),
  ]).finally(() => ended.abort());
  return first;
}
