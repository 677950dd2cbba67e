import {
  AfterModelCall,
  AfterToolCall,
  BeforeModelCall,
  BeforeToolCall,
  createHooks,
  type Hooks,
  proceed,
  Stop,
  TransformToolResult,
  TurnStart,
  UserPromptSubmit,
} from '@hooks/core';
import { Agent } from '@mastra/core/agent';
import { noopLogger } from '@mastra/core/logger';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';
import { hooked, hookTool } from '../src/index.ts';
import { scriptedModel } from './model.ts';

const add = createTool({
  id: 'add',
  description: 'Adds.',
  inputSchema: z.object({ a: z.number(), b: z.number().default(7) }),
  execute: async ({ a, b }) => ({ sum: a + b }),
});

const config = {
  id: 'bench',
  name: 'bench',
  instructions: 'Be brief.',
  model: scriptedModel(),
  tools: { add },
};

/** A registry with that many hooks on tool calls, half of them before and half after. */
function toolHooks(count: number): Hooks {
  const hooks = createHooks();
  for (let n = 0; n < count; n++) {
    if (n % 2 === 0) hooks.guard(BeforeToolCall, () => proceed());
    else hooks.on(AfterToolCall, () => proceed());
  }
  return hooks;
}

function everything(): Hooks {
  const hooks = toolHooks(2);
  hooks.on(UserPromptSubmit, () => proceed());
  hooks.on(TurnStart, () => proceed());
  hooks.on(BeforeModelCall, () => proceed());
  hooks.on(AfterModelCall, () => proceed());
  hooks.on(TransformToolResult, () => proceed());
  hooks.on(Stop, () => proceed());
  return hooks;
}

const native = { beforeToolCall: async () => {}, afterToolCall: async () => {} };

const agents = {
  'bare agent': new Agent(config),
  'no hooks': hooked(config, createHooks()),
  '1 tool hook': hooked(config, toolHooks(1)),
  '10 tool hooks': hooked(config, toolHooks(10)),
  "Mastra's own hooks": new Agent({ ...config, hooks: native }),
  'everything on': hooked(config, everything()),
};
const targets: Readonly<Record<string, string>> = { 'no hooks': '<= 1.03', '10 tool hooks': '<= 1.15' };

const bareTool = hookTool(add, createHooks());
const gated = hookTool(add, toolHooks(1));
const calls = {
  'bare tool': () => add.execute?.({ a: 1, b: 2 }, {} as never),
  'no hooks': () => bareTool.execute?.({ a: 1, b: 2 }, {} as never),
  '1 hook': () => gated.execute?.({ a: 1, b: 2 }, {} as never),
};

for (const agent of Object.values(agents)) agent.__setLogger(noopLogger);
await compare(
  'one run with one tool call',
  mapValues(agents, (agent) => () => agent.generate('Go')),
  4,
  120,
  targets,
);
await compare('one direct call of a tool', calls, 500, 24);

/** Processor time in interleaved rounds, so that the machine's mood strikes all alike; medians, and ratios to the first. */
async function compare(
  title: string,
  contestants: Readonly<Record<string, () => unknown>>,
  times: number,
  rounds: number,
  targets: Readonly<Record<string, string>> = {},
): Promise<void> {
  const samples = mapValues(contestants, (): number[] => []);
  for (let round = -3; round < rounds; round++) {
    const order = Object.entries(contestants);
    order.push(...order.splice(0, Math.abs(round) % order.length)); // none is always the first
    for (const [name, run] of order) {
      const began = process.cpuUsage();
      for (let n = 0; n < times; n++) await run();
      const { user, system } = process.cpuUsage(began);
      const micros = (user + system) / times;
      if (round >= 0) samples[name]?.push(micros);
    }
  }
  console.log(`\n${title}\n| | µs | ratio | target |\n|---|---|---|---|`);
  const medians = mapValues(
    samples,
    (values) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN,
  );
  const [base = 1] = Object.values(medians);
  for (const [name, micros] of Object.entries(medians)) {
    console.log(
      `| ${name} | ${micros.toFixed(1)} | ${(micros / base).toFixed(3)} | ${targets[name] ?? ''} |`,
    );
  }
}

function mapValues<T, R>(record: Readonly<Record<string, T>>, map: (value: T) => R): Record<string, R> {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, map(value)]));
}
