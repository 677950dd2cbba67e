import { spawn } from 'node:child_process';
import { readOptions } from '../commands/run.ts';
import type { Program } from '../program.ts';

/** Starts a process that answers the next events with a loaded policy. It outlives this process. */
export function startWorker(args: readonly string[], { self, cwd }: Program): void {
  const { warm = '', as = '', file = [], policy = [] } = readOptions(args);
  const [node = '', ...words] = self;
  const run = ['--as', as, ...options('--file', file), ...options('--policy', policy)];
  const child = spawn(node, [...words, 'warm-worker', warm, ...run], {
    cwd: cwd(),
    detached: true,
    stdio: 'ignore',
  });
  // If this fails, the next event starts cold as well.
  child.on('error', () => {});
  child.unref();
}

function options(name: string, values: readonly string[]): readonly string[] {
  return values.flatMap((value) => [name, value]);
}
