import { once } from 'node:events';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import {
  AfterToolCall,
  BeforeToolCall,
  createHooks,
  modify,
  proceed,
  requireApproval,
  retry,
  SessionEnd,
} from '@hooks/core';
import { expect, onTestFinished, test } from 'vitest';
import { type GatewayOptions, gateway, type NativeToolCall, OfferTool } from '../src/index.ts';
import { textOf } from './connect.ts';
import { connectTo, serve, startGateway, startServer } from './http.ts';

type Handler = (request: IncomingMessage, response: ServerResponse, body: string) => unknown;

/** A gateway at `/up`, before a server that is a function. */
async function before(handler: Handler, options: Partial<GatewayOptions> = {}) {
  const warnings: string[] = [];
  const upstream = await serve(async (request, response) => {
    await handler(request, response, await text(request));
  });
  const { handle, close } = gateway({
    hooks: createHooks(),
    upstreams: { up: { url: `${upstream}/mcp` } },
    onWarning: (warning) => warnings.push(warning),
    ...options,
  });
  onTestFinished(close);
  const origin = await serve(handle);
  const post = (body: string | object, headers: Record<string, string> = {}, signal?: AbortSignal) =>
    fetch(`${origin}/up`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/json', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...(signal && { signal }),
    });
  return { origin, post, warnings, close };
}

const json = (response: ServerResponse, body: unknown): unknown =>
  response
    .writeHead(200, { 'content-type': 'application/json' })
    .end(typeof body === 'string' ? body : JSON.stringify(body));
const stream = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { 'content-type': 'text/event-stream' });

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 't', arguments: { a: 1 } } };
const watching = () => {
  const hooks = createHooks();
  hooks.guard(BeforeToolCall, () => proceed());
  return hooks;
};

test.each([createHooks, watching])(
  'a call and its response pass byte for byte, with their headers',
  async (hooks) => {
    const sent =
      '{"id":1,"jsonrpc":"2.0", "method":"tools/call","params":{"name":"t","arguments":{"n":1.0}}}';
    const answered = '{ "id":1,\n "jsonrpc":"2.0", "result":{"content":[],"big":12345678901234567890}}';
    let got: unknown;
    const { post } = await before(
      (request, response, body) => {
        got = { body, headers: request.headers };
        response.setHeader('x-vendor', 'kept');
        json(response, answered);
      },
      { hooks: hooks() },
    );
    const response = await post(sent, {
      authorization: 'Bearer t',
      'x-mine': 'yes',
      'mcp-protocol-version': '2025-11-25',
    });
    expect(await response.text()).toBe(answered);
    expect(response.headers.get('x-vendor')).toBe('kept');
    expect(got).toMatchObject({
      body: sent,
      headers: { authorization: 'Bearer t', 'x-mine': 'yes', 'mcp-protocol-version': '2025-11-25' },
    });
  },
);

test.each([
  ['JSON', json],
  [
    'a stream',
    (response: ServerResponse, body: unknown) => stream(response).end(`data: ${JSON.stringify(body)}\n\n`),
  ],
])('calls answered with %s are one request each, over one connection', async (_, answer) => {
  const sockets = new Set<unknown>();
  let requests = 0;
  const { post } = await before(
    (request, response, body) => {
      sockets.add(request.socket);
      requests++;
      answer(response, { jsonrpc: '2.0', id: JSON.parse(body).id, result: { content: [] } });
    },
    { hooks: watching() },
  );
  for (let id = 1; id <= 20; id++) expect(await (await post({ ...call, id })).text()).toContain('result');
  expect({ requests, sockets: sockets.size }).toEqual({ requests: 20, sockets: 1 });
});

test('notifications leave the connection to the next call', async () => {
  const sockets = new Set<unknown>();
  const { post } = await before((request, response, body) => {
    sockets.add(request.socket);
    const { id } = JSON.parse(body);
    if (id === undefined) response.writeHead(202).end();
    else json(response, { jsonrpc: '2.0', id, result: {} });
  });
  for (let id = 1; id <= 20; id++) {
    expect((await post({ jsonrpc: '2.0', method: 'notifications/x' })).status).toBe(202);
    expect(await (await post({ jsonrpc: '2.0', id, method: 'x' })).text()).toContain('result');
  }
  expect(sockets.size).toBe(1);
});

test('a gateway uses the proxy of its environment where Node does', async () => {
  const upstream = await serve((_, response) => json(response, { jsonrpc: '2.0', id: 1, result: {} }));
  const tunnels: unknown[] = [];
  const proxy = createServer().on('connect', ({ url }, client) => {
    tunnels.push(url);
    const server = connect(Number(new URL(upstream).port), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(server).pipe(client);
    });
    server.on('error', () => client.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => void proxy.close());
  const env = { ...process.env, HTTP_PROXY: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` };
  for (const use of ['1', '']) {
    const origin = await startGateway(`${upstream}/mcp`, { ...env, NODE_USE_ENV_PROXY: use });
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x' });
    const answer = await fetch(`${origin}/up`, { method: 'POST', headers, body });
    expect(await answer.json()).toMatchObject({ id: 1, result: {} });
    expect(tunnels).toEqual([new URL(upstream).host]);
  }
});

test('events pass with their ids and retry times, even without a message, and comments without their text', async () => {
  const { post } = await before((_, response) => {
    stream(response).write(': hello\n\nid: 0\ndata: \n\nretry: 50\n\n');
    response.write('id: 1\ndata: {"jsonrpc":"2.0", "method":"notifications/x"}\n\n');
    response.end('id: 2\ndata: {"jsonrpc":"2.0",\ndata: "id":1,"result":{}}\n\n');
  });
  const response = await post({ jsonrpc: '2.0', id: 1, method: 'x' });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const events = await response.text();
  expect(events).toContain(':\n');
  expect(events).not.toContain('hello');
  expect(events).toContain('id: 0\ndata: \n\n');
  expect(events).toContain('retry: 50\n');
  expect(events).toContain('id: 1\ndata: {"jsonrpc":"2.0", "method":"notifications/x"}\n\n');
  // In one line, because a careless client reads each of them as a message.
  expect(events).toContain('id: 2\ndata: {"jsonrpc":"2.0", "id":1,"result":{}}\n\n');
});

test("the client gets the server's status and headers", async () => {
  const { post } = await before(
    (_, response) => {
      response
        .writeHead(401, { 'www-authenticate': 'Bearer resource_metadata="https://x.test"' })
        .end('who are you?');
    },
    { hooks: watching() },
  );
  const response = await post(call);
  expect(response.status).toBe(401);
  expect(response.headers.get('www-authenticate')).toContain('resource_metadata');
  // No hook saw the text.
  expect(await response.text()).not.toContain('who are you?');
});

test("a redirect is not followed, which would send the client's headers elsewhere, or lead it past the gateway", async () => {
  const { post } = await before((_, response) =>
    response.writeHead(307, { location: 'http://127.0.0.1:1/' }).end(),
  );
  const response = await post(call, {});
  expect(response.status).toBe(502);
  expect(response.headers.get('location')).toBeNull();
});

test.each([
  ['text/plain', '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"unseen"}]}}'],
  ['application/json', '{"jsonrpc":"2.0","id":2,"result":{"content":[{"type":"text","text":"unseen"}]}}'],
  ['application/json', '[{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"unseen"}]}}]'],
  ['application/json', 'unseen'],
  ['text/event-stream', 'data: {"jsonrpc":"2.0","id":2,"result":{"text":"unseen"}}\n\n'],
])('a response as %s that hooks cannot read does not reach the client: %s', async (type, body) => {
  const { post } = await before((_, response) => response.writeHead(200, { 'content-type': type }).end(body));
  const answer = await (await post(call)).text();
  expect(answer).toContain('"id":1');
  expect(answer).toContain('"error"');
  expect(answer).not.toContain('unseen');
});

test('a body that is not a message is refused', async () => {
  const { post } = await before((_, response) => json(response, {}));
  for (const [body, id, code] of [
    ['hello', null, -32700],
    ['[]', null, -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call"}', 1, -32600],
  ] as const) {
    const response = await post(body);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({ id, error: { code } });
  }
  const batch = await post([call, { ...call, id: 'b' }]);
  expect(await batch.json()).toMatchObject([
    { id: 1, error: { code: -32600 } },
    { id: 'b', error: { code: -32600 } },
  ]);
});

test('only known paths, methods and host names are accepted', async () => {
  const { origin, post } = await before((_, response) => json(response, {}));
  expect((await fetch(`${origin}/other`)).status).toBe(404);
  expect((await fetch(`${origin}/constructor`)).status).toBe(404);
  expect((await fetch(`${origin}/up`, { method: 'PUT' })).status).toBe(405);
  expect((await post(call, { origin: 'https://evil.test' })).status).toBe(403);
  expect((await post(call, { origin: 'null' })).status).toBe(403);
  expect((await post(call, { origin })).status).toBe(200);
  // `fetch` cannot set another `host`.
  const rebound = httpRequest(`${origin}/up`, { headers: { host: 'evil.test' } });
  rebound.end();
  const [response] = await once(rebound, 'response');
  expect(response.statusCode).toBe(403);
});

test("the operator's headers replace the client's", async () => {
  let got: string | undefined;
  const upstream = await serve((request, response) => {
    got = request.headers.authorization;
    json(response, { jsonrpc: '2.0', id: 1, result: {} });
  });
  const { post } = await before(() => {}, {
    upstreams: { up: { url: upstream, headers: { authorization: 'Bearer of-the-gateway' } } },
  });
  await (await post(call, { authorization: 'Bearer of-the-client' })).text();
  expect(got).toBe('Bearer of-the-gateway');
});

test('a changed call has matching headers', async () => {
  const hooks = createHooks();
  hooks.on(BeforeToolCall.matching('t'), () => modify({ toolName: 'u', input: { a: 2 } }));
  const got: unknown[] = [];
  const { post } = await before(
    (request, response, body) => {
      const { id, method, params } = JSON.parse(body);
      got.push([method, params?.name, request.headers['mcp-name'], request.headers['mcp-param-a']]);
      const tools = ['t', 'u'].map((name) => ({ name, inputSchema: { type: 'object' } }));
      json(response, { jsonrpc: '2.0', id, result: method === 'tools/list' ? { tools } : { content: [] } });
    },
    { hooks },
  );
  await (await post({ jsonrpc: '2.0', id: 0, method: 'tools/list' })).text();
  await (await post(call, { 'mcp-name': 't', 'mcp-param-a': '1' })).text();
  expect(got).toEqual([
    ['tools/list', undefined, undefined, undefined],
    ['tools/call', 'u', 'u', undefined],
  ]);
});

test('a header that repeats an argument has to say what the argument says', async () => {
  const hooks = createHooks();
  const seen: unknown[] = [];
  hooks.guard(BeforeToolCall, ({ input }) => (seen.push(input), proceed()));
  const got: unknown[] = [];
  const { post } = await before(
    (request, response, body) => {
      const { id } = JSON.parse(body);
      const repeated = Object.entries(request.headers).filter(([name]) => name.startsWith('mcp-param-'));
      got.push(Object.fromEntries(repeated));
      json(response, { jsonrpc: '2.0', id, result: { content: [] } });
    },
    { hooks },
  );
  const args = { path: '/tmp/a', n: 1, deep: { Region: 'Zürich' }, other: '/etc' };
  const asked = { ...call, params: { name: 't', arguments: args } };
  const region = `=?base64?${Buffer.from('Zürich').toString('base64')}?=`;
  const same = { 'mcp-param-path': '/tmp/a', 'mcp-param-n': '1', 'mcp-param-where': region };
  expect((await post(asked, same)).status).toBe(200);
  expect(got).toEqual([same]);
  for (const [name, value] of [
    ['mcp-param-path', '/etc'], // what another argument says
    ['mcp-param-n', '2'],
    ['mcp-param-where', '/etc/passwd'],
    ['mcp-param-region', 'Bern'],
    ['mcp-param-path', '/tmp/a, /etc'],
  ] as const) {
    const refused = await post(asked, { [name]: value });
    expect(refused.status).toBe(400);
    expect(await refused.json()).toMatchObject({
      id: 1,
      error: { code: -32001, message: expect.stringContaining(name) },
    });
  }
  const others = await post({ jsonrpc: '2.0', id: 2, method: 'ping' }, { 'mcp-param-path': '/etc' });
  expect(others.status).toBe(400);
  expect([seen.length, got.length]).toEqual([1, 1]);
});

test("sessions are the server's sessions, end with DELETE, and hooks see the prefix", async () => {
  const { url, stop } = await startServer('sessions');
  onTestFinished(stop);
  const hooks = createHooks();
  const seen: unknown[] = [];
  const ended: string[] = [];
  hooks.guard(BeforeToolCall, ({ session, native, agent }) => {
    seen.push([session.id, (native as NativeToolCall).server, agent]);
    return proceed();
  });
  hooks.observe(SessionEnd, ({ session }) => ended.push(session.id));
  const { origin } = await before(() => {}, { hooks, upstreams: { up: { url } } });
  const one = await connectTo(`${origin}/up`, 'v1');
  await one.client.callTool({ name: 'echo', arguments: { q: 'x' } });
  const id = `up:${one.transport.sessionId}`;
  expect(seen).toEqual([[id, 'up', 'tester']]);
  await one.transport.terminateSession();
  await expect.poll(() => ended).toEqual([id]);
});

test('a conversation id is separate for each user', async () => {
  const hooks = createHooks();
  const ids = new Set<string>();
  hooks.guard(BeforeToolCall, ({ session }) => (ids.add(session.id), proceed()));
  const { post } = await before(
    (_, response) => json(response, { jsonrpc: '2.0', id: 1, result: { content: [] } }),
    { hooks },
  );
  const params = { ...call.params, _meta: { threadId: 'same' } };
  for (const authorization of ['Bearer a', 'Bearer b', 'Bearer a'])
    await (await post({ ...call, params }, { authorization })).text();
  expect(ids.size).toBe(2);
  expect([...ids].join()).not.toContain('Bearer');
});

test('an approval in the modern protocol is valid only for its user', async () => {
  const hooks = createHooks();
  hooks.on(BeforeToolCall, () => requireApproval('Really?'));
  const { post } = await before(
    (_, response) =>
      json(response, { jsonrpc: '2.0', id: 1, result: { content: [], resultType: 'complete' } }),
    { hooks },
  );
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
  };
  const ask = async (user: string, params: object = {}) => {
    const body = { ...call, params: { ...call.params, ...params, _meta: meta } };
    return JSON.parse(await (await post(body, { authorization: user })).text()).result;
  };
  const { requestState, inputRequests } = await ask('a');
  const [key = ''] = Object.keys(inputRequests);
  const yes = { requestState, inputResponses: { [key]: { action: 'accept', content: { allow: true } } } };
  expect((await ask('b', yes)).resultType).toBe('input_required');
  expect((await ask('a', yes)).resultType).toBe('complete');
});

test('calls have the principal that the operator reads from a request, and sessions belong to one principal', async () => {
  const hooks = createHooks();
  const seen: unknown[] = [];
  hooks.guard(BeforeToolCall, ({ principal }) => (seen.push(principal?.id), proceed()));
  hooks.guard(OfferTool, ({ principal }) => (seen.push(`offered to ${principal?.id}`), proceed()));
  const { post } = await before(
    (_, response, body) => {
      const { id, method } = JSON.parse(body);
      if (method === 'initialize') response.setHeader('mcp-session-id', 's');
      json(response, {
        jsonrpc: '2.0',
        id,
        result: method === 'tools/list' ? { tools: [{ name: 't' }] } : { content: [] },
      });
    },
    { hooks, principal: ({ headers }) => ({ id: String(headers['x-user']) }) },
  );
  const as = (user: string, session?: string) => ({
    'x-user': user,
    ...(session && { 'mcp-session-id': session }),
  });
  await (await post({ jsonrpc: '2.0', id: 1, method: 'tools/list' }, as('ann'))).text();
  await (await post(call, as('ann'))).text();
  await (await post({ jsonrpc: '2.0', id: 1, method: 'initialize' }, as('bob'))).text();
  await (await post(call, as('bob', 's'))).text();
  expect(seen).toEqual(['offered to ann', 'ann', 'offered to bob', 'bob']);
  expect((await post(call, as('ann', 's'))).status).toBe(404);
});

test('a client that disconnects cancels its call', async () => {
  const hooks = createHooks();
  const ended = Promise.withResolvers<unknown>();
  const reached = Promise.withResolvers<void>();
  const closed = Promise.withResolvers<void>();
  hooks.observe(AfterToolCall, ({ status, ran }) => ended.resolve([status, ran]));
  const { post } = await before(
    (_, response) => {
      reached.resolve();
      response.on('close', closed.resolve);
    },
    { hooks },
  );
  const abort = new AbortController();
  const posted = post(call, {}, abort.signal);
  await reached.promise;
  abort.abort();
  await expect(posted).rejects.toThrow();
  expect(await ended.promise).toEqual(['error', true]);
  await closed.promise;
});

test('`close` cancels the calls that have no session', async () => {
  const reached = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<unknown>();
  const hooks = createHooks();
  hooks.observe(AfterToolCall, ({ status }) => ended.resolve(status));
  const { post, close } = await before(() => reached.resolve(), { hooks });
  const posted = post(call);
  await reached.promise;
  await close();
  expect(await ended.promise).toBe('error');
  expect(await (await posted).text()).toBe('');
});

test('a header of MCP with underscores, which some servers take for the one with dashes, does not pass', async () => {
  const got: unknown[] = [];
  const { post } = await before(({ headers }, response) => {
    got.push(headers['mcp_session_id'], headers['mcp-name_'], headers['x_key']);
    json(response, { jsonrpc: '2.0', id: 1, result: { content: [] } });
  });
  await post(call, { Mcp_Session_Id: 'of another', 'Mcp-Name_': 't', x_key: 'k' });
  expect(got).toEqual([undefined, undefined, 'k']);
});

test('hooks also check the messages of a resumed stream', async () => {
  const hooks = createHooks();
  hooks.on(AfterToolCall, () => modify({ output: 'REDACTED' }));
  const { post, origin } = await before(
    (request, response, body) => {
      if (body.includes('initialize')) {
        response.setHeader('mcp-session-id', 's');
        json(response, { jsonrpc: '2.0', id: 1, result: {} });
        return;
      }
      if (request.method === 'GET') {
        expect(request.headers['last-event-id']).toBe('0');
        stream(response).end(
          'id: 1\ndata: {"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"unseen"}]}}\n\n',
        );
        return;
      }
      // The server lets the client reconnect for the response.
      stream(response).end('id: 0\ndata: \n\n');
    },
    { hooks },
  );
  const session = { 'mcp-session-id': 's' };
  await (await post({ jsonrpc: '2.0', id: 1, method: 'initialize' })).text();
  expect(await (await post(call, session)).text()).toContain('id: 0');
  const resumed = await fetch(`${origin}/up`, { headers: { ...session, 'last-event-id': '0' } });
  const events = await resumed.text();
  expect(events).toContain('REDACTED');
  expect(events).not.toContain('unseen');
});

test('a retried call whose stream ends without a response is an error', async () => {
  const hooks = createHooks();
  hooks.on(AfterToolCall, ({ status, attempt }) =>
    status === 'error' && attempt < 2 ? retry('again') : proceed(),
  );
  let posts = 0;
  const { post } = await before(
    (_, response) => {
      if (++posts > 1) stream(response).end(': bye\n\n');
      else json(response, { jsonrpc: '2.0', id: 1, result: { content: [], isError: true } });
    },
    { hooks },
  );
  expect(await (await post(call)).text()).toContain('closed the stream without an answer');
  expect(posts).toBe(2);
});

test('an approval by elicitation over two requests works with a server that needs a session', async () => {
  const { url, stop } = await startServer('sessions');
  onTestFinished(stop);
  const hooks = createHooks();
  hooks.on(BeforeToolCall, () => requireApproval('Really?'));
  const { origin } = await before(() => {}, { hooks, upstreams: { up: { url } } });
  const person = () => ({ action: 'accept', content: { allow: true } });
  const { client } = await connectTo(`${origin}/up`, 'v1', { person });
  expect(textOf(await client.callTool({ name: 'echo', arguments: { q: 'x' } }))).toBe('said x');
  const other = await connectTo(`${origin}/up`, 'v1');
  expect(textOf(await other.client.callTool({ name: 'echo', arguments: { q: 'x' } }))).toContain(
    'this client cannot show forms',
  );
});
