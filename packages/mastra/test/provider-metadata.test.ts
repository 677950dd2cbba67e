import { AfterModelCall, block, createHooks, modify, proceed } from '@hooks/core';
import type { MastraModelConfig } from '@mastra/core/llm';
import { describe, expect, test } from 'vitest';
import { type HookedOptions, hookedAgent } from '../src/index.ts';
import { quiet } from './fixtures.ts';

/** What a provider sends of a text in other words. */
const copies = [
  { type: 'raw', rawValue: { said: 'SECRET' } },
  { type: 'reasoning-start', id: 'r' },
  { type: 'reasoning-delta', id: 'r', delta: 'They want the SECRET.' },
  { type: 'reasoning-end', id: 'r' },
];

/** What a provider sends beside a text. */
const neighbours = [
  { type: 'source', sourceType: 'url', id: 's', url: 'https://example.com/page' },
  { type: 'file', mediaType: 'text/plain', data: 'QSBmaWxlLg==' },
];

const parts = [
  { type: 'stream-start', warnings: [] },
  ...copies,
  ...neighbours,
  { type: 'text-start', id: 't' },
  { type: 'text-delta', id: 't', delta: 'It is SECRET.' },
  { type: 'text-end', id: 't' },
  {
    type: 'finish',
    finishReason: 'stop',
    usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
    providerMetadata: { some: { logprobs: ['SECRET'] } },
  },
];

/** A model in the process: no server of an OpenAI-compatible client sends all of this. */
const model = {
  specificationVersion: 'v2',
  provider: 'some',
  modelId: 'gpt-5',
  supportedUrls: {},
  doStream: async () => ({ stream: ReadableStream.from(parts) }),
  doGenerate: async () => ({ stream: ReadableStream.from(parts) }),
};

async function told(hooks: ReturnType<typeof createHooks>, options: HookedOptions = {}): Promise<string> {
  const config = { id: 'a', name: 'a', instructions: '', model: model as never as MastraModelConfig };
  const output = await quiet(hookedAgent(config, hooks, options)).stream('Go', { includeRawChunks: true });
  const chunks: unknown[] = [];
  for await (const chunk of output.fullStream) chunks.push(chunk);
  const { text, steps, messages, reasoningText } = await output.getFullOutput();
  return JSON.stringify([chunks, text, steps, messages, reasoningText]);
}

describe('what a provider sends beside an answer', () => {
  test('is left out where a hook refuses the answer', async () => {
    const refusing = createHooks();
    refusing.on(AfterModelCall, () => block('No.'));
    const refused = await told(refusing);
    for (const hidden of ['SECRET', 'example.com', 'QSBmaWxlLg==']) expect(refused).not.toContain(hidden);
  });

  test('is left out where a hook changes the answer if it repeats the text, and stays otherwise', async () => {
    const changing = createHooks();
    changing.on(AfterModelCall, ({ response }) => modify({ response: { ...response, text: 'Clean.' } }));
    const clean = await told(changing);
    expect(clean).not.toContain('SECRET');
    for (const kept of ['Clean.', 'example.com/page', 'QSBmaWxlLg==', '"inputTokens":1'])
      expect(clean).toContain(kept);
  });

  test('is there where the answer stands', async () => {
    const hooks = createHooks();
    hooks.on(AfterModelCall, () => proceed());
    const all = await told(hooks);
    for (const { type } of [...copies, ...neighbours]) expect(all).toContain(`"${type}"`);
  });
});
