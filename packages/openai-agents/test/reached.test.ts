import { BeforeModelCall, BeforeToolCall, block, createHooks, HookEvent, modify, proceed } from '@hooks/core';
import { Agent, type RunContext, type Tool, tool } from '@openai/agents';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { attach, hookedRunner } from '../src/index.ts';
import { call, results, setup } from './setup.ts';

describe('An agent whose own class hands out more tools than it was given', () => {
  /** A class of its own for each test, since classes stay reached. */
  function boxWith(extra: Tool) {
    return class extends Agent {
      override async getAllTools(context: RunContext<unknown>) {
        return [...(await super.getAllTools(context)), extra] as never;
      }
    };
  }

  function wiping() {
    const execute = vi.fn(() => 'wiped');
    const wipe = tool({ name: 'wipe', description: '', parameters: z.object({}), execute });
    const hooks = createHooks();
    hooks.guard(BeforeToolCall.matching('wipe'), () => block('no'));
    return { wipe, execute, hooks };
  }

  test('has them hooked where a handoff leads to it', async () => {
    await using s = await setup([
      { toolCalls: [call('transfer_to_B', {})] },
      { toolCalls: [call('wipe', {})] },
      { text: 'Done.' },
    ]);
    const { wipe, execute, hooks } = wiping();
    const target = new (boxWith(wipe))({ name: 'B' });
    await hookedRunner(s.runner, hooks).run(new Agent({ name: 'A', handoffs: [target] }), 'go');
    expect(execute).not.toHaveBeenCalled();
    expect(results(s)['call_wipe']).toBe('no');
  });

  test('has them hooked where it is a tool', async () => {
    await using s = await setup(({ system, turn }) => {
      const helper = system.includes('Help.');
      if (turn > 0) return { text: helper ? 'Helped.' : 'Done.' };
      return { toolCalls: [helper ? call('wipe', {}) : call('helper', { input: 'x' })] };
    });
    const { wipe, execute, hooks } = wiping();
    const helper = new (boxWith(wipe))({ name: 'Helper', instructions: 'Help.' });
    const agent = new Agent({
      name: 'A',
      instructions: 'Work.',
      tools: [helper.asTool({ toolName: 'helper', toolDescription: '' })],
    });
    const result = await hookedRunner(s.runner, hooks).run(agent, 'go');
    expect(execute).not.toHaveBeenCalled();
    expect(result.finalOutput).toBe('Done.');
  });
});

test('A tool that was not made by `tool` does not run with an input that its schema refuses, which hooks are not asked about', async () => {
  await using s = await setup([{ toolCalls: [call('wipe', { all: 'yes' })] }, { text: 'Done.' }]);
  const hooks = createHooks();
  hooks.guard(BeforeToolCall, () => block('no'));
  const invoke = vi.fn(async () => 'wiped');
  const made = tool({ name: 'wipe', description: '', parameters: z.object({}), execute: () => '' });
  await hookedRunner(s.runner, hooks).run(new Agent({ name: 'A', tools: [{ ...made, invoke }] }), 'go');
  expect(invoke).not.toHaveBeenCalled();
  expect(results(s)['call_wipe']).toMatch(/does not fit/);
});

test('A tool that runs an attached agent in a bare runner does not get past hooks which that runner cannot ask', async () => {
  await using s = await setup([{ toolCalls: [call('delegate', {})] }, { text: 'Done.' }]);
  await using inner = await setup([{ text: 'unseen' }]);
  const hooks = createHooks();
  hooks.guard(BeforeModelCall, () => proceed());
  const helper = attach(new Agent({ name: 'Helper' }), hooks);
  const delegate = tool({
    name: 'delegate',
    description: '',
    parameters: z.object({}),
    errorFunction: (_context, error) => String(error),
    execute: async () => (await inner.runner.run(helper, 'x')).finalOutput,
  });
  await hookedRunner(s.runner, hooks).run(new Agent({ name: 'A', tools: [delegate] }), 'go');
  expect(results(s)['call_delegate']).toContain('hookedRunner');
  expect(inner.server.requests).toEqual([]);
});

test.each(['deny', 'native'] as const)(
  'A call that a hook turns into one of an agent as a tool is a run of that agent (approval: %s)',
  async (approval) => {
    await using s = await setup(({ system, turn }) => {
      if (system.includes('Help.')) return { text: 'Helped.' };
      return turn > 0 ? { text: 'Done.' } : { toolCalls: [call('look', { input: 'x' })] };
    });
    const hooks = createHooks();
    const log: string[] = [];
    hooks.observe(HookEvent, ({ type, agent }) => void log.push(`${type} ${agent}`));
    hooks.on(BeforeToolCall.matching('look'), () => modify({ toolName: 'helper' }));
    const look = tool({
      name: 'look',
      description: '',
      parameters: z.object({ input: z.string() }),
      execute: () => '',
    });
    const helper = new Agent({ name: 'Helper', instructions: 'Help.' });
    const agent = new Agent({
      name: 'A',
      instructions: 'Work.',
      tools: [look, helper.asTool({ toolName: 'helper', toolDescription: '' })],
    });
    await hookedRunner(s.runner, hooks, { approval }).run(agent, 'go');
    await hooks.settled();
    expect(results(s)).toEqual({ call_look: 'Helped.' });
    expect(log).toContain('subagent_start A');
    expect(log).toContain('before_model_call Helper');
    expect(log.at(-1)).toBe('session_end undefined');
  },
);
