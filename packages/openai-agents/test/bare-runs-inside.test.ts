import { AsyncLocalStorage } from 'node:async_hooks';
import {
  AgentSwitch,
  BeforeModelCall,
  BeforeToolCall,
  block,
  createHooks,
  ModelEvent,
  proceed,
  SubagentStart,
  SubagentStop,
  UserPromptSubmit,
} from '@hooks/core';
import { Agent, type InputGuardrail, type Runner, tool } from '@openai/agents';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { attachHooks, hookedRunner } from '../src/index.ts';
import { call, restore, setup } from './setup.ts';

/** Has an agent look at the input in a run of its own, which no hooked runner makes. */
function checkedBy(checker: Agent, runner: Runner): InputGuardrail {
  return {
    name: 'check',
    runInParallel: false,
    async execute({ input, context }) {
      const { finalOutput } = await runner.run(checker, input, { context: context.context });
      return { tripwireTriggered: finalOutput !== 'Fine.', outputInfo: {} };
    },
  };
}

const script = ({ system, turn }: { readonly system: string; readonly turn: number }) => {
  if (system.includes('You check.')) return { text: 'Fine.' };
  if (system.includes('You delegate.') && turn === 0)
    return { toolCalls: [call('helper', { input: 'help' })] };
  return { text: 'Done.' };
};

const checker = new Agent({ name: 'Checker', instructions: 'You check.' });

describe('A guardrail that runs an agent of its own before the first turn', () => {
  test('leaves the hooks of an agent in force: they are asked of its model calls, by its name', async () => {
    await using s = await setup(script);
    const hooks = createHooks();
    hooks.guard(BeforeModelCall, () => block('no calls of Main'), { agents: 'Main' });
    const agent = new Agent({ name: 'Main', inputGuardrails: [checkedBy(checker, s.runner)] });
    const result = await hookedRunner(s.runner, hooks).run(agent, 'go');
    expect(result.finalOutput).toBe('no calls of Main');
  });

  test('has an attached agent run by a hooked runner all the same', async () => {
    await using s = await setup(script);
    const hooks = createHooks();
    hooks.guard(BeforeModelCall, () => proceed());
    const agent = attachHooks(
      new Agent({ name: 'Main', inputGuardrails: [checkedBy(checker, s.runner)] }),
      hooks,
    );
    expect((await hookedRunner(s.runner, hooks).run(agent, 'go')).finalOutput).toBe('Done.');
  });

  test('does not have its agent taken for an agent as a tool', async () => {
    await using s = await setup(script);
    const hooks = createHooks();
    const agents = new Set<string | undefined>();
    hooks.observe(ModelEvent, ({ agent }) => void agents.add(agent));
    const helper = new Agent({ name: 'Helper', inputGuardrails: [checkedBy(checker, s.runner)] });
    const tools = [helper.asTool({ toolName: 'helper', toolDescription: '' })];
    const main = new Agent({ name: 'Main', instructions: 'You delegate.', tools });
    await hookedRunner(s.runner, hooks).run(main, 'go');
    await hooks.settled();
    expect([...agents]).toEqual(['Main', 'Helper']);
  });
});

test('A handoff in a run that a tool begins by itself is none of the run that goes on', async () => {
  await using s = await setup(({ system, turn }) => {
    if (system.includes('You pass on.')) return { toolCalls: [call('transfer_to_Checker', {})] };
    if (system.includes('You check.') || turn > 0) return { text: 'Done.' };
    return { toolCalls: [call('ask', {})] };
  });
  const hooks = createHooks();
  const switches: string[] = [];
  hooks.observe(AgentSwitch, ({ to }) => void switches.push(to));
  hooks.observe(SubagentStart, ({ subagent }) => void switches.push(subagent));
  const inner = new Agent({ name: 'Inner', instructions: 'You pass on.', handoffs: [checker] });
  const ask = tool({
    name: 'ask',
    description: '',
    parameters: z.object({}),
    execute: async () => (await s.runner.run(inner, 'inside')).finalOutput,
  });
  await hookedRunner(s.runner, hooks).run(new Agent({ name: 'Main', tools: [ask] }), 'go');
  await hooks.settled();
  expect(switches).toEqual([]);
});

test('A run that is begun from within a run that is over, by what a tool has left behind, is one of its own', async () => {
  await using s = await setup(({ system, turn }) =>
    system.includes('You check.') || turn > 0 ? { text: 'Done.' } : { toolCalls: [call('leave', {})] },
  );
  const hooks = createHooks();
  const prompts: string[] = [];
  hooks.on(UserPromptSubmit, ({ prompt, session }) => {
    prompts.push(`${prompt} ${session.parent === undefined}`);
    return proceed();
  });
  const runner = hookedRunner(s.runner, hooks);
  let later = AsyncLocalStorage.snapshot();
  const leave = tool({
    name: 'leave',
    description: '',
    parameters: z.object({}),
    execute: () => {
      later = AsyncLocalStorage.snapshot();
      return 'left';
    },
  });
  await runner.run(new Agent({ name: 'Main', tools: [leave] }), 'first');
  await later(() => runner.run(checker, 'second'));
  expect(prompts).toEqual(['first true', 'second true']);
});

test('A state that was restored before its agent was attached is taken up by a hooked runner', async () => {
  await using s = await setup([{ toolCalls: [call('look', {})] }, { text: 'Done.' }]);
  const agentOf = () => {
    const execute = () => 'seen';
    const parameters = z.object({});
    const look = tool({ name: 'look', description: '', parameters, needsApproval: true, execute });
    return new Agent({ name: 'Main', tools: [look] });
  };
  const { state } = await s.runner.run(agentOf(), 'go');
  const agent = agentOf();
  const restored = await restore(agent, state.toString());
  const hooks = createHooks();
  hooks.guard(BeforeModelCall, () => proceed());
  hooks.guard(BeforeToolCall, () => proceed());
  attachHooks(agent, hooks);
  restored.approve(restored.getInterruptions()[0]!);
  const runner = hookedRunner(s.runner, hooks, { approval: 'native' });
  expect((await runner.run(agent, restored)).finalOutput).toBe('Done.');
});

test('A run of a hooked runner that a tool begins is that of a sub-agent: what it begins with is no prompt of a user', async () => {
  await using s = await setup(({ system, turn }) =>
    system.includes('You check.') || turn > 0 ? { text: 'Done.' } : { toolCalls: [call('ask', {})] },
  );
  const outer = createHooks();
  const inner = createHooks();
  const told: string[] = [];
  for (const [name, hooks] of Object.entries({ outer, inner })) {
    hooks.observe(UserPromptSubmit, ({ prompt }) => void told.push(`${name}: ${prompt}`));
    hooks.observe(SubagentStart, ({ subagent }) => void told.push(`${name}: ${subagent} starts`));
    hooks.observe(
      SubagentStop,
      ({ subagent, response }) => void told.push(`${name}: ${subagent} says ${response}`),
    );
    hooks.observe(BeforeModelCall, ({ agent }) => void told.push(`${name}: call of ${agent}`));
  }
  const ask = tool({
    name: 'ask',
    description: '',
    parameters: z.object({}),
    execute: async () => (await hookedRunner(s.runner, inner).run(checker, 'inside')).finalOutput,
  });
  await hookedRunner(s.runner, outer).run(new Agent({ name: 'Main', tools: [ask] }), 'go');
  await outer.settled();
  expect(told).toEqual([
    'outer: go',
    'outer: call of Main',
    'outer: Checker starts',
    'outer: call of Checker',
    'inner: call of Checker',
    'outer: Checker says Done.',
    'outer: call of Main',
  ]);
});
