import type { AdapterHarness } from '@hooks/conformance';
import { HARNESSES } from '@hooks/testing/adapters';
import type { FlowOptions } from '../../src/index.ts';
import { play, type Score } from './play.ts';
import { looser, policies } from './policies.ts';
import { readSuite } from './suite.ts';

/** `node --conditions=@hooks/source bench/agentdojo/index.ts [adapter] [--why]` */
const [adapter = 'ai-sdk'] = process.argv.slice(2).filter((one) => !one.startsWith('--'));
const { harness: url } = HARNESSES.find(({ name }) => name === adapter) ?? {};
if (url === undefined) throw new Error(`There is no adapter ${adapter}.`);
const { harness }: { readonly harness: AdapterHarness } = await import(url);

console.log('| suite | policy | untouched tasks | questions a task | attacks stopped |');
console.log('|---|---|---|---|---|');
const rows: readonly (readonly [string, string, FlowOptions])[] = [
  ...['banking', 'slack'].flatMap((name) => [
    [name, 'ours', policies[name] ?? {}] as const,
    [name, '`flow()`', {}] as const,
    [name, '`flow()` with our sources', sourcesOf(name)] as const,
  ]),
  ...Object.entries(looser).map(([label, options]) => ['slack', label, options] as const),
];
for (const [name, label, options] of rows) {
  const score = await play(readSuite(name), options, harness, { strict: adapter === 'openai-agents' });
  console.log(row(name, label, score));
  if (process.argv.includes('--why')) console.log([...score.asked, ...score.through].join('\n'));
}

function sourcesOf(name: string): FlowOptions {
  const { sources } = policies[name] ?? {};
  return sources === undefined ? {} : { sources };
}

function row(suite: string, policy: string, { tasks, untouched, questions, pairs, stopped }: Score): string {
  return `| ${suite} | ${policy} | ${untouched} of ${tasks} | ${(questions / tasks).toFixed(2)} | ${stopped} of ${pairs} |`;
}
