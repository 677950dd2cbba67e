import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  modify,
  requireApproval,
  SubagentStop,
  ToolApprovalDecision,
  TransformToolResult,
} from '@hooks/core';
import { Agent, tool } from '@openai/agents';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { attach, hookedRunner, pendingApprovals } from '../src/index.ts';
import { call, results, setup } from './setup.ts';

function tools() {
  const wiped = vi.fn(() => 'wiped');
  const look = tool({ name: 'look', description: '', parameters: z.object({}), execute: () => 'seen' });
  const wipe = tool({ name: 'wipe', description: '', parameters: z.object({}), execute: wiped });
  return { wiped, look, wipe };
}

/** Hooks that end a run at one call, while another of the same turn waits for a person. */
function endingHooks() {
  const hooks = createHooks();
  hooks.on(BeforeToolCall.matching('look'), () => block('enough', { stop: true }));
  hooks.on(BeforeToolCall.matching('wipe'), () => requireApproval('It cannot be brought back.'));
  return hooks;
}

const both = { toolCalls: [call('look', {}), call('wipe', {})] };

describe('A block with `stop` beside a call that waits for a person', () => {
  test.each([[false], [true]])(
    'in an agent as a tool ends its run, of which nobody is asked any more (streamed: %s)',
    async (stream) => {
      await using s = await setup(({ system, turn }) => {
        if (system.includes('You help.')) return both;
        return turn > 0 ? { text: 'Done.' } : { toolCalls: [call('ask_helper', { input: 'help' })] };
      });
      const hooks = endingHooks();
      const told: string[] = [];
      hooks.observe(SubagentStop, ({ response }) => void told.push(response));
      hooks.observe(
        ToolApprovalDecision.matching('wipe'),
        ({ approval }) => void told.push(`wipe: ${approval}`),
      );
      const { look, wipe, wiped } = tools();
      const helper = new Agent({ name: 'Helper', instructions: 'You help.', tools: [look, wipe] });
      const main = new Agent({
        name: 'Main',
        tools: [helper.asTool({ toolName: 'ask_helper', toolDescription: '' })],
      });
      const runner = hookedRunner(s.runner, hooks, { approval: 'native' });
      const result = stream ? await runner.run(main, 'go', { stream: true }) : await runner.run(main, 'go');
      if ('completed' in result) await result.completed;
      await hooks.settled();
      expect(await pendingApprovals(result)).toEqual([]);
      expect(result.finalOutput).toBe('Done.');
      expect(results(s)).toEqual({ call_ask_helper: 'enough' });
      expect(wiped).not.toHaveBeenCalled();
      expect(told).toEqual(['wipe: canceled', 'enough']);
    },
  );

  test('in a runner that is not hooked ends the run: after a yes the call does not run', async () => {
    await using s = await setup([both, { text: 'Done.' }]);
    const { look, wipe, wiped } = tools();
    const agent = attach(new Agent({ name: 'A', tools: [look, wipe] }), endingHooks(), {
      approval: 'native',
    });
    const { state } = await s.runner.run(agent, 'go');
    for (const item of state.getInterruptions()) state.approve(item);
    const result = await s.runner.run(agent, state);
    expect(result.finalOutput).toBe('enough');
    expect(wiped).not.toHaveBeenCalled();
    expect(s.server.requests).toHaveLength(1);
  });
});

test.each([false, true])(
  'A call for which one registry asks a person does not run after a yes where another has ended the run of its agent as a tool (it is outermost: %s)',
  async (outermost) => {
    await using s = await setup(({ system, turn }) => {
      if (system.includes('You help.')) return both;
      return turn > 0 ? { text: 'Done.' } : { toolCalls: [call('ask_helper', { input: 'help' })] };
    });
    const ending = createHooks();
    ending.on(BeforeToolCall.matching('look'), () => block('enough', { stop: true }));
    const asking = createHooks();
    asking.on(BeforeToolCall.matching('wipe'), () => requireApproval('It cannot be brought back.'));
    const { look, wipe, wiped } = tools();
    const helper = new Agent({ name: 'Helper', instructions: 'You help.', tools: [look, wipe] });
    const main = new Agent({
      name: 'Main',
      tools: [helper.asTool({ toolName: 'ask_helper', toolDescription: '' })],
    });
    const [first, second] = outermost ? [asking, ending] : [ending, asking];
    const native = { approval: 'native' } as const;
    const runner = hookedRunner(hookedRunner(s.runner, first, native), second, native);
    let result = await runner.run(main, 'go');
    for (const item of result.interruptions) result.state.approve(item);
    result = await runner.run(main, result.state);
    expect(wiped).not.toHaveBeenCalled();
    expect(results(s)).toEqual({ call_ask_helper: 'enough' });
  },
);

test('An agent as a tool whose call fails beside one that waits for a person is over: hooks hear of it, and see its output', async () => {
  await using s = await setup(({ system, turn }) => {
    if (system.includes('You help.')) return both;
    return turn > 0 ? { text: 'Done.' } : { toolCalls: [call('ask_helper', { input: 'help' })] };
  });
  const hooks = createHooks();
  hooks.on(BeforeToolCall.matching('wipe'), () => requireApproval('It cannot be brought back.'));
  hooks.on(TransformToolResult.matching('ask_helper'), () => modify({ output: 'It failed.' }));
  const told: string[] = [];
  hooks.observe(AfterToolCall, ({ toolName, status }) => void told.push(`${toolName} ${status}`));
  hooks.observe(SubagentStop, ({ subagent }) => void told.push(subagent));
  const broken = tool({
    name: 'look',
    description: '',
    parameters: z.object({}),
    errorFunction: null,
    execute: () => Promise.reject(new Error('broken')),
  });
  const helper = new Agent({ name: 'Helper', instructions: 'You help.', tools: [broken, tools().wipe] });
  const main = new Agent({
    name: 'Main',
    tools: [helper.asTool({ toolName: 'ask_helper', toolDescription: '' })],
  });
  await hookedRunner(s.runner, hooks, { approval: 'native' }).run(main, 'go');
  await hooks.settled();
  expect(results(s)).toEqual({ call_ask_helper: 'It failed.' });
  expect(told).toEqual(['look error', 'Helper', 'ask_helper ok']);
});
