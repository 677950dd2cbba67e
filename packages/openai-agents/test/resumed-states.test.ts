import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  HookEvent,
  type Hooks,
  modify,
  proceed,
  requireApproval,
  retry,
  Stop,
  ToolApprovalDecision,
  UserPromptSubmit,
} from '@hooks/core';
import {
  Agent,
  type MCPServer,
  MemorySession,
  OpenAIResponsesModel,
  RunContext,
  RunState,
  tool,
} from '@openai/agents';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { blockReason, hookedRunner } from '../src/index.ts';
import { script as removal, removing } from './removing.ts';
import { call, requestAt, restore, results, type Setup, setup } from './setup.ts';

const script = [{ toolCalls: [call('read', {}, 'c1')] }, { text: 'Done.' }];

function asking(): Hooks {
  const hooks = createHooks();
  hooks.on(BeforeToolCall, () => requireApproval('sure?'));
  return hooks;
}

describe('What was approved is what runs: a saved state with other arguments of the call', () => {
  const other = (_key: string, value: unknown) => (value === '{"path":"a"}' ? '{"path":"b"}' : value);

  test.each([
    ['after the yes', true, (text: string) => JSON.stringify(JSON.parse(text), other)],
    [
      'where the call stands that will run',
      false,
      (text: string) => {
        const { lastProcessedResponse, ...rest } = JSON.parse(text);
        return JSON.stringify({
          ...rest,
          lastProcessedResponse: JSON.parse(JSON.stringify(lastProcessedResponse), other),
        });
      },
    ],
  ])('is not gone on with (%s)', async (_where, first, change) => {
    await using s = await setup(removal);
    const { remove, execute } = removing();
    const agent = new Agent({ name: 'A', tools: [remove] });
    const runner = hookedRunner(s.runner, asking(), { approval: 'native' });
    const { state: paused } = await runner.run(agent, 'go');
    if (first) paused.approve(paused.getInterruptions()[0]!);
    const goOn = async () => {
      const state = await restore(agent, change(paused.toString()));
      if (!first) state.approve(state.getInterruptions()[0]!);
      return runner.run(agent, state);
    };
    await expect(goOn()).rejects.toThrow(/different invocation|generated-item/);
    expect(execute).not.toHaveBeenCalled();
  });
});

describe('A waiting call of an MCP tool', () => {
  function serverOf(name: string) {
    const callTool = vi.fn(async () => [{ type: 'text' as const, text: `read by ${name}` }]);
    const server: MCPServer = {
      name,
      cacheToolsList: false,
      connect: async () => {},
      close: async () => {},
      invalidateToolsCache: async () => {},
      listTools: async () => [
        {
          name: 'read',
          description: '',
          inputSchema: { type: 'object', properties: {}, required: [], additionalProperties: false },
        },
      ],
      callTool,
    };
    return { agent: new Agent({ name: 'A', mcpServers: [server] }), callTool };
  }

  test.each(['hooked', 'in the same process', 'bare'])('runs at its server (taken up: %s)', async (how) => {
    await using s = await setup(script);
    const native = { approval: 'native' } as const;
    const first = serverOf('files');
    const runner = hookedRunner(s.runner, asking(), native);
    const paused = await runner.run(first.agent, 'go');
    const here = how === 'in the same process';
    const { agent, callTool } = here ? first : serverOf('files');
    const state = here ? paused.state : await restore(agent, paused.state.toString());
    state.approve(state.getInterruptions()[0]!);
    const other = how === 'bare' ? s.runner : hookedRunner(s.runner, asking(), native);
    const result = await (here ? runner : other).run(agent, state);
    expect(result.finalOutput).toBe('Done.');
    expect(callTool).toHaveBeenCalledOnce();
  });

  test('does not run at another server that has a tool of that name by now', async () => {
    await using s = await setup(script);
    const paused = await hookedRunner(s.runner, asking(), { approval: 'native' }).run(
      serverOf('files').agent,
      'go',
    );
    const { agent, callTool } = serverOf('backup');
    const state = await restore(agent, paused.state.toString());
    state.approve(state.getInterruptions()[0]!);
    const runner = hookedRunner(s.runner, asking(), { approval: 'native' });
    await expect(runner.run(agent, state)).rejects.toThrow(/different MCP recipient/);
    expect(callTool).not.toHaveBeenCalled();
  });
});

describe('A paused run', () => {
  function reading(needsApproval = false) {
    const execute = vi.fn(() => 'seen');
    const read = tool({ name: 'read', description: '', parameters: z.object({}), needsApproval, execute });
    return { agent: new Agent<unknown>({ name: 'A', tools: [read] }), execute };
  }

  test('is taken up with a context that is no JSON', async () => {
    await using s = await setup(script);
    const paused = await s.runner.run(reading(true).agent, 'go');
    const { agent, execute } = reading(true);
    const context = { connection: { opened: 1n } };
    const state = await RunState.fromStringWithContext(
      agent,
      paused.state.toString(),
      new RunContext(context),
    );
    state.approve(state.getInterruptions()[0]!);
    const hooks = createHooks();
    const native = vi.fn();
    hooks.observe(AfterToolCall, (event) => native(event.native));
    const result = await hookedRunner(s.runner, hooks).run(agent, state);
    await hooks.settled();
    expect(result.finalOutput).toBe('Done.');
    expect(execute).toHaveBeenCalledOnce();
    expect(native.mock.calls[0]?.[0].context.context).toEqual(context);
  });

  test("has a hook's words read where a person gave none", async () => {
    await using s = await setup(script);
    const hooks = asking();
    hooks.on(AfterToolCall, ({ status }) => (status === 'denied' ? block('Ask again tomorrow.') : proceed()));
    const { agent } = reading();
    const runner = hookedRunner(s.runner, hooks, { approval: 'native' });
    const paused = await runner.run(agent, 'go');
    paused.state.reject(paused.interruptions[0]!);
    await runner.run(agent, paused.state);
    expect(results(s)).toEqual({ c1: 'Ask again tomorrow.' });
  });

  describe.each(['a hooked runner', 'an agent as a tool'])(
    'whose session was closed meanwhile, of %s',
    (door) => {
      function waiting(s: Setup, hooks: Hooks) {
        const { remove, execute } = removing();
        const agent = new Agent({ name: 'A', instructions: 'Remove it.', tools: [remove] });
        const main =
          door === 'an agent as a tool'
            ? new Agent({ name: 'Main', tools: [agent.asTool({ toolName: 'ask', toolDescription: '' })] })
            : agent;
        return { main, runner: hookedRunner(s.runner, hooks, { approval: 'native' }), execute };
      }

      test('goes on in another one, as in another process: hooks are asked once more, and hear nothing after an end', async () => {
        await using s = await setup(({ system, turn }) => {
          if (turn > 0) return { text: 'Done.' };
          const removes = system.includes('Remove it.');
          return { toolCalls: [removes ? call('remove', { path: 'a' }) : call('ask', { input: 'x' })] };
        });
        const hooks = createHooks();
        const resumed: unknown[] = [];
        hooks.on(BeforeToolCall.matching('remove'), (event) => {
          resumed.push(event.resumed?.decision);
          return requireApproval('sure?');
        });
        const late: string[] = [];
        hooks.observe(HookEvent, ({ type, session }) => {
          if (session.state === 'closed' && type !== 'session_end') late.push(type);
        });
        const { main, runner, execute } = waiting(s, hooks);
        const { state } = await runner.run(main, 'go');
        await hooks.close();
        for (const item of state.getInterruptions()) state.approve(item);
        const result = await runner.run(main, state);
        await hooks.settled();
        expect(result.finalOutput).toBe('Done.');
        expect(execute).toHaveBeenCalledOnce();
        expect(resumed).toEqual([undefined, 'allow']);
        expect(late).toEqual([]);
      });
    },
  );

  describe('to which a user has said more', () => {
    async function paused(decide: (prompt: string) => ReturnType<typeof block> | ReturnType<typeof proceed>) {
      const s = await setup(script);
      const hooks = asking();
      hooks.on(UserPromptSubmit, ({ prompt }) => decide(prompt));
      const { agent, execute } = reading();
      const runner = hookedRunner(s.runner, hooks, { approval: 'native' });
      const { state, interruptions } = await runner.run(agent, 'go');
      state.approve(interruptions[0]!);
      state.addInput('And the password?');
      return { s, agent, runner, state, execute };
    }

    test('asks hooks about it, which may refuse it: nothing runs, and the model is told nothing', async () => {
      const { s, agent, runner, state, execute } = await paused((prompt) =>
        /password/.test(prompt) ? block('no passwords') : proceed(),
      );
      await using _closed = s;
      const error: unknown = await runner.run(agent, state).catch((cause: unknown) => cause);
      expect(blockReason(error)).toBe('no passwords');
      expect(execute).not.toHaveBeenCalled();
      expect(s.server.requests).toHaveLength(1);
      state.clearPendingInput();
      expect((await runner.run(agent, state)).finalOutput).toBe('Done.');
      expect(execute).toHaveBeenCalledOnce();
    });

    test.each<[string, Agent['toolUseBehavior']]>([
      ['that stops at other tools', { stopAtToolNames: ['other'] }],
      ['of which a hook has ended a run before', 'run_llm_again'],
    ])('is taken from the user of an agent %s', async (_which, toolUseBehavior) => {
      await using s = await setup(script);
      const hooks = asking();
      hooks.on(BeforeToolCall, () =>
        toolUseBehavior === 'run_llm_again' && s.server.requests.length === 1
          ? block('enough', { stop: true })
          : proceed(),
      );
      const { agent } = reading();
      agent.toolUseBehavior = toolUseBehavior;
      const runner = hookedRunner(s.runner, hooks, { approval: 'native' });
      if (toolUseBehavior === 'run_llm_again')
        expect((await runner.run(agent, 'go')).finalOutput).toBe('enough');
      const { state, interruptions } = await runner.run(agent, 'go');
      state.approve(interruptions[0]!);
      state.addInput('And the password?');
      expect((await runner.run(agent, state)).finalOutput).toBe('Done.');
      expect(JSON.stringify(requestAt(s).messages)).toContain('And the password?');
    });

    test('tells the model what hooks have made of it', async () => {
      await using s = await setup(script);
      const hooks = asking();
      hooks.on(UserPromptSubmit, ({ prompt }) => modify({ prompt: prompt.replace('password', '***') }));
      const { agent } = reading();
      const runner = hookedRunner(s.runner, hooks, { approval: 'native' });
      const { state, interruptions } = await runner.run(agent, 'go');
      state.approve(interruptions[0]!);
      state.addInput('And the password?');
      await runner.run(agent, state);
      expect(JSON.stringify(requestAt(s).messages)).toContain('And the ***?');
      expect(JSON.stringify(requestAt(s).messages)).not.toContain('password');
    });
  });
});

test.each([false, true])(
  'A run that was taken up works on at a Stop hook with the context, limit of turns and conversation of its state (new process: %s)',
  async (anew) => {
    const answers = [
      { text: 'Hello.' },
      { toolCalls: [call('read', {}, 'c1')] },
      { text: 'Once.' },
      { toolCalls: [call('read', {}, 'c2')] },
    ];
    await using s = await setup(() => answers.shift(), OpenAIResponsesModel);
    const users: unknown[] = [];
    const read = tool({
      name: 'read',
      description: '',
      parameters: z.object({}),
      execute: (_input, context) => void users.push(context?.context),
    });
    const agent = new Agent({ name: 'A', tools: [read] });
    const hooks = asking();
    hooks.on(Stop, () => retry('again'));
    const runner = hookedRunner(s.runner, hooks, { approval: 'native' });
    const { lastResponseId } = await s.runner.run(agent, 'hello');
    const begun = { context: { user: 'Ann' }, maxTurns: 2, previousResponseId: lastResponseId! };
    const { state: paused } = await runner.run(agent, 'go', begun);
    const restored = RunState.fromString<{ user: string }, typeof agent>;
    const state = anew ? await restored(agent, paused.toString()) : paused;
    for (const item of state.getInterruptions()) state.approve(item);
    const { state: again } = await runner.run(agent, state);
    for (const item of again.getInterruptions()) again.approve(item);
    await expect(runner.run(agent, again)).rejects.toThrow('400');
    expect(users).toEqual([{ user: 'Ann' }, { user: 'Ann' }]);
    expect(again._maxTurns).toBe(2);
    const { body, messages } = requestAt(s, 3);
    expect(body).toMatchObject({ input: [{ content: 'again' }] });
    expect(messages.map(({ content }) => content)).toContain('Once.');
  },
);

describe('A state that was restored in the process that has paused, of a run with a session', () => {
  test.each([false, true])(
    'goes on after a yes: what was approved runs (the tool asks by itself: %s)',
    async (own) => {
      await using s = await setup(removal);
      const { remove, execute } = removing(own);
      const agent = new Agent({ name: 'A', tools: [remove] });
      const hooks = own ? createHooks() : asking();
      const told: string[] = [];
      hooks.observe(HookEvent, ({ type }) => void told.push(type));
      const runner = hookedRunner(s.runner, hooks, { approval: 'native' });
      const session = new MemorySession();
      const { state: paused } = await runner.run(agent, 'go', { session });
      const state = await restore(agent, paused.toString());
      for (const item of state.getInterruptions()) state.approve(item);
      const before = told.length;
      const { finalOutput } = await runner.run(agent, state, { session });
      expect(finalOutput).toBe('Done.');
      expect(execute).toHaveBeenCalledOnce();
      expect(told.slice(before, before + 4)).toEqual([
        'tool_approval_decision',
        'before_execute',
        'transform_tool_result',
        'after_tool_call',
      ]);
    },
  );

  test.each([
    ['in the same process', { again: true }],
    ['in the same process', { again: false }],
    ['saved', { again: true }],
    ['saved', { again: false }],
  ])('resumes in no other session (the state: %s, its own session: %o)', async (how, { again }) => {
    await using s = await setup(removal);
    const { remove, execute } = removing();
    const agent = new Agent({ name: 'A', tools: [remove] });
    const runner = hookedRunner(s.runner, asking(), { approval: 'native' });
    const session = new MemorySession({ sessionId: 'own' });
    const { state: paused } = await runner.run(agent, 'go', { session });
    const state = how === 'saved' ? await restore(agent, paused.toString()) : paused;
    for (const item of state.getInterruptions()) state.approve(item);
    const other = new MemorySession({ sessionId: 'other' });
    for (const options of [{ session: other }, { conversationId: 'other' }])
      await expect(runner.run(agent, state, options)).rejects.toMatchObject({
        code: 'INVALID_INPUT',
        message: expect.stringContaining('A RunState of session "own" cannot be resumed in session "other"'),
      });
    expect(execute).not.toHaveBeenCalled();
    expect(await other.getItems()).toEqual([]);
    const { finalOutput } = await runner.run(agent, state, again ? { session } : {});
    expect(finalOutput).toBe('Done.');
    expect(execute).toHaveBeenCalledOnce();
  });

  test.each(['in the same process', 'saved'])(
    'runs no approved call in a runner whose option `approval` is `deny` (the state: %s)',
    async (how) => {
      await using s = await setup(removal);
      const { remove, execute } = removing();
      const agent = new Agent({ name: 'A', tools: [remove] });
      const hooks = asking();
      const { state: paused } = await hookedRunner(s.runner, hooks, { approval: 'native' }).run(agent, 'go');
      const state = how === 'saved' ? await restore(agent, paused.toString()) : paused;
      for (const item of state.getInterruptions()) state.approve(item);
      await hookedRunner(s.runner, hooks, { approval: 'deny' }).run(agent, state);
      expect(execute).not.toHaveBeenCalled();
      expect(results(s)['call_remove']).toContain("`approval` option is `'deny'`");
    },
  );

  test('goes on after a no, of which hooks are told', async () => {
    await using s = await setup(removal);
    const { remove, execute } = removing();
    const agent = new Agent({ name: 'A', tools: [remove] });
    const hooks = asking();
    const told: unknown[] = [];
    hooks.observe(ToolApprovalDecision, ({ approval, reason }) => void told.push([approval, reason]));
    hooks.observe(AfterToolCall, ({ status }) => void told.push(status));
    const runner = hookedRunner(s.runner, hooks, { approval: 'native' });
    const session = new MemorySession();
    const { state: paused } = await runner.run(agent, 'go', { session });
    const state = await restore(agent, paused.toString());
    for (const item of state.getInterruptions()) state.reject(item, { message: 'keep it' });
    await runner.run(agent, state, { session });
    expect(results(s)).toEqual({ call_remove: 'keep it' });
    expect(execute).not.toHaveBeenCalled();
    expect(told).toEqual([['deny', 'keep it'], 'denied']);
  });
});
