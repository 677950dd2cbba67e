import type { AdapterHarness } from '@hooks/conformance';
import { HARNESSES } from '@hooks/testing/adapters';
import { play, type Score } from './play.ts';
import { policies } from './policies.ts';
import { readSuite } from './suite.ts';

/** `node --conditions=@hooks/source bench/agentdojo/index.ts [adapter] [--why]` */
const [adapter = 'ai-sdk'] = process.argv.slice(2).filter((one) => !one.startsWith('--'));
const { harness: url } = HARNESSES.find(({ name }) => name === adapter) ?? {};
if (url === undefined) throw new Error(`There is no adapter ${adapter}.`);
const { harness }: { readonly harness: AdapterHarness } = await import(url);

console.log('| suite | policy | untouched tasks | questions a task | attacks stopped |');
console.log('|---|---|---|---|---|');
for (const name of ['banking', 'slack'])
  for (const [label, options] of [
    ['ours', policies[name] ?? {}],
    ['`flow()`', {}],
  ] as const) {
    const score = await play(readSuite(name), options, harness);
    console.log(row(name, label, score));
    if (process.argv.includes('--why')) console.log([...score.asked, ...score.through].join('\n'));
  }

function row(suite: string, policy: string, { tasks, untouched, questions, pairs, stopped }: Score): string {
  return `| ${suite} | ${policy} | ${untouched} of ${tasks} | ${(questions / tasks).toFixed(2)} | ${stopped} of ${pairs} |`;
}
