import {
  AfterToolCall,
  BeforeToolCall,
  createHooks,
  grantApproval,
  type Hooks,
  modify,
  PermissionRequest,
  proceed,
  requireApproval,
  SessionEnd,
  ToolApprovalDecision,
} from '@hooks/core';
import { Agent, type Runner } from '@openai/agents';
import { describe, expect, test, vi } from 'vitest';
import { attach, hookTool, pendingApprovals } from '../src/index.ts';
import { removing, script } from './removing.ts';
import { call, restore, results, setup } from './setup.ts';

type Remove = ReturnType<typeof removing>['remove'];

function asking() {
  const hooks = createHooks();
  const before = vi.fn(() => requireApproval('it is gone for good'));
  hooks.on(BeforeToolCall.matching('remove'), before);
  const log: string[] = [];
  hooks.observe(
    ToolApprovalDecision,
    ({ approval, source, reason }) => void log.push([approval, source, reason].join(' ').trim()),
  );
  hooks.observe(
    AfterToolCall,
    ({ status, ran, reason }) => void log.push([status, ran, reason].join(' ').trim()),
  );
  hooks.observe(SessionEnd, () => void log.push('end'));
  return { hooks, before, log };
}

/** The two ways to bind a tool's calls to hooks, whoever runs the agent. */
const doors = [
  {
    name: 'an agent that was attached',
    agentWith: (remove: Remove, hooks: Hooks) =>
      attach(new Agent({ name: 'A', tools: [remove] }), hooks, { approval: 'native' }),
  },
  {
    name: 'a tool that was hooked by itself',
    agentWith: (remove: Remove, hooks: Hooks) =>
      new Agent({ name: 'A', tools: [hookTool(remove, hooks, { approval: 'native' })] }),
  },
];

/** Runs or goes on, plain or streamed. */
async function run(runner: Runner, agent: Agent, input: Parameters<Runner['run']>[1], stream: boolean) {
  if (!stream) return runner.run(agent, input);
  const result = await runner.run(agent, input, { stream: true });
  for await (const _event of result);
  await result.completed;
  return result;
}

describe.each(doors)("The SDK's pause in a runner that is not hooked, of $name", ({ agentWith }) => {
  test.each([false, true])('runs after a yes, and hooks are asked once (streamed: %s)', async (stream) => {
    await using s = await setup(script);
    const { hooks, before, log } = asking();
    const { remove, execute } = removing();
    const agent = agentWith(remove, hooks);
    const paused = await run(s.runner, agent, 'go', stream);
    expect(execute).not.toHaveBeenCalled();
    expect(await pendingApprovals(paused)).toMatchObject([
      { callId: 'call_remove', input: { path: 'a' }, reason: 'it is gone for good' },
    ]);
    paused.state.approve(paused.interruptions[0]!);
    const result = await run(s.runner, agent, paused.state, stream);
    await hooks.settled();
    expect(result.finalOutput).toBe('Done.');
    expect(before).toHaveBeenCalledOnce();
    expect(execute).toHaveBeenCalledOnce();
    expect(results(s)).toEqual({ call_remove: 'removed a' });
    expect(log).toEqual(['allow user_approved', 'ok true', 'end']);
    expect(await pendingApprovals(result)).toEqual([]);
  });

  test('does not run after a no', async () => {
    await using s = await setup(script);
    const { hooks, before } = asking();
    const { remove, execute } = removing();
    const agent = agentWith(remove, hooks);
    const paused = await s.runner.run(agent, 'go');
    paused.state.reject(paused.interruptions[0]!, { message: 'keep it' });
    await s.runner.run(agent, paused.state);
    expect(before).toHaveBeenCalledOnce();
    expect(execute).not.toHaveBeenCalled();
    expect(results(s)).toEqual({ call_remove: 'keep it' });
  });

  test('is taken up by another process, where hooks are asked once more', async () => {
    await using s = await setup(script);
    const first = asking();
    const paused = await s.runner.run(agentWith(removing().remove, first.hooks), 'go');
    const { hooks, before } = asking();
    const { remove, execute } = removing();
    const agent = agentWith(remove, hooks);
    const state = await restore(agent, paused.state.toString());
    state.approve(state.getInterruptions()[0]!);
    await s.runner.run(agent, state);
    expect(before.mock.calls).toMatchObject([[{ resumed: { decision: 'allow' } }, expect.anything()]]);
    expect(execute).toHaveBeenCalledOnce();
  });

  test('is not made for a call that no hook wants approved, nor for one that a hook has changed', async () => {
    for (const [decision, read] of [
      [proceed(), /removed a/],
      [modify({ input: { path: 'b' } }), /removed b/],
    ] as const) {
      await using s = await setup(script);
      const hooks = createHooks();
      hooks.on(BeforeToolCall.matching('remove'), () => decision);
      const result = await s.runner.run(agentWith(removing().remove, hooks), 'go');
      expect(result.interruptions).toEqual([]);
      expect(results(s)['call_remove']).toMatch(read);
    }
    await using s = await setup(script);
    const { hooks } = asking();
    hooks.on(BeforeToolCall, () => modify({ input: { path: 'b' } }));
    const result = await s.runner.run(agentWith(removing().remove, hooks), 'go');
    expect(result.interruptions).toEqual([]);
    expect(results(s)['call_remove']).toMatch(/to an approver/);
  });

  test('keeps two calls of one turn apart', async () => {
    await using s = await setup([
      { toolCalls: [call('remove', { path: 'a' }, 'c1'), call('remove', { path: 'b' }, 'c2')] },
      { text: 'Done.' },
    ]);
    const { hooks } = asking();
    const { remove, execute } = removing();
    const agent = agentWith(remove, hooks);
    const paused = await s.runner.run(agent, 'go');
    const [one, two] = paused.interruptions;
    paused.state.approve(one!);
    paused.state.reject(two!, { message: 'not that one' });
    await s.runner.run(agent, paused.state);
    expect(execute.mock.calls.map(([input]) => input.path)).toEqual(['a']);
    expect(results(s)).toEqual({ c1: 'removed a', c2: 'not that one' });
  });
});

describe('An agent that was attached, in a runner that is not hooked', () => {
  test('has hooks told of a no', async () => {
    await using s = await setup(script);
    const { hooks, log } = asking();
    const agent = attach(new Agent({ name: 'A', tools: [removing().remove] }), hooks, { approval: 'native' });
    const paused = await s.runner.run(agent, 'go');
    paused.state.reject(paused.interruptions[0]!, { message: 'keep it' });
    await s.runner.run(agent, paused.state);
    await hooks.settled();
    expect(log).toEqual(['deny user_rejected keep it', 'denied false keep it', 'end']);
  });

  test('has what its tool asks by itself granted by a hook', async () => {
    await using s = await setup(script);
    const hooks = createHooks();
    hooks.on(PermissionRequest, () => grantApproval('known'));
    const { remove, execute } = removing(true);
    const agent = attach(new Agent({ name: 'A', tools: [remove] }), hooks);
    const result = await s.runner.run(agent, 'go');
    expect(result.interruptions).toEqual([]);
    expect(execute).toHaveBeenCalledOnce();
  });

  test('pauses for a call of an agent as a tool, and asks hooks once of both', async () => {
    await using s = await setup(({ system, turn }) =>
      turn > 0
        ? { text: system.includes('Help.') ? 'Helped.' : 'Done.' }
        : {
            toolCalls: [
              system.includes('Help.')
                ? call('remove', { path: 'a' }, 'inner')
                : call('helper', { input: 'x' }, 'outer'),
            ],
          },
    );
    const hooks = createHooks();
    const asked: string[] = [];
    hooks.on(BeforeToolCall, ({ toolName }) => {
      asked.push(toolName);
      return toolName === 'remove' ? requireApproval('sure?') : proceed();
    });
    const { remove, execute } = removing();
    const helper = new Agent({ name: 'Helper', instructions: 'Help.', tools: [remove] });
    const agent = attach(
      new Agent({
        name: 'A',
        instructions: 'Work.',
        tools: [helper.asTool({ toolName: 'helper', toolDescription: '' })],
      }),
      hooks,
      { approval: 'native' },
    );
    const paused = await s.runner.run(agent, 'go');
    expect(await pendingApprovals(paused)).toMatchObject([{ callId: 'inner', reason: 'sure?' }]);
    paused.state.approve(paused.interruptions[0]!);
    const result = await s.runner.run(agent, paused.state);
    expect(result.finalOutput).toBe('Done.');
    expect(asked).toEqual(['helper', 'remove']);
    expect(execute).toHaveBeenCalledOnce();
  });
});
