import { AfterModelCall, block, HookEvent, type Hooks, modify, proceed } from '@hooks/core';
import { type LanguageModel, streamText, type TextStreamPart, type ToolSet, toUIMessageStream } from 'ai';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { hookedAgent, hookedCall, hookModel } from '../src/index.ts';
import { typesOf, watched } from './fixtures.ts';

const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
const start = { type: 'stream-start', warnings: [] };
const hel = [start, { type: 'text-start', id: 't' }, { type: 'text-delta', id: 't', delta: 'Hel' }];
const lo = [
  { type: 'text-delta', id: 't', delta: 'lo' },
  { type: 'text-end', id: 't' },
];
const finish = { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage };
const overloaded = { type: 'error', error: new Error('overloaded') };

/** The chunks of a stream; it breaks where it ends with an `Error`. */
type Chunks = readonly (object | Error)[];

const streams: Readonly<Record<string, Chunks>> = {
  'is whole': [...hel, ...lo, finish],
  'has an error part in the middle': [...hel, overloaded],
  'goes on after an error part': [...hel, overloaded, ...lo, finish],
  'begins with an error part': [start, overloaded],
  'ends without a finish': hel,
  'has no output': [start],
  'is empty': [],
  'breaks in the middle': [...hel, new Error('cut')],
  'breaks at the start': [start, new Error('cut')],
  'calls a tool that is not there and breaks': [
    start,
    { type: 'tool-call', toolCallId: 'c1', toolName: 'pay', input: '{}' },
    new Error('cut'),
  ],
};

/** A model in the process: no server of a real client sends all of this. */
function modelOf(chunks: Chunks, calls: unknown[] = []): LanguageModel {
  return modelWith(async function* () {
    calls.push(chunks);
    for (const chunk of chunks) {
      if (chunk instanceof Error) throw chunk;
      yield chunk;
    }
  });
}

function modelWith(stream: (signal?: AbortSignal) => AsyncIterable<object>): LanguageModel {
  const model = {
    specificationVersion: 'v4',
    provider: 'own',
    modelId: 'streaming',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('It only streams.')),
    doStream: async ({ abortSignal }: { abortSignal?: AbortSignal }) => ({
      stream: ReadableStream.from(stream(abortSignal)),
    }),
  };
  return model as object as LanguageModel;
}

type Options = Parameters<typeof streamText>[0];
type Settings = Pick<Options, 'streamRetries' | 'timeout' | 'onAbort'> & {
  readonly onError?: (event: { readonly error: unknown }) => void;
};
type Timeout = NonNullable<Settings['timeout']>;
type Run = (model: LanguageModel, settings: Settings) => Promise<ReturnType<typeof streamText>>;

const bare: Run = async (model, settings) => streamText({ model, prompt: 'Hi.', ...settings });

/** Ways to hook a streamed call. */
const ways: Readonly<Record<string, (hooks: Hooks) => Run>> = {
  hookedCall: (hooks) => async (model, settings) =>
    streamText(hookedCall({ model, prompt: 'Hi.', ...settings }, hooks)),
  'hookedCall without holding': (hooks) => async (model, settings) =>
    streamText(hookedCall({ model, prompt: 'Hi.', ...settings }, hooks, { holdStream: false })),
  hookedAgent:
    (hooks) =>
    async (model, { onError = () => {}, timeout, ...settings }) => {
      const agent = hookedAgent({ model, onError, ...settings }, hooks);
      const result = await agent.stream({ prompt: 'Hi.', ...(timeout !== undefined && { timeout }) });
      return result as object as ReturnType<typeof streamText>;
    },
  'hookedCall around a hooked model': (hooks) => async (model, settings) =>
    streamText(hookedCall({ model: hookModel(model, hooks), prompt: 'Hi.', ...settings }, watched().hooks)),
};

const hookings: Readonly<Record<string, (hooks: Hooks) => void>> = {
  observed: (hooks) => void hooks.observe(HookEvent, () => {}),
  'decided on': (hooks) => void hooks.on(AfterModelCall, () => proceed()),
};

/** Forms in which a stream is read. */
const forms: Readonly<Record<string, (result: ReturnType<typeof streamText>) => AsyncIterable<unknown>>> = {
  textStream: ({ textStream }) => textStream,
  fullStream: ({ stream }) => mapped(stream, shown),
  'UI stream': ({ stream }) => mapped(toUIMessageStream({ stream }), ({ type }) => type),
  'text only': async function* () {},
};

function shown(part: TextStreamPart<ToolSet>): unknown {
  return [part.type, 'text' in part && part.text, part.type === 'error' && String(part.error)];
}

async function* mapped<T>(stream: AsyncIterable<T>, show: (part: T) => unknown): AsyncGenerator<unknown> {
  for await (const part of stream) yield show(part);
}

/** Everything that a user of a streamed call learns of it. */
async function outcomeOf(run: Run, chunks: Chunks, form: string, settings: Settings = {}) {
  const calls: unknown[] = [];
  const errors: unknown[] = [];
  const onError = ({ error }: { error: unknown }) => void errors.push(String(error));
  const result = await run(modelOf(chunks, calls), { ...settings, onError });
  const parts: unknown[] = [];
  let broke: unknown;
  try {
    for await (const part of forms[form]!(result)) parts.push(part);
  } catch (error) {
    broke = String(error);
  }
  const [text, reason, steps] = await Promise.allSettled([result.text, result.finishReason, result.steps]);
  return { parts, broke, text, reason, steps: steps.status, errors, calls: calls.length };
}

const cases = Object.entries(streams).flatMap(([name, chunks]) =>
  Object.keys(forms).map((form) => [name, form, chunks] as const),
);

describe.each(Object.entries(ways))('under %s', (way, hook) => {
  describe.each(Object.entries(hookings))('a stream that is %s', (hooking, register) => {
    test.each(cases)('and %s comes to the same as without hooks (%s)', async (name, form, chunks) => {
      for (const settings of [{}, { streamRetries: 1 }]) {
        const { hooks, events } = watched();
        register(hooks);
        const expected = await outcomeOf(bare, chunks, form, settings);
        const outcome = await outcomeOf(hook(hooks), chunks, form, settings);
        // What was held back when a stream breaks was not decided on, and stays so.
        const isWithheld =
          hooking === 'decided on' && name.includes('breaks') && !way.includes('without holding');
        expect(outcome).toEqual(isWithheld ? { ...expected, parts: expect.anything() } : expected);
        if (isWithheld) expect(JSON.stringify(outcome.parts)).not.toContain('Hel');
        await hooks.settled();
        const sessions = way.includes('hooked model') ? expected.calls : 1;
        expect(typesOf(events).filter((type) => type === 'session_end')).toHaveLength(sessions);
      }
    });
  });
});

const holding = Object.entries(ways).filter(([way]) => !way.includes('without holding'));

describe.each(holding)('under %s', (_way, hook) => {
  test.each(Object.keys(forms))(
    'a hook decides on the part of an answer that a stream gave (%s)',
    async (form) => {
      for (const name of ['has an error part in the middle', 'ends without a finish']) {
        const changing = watched().hooks;
        changing.on(AfterModelCall, ({ response }) =>
          modify({ response: { ...response, text: `${response.text}p` } }),
        );
        const changed = await outcomeOf(hook(changing), streams[name]!, form);
        expect(changed.text).toEqual({ status: 'fulfilled', value: 'Help' });
        const refusing = watched().hooks;
        refusing.on(AfterModelCall, () => block('No.'));
        const refused = await outcomeOf(hook(refusing), streams[name]!, form);
        expect(JSON.stringify(refused)).not.toContain('Hel');
        expect(refused.text).toEqual({ status: 'fulfilled', value: 'No.' });
      }
    },
  );
});

/** A moment of a stream: a chunk that comes after a while, or never. */
type Moment = readonly [ms: number, chunk: object];

const delta = (text: string) => ({ type: 'text-delta', id: 't', delta: text });

const timed: Readonly<Record<string, readonly Moment[]>> = {
  'a steady stream that takes longer in all': [
    [0, start],
    [50, { type: 'text-start', id: 't' }],
    [30, delta('Hel')],
    [80, delta('lo')],
    [80, delta(' to')],
    [80, delta(' all')],
    [80, finish],
  ],
  'a stream without output': [
    [0, start],
    [50, { type: 'text-start', id: 't' }],
    [500, delta('Hel')],
  ],
  'a stream that stops': [
    [0, start],
    [10, delta('Hel')],
    [500, delta('lo')],
  ],
};

const limits: readonly Timeout[] = [
  { firstChunkMs: 100 },
  { chunkMs: 100 },
  { firstChunkMs: 100, chunkMs: 100 },
];

describe('limits of the time of chunks', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  async function timedOutcome(run: Run, moments: readonly Moment[], timeout: Timeout) {
    const aborts: unknown[] = [];
    const model = modelWith(async function* (signal) {
      for (const [ms, chunk] of moments) {
        await new Promise((resolve, reject) => {
          setTimeout(resolve, ms);
          signal?.addEventListener('abort', () => reject(signal.reason));
        });
        yield chunk;
      }
    });
    const onAbort = ({ reason }: { readonly reason?: unknown }) => void aborts.push(String(reason));
    const result = await run(model, { timeout, onAbort, onError: () => {} });
    const types = (async () => {
      const read: string[] = [];
      for await (const { type } of result.stream) read.push(type);
      return read;
    })();
    const settled = Promise.allSettled([types, result.text]);
    let isSettled = false;
    void settled.then(() => (isSettled = true));
    while (!isSettled) await vi.advanceTimersByTimeAsync(10); // the digest of a prompt takes real time
    const [read, text] = await settled;
    return {
      ends: read.status === 'fulfilled' && read.value.at(-1),
      text: String(Object.values(text)[1]),
      aborts,
    };
  }

  const table = Object.entries(timed).flatMap(([name, moments]) =>
    limits.map((timeout) => [name, timeout, moments] as const),
  );

  describe.each(Object.entries(ways))('under %s', (_way, hook) => {
    describe.each(Object.entries(hookings))('of a stream that is %s', (_hooking, register) => {
      test.each(table)('hold as without hooks: %s, %o', async (_name, timeout, moments) => {
        const { hooks, events } = watched();
        register(hooks);
        const expected = await timedOutcome(bare, moments, timeout);
        expect(await timedOutcome(hook(hooks), moments, timeout)).toEqual(expected);
        await hooks.settled();
        expect(typesOf(events).filter((type) => type === 'session_end')).toHaveLength(1);
      });
    });
  });

  test('do not count the time of hooks', async () => {
    const { hooks } = watched();
    hooks.on(AfterModelCall, () => new Promise((resolve) => setTimeout(() => resolve(proceed()), 500)));
    const moments = timed['a steady stream that takes longer in all']!;
    const { text, aborts } = await timedOutcome(ways['hookedCall']!(hooks), moments, { chunkMs: 100 });
    expect([text, aborts]).toEqual(['Hello to all', []]);
  });

  test('leave no timer behind when a run is aborted whose model does not listen', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }); // a registry has an interval of its own
    for (const chunks of [[start], [start, { type: 'text-start', id: 't' }, delta('Hel')]]) {
      const { hooks } = watched();
      const aborting = new AbortController();
      const model = modelWith(async function* () {
        yield* chunks;
        aborting.abort();
        await new Promise(() => {});
      });
      const settings = { timeout: { firstChunkMs: 60_000, chunkMs: 60_000 }, abortSignal: aborting.signal };
      const result = await ways['hookedCall']!(hooks)(model, { ...settings, onError: () => {} });
      for await (const { type } of result.stream) if (type === 'abort') break;
      expect(vi.getTimerCount()).toBe(0);
    }
  });

  test('hold for an agent that has them in its settings', async () => {
    for (const [name, expected] of [
      ['a steady stream that takes longer in all', ['Hello to all', []]],
      [
        'a stream without output',
        [expect.anything(), ['TimeoutError: First chunk timeout of 100ms exceeded']],
      ],
    ] as const) {
      const { hooks } = watched();
      hooks.on(AfterModelCall, () => proceed());
      const run: Run = async (model, { timeout, ...settings }) => {
        const agent = hookedAgent({ model, ...settings, ...(timeout !== undefined && { timeout }) }, hooks);
        return (await agent.stream({ prompt: 'Hi.' })) as object as ReturnType<typeof streamText>;
      };
      const { text, aborts } = await timedOutcome(run, timed[name]!, { firstChunkMs: 100 });
      expect([text, aborts]).toEqual(expected);
    }
  });
});
