import { BeforeToolCall, createHooks, HookEvent, type Hooks, proceed } from '@hooks/core';
import { type Contestant, measure, processorClock, report } from '@hooks/testing/bench';
import { createAgent, createMiddleware, tool } from 'langchain';
import { z } from 'zod';
import { createHookedAgent, hookTool } from '../src/index.ts';
import { ScriptedModel } from './model.ts';

const add = tool(async ({ a, b }) => String(a + b), {
  name: 'add',
  description: 'Adds.',
  schema: z.object({ a: z.number(), b: z.number() }),
});
const call = { type: 'tool_call' as const, id: 'c1', name: 'add', args: { a: 1, b: 2 } };
const model = new ScriptedModel();

function toolHooks(count: number): Hooks {
  const hooks = createHooks();
  for (let hook = 0; hook < count; hook++) hooks.on(BeforeToolCall, () => proceed(), { id: `hook-${hook}` });
  return hooks;
}

const everything = createHooks();
everything.observe(HookEvent, () => {});

/** LangChain's own mechanism: what wraps tool calls does nothing. */
const aroundTools = (count: number) =>
  Array.from({ length: count }, (_, n) =>
    createMiddleware({ name: `m${n}`, wrapToolCall: (request, handler) => handler(request) }),
  );

const aroundBoth = createMiddleware({
  name: 'both',
  wrapToolCall: (request, handler) => handler(request),
  wrapModelCall: (request, handler) => handler(request),
});

interface Invokable {
  invoke(input: never): Promise<unknown>;
}

/** Four agents of a kind, in turns: two that are alike are up to a tenth apart, by where their objects came to lie. */
const runs = (name: string, make: () => Invokable): Contestant => {
  const agents = [make(), make(), make(), make()];
  let turn = 0;
  return {
    name,
    run: async (times) => {
      const agent = agents[turn++ % agents.length];
      for (let time = 0; time < times; time++)
        await agent?.invoke({ messages: [{ role: 'user', content: 'Add.' }] } as never);
    },
  };
};

const calls = (name: string, one: Invokable): Contestant => ({
  name,
  run: async (times) => {
    for (let time = 0; time < times; time++) await one.invoke(call as never);
  },
});

const params = { model, tools: [add] };
const bare = runs('bare agent', () => createAgent(params));
const again = runs('the same once more', () => createAgent(params));
const idle = runs('hooked, no hook registered', () => createHookedAgent(params, createHooks()));
const one = runs('1 tool hook', () => createHookedAgent(params, toolHooks(1)));
const ten = runs('10 tool hooks', () => createHookedAgent(params, toolHooks(10)));
const all = runs('every event observed', () => createHookedAgent(params, everything));
const agents = [
  bare,
  again,
  idle,
  one,
  ten,
  all,
  runs("LangChain's own wrapToolCall", () => createAgent({ ...params, middleware: aroundTools(1) })),
  runs("10 of LangChain's own", () => createAgent({ ...params, middleware: aroundTools(10) })),
  runs("LangChain's own, around model calls, too", () =>
    createAgent({ ...params, middleware: [aroundBoth] }),
  ),
];
const targets = { 'hooked, no hook registered': 1.03, '10 tool hooks': 1.05 };

// A run makes thousands of promises, so what else the machine does tells on the wall clock.
const measured = (contestants: readonly Contestant[], times: number, rounds: number) =>
  measure(contestants, times, rounds, processorClock);

for (const { run } of agents) await run(1500);
const SHORT =
  'A run with one tool call (two model calls), processor time, in turns of 5 runs with eight other agents';
report(`${SHORT}; in a young process`, await measured(agents, 5, 200), targets);

// LangGraph calls its functions dozens of times a run, and V8 has its best code for them by now. For what a run does once, as
// hooks and LangChain's middleware do, it has that after tens of thousands of runs.
for (const { run } of agents) await run(3500);
for (const { run } of [one, ten, all]) await run(10_000);
report(`${SHORT}; settled`, await measured(agents, 5, 200), targets);
report(
  'The same in turns of 100 runs, as an agent is in a process of its own; settled',
  await measured([bare, again, idle, ten], 100, 40),
  targets,
);

const bareCalls = [
  calls('bare tool', add),
  calls('hooked, no hook registered', hookTool(add, createHooks())),
  calls('1 tool hook', hookTool(add, toolHooks(1))),
  calls('10 tool hooks', hookTool(add, toolHooks(10))),
];
for (const { run } of bareCalls) await run(10_000);
report('A bare tool call', await measure(bareCalls, 100, 150));
