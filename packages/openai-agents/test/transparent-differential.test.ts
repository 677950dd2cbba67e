import {
  AfterModelCall,
  AfterToolCall,
  BeforeModelCall,
  BeforeToolCall,
  createHooks,
  HookEvent,
  proceed,
  Stop,
  TransformToolResult,
  UserPromptSubmit,
} from '@hooks/core';
import { sampled } from '@hooks/testing/random';
import {
  Agent,
  type AgentInputItem,
  type AgentOutputItem,
  type Model,
  type ModelRequest,
  type ModelResponse,
  type OpenAIResponsesCompactionAwareSession,
  RequestUsage,
  Runner,
  type RunState,
  type RunStreamEvent,
  type Session,
  type StreamEvent,
  StreamedRunResult,
  tool,
  Usage,
} from '@openai/agents';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookedRunner } from '../src/index.ts';
import { PAUSE } from '../src/internals.ts';
import { restore } from './setup.ts';

/*
 * The SDK does the same with hooks that change nothing as without any: each situation is played bare, with one observer, and with
 * hooks that may decide about everything and never do.
 */

type Way = (runner: Runner) => Runner;

const DECIDING = 'hooks that may decide';

const ways: { readonly [name: string]: Way } = {
  'one observer': (runner) => {
    const hooks = createHooks();
    hooks.observe(HookEvent, () => {});
    return hookedRunner(runner, hooks);
  },
  'one observer of one event': (runner) => {
    const hooks = createHooks();
    hooks.observe(BeforeToolCall.matching('other'), () => {});
    return hookedRunner(runner, hooks);
  },
  [DECIDING]: (runner) => {
    const hooks = createHooks();
    hooks.on(UserPromptSubmit, () => proceed());
    hooks.on(BeforeModelCall, () => proceed());
    hooks.on(AfterModelCall, () => proceed());
    hooks.guard(BeforeToolCall, () => proceed());
    hooks.on(TransformToolResult, () => proceed());
    hooks.on(AfterToolCall, () => proceed());
    hooks.on(Stop, () => proceed());
    return hookedRunner(runner, hooks, { approval: 'native' });
  },
};

type Item = AgentOutputItem;
type Part = Item | Error | (() => unknown);
/** An answer: its items, an error in its place, or the parts of a stream with what happens between them. */
type Answer = readonly Part[] | Error;

const said = (text: string): Item => ({
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text }],
});
const called = (name: string, args: object | string = {}, callId = `call_${name}`): Item => ({
  type: 'function_call',
  callId,
  name,
  status: 'completed',
  arguments: typeof args === 'string' ? args : JSON.stringify(args),
});

/** A model that answers in order, as a whole or in pieces, and keeps what it was asked. */
class Scripted implements Model {
  readonly requests: ModelRequest[] = [];
  readonly #answers: readonly Answer[];

  constructor(answers: readonly Answer[]) {
    this.#answers = answers;
  }

  #next(request: ModelRequest): readonly Part[] {
    this.requests.push(request);
    const answer = this.#answers[this.requests.length - 1] ?? [said('Done.')];
    return Array.isArray(answer) ? answer : [answer as Error];
  }

  async getResponse(request: ModelRequest): Promise<ModelResponse> {
    const output: Item[] = [];
    for (const part of this.#next(request)) {
      if (part instanceof Error) throw part;
      if (typeof part === 'function') await part();
      else output.push(part);
    }
    request.signal?.throwIfAborted();
    const usage = new Usage({ requests: 1, inputTokens: 3, outputTokens: 4, totalTokens: 7 });
    return { usage, output, responseId: `r${this.requests.length}` };
  }

  async *getStreamedResponse(request: ModelRequest): AsyncGenerator<StreamEvent> {
    const parts = this.#next(request);
    const id = `r${this.requests.length}`;
    const output: Item[] = [];
    yield { type: 'response_started' };
    yield { type: 'model', event: { type: 'response.created', response: { id } } };
    for (const part of parts) {
      request.signal?.throwIfAborted();
      if (part instanceof Error) throw part;
      if (typeof part === 'function') {
        await part();
        continue;
      }
      output.push(part);
      if (part.type === 'function_call') {
        const { callId: call_id, name, arguments: args } = part;
        const item = { type: 'function_call', call_id, name, arguments: args };
        yield { type: 'model', event: { type: 'response.output_item.done', item } };
      } else if ('content' in part) {
        for (const { text } of part.content as readonly { readonly text: string }[])
          yield { type: 'output_text_delta', delta: text };
      }
    }
    request.signal?.throwIfAborted();
    const usage = { requests: 1, inputTokens: 3, outputTokens: 4, totalTokens: 7 };
    yield { type: 'response_done', response: { id, usage, output: output as never } };
  }
}

const runnerOf = (model: Model): Runner =>
  new Runner({ modelProvider: { getModel: () => model }, tracingDisabled: true });

/** A session that keeps what was done with it, and compacts when it has more than that many items. */
class Kept implements Session, OpenAIResponsesCompactionAwareSession {
  items: AgentInputItem[] = [];
  readonly log: string[] = [];
  readonly #after: number;

  constructor(after = Number.POSITIVE_INFINITY) {
    this.#after = after;
  }
  async getSessionId() {
    return 'kept';
  }
  async getItems() {
    return [...this.items];
  }
  async addItems(items: AgentInputItem[]) {
    this.log.push(`add ${items.map((item) => item.type ?? 'message')}`);
    this.items.push(...items);
  }
  async popItem() {
    this.log.push('pop');
    return this.items.pop();
  }
  async clearSession() {
    this.log.push('clear');
    this.items = [];
  }
  async runCompaction(args?: object) {
    this.log.push(`compact? ${JSON.stringify(args)}`);
    if (this.items.length <= this.#after) return null;
    this.log.push(`compact ${this.items.length}`);
    this.items = [{ role: 'user', content: 'Summary.' }];
    return { usage: new RequestUsage({ inputTokens: 1, outputTokens: 1 }) };
  }
}

interface Play {
  readonly model: Scripted;
  readonly runner: Runner;
  readonly session: Kept;
  readonly log: string[];
  /** Runs to its end, streamed or not, and notes how. */
  run(agent: Agent, input: string | RunState<undefined, Agent>, options?: RunOptions): Promise<State>;
}

type State = RunState<undefined, Agent>;

interface RunOptions {
  readonly session?: Session;
  readonly signal?: AbortSignal;
  readonly maxTurns?: number;
  readonly conversationId?: string;
  readonly previousResponseId?: string;
}

interface Situation {
  readonly answers: () => readonly Answer[];
  readonly compactAfter?: number;
  /** An answer breaks off: where hooks may refuse it, its beginning is not shown. */
  readonly breaksOff?: boolean;
  /** Calls of one turn end in any order. */
  readonly anyOrder?: boolean;
  play(play: Play): Promise<unknown>;
}

async function seen(situation: Situation, way: Way, stream: boolean): Promise<readonly string[]> {
  const model = new Scripted(situation.answers());
  const session = new Kept(situation.compactAfter);
  const runner = way(runnerOf(model));
  const log: string[] = [];
  const nameOf = (one: unknown) =>
    typeof one === 'string' ? one : (Reflect.get(Object(one), 'name') ?? Object(one).toolCall?.callId ?? '');
  for (const name of [
    'agent_start',
    'agent_end',
    'agent_handoff',
    'agent_tool_start',
    'agent_tool_end',
  ] as const)
    runner.on(name, (...args: unknown[]) => void log.push(`${name} ${args.map(nameOf)}`));
  const run: Play['run'] = async (agent, input, options = {}) => {
    try {
      const result = stream
        ? await runner.run(agent, input, { ...options, stream })
        : await runner.run(agent, input, options);
      const events: string[] = [];
      if (result instanceof StreamedRunResult) {
        expect(result.constructor).toBe(StreamedRunResult);
        log.push(`reader ${await read(result, events).then(() => 'ok', String)}`);
        log.push(`completed ${await result.completed.then(() => 'ok', String)}`);
        log.push(`canceled ${result.cancelled} error ${String(result.error)}`);
      } else expect(stream).toBe(false);
      log.push(`result ${result.interruptions.length} ${result.lastAgent?.name}`);
      log.push(`history ${JSON.stringify(result.history)}`);
      log.push(`items ${JSON.stringify(result.newItems)}`);
      log.push(...stateOf(result.state), ...events);
      log.push(
        `final ${await Promise.resolve()
          .then(() => JSON.stringify(result.finalOutput))
          .catch(String)}`,
      );
      return result.state;
    } catch (error) {
      const { state } = error as { state?: State };
      log.push(`rejected ${Object(error).constructor.name} ${String(error)}`);
      if (state) log.push(...stateOf(state));
      return state as State;
    }
  };
  await situation
    .play({ model, runner, session, log, run })
    .catch((error) => void log.push(`thrown ${error}`));
  for (const { input, conversationId, previousResponseId } of model.requests)
    log.push(`request ${JSON.stringify([input, conversationId, previousResponseId])}`);
  return [...log, ...session.log.map((done) => `session ${done}`), `stored ${JSON.stringify(session.items)}`];
}

async function read(result: AsyncIterable<RunStreamEvent>, events: string[]): Promise<void> {
  for await (const event of result) {
    const what = 'data' in event ? event.data.type : 'name' in event ? event.name : event.agent.name;
    events.push(`event ${event.type} ${what}`);
  }
}

/** A state, field by field, without what differs from run to run. */
function stateOf(state: RunState<undefined, Agent>): readonly string[] {
  const { trace: _trace, ...fields } = JSON.parse(state.toString());
  return Object.entries(fields).map(
    ([name, value]) =>
      `state ${name} ${JSON.stringify(value, withoutPause)?.replaceAll(/[0-9a-f-]{32,36}/g, 'id')}`,
  );
}

/** Hooks that may decide name a pause, so that it is told from that of an equal run. */
function withoutPause(field: string, value: unknown): unknown {
  if (field !== 'providerData') return value;
  const { [PAUSE]: _pause, ...others } = Object(value);
  return Object.keys(others).length === 0 ? undefined : others;
}

const plainTool = (name: string, execute: (signal?: AbortSignal) => unknown, options: object = {}) =>
  tool({
    name,
    description: '',
    parameters: z.object({}),
    execute: (_input, _context, details) => execute(details?.signal) as string,
    ...options,
  });
const look = (options: object = {}) => plainTool('look', () => 'seen', options);
const fail = (options: object = {}) =>
  plainTool(
    'fail',
    () => {
      throw new Error('broken');
    },
    options,
  );

/** A tool in which the run is aborted, and that minds it or not. */
const aborting = (controller: AbortController, minds: boolean, options: object = {}) =>
  plainTool(
    'look',
    (signal) => {
      controller.abort(new Error('enough'));
      if (minds) signal?.throwIfAborted();
      return 'seen';
    },
    options,
  );

const situations: { readonly [name: string]: (stream: boolean) => Situation } = {
  'a plain answer': () => ({
    answers: () => [[said('Hello.')]],
    play: ({ run }) => run(new Agent({ name: 'A' }), 'go'),
  }),
  'a tool call with a session': () => ({
    answers: () => [[called('look')], [said('Done.')]],
    play: ({ run, session }) =>
      run(new Agent({ name: 'A', tools: [look()] }), 'go', { session }).then(() => {}),
  }),
  'a session that compacts': () => ({
    answers: () => [[called('look')], [said('Done.')]],
    compactAfter: 2,
    play: ({ run, session }) =>
      run(new Agent({ name: 'A', tools: [look()] }), 'go', { session }).then(() => {}),
  }),
  'a tool that fails': () => ({
    answers: () => [[called('fail'), called('look')], [said('Done.')]],
    play: ({ run, session }) =>
      run(new Agent({ name: 'A', tools: [fail(), look()] }), 'go', { session }).then(() => {}),
  }),
  'a tool whose failure rejects the run': () => ({
    anyOrder: true,
    answers: () => [[called('fail'), called('look')], [said('Done.')]],
    play: ({ run, session }) =>
      run(new Agent({ name: 'A', tools: [fail({ errorFunction: null }), look()] }), 'go', { session }).then(
        () => {},
      ),
  }),
  'an unknown tool': () => ({
    answers: () => [[called('look')], [called('nothing')], [said('Done.')]],
    play: ({ run, session }) =>
      run(new Agent({ name: 'A', tools: [look()] }), 'go', { session }).then(() => {}),
  }),
  'a handoff': () => ({
    answers: () => [[called('look'), called('transfer_to_B')], [said('I am B.')]],
    play: ({ run, session }) => {
      const b = new Agent({ name: 'B' });
      return run(new Agent({ name: 'A', tools: [look()], handoffs: [b] }), 'go', { session }).then(() => {});
    },
  }),
  'an input guardrail that trips': () => ({
    answers: () => [[called('look')], [said('Done.')]],
    play: ({ run, session }) =>
      run(
        new Agent({
          name: 'A',
          tools: [look()],
          inputGuardrails: [
            {
              name: 'g',
              runInParallel: false,
              execute: async () => ({ tripwireTriggered: true, outputInfo: 'no' }),
            },
          ],
        }),
        'go',
        { session },
      ).then(() => {}),
  }),
  'an input guardrail that trips beside the model': () => ({
    answers: () => [[called('look')], [said('Done.')]],
    play: ({ run, session }) =>
      run(
        new Agent({
          name: 'A',
          tools: [look()],
          inputGuardrails: [
            { name: 'g', execute: async () => ({ tripwireTriggered: true, outputInfo: 'no' }) },
          ],
        }),
        'go',
        { session },
      ).then(() => {}),
  }),
  'an output guardrail that trips': () => ({
    answers: () => [[called('look')], [said('Done.')]],
    play: ({ run, session }) =>
      run(
        new Agent({
          name: 'A',
          tools: [look()],
          outputGuardrails: [
            { name: 'g', execute: async () => ({ tripwireTriggered: true, outputInfo: 'no' }) },
          ],
        }),
        'go',
        { session },
      ).then(() => {}),
  }),
  'an output guardrail that trips after a tool that ends the run': () => ({
    answers: () => [[called('look')], [said('Done.')]],
    play: ({ run, session }) =>
      run(
        new Agent({
          name: 'A',
          tools: [look()],
          toolUseBehavior: 'stop_on_first_tool',
          outputGuardrails: [
            { name: 'g', execute: async () => ({ tripwireTriggered: true, outputInfo: 'no' }) },
          ],
        }),
        'go',
        { session },
      ).then(() => {}),
  }),
  'a tool guardrail that rejects': () => ({
    answers: () => [[called('look')], [said('Done.')]],
    play: ({ run, session }) =>
      run(
        new Agent({
          name: 'A',
          tools: [
            look({
              inputGuardrails: [
                {
                  name: 'g',
                  run: async () => ({ behavior: { type: 'rejectContent', message: 'no' }, outputInfo: {} }),
                },
              ],
            }),
          ],
        }),
        'go',
        { session },
      ).then(() => {}),
  }),
  'the limit of turns': () => ({
    answers: () => [[called('look')], [called('look', {}, 'c2')], [said('Done.')]],
    play: ({ run, session }) =>
      run(new Agent({ name: 'A', tools: [look()] }), 'go', { session, maxTurns: 1 }).then(() => {}),
  }),
  'a model that fails': () => ({
    breaksOff: true,
    answers: () => [[called('look')], new Error('The model is down.')],
    play: ({ run, session }) =>
      run(new Agent({ name: 'A', tools: [look()] }), 'go', { session }).then(() => {}),
  }),
  'a model that fails and is asked again': () => ({
    breaksOff: true,
    answers: () => [Object.assign(new Error('Busy.'), { status: 503 }), [called('look')], [said('Done.')]],
    play: ({ run, session }) => run(retrying([look()]), 'go', { session }).then(() => {}),
  }),
  'a stream that breaks in the middle, with retries': () => ({
    breaksOff: true,
    answers: () => [[said('Hel'), Object.assign(new Error('Broken.'), { status: 503 })], [said('Hello.')]],
    play: ({ run, session }) => run(retrying(), 'go', { session }).then(() => {}),
  }),
  'a stream that breaks after a call, with retries': () => ({
    breaksOff: true,
    answers: () => [[called('look'), Object.assign(new Error('Broken.'), { status: 503 })], [said('Hello.')]],
    play: ({ run, session }) => run(retrying([look()]), 'go', { session }).then(() => {}),
  }),
  'a stream that breaks in the middle': () => ({
    breaksOff: true,
    answers: () => [[said('Hel'), new Error('Broken.')], [said('Hello.')]],
    play: ({ run, session }) => run(new Agent({ name: 'A' }), 'go', { session }).then(() => {}),
  }),
  'an answer with two calls of one id': () => ({
    answers: () => [[called('look', {}, 'c'), called('look', {}, 'c')], [said('Done.')]],
    play: ({ run, session }) =>
      run(new Agent({ name: 'A', tools: [look()] }), 'go', { session }).then(() => {}),
  }),
  'two sessions runs with the same ids': () => ({
    answers: () => [[called('look')], [said('Done.')], [called('look')], [said('Done again.')]],
    play: async ({ run, session }) => {
      const agent = new Agent({ name: 'A', tools: [look()] });
      await run(agent, 'go', { session });
      await run(agent, 'go', { session });
    },
  }),
  'an agent as a tool': () => ({
    answers: () => [[called('ask', { input: 'x' })], [called('look')], [said('Sub.')], [said('Done.')]],
    play: ({ run, session }) => {
      const ask = new Agent({ name: 'Sub', tools: [look()] }).asTool({
        toolName: 'ask',
        toolDescription: '',
      });
      return run(new Agent({ name: 'A', tools: [ask] }), 'go', { session }).then(() => {});
    },
  }),
  ...Object.fromEntries(
    [false, true].flatMap((restored) =>
      (['approve', 'reject'] as const).map((verb) => [
        `an approval (${verb}, restored: ${restored}) with a session that compacts`,
        () => ({
          answers: () => [[called('look')], [said('Done.')]],
          compactAfter: 1,
          play: async ({ run, session }: Play) => {
            const agent = new Agent({ name: 'A', tools: [look({ needsApproval: true })] });
            const state = await run(agent, 'go', { session });
            const next = restored ? await restore(agent, state.toString()) : state;
            for (const item of next.getInterruptions()) next[verb](item);
            await run(agent, next, { session });
          },
        }),
      ]),
    ),
  ),
  ...Object.fromEntries(
    [false, true].flatMap((minds) =>
      [false, true].flatMap((restored) =>
        [1, Number.POSITIVE_INFINITY].map((compactAfter) => [
          `an approved tool in which the run is aborted (minds: ${minds}, restored: ${restored}, compact after ${compactAfter})`,
          () => ({
            answers: () => [[called('look'), called('other', {}, 'c2')], [said('Done.')]],
            compactAfter,
            play: async ({ run, session }: Play) => {
              const controller = new AbortController();
              const agent = new Agent({
                name: 'A',
                tools: [
                  aborting(controller, minds, { needsApproval: true }),
                  plainTool('other', () => 'other'),
                ],
              });
              const state = await run(agent, 'go', { session });
              const next = restored ? await restore(agent, state.toString()) : state;
              for (const item of next.getInterruptions()) next.approve(item);
              const { signal } = controller;
              await run(agent, next, { session, signal });
            },
          }),
        ]),
      ),
    ),
  ),
  ...Object.fromEntries(
    [false, true].map((minds) => [
      `a tool in which the run is aborted (minds: ${minds})`,
      () => ({
        answers: () => [[called('look')], [said('Done.')]],
        compactAfter: 1,
        play: async ({ run, session }: Play) => {
          const controller = new AbortController();
          const agent = new Agent({ name: 'A', tools: [aborting(controller, minds)] });
          await run(agent, 'go', { session, signal: controller.signal });
        },
      }),
    ]),
  ),
  ...Object.fromEntries(
    ['before the answer', 'after a call', 'after the text'].flatMap((when) =>
      [{}, { conversationId: 'conv' }, { previousResponseId: 'r0' }].map((options) => [
        `a model call that is aborted ${when} (${JSON.stringify(options)})`,
        () => {
          let controller = new AbortController();
          const abort = () => controller.abort();
          const first: readonly Part[] = {
            'before the answer': [abort, said('Hi.'), called('look')],
            'after a call': [called('look'), abort, said('Hi.')],
            'after the text': [said('Hi.'), called('look'), abort],
          }[when] as readonly Part[];
          return {
            breaksOff: true,
            answers: () => [first, [said('Reconciled.')], [said('Done.')]],
            play: async ({ run, session }: Play) => {
              controller = new AbortController();
              const agent = new Agent({ name: 'A', tools: [look()] });
              const kept = Object.keys(options).length === 0 ? { session } : options;
              await run(agent, 'go', { ...kept, signal: controller.signal });
            },
          };
        },
      ]),
    ),
  ),
  'a model that answers nothing': () => ({
    answers: () => [[]],
    play: ({ run, session }) =>
      run(new Agent({ name: 'A', tools: [look()] }), 'go', { session }).then(() => {}),
  }),
  'structured output': () => ({
    answers: () => [[said('{"a":1}')]],
    play: ({ run, session }) =>
      run(new Agent({ name: 'A', outputType: z.object({ a: z.number() }) }) as never, 'go', { session }).then(
        () => {},
      ),
  }),
  'structured output that does not fit': () => ({
    answers: () => [[said('nothing')]],
    play: ({ run, session }) =>
      run(new Agent({ name: 'A', outputType: z.object({ a: z.number() }) }) as never, 'go', { session }).then(
        () => {},
      ),
  }),
};

function retrying(tools: ReturnType<typeof look>[] = []) {
  return new Agent({
    name: 'A',
    tools,
    modelSettings: { retry: { maxRetries: 2, backoff: { initialDelayMs: 1 }, policy: () => true } },
  });
}

// Each situation with one of the ways, streamed with another; with all with `HOOKS_RANDOM=1`.
const allWays = Object.entries(ways);
const numbered = Object.entries(situations).map(([name, make], at) => [name, make, at] as const);

describe.each([false, true])('With hooks that change nothing (streamed: %s)', (stream) => {
  describe.each(numbered)('%s', (_situation, make, at) => {
    test.each(sampled(allWays, allWays.length, stream ? at + 1 : at))(
      'is as without hooks: %s',
      async (name, way) => {
        const situation = make(stream);
        const compared = async (by: Way) => {
          const lines = await seen(make(stream), by, stream);
          const shown = lines.filter(
            (line) =>
              !(situation.breaksOff === true && name === DECIDING && line.startsWith('event raw_model')),
          );
          return situation.anyOrder === true ? shown.toSorted() : shown;
        };
        expect(await compared(way)).toEqual(await compared((runner) => runner));
      },
    );
  });
});

describe('Of a held answer that breaks off', () => {
  const reading = async (runner: Runner, agent: Agent, signal?: AbortSignal) => {
    const events: string[] = [];
    const result = await runner.run(agent, 'go', { stream: true, ...(signal && { signal }) });
    await read(result, events).catch(() => {});
    return events.filter((event) => event.includes('raw_model'));
  };

  test('nothing is shown', async () => {
    const model = new Scripted([[said('Hel'), new Error('Broken.')]]);
    const runner = ways[DECIDING]!(runnerOf(model));
    expect(await reading(runner, new Agent({ name: 'A' }))).toEqual([]);
  });

  test('by an abort nothing is shown', async () => {
    const controller = new AbortController();
    const model = new Scripted([[said('Hel'), () => controller.abort(), said('lo')]]);
    const runner = ways[DECIDING]!(runnerOf(model));
    expect(await reading(runner, new Agent({ name: 'A' }), controller.signal)).toEqual([]);
  });
});

test.each(Object.entries({ none: (runner: Runner) => runner, ...ways }))(
  'The stream of an agent as a tool that breaks in the middle is asked for once (%s)',
  async (_name, way) => {
    const model = new Scripted([
      [called('ask', { input: 'x' })],
      [said('Sub'), Object.assign(new Error('Broken.'), { status: 503 })],
      [said('Done.')],
    ]);
    const ask = retrying().asTool({ toolName: 'ask', toolDescription: '', onStream: () => {} });
    await way(runnerOf(model)).run(new Agent({ name: 'A', tools: [ask] }), 'go');
    expect(model.requests).toHaveLength(3);
  },
);

test.each(Object.entries({ none: (runner: Runner) => runner, ...ways }))(
  'The stream of a run that is aborted ends while a tool that does not mind goes on (%s)',
  async (_name, way) => {
    const controller = new AbortController();
    const finish = Promise.withResolvers<string>();
    const slow = plainTool('slow', () => {
      controller.abort();
      return finish.promise;
    });
    const model = new Scripted([[called('slow')], [said('Done.')]]);
    const agent = new Agent({ name: 'A', tools: [slow] });
    const { signal } = controller;
    const result = await way(runnerOf(model)).run(agent, 'go', { stream: true, signal });
    await read(result, []);
    finish.resolve('late');
    await result.completed;
    expect(result.cancelled).toBe(true);
  },
);
