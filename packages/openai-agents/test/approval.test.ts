import {
  AfterToolCall,
  type Approver,
  BeforeToolCall,
  block,
  createHooks,
  grantApproval,
  type Hooks,
  modify,
  PermissionRequest,
  type Principal,
  proceed,
  requireApproval,
  Stop,
  ToolApprovalDecision,
  ToolEvent,
} from '@hooks/core';
import { Agent, type FunctionTool, MemorySession, RunContext, tool } from '@openai/agents';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { attachHooks, hookedRunner, hookTool, pendingApprovals } from '../src/index.ts';
import { removing, script } from './removing.ts';
import { call, restore, results, setup } from './setup.ts';

function agentWith(needsApproval = false) {
  const { remove, execute } = removing(needsApproval);
  return { agent: new Agent({ name: 'A', tools: [remove] }), execute };
}

function asking() {
  const hooks = createHooks();
  const before = vi.fn(() => requireApproval('it is gone for good'));
  hooks.on(BeforeToolCall, before);
  const log: string[] = [];
  hooks.observe(
    ToolApprovalDecision,
    ({ approval, source, reason }) => void log.push([approval, source, reason].join(' ').trim()),
  );
  hooks.observe(
    AfterToolCall,
    ({ status, ran, reason }) => void log.push([status, ran, reason].join(' ').trim()),
  );
  return { hooks, before, log };
}

describe('A required approval', () => {
  test('is denied where nobody can be asked, and the reason names the option', async () => {
    await using s = await setup(script);
    const { agent, execute } = agentWith();
    await hookedRunner(s.runner, asking().hooks).run(agent, 'go');
    expect(execute).not.toHaveBeenCalled();
    expect(results(s)['call_remove']).toMatch(/`approval` option/);
  });

  test.each([
    { decision: 'allow', ran: true },
    { decision: 'deny', ran: false },
  ] as const)('is asked of an approver in place: $decision', async ({ decision, ran }) => {
    await using s = await setup(script);
    const approver = vi.fn<Approver>(() => ({ decision, reason: 'as you like' }));
    const { agent, execute } = agentWith();
    const result = await hookedRunner(s.runner, asking().hooks, { approval: approver }).run(agent, 'go');
    expect(result.interruptions).toEqual([]);
    expect(execute).toHaveBeenCalledTimes(ran ? 1 : 0);
    expect(approver.mock.calls[0]?.[0]).toMatchObject({
      callId: 'call_remove',
      toolName: 'remove',
      input: { path: 'a' },
    });
    expect(results(s)).toEqual({ call_remove: ran ? 'removed a' : 'as you like' });
  });

  test('pauses the run, tells what waits, and goes on after a yes without asking hooks again', async () => {
    await using s = await setup(script);
    const { hooks, before, log } = asking();
    const { agent, execute } = agentWith();
    const runner = hookedRunner(s.runner, hooks, { approval: 'native' });
    const paused = await runner.run(agent, 'go');
    expect(execute).not.toHaveBeenCalled();
    expect(await pendingApprovals(paused)).toEqual([
      {
        callId: 'call_remove',
        toolName: 'remove',
        input: { path: 'a' },
        reason: 'it is gone for good',
        hash: expect.any(String),
      },
    ]);
    for (const item of paused.interruptions) paused.state.approve(item);
    const result = await runner.run(agent, paused.state);
    await hooks.settled();
    expect(result.finalOutput).toBe('Done.');
    expect(before).toHaveBeenCalledOnce();
    expect(execute).toHaveBeenCalledOnce();
    expect(log).toEqual(['allow user_approved', 'ok true']);
  });

  test('resumes in the session that it is given, where the run had one of its own, and hooks are asked there', async () => {
    await using s = await setup(script);
    const { hooks } = asking();
    const sessions: string[] = [];
    hooks.on(BeforeToolCall, ({ session: { id }, resumed }) => {
      sessions.push(`${id} ${resumed?.decision}`);
      return proceed();
    });
    const { agent, execute } = agentWith();
    const runner = hookedRunner(s.runner, hooks, { approval: 'native' });
    const paused = await runner.run(agent, 'go');
    for (const item of paused.interruptions) paused.state.approve(item);
    const session = new MemorySession({ sessionId: 's1' });
    const result = await runner.run(agent, paused.state, { session });
    expect(result.finalOutput).toBe('Done.');
    expect(execute).toHaveBeenCalledOnce();
    expect(sessions).toEqual([expect.stringMatching(/ undefined$/), 's1 allow']);
  });

  test('resumes in the session of its run where it is given none, and no hook is asked twice', async () => {
    await using s = await setup(script);
    const { hooks } = asking();
    const sessions: string[] = [];
    hooks.on(BeforeToolCall, ({ session: { id } }) => {
      sessions.push(id);
      return proceed();
    });
    const { agent, execute } = agentWith();
    const runner = hookedRunner(s.runner, hooks, { approval: 'native' });
    const session = new MemorySession({ sessionId: 's1' });
    const paused = await runner.run(agent, 'go', { session });
    for (const item of paused.interruptions) paused.state.approve(item);
    const result = await runner.run(agent, paused.state);
    expect(result.finalOutput).toBe('Done.');
    expect(execute).toHaveBeenCalledOnce();
    expect(sessions).toEqual(['s1']);
  });

  test.each([false, true])(
    'that a person refuses is final, and the model reads why (new process: %s)',
    async (restored) => {
      await using s = await setup(script);
      const { hooks, log } = asking();
      const { agent, execute } = agentWith();
      const runner = hookedRunner(s.runner, hooks, { approval: 'native' });
      const paused = await runner.run(agent, 'go');
      const state = restored ? await restore(agent, paused.state.toString()) : paused.state;
      for (const item of state.getInterruptions()) state.reject(item, { message: 'keep it' });
      const other = restored ? asking() : { hooks, log, before: vi.fn() };
      await hookedRunner(s.runner, other.hooks, { approval: 'native' }).run(agent, state);
      await other.hooks.settled();
      expect(execute).not.toHaveBeenCalled();
      expect(results(s)).toEqual({ call_remove: 'keep it' });
      expect(other.log).toEqual(['deny user_rejected keep it', 'denied false keep it']);
      if (restored) expect(other.before).not.toHaveBeenCalled();
    },
  );

  test('that a person gave counts in a new process, where hooks are asked once more and may still block', async () => {
    for (const blocks of [false, true]) {
      await using s = await setup(script);
      const paused = await hookedRunner(s.runner, asking().hooks, { approval: 'native' }).run(
        agentWith().agent,
        'go',
      );
      const text = paused.state.toString();
      // Another process: another agent, other hooks; the state is restored before anything is hooked.
      const { agent, execute } = agentWith();
      const hooks = createHooks();
      hooks.on(BeforeToolCall, ({ resumed }) => {
        expect(resumed?.decision).toBe('allow');
        return blocks ? block('not any more') : requireApproval('it is gone for good');
      });
      const prompts: unknown[] = [];
      hooks.observe(Stop, ({ lastUserMessage }) => void prompts.push(lastUserMessage));
      const state = await restore(agent, text);
      for (const item of state.getInterruptions()) state.approve(item);
      await hookedRunner(s.runner, hooks, { approval: 'native' }).run(agent, state);
      expect(execute).toHaveBeenCalledTimes(blocks ? 0 : 1);
      expect(results(s)).toEqual({ call_remove: blocks ? 'not any more' : 'removed a' });
      expect(prompts).toEqual(['go']);
    }
  });

  test.each([false, true])(
    'of a rewritten input ends as blocked, since the pause shows the arguments of the model (the tool asks by itself: %s)',
    async (needsApproval) => {
      await using s = await setup(script);
      const { hooks, log } = asking();
      hooks.on(BeforeToolCall, () => modify({ input: { path: 'b' } }));
      const { agent, execute } = agentWith(needsApproval);
      const result = await hookedRunner(s.runner, hooks, { approval: 'native' }).run(agent, 'go');
      await hooks.settled();
      expect(result.interruptions).toEqual([]);
      expect(execute).not.toHaveBeenCalled();
      expect(results(s)['call_remove']).toMatch(/to an approver/);
      expect(log.map((entry) => entry.split(' ', 2).join(' '))).toEqual([
        'canceled context_canceled',
        'blocked false',
      ]);
    },
  );

  test('of a call that was renamed ends as blocked, since the pause shows the tool that the model named', async () => {
    await using s = await setup(script);
    const { hooks, log } = asking();
    hooks.on(BeforeToolCall, () => modify({ toolName: 'wipe' }));
    const { agent, execute } = agentWith();
    const wipe = tool({
      name: 'wipe',
      description: '',
      parameters: z.object({ path: z.string() }),
      execute,
    });
    const result = await hookedRunner(s.runner, hooks, { approval: 'native' }).run(
      agent.clone({ tools: [...agent.tools, wipe] }),
      'go',
    );
    await hooks.settled();
    expect(result.interruptions).toEqual([]);
    expect(execute).not.toHaveBeenCalled();
    expect(log.at(-1)).toMatch(/^blocked false .* to an approver/);
  });

  test('of an input that a hook rewrites only after the yes, in a new process, ends as blocked', async () => {
    await using s = await setup(script);
    const paused = await hookedRunner(s.runner, asking().hooks, { approval: 'native' }).run(
      agentWith().agent,
      'go',
    );
    const { agent, execute } = agentWith();
    const { hooks, log } = asking();
    hooks.on(BeforeToolCall, () => modify({ input: { path: 'b' } }));
    const state = await restore(agent, paused.state.toString());
    for (const item of state.getInterruptions()) state.approve(item);
    await hookedRunner(s.runner, hooks, { approval: 'native' }).run(agent, state);
    await hooks.settled();
    expect(execute).not.toHaveBeenCalled();
    expect(log.at(-1)).toMatch(/^blocked false .* to an approver/);
  });

  test('is not asked of a person for malformed arguments', async () => {
    await using s = await setup([{ toolCalls: [call('remove', '{"path":')] }, { text: 'Done.' }]);
    const { agent } = agentWith();
    const result = await hookedRunner(s.runner, asking().hooks, { approval: 'native' }).run(agent, 'go');
    expect(result.interruptions).toEqual([]);
    expect(results(s)['call_remove']).toMatch(/valid JSON/);
  });

  test('pauses only the calls that need it: siblings run once', async () => {
    await using s = await setup([
      { toolCalls: [call('remove', { path: 'a' }, 'c1'), call('remove', { path: 'b' }, 'c2')] },
      { text: 'Done.' },
    ]);
    const hooks = createHooks();
    hooks.on(BeforeToolCall, ({ callId }) => (callId === 'c1' ? requireApproval('sure?') : proceed()));
    const { agent, execute } = agentWith();
    const runner = hookedRunner(s.runner, hooks, { approval: 'native' });
    const paused = await runner.run(agent, 'go');
    expect((await pendingApprovals(paused)).map(({ callId }) => callId)).toEqual(['c1']);
    for (const item of paused.interruptions) paused.state.approve(item);
    await runner.run(agent, paused.state);
    expect(execute.mock.calls.map(([input]) => input.path)).toEqual(['b', 'a']);
    expect(results(s)).toEqual({ c1: 'removed a', c2: 'removed b' });
  });
});

describe('A tool that asks by itself', () => {
  test('pauses as without hooks, and fires PermissionRequest', async () => {
    await using s = await setup(script);
    const hooks = createHooks();
    const requested = vi.fn();
    hooks.observe(PermissionRequest, ({ toolName }) => requested(toolName));
    const { agent, execute } = agentWith(true);
    const runner = hookedRunner(s.runner, hooks);
    const paused = await runner.run(agent, 'go');
    expect(paused.interruptions).toHaveLength(1);
    for (const item of paused.interruptions) paused.state.approve(item);
    await runner.run(agent, paused.state);
    await hooks.settled();
    expect(requested).toHaveBeenCalledExactlyOnceWith('remove');
    expect(execute).toHaveBeenCalledOnce();
  });

  test.each(['before_tool_call', 'permission_request'])(
    'runs without asking where a hook grants it (%s)',
    async (event) => {
      await using s = await setup(script);
      const hooks = createHooks();
      if (event === 'before_tool_call') hooks.on(BeforeToolCall, () => grantApproval('known'));
      else hooks.on(PermissionRequest, () => grantApproval('known'));
      const { agent, execute } = agentWith(true);
      const result = await hookedRunner(s.runner, hooks).run(agent, 'go');
      expect(result.interruptions).toEqual([]);
      expect(execute).toHaveBeenCalledOnce();
    },
  );

  test('that a person has approved for good runs with what the model wrote, and with nothing that a hook makes of it', async () => {
    await using s = await setup([
      { toolCalls: [call('remove', { path: 'a' }, 'first')] },
      { toolCalls: [call('remove', { path: 'b' }, 'second')] },
      { toolCalls: [call('remove', { path: 'c' }, 'third')] },
      { text: 'Done.' },
    ]);
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching('remove'), ({ callId }) =>
      callId === 'third' ? modify({ input: { path: '/' } }) : proceed(),
    );
    const { agent, execute } = agentWith(true);
    const runner = hookedRunner(s.runner, hooks);
    const paused = await runner.run(agent, 'go');
    paused.state.approve(paused.interruptions[0]!, { alwaysApprove: true });
    await runner.run(agent, paused.state);
    expect(execute.mock.calls.map(([input]) => input)).toEqual([{ path: 'a' }, { path: 'b' }]);
    expect(results(s)['third']).toContain('to an approver');
  });

  test('that a person has approved for good is not approved as a tool of another agent', async () => {
    await using s = await setup([
      { toolCalls: [call('remove', { path: 'a' }, 'first')] },
      { toolCalls: [call('transfer_to_B', {}, 'over')] },
      { toolCalls: [call('remove', { path: 'b' }, 'second')] },
      { text: 'Done.' },
    ]);
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching('remove'), () => requireApproval('it is gone for good'), {
      agents: 'B',
    });
    const { agent, execute } = agentWith(true);
    const other = agentWith().agent.clone({ name: 'B' });
    const first = agent.clone({ handoffs: [other] });
    const runner = hookedRunner(s.runner, hooks);
    const paused = await runner.run(first, 'go');
    paused.state.approve(paused.interruptions[0]!, { alwaysApprove: true });
    await runner.run(first, paused.state);
    expect(execute).toHaveBeenCalledOnce();
    expect(results(s)['second']).toContain('there is no approver');
  });

  test('and is hooked by itself, in a runner that is not, runs with no other input than a person approved', async () => {
    await using s = await setup(script);
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => modify({ input: { path: '/' } }));
    const { agent, execute } = agentWith(true);
    const bare = new Agent({
      name: 'A',
      tools: agent.tools.map((one) => hookTool(one as FunctionTool, hooks)),
    });
    const paused = await s.runner.run(bare, 'go');
    paused.state.approve(paused.interruptions[0]!);
    await s.runner.run(bare, paused.state);
    expect(execute).not.toHaveBeenCalled();
    expect(results(s)['call_remove']).toContain('to an approver');
  });

  test('does not ask where a hook blocks', async () => {
    await using s = await setup(script);
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => block('no'));
    const { agent } = agentWith(true);
    const result = await hookedRunner(s.runner, hooks).run(agent, 'go');
    expect(result.interruptions).toEqual([]);
    expect(results(s)).toEqual({ call_remove: 'no' });
  });
});

describe('A tool that was hooked by itself', () => {
  function hookedByItself(
    hooks: Hooks,
    { approval, needsApproval }: { approval?: Approver; needsApproval?: boolean } = {},
  ) {
    const { agent, execute } = agentWith(needsApproval);
    const tools = agent.tools.map((one) =>
      hookTool(one as FunctionTool, hooks, { ...(approval && { approval }) }),
    );
    return { agent: agent.clone({ tools }), execute };
  }

  test('pauses in a run whose approval is native, and asks hooks once', async () => {
    await using s = await setup(script);
    const { hooks, before } = asking();
    const { agent, execute } = hookedByItself(hooks);
    const runner = hookedRunner(s.runner, hooks, { approval: 'native' });
    const paused = await runner.run(agent, 'go');
    expect(await pendingApprovals(paused)).toMatchObject([{ reason: 'it is gone for good' }]);
    for (const item of paused.interruptions) paused.state.approve(item);
    await runner.run(agent, paused.state);
    expect(execute).toHaveBeenCalledOnce();
    expect(before).toHaveBeenCalledOnce();
  });

  test('keeps its own approver in a run that names none', async () => {
    await using s = await setup(script);
    const { hooks } = asking();
    const approval = vi.fn<Approver>(() => ({ decision: 'allow' }));
    const { agent, execute } = hookedByItself(hooks, { approval });
    await hookedRunner(s.runner, hooks).run(agent, 'go');
    expect(approval).toHaveBeenCalledOnce();
    expect(execute).toHaveBeenCalledOnce();
  });

  test('runs without asking where a hook grants what the tool itself asks', async () => {
    await using s = await setup(script);
    const hooks = createHooks();
    hooks.on(PermissionRequest, () => grantApproval('known'));
    const { agent, execute } = hookedByItself(hooks, { needsApproval: true });
    const result = await hookedRunner(s.runner, hooks).run(agent, 'go');
    expect(result.interruptions).toEqual([]);
    expect(execute).toHaveBeenCalledOnce();
  });
});

describe('An agent that was attached with an approver', () => {
  test.each([false, true])('keeps it in a run that names none (the run names another: %s)', async (names) => {
    await using s = await setup(script);
    const { hooks } = asking();
    const own = vi.fn<Approver>(() => ({ decision: 'allow' }));
    const ofRun = vi.fn<Approver>(() => ({ decision: 'deny' }));
    const { agent, execute } = agentWith();
    attachHooks(agent, hooks, { approval: own });
    await hookedRunner(s.runner, hooks, { ...(names && { approval: ofRun }) }).run(agent, 'go');
    expect(execute).toHaveBeenCalledTimes(names ? 0 : 1);
    expect([own, ofRun].map(({ mock }) => mock.calls.length)).toEqual(names ? [0, 1] : [1, 0]);
  });
});

describe('Approvals that are not to be mixed up', () => {
  const removeWith = (execute: (input: { path: string }) => string) =>
    tool({ name: 'remove', description: '', parameters: z.object({ path: z.string() }), execute });

  test('a call is another one where its id comes back in another agent', async () => {
    await using s = await setup(({ system, turn }) => {
      if (system.includes('First.'))
        return {
          toolCalls: [turn === 0 ? call('remove', { path: 'a' }, 'c1') : call('transfer_to_B', {}, 'over')],
        };
      return turn === 2 ? { toolCalls: [call('remove', { path: 'b' }, 'c1')] } : { text: 'Done.' };
    });
    const hooks = createHooks();
    const before = vi.fn(() => proceed());
    hooks.on(BeforeToolCall.matching('remove'), before);
    const execute = vi.fn(({ path }: { path: string }) => `removed ${path}`);
    const second = new Agent({ name: 'B', instructions: 'Second.', tools: [removeWith(execute)] });
    const first = new Agent({
      name: 'A',
      instructions: 'First.',
      tools: [removeWith(execute)],
      handoffs: [second],
    });
    await hookedRunner(s.runner, hooks, { approval: 'native' }).run(first, 'go');
    expect(before).toHaveBeenCalledTimes(2);
    expect(execute.mock.calls.map(([{ path }]) => path)).toEqual(['a', 'b']);
  });

  test('what one registry of hooks requires, another cannot grant', async () => {
    await using s = await setup(script);
    const inner = asking();
    const outer = createHooks();
    outer.on(BeforeToolCall, () => grantApproval('known'));
    const { agent, execute } = agentWith();
    const runner = hookedRunner(hookedRunner(s.runner, inner.hooks, { approval: 'native' }), outer, {
      approval: 'native',
    });
    const paused = await runner.run(agent, 'go');
    expect(execute).not.toHaveBeenCalled();
    paused.state.approve(paused.interruptions[0]!);
    await runner.run(agent, paused.state);
    expect(execute).toHaveBeenCalledOnce();
    expect(inner.before).toHaveBeenCalledOnce();
  });

  test.each([
    { inner: 'deny', outer: 'native', ran: 0 },
    { inner: 'native', outer: 'deny', ran: 0 },
    { inner: 'approver', outer: 'native', ran: 1 },
    { inner: 'native', outer: 'approver', ran: 1 },
  ] as const)(
    "a person's yes to what one registry of hooks requires is none to another ($outer around $inner)",
    async ({ inner, outer, ran }) => {
      await using s = await setup(script);
      const { agent, execute } = agentWith();
      const approver = vi.fn<Approver>(() => ({ decision: 'allow' }));
      const runner = [inner, outer].reduce(
        (hooked: typeof s.runner, approval) =>
          hookedRunner(hooked, asking().hooks, { approval: approval === 'approver' ? approver : approval }),
        s.runner,
      );
      const paused = await runner.run(agent, 'go');
      for (const item of paused.interruptions) paused.state.approve(item);
      await runner.run(agent, paused.state);
      expect(execute).toHaveBeenCalledTimes(ran);
      expect(approver).toHaveBeenCalledTimes(ran);
    },
  );

  test('no person is asked about a call that hooks further out block', async () => {
    await using s = await setup(script);
    const { agent, execute } = agentWith();
    const outer = createHooks();
    outer.guard(BeforeToolCall, () => block('never'));
    const inner = hookedRunner(s.runner, asking().hooks, { approval: 'native' });
    const result = await hookedRunner(inner, outer, { approval: 'native' }).run(agent, 'go');
    expect(result.interruptions).toEqual([]);
    expect(results(s)['call_remove']).toBe('never');
    expect(execute).not.toHaveBeenCalled();
  });

  test.each([false, true])(
    "a person's no ends the call for the hooks of the tool itself, too (new process: %s)",
    async (restored) => {
      await using s = await setup(script);
      const own = createHooks();
      const ended: string[] = [];
      own.observe(AfterToolCall, ({ toolName, status }) => void ended.push(`${toolName} ${status}`));
      const agent = new Agent({ name: 'A', tools: [hookTool(removing().remove, own)] });
      const runner = hookedRunner(s.runner, asking().hooks, { approval: 'native' });
      const paused = await runner.run(agent, 'go');
      const state = restored ? await restore(agent, paused.state.toString()) : paused.state;
      for (const item of state.getInterruptions()) state.reject(item, { message: 'keep it' });
      await runner.run(agent, state);
      await own.settled();
      expect(ended).toEqual(['remove denied']);
    },
  );

  test("a person's no ends an agent that stops at its tools, as it does without hooks", async () => {
    await using s = await setup(script);
    const { agent } = agentWith();
    const stopping = agent.clone({ toolUseBehavior: 'stop_on_first_tool' });
    const runner = hookedRunner(s.runner, asking().hooks, { approval: 'native' });
    const paused = await runner.run(stopping, 'go');
    paused.state.reject(paused.interruptions[0]!, { message: 'keep it' });
    const result = await runner.run(stopping, paused.state);
    expect(result.finalOutput).toBe('keep it');
    expect(s.server.requests).toHaveLength(1);
  });

  test('a call for which an approver is asked when its time is over does not start', async () => {
    await using s = await setup(script);
    const hooks = createHooks();
    hooks.observe(BeforeToolCall, () => {});
    const over = Promise.withResolvers<void>();
    hooks.observe(AfterToolCall, () => over.resolve());
    const execute = vi.fn(() => 'removed');
    const remove = tool({
      name: 'remove',
      description: '',
      parameters: z.object({ path: z.string() }),
      needsApproval: true,
      timeoutMs: 5,
      execute,
    });
    const late = Promise.withResolvers<void>();
    const runner = hookedRunner(s.runner, hooks, {
      approval: async () => {
        await late.promise;
        return { decision: 'allow' };
      },
    });
    await runner.run(new Agent({ name: 'A', tools: [remove] }), 'go');
    late.resolve();
    await over.promise;
    expect(results(s)['call_remove']).toMatch(/timed out/);
    expect(execute).not.toHaveBeenCalled();
  });

  test('a hook that is asked when the run is aborted hears of it', async () => {
    await using s = await setup(script);
    const hooks = createHooks();
    const abort = new AbortController();
    const aborted = vi.fn();
    hooks.on(BeforeToolCall, async (_call, { signal }) => {
      signal.addEventListener('abort', aborted);
      abort.abort();
      return proceed();
    });
    const { agent, execute } = agentWith();
    const runner = hookedRunner(s.runner, hooks, { approval: 'native' });
    await expect(runner.run(agent, 'go', { signal: abort.signal })).rejects.toThrow(/abort/);
    expect(aborted).toHaveBeenCalledOnce();
    expect(execute).not.toHaveBeenCalled();
  });
});

test.each([
  { restored: false, asks: 'a hook' },
  { restored: true, asks: 'a hook' },
  { restored: false, asks: 'the tool itself' },
  { restored: true, asks: 'the tool itself' },
])(
  'An approval runs its call once, also where a later run has the same context (restored: $restored, $asks asks)',
  async ({ restored, asks }) => {
    const calls = { toolCalls: [call('remove', { path: 'a' }, 'same')] };
    await using s = await setup([calls, { text: 'Done.' }, calls, { text: 'Done.' }]);
    const { agent, execute } = agentWith(asks === 'the tool itself');
    const hooks = createHooks();
    const before = vi.fn(() => (asks === 'a hook' ? requireApproval('it is gone for good') : proceed()));
    hooks.on(BeforeToolCall, before);
    const runner = hookedRunner(s.runner, hooks, { approval: 'native' });
    const paused = await runner.run(agent, 'go');
    const state = restored ? await restore(agent, paused.state.toString()) : paused.state;
    state.approve(state.getInterruptions()[0]!);
    const { runContext } = await runner.run(agent, state);
    expect(execute).toHaveBeenCalledTimes(1);
    const asked = before.mock.calls.length;
    await runner.run(agent, 'again', { context: runContext as never });
    expect(execute).toHaveBeenCalledTimes(1);
    expect(before.mock.calls.length).toBeGreaterThan(asked);
  },
);

test.each(
  ['one state', 'two states'].flatMap((states) => [
    { states, asks: 'a hook' },
    { states, asks: 'the tool itself' },
  ]),
)(
  'An approval runs its call once, also where $states with its context are resumed at once ($asks asks)',
  async ({ states, asks }) => {
    const calls = { toolCalls: [call('remove', { path: 'a' }, 'same')] };
    await using s = await setup(({ turn }) => (turn === 0 ? calls : { text: 'Done.' }));
    const execute = vi.fn(async ({ path }: { path: string }) => {
      await fetch(s.server.url).catch(() => {});
      return `removed ${path}`;
    });
    const needsApproval = asks === 'the tool itself';
    const parameters = z.object({ path: z.string() });
    const remove = tool({ name: 'remove', description: '', parameters, needsApproval, execute });
    const agent = new Agent({ name: 'A', tools: [remove] });
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => (asks === 'a hook' ? requireApproval('it is gone for good') : proceed()));
    const runner = hookedRunner(s.runner, hooks, { approval: 'native' });
    const context = new RunContext();
    const one = (await runner.run(agent, 'go', { context })).state;
    const other = states === 'one state' ? one : (await runner.run(agent, 'go', { context })).state;
    one.approve(one.getInterruptions()[0]!);
    await Promise.allSettled([runner.run(agent, one), runner.run(agent, other)]);
    expect(execute).toHaveBeenCalledTimes(1);
  },
);

test.each([
  ['a runner of its user', { id: 'ann' }, true],
  ['a runner of another user', { id: 'bob' }, false],
  ['a runner without a user', undefined, true],
])(
  'A paused run that is resumed by %s is judged for that user, if there is one',
  async (_who, user, runs) => {
    await using s = await setup(script);
    const hooks = createHooks();
    hooks.guard(BeforeToolCall, ({ principal }) =>
      principal?.id === 'bob' ? block('Not for Bob.') : requireApproval('sure?'),
    );
    const { agent, execute } = agentWith();
    const runnerOf = (principal: Principal | undefined) =>
      hookedRunner(s.runner, hooks, { approval: 'native', principal: () => principal });
    const { state, interruptions } = await runnerOf({ id: 'ann' }).run(agent, 'go');
    for (const item of interruptions) state.approve(item);
    await runnerOf(user).run(agent, state);
    expect(execute).toHaveBeenCalledTimes(runs ? 1 : 0);
    expect(results(s)).toEqual({ call_remove: runs ? 'removed a' : 'Not for Bob.' });
  },
);

test('A paused run is not resumed with the context of another user or of nobody, which the SDK would not give to its tools', async () => {
  await using s = await setup(script);
  const { hooks } = asking();
  const { agent, execute } = agentWith();
  const runner = hookedRunner(s.runner, hooks, {
    approval: 'native',
    principal: (context?: { id?: string }) => (context?.id === undefined ? undefined : { id: context.id }),
  });
  const { state, interruptions } = await runner.run(agent, 'go', { context: { id: 'ann' } as never });
  for (const item of interruptions) state.approve(item);
  for (const context of [{ id: 'bob' }, {}])
    await expect(runner.run(agent, state, { context: context as never })).rejects.toMatchObject({
      code: 'INVALID_INPUT',
    });
  expect(execute).not.toHaveBeenCalled();
  await runner.run(agent, state, { context: { id: 'ann' } as never });
  expect(execute).toHaveBeenCalledOnce();
});

test('A no in another process is told with the user of the tool that was hooked by itself', async () => {
  await using s = await setup(script);
  const { remove } = removing();
  const hooks = createHooks();
  hooks.on(BeforeToolCall, () => requireApproval('sure?'));
  const users = new Set<string | undefined>();
  hooks.observe(ToolEvent, ({ principal }) => void users.add(principal?.id));
  const hooked = hookTool(remove, hooks, { principal: () => ({ id: 'ann' }) });
  const agent = new Agent({ name: 'A', tools: [hooked] });
  const runner = hookedRunner(s.runner, createHooks(), {
    approval: 'native',
    principal: () => ({ id: 'app' }),
  });
  const state = await restore(agent, (await runner.run(agent, 'go')).state.toString());
  for (const item of state.getInterruptions()) state.reject(item);
  await runner.run(agent, state);
  await hooks.settled();
  expect([...users]).toEqual(['ann']);
});
