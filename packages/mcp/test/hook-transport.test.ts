import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  modify,
  proceed,
  requireApproval,
  retry,
  SessionEnd,
  TransformToolResult,
} from '@hooks/core';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { StdioClientTransport as StdioV1 } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport as HttpV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type HookTransportOptions, hideTools, hookTransport, TransformServerMessage } from '../src/index.ts';
import { type AnyClient, clientOf, KINDS, type Kind, type Person, run, textOf } from './connect.ts';
import { startServer } from './http.ts';
import { socketPath } from './stdio-server.ts';

interface Options extends HookTransportOptions {
  readonly person?: Person;
  readonly url?: string;
}

/** A transport of the SDK that a client of a kind uses. */
function transportOf(kind: Kind, url: string | undefined): AnyClient {
  if (url === undefined) {
    const { command, args = [] } = run('relay.ts', socketPath);
    return new (kind === 'v1' ? StdioV1 : StdioClientTransport)({ command, args: [...args] });
  }
  return new (kind === 'v1' ? HttpV1 : StreamableHTTPClientTransport)(new URL(url));
}

async function connect(kind: Kind, hooks: Hooks, { person, url, ...options }: Options = {}) {
  const { client, notified } = await clientOf(kind, person);
  const warnings: string[] = [];
  const onWarning = (warning: string) => void warnings.push(warning);
  const transport = hookTransport(transportOf(kind, url), hooks, { onWarning, ...options });
  onTestFinished(() => client.close());
  await client.connect(transport);
  const call = (name: string, args: object = {}, how: object = {}): Promise<AnyClient> =>
    kind === 'v1'
      ? client.callTool({ name, arguments: args }, undefined, how)
      : client.callTool({ name, arguments: args }, how);
  return { client, transport, notified, warnings, call };
}

/** A client and a server of SDK v1 in this process, and what the server was sent. */
async function inMemory(
  hooks: Hooks,
  answers: (message: AnyClient) => AnyClient = () => ({ content: [] }),
  options: HookTransportOptions = {},
) {
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  const sent: AnyClient[] = [];
  theirs.onmessage = (message: AnyClient) => {
    sent.push(message);
    if (message.method === 'initialize')
      void theirs.send({
        jsonrpc: '2.0',
        id: message.id,
        result: { protocolVersion: '2025-06-18', capabilities: {}, serverInfo: { name: 's', version: '1' } },
      });
    else if (message.method === 'tools/call')
      void theirs.send({ jsonrpc: '2.0', id: message.id, ...answers(message) });
  };
  await theirs.start();
  const { client } = await clientOf('v1');
  const transport = hookTransport(ours, hooks, options);
  await client.connect(transport);
  onTestFinished(() => client.close());
  return { client, transport, server: theirs, sent };
}

const calls = (sent: readonly AnyClient[]) => sent.filter(({ method }) => method === 'tools/call');

describe.each(KINDS)('the hooked transport of a %s client', (kind) => {
  test('passes what no hook concerns', async () => {
    const { call, client } = await connect(kind, createHooks());
    expect((await client.listTools()).tools.length).toBeGreaterThan(1);
    expect(await call('echo', { q: 'hi' })).toMatchObject({
      content: [{ type: 'text', text: 'said hi' }],
      structuredContent: { q: 'hi' },
      _meta: { vendor: 1 },
    });
    expect((await client.readResource({ uri: 'note://1' })).contents[0].text).toContain('SECRET');
  });

  test('blocks, rewrites, redacts and hides', async () => {
    const hooks = createHooks();
    hooks.use(hideTools('fails'));
    hooks.guard(BeforeToolCall.matching('danger'), () => block('No danger here.'));
    hooks.on(BeforeToolCall.matching('echo'), () => modify({ input: { q: 'a SECRET' } }));
    hooks.on(TransformToolResult, ({ output }) =>
      modify({ output: JSON.parse(JSON.stringify(output).replaceAll('SECRET', '***')) }),
    );
    const { call, client } = await connect(kind, hooks);
    const names = (await client.listTools()).tools.map(({ name }: AnyClient) => name);
    expect(names).toContain('echo');
    expect(names).not.toContain('fails');
    expect(textOf(await call('danger'))).toBe('error: No danger here.');
    expect(await call('echo', { q: 'x' })).toMatchObject({
      content: [{ text: 'said a ***' }],
      structuredContent: { q: 'a ***' },
    });
    expect((await client.readResource({ uri: 'note://1' })).contents[0].text).toBe('the body has a ***');
  });

  test('asks the person at the client', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching('danger'), () => requireApproval('Really?'));
    const asked: string[] = [];
    const person: Person = (message) => {
      asked.push(message);
      return { action: 'accept', content: { allow: asked.length === 1 } };
    };
    const { call } = await connect(kind, hooks, { person });
    expect(textOf(await call('danger'))).toBe('BOOM');
    expect(textOf(await call('danger'))).toMatch(/^error: /);
    expect(asked).toHaveLength(2);
    expect(asked[0]).toContain('Really?');
  });

  test('runs a call again on Retry', async () => {
    const hooks = createHooks();
    hooks.on(AfterToolCall, ({ status }) => (status === 'error' ? retry('once more') : proceed()));
    const { call } = await connect(kind, hooks);
    expect(textOf(await call('flaky'))).toBe('attempt 2');
  });

  test('cancels a call at the server', async () => {
    const hooks = createHooks();
    hooks.observe(AfterToolCall, () => {});
    const { call } = await connect(kind, hooks);
    const abort = new AbortController();
    const onprogress = () => abort.abort(new Error('enough'));
    await expect(call('slow', { q: 'first' }, { signal: abort.signal, onprogress })).rejects.toThrow();
    await expect.poll(async () => textOf(await call('canceled'))).toBe('first');
  });

  test('passes what the server asks, and what it says through hooks', async () => {
    const hooks = createHooks();
    const methods: string[] = [];
    hooks.on(TransformServerMessage, ({ method }) => (methods.push(method), proceed()));
    const { call, client, notified } = await connect(kind, hooks);
    await client.listResources();
    if (kind !== 'modern') expect(textOf(await call('sample'))).toContain('sampled');
    await call('change');
    if (kind !== 'modern') await expect.poll(() => notified).toContain('notifications/tools/list_changed');
    expect(methods).toContain('resources/list');
    if (kind !== 'modern') expect(methods).toContain('sampling/createMessage');
  });

  test('closes its session with the client', async () => {
    const hooks = createHooks();
    const ended: string[] = [];
    const sessions = new Set<string>();
    hooks.on(BeforeToolCall, ({ session }) => (sessions.add(session.id), proceed()));
    hooks.on(SessionEnd, ({ session }) => void ended.push(session.id));
    const { call, client } = await connect(kind, hooks);
    await call('echo', { q: '1' });
    await call('echo', { q: '2' });
    await client.close();
    expect(ended).toEqual([...sessions]);
    expect(ended).toHaveLength(1);
  });
});

describe.each([
  ['v1', 'sessions'],
  ['v2', 'sessions'],
  ['modern', 'modern'],
] as const)('over HTTP, the hooked transport of a %s client', (kind, mode) => {
  test('blocks, rewrites and cancels', async () => {
    const { url, stop } = await startServer(mode);
    onTestFinished(stop);
    const hooks = createHooks();
    hooks.guard(BeforeToolCall.matching('danger'), () => block('No danger here.'));
    hooks.on(BeforeToolCall.matching('echo'), () => modify({ input: { q: 'rewritten' } }));
    const { call, transport } = await connect(kind, hooks, { url });
    expect(textOf(await call('danger'))).toBe('error: No danger here.');
    expect(textOf(await call('echo', { q: 'x' }))).toBe('said rewritten');
    if (mode === 'sessions') expect(transport.sessionId).toEqual(expect.any(String));
    const abort = new AbortController();
    const onprogress = () => abort.abort(new Error('enough'));
    await expect(call('slow', { q: 'first' }, { signal: abort.signal, onprogress })).rejects.toThrow();
    await expect.poll(async () => textOf(await call('canceled'))).toContain('first');
  });
});

describe('a hooked transport', () => {
  test('keeps its class and its own members', async () => {
    const transport = new HttpV1(new URL('http://127.0.0.1:1/'));
    const hooked = hookTransport(transport, createHooks());
    expect(hooked).toBeInstanceOf(HttpV1);
    hooked.setProtocolVersion('2025-06-18');
    expect(transport.protocolVersion).toBe('2025-06-18');
    expect(hooked.protocolVersion).toBe('2025-06-18');
    expect(hooked.constructor).toBe(HttpV1);
  });

  test('cannot be hooked again, nor can its original', () => {
    const [transport] = InMemoryTransport.createLinkedPair();
    const hooks = createHooks();
    const hooked = hookTransport(transport, hooks);
    for (const one of [hooked, transport])
      expect(() => hookTransport(one, createHooks())).toThrow(/is hooked already/);
  });

  test('refuses hooks that would never be obeyed', async () => {
    const { UserPromptSubmit } = await import('@hooks/core');
    const hooks = createHooks();
    hooks.guard(UserPromptSubmit, () => block('no'));
    const [transport] = InMemoryTransport.createLinkedPair();
    expect(() => hookTransport(transport, hooks)).toThrow(/user_prompt_submit/);
  });

  test('sends what hooks have judged, whatever the caller does to the arguments meanwhile', async () => {
    const hooks = createHooks();
    const judged: unknown[] = [];
    const args = { path: 'notes.txt', toJSON: undefined as unknown };
    hooks.guard(BeforeToolCall, async ({ input }) => {
      judged.push(input);
      args.path = '/etc/shadow';
      return proceed();
    });
    const { client, sent } = await inMemory(hooks, () => ({ result: { content: [] } }));
    await client.callTool({ name: 'read', arguments: args });
    expect(judged).toEqual([{ path: 'notes.txt' }]);
    expect(calls(sent)[0].params.arguments).toEqual({ path: 'notes.txt' });
  });

  test('shows hooks what the server will read of an object with a JSON form of its own', async () => {
    const hooks = createHooks();
    const judged: unknown[] = [];
    hooks.on(BeforeToolCall, ({ input }) => (judged.push(input), proceed()));
    const { client, sent } = await inMemory(hooks, () => ({ result: { content: [] } }));
    await client.callTool({ name: 'read', arguments: { path: { toJSON: () => '/etc/shadow' } } });
    expect(judged).toEqual([{ path: '/etc/shadow' }]);
    expect(calls(sent)[0].params.arguments).toEqual({ path: '/etc/shadow' });
  });

  test('gives the client the error of its transport, such as that it has to sign in', async () => {
    const [transport] = InMemoryTransport.createLinkedPair();
    class SignInFirst extends Error {}
    const send = transport.send.bind(transport);
    transport.send = async (message: AnyClient, options) => {
      if (message.method === 'initialize' || message.method === 'tools/call')
        throw new SignInFirst('sign in');
      return send(message, options);
    };
    const hooks = createHooks();
    const errors: unknown[] = [];
    hooks.observe(AfterToolCall, ({ errorMessage }) => errors.push(errorMessage));
    const hooked = hookTransport(transport, hooks);
    const { client } = await clientOf('v1');
    await expect(client.connect(hooked)).rejects.toBeInstanceOf(SignInFirst);
    const request = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'read', arguments: {} } };
    await expect(hooked.send(request as AnyClient)).rejects.toBeInstanceOf(SignInFirst);
    expect(errors).toEqual(['sign in']);
  });

  test('does not give the client an error that a hook has reworded', async () => {
    const [transport] = InMemoryTransport.createLinkedPair();
    transport.send = async () => {
      throw new Error('cannot reach https://user:SECRET@host');
    };
    const hooks = createHooks();
    hooks.on(TransformToolResult, ({ errorMessage }) =>
      errorMessage === undefined ? proceed() : modify({ errorMessage: 'cannot reach the server' }),
    );
    const hooked = hookTransport(transport, hooks);
    const answers: AnyClient[] = [];
    hooked.onmessage = (message: AnyClient) => void answers.push(message);
    const request = { jsonrpc: '2.0', id: 7, method: 'tools/call', params: { name: 'read', arguments: {} } };
    await hooked.send(request as AnyClient);
    expect(answers).toMatchObject([{ id: 7, error: { message: 'cannot reach the server' } }]);
  });

  test('tells the client that it is closed, once, and ends its calls', async () => {
    const hooks = createHooks();
    const ended: string[] = [];
    hooks.observe(AfterToolCall, ({ status }) => ended.push(status));
    hooks.on(SessionEnd, () => void ended.push('session'));
    const { client, server } = await inMemory(hooks, () => undefined);
    // The server never answers.
    server.onmessage = () => {};
    let closed = 0;
    client.onclose = () => closed++;
    const calling = client.callTool({ name: 'read', arguments: {} });
    calling.catch(() => {});
    await server.close();
    await expect(calling).rejects.toThrow(/[Cc]losed/);
    await expect.poll(() => ended).toEqual(['error', 'session']);
    expect(closed).toBe(1);
  });

  test('drops a response of the server that nobody asked for', async () => {
    const warnings: string[] = [];
    const hooks = createHooks({ onWarning: (warning) => warnings.push(warning) });
    const { client, server } = await inMemory(hooks);
    const seen: unknown[] = [];
    client.onerror = (error: unknown) => seen.push(error);
    await server.send({ jsonrpc: '2.0', id: 'hooks-1', result: { content: [] } } as AnyClient);
    expect(warnings).toEqual([expect.stringContaining('no pending request has its id')]);
    expect(seen).toEqual([]);
  });

  test('leaves out a header that repeats an argument which a hook has changed', async () => {
    const [transport] = InMemoryTransport.createLinkedPair();
    const headers: unknown[] = [];
    transport.send = async (message: AnyClient, options: AnyClient) => {
      headers.push(options.headers);
      hooked.onmessage?.({ jsonrpc: '2.0', id: message.id, result: { content: [] } } as AnyClient);
    };
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching('write'), () => modify({ input: { region: 'eu', path: 'a' } }));
    const hooked = hookTransport(transport, hooks);
    for (const name of ['write', 'read'])
      await hooked.send(
        {
          jsonrpc: '2.0',
          id: name,
          method: 'tools/call',
          params: { name, arguments: { region: 'us', path: 'a' } },
        } as AnyClient,
        { headers: { 'Mcp-Param-Region': 'us', 'Mcp-Param-Path': 'a' } } as AnyClient,
      );
    expect(headers).toEqual([{ 'Mcp-Param-Path': 'a' }, { 'Mcp-Param-Region': 'us', 'Mcp-Param-Path': 'a' }]);
  });
});

test('what a call conceals is hidden in all that the server says, also after the call, and hooks do not see it', async () => {
  const replace = (value: unknown, from: string, to: string): unknown =>
    JSON.parse(JSON.stringify(value).replaceAll(from, to));
  const hooks = createHooks();
  hooks.on(BeforeToolCall, () =>
    modify({
      concealed: {
        reveal: (input) => replace(input, '[P]', 'hunter2'),
        hide: (value) => replace(value, 'hunter2', '[P]'),
      },
    }),
  );
  const seen: string[] = [];
  hooks.observe(TransformServerMessage, ({ content }) => void seen.push(JSON.stringify(content)));
  const said = (text: unknown): AnyClient => ({ jsonrpc: '2.0', ...Object(text) });
  const { transport, server, sent } = await inMemory(hooks, ({ params }) => {
    const { password } = params.arguments;
    const content = { type: 'text', text: password };
    void server.send(
      said({
        method: 'notifications/progress',
        params: { progressToken: 1, progress: 1, message: password },
      }),
    );
    void server.send(
      said({ method: 'notifications/message', params: { level: 'info', data: { password } } }),
    );
    void server.send(
      said({ id: 1, method: 'sampling/createMessage', params: { messages: [{ role: 'user', content }] } }),
    );
    if (params.name === 'later') return { result: { content: [content] } };
    const form = { method: 'elicitation/create', params: { mode: 'form', message: `${password}?` } };
    return { result: { resultType: 'input_required', inputRequests: { form } } };
  });
  const got: AnyClient[] = [];
  transport.onmessage = (message) => void got.push(message);
  for (const [id, name] of ['asks', 'later'].entries()) {
    const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };
    const params = { name, arguments: { password: '[P]' }, _meta };
    await transport.send(said({ id: 10 + id, method: 'tools/call', params }));
  }
  await expect.poll(() => got.filter(({ result }) => result)).toHaveLength(2);
  await server.send(
    said({ method: 'notifications/message', params: { level: 'info', data: 'hunter2, again' } }),
  );
  await expect.poll(() => JSON.stringify(got)).toContain('[P], again');
  expect(calls(sent).map(({ params }) => params.arguments)).toEqual([
    { password: 'hunter2' },
    { password: 'hunter2' },
  ]);
  expect(JSON.stringify(got)).toContain('[P]?');
  expect(JSON.stringify([got, seen])).not.toContain('hunter2');
  expect(seen.join()).toContain('[P]');
});

test.each([
  ['as it was shown', {}, 'model', 1],
  ['with another input', { input: { path: 'approver' } }, 'approver', 2],
])(
  'a call that an approver allows %s runs so each time, where the server asks a question in between',
  async (_how, changed, path, asked) => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('Read?'));
    let requests = 0;
    const { transport, sent } = await inMemory(
      hooks,
      ({ params: { inputResponses } }) => ({
        result: inputResponses
          ? { content: [] }
          : { resultType: 'input_required', inputRequests: { form: {} }, requestState: 'theirs' },
      }),
      { approval: () => (requests++, { decision: 'allow', ...changed }) },
    );
    const got: AnyClient[] = [];
    transport.onmessage = (message) => void got.push(message);
    const params = {
      name: 'read',
      arguments: { path: 'model' },
      _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' },
    };
    const send = (id: number, about: object) =>
      transport.send({ jsonrpc: '2.0', id, method: 'tools/call', params: { ...params, ...about } } as never);
    await send(10, {});
    await expect.poll(() => got).toHaveLength(1);
    const { requestState } = got[0].result;
    await send(11, { requestState, inputResponses: { form: { action: 'accept', content: {} } } });
    await expect.poll(() => got).toHaveLength(2);
    expect(calls(sent).map((call) => call.params.arguments.path)).toEqual([path, path]);
    expect(calls(sent)[1].params.requestState).toBe('theirs');
    expect(requests).toBe(asked);
  },
);

test.each(['unconcerned', 'observed', 'refuses'])(
  'what a call has concealed is hidden in the result of a later call, too (%s)',
  async (later) => {
    const replace = (value: unknown, from: string, to: string): unknown =>
      JSON.parse(JSON.stringify(value).replaceAll(from, to));
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching('pay'), () =>
      modify({
        concealed: {
          reveal: (input) => replace(input, '[P]', 'hunter2'),
          hide: (value) => replace(value, 'hunter2', '[P]'),
        },
      }),
    );
    const seen: string[] = [];
    hooks.observe(
      AfterToolCall.matching('observed|refuses'),
      (event) => void seen.push(JSON.stringify(event)),
    );
    let secret = '';
    const { transport } = await inMemory(hooks, ({ params }) => {
      secret = params.arguments.password ?? secret;
      if (params.name === 'refuses') return { error: { code: -1, message: secret, data: { secret } } };
      return { result: { content: [{ type: 'text', text: secret }] } };
    });
    const got: AnyClient[] = [];
    transport.onmessage = (message) => void got.push(message);
    for (const [id, name] of ['pay', later].entries()) {
      const params = { name, arguments: name === 'pay' ? { password: '[P]' } : {} };
      await transport.send({ jsonrpc: '2.0', id, method: 'tools/call', params } as AnyClient);
      await expect.poll(() => got).toHaveLength(id + 1);
    }
    expect(secret).toBe('hunter2');
    expect(JSON.stringify([got, seen])).not.toContain('hunter2');
    expect(JSON.stringify(got[1])).toContain('[P]');
  },
);
