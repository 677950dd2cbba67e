/**
 * Measures the cost of flow: `node --expose-gc --conditions=@hooks/source bench/cost.ts [adapter]`
 *
 * - a run of ten tool calls that return 50 kB together, through a real adapter and a model over HTTP on loopback
 * - a result of 1 MB, and the first check of an argument against it
 * - what a session keeps in memory, however much it reads
 */
import { type AdapterHarness, startModelServer } from '@hooks/conformance';
import {
  AfterToolCall,
  BeforeModelCall,
  BeforeToolCall,
  createHooks,
  type HookProvider,
  type Hooks,
  proceed,
  UserPromptSubmit,
} from '@hooks/core';
import { openRun } from '@hooks/core/adapter';
import { testAgent } from '@hooks/core/testing';
import { HARNESSES } from '@hooks/testing/adapters';
import { processorClock } from '@hooks/testing/bench';
import { z } from 'zod';
import { type FlowOptions, flow } from '../src/index.ts';

const [adapter = 'ai-sdk'] = process.argv.slice(2);
const { harness: url } = HARNESSES.find(({ name }) => name === adapter) ?? {};
if (url === undefined) throw new Error(`There is no adapter ${adapter}.`);
const { harness }: { readonly harness: AdapterHarness } = await import(url);

const OURS = 'GB29NWBK60161331926819';
/** Rows as an account statement has them. */
const rows = (length: number): string => {
  const row = (nth: number) =>
    `{"id": ${nth}, "date": "2025-03-${String((nth % 28) + 1).padStart(2, '0')}", "recipient": "DE${String(nth).padStart(20, '3')}", "subject": "Invoice ${nth} of shop-${nth % 97}.example, paid on March ${(nth % 28) + 1}th", "amount": ${nth * 7}.50}\n`;
  let text = '';
  for (let nth = 0; text.length < length; nth++) text += row(nth);
  return text.slice(0, length);
};

const trusting: FlowOptions = {
  sources: { 'read_\\d': 'trusted' },
  sinks: { send_money: { from: ['recipient'] } },
};
const wary: FlowOptions = { sinks: { send_money: { from: ['recipient'] } } };

/** Ten tools: nine return 50 kB together, and the last one gets an account that is checked. */
const TURNS = 10;
const results = Array.from({ length: TURNS - 1 }, () => rows(Math.ceil(50_000 / (TURNS - 1))));
const server = await startModelServer({
  script: ({ turn }) => {
    if (turn >= TURNS) return { text: 'Done.' };
    const name = turn === TURNS - 1 ? 'send_money' : `read_${turn}`;
    return { toolCalls: [{ name, arguments: { recipient: OURS } }] };
  },
});

const agentWith = (hooks: Hooks) =>
  harness.agent({
    name: 'assistant',
    instructions: 'Be brief.',
    modelUrl: server.url,
    hooks: [hooks],
    attach: { approval: 'deny' },
    tools: [...results, 'ok'].map((returns, nth) => ({
      name: nth === TURNS - 1 ? 'send_money' : `read_${nth}`,
      description: 'A tool.',
      schema: z.object({ recipient: z.string() }),
      execute: () => returns,
    })),
  });

const [ROUNDS, WARM_UP] = [41, 5];
const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = processorClock();
  await work();
  return Number(processorClock() - began) / 1e6;
};
const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
/** Milliseconds of processor time that each takes, the median of rounds in which they take turns. */
async function compared(works: readonly (() => Promise<unknown>)[]): Promise<readonly number[]> {
  const times = works.map((): number[] => []);
  for (let round = -WARM_UP; round < ROUNDS; round++)
    for (const [nth, work] of works.entries()) {
      const time = await timed(work);
      if (round >= 0) times[nth]?.push(time);
    }
  return times.map(median);
}

/** Takes part where flow does, and does nothing. */
const idle: HookProvider = {
  name: 'idle',
  register(hooks) {
    hooks.on(UserPromptSubmit, () => proceed(), { id: 'prompt' });
    hooks.guard(BeforeToolCall, () => proceed(), { id: 'guard' });
    hooks.observe(BeforeModelCall, () => {}, { id: 'model' });
    hooks.observe(AfterToolCall, () => {}, { id: 'after' });
  },
};
const listening = createHooks({ onWarning: () => {} });
listening.use(idle);
const agent = await agentWith(listening);
let session = 0;
const inFramework = async (): Promise<void> => {
  for (let times = 0; times < 5; times++) {
    const id = `s${session++}`;
    const { error } = await agent.run(`Pay ${OURS}`, { stream: false, session: id });
    if (error !== undefined) throw error;
    await listening.session(id).close();
  }
};
/** The same run without framework and model: what is left is flow, and core. Registries are made before. */
const inCore = (policy: Parameters<typeof testAgent>[0], recipient: string) => {
  const agents = Array.from({ length: 5 * (ROUNDS + WARM_UP) }, () => testAgent(policy));
  return async (): Promise<void> => {
    for (const bare of agents.splice(0, 5)) {
      await bare.prompt(`Pay ${OURS}`);
      for (const [nth, text] of results.entries())
        await bare.callTool(`read_${nth}`, { recipient: OURS }, { execute: () => text });
      await bare.callTool('send_money', { recipient }, { execute: () => 'ok' });
    }
  };
};
const LAST = /DE3\d{19}/.exec(results.at(-1) ?? '')?.[0] ?? '';
const [run = 0, bare = 0, ...costs] = await compared([
  inFramework,
  inCore(idle, OURS),
  inCore(flow(wary), OURS),
  inCore(flow(trusting), OURS),
  inCore(flow(trusting), LAST),
  inCore(flow(wary), LAST),
  inCore(flow(), LAST),
]);
console.log(
  `a run with ten tools and 50 kB of results: ${(run / 5).toFixed(1)} ms in ${adapter}, model on loopback`,
);
console.log('\n| the account that is paid stands in | ms | share |\n|---|---|---|');
for (const [nth, name] of [
  'the prompt, nothing trusted',
  'the prompt, all trusted',
  'a trusted result',
  'a result that is not trusted: asks',
  'a result, `flow()`: asks',
].entries()) {
  const cost = ((costs[nth] ?? 0) - bare) / 5;
  console.log(`| ${name} | ${cost.toFixed(2)} | ${((cost * 5 * 100) / run).toFixed(1)} % |`);
}
await agent.close?.();
await server.close();

/** Words with an address, a link or a date now and then. */
const prose = (length: number): string =>
  Array.from(
    { length: Math.ceil(length / 500) },
    (_, nth) =>
      `${'The committee met again and spoke about the garden, the fence and what the neighbours think of it. '.repeat(4)}Write to person${nth}@example.com before June ${(nth % 28) + 1}th, or see https://example.com/${nth}.\n`,
  )
    .join('')
    .slice(0, length);

console.log(
  '\n| 1 MB of | read, not trusted | read, trusted | first check | next check |\n|---|---|---|---|---|',
);
for (const [name, text] of [
  ['rows', rows(1_000_000)],
  ['prose', prose(1_000_000)],
] as const) {
  const measured: number[][] = [[], [], [], []];
  for (let round = -3; round < 15; round++) {
    const one = testAgent(flow(wary));
    const other = testAgent(flow(trusting));
    // Other texts, since an engine may remember what it has found in one.
    const own = `${round} ${text}`;
    const times = [
      await timed(() => one.callTool('read_1', {}, { execute: () => own })),
      await timed(() => other.callTool('read_1', {}, { execute: () => own })),
      await timed(() => other.callTool('send_money', { recipient: 'DE33333333333333300500' })),
      await timed(() => other.callTool('send_money', { recipient: 'DE33333333333333300501' })),
    ];
    if (round >= 0) for (const [nth, time] of times.entries()) measured[nth]?.push(time);
  }
  console.log(`| ${name} | ${measured.map((times) => `${median(times).toFixed(1)} ms`).join(' | ')} |`);
}

const heap = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 1e6;
};
if (globalThis.gc !== undefined) {
  console.log('\nmemory of a session, MB\n| read and written | kept |\n|---|---|');
  const before = heap();
  const hooks = createHooks({ onWarning: () => {} });
  hooks.use(flow(trusting));
  const tools = openRun(hooks, { sessionId: 'long' });
  await tools.begin();
  let [total, next] = [0, 1];
  for (let nth = 0; total < 130; nth++) {
    const text = `${nth} ${rows(250_000)}`;
    await tools.submit([{ text: `Pay ${OURS} ${text}` }]);
    const call = (toolName: string, input: object) =>
      tools.callTool({ toolName, input, callId: `${toolName} ${nth}` }, () => text);
    await call('read_1', { name: 'a' });
    await call('fetch', { name: 'a' });
    await call('send_money', { recipient: OURS, subject: text });
    total += (4 * text.length) / 1e6;
    if (total >= next) {
      console.log(`| ${total.toFixed(0)} | ${(heap() - before).toFixed(1)} |`);
      next *= 2;
    }
  }
  const many = heap();
  const agents = [];
  for (let nth = 0; nth < 1000; nth++) {
    const one = testAgent(flow(wary));
    await one.prompt(`Pay ${OURS}`);
    await one.callTool('read_1', { name: 'a' }, { execute: () => rows(1000) });
    agents.push(one);
  }
  console.log(
    `\n${agents.length} sessions that read 1 kB each: ${(((heap() - many) / agents.length) * 1000).toFixed(0)} kB each, with their registries`,
  );
}
