/** Other users of the machine, and an API whose answers are not quite those that one expects, with the model proxy. */
import { once } from 'node:events';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { SDKUserMessage } from '@anthropic-ai/claude-agent-sdk';
import {
  AfterModelCall,
  BeforeModelCall,
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  modify,
  proceed,
  UserPromptSubmit,
} from '@hooks/core';
import { hookedQuery } from '../src/index.ts';
import { bash, messageOf, optionsFor, type Request, stream, texts, withClaude } from './fixtures.ts';
import { ask, during, event, playProxied, startApi, watched } from './proxy.ts';

/** Hooks that refuse an answer with a word or a call. */
function refusing(): Hooks {
  const hooks = createHooks();
  hooks.guard(AfterModelCall, ({ response }) =>
    response.text.includes('TANGELO') || JSON.stringify(response.toolCalls).includes('TANGELO')
      ? block('Not that.')
      : proceed(),
  );
  return hooks;
}

withClaude.concurrent('the command line, which every user can read, has no token', async ({ expect }) => {
  const hooks = createHooks();
  hooks.on(BeforeModelCall, () => proceed());
  let line: readonly string[] = [];
  let base = '';
  const { result } = await playProxied(['one'], hooks, {
    options: {
      settings: { env: { MINE: '1' } },
      ...watched((env, args) => {
        line = args;
        base = env['ANTHROPIC_BASE_URL'] ?? '';
      }),
    },
  });
  const token = /[\da-f]{64}/.exec(base)?.[0];
  expect(token).toBeDefined();
  expect(line.join(' ').includes(token ?? '')).toBe(false);
  expect(result).toMatchObject({ result: 'one' });
});

withClaude.concurrent(
  'a settings file does not lead past the proxy, nor switch hooks off',
  async ({ expect }) => {
    await using other = await startApi((response, request) =>
      stream(response, request, [{ type: 'text', text: 'past' }]),
    );
    const own = optionsFor('');
    const folder = join(String(own.cwd), '.claude');
    mkdirSync(folder);
    const env = { ANTHROPIC_BASE_URL: other.url, CLAUDE_CODE_SIMPLE: '1', CLAUDE_CODE_USE_BEDROCK: '1' };
    writeFileSync(join(folder, 'settings.json'), JSON.stringify({ env }));
    const hooks = createHooks();
    const seen: string[] = [];
    hooks.guard(BeforeModelCall, () => (seen.push('model'), proceed()));
    hooks.guard(BeforeToolCall, () => (seen.push('tool'), block('No.')));
    const { result, options } = await playProxied([[bash('touch ran')], 'one'], hooks, {
      options: {
        cwd: String(own.cwd),
        settingSources: ['project', 'local'],
        managedSettings: { allowManagedHooksOnly: true },
      },
    });
    expect(result).toMatchObject({ result: 'one' });
    expect(seen).toEqual(['model', 'tool', 'model']);
    expect(existsSync(join(String(options.cwd), 'ran'))).toBe(false);
    expect(other.bodies).toEqual([]);
  },
);

withClaude.concurrent.for([200, 201, 206])(
  'hooks decide on an answer with the status %i',
  async (status, { expect }) => {
    await using api = await startApi((response, request) => {
      response.statusCode = status;
      stream(response, request, [{ type: 'text', text: 'the TANGELO' }]);
    });
    const said = await ask(api.url, refusing());
    expect(api.bodies.length).toBeGreaterThan(0);
    expect(said.includes('TANGELO')).toBe(false);
  },
);

const start = (request: Request, content: readonly object[] = []) =>
  event({ type: 'message_start', message: { ...messageOf(request, []), content, stop_reason: null } });
const END = [
  event({
    type: 'message_delta',
    delta: { stop_reason: 'end_turn', stop_sequence: null },
    usage: { output_tokens: 1 },
  }),
  event({ type: 'message_stop' }),
].join('');
const opened = (index: unknown, more: object = {}) =>
  event({ type: 'content_block_start', index, content_block: { type: 'text', text: '', ...more } });
const said = (index: unknown, text: string) =>
  event({ type: 'content_block_delta', index, delta: { type: 'text_delta', text } });
const closed = (index: unknown) => event({ type: 'content_block_stop', index });

const odd: Readonly<Record<string, string>> = {
  'an index that is a text': opened('0') + said(0, 'TANGELO') + closed('0'),
  'a delta whose index is a text': opened(0) + said('0', 'TANGELO') + closed(0),
  'a block that is opened twice':
    opened(0) + said(0, 'TAN') + closed(0) + opened(0) + said(0, 'GELO') + closed(0),
  'a block without a number': opened(undefined) + said(undefined, 'TANGELO') + closed(undefined),
  'a text behind its end': `${opened(0)}${said(0, 'a')}${closed(0)}${END}${opened(1)}${said(1, 'TANGELO')}${closed(1)}`,
  'a delta of another type':
    opened(0) +
    event({
      type: 'content_block_delta',
      index: 0,
      delta: { type: 'text_delta', text: 'TAN', thinking: 'x' },
    }) +
    said(0, 'GELO') +
    closed(0),
  'a text in front of its parts': opened(0, { text: 'TAN' }) + said(0, 'GELO') + closed(0),
  'a text without parts': opened(0, { text: 'TANGELO' }) + closed(0),
  'a ping that says more': event({ type: 'ping', delta: { type: 'text_delta', text: 'TANGELO' } }),
  'deltas in another order': opened(0) + opened(1) + said(1, 'GELO') + said(0, 'TAN') + closed(0) + closed(1),
};
const IN_START = 'a text in the start of the message';
withClaude.concurrent.for([IN_START, ...Object.keys(odd)])(
  '%s gets no text past a hook',
  async (name, { expect }) => {
    const content = name === IN_START ? [{ type: 'text', text: 'TANGELO' }] : [];
    await using api = await startApi((response, request) => {
      response.setHeader('content-type', 'text/event-stream');
      if (request.stream !== true) return void response.writeHead(400).end('{}');
      response.end(start(request, content) + (odd[name] ?? '') + END);
    });
    const hooks = createHooks();
    let read = '';
    hooks.guard(AfterModelCall, ({ response }) => {
      read += response.text;
      return response.text.includes('TANGELO') ? block('Not that.') : proceed();
    });
    const shown = await ask(api.url, hooks, { includePartialMessages: true });
    expect(api.bodies.length).toBeGreaterThan(0);
    expect([shown.includes('TANGELO'), shown.includes('GELO') && !read.includes('GELO')]).toEqual([
      false,
      false,
    ]);
  },
);

withClaude.concurrent.for([
  'cc_version=it is 4711',
  'cc_version=2.1.332.18b; cc_entrypoint=4711;',
  'number: 4711',
])('a system prompt that looks like a header of Claude Code is seen (%s)', async (text, { expect }) => {
  const hooks = createHooks();
  hooks.on(BeforeModelCall, ({ instructions = '' }) =>
    modify({ instructions: instructions.replaceAll('4711', '[n]') }),
  );
  const { model } = await playProxied(['one'], hooks, {
    options: { systemPrompt: `x-anthropic-billing-header: ${text}` },
  });
  expect(model.requests.length).toBe(1);
  expect(JSON.stringify(model.requests)).toContain('[n]');
  expect(JSON.stringify(model.requests).includes('4711')).toBe(false);
});

withClaude.concurrent(
  'a request that looks like the question whether a model exists, and has words of its own, is seen',
  async ({ expect }) => {
    const hooks = createHooks();
    const seen: number[] = [];
    hooks.guard(BeforeModelCall, ({ messages }) => (seen.push(messages.length), block('No.')));
    const { done } = await during(['one'], hooks, async (base) => {
      const messages = [{ role: 'user', content: 'x-anthropic-billing-header: it is 4711' }];
      const body = JSON.stringify({ max_tokens: 1, messages });
      return (await fetch(`${base}/v1/messages`, { method: 'POST', body })).text();
    });
    expect(done).toContain('No.');
    expect(seen).toContain(1);
  },
);

withClaude.concurrent(
  'a hook that is registered after an error of the API decides on the request that is repeated',
  async ({ expect }) => {
    const hooks = createHooks();
    hooks.on(BeforeModelCall, () => proceed());
    await using api = await startApi((response, request, nth) => {
      if (nth > 0) return stream(response, request, [{ type: 'text', text: 'fine' }]);
      hooks.guard(BeforeModelCall, () => block('Stop all.'));
      response.writeHead(529).end('{"type":"error","error":{"type":"overloaded_error","message":"no"}}');
    });
    const shown = await ask(api.url, hooks, { env: { CLAUDE_CODE_MAX_RETRIES: '3' } });
    expect(api.bodies).toHaveLength(1);
    expect(shown).toContain('Stop all.');
  },
);

withClaude.concurrent(
  'a request that is repeated after a hook has ended its run is not sent',
  async ({ expect }) => {
    const asked = Promise.withResolvers<void>();
    const refused = Promise.withResolvers<void>();
    await using api = await startApi((response, request, nth) => {
      if (nth > 0) return stream(response, request, [{ type: 'text', text: 'fine' }]);
      asked.resolve();
      void refused.promise.then(() =>
        response.writeHead(529).end('{"type":"error","error":{"type":"overloaded_error","message":"no"}}'),
      );
    });
    const hooks = createHooks();
    hooks.on(BeforeModelCall, () => proceed());
    hooks.guard(UserPromptSubmit, ({ prompt }) => (prompt === 'Steal it.' ? block('No theft.') : proceed()));
    async function* prompts() {
      yield* texts('Go.');
      await asked.promise;
      yield* texts('Steal it.');
      refused.resolve();
    }
    const shown = await ask(api.url, hooks, { env: { CLAUDE_CODE_MAX_RETRIES: '3' } }, prompts());
    expect(api.bodies).toHaveLength(1);
    expect(shown).toContain('No theft.');
  },
);

withClaude.concurrent(
  'hooks decide on the model that is asked after another one failed',
  async ({ expect }) => {
    await using api = await startApi((response, request) => {
      if (request.model.includes('sonnet'))
        response.writeHead(529).end('{"type":"error","error":{"type":"overloaded_error","message":"no"}}');
      else stream(response, request, [{ type: 'text', text: 'fine' }]);
    });
    const hooks = createHooks();
    const asked: string[] = [];
    hooks.guard(BeforeModelCall, ({ model = '' }) => {
      asked.push(model);
      return model.includes('opus') ? block('Too dear.') : proceed();
    });
    const out = await ask(api.url, hooks, {
      fallbackModel: 'claude-opus-4-5',
      env: { CLAUDE_CODE_MAX_RETRIES: '4' },
    });
    expect(api.bodies.some(({ model }) => model.includes('opus'))).toBe(false);
    expect([asked.some((model) => model.includes('opus')), out.includes('Too dear.')]).toEqual([true, true]);
  },
);

withClaude.concurrent('the texts of documents and search results are seen', async ({ expect }) => {
  await using api = await startApi((response, request) =>
    stream(response, request, [{ type: 'text', text: 'ok' }]),
  );
  const hooks = createHooks();
  hooks.on(BeforeModelCall, ({ messages }) =>
    modify({ messages: messages.map((one) => ({ ...one, text: one.text.replaceAll('4711', '[n]') })) }),
  );
  async function* prompts(): AsyncGenerator<SDKUserMessage> {
    const source = { type: 'text', media_type: 'text/plain', data: 'My number is 4711.' } as const;
    const found = [{ type: 'text', text: 'It is 4711.' }] as const;
    const content = [
      { type: 'text', text: 'Read.' },
      { type: 'document', source, title: 'About 4711', context: 'For 4711' },
      { type: 'document', source: { type: 'content', content: found } },
      { type: 'search_result', source: 'https://example.com/4711', title: 'On 4711', content: found },
    ] as const;
    yield { type: 'user', parent_tool_use_id: null, message: { role: 'user', content: content as never } };
  }
  await ask(api.url, hooks, {}, prompts());
  const sent = JSON.stringify(api.bodies);
  for (const kept of ['"title":"About [n]"', '"context":"For [n]"', 'It is [n].', 'https://example.com/[n]'])
    expect(sent).toContain(kept);
  expect(sent.includes('4711')).toBe(false);
});

withClaude.concurrent(
  'an error of the API after a Retry is an error, whatever it says',
  async ({ expect }) => {
    await using api = await startApi((response, request, nth) => {
      if (nth > 0 || request.stream !== true)
        response
          .writeHead(500)
          .end('{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"TANGELO"}}');
      else stream(response, request, [{ type: 'text', text: 'bad' }]);
    });
    const hooks = createHooks();
    hooks.on(AfterModelCall, ({ response }) =>
      response.text === 'bad' ? ({ kind: 'retry', reason: 'again' } as never) : proceed(),
    );
    const out = await ask(api.url, hooks, { includePartialMessages: true });
    expect(out).toContain('"is_error":true');
    expect(out).not.toContain('"event":{"type":"content_block_start"');
  },
);

withClaude.concurrent(
  'a character whose bytes arrive one by one stays in an answer that hooks let pass',
  async ({ expect }) => {
    await using api = await startApi((response, request) => {
      if (JSON.stringify(request.messages).includes('tool_result'))
        return stream(response, request, [{ type: 'text', text: 'ok' }]);
      const whole = Buffer.from(
        start(request) +
          [
            opened(0),
            said(0, 'a ü€😀 b'),
            closed(0),
            event({
              type: 'content_block_start',
              index: 1,
              content_block: { ...bash('', 'toolu_1'), input: {} },
            }),
            event({
              type: 'content_block_delta',
              index: 1,
              delta: { type: 'input_json_delta', partial_json: '{"command":"echo 😀","description":"d"}' },
            }),
            closed(1),
            END.replace('end_turn', 'tool_use'),
          ]
            .join('')
            .replaceAll('\n', '\r\n'),
      );
      response.setHeader('content-type', 'text/event-stream');
      for (const byte of whole) response.write(Buffer.from([byte]));
      response.end();
    });
    const out = await ask(api.url, refusing());
    expect(out).toContain('a ü€😀 b');
    expect(JSON.stringify(api.bodies)).toContain('"content":"😀');
  },
);

withClaude.concurrent.for(['citations_delta', 'another name'])(
  'hooks read the input of a call as Claude Code does (%s)',
  async (odd, { expect }) => {
    const part = (type: string, partial_json: string) =>
      event({ type: 'content_block_delta', index: 0, delta: { type, partial_json } });
    const hidden = (json: string) =>
      odd === 'citations_delta'
        ? part(odd, json)
        : part('input_json_delta', json).replace('content_block_delta', 'other');
    await using api = await startApi((response, request) => {
      if (JSON.stringify(request.messages).includes('tool_result') || request.stream !== true)
        return stream(response, request, [{ type: 'text', text: 'ok' }]);
      response.setHeader('content-type', 'text/event-stream');
      response.end(
        [
          start(request),
          event({
            type: 'content_block_start',
            index: 0,
            content_block: { ...bash('', 'toolu_1'), input: {} },
          }),
          hidden('{"command":"echo fine","description":"d","x":'),
          part('input_json_delta', '{"command":"echo TANGELO","description":"d"}'),
          hidden('}'),
          closed(0),
          END.replace('end_turn', 'tool_use'),
        ].join(''),
      );
    });
    const hooks = createHooks();
    hooks.guard(AfterModelCall, ({ response: { toolCalls } }) =>
      toolCalls.some(({ input }) => String(Object(input).command).includes('TANGELO'))
        ? block('No.')
        : proceed(),
    );
    await ask(api.url, hooks);
    expect(api.bodies.length).toBeGreaterThan(0);
    expect(JSON.stringify(api.bodies).includes('TANGELO')).toBe(false);
  },
);

withClaude.concurrent(
  'a query that is closed while a hook decides shows nothing of the answer',
  async ({ expect }) => {
    await using api = await startApi((response, request) =>
      stream(response, request, [{ type: 'text', text: 'the TANGELO' }]),
    );
    const hooks = createHooks();
    const deciding = Promise.withResolvers<void>();
    hooks.on(AfterModelCall, async () => (deciding.resolve(), await new Promise<never>(() => {})));
    const query = hookedQuery(
      { prompt: 'Go.', options: optionsFor(api.url, { includePartialMessages: true }) },
      hooks,
      { models: 'proxy' },
    );
    void deciding.promise.then(() => query.close());
    const shown: unknown[] = [];
    await (async () => {
      for await (const message of query) shown.push(message);
    })().catch(() => {});
    await deciding.promise;
    expect(JSON.stringify(shown).includes('TANGELO')).toBe(false);
  },
);

withClaude.concurrent(
  'nothing that leaves has what a hook redacts, a summary and its request included',
  async ({ expect }) => {
    await using api = await startApi((response, request) =>
      stream(response, request, [{ type: 'text', text: '<summary>It is 4711.</summary>' }]),
    );
    const hooks = createHooks();
    const clean = (said: string) => said.replaceAll('4711', '[n]');
    hooks.on(BeforeModelCall, ({ messages, instructions = '', tools }) =>
      modify({
        instructions: clean(instructions),
        messages: messages.map((one) => ({ ...one, text: clean(one.text) })),
        tools: tools.map((one) => ({ ...one, description: clean(one.description ?? '') })),
      }),
    );
    const prompts = texts('Use 4711.', '/compact Keep 4711.', 'Again 4711.');
    const agents = { helper: { description: 'Knows 4711.', prompt: 'HELPER 4711' } };
    await ask(api.url, hooks, { agents, systemPrompt: 'Know 4711.' }, prompts);
    expect(api.bodies.length).toBeGreaterThan(2);
    for (const { tools, ...body } of api.bodies)
      expect(
        JSON.stringify([body, tools?.map((one) => Reflect.get(one, 'description'))]).includes('4711'),
      ).toBe(false);
  },
);

const rich = (request: Request) => [
  start(request),
  event({ type: 'ping' }),
  event({
    type: 'content_block_start',
    index: 0,
    content_block: { type: 'thinking', thinking: '', signature: '' },
  }),
  event({ type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'I think.' } }),
  event({ type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'U0lHTkVE' } }),
  closed(0),
  event({
    type: 'content_block_start',
    index: 1,
    content_block: { type: 'redacted_thinking', data: 'UkVEQUNURUQ=' },
  }),
  closed(1),
  opened(2, { citations: [] }),
  said(2, 'I say.'),
  event({ type: 'ping' }),
  closed(2),
  event({ type: 'content_block_start', index: 3, content_block: { ...bash('', 'toolu_a'), input: {} } }),
  event({ type: 'content_block_delta', index: 3, delta: { type: 'input_json_delta', partial_json: '' } }),
  event({
    type: 'content_block_delta',
    index: 3,
    delta: { type: 'input_json_delta', partial_json: '{"command":"echo a",' },
  }),
  event({
    type: 'content_block_delta',
    index: 3,
    delta: { type: 'input_json_delta', partial_json: '"description":"d"}' },
  }),
  closed(3),
  event({ type: 'content_block_start', index: 4, content_block: { ...bash('', 'toolu_b'), input: {} } }),
  event({
    type: 'content_block_delta',
    index: 4,
    delta: { type: 'input_json_delta', partial_json: '{"command":"echo b","description":"d"}' },
  }),
  closed(4),
  END.replace('end_turn', 'tool_use'),
];

withClaude.concurrent(
  'what a hook leaves of an answer with thinking goes back to the API as it came',
  async ({ expect }) => {
    await using api = await startApi((response, request) => {
      if (JSON.stringify(request.messages).includes('tool_result') || request.stream !== true)
        return stream(response, request, [{ type: 'text', text: 'ok' }]);
      response.setHeader('content-type', 'text/event-stream');
      response.end(rich(request).join(''));
    });
    const hooks = createHooks();
    hooks.on(AfterModelCall, ({ response }) =>
      response.toolCalls.length > 1
        ? modify({ response: { ...response, toolCalls: response.toolCalls.slice(0, 1) } })
        : proceed(),
    );
    hooks.on(BeforeModelCall, ({ messages }) => modify({ messages: messages.map((one) => ({ ...one })) }));
    await ask(api.url, hooks);
    const history = JSON.stringify(api.bodies.at(-1)?.messages);
    for (const kept of [
      '"thinking":"I think.","signature":"U0lHTkVE"',
      '"data":"UkVEQUNURUQ="',
      'I say.',
      'toolu_a',
      '"content":"a',
    ])
      expect(history).toContain(kept);
    expect(history.includes('toolu_b')).toBe(false);
  },
);

withClaude.concurrent('whoever has no token learns nothing, however much is sent', async ({ expect }) => {
  const hooks = createHooks();
  const seen: unknown[] = [];
  hooks.on(BeforeModelCall, ({ messages }) => (seen.push(messages.length), proceed()));
  const { model, done: answers = [] } = await during(['ok'], hooks, (base) => {
    const { port, pathname } = new URL(base);
    const token = pathname.slice(1);
    const heads = [
      'POST /v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 99999999',
      `POST /${token.slice(0, -1)}/v1/messages HTTP/1.1\r\nhost: evil.example\r\ntransfer-encoding: chunked`,
      `POST //${token}/v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 2`,
      `POST /%${token.charCodeAt(0).toString(16)}${token.slice(1)}/v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 2`,
      `POST /x/../${token}/v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 2`,
      `POST http://127.0.0.1/${token}/v1/messages HTTP/1.1\r\nhost: x\r\ncontent-length: 2`,
      `CONNECT 127.0.0.1:${port} HTTP/1.1\r\nhost: x`,
      `GET /${token}/v1/messages HTTP/1.1\r\nhost: x\r\nconnection: upgrade\r\nupgrade: websocket`,
      `POST /${token}/v1/messages/../files HTTP/1.1\r\nhost: x\r\ncontent-length: 2`,
      `POST /${token}/v1/messages HTTP/1.1\r\nhost: x\r\norigin: null\r\ncontent-length: 2`,
      `POST /${token}/v1/messages HTTP/1.1\r\nhost: x\r\ncontent-encoding: gzip\r\ncontent-length: 2`,
      `OPTIONS /${token}/v1/messages HTTP/1.1\r\nhost: x\r\naccess-control-request-method: POST`,
    ];
    return Promise.all(heads.map((head) => raw(Number(port), `${head}\r\n\r\n{}`)));
  });
  expect(answers).not.toHaveLength(0);
  expect(answers.map((answer) => /^HTTP\/1.1 (?!2)\d+/.test(answer) || answer === '')).toEqual(
    answers.map(() => true),
  );
  expect(answers.filter((answer) => /access-control/i.test(answer))).toEqual([]);
  expect(model.requests.length + model.others.length).toBe(seen.length);
});

/** What a server answers first. */
async function raw(port: number, head: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {}).write(head);
  const first = await Promise.race([
    once(socket, 'data').then(([data]) => String(data)),
    once(socket, 'close').then(() => ''),
  ]);
  socket.destroy();
  return first;
}
