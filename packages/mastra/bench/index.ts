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
import { type Contestant, measure, processorClock, report } from '@hooks/testing/bench';
import { Agent } from '@mastra/core/agent';
import { noopLogger } from '@mastra/core/logger';
import { createTool } from '@mastra/core/tools';
import { z } from 'zod';
import { hookedAgent, hookTool } from '../src/index.ts';
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

/** Four agents of a kind, in turns: two that are alike are up to a tenth apart, by where their objects came to lie. */
function runs(name: string, make: () => Agent<string, typeof config.tools>): Contestant {
  const agents = [make(), make(), make(), make()];
  for (const agent of agents) agent.__setLogger(noopLogger);
  let turn = 0;
  return {
    name,
    run: async (times) => {
      const agent = agents[turn++ % agents.length];
      for (let time = 0; time < times; time++) await agent?.generate('Go');
    },
  };
}

function calls(name: string, { execute }: typeof add): Contestant {
  return {
    name,
    run: async (times) => {
      for (let time = 0; time < times; time++) await execute?.({ a: 1, b: 2 }, {} as never);
    },
  };
}

const contestants = [
  runs('bare agent', () => new Agent(config)),
  runs('bare agent, once more', () => new Agent(config)),
  runs('hooked, no hook registered', () => hookedAgent(config, createHooks())),
  runs('1 tool hook', () => hookedAgent(config, toolHooks(1))),
  runs('10 tool hooks', () => hookedAgent(config, toolHooks(10))),
  runs('hooks on everything', () => hookedAgent(config, everything())),
  runs("Mastra's own `hooks`", () => new Agent({ ...config, hooks: native })),
];
const targets = { 'hooked, no hook registered': 1.03, '10 tool hooks': 1.15 };
// A run takes milliseconds and thousands of promises, so what else the machine does tells on the wall clock.
report(
  'A run with one tool call (two model calls), processor time',
  await measure(contestants, 15, 70, processorClock),
  targets,
);

report(
  'A direct call of a tool',
  await measure(
    [
      calls('bare tool', add),
      calls('hooked, no hook registered', hookTool(add, createHooks())),
      calls('1 tool hook', hookTool(add, toolHooks(1))),
      calls('10 tool hooks', hookTool(add, toolHooks(10))),
    ],
    2000,
    41,
  ),
);
