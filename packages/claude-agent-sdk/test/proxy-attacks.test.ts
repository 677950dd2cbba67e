/** An API that misbehaves, and hooks that take everything, with the model proxy. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Options } from '@anthropic-ai/claude-agent-sdk';
import { AfterModelCall, BeforeModelCall, block, createHooks, modify, proceed } from '@hooks/core';
import { blockReason, hookedOptions, hookedQuery } from '../src/index.ts';
import { bash, call, optionsFor, play, startModel, stored, withClaude } from './fixtures.ts';

const settings = { models: 'proxy' } as const;

interface Api extends AsyncDisposable {
  readonly url: string;
  /** The headers of each request. */
  readonly heads: readonly IncomingHttpHeaders[];
}

async function startApi(answer: (response: ServerResponse) => void): Promise<Api> {
  const heads: IncomingHttpHeaders[] = [];
  const server = createServer((request, response) => {
    if (request.method !== 'POST') return void response.end('{}');
    heads.push(request.headers);
    void text(request).then(() => answer(response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port.toString()}`,
    heads,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Asks this API, with a hook that may refuse its answers. Returns everything that the query said. */
async function ask(url: string, more: Options = {}): Promise<string> {
  const hooks = createHooks();
  hooks.on(AfterModelCall, () => proceed());
  const said: unknown[] = [];
  try {
    for await (const message of hookedQuery(
      { prompt: 'Go.', options: optionsFor(url, more) },
      hooks,
      settings,
    ))
      said.push(message);
  } catch (error) {
    said.push(String(error));
  }
  return JSON.stringify(said);
}

const STARTED = [
  { type: 'message_start', message: { id: 'm', role: 'assistant', content: [], usage: { input_tokens: 1 } } },
  { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
  { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'TANGELO' } },
]
  .map((data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`)
  .join('');

const cuts: Readonly<Record<string, (response: ServerResponse) => void>> = {
  breaks: (response) => response.write(STARTED, () => response.destroy()),
  'ends early': (response) => response.end(STARTED),
  'ends with an error': (response) =>
    response.end(
      `${STARTED}event: error\ndata: {"type":"error","error":{"type":"api_error","message":"no"}}\n\n`,
    ),
};
withClaude.concurrent.for(Object.keys(cuts))(
  'a held stream that %s shows nothing of its answer, and the query fails',
  async (name, { expect }) => {
    await using api = await startApi((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      cuts[name]?.(response);
    });
    const said = await ask(api.url);
    expect(api.heads.length).toBeGreaterThan(0);
    expect(said).not.toContain('TANGELO');
    expect(said).toContain('"is_error":true');
  },
);

withClaude.concurrent('a redirect does not lead past the hooks', async ({ expect }) => {
  await using other = await startApi((response) => response.end('{}'));
  await using api = await startApi((response) =>
    response.writeHead(307, { location: `${other.url}/v1/messages` }).end(),
  );
  expect(await ask(api.url)).toContain('"is_error":true');
  expect(api.heads.length).toBeGreaterThan(0);
  expect(other.heads).toEqual([]);
});

withClaude.concurrent('keys and headers of the user reach the API', async ({ expect }) => {
  await using api = await startApi((response) => response.writeHead(400).end('{}'));
  const env = { ANTHROPIC_API_KEY: 'sk-ant-a-key', ANTHROPIC_CUSTOM_HEADERS: 'x-mine: 1' };
  const said = await ask(api.url, { env });
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
  const { result, error, model } = await play([[bash('echo 1')], 'done'], hooks, { settings });
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
    const played = await play(['TANGELO'], hooks, { settings });
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
  const { result, error } = await play(() => [call('StructuredOutput', { a: 1 })], hooks, {
    settings,
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
    const options = hookedOptions(optionsFor(model.url), inner, settings);
    for await (const _ of hookedQuery({ prompt: 'Use 4711.', options }, outer, settings));
    expect(read).toEqual([false]);
    expect(JSON.stringify(model.requests)).not.toContain('4711');
  },
);
