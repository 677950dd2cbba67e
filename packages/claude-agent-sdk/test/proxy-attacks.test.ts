/** An API that misbehaves, and hooks that take everything, with the model proxy. */
import type { ServerResponse } from 'node:http';
import {
  AfterModelCall,
  addContext,
  BeforeModelCall,
  block,
  createHooks,
  type Hooks,
  modify,
  proceed,
  TurnStart,
} from '@hooks/core';
import { blockReason, hookedOptions, hookedQuery } from '../src/index.ts';
import { bash, call, optionsFor, startModel, stored, stream, withClaude } from './fixtures.ts';
import { ask, event, playProxied, startApi } from './proxy.ts';

/** Hooks that may refuse an answer, and refuse none. */
function deciding(): Hooks {
  const hooks = createHooks();
  hooks.on(AfterModelCall, () => proceed());
  return hooks;
}

const STARTED = [
  { type: 'message_start', message: { id: 'm', role: 'assistant', content: [], usage: { input_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'TANGELO' } },
]
  .map(event)
  .join('');

const cuts: Readonly<Record<string, (response: ServerResponse) => void>> = {
  breaks: (response) => response.write(STARTED, () => response.destroy()),
  'ends early': (response) => response.end(STARTED),
  'ends with an error': (response) =>
    response.end(STARTED + event({ type: 'error', error: { type: 'api_error', message: 'no' } })),
};
withClaude.concurrent.for(Object.keys(cuts))(
  'a held stream that %s shows nothing of its answer, and the query fails',
  async (name, { expect }) => {
    await using api = await startApi((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      cuts[name]?.(response);
    });
    const said = await ask(api.url, deciding());
    expect(api.heads.length).toBeGreaterThan(0);
    expect(said).not.toContain('TANGELO');
    expect(said).toContain('"is_error":true');
  },
);

withClaude.concurrent(
  'a request that Claude Code repeats after a broken stream has the context of its turn',
  async ({ expect }) => {
    await using api = await startApi((response, request, nth) => {
      if (nth > 0) return stream(response, request, [{ type: 'text', text: 'fine' }]);
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(STARTED, () => response.destroy());
    });
    const hooks = deciding();
    hooks.on(TurnStart, () => addContext('CONTEXT'));
    await ask(api.url, hooks, { env: { CLAUDE_CODE_MAX_RETRIES: '1' } });
    expect(api.bodies.map((body) => JSON.stringify(body).includes('CONTEXT'))).toEqual([true, true]);
  },
);

withClaude.concurrent('a redirect does not lead past the hooks', async ({ expect }) => {
  await using other = await startApi((response) => response.end('{}'));
  await using api = await startApi((response) =>
    response.writeHead(307, { location: `${other.url}/v1/messages` }).end(),
  );
  expect(await ask(api.url, deciding())).toContain('"is_error":true');
  expect(api.heads.length).toBeGreaterThan(0);
  expect(other.heads).toEqual([]);
});

withClaude.concurrent('keys and headers of the user reach the API', async ({ expect }) => {
  await using api = await startApi((response) => response.writeHead(400).end('{}'));
  const env = { ANTHROPIC_API_KEY: 'sk-ant-a-key', ANTHROPIC_CUSTOM_HEADERS: 'x-mine: 1' };
  const said = await ask(api.url, deciding(), { env });
  expect(api.heads[0]).toMatchObject({
    'x-api-key': 'sk-ant-a-key',
    'x-mine': '1',
    host: new URL(api.url).host,
  });
  expect(said).not.toContain('sk-ant-a-key');
});

withClaude.concurrent('an answer from which a hook takes everything ends the run', async ({ expect }) => {
  const hooks = createHooks();
  hooks.on(AfterModelCall, ({ response }) => modify({ response: { ...response, text: '', toolCalls: [] } }));
  const { result, error, model } = await playProxied([[bash('echo 1')], 'done'], hooks);
  expect(error).toBeUndefined();
  expect(result).toMatchObject({ subtype: 'success' });
  expect(model.read()).toEqual([]);
});

withClaude.concurrent(
  'a hook that throws refuses the answer, and the reason names it',
  async ({ expect }) => {
    const hooks = createHooks({ onError: () => {} });
    const broken = () => {
      throw new Error('broken');
    };
    hooks.on(AfterModelCall, broken, { id: 'gate' });
    const played = await playProxied(['TANGELO'], hooks);
    expect(JSON.stringify(played.messages) + stored(played)).not.toContain('TANGELO');
    expect(blockReason(played.result)).toContain('gate');
  },
);

withClaude.concurrent('a refused structured answer is not in the result', async ({ expect }) => {
  const hooks = createHooks();
  hooks.guard(AfterModelCall, ({ response: { toolCalls } }) =>
    toolCalls.some(({ toolName }) => toolName === 'StructuredOutput') ? block('Not so.') : proceed(),
  );
  const schema = { type: 'object', properties: { a: { type: 'number' } } };
  const { result, error } = await playProxied(() => [call('StructuredOutput', { a: 1 })], hooks, {
    options: { outputFormat: { type: 'json_schema', schema } },
  });
  expect(error).toBeUndefined();
  expect(blockReason(result)).toBe('Not so.');
  expect(JSON.stringify(result)).not.toContain('"a":1');
});

withClaude.concurrent(
  'the hooks of two registries decide on a request, the outer ones first',
  async ({ expect }) => {
    const outer = createHooks();
    const inner = createHooks();
    const read: boolean[] = [];
    outer.on(BeforeModelCall, ({ messages }) =>
      modify({ messages: messages.map((one) => ({ ...one, text: one.text.replaceAll('4711', '[n]') })) }),
    );
    inner.on(BeforeModelCall, ({ messages }) => {
      read.push(messages.some((one) => one.text.includes('4711')));
      return proceed();
    });
    await using model = await startModel(['done']);
    const settings = { models: 'proxy' } as const;
    const options = hookedOptions(optionsFor(model.url), inner, settings);
    for await (const _ of hookedQuery({ prompt: 'Use 4711.', options }, outer, settings));
    expect(read).toEqual([false]);
    expect(JSON.stringify(model.requests)).not.toContain('4711');
  },
);
