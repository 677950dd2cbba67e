import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import type { Stretch, Stretched } from './go-on.ts';

/** They load LangChain once, and each goes on with stretches of several runs. */
const processes: ChildProcess[] = [];

/** Goes on with a run in the nth other process. Rejects where that ends without a report. */
export async function inAnotherProcess(nth: number, stretch: Stretch): Promise<Stretched> {
  const child = processes[nth]?.connected ? processes[nth] : start();
  processes[nth] = child;
  const reported = new AbortController();
  const ended = once(child, 'close', reported).then(() => {
    throw new Error('The other process ended without a report.');
  });
  ended.catch(() => {});
  child.send(stretch);
  try {
    const [report] = await Promise.race([once(child, 'message'), ended]);
    return report;
  } finally {
    reported.abort();
  }
}

/** Ends the other processes. */
export function endProcesses(): void {
  for (const child of processes.splice(0)) if (child.connected) child.disconnect();
}

function start(): ChildProcess {
  return fork(new URL('./child.ts', import.meta.url), {
    execArgv: ['--conditions=@hooks/source'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
}
