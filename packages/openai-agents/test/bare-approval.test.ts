import {
  BeforeToolCall,
  createHooks,
  HookEvent,
  type Hooks,
  modify,
  proceed,
  requireApproval,
} from '@hooks/core';
import { Agent } from '@openai/agents';
import { describe, expect, test } from 'vitest';
import { attachHooks, type HookedOptions, hookTool } from '../src/index.ts';
import { removing, script } from './removing.ts';
import { results, setup } from './setup.ts';

type Remove = ReturnType<typeof removing>['remove'];

/** The two ways to bind a tool's calls to hooks, whoever runs the agent. */
const doors = [
  {
    name: 'an agent that was attached',
    agentWith: (remove: Remove, hooks: Hooks, options?: HookedOptions) =>
      attachHooks(new Agent({ name: 'A', tools: [remove] }), hooks, options),
  },
  {
    name: 'a tool that was hooked by itself',
    agentWith: (remove: Remove, hooks: Hooks, options?: HookedOptions) =>
      new Agent({ name: 'A', tools: [hookTool(remove, hooks, options)] }),
  },
];

describe.each(doors)('In a runner that is not hooked, of $name', ({ agentWith }) => {
  test("a required approval is denied where it is the SDK's own pause: the reason names the hooked runner", async () => {
    await using s = await setup(script);
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    const { remove, execute } = removing();
    const result = await s.runner.run(agentWith(remove, hooks, { approval: 'native' }), 'go');
    expect(result.interruptions).toEqual([]);
    expect(execute).not.toHaveBeenCalled();
    expect(results(s)['call_remove']).toContain('hooked runner');
  });

  test('an approver is asked', async () => {
    await using s = await setup(script);
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    const { remove, execute } = removing();
    const approval = () => ({ decision: 'allow' }) as const;
    await s.runner.run(agentWith(remove, hooks, { approval }), 'go');
    expect(execute).toHaveBeenCalledOnce();
  });

  test('a tool that asks by itself pauses as without hooks, which are asked after the yes, in a session of the call', async () => {
    await using s = await setup(script);
    const hooks = createHooks();
    const told: string[] = [];
    hooks.observe(HookEvent, ({ type }) => void told.push(type));
    hooks.on(BeforeToolCall, ({ resumed }) => {
      told.push(`resumed: ${resumed?.decision}`);
      return proceed();
    });
    const { remove, execute } = removing(true);
    const agent = agentWith(remove, hooks);
    const { state } = await s.runner.run(agent, 'go');
    expect(told).toEqual([]);
    for (const item of state.getInterruptions()) state.approve(item);
    await s.runner.run(agent, state);
    await hooks.settled();
    expect(execute).toHaveBeenCalledOnce();
    expect(told).toEqual([
      'session_start',
      'resumed: allow',
      'before_tool_call',
      'tool_approval_decision',
      'before_execute',
      'transform_tool_result',
      'after_tool_call',
      'session_end',
    ]);
  });

  test('a yes to what a tool itself asks is to what the model wrote, and to nothing that a hook makes of it', async () => {
    await using s = await setup(script);
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => modify({ input: { path: '/' } }));
    const { remove, execute } = removing(true);
    const agent = agentWith(remove, hooks);
    const { state } = await s.runner.run(agent, 'go');
    for (const item of state.getInterruptions()) state.approve(item);
    await s.runner.run(agent, state);
    expect(execute).not.toHaveBeenCalled();
    expect(results(s)['call_remove']).toContain('to an approver');
  });
});
