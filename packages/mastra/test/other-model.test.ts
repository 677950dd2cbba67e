import type { ModelServer } from '@hooks/conformance';
import { BeforeRun, createHooks, modify } from '@hooks/core';
import type { MastraModelConfig } from '@mastra/core/llm';
import { describe, expect, test } from 'vitest';
import { hookedAgent } from '../src/index.ts';
import { modelOf, quiet, runAgent, serve } from './fixtures.ts';

describe('BeforeRun, Modify of model', () => {
  const run = async (server: ModelServer, model: unknown, id: string) => {
    const errors: string[] = [];
    const hooks = createHooks({ onError: ({ message }) => void errors.push(message) });
    hooks.on(BeforeRun, () => modify({ model: id }), { id: 'choose' });
    const config = { id: 'a', name: 'a', instructions: '', model: model as MastraModelConfig };
    const output = await runAgent(quiet(hookedAgent(config, hooks)), 'Go', false);
    return { output, errors, models: server.requests.map(({ model: asked }) => asked) };
  };

  test.each<readonly [string, (server: ModelServer) => unknown]>([
    ['a model object', modelOf],
    ['a function of one', (server) => async () => modelOf(server)],
    ['the first of several', (server) => [{ model: modelOf(server) }, { model: 'openai/gpt-5' }]],
    ['an id and an address', ({ url }) => ({ id: 'custom/gpt-5', url, apiKey: 'none' })],
    [
      'a provider and an address',
      ({ url }) => ({ providerId: 'custom', modelId: 'gpt-5', url, apiKey: 'none' }),
    ],
  ])('an id is one of the same provider as %s', async (_, model) => {
    await using server = await serve([{ text: 'Hi.' }]);
    const { output, models, errors } = await run(server, model(server), 'tiny');
    expect([output.text, models, errors]).toEqual(['Hi.', ['tiny'], []]);
  });

  test('an id with the provider that the agent has keeps its address', async () => {
    await using server = await serve([{ text: 'Hi.' }]);
    const { models } = await run(
      server,
      { id: 'custom/gpt-5', url: server.url, apiKey: 'none' },
      'custom/tiny',
    );
    expect(models).toEqual(['tiny']);
  });

  test.each<readonly [string, (server: ModelServer) => unknown]>([
    ['a model object', modelOf],
    ['an id of the router', () => 'openai/gpt-5'],
    ['an id and an address', ({ url }) => ({ id: 'custom/gpt-5', url, apiKey: 'none' })],
  ])('an id with another provider is one of the model router, in place of %s', async (_, model) => {
    await using server = await serve([{ text: 'Hi.' }]);
    await expect(run(server, model(server), 'hooks-no-such-provider/tiny')).rejects.toThrow(
      /hooks-no-such-provider/,
    );
    expect(server.requests).toEqual([]);
  });

  test('a model that wraps another cannot say: the hook has failed, and the run is blocked', async () => {
    await using server = await serve([{ text: 'Hi.' }]);
    const inner: { readonly doStream: (options: unknown) => unknown } = Object(modelOf(server));
    const wrapped = { ...inner, doStream: (options: unknown) => inner.doStream(options) };
    const { output, models, errors } = await run(server, wrapped, 'tiny');
    expect(models).toEqual([]);
    expect(output.tripwire?.reason).toContain('"tiny" cannot be had');
    expect(errors).toEqual([expect.stringContaining('choose')]);
  });
});
