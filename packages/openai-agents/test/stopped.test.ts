import {
  AfterToolCall,
  BeforeModelCall,
  BeforeToolCall,
  block,
  createHooks,
  HookEvent,
  type Hooks,
  modify,
  proceed,
  requireApproval,
  SessionEnd,
  SessionStart,
  SubagentStop,
  ToolApprovalDecision,
  TransformToolResult,
} from '@hooks/core';
import { Agent, RunContext, tool } from '@openai/agents';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { attachHooks, blockReason, hookedRunner, hookTool, pendingApprovals } from '../src/index.ts';
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
  expect(told).toEqual(['look error', 'wipe denied', 'Helper', 'ask_helper ok']);
});

describe('In a runner that is not hooked a hook that ends the run', () => {
  const rejected = (run: Promise<unknown>) => run.catch((cause: unknown) => cause);

  test('has it rejected with the reason, also beside a handoff of the same turn', async () => {
    await using s = await setup([
      { toolCalls: [call('look', {}), call('transfer_to_B', {})] },
      { text: 'B speaks.' },
    ]);
    const { look } = tools();
    const agent = new Agent({ name: 'A', tools: [look], handoffs: [new Agent({ name: 'B' })] });
    const error = await rejected(s.runner.run(attachHooks(agent, endingHooks()), 'go'));
    expect(blockReason(error)).toBe('enough');
    expect(s.server.requests).toHaveLength(1);
  });

  test('ends that of an agent as a tool, beside a handoff inside of it', async () => {
    await using s = await setup(({ system, turn }) => {
      if (system.includes('You help.')) return { toolCalls: [call('look', {}), call('transfer_to_B', {})] };
      if (system.includes('You are B.')) return { text: 'B speaks.' };
      return turn > 0 ? { text: 'Done.' } : { toolCalls: [call('ask_helper', { input: 'help' })] };
    });
    const B = new Agent({ name: 'B', instructions: 'You are B.' });
    const { look } = tools();
    const helper = new Agent({ name: 'Helper', instructions: 'You help.', tools: [look], handoffs: [B] });
    const main = new Agent({
      name: 'Main',
      tools: [helper.asTool({ toolName: 'ask_helper', toolDescription: '' })],
    });
    await s.runner.run(attachHooks(main, endingHooks()), 'go');
    expect(results(s)['call_ask_helper']).toContain('enough');
    expect(s.server.requests).toHaveLength(3);
  });

  test('ends that run, and not another with the same context', async () => {
    await using s = await setup([both, { text: 'Done.' }]);
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching('look'), () => block('enough', { stop: true }), { id: 'end' });
    const { look, wipe, wiped } = tools();
    const agent = attachHooks(new Agent({ name: 'A', tools: [look, wipe] }), hooks);
    const context = new RunContext();
    expect(blockReason(await rejected(s.runner.run(agent, 'go', { context })))).toBe('enough');
    hooks.remove('end');
    wiped.mockClear();
    hooks.on(BeforeToolCall, () => proceed());
    const second = await s.runner.run(agent, 'go', { context });
    expect(blockReason(second)).toBeUndefined();
    expect(wiped).toHaveBeenCalledOnce();
  });
});

const end = () => block('enough', { stop: true });

test.each([
  ['at a tool call', (hooks: Hooks) => hooks.on(BeforeToolCall.matching('look'), end)],
  [
    'at a model call',
    (hooks: Hooks) => hooks.on(BeforeModelCall, ({ agent }) => (agent === 'Helper' ? end() : proceed())),
  ],
])(
  'Where a hook ends the run of an agent as a tool that is to answer with structured output, its caller reads why (%s)',
  async (_where, register) => {
    await using s = await setup(({ system, turn }) => {
      if (system.includes('You help.')) return { toolCalls: [call('look', {})] };
      return turn > 0 ? { text: 'Done.' } : { toolCalls: [call('ask_helper', { input: 'help' })] };
    });
    const hooks = createHooks();
    register(hooks);
    const helper = new Agent({
      name: 'Helper',
      instructions: 'You help.',
      tools: [tools().look],
      outputType: z.object({ found: z.string() }),
    });
    const main = new Agent({
      name: 'Main',
      tools: [helper.asTool({ toolName: 'ask_helper', toolDescription: '' })],
    });
    const result = await hookedRunner(s.runner, hooks).run(main, 'go');
    expect(result.finalOutput).toBe('Done.');
    expect(results(s)).toEqual({ call_ask_helper: 'enough' });
  },
);

test('What a tool gives is its final output although a call with the same id was refused in another run with its context', async () => {
  await using s = await setup([{ toolCalls: [call('look', {})] }, { text: 'Done.' }]);
  const hooks = createHooks();
  hooks.on(BeforeToolCall, () => block('not yet'), { id: 'first' });
  const agent = new Agent({ name: 'A', tools: [tools().look], toolUseBehavior: 'stop_on_first_tool' });
  const runner = hookedRunner(s.runner, hooks);
  hooks.observe(AfterToolCall, () => {});
  const context = new RunContext();
  await runner.run(agent, 'go', { context });
  hooks.remove('first');
  const result = await runner.run(agent, 'go', { context });
  expect(result.finalOutput).toBe('seen');
});

test('Why a call was refused is not said of the next one with the same context', async () => {
  const hooks = createHooks();
  hooks.on(BeforeToolCall.matching('look'), () => block('no'));
  const { look, wipe } = tools();
  const context = new RunContext();
  await hookTool(look, hooks).invoke(context, '{}');
  expect(blockReason(context)).toBe('no');
  await hookTool(wipe, hooks).invoke(context, '{}');
  expect(blockReason(context)).toBeUndefined();
});

test('The error of a run that a hook has ended tells why, whatever the SDK makes of the end', async () => {
  await using s = await setup([{ toolCalls: [call('look', {})] }]);
  const agent = new Agent({
    name: 'A',
    tools: [tools().look],
    outputGuardrails: [
      { name: 'never', execute: async () => ({ tripwireTriggered: true, outputInfo: undefined }) },
    ],
  });
  const runner = hookedRunner(s.runner, endingHooks());
  const error: unknown = await runner.run(agent, 'go').catch((cause: unknown) => cause);
  expect(error).toMatchObject({ name: 'OutputGuardrailTripwireTriggered' });
  expect(blockReason(error)).toBe('enough');
});

describe('A run that fails while something waits for a person', () => {
  const broken = tool({
    name: 'broken',
    description: '',
    parameters: z.object({}),
    errorFunction: null,
    execute: () => {
      throw new Error('It broke.');
    },
  });

  test('tells that the call is canceled', async () => {
    await using s = await setup([{ toolCalls: [call('wipe', {}), call('broken', {})] }]);
    const { wipe, wiped } = tools();
    const hooks = endingHooks();
    const told: string[] = [];
    hooks.observe(HookEvent, ({ type }) => void told.push(type));
    hooks.observe(
      AfterToolCall.matching('wipe'),
      ({ status, ran }) => void told.push(`${status}, ran: ${ran}`),
    );
    const runner = hookedRunner(s.runner, hooks, { approval: 'native' });
    await expect(runner.run(new Agent({ name: 'A', tools: [wipe, broken] }), 'go')).rejects.toThrow(
      'It broke.',
    );
    expect(wiped).not.toHaveBeenCalled();
    expect(told.slice(-7)).toEqual([
      'tool_approval_decision',
      'denied, ran: false',
      'after_tool_call',
      'agent_error',
      'notification',
      'turn_end',
      'session_end',
    ]);
  });

  test('tells that an agent as a tool, in which it waits, is over', async () => {
    const { promise: waits, resolve } = Promise.withResolvers<void>();
    await using s = await setup(({ system }) => ({
      toolCalls: system.includes('You help.')
        ? [call('wipe', {})]
        : [call('ask_helper', { input: 'help' }), call('late', {})],
    }));
    const late = tool({
      name: 'late',
      description: '',
      parameters: z.object({}),
      errorFunction: null,
      execute: async () => {
        await waits;
        throw new Error('It broke.');
      },
    });
    const { wipe } = tools();
    const hooks = endingHooks();
    const open = new Set<string>();
    const told: string[] = [];
    hooks.observe(SessionStart, ({ session }) => void open.add(session.id));
    hooks.observe(SessionEnd, ({ session }) => void open.delete(session.id));
    hooks.observe(SubagentStop, ({ subagent }) => void told.push(subagent));
    hooks.observe(
      ToolApprovalDecision,
      ({ toolName, approval }) => void told.push(`${toolName}: ${approval}`),
    );
    const helper = new Agent({ name: 'Helper', instructions: 'You help.', tools: [wipe] });
    const main = new Agent({
      name: 'Main',
      tools: [helper.asTool({ toolName: 'ask_helper', toolDescription: '' }), late],
    });
    main.on('agent_tool_end', () => resolve());
    const runner = hookedRunner(s.runner, hooks, { approval: 'native' });
    await expect(runner.run(main, 'go')).rejects.toThrow('It broke.');
    await hooks.settled();
    expect(told).toEqual(['wipe: canceled', 'Helper']);
    expect(open.size).toBe(0);
  });
});
