import {
  AfterModelCall,
  addContext,
  BeforeModelCall,
  BeforeRun,
  BeforeToolCall,
  block,
  createHooks,
  HookEvent,
  type Hooks,
  modify,
  proceed,
  retry,
  SessionEnd,
  SessionStart,
  Stop,
  TurnStart,
  UserPromptSubmit,
} from '@hooks/core';
import {
  Agent,
  type AgentInputItem,
  MemorySession,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  Runner,
  tool,
  Usage,
} from '@openai/agents';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { attachHooks, BlockedError, blockReason, hookedRunner } from '../src/index.ts';
import { call, requestAt, results, setup as setupWith } from './setup.ts';

const look = tool({ name: 'look', description: '', parameters: z.object({}), execute: () => 'seen' });
const agentOf = () => new Agent({ name: 'A', instructions: 'Be brief.', tools: [look] });
const loop = [{ toolCalls: [call('look', {})] }, { text: 'Done.' }];

function logged(hooks: Hooks): string[] {
  const log: string[] = [];
  hooks.observe(HookEvent, (event) => {
    const { reason, iteration } = event as { readonly reason?: string; readonly iteration?: number };
    log.push([event.type, iteration, reason].filter((part) => part !== undefined).join(' '));
  });
  return log;
}

describe.each([
  { stream: false, Model: OpenAIChatCompletionsModel },
  { stream: true, Model: OpenAIChatCompletionsModel },
  { stream: false, Model: OpenAIResponsesModel },
  { stream: true, Model: OpenAIResponsesModel },
])('A run of a hooked runner ($Model.name, streamed: $stream)', ({ stream, Model }) => {
  const setup = (script: Parameters<typeof setupWith>[0]) => setupWith(script, Model);

  const run = async (
    runner: Parameters<typeof hookedRunner>[0],
    agent: Agent,
    prompt: string | AgentInputItem[],
    options: object = {},
  ) => {
    if (!stream) return runner.run(agent, prompt, options);
    const result = await runner.run(agent, prompt, { ...options, stream: true });
    for await (const _event of result);
    await result.completed;
    return result;
  };

  test('counts the usage of the answers for which a hook retried the call', async () => {
    await using s = await setup([{ text: 'Done.' }]);
    const hooks = createHooks();
    const used: unknown[] = [];
    hooks.on(AfterModelCall, ({ response, attempt }) => {
      used.push(response.usage?.inputTokens);
      return attempt < 3 ? retry('Better.') : proceed();
    });
    const { runContext } = await run(hookedRunner(s.runner, hooks), agentOf(), 'go');
    const { requests, inputTokens, outputTokens, totalTokens } = runContext.usage;
    expect([requests, inputTokens, outputTokens, totalTokens]).toEqual([3, 30, 15, 45]);
    expect(used).toEqual([10, 10, 10]);
  });

  test('fires its events in order, and closes the session that it opened', async () => {
    await using s = await setup(loop);
    const hooks = createHooks();
    const log = logged(hooks);
    await run(hookedRunner(s.runner, hooks), agentOf(), 'go');
    await hooks.settled();
    expect(log).toEqual([
      'session_start',
      'user_prompt_submit',
      'before_run',
      'turn_start 1',
      'before_model_call 1',
      'after_model_call 1',
      'before_tool_call',
      'before_execute',
      'transform_tool_result',
      'after_tool_call',
      'turn_end 1 continue',
      'turn_start 2',
      'before_model_call 2',
      'after_model_call 2',
      'stop',
      'turn_end 2 normal',
      'session_end other',
    ]);
  });

  test('sends and gives the same as the bare runner where no hook is registered', async () => {
    await using bare = await setup(loop);
    await using hooked = await setup(loop);
    const plain = await run(bare.runner, agentOf(), 'go');
    const result = await run(hookedRunner(hooked.runner, createHooks()), agentOf(), 'go');
    expect(hooked.server.requests).toEqual(bare.server.requests);
    expect(result.history).toEqual(plain.history);
  });

  test('is refused before it begins: the model is not called, nothing is stored', async () => {
    await using s = await setup(loop);
    const hooks = createHooks();
    hooks.on(UserPromptSubmit, () => block('no such thing'));
    const session = new MemorySession();
    const heard: string[] = [];
    s.runner.on('agent_start', () => void heard.push('agent_start'));
    s.runner.config.callModelInputFilter = ({ modelData }) => {
      heard.push('filter');
      return modelData;
    };
    const inputGuardrails = [
      {
        name: 'theirs',
        execute: async () => {
          heard.push('guardrail');
          return { tripwireTriggered: true, outputInfo: {} };
        },
      },
    ];
    const agent = agentOf().clone({ inputGuardrails });
    const context = { user: 'ann' };
    const runner = hookedRunner(s.runner, hooks);
    const result = await run(runner, agent, 'go', { session, context });
    expect([result.finalOutput, blockReason(result)]).toEqual(['no such thing', 'no such thing']);
    expect(result.lastAgent).toBe(agent);
    expect(result.runContext.context).toBe(context);
    expect(JSON.stringify(result.history)).not.toContain('go');
    const streamed = await runner.run(agent, 'go', { session, stream: true });
    let text = '';
    for await (const part of streamed.toTextStream()) text += part;
    expect([text, streamed.finalOutput]).toEqual(['no such thing', 'no such thing']);
    expect(heard).toEqual([]);
    expect(s.server.requests).toHaveLength(0);
    expect(await session.getItems()).toEqual([]);
  });

  test('stores nothing that the user wrote before a refused prompt, also before a system message', async () => {
    await using s = await setup(loop);
    const hooks = createHooks();
    hooks.on(UserPromptSubmit, ({ prompt }) => (prompt === 'go' ? block('no such thing') : proceed()));
    const session = new MemorySession();
    const input: AgentInputItem[] = [
      { role: 'user', content: 'Mine is 42.' },
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'go' },
    ];
    const result = await run(hookedRunner(s.runner, hooks), agentOf(), input, { session });
    expect(result.finalOutput).toBe('no such thing');
    expect(JSON.stringify([result.history, await session.getItems()])).not.toMatch(/42|go/);
  });

  test('with a structured output type, or that throws refusals, rejects where it is refused', async () => {
    await using s = await setup(loop);
    const hooks = createHooks();
    hooks.on(UserPromptSubmit, () => block('no such thing'));
    const structured = new Agent({ name: 'B', outputType: z.object({ answer: z.string() }) });
    const tries = [
      hookedRunner(s.runner, hooks).run(structured, 'go'),
      run(hookedRunner(s.runner, hooks, { refused: 'throw' }), agentOf(), 'go'),
    ];
    for (const error of (await Promise.allSettled(tries)).map((one) => Reflect.get(one, 'reason'))) {
      expect(error).toBeInstanceOf(BlockedError);
      expect(blockReason(error)).toBe('no such thing');
    }
    expect(s.server.requests).toHaveLength(0);
  });

  test('begins with a rewritten prompt', async () => {
    await using s = await setup(loop);
    const hooks = createHooks();
    hooks.on(UserPromptSubmit, ({ prompt }) => modify({ prompt: prompt.replace('secret', '[redacted]') }));
    const session = new MemorySession();
    const result = await run(hookedRunner(s.runner, hooks), agentOf(), 'my secret', { session });
    expect(requestAt(s, 0).messages.at(-1)?.content).toBe('my [redacted]');
    expect(JSON.stringify([await session.getItems(), result.history])).not.toContain('secret');
  });

  test('tells the model the context of hooks for as long as each is in force, and stores none', async () => {
    await using s = await setup(loop);
    const hooks = createHooks();
    hooks.on(SessionStart, () => addContext('session context'));
    hooks.on(UserPromptSubmit, () => addContext('run context'));
    hooks.on(TurnStart, ({ iteration }) => addContext(`turn ${iteration}`));
    hooks.on(BeforeToolCall, () => addContext('after the tool'));
    const session = new MemorySession();
    const result = await run(hookedRunner(s.runner, hooks), agentOf(), 'go', { session });
    expect(requestAt(s, 0).system).toBe('Be brief.\n\nsession context\n\nrun context\n\nturn 1');
    expect(requestAt(s, 1).system).toContain('session context');
    expect(requestAt(s, 1).system).toContain('run context');
    expect(requestAt(s, 1).system).toContain('after the tool');
    expect(requestAt(s, 1).system).not.toContain('turn 1');
    expect(JSON.stringify([await session.getItems(), result.history])).not.toContain('context');
  });

  test('runs with the model and settings that a hook chose', async () => {
    await using s = await setup(loop);
    const hooks = createHooks();
    hooks.on(UserPromptSubmit, () => modify({ metadata: { cheap: true } }));
    hooks.on(BeforeRun, ({ metadata }) =>
      metadata['cheap'] ? modify({ model: 'small', settings: { temperature: 0.1 } }) : proceed(),
    );
    await run(hookedRunner(s.runner, hooks), agentOf(), 'go');
    expect(s.server.requests.map(({ model }) => model)).toEqual(['small', 'small']);
    expect(requestAt(s).settings.temperature).toBe(0.1);
  });

  const showsReasoning: Record<string, (hooks: Hooks) => void> = {
    BeforeRun: (hooks) => hooks.on(BeforeRun, () => modify({ settings: { reasoningVisible: true } })),
    BeforeModelCall: (hooks) =>
      hooks.on(BeforeModelCall, () => modify({ settings: { reasoningVisible: true } })),
  };

  test.each(Object.entries(showsReasoning))(
    'shows the reasoning for a hook of %s, or is refused where the API cannot be asked for it',
    async (_event, register) => {
      await using s = await setup([{ text: 'Done.' }]);
      const hooks = createHooks();
      register(hooks);
      const answered = run(hookedRunner(s.runner, hooks), agentOf(), 'go');
      if (Model === OpenAIResponsesModel) {
        await answered;
        expect(requestAt(s).settings.reasoningSummary).toBe('auto');
        return;
      }
      await expect(answered).rejects.toMatchObject({ code: 'INVALID_DECISION' });
      expect(s.server.requests).toEqual([]);
    },
  );

  test('changes one model call: instructions, messages, tools, settings', async () => {
    await using s = await setup([{ text: 'Done.' }]);
    const hooks = createHooks();
    hooks.on(BeforeModelCall, ({ messages }) =>
      modify({
        instructions: 'Be long.',
        messages: [{ role: 'user', text: 'first' }, ...messages],
        tools: [],
        settings: { maxTokens: 7 },
      }),
    );
    const session = new MemorySession();
    await run(hookedRunner(s.runner, hooks), agentOf(), 'go', { session });
    expect(requestAt(s)).toMatchObject({ system: 'Be long.', tools: [], settings: { maxTokens: 7 } });
    expect(requestAt(s).messages.map(({ content }) => content)).toEqual(['Be long.', 'first', 'go']);
    expect(JSON.stringify(await session.getItems())).not.toContain('first');
  });

  test('ends with the reason where a model call is refused', async () => {
    await using s = await setup(loop);
    const hooks = createHooks();
    hooks.guard(BeforeModelCall, ({ iteration }) => (iteration > 1 ? block('over budget') : proceed()));
    const result = await run(hookedRunner(s.runner, hooks), agentOf(), 'go');
    expect(result.finalOutput).toBe('over budget');
    expect(blockReason(result)).toBe('over budget');
    expect(s.server.requests).toHaveLength(1);
  });

  test('withholds a refused answer, which is nowhere to be seen', async () => {
    await using s = await setup([{ text: 'The password is hunter2.' }]);
    const hooks = createHooks();
    hooks.guard(AfterModelCall, ({ response }) =>
      /hunter2/.test(response.text) ? block('withheld') : proceed(),
    );
    const result = await run(hookedRunner(s.runner, hooks), agentOf(), 'go');
    expect(result.finalOutput).toBe('withheld');
    expect(JSON.stringify([result.history, result.newItems])).not.toContain('hunter2');
  });

  test('replaces an answer, and asks the model again', async () => {
    await using s = await setup(({ attempt }) => ({ text: `Answer ${attempt}.` }));
    const hooks = createHooks();
    hooks.on(AfterModelCall, ({ response, attempt }) =>
      attempt === 1
        ? retry('again')
        : modify({ response: { ...response, text: response.text.toUpperCase() } }),
    );
    const result = await run(hookedRunner(s.runner, hooks), agentOf(), 'go');
    expect(result.finalOutput).toBe('ANSWER 2.');
  });

  test('works on where a Stop hook says so, at most as often as set', async () => {
    await using s = await setup(({ turn }) => ({ text: `Answer ${turn + 1}.` }));
    const hooks = createHooks();
    hooks.on(Stop, () => retry('more'));
    const result = await run(hookedRunner(s.runner, hooks, { maxContinuations: 2 }), agentOf(), 'go');
    expect(result.finalOutput).toBe('Answer 3.');
    expect(requestAt(s).messages.map(({ content }) => content)).toEqual([
      'Be brief.',
      'go',
      'Answer 1.',
      'more',
      'Answer 2.',
      'more',
    ]);
  });

  test('works on in its session', async () => {
    await using s = await setup(({ turn }) => ({ text: `Answer ${turn + 1}.` }));
    const hooks = createHooks();
    hooks.on(Stop, ({ continuations }) => (continuations === 0 ? retry('more') : proceed()));
    const session = new MemorySession();
    await run(hookedRunner(s.runner, hooks), agentOf(), 'go', { session });
    expect(requestAt(s).messages.map(({ content }) => content)).toEqual([
      'Be brief.',
      'go',
      'Answer 1.',
      'more',
    ]);
    expect(await session.getItems()).toHaveLength(4);
  });

  test('that fails tells of the error, closes its session, and rejects as without hooks', async () => {
    await using s = await setup([{ status: 400, error: 'broken' }]);
    const hooks = createHooks();
    const log = logged(hooks);
    await expect(run(hookedRunner(s.runner, hooks), agentOf(), 'go')).rejects.toThrow('broken');
    await hooks.settled();
    expect(log.slice(-4)).toEqual(['agent_error', 'notification', 'turn_end 1 error', 'session_end other']);
  });

  test('that reaches the limit of turns tells so', async () => {
    await using s = await setup(() => ({ toolCalls: [call('look', {})] }));
    const hooks = createHooks();
    const log = logged(hooks);
    await expect(run(hookedRunner(s.runner, hooks), agentOf(), 'go', { maxTurns: 1 })).rejects.toThrow(
      'Max turns',
    );
    await hooks.settled();
    expect(log).toContain('max_iterations');
    expect(log).not.toContain('agent_error');
  });

  test('whose limit of turns an error handler answers for tells so, and asks no Stop hook', async () => {
    await using s = await setup(({ turn }) => ({ toolCalls: [call('look', {}, `c${turn}`)] }));
    const hooks = createHooks();
    const log = logged(hooks);
    hooks.on(Stop, () => retry('Go on.'));
    const errorHandlers = { maxTurns: () => ({ finalOutput: 'That is all.' }) };
    const result = await run(hookedRunner(s.runner, hooks), agentOf(), 'go', { maxTurns: 2, errorHandlers });
    await hooks.settled();
    expect(result.finalOutput).toBe('That is all.');
    expect(s.server.requests).toHaveLength(2);
    expect(log).not.toContain('stop');
    expect(log).toEqual(expect.arrayContaining(['max_iterations', 'notification']));
  });

  test('that an error handler answers for a model which refuses is not at its limit', async () => {
    const refusal = { type: 'refusal' as const, refusal: 'No.' };
    const output = [
      {
        type: 'message' as const,
        role: 'assistant' as const,
        status: 'completed' as const,
        content: [refusal],
      },
    ];
    const usage = new Usage();
    const model = {
      getResponse: async () => ({ usage, output }),
      async *getStreamedResponse() {
        yield { type: 'response_done' as const, response: { id: 'r', usage, output } };
      },
    };
    const hooks = createHooks();
    const log = logged(hooks);
    const runner = hookedRunner(new Runner({ modelProvider: { getModel: () => model } }), hooks);
    const errorHandlers = { modelRefusal: () => ({ finalOutput: 'It refused.' }) };
    const result = await run(runner, agentOf(), 'go', { maxTurns: 1, errorHandlers });
    await hooks.settled();
    expect(result.finalOutput).toBe('It refused.');
    expect(log).not.toContain('max_iterations');
    expect(log).not.toContain('stop');
  });

  test('that is aborted is told as canceled, and its session is closed', async () => {
    const controller = new AbortController();
    await using s = await setup(loop);
    const hooks = createHooks();
    const log = logged(hooks);
    hooks.on(BeforeToolCall, () => {
      controller.abort();
      return proceed();
    });
    await run(hookedRunner(s.runner, hooks), agentOf(), 'go', { signal: controller.signal }).catch(() => {});
    await hooks.settled();
    expect(log.slice(-2)).toEqual(['turn_end 1 canceled', 'session_end other']);
    expect(s.server.requests).toHaveLength(1);
  });

  test("uses the session's id, and leaves that session open", async () => {
    await using s = await setup(({ turn }) => ({ text: `${turn}` }));
    const hooks = createHooks();
    const ids: string[] = [];
    hooks.observe(SessionStart, ({ session }) => void ids.push(session.id));
    hooks.observe(SessionEnd, () => void ids.push('closed'));
    const session = new MemorySession({ sessionId: 'thread-1' });
    const runner = hookedRunner(s.runner, hooks);
    await run(runner, agentOf(), 'go', { session });
    await run(runner, agentOf(), 'on', { session });
    await hooks.settled();
    expect(ids).toEqual(['thread-1']);
    await hooks.close();
    expect(ids).toEqual(['thread-1', 'closed']);
  });
});

test('A model that a hook chooses where two registries are asked answers, hooked by both', async () => {
  await using s = await setupWith([{ text: 'Done.' }]);
  const asked: string[] = [];
  const registry = (name: string) => {
    const hooks = createHooks();
    hooks.on(BeforeModelCall, () => {
      asked.push(name);
      return proceed();
    });
    return hooks;
  };
  const [inner, outer] = [registry('inner'), registry('outer')];
  outer.on(BeforeRun, () => modify({ model: 'chosen' }));
  await hookedRunner(hookedRunner(s.runner, inner), outer).run(agentOf(), 'go');
  expect(requestAt(s).model).toBe('chosen');
  expect(asked).toEqual(['outer', 'inner']);
});

test('A stream that its reader leaves is told as canceled, and its session is closed', async () => {
  const pieces = async function* () {
    yield 'one ';
    await new Promise<never>(() => {});
  };
  await using s = await setupWith([{ text: pieces() }]);
  const hooks = createHooks();
  const log = logged(hooks);
  const result = await hookedRunner(s.runner, hooks, { holdStream: false }).run(agentOf(), 'go', {
    stream: true,
  });
  for await (const event of result) if (event.type === 'raw_model_stream_event') break;
  await result.completed;
  await hooks.settled();
  expect(log.slice(-2)).toEqual(['turn_end 1 canceled', 'session_end other']);
});

test('A request that the SDK repeats belongs to the same turn, and the model is told the same', async () => {
  await using s = await setupWith([{ status: 500, error: 'busy' }, { text: 'Done.' }]);
  const hooks = createHooks();
  hooks.on(TurnStart, ({ iteration }) => addContext(`turn ${iteration}`));
  const agent = new Agent({
    name: 'A',
    instructions: 'Be brief.',
    modelSettings: { retry: { maxRetries: 1, policy: () => true } },
  });
  const result = await hookedRunner(s.runner, hooks).run(agent, 'go');
  expect(result.finalOutput).toBe('Done.');
  expect(s.server.requests.map(({ system }) => system)).toEqual([
    'Be brief.\n\nturn 1',
    'Be brief.\n\nturn 1',
  ]);
});

test('A hook that fails before a tool call blocks it, and the reason names the hook', async () => {
  await using s = await setupWith(loop);
  const hooks = createHooks({ timeoutMs: 5 });
  hooks.on(BeforeToolCall, () => new Promise<never>(() => {}), { id: 'slow' });
  const result = await hookedRunner(s.runner, hooks).run(agentOf(), 'go');
  expect(results(s)['call_look']).toContain('slow');
  expect(result.finalOutput).toBe('Done.');
});

test.each([
  { held: true, options: {} },
  { held: false, options: { holdStream: false } },
])(
  'A streamed answer that a hook may refuse is held back, unless told otherwise ($options)',
  async ({ held, options }) => {
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    async function* pieces() {
      yield 'one ';
      if (!held) await released;
      yield 'two';
    }
    await using s = await setupWith([{ text: pieces() }]);
    const hooks = createHooks();
    const log: string[] = [];
    hooks.guard(AfterModelCall, () => {
      log.push('decided');
      return proceed();
    });
    const result = await hookedRunner(s.runner, hooks, options).run(agentOf(), 'go', { stream: true });
    for await (const text of result.toTextStream()) {
      log.push(text);
      release();
    }
    expect(log.indexOf('decided')).toBe(held ? 0 : log.length - 1);
    expect(log.filter((entry) => entry !== 'decided').join('')).toBe('one two');
  },
);

test('A streamed answer that ends without an end, about which no hook was asked, is seen by nobody', async () => {
  const hooks = createHooks();
  hooks.guard(AfterModelCall, () => block('withheld'));
  const model = {
    getResponse: () => Promise.reject(new Error('unused')),
    async *getStreamedResponse() {
      yield { type: 'response_started' as const };
      yield { type: 'output_text_delta' as const, delta: 'hunter2' };
    },
  };
  const runner = hookedRunner(new Runner({ modelProvider: { getModel: () => model } }), hooks);
  const result = await runner.run(new Agent({ name: 'A' }), 'go', { stream: true });
  const seen: string[] = [];
  await expect(async () => {
    for await (const event of result) seen.push(JSON.stringify(event));
  }).rejects.toThrow(/final response/);
  expect(seen.join()).not.toContain('hunter2');
});

test('A streamed answer passes as it comes where hooks only look at it', async () => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  async function* pieces() {
    yield 'one ';
    await released;
    yield 'two';
  }
  await using s = await setupWith([{ text: pieces() }]);
  const hooks = createHooks();
  hooks.observe(AfterModelCall, () => {});
  const result = await hookedRunner(s.runner, hooks).run(agentOf(), 'go', { stream: true });
  let text = '';
  for await (const piece of result.toTextStream()) {
    text += piece;
    release();
  }
  expect(text).toBe('one two');
});

test.each([true, false])(
  'A hook that is registered while a run goes on is asked from the next turn on (the run began with one: %s)',
  async (began) => {
    await using s = await setupWith([
      { toolCalls: [call('look', {}, 'first')] },
      { toolCalls: [call('look', {}, 'second')] },
      { text: 'Done.' },
    ]);
    const hooks = createHooks();
    if (began) hooks.observe(SessionEnd, () => {});
    let looks = 0;
    const execute = () => {
      if (++looks === 1) hooks.guard(BeforeToolCall, () => block('no more'));
      return 'seen';
    };
    const tools = [tool({ name: 'look', description: '', parameters: z.object({}), execute })];
    await hookedRunner(s.runner, hooks).run(new Agent({ name: 'A', tools }), 'go');
    expect(results(s)).toEqual({ first: 'seen', second: 'no more' });
  },
);

test.each([false, true])(
  'A model is not asked again where the provider has put the answer into its conversation (streamed: %s)',
  async (stream) => {
    await using s = await setupWith(() => ({ text: 'Answer.' }));
    const hooks = createHooks({ onError: () => {} });
    hooks.on(AfterModelCall, () => retry('again'));
    const options = { conversationId: 'conv_1' };
    const runner = hookedRunner(s.runner, hooks);
    const result = stream
      ? await runner.run(agentOf(), 'go', { ...options, stream: true })
      : await runner.run(agentOf(), 'go', options);
    if ('completed' in result) await result.completed;
    expect(result.finalOutput).toMatch(/conversationId/);
    expect(s.server.requests).toHaveLength(1);
  },
);

test('A run ends as without hooks where a tool gives a final output that does not fit, and a Stop hook is shown it', async () => {
  await using s = await setupWith([{ toolCalls: [call('look', {})] }]);
  const hooks = createHooks();
  const told: string[] = [];
  hooks.observe(Stop, ({ response }) => void told.push(response));
  const look = tool({ name: 'look', description: '', parameters: z.object({}), execute: () => 'seen' });
  const outputType = z.object({ a: z.string() });
  const agent = new Agent({ name: 'A', tools: [look], outputType, toolUseBehavior: 'stop_on_first_tool' });
  const result = await hookedRunner(s.runner, hooks).run(agent, 'go');
  expect(() => result.finalOutput).toThrow(/did not match/);
  await hooks.settled();
  expect(told).toEqual(['seen']);
});

test.each(['by a hooked runner', 'by a bare runner'])(
  'Events of a run %s tell for whom it is',
  async (how) => {
    await using s = await setupWith([{ toolCalls: [call('look', {})] }, { text: 'Done.' }]);
    const hooks = createHooks();
    const told = new Set<string | undefined>();
    hooks.observe(HookEvent, ({ principal }) => void told.add(principal?.id));
    const principal = (context: unknown) => ({ id: String(Reflect.get(Object(context), 'user')) });
    const look = tool({ name: 'look', description: '', parameters: z.object({}), execute: () => 'seen' });
    const agent = attachHooks(new Agent({ name: 'A', tools: [look] }), hooks, { principal });
    const runner = how === 'by a bare runner' ? s.runner : hookedRunner(s.runner, hooks, { principal });
    await runner.run(agent, 'go', { context: { user: 'ann' } });
    await hooks.settled();
    expect([...told]).toEqual(['ann']);
  },
);
