/** With nothing but observers, a run behaves as without hooks: the same program bare and observed. */
import { createHooks, HookEvent } from '@hooks/core';
import {
  Agent,
  type AgentOutputItem,
  type Model,
  type ModelRequest,
  type ModelResponse,
  OpenAIChatCompletionsModel,
  OpenAIResponsesModel,
  Runner,
  type RunState,
  type Span,
  setTraceProcessors,
  setTracingDisabled,
  tool,
  toolSearchTool,
  Usage,
} from '@openai/agents';
import { SandboxAgent } from '@openai/agents/sandbox';
import { UnixLocalSandboxClient } from '@openai/agents/sandbox/local';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type HookedOptions, hookedRunner } from '../src/index.ts';
import { call, restore, results, setup } from './setup.ts';

const observed =
  (options: HookedOptions = {}) =>
  (runner: Runner): Runner => {
    const hooks = createHooks();
    hooks.observe(HookEvent, () => {});
    return hookedRunner(runner, hooks, options);
  };

/** The result of a program without hooks, and with observers only, whoever approves. They have to be the same. */
async function both<T>(program: (way: (runner: Runner) => Runner) => Promise<T>): Promise<readonly [T, T]> {
  const bare = await program((runner) => runner);
  const hooked = await program(observed());
  expect(await program(observed({ approval: 'native' }))).toEqual(hooked);
  return [bare, hooked];
}

/** Answers in order, and keeps what it was asked. */
class Scripted implements Model {
  readonly requests: ModelRequest[] = [];
  readonly #answers: AgentOutputItem[][];
  constructor(answers: AgentOutputItem[][]) {
    this.#answers = answers;
  }
  async getResponse(request: ModelRequest): Promise<ModelResponse> {
    this.requests.push(request);
    return { usage: new Usage(), output: this.#answers[this.requests.length - 1] ?? [said('Done.')] };
  }
  getStreamedResponse(): never {
    throw new Error('not streamed here');
  }
}

const said = (text: string): AgentOutputItem => ({
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text }],
});
const runnerOf = (model: Model) =>
  new Runner({ modelProvider: { getModel: () => model }, tracingDisabled: true });

test('a tool search gives the model and its history what it gives them without hooks', async () => {
  const [bare, hooked] = await both(async (way) => {
    const model = new Scripted([
      [
        {
          type: 'tool_search_call',
          id: 's1',
          call_id: 's1',
          execution: 'client',
          status: 'completed',
          arguments: {},
        } as never,
      ],
      [{ type: 'function_call', callId: 'c1', name: 'look', status: 'completed', arguments: '{}' }],
    ]);
    const look = tool({
      name: 'look',
      description: 'Looks.',
      parameters: z.object({}),
      execute: () => 'seen',
      deferLoading: true,
    });
    const other = tool({
      name: 'other',
      description: 'Other.',
      parameters: z.object({}),
      execute: () => 'other',
    });
    const given: unknown[] = [];
    const search = toolSearchTool({
      execution: 'client',
      description: 'Finds tools.',
      parameters: { type: 'object', properties: {}, required: [], additionalProperties: false },
      execute: async ({ availableTools }) => {
        given.push(
          JSON.stringify(availableTools),
          availableTools.flatMap((one) => Object.keys(one)),
        );
        return [look];
      },
    });
    const agent = new Agent({ name: 'A', tools: [search, other] });
    const result = await way(runnerOf(model)).run(agent, 'go');
    return JSON.parse(
      JSON.stringify([
        given,
        result.history,
        result.newItems,
        model.requests.map(({ input, tools }) => [input, tools]),
        result.state,
      ]),
    );
  });
  expect(hooked).toEqual(bare);
});

const fits = z.object({ n: z.number() });
const standard = {
  '~standard': {
    version: 1,
    vendor: 'own',
    validate: (value: unknown) => fits['~standard'].validate(value),
    jsonSchema: { input: () => z.toJSONSchema(fits), output: () => z.toJSONSchema(fits) },
  },
};

// The one difference that is wanted: `supports` names it.
test.each([
  ['zod', fits],
  ['Standard Schema', standard as unknown as typeof fits],
])(
  'an input that does not fit (%s) ends as without hooks, though no person is asked about it',
  async (_kind, parameters) => {
    const [bare, hooked] = await both(async (way) => {
      await using s = await setup([{ toolCalls: [call('add', { n: 'x' })] }, { text: 'Done.' }]);
      const ran: unknown[] = [];
      const add = tool({
        name: 'add',
        description: '',
        parameters,
        needsApproval: true,
        execute: ({ n }) => {
          ran.push(n);
          return `${n}`;
        },
      });
      const runner = way(s.runner);
      const agent = new Agent({ name: 'A', tools: [add] });
      const first = await runner.run(agent, 'go');
      const asked = first.interruptions.length;
      for (const item of first.interruptions) first.state.approve(item);
      const last = asked > 0 ? await runner.run(agent, first.state) : first;
      return { asked, end: [last.finalOutput, results(s), ran] };
    });
    expect([bare.asked, hooked.asked]).toEqual([1, 0]);
    expect(hooked.end).toEqual(bare.end);
  },
);

test.each([
  ['zod', fits],
  ['Standard Schema', standard as unknown as typeof fits],
])('an input that fits (%s) is shown to a policy as without hooks', async (_kind, parameters) => {
  const [bare, hooked] = await both(async (way) => {
    await using s = await setup([{ toolCalls: [call('add', { n: 1 })] }, { text: 'Done.' }]);
    const shown: unknown[] = [];
    const add = tool({
      name: 'add',
      description: '',
      parameters,
      needsApproval: async (_context, input) => {
        shown.push(input);
        return true;
      },
      execute: ({ n }) => `${n}`,
    });
    const runner = way(s.runner);
    const agent = new Agent({ name: 'A', tools: [add] });
    const { state, interruptions } = await runner.run(agent, 'go');
    const asked = interruptions.map(({ name, arguments: args }) => [name, args]);
    for (const item of interruptions) state.approve(item);
    return [asked, (await runner.run(agent, state)).finalOutput, results(s), shown];
  });
  expect(hooked).toEqual(bare);
});

// With an optional field beside, the SDK's schema for models does not tell of defaults.
test('an input without the fields that have defaults fits a finished tool as without hooks', async () => {
  const [bare, hooked] = await both(async (way) => {
    await using s = await setup([
      { toolCalls: [call('add', { a: 1 }, 'c1'), call('add', {}, 'c2')] },
      { text: 'Done.' },
    ]);
    const add = tool({
      name: 'add',
      description: '',
      parameters: z.object({ a: z.number(), b: z.number().default(7), c: z.string().optional() }),
      errorFunction: () => 'It does not fit.',
      execute: ({ a, b }) => `${a + b}`,
    });
    await way(s.runner).run(new Agent({ name: 'A', tools: [add] }), 'go');
    return results(s);
  });
  expect(bare).toEqual({ c1: '8', c2: 'It does not fit.' });
  expect(hooked).toEqual(bare);
});

describe.each([
  ['Chat Completions', OpenAIChatCompletionsModel],
  ['Responses', OpenAIResponsesModel],
] as const)('an agent in a sandbox (%s)', (_api, Model) => {
  test.each(['runner', 'agent'])(
    'has the tools that it has without hooks, with the model of the %s',
    async (whose) => {
      const [bare, hooked] = await both(async (way) => {
        await using s = await setup(
          [{ toolCalls: [call('exec_command', { cmd: 'echo seen' })] }, { text: 'Done.' }],
          Model,
        );
        const model = await s.runner.config.modelProvider.getModel('scripted');
        const agent = new SandboxAgent({ name: 'S', ...(whose === 'agent' && { model }) });
        const sandbox = { client: new UnixLocalSandboxClient() };
        const result = await way(s.runner).run(agent, 'go', { sandbox });
        const outputs = Object.values(results(s)).map((output) => output.includes('seen'));
        return [s.server.requests.map(({ tools }) => tools), result.finalOutput, outputs];
      });
      expect(bare[2]).toEqual([true]);
      expect(hooked).toEqual(bare);
    },
  );
});

/** What is traced of a program. */
async function traced(program: () => Promise<unknown>): Promise<readonly string[]> {
  const spans: Span<never>[] = [];
  setTraceProcessors([
    {
      onTraceStart: async () => {},
      onTraceEnd: async () => {},
      onSpanStart: async () => {},
      onSpanEnd: async (span: unknown) => void spans.push(span as never),
      shutdown: async () => {},
      forceFlush: async () => {},
    },
  ] as never);
  setTracingDisabled(false);
  try {
    await program().catch(() => {});
  } finally {
    setTracingDisabled(true);
  }
  const label = (span: Span<never> | undefined): string => {
    const { type, name = '' } = Object(span?.spanData);
    return `${type} ${name}`;
  };
  return spans.map(
    (span) =>
      `${label(span)} < ${label(spans.find(({ spanId }) => spanId === span.parentId))} ${JSON.stringify(span.error)} ${JSON.stringify({ ...(span.spanData as object), input: undefined, output: undefined, _input: 0, _response: 0, response_id: 0 })}`,
  );
}

const failing = () =>
  tool({
    name: 'fail',
    description: '',
    parameters: z.object({}),
    errorFunction: null,
    execute: () => {
      throw new Error('No.');
    },
  });
const waiting = (ends: string[]) =>
  tool({
    name: 'wait',
    description: '',
    parameters: z.object({}),
    execute: (_i, _c, details) =>
      new Promise<string>((_resolve, reject) => {
        details?.signal?.addEventListener('abort', () => {
          ends.push('aborted');
          reject(details.signal?.reason);
        });
      }),
  });

describe('a run is traced and told of as without hooks', () => {
  const events = (runner: Runner, agent: Agent, log: unknown[]) => {
    for (const emitter of [runner, agent])
      for (const name of [
        'agent_start',
        'agent_end',
        'agent_handoff',
        'agent_tool_start',
        'agent_tool_end',
      ] as const)
        (emitter as Runner).on(
          name,
          (...args: unknown[]) =>
            void log.push([
              name,
              ...args.map((one) =>
                typeof one === 'string'
                  ? one
                  : (Reflect.get(Object(one), 'name') ?? Object(one).toolCall?.callId),
              ),
            ]),
        );
  };

  test('where a call fails while its sibling runs', async () => {
    const [bare, hooked] = await both(async (way) => {
      await using s = await setup([{ toolCalls: [call('wait', {}), call('fail', {})] }, { text: 'Done.' }]);
      const log: unknown[] = [];
      const ends: string[] = [];
      const agent = new Agent({ name: 'A', tools: [waiting(ends), failing()] });
      const runner = way(new Runner({ modelProvider: s.runner.config.modelProvider, workflowName: 'mine' }));
      events(runner, agent, log);
      let state: unknown;
      const spans = await traced(async () => {
        try {
          await runner.run(agent, 'go');
        } catch (error) {
          state = [String(error), Object(error).constructor.name, Object(error).state?.toString()];
          log.push(String(error));
        }
      });
      const [message, name, text] = state as string[];
      const { generatedItems, trace: _, ...rest } = JSON.parse(text ?? '{}');
      return { log, ends, spans, message, name, generatedItems, keys: Object.keys(rest) };
    });
    expect(hooked).toEqual(bare);
  });

  test('where a turn has handoffs and a call', async () => {
    const [bare, hooked] = await both(async (way) => {
      await using s = await setup([
        { toolCalls: [call('look', {}), call('transfer_to_B', {}), call('transfer_to_C', {})] },
        { text: 'Done.' },
      ]);
      const log: unknown[] = [];
      const look = tool({ name: 'look', description: '', parameters: z.object({}), execute: () => 'seen' });
      const [b, c] = ['B', 'C'].map((name) => new Agent({ name })) as [Agent, Agent];
      const agent = new Agent({ name: 'A', tools: [look], handoffs: [b, c] });
      const runner = way(new Runner({ modelProvider: s.runner.config.modelProvider, workflowName: 'mine' }));
      events(runner, agent, log);
      let history: unknown;
      const spans = await traced(async () => {
        const result = await runner.run(agent, 'go');
        history = [result.history, result.newItems, result.lastAgent?.name];
      });
      return JSON.parse(JSON.stringify({ log, spans, history }));
    });
    expect(hooked).toEqual(bare);
  });

  test.each([false, true])('where a run pauses and goes on (restored: %s)', async (restored) => {
    const [bare, hooked] = await both(async (way) => {
      await using s = await setup(({ messages, turn }) => {
        const isSub = messages.some(({ content }) => content === 'x');
        if (turn > 0) return { text: isSub ? 'Sub.' : 'Done.' };
        return {
          toolCalls: [
            call('look', {}, isSub ? 'inner' : 'outer'),
            ...(isSub ? [] : [call('ask', { input: 'x' })]),
          ],
        };
      });
      const log: unknown[] = [];
      const look = tool({
        name: 'look',
        description: '',
        parameters: z.object({}),
        needsApproval: true,
        execute: () => 'seen',
      });
      const ask = new Agent({ name: 'Sub', tools: [look] }).asTool({ toolName: 'ask', toolDescription: '' });
      const agent = new Agent({ name: 'A', tools: [look, ask] });
      const runner = way(new Runner({ modelProvider: s.runner.config.modelProvider, workflowName: 'mine' }));
      events(runner, agent, log);
      let end: unknown;
      const spans = await traced(async () => {
        const first = await runner.run(agent, 'go');
        const state = restored ? await restore(agent, first.state.toString()) : first.state;
        const asked = state.getInterruptions();
        for (const item of asked) state.approve(item);
        const second = await runner.run(agent, state as never);
        end = [asked.length, second.finalOutput, second.history];
      });
      // The call and the sub-agent run at the same time: which of them is first is up to the network.
      const sorted = (list: readonly unknown[]) => list.map((one) => JSON.stringify(one)).toSorted();
      return { log: sorted(log), spans: sorted(spans), end: JSON.parse(JSON.stringify(end)) };
    });
    expect(bare.end.slice(0, 2)).toEqual([2, 'Done.']);
    expect(hooked).toEqual(bare);
  });

  test('where a run resumes from a saved state, with the names that its traces had', async () => {
    const [bare, hooked] = await both(async (way) => {
      await using s = await setup([{ toolCalls: [call('look', {})] }, { text: 'Done.' }]);
      const { modelProvider } = s.runner.config;
      const look = tool({
        name: 'look',
        description: '',
        parameters: z.object({}),
        needsApproval: true,
        execute: () => 'seen',
      });
      const agent = new Agent({ name: 'A', tools: [look] });
      let state: RunState<undefined, typeof agent> | undefined;
      const saving = await traced(async () => {
        const { state: saved } = await new Runner({ modelProvider, workflowName: 'mine' }).run(agent, 'go');
        state = await restore(agent, saved.toString());
      });
      for (const item of state?.getInterruptions() ?? []) state?.approve(item);
      const resuming = await traced(() => way(new Runner({ modelProvider })).run(agent, state!));
      return [saving, resuming];
    });
    expect(hooked).toEqual(bare);
    expect(bare[1]).toContainEqual(expect.stringContaining('task mine'));
  });
});

test.each(['stop_on_first_tool', 'run_llm_again'] as const)(
  'a saved run in which a person refuses a call goes on in the state that was restored (%s)',
  async (toolUseBehavior) => {
    const [bare, hooked] = await both(async (way) => {
      await using s = await setup([{ toolCalls: [call('look', {})] }, { text: 'Done.' }]);
      const look = tool({
        name: 'look',
        description: '',
        parameters: z.object({}),
        needsApproval: true,
        execute: () => 'seen',
      });
      const agent = new Agent({ name: 'A', tools: [look], toolUseBehavior });
      const first = await s.runner.run(agent, 'go');
      const state = await restore(agent, first.state.toString());
      for (const item of state.getInterruptions()) state.reject(item, { message: 'Not that.' });
      const result = await way(s.runner).run(agent, state);
      return [result.finalOutput, result.state === state, state.history, s.server.requests.length];
    });
    expect(hooked).toEqual(bare);
    expect(bare.slice(0, 2)).toEqual([toolUseBehavior === 'run_llm_again' ? 'Done.' : 'Not that.', true]);
  },
);
