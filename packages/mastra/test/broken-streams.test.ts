import { AfterModelCall, createHooks, HookEvent, type Hooks, modify, proceed } from '@hooks/core';
import { Agent } from '@mastra/core/agent';
import type { MastraModelConfig } from '@mastra/core/llm';
import { describe, expect, test } from 'vitest';
import { hookedAgent } from '../src/index.ts';
import { quiet } from './fixtures.ts';

const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
const start = { type: 'stream-start', warnings: [] };
const hel = [start, { type: 'text-start', id: 't' }, { type: 'text-delta', id: 't', delta: 'Hel' }];
const lo = [
  { type: 'text-delta', id: 't', delta: 'lo' },
  { type: 'text-end', id: 't' },
];
const finish = { type: 'finish', finishReason: 'stop', usage };
const overloaded = { type: 'error', error: new Error('overloaded') };

/** The chunks of a stream; it breaks where it ends with an `Error`. */
type Chunks = readonly (object | Error)[];

const streams: Readonly<Record<string, Chunks>> = {
  'is whole': [...hel, ...lo, finish],
  'has an error part in the middle': [...hel, overloaded],
  'begins with an error part': [start, overloaded],
  'ends without a finish': [...hel, ...lo],
  'has no output': [start],
  'breaks in the middle': [...hel, new Error('cut')],
  'breaks at the start': [start, new Error('cut')],
};

/** A model in the process: no server of a real client sends all of this. */
function modelOf(chunks: Chunks, calls: unknown[]): MastraModelConfig {
  const model = {
    specificationVersion: 'v2',
    provider: 'own',
    modelId: 'gpt-5',
    supportedUrls: {},
    doStream: async () => {
      calls.push(chunks);
      return { stream: ReadableStream.from(given(chunks)) };
    },
    doGenerate: () => Promise.reject(new Error('It only streams.')),
  };
  return model as object as MastraModelConfig;
}

async function* given(chunks: Chunks): AsyncGenerator<object> {
  for (const chunk of chunks) {
    if (chunk instanceof Error) throw chunk;
    yield chunk;
  }
}

/** Everything that a user of a streamed run learns of it. */
async function outcomeOf(chunks: Chunks, hooks?: Hooks) {
  const calls: unknown[] = [];
  const config = { id: 'a', name: 'a', instructions: '', model: modelOf(chunks, calls) };
  const agent = quiet(hooks ? hookedAgent(config, hooks) : new Agent(config));
  const output = await agent.stream('Hi.', { modelSettings: { maxRetries: 2 } });
  // Mastra rejects these only if they were asked for before the stream was read.
  const settled = Promise.allSettled([output.text, output.finishReason]);
  const types: string[] = [];
  try {
    for await (const { type } of output.fullStream) types.push(type);
  } catch (error) {
    types.push(String(error));
  }
  const [text, reason] = await settled;
  return { types, text, reason, error: String(output.error), calls: calls.length };
}

describe('a stream of a hooked agent', () => {
  test.each(Object.entries(streams))('that %s comes to the same as without hooks', async (name, chunks) => {
    const expected = await outcomeOf(chunks);
    const observing = createHooks();
    observing.observe(HookEvent, () => {});
    expect(await outcomeOf(chunks, observing)).toEqual(expected);
    const deciding = createHooks();
    deciding.on(AfterModelCall, () => proceed());
    const decided = await outcomeOf(chunks, deciding);
    // What was held back when a stream breaks was not decided on, and stays so.
    if (name.includes('breaks'))
      expect({ ...decided, types: [], text: '' }).toEqual({ ...expected, types: [], text: '' });
    else expect(decided).toEqual(expected);
  });

  test('is decided on as far as it came', async () => {
    for (const name of ['has an error part in the middle', 'ends without a finish']) {
      const hooks = createHooks();
      hooks.on(AfterModelCall, ({ response }) => modify({ response: { ...response, text: 'Withheld.' } }));
      const outcome = await outcomeOf(streams[name]!, hooks);
      expect(JSON.stringify(outcome)).not.toContain('Hel');
    }
  });
});
