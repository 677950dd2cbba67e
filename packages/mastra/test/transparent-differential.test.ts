/**
 * Mastra does the same with hooks that change nothing as without any: each situation is played bare, with one observer,
 * and with hooks that may decide about everything and never do.
 */
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
import { Mastra } from '@mastra/core';
import { Agent, type AgentConfig } from '@mastra/core/agent';
import type { MastraModelConfig } from '@mastra/core/llm';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { Memory } from '@mastra/memory';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hookedAgent } from '../src/index.ts';
import { quiet } from './fixtures.ts';

type Make = (config: AgentConfig) => Agent;

const DECIDING = 'hooks that may decide';
const bare: Make = (config) => quiet(new Agent(config)) as Agent;
const ways: { readonly [name: string]: Make } = {
  'one observer': (config) => {
    const hooks = createHooks();
    hooks.observe(HookEvent, () => {});
    return quiet(hookedAgent(config, hooks)) as Agent;
  },
  'one observer of one event': (config) => {
    const hooks = createHooks();
    hooks.observe(BeforeToolCall.matching('other'), () => {});
    return quiet(hookedAgent(config, hooks)) as Agent;
  },
  [DECIDING]: (config) => {
    const hooks = createHooks();
    hooks.on(UserPromptSubmit, () => proceed());
    hooks.on(BeforeModelCall, () => proceed());
    hooks.on(AfterModelCall, () => proceed());
    hooks.guard(BeforeToolCall, () => proceed());
    hooks.on(TransformToolResult, () => proceed());
    hooks.on(AfterToolCall, () => proceed());
    hooks.on(Stop, () => proceed());
    return quiet(hookedAgent(config, hooks, { approval: 'native' })) as Agent;
  },
};

interface StreamPart {
  readonly type: string;
  readonly [field: string]: unknown;
}
type Part = StreamPart | Error | (() => unknown);
/** An answer: the parts of its stream, with what happens between them; or an error in its place. */
type Answer = readonly (Part | readonly StreamPart[])[] | Error;

const said = (text: string, id = 't'): readonly StreamPart[] => [
  { type: 'text-start', id },
  { type: 'text-delta', id, delta: text },
  { type: 'text-end', id },
];
const called = (toolName: string, input: object = {}, toolCallId = `call_${toolName}`): StreamPart => ({
  type: 'tool-call',
  toolCallId,
  toolName,
  input: JSON.stringify(input),
});

interface Asked {
  readonly prompt: readonly unknown[];
  readonly abortSignal?: AbortSignal;
}

/** A model that answers in order, and keeps what it was asked. */
class Scripted {
  readonly specificationVersion = 'v2';
  readonly provider = 'scripted';
  readonly modelId = 'gpt-5';
  readonly supportedUrls = {};
  readonly asked: string[] = [];
  readonly #answers: readonly Answer[];

  constructor(answers: readonly Answer[]) {
    this.#answers = answers;
  }
  async doGenerate(asked: Asked) {
    const { stream } = await this.doStream(asked);
    const parts: StreamPart[] = [];
    for await (const part of stream) parts.push(part);
    const end = parts.findLast(({ type }) => type === 'finish');
    const content = parts.flatMap(({ type, delta, ...part }): readonly object[] => {
      if (type === 'text-delta') return [{ type: 'text', text: delta }];
      return type === 'tool-call' ? [{ type, ...part }] : [];
    });
    return { content, finishReason: end?.['finishReason'], usage: end?.['usage'], warnings: [] };
  }
  async doStream({ prompt, abortSignal }: Asked) {
    this.asked.push(JSON.stringify(prompt));
    const answer = this.#answers[this.asked.length - 1] ?? [said('Done.')];
    if (answer instanceof Error) throw answer;
    abortSignal?.throwIfAborted();
    return { stream: ReadableStream.from(this.#parts(answer as Exclude<Answer, Error>, abortSignal)) };
  }
  async *#parts(answer: Exclude<Answer, Error>, signal: AbortSignal | undefined): AsyncGenerator<StreamPart> {
    yield { type: 'stream-start', warnings: [] };
    const parts = answer.flat() as readonly Part[];
    for (const part of parts) {
      signal?.throwIfAborted();
      if (part instanceof Error) throw part;
      if (typeof part === 'function') await part();
      else yield part;
    }
    const usage = { inputTokens: 3, outputTokens: 4, totalTokens: 7 };
    const calls = parts.some(
      (part) => typeof part === 'object' && 'type' in part && part.type === 'tool-call',
    );
    yield { type: 'finish', finishReason: calls ? 'tool-calls' : 'stop', usage };
  }
}

interface Play {
  readonly log: string[];
  readonly memory: Memory;
  readonly make: (config?: Partial<AgentConfig>) => Agent;
  run(agent: Agent, options?: object): Promise<Output>;
  goOn(agent: Agent, method: string, options: object): Promise<Output>;
}

interface Output {
  readonly runId?: string;
}

interface Situation {
  readonly answers: () => readonly Answer[];
  /** An answer breaks off: where hooks may refuse it, its beginning is not shown. */
  readonly breaksOff?: boolean;
  /** Mastra runs the tool while the model answers, unless hooks may refuse the answer: its result comes twice. */
  readonly early?: boolean;
  play(play: Play): Promise<unknown>;
}

const look = (options: object = {}) =>
  createTool({
    id: 'look',
    description: '',
    inputSchema: z.object({}),
    execute: async () => ({ seen: true }),
    ...options,
  });

const situations: { readonly [name: string]: () => Situation } = {
  'a plain answer': () => ({
    answers: () => [[said('Hello.')]],
    play: ({ make, run }) => run(make()),
  }),
  'a tool call': () => ({
    answers: () => [[said('Let me see.'), called('look')], [said('Done.')]],
    play: ({ make, run }) => run(make({ tools: { look: look() } })),
  }),
  'a tool call with memory': () => ({
    answers: () => [[called('look')], [said('Done.')]],
    play: ({ make, run, memory }) =>
      run(make({ tools: { look: look() }, memory }), { memory: { thread: 't', resource: 'r' } }),
  }),
  'a tool that fails': () => ({
    answers: () => [[called('fail')], [said('Done.')]],
    play: ({ make, run }) => {
      const fail = look({
        id: 'fail',
        execute: async () => {
          throw new Error('broken');
        },
      });
      return run(make({ tools: { fail } }));
    },
  }),
  'an unknown tool': () => ({
    answers: () => [[called('nothing')], [said('Done.')]],
    play: ({ make, run }) => run(make({ tools: { look: look() } })),
  }),
  'an input that does not fit': () => ({
    answers: () => [[called('look', { n: 1 })], [called('strict', { n: 'x' })], [said('Done.')]],
    play: ({ make, run }) => {
      const strict = look({ id: 'strict', inputSchema: z.object({ n: z.number() }) });
      return run(make({ tools: { look: look(), strict } }));
    },
  }),
  'the limit of steps': () => ({
    answers: () => [[called('look')], [called('look', {}, 'c2')], [said('Done.')]],
    play: ({ make, run }) => run(make({ tools: { look: look() } }), { maxSteps: 2 }),
  }),
  'a model that fails': () => ({
    answers: () => [new Error('Down.'), [said('Done.')]],
    play: ({ make, run }) => run(make()),
  }),
  'a model that fails, with retries': () => ({
    answers: () => [
      Object.assign(new Error('Busy.'), { isRetryable: true, statusCode: 503 }),
      [said('Done.')],
    ],
    play: ({ make, run }) => run(make(), { modelSettings: { maxRetries: 1 } }),
  }),
  'a stream that breaks in the middle': () => ({
    breaksOff: true,
    answers: () => [[...said('Hel').slice(0, 2), new Error('Broken.')], [said('Hello.')]],
    play: ({ make, run }) => run(make()),
  }),
  'a stream that breaks in the middle, with retries': () => ({
    breaksOff: true,
    answers: () => [
      [
        ...said('Hel').slice(0, 2),
        Object.assign(new Error('Broken.'), { isRetryable: true, statusCode: 503 }),
      ],
      [said('Hello.')],
    ],
    play: ({ make, run }) => run(make(), { modelSettings: { maxRetries: 1 } }),
  }),
  'a stream that breaks after a call, with retries': () => ({
    breaksOff: true,
    answers: () => [
      [called('look'), Object.assign(new Error('Broken.'), { isRetryable: true, statusCode: 503 })],
      [said('Hello.')],
    ],
    play: ({ make, run }) => run(make({ tools: { look: look() } }), { modelSettings: { maxRetries: 1 } }),
  }),
  'a stream that breaks at once, with retries': () => ({
    breaksOff: true,
    answers: () => [
      [Object.assign(new Error('Broken.'), { isRetryable: true, statusCode: 503 })],
      [said('Hello.')],
    ],
    play: ({ make, run }) => run(make(), { modelSettings: { maxRetries: 1 } }),
  }),
  'a stream with an error part': () => ({
    answers: () => [
      [...said('Hel').slice(0, 2), { type: 'error', error: new Error('Broken.') }],
      [said('Hello.')],
    ],
    play: ({ make, run }) => run(make(), { modelSettings: { maxRetries: 1 } }),
  }),
  ...Object.fromEntries(
    ['before the answer', 'in the text', 'after a call'].map((when) => [
      `a model call that is aborted ${when}`,
      () => {
        let controller = new AbortController();
        const abort = () => controller.abort();
        const first = {
          'before the answer': [abort, said('Hi.')],
          'in the text': [...said('Hi.').slice(0, 2), abort, ...said('Hi.').slice(2)],
          'after a call': [called('look'), abort, said('Hi.')],
        }[when] as Answer;
        return {
          breaksOff: true,
          answers: () => [first, [said('Done.')]],
          play: ({ make, run }: Play) => {
            controller = new AbortController();
            return run(make({ tools: { look: look() } }), { abortSignal: controller.signal });
          },
        };
      },
    ]),
  ),
  'a tool in which the run is aborted': () => ({
    early: true,
    answers: () => [[called('look')], [said('Done.')]],
    play: ({ make, run, memory }) => {
      const controller = new AbortController();
      const tool = look({
        execute: async () => {
          controller.abort();
          return { seen: true };
        },
      });
      return run(make({ tools: { look: tool }, memory }), {
        abortSignal: controller.signal,
        memory: { thread: 't', resource: 'r' },
      });
    },
  }),
  ...Object.fromEntries(
    ['approveToolCall', 'declineToolCall'].map((method) => [
      `an approval (${method})`,
      () => ({
        answers: () => [[called('look')], [said('Done.')]],
        play: async ({ make, run, goOn, memory }: Play) => {
          const agent = make({ tools: { look: look({ requireApproval: true }) }, memory });
          const { runId } = await run(agent, { memory: { thread: 't', resource: 'r' } });
          await goOn(agent, method, { runId, toolCallId: 'call_look' });
        },
      }),
    ]),
  ),
  'a tool that suspends': () => ({
    answers: () => [[called('look')], [said('Done.')]],
    play: async ({ make, run }) => {
      const tool = look({
        suspendSchema: z.object({}),
        resumeSchema: z.object({ ok: z.boolean() }),
        execute: async (
          _input: unknown,
          context: { agent?: { suspend?(payload: object): Promise<void> } },
        ) => {
          await context.agent?.suspend?.({});
        },
      });
      await run(make({ tools: { look: tool } }));
    },
  }),
  'a processor that trips': () => ({
    answers: () => [[said('Hello.')]],
    play: ({ make, run }) =>
      run(
        make({
          inputProcessors: [
            {
              id: 'p',
              processInput: ({ abort }) => abort('no'),
            },
          ],
        }),
      ),
  }),
  'structured output': () => ({
    answers: () => [[said('{"a":1}')]],
    play: ({ make, run }) => run(make(), { structuredOutput: { schema: z.object({ a: z.number() }) } }),
  }),
};

/** What differs from run to run. */
const steady = (value: unknown): string =>
  JSON.stringify(value, (key, one: unknown) => {
    if (one instanceof Error) return `${one.name}: ${one.message}`;
    return /^(id|runId|messageId|timestamp|createdAt|updatedAt|traceId|spanId|from|metadata|stack)$/.test(key)
      ? undefined
      : one;
  }) ?? 'undefined';

interface Full {
  readonly [field: string]: unknown;
}

async function seen(situation: Situation, make: Make, stream: boolean): Promise<readonly string[]> {
  const model = new Scripted(situation.answers());
  const storage = new InMemoryStore();
  const memory = new Memory({ storage, options: { lastMessages: 10 } });
  const log: string[] = [];
  const note = (full: Full) => {
    for (const field of [
      'text',
      'finishReason',
      'toolCalls',
      'toolResults',
      'object',
      'usage',
      'totalUsage',
      'error',
      'tripwire',
      'suspendPayload',
      'steps',
      'messages',
      'response',
    ])
      log.push(`${field} ${steady(full[field])}`);
  };
  const start = async (agent: Agent, method: string, args: readonly unknown[]): Promise<Output> => {
    try {
      const began: Full = await Reflect.apply(Reflect.get(agent, method), agent, args);
      if (!('fullStream' in began)) {
        note(began);
        return began;
      }
      const chunks: string[] = [];
      let failed: unknown;
      try {
        for await (const { type } of began['fullStream'] as AsyncIterable<{ type: string }>)
          chunks.push(type);
      } catch (error) {
        failed = error;
      }
      log.push(`reader ${String(failed)}`, ...chunks.map((type) => `chunk ${type}`));
      note(await (began as { getFullOutput(): Promise<Full> }).getFullOutput());
      return began;
    } catch (error) {
      log.push(`rejected ${Object(error).constructor.name} ${String(error)}`);
      return {};
    }
  };
  await situation.play({
    log,
    memory,
    make: (config = {}) => {
      const agent = make({
        id: 'a',
        name: 'a',
        instructions: 'Help.',
        model: model as unknown as MastraModelConfig,
        ...config,
      });
      new Mastra({ agents: { agent }, storage, logger: false });
      return agent;
    },
    run: (agent, options = {}) =>
      start(agent, stream ? 'stream' : 'generate', ['Go', { modelSettings: { maxRetries: 0 }, ...options }]),
    goOn: (agent, method, options) => start(agent, stream ? method : `${method}Generate`, [options]),
  });
  const { messages } = await memory
    .recall({ threadId: 't', resourceId: 'r' })
    .catch(() => ({ messages: [] }));
  return [...log, ...model.asked.map((prompt) => `asked ${prompt}`), `stored ${steady(messages)}`].map(
    (line) =>
      line
        .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'id')
        .replaceAll(/\b1[0-9]{12}\b/g, 'time')
        .replaceAll('"type":"step-start","model":"scripted/gpt-5"', '"type":"step-start"'),
  );
}

test('An aborted run is stored', async () => {
  for (const make of [bare, ...Object.values(ways)]) {
    const lines = await seen(situations['a tool in which the run is aborted']!(), make, true);
    expect(lines.at(-1)).toContain('"seen":true');
  }
});

// Each situation with one of the ways, streamed with another; with all with `HOOKS_RANDOM=1`.
const allWays = Object.entries(ways);
const numbered = Object.entries(situations).map(([name, make], at) => [name, make, at] as const);

describe.each([false, true])('With hooks that change nothing (streamed: %s)', (stream) => {
  describe.each(numbered)('%s', (_situation, situate, at) => {
    test.each(sampled(allWays, allWays.length, stream ? at + 1 : at))(
      'is as without hooks: %s',
      async (name, way) => {
        const compared = async (make: Make) => {
          const lines = await seen(situate(), make, stream);
          const { breaksOff, early } = situate();
          if (name !== DECIDING) return lines;
          if (early === true)
            return lines.filter((line) => /^(reader|rejected|finishReason|error|asked)/.test(line));
          return lines.filter((line) => !(breaksOff && /^chunk (step-start|text|tool)/.test(line)));
        };
        expect(await compared(way)).toEqual(await compared(bare));
      },
    );
  });
});
