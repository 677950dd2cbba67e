import { measure, report } from '@hooks/testing/bench';
import { attachAdapter, native, openRun, SeenMessages, type SupportTable } from '../src/adapter/index.ts';
import {
  AfterToolCall,
  BeforeModelCall,
  BeforeToolCall,
  createHooks,
  type Hooks,
  type ModelMessage,
  modify,
  proceed,
  TransformToolResult,
} from '../src/index.ts';
import { callTool, hashInput } from '../src/tool-call/index.ts';

/*
 * What grows with load, and what must not: `node --expose-gc --conditions=@hooks/source bench/load.ts`. Ratios are to the
 * first row of each table; figures of memory are what is left after a collection.
 */

/** `HOOKS_BENCH=once` only shows that it runs. */
const SHARE = process.env['HOOKS_BENCH'] === 'once' ? 100 : 1;

const heap = (): number => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 2 ** 20;
};

async function left(name: string, work: () => unknown): Promise<void> {
  const before = heap();
  await work();
  console.log(`| ${name} | ${(heap() - before).toFixed(1)} |`);
}

const supports: SupportTable = {
  adapter: 'bench',
  events: {
    before_tool_call: { fires: native(), decisions: { block: native(), 'modify.input': native() } },
  },
};

/** A table of rows, as a database returns it: 5 MB as JSON. */
const rows = Array.from({ length: 40_000 / SHARE }, (_, id) => ({
  id,
  name: `A name of row ${id}`,
  address: { street: `Street ${id}`, city: 'Berlin', tags: ['a', 'b'] },
}));

async function results(): Promise<void> {
  const observed = createHooks();
  observed.observe(AfterToolCall, () => {});
  const everywhere = createHooks();
  for (const _ of [1, 2, 3]) {
    everywhere.on(TransformToolResult, () => proceed());
    everywhere.observe(AfterToolCall, () => {});
  }
  const replaced = createHooks();
  replaced.on(TransformToolResult, ({ output }) => modify({ output: [...(output as unknown[])] }));
  const through = (hooks: Hooks) => ({
    run: async (times: number) => {
      for (let time = 0; time < times; time++)
        await callTool(hooks, { session: hooks.session('s'), toolName: 'rows', input: {} }, () => rows);
    },
  });
  const input = { rows };
  const measured = await measure(
    [
      { name: 'structuredClone', run: (times) => repeat(times, () => structuredClone(rows)) },
      { name: 'a call with this result, observed', ...through(observed) },
      { name: 'the same, six hooks see it', ...through(everywhere) },
      { name: 'the same, a hook replaces it', ...through(replaced) },
      {
        name: 'the hash of an input of that size',
        run: (times) => repeatAwaiting(times, () => hashInput(input)),
      },
    ],
    1,
    15,
  );
  report('A result of 5 MB in 80,000 objects', measured, {
    'a call with this result, observed': 1.5,
    'the same, six hooks see it': 1.5,
    'the hash of an input of that size': 2.5,
  });
}

function repeat(times: number, work: () => unknown): void {
  for (let time = 0; time < times; time++) work();
}

async function repeatAwaiting(times: number, work: () => Promise<unknown>): Promise<void> {
  for (let time = 0; time < times; time++) await work();
}

async function messages(): Promise<void> {
  const hooks = createHooks();
  hooks.on(BeforeModelCall, () => proceed());
  const session = hooks.session('s');
  const natives = Array.from({ length: 2000 }, (_, at) => ({ content: `message ${at}` }));
  const seen = new SeenMessages<{ content: string }>();
  const ask = (read: (native: { content: string }) => ModelMessage) =>
    hooks.dispatch(BeforeModelCall, { session, messages: natives.map(read), tools: [], iteration: 1 });
  const anew = (native: { content: string }): ModelMessage => ({
    role: 'user',
    text: native.content,
    native,
  });
  const once = (native: { content: string }): ModelMessage =>
    seen.of(native, { role: 'user' }, native.content, () => native.content);
  const measured = await measure(
    [
      { name: 'each message read and sealed anew', run: (times) => repeat(times, () => void ask(anew)) },
      {
        name: 'as an adapter does that has sent it before',
        run: (times) => repeat(times, () => void ask(once)),
      },
    ],
    20,
    41,
  );
  report('A model call with a history of 2,000 messages and one hook', measured);
}

async function registries(): Promise<void> {
  const filled = (count: number): Hooks => {
    const hooks = createHooks();
    for (let at = 0; at < count; at++) hooks.on(BeforeToolCall.matching(`tool_${at}`), () => proceed());
    return hooks;
  };
  const [small, large] = [filled(50), filled(5000 / SHARE)];
  const call = (hooks: Hooks) => ({
    run: (times: number) =>
      repeatAwaiting(times, () =>
        callTool(hooks, { session: hooks.session('s'), toolName: 'tool_7', input: {} }, () => 'done'),
      ),
  });
  report(
    'A call of a tool that one hook is for',
    await measure(
      [
        { name: 'of 50', ...call(small) },
        { name: 'of 5,000', ...call(large) },
      ],
      500,
      41,
    ),
    { 'of 5,000': 1.1 },
  );
  report(
    'Registering, for each hook',
    await measure(
      [
        { name: '50 hooks', run: (times) => repeat(times / 50, () => filled(50)) },
        { name: '5,000 hooks', run: (times) => repeat(times / 5000, () => filled(5000 / SHARE)) },
      ],
      10_000,
      15,
    ),
    { '5,000 hooks': 2 },
  );
  const tools = Array.from({ length: 300 }, (_, at) => `tool_${at}`);
  attachAdapter(large, { supports, tools });
  report(
    'With 300 tools and 5,000 hooks',
    await measure(
      [
        { name: 'the hooks of each tool, compiled', run: () => compileAll(large, tools) },
        { name: 'unmatched()', run: () => large.unmatched() },
      ],
      1,
      15,
    ),
  );
}

/** Registers and removes a hook, so that nothing is known, and then compiles a chain for each tool. */
function compileAll(hooks: Hooks, tools: readonly string[]): void {
  hooks.on(BeforeToolCall, () => proceed())[Symbol.dispose]();
  for (const tool of tools) hooks.get(BeforeToolCall, tool);
}

async function oneRun(hooks: Hooks, calls: number, input: unknown, sessionId?: string): Promise<void> {
  const run = openRun([{ hooks }], { sessionId });
  for (let call = 0; call < calls; call++)
    await run.callTool({ toolName: 'exec', callId: `c${call}`, input }, () => 'done');
  await run.end({ kind: 'done', response: 'done' });
}

/** 500 calls in a run: what the last fifty cost beside the first. Medians, because a collection may fall into any. */
async function longRun(): Promise<void> {
  const hooks = createHooks();
  hooks.on(BeforeToolCall, () => proceed());
  const parts = Array.from({ length: 10 }, (): number[] => []);
  for (let round = 0; round < 31 / SHARE; round++) {
    const run = openRun([{ hooks }], {});
    for (const times of parts) {
      const began = performance.now();
      for (let call = 0; call < 50; call++)
        await run.callTool({ toolName: 'exec', callId: crypto.randomUUID(), input: { a: 1 } }, () => 'done');
      if (round > 0) times.push(performance.now() - began);
    }
    await run.end({ kind: 'done', response: 'done' });
  }
  const [first = 0, ...others] = parts.map((times) => times.toSorted((a, b) => a - b)[15] ?? 0);
  const ratios = others.map((time) => (time / first).toFixed(2));
  console.log(`\n500 calls in a run, by fifties, as ratios to the first fifty: ${ratios.join(', ')}`);
}

async function memory(): Promise<void> {
  console.log('\n| MiB of heap that are left | |\n|---|---|');
  const hooks = createHooks();
  hooks.on(BeforeToolCall, () => proceed());
  hooks.observe(AfterToolCall, () => {});
  for (let run = 0; run < 1000 / SHARE; run++) await oneRun(hooks, 2, { a: 1 });
  await left('20,000 runs of two calls', async () => {
    for (let run = 0; run < 20_000 / SHARE; run++) await oneRun(hooks, 2, { a: run });
  });
  await left('20,000 runs of two calls, 200 at once', async () => {
    for (let batch = 0; batch < 100 / SHARE; batch++)
      await Promise.all(Array.from({ length: 200 }, () => oneRun(hooks, 2, { a: batch })));
  });
  await left('20 open sessions of 250 calls with inputs of 100 kB', async () => {
    for (let session = 0; session < 20; session++)
      for (let call = 0; call < 250 / SHARE; call++)
        await callTool(
          hooks,
          {
            session: hooks.session(`s${session}`),
            toolName: 'exec',
            input: { text: `${call}`.padEnd(100_000) },
          },
          () => 'done',
        );
  });
  const many = createHooks();
  for (let hook = 0; hook < 5000 / SHARE; hook++) many.on(BeforeToolCall, () => proceed());
  await left('100,000 invented names of tools, 5,000 hooks', () => {
    for (let name = 0; name < 100_000 / SHARE; name++)
      if (name % 100 === 0) many.get(BeforeToolCall, `invented_${name}`);
  });
}

await results();
await messages();
await registries();
await longRun();
await memory();
