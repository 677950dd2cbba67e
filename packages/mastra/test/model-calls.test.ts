import {
  AfterModelCall,
  AgentError,
  addContext,
  BeforeModelCall,
  BeforeRun,
  BeforeToolCall,
  block,
  createHooks,
  HookEvent,
  MaxIterations,
  modify,
  proceed,
  retry,
  Stop,
  TurnStart,
  UserPromptSubmit,
} from '@hooks/core';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookedAgent } from '../src/index.ts';
import { callThenText, makeAdd, modelOf, quiet, readByModel, runAgent, serve } from './fixtures.ts';

describe.each([false, true])('the model calls of a hooked agent (streamed: %s)', (streaming) => {
  const setUp = async (script: Parameters<typeof serve>[0] = callThenText('add', { a: 1 }), options = {}) => {
    const server = await serve(script);
    const hooks = createHooks();
    const { add, ran } = makeAdd();
    const agent = quiet(
      hookedAgent(
        { id: 'a', name: 'a', instructions: 'Be brief.', model: modelOf(server), tools: { add } },
        hooks,
        options,
      ),
    );
    return { server, hooks, add, ran, agent };
  };

  test('BeforeModelCall tells messages, tools and instructions', async () => {
    const { server, hooks, agent } = await setUp();
    await using _ = server;
    const seen: unknown[] = [];
    hooks.on(BeforeModelCall, ({ iteration, instructions, messages, tools, model }) => {
      seen.push([
        iteration,
        instructions,
        messages.map(({ role, text }) => [role, text]),
        tools.map(({ name }) => name),
        model,
      ]);
      return proceed();
    });
    await runAgent(agent, 'Go', streaming);
    expect(seen).toEqual([
      [1, 'Be brief.', [['user', 'Go']], ['add'], 'gpt-5'],
      [
        2,
        'Be brief.',
        [
          ['user', 'Go'],
          ['assistant', ''],
          ['tool', '{"sum":8}'],
        ],
        ['add'],
        'gpt-5',
      ],
    ]);
  });

  test('BeforeModelCall tells no tool that the program has left out', async () => {
    const { server, hooks, agent } = await setUp([{ text: 'Hi.' }, { text: 'Hi.' }]);
    await using _ = server;
    const seen: unknown[] = [];
    hooks.on(BeforeModelCall, ({ tools }) => {
      seen.push(tools);
      return proceed();
    });
    await runAgent(agent, 'Go', streaming, { activeTools: [] });
    await runAgent(agent, 'Go', streaming, { prepareStep: () => ({ activeTools: [] }) });
    expect(seen).toEqual([[], []]);
  });

  test('Modify holds for one call: settings, instructions, messages, tools, context', async () => {
    const { server, hooks, agent } = await setUp();
    await using _ = server;
    hooks.on(BeforeModelCall, ({ iteration, messages }) =>
      iteration === 1
        ? modify({
            settings: { temperature: 0.5, maxTokens: 9, reasoningEffort: 'low' },
            instructions: 'Be long.',
            messages: messages.map((message) => ({ ...message, text: 'Went' })),
            context: ['Psst.'],
          })
        : modify({ tools: [] }),
    );
    await runAgent(agent, 'Go', streaming);
    const [first, second] = server.requests;
    expect([first?.system, first?.messages.at(-1)?.content]).toEqual(['Be long.\n\nPsst.', 'Went']);
    expect(first?.settings).toMatchObject({ temperature: 0.5, maxTokens: 9, reasoningEffort: 'low' });
    expect([second?.system, second?.messages[1]?.content, second?.tools]).toEqual(['Be brief.', 'Go', []]);
    expect(second?.settings.temperature).toBeUndefined();
  });

  test('a setting that does not reach the model is refused, and the model is not asked', async () => {
    const { server, hooks, agent } = await setUp();
    await using _ = server;
    hooks.on(BeforeModelCall, () => modify({ settings: { reasoningVisible: true } }));
    const { tripwire } = await runAgent(agent, 'Go', streaming);
    expect(tripwire?.reason).toContain('the setting "reasoningVisible" does not reach the model here');
    expect(server.requests).toEqual([]);
  });

  test('Block before a call: the model is not asked, the result carries the reason', async () => {
    const { server, hooks, agent } = await setUp();
    await using _ = server;
    hooks.guard(BeforeModelCall, ({ iteration }) => (iteration === 2 ? block('Enough.') : proceed()));
    const { tripwire } = await runAgent(agent, 'Go', streaming);
    expect([server.requests.length, tripwire?.reason]).toEqual([1, 'Enough.']);
  });

  test('AfterModelCall: Block withholds the answer, and its tools do not run', async () => {
    const { server, hooks, agent, ran } = await setUp([
      { text: 'A secret.', toolCalls: [{ id: 'c1', name: 'add', arguments: { a: 1 } }] },
      { text: 'Done.' },
    ]);
    await using _ = server;
    hooks.guard(AfterModelCall, ({ response }) =>
      response.toolCalls.length > 0 ? block('No tools.') : proceed(),
    );
    const output = await runAgent(agent, 'Go', streaming);
    expect([ran, output.tripwire?.reason, output.text, server.requests.length]).toEqual([
      [],
      'No tools.',
      'No tools.',
      1,
    ]);
  });

  test('AfterModelCall: Modify of text and tool calls', async () => {
    const { server, hooks, agent, ran } = await setUp();
    await using _ = server;
    hooks.on(AfterModelCall, ({ response, iteration }) =>
      iteration === 1
        ? modify({
            response: {
              ...response,
              toolCalls: response.toolCalls.map((call) => ({ ...call, input: { a: 2 } })),
            },
          })
        : modify({ response: { ...response, text: 'Redacted.' } }),
    );
    const { text } = await runAgent(agent, 'Go', streaming);
    expect([text, ran, readByModel(server)]).toEqual(['Redacted.', [{ a: 2, b: 7 }], { c1: '{"sum":9}' }]);
  });

  test('AfterModelCall: Retry asks again, at most three times', async () => {
    const { server, hooks, agent } = await setUp(({ attempt }) => ({ text: `Attempt ${attempt}.` }));
    await using _ = server;
    const attempts: number[] = [];
    hooks.on(AfterModelCall, ({ attempt }) => {
      attempts.push(attempt);
      return retry('Better.');
    });
    const { text, usage } = await runAgent(agent, 'Go', streaming);
    expect([attempts, text]).toEqual([[1, 2, 3], 'Attempt 3.']);
    // This provider's client asks for no usage of a stream.
    if (!streaming) expect(usage).toMatchObject({ inputTokens: 30, outputTokens: 15 });
  });

  test('holdStream false: the answer streams by, a Block still keeps its tools from running', async () => {
    const { server, hooks, agent, ran } = await setUp(callThenText('add', { a: 1 }), { holdStream: false });
    await using _ = server;
    hooks.guard(AfterModelCall, () => block('No tools.'));
    const { tripwire } = await runAgent(agent, 'Go', streaming);
    expect([ran, tripwire?.reason]).toEqual([[], 'No tools.']);
  });

  test('a Stop hook keeps the agent working with its reason as the next user message, at most three times', async () => {
    const { server, hooks, agent } = await setUp(({ turn }) => ({ text: `Answer ${turn}.` }));
    await using _ = server;
    const seen: unknown[] = [];
    hooks.on(Stop, ({ response, continuations, lastUserMessage }) => {
      seen.push([response, continuations, lastUserMessage]);
      return retry('Go on.');
    });
    await runAgent(agent, 'Go', streaming);
    expect(seen.length).toBe(4);
    expect(seen[1]).toEqual(['Answer 1.', 1, 'Go on.']);
    expect(server.requests.length).toBe(4);
    expect(server.requests[1]?.messages.slice(1).map(({ content }) => content)).toEqual([
      'Go',
      'Answer 0.',
      'Go on.',
    ]);
  });

  test('a run that a Stop hook makes go on gives the object of its last answer, and tells it at the end', async () => {
    const { server, hooks, agent } = await setUp(({ turn }) => ({ text: JSON.stringify({ turn }) }));
    await using _ = server;
    hooks.on(Stop, ({ continuations }) => (continuations < 2 ? retry('Go on.') : proceed()));
    const finished: unknown[] = [];
    const options = {
      structuredOutput: { schema: z.object({ turn: z.number() }) },
      onFinish: ({ object }: { readonly object?: unknown }) => void finished.push(object),
    };
    if (streaming) {
      const output = await agent.stream('Go', options);
      expect(await output.object).toEqual({ turn: 2 });
      expect((await output.getFullOutput()).object).toEqual({ turn: 2 });
    } else expect((await agent.generate('Go', options)).object).toEqual({ turn: 2 });
    expect(finished).toEqual([{ turn: 2 }]);
  });

  test('BeforeRun reads what the prompt’s hooks tagged, and sets every call of the run', async () => {
    const { server, hooks, agent } = await setUp();
    await using _ = server;
    hooks.on(UserPromptSubmit, () => modify({ metadata: { hard: true } }));
    hooks.on(BeforeRun, ({ metadata, message }) =>
      metadata['hard'] && message === 'Go' ? modify({ settings: { temperature: 0.1 } }) : proceed(),
    );
    await runAgent(agent, 'Go', streaming);
    expect(server.requests.map(({ settings }) => settings.temperature)).toEqual([0.1, 0.1]);
  });

  test('a turn is one model call with its tools; its events nest', async () => {
    const { server, hooks, agent } = await setUp();
    await using _ = server;
    const seen: string[] = [];
    hooks.observe(HookEvent, ({ type }) => void seen.push(type));
    hooks.on(TurnStart, ({ iteration }) => (iteration === 2 ? addContext('Second.') : proceed()));
    await runAgent(agent, 'Go', streaming);
    await hooks.settled();
    expect(seen).toEqual([
      'session_start',
      'user_prompt_submit',
      'before_run',
      'turn_start',
      'before_model_call',
      'after_model_call',
      'before_tool_call',
      'before_execute',
      'transform_tool_result',
      'after_tool_call',
      'turn_end',
      'turn_start',
      'before_model_call',
      'after_model_call',
      'stop',
      'turn_end',
      'session_end',
    ]);
    expect(server.requests.map(({ system }) => system)).toEqual(['Be brief.', 'Be brief.\n\nSecond.']);
  });

  test('a failing model fires AgentError and ends the turn and the session', async () => {
    const { server, hooks, agent } = await setUp(() => ({ status: 400, error: 'No credit.' }));
    await using _ = server;
    const seen: unknown[] = [];
    hooks.observe(
      HookEvent,
      (event) => void seen.push('reason' in event ? [event.type, event.reason] : event.type),
    );
    hooks.observe(AgentError, ({ message }) => void seen.push(message));
    await runAgent(agent, 'Go', streaming).catch(() => {});
    await hooks.settled();
    expect(seen.slice(-5).map(String)).toEqual([
      'agent_error',
      'No credit.',
      'notification',
      'turn_end,error',
      'session_end,other',
    ]);
  });

  describe('MaxIterations', () => {
    const setUpLooping = async () => {
      const looping = await setUp(({ tools }) => ({
        toolCalls: [{ name: tools[0]?.name ?? '', arguments: { a: 1 } }],
      }));
      const seen: unknown[] = [];
      looping.hooks.observe(MaxIterations, ({ maxIterations }) => void seen.push(maxIterations));
      return { ...looping, seen };
    };

    test.each([
      ['that the run is given', { maxSteps: 2 }, 2],
      ['that Mastra sets', {}, 5],
    ])('fires at the limit %s', async (_which, options, limit) => {
      const { server, hooks, agent, seen } = await setUpLooping();
      await using _ = server;
      await runAgent(agent, 'Go', streaming, options);
      await hooks.settled();
      expect([seen, server.requests.length]).toEqual([[limit], limit]);
    });

    test.each([
      ['a condition of the user’s', { stopWhen: () => true }],
      ['the user’s callback', { onIterationComplete: () => ({ continue: false }) }],
      ['a tool that the client runs', { clientTools: { add: { ...makeAdd().add, execute: undefined } } }],
    ])('does not fire where %s ends the run', async (_what, options) => {
      const { server, hooks, agent, seen } = await setUpLooping();
      await using _ = server;
      await runAgent(agent, 'Go', streaming, { maxSteps: 3, ...options });
      await hooks.settled();
      expect([seen, server.requests.length]).toEqual([[], 1]);
    });

    test('does not fire where an abort ends the run', async () => {
      const { server, hooks, agent, seen } = await setUpLooping();
      await using _ = server;
      const controller = new AbortController();
      hooks.on(BeforeToolCall, () => {
        controller.abort();
        return proceed();
      });
      await runAgent(agent, 'Go', streaming, { maxSteps: 1, abortSignal: controller.signal });
      await hooks.settled();
      expect([seen, server.requests.length]).toEqual([[], 1]);
    });
  });
});

test('a model that stands in for a failed one is told the same', async () => {
  await using failing = await serve(() => ({ status: 400, error: 'No credit.' }));
  await using server = await serve([{ text: 'Hi.' }]);
  const hooks = createHooks();
  hooks.on(TurnStart, () => addContext('Be quick.'));
  const models = [failing, server].map((one, n) => ({
    id: `model-${n}`,
    model: modelOf(one),
    maxRetries: 0,
  }));
  const agent = quiet(hookedAgent({ id: 'a', name: 'a', instructions: '', model: models }, hooks));
  const { text } = await runAgent(agent, 'Go', false);
  expect(text).toBe('Hi.');
  expect([failing, server].map(({ requests }) => requests[0]?.system)).toEqual(['Be quick.', 'Be quick.']);
});

test.each([false, true])(
  'a model that prepareStep puts in place is watched (streamed: %s)',
  async (streaming) => {
    await using unused = await serve([]);
    await using server = await serve([{ text: 'A secret.' }]);
    const hooks = createHooks();
    hooks.guard(AfterModelCall, () => block('Hush.'));
    hooks.on(BeforeModelCall, () => modify({ settings: { temperature: 0.3 } }));
    const agent = quiet(hookedAgent({ id: 'a', name: 'a', instructions: '', model: modelOf(unused) }, hooks));
    const prepareStep = () => ({ model: modelOf(server) });
    const { text, tripwire } = await runAgent(agent, 'Go', streaming, { prepareStep });
    expect([text, tripwire?.reason, server.requests[0]?.settings.temperature]).toEqual([
      'Hush.',
      'Hush.',
      0.3,
    ]);
  },
);
