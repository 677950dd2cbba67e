import { type ChildProcess, type ForkOptions, fork } from 'node:child_process';

/** Starts `agent.ts` as a separate process. */
export function startAgent(args: readonly string[], options: ForkOptions = {}): ChildProcess {
  return fork(new URL('./agent.ts', import.meta.url), args, {
    execArgv: ['--conditions=@hooks/source'],
    ...options,
  });
}
