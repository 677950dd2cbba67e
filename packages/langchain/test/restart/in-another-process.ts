import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Stretch, Stretched } from './go-on.ts';

/** Goes on with a run in a process of its own. Rejects where that ends without a report. */
export async function inAnotherProcess(stretch: Stretch): Promise<Stretched> {
  const child = fork(fileURLToPath(new URL('./child.ts', import.meta.url)), {
    execArgv: ['--conditions=@hooks/source'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'close').then(() => {
    throw new Error('The other process ended without a report.');
  });
  child.send(stretch);
  const [report] = await Promise.race([once(child, 'message'), ended]);
  await ended.catch(() => {});
  return report;
}
