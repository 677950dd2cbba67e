import { once } from 'node:events';
import { judge } from '@hooks/shell-safety';
import { analyzeCallInWorker } from '@hooks/shell-safety/worker';

/* Prints the verdicts on some commands, and how many workers were started so far. */
let started = 0;
const ends: Promise<unknown>[] = [];
process.on('worker', (worker) => {
  started++;
  ends.push(once(worker, 'exit'));
});

async function ruleOf(command: string, timeoutMs?: number): Promise<string> {
  const { effects } = await analyzeCallInWorker([command], { command }, timeoutMs ? { timeoutMs } : {});
  return judge(effects)?.rule ?? 'fine';
}

const commands = ['ls', 'rm -rf ~', 'git status', 'git reset --hard'];
const before = await Promise.all(commands.map((command) => ruleOf(command, 60_000)));
console.log(before.join(' '), started);

const stopped = ruleOf('endless', 500);
const waiting = commands.map((command) => ruleOf(command, 60_000));
console.log(await stopped, (await Promise.all(waiting)).join(' '), started);
// The thread of the endless analysis ends.

await ends[0];
await analyzeCallInWorker(['ls'], () => {}).catch((error: Error) => console.log(error.name));
console.log(await ruleOf('rm -rf /', 60_000), started);
