import { once } from 'node:events';
import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { BeforeToolCall, block, createHooks, modify, proceed, requireApproval } from '@hooks/core';
import { expect, onTestFinished, test } from 'vitest';
import { type GatewayOptions, gateway, OfferTool } from '../src/index.ts';
import { serve } from './http.ts';

/* Clients of a gateway that are not who they say, or that a web page steers. */

type Headers = Readonly<Record<string, string>>;

/** A gateway before a server that opens a session for each `initialize`, and counts what reaches it. */
async function sessions(options: Partial<GatewayOptions> = {}) {
  const reached: string[] = [];
  let opened = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await text(request);
    const { id, method } = body === '' ? { id: undefined, method: undefined } : JSON.parse(body);
    reached.push(`${request.method} ${method} ${request.headers['mcp-session-id']}`);
    if (id === undefined || method === undefined)
      return response.writeHead(request.method === 'POST' ? 202 : 200).end();
    const results: Readonly<Record<string, object>> = {
      initialize: { protocolVersion: '2025-11-25', capabilities: {} },
      'tools/list': { tools: ['t', 'u'].map((name) => ({ name, inputSchema: { type: 'object' } })) },
    };
    const result = results[method] ?? { content: [] };
    if (method === 'initialize') response.setHeader('mcp-session-id', `s${++opened}`);
    response.writeHead(200, { 'content-type': 'application/json' });
    return response.end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  };
  const url = await serve((request, response) => void answer(request, response));
  const { handle, close } = gateway({
    hooks: createHooks(),
    upstreams: { up: { url } },
    onWarning: () => {},
    ...options,
  });
  onTestFinished(close);
  const origin = await serve(handle);
  const send = (method: string, body: object | undefined, headers: Headers) =>
    fetch(`${origin}/up`, {
      method,
      headers: { ...(body && { 'content-type': 'application/json' }), ...headers },
      ...(body && { body: JSON.stringify(body) }),
    });
  const initialize = async (headers: Headers) => {
    const capabilities = { elicitation: {} };
    const response = await send(
      'POST',
      { jsonrpc: '2.0', id: 0, method: 'initialize', params: { capabilities } },
      headers,
    );
    await response.text();
    return response.headers.get('mcp-session-id') ?? '';
  };
  return { origin, send, initialize, reached };
}

const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 't', arguments: {} } };
const modern = {
  ...call,
  params: { ...call.params, _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } },
};

const alice = { authorization: 'Bearer alice' };
const ofUser = ({ headers }: IncomingMessage) => ({
  id: String(headers['x-user']),
  tenant: String(headers['x-tenant']),
});

test.each<[string, Headers, Headers, Partial<GatewayOptions>]>([
  ['with another authorization', alice, { authorization: 'Bearer bob' }, {}],
  ['without an authorization', alice, {}, {}],
  ['with an authorization, of a session without', {}, alice, {}],
  ['with another principal', { 'x-user': 'a' }, { 'x-user': 'b' }, { principal: ofUser }],
  [
    'with a principal of another tenant',
    { 'x-user': 'a', 'x-tenant': '1' },
    { 'x-user': 'a', 'x-tenant': '2' },
    { principal: ofUser },
  ],
])('a caller %s cannot use a session in any way', async (_, owner, other, options) => {
  const { send, initialize, reached } = await sessions(options);
  const session = { 'mcp-session-id': await initialize(owner) };
  const before = reached.length;
  const attempts: [string, object | undefined, Headers?][] = [
    ['POST', call],
    ['POST', modern],
    ['POST', { jsonrpc: '2.0', id: 'x', result: { action: 'accept', content: { allow: true } } }],
    ['POST', { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }],
    ['GET', undefined],
    ['GET', undefined, { 'last-event-id': '0' }],
    ['DELETE', undefined],
  ];
  for (const [method, body, headers] of attempts)
    expect((await send(method, body, { ...session, ...other, ...headers })).status).toBe(404);
  expect(reached).toHaveLength(before);
  expect((await send('POST', call, { ...session, ...owner })).status).toBe(200);
});

test('a session that no `initialize` opened here is unknown', async () => {
  const { send, reached } = await sessions();
  expect((await send('POST', call, { ...alice, 'mcp-session-id': 'guessed' })).status).toBe(404);
  expect((await send('DELETE', undefined, { ...alice, 'mcp-session-id': 'guessed' })).status).toBe(404);
  expect(reached).toEqual([]);
});

test("another caller cannot answer a session's pending approval", async () => {
  const hooks = createHooks();
  hooks.on(BeforeToolCall, () => requireApproval('Really?'));
  const { send, initialize, reached } = await sessions({ hooks });
  const session = { 'mcp-session-id': await initialize(alice) };
  const asked = await send('POST', call, { ...session, ...alice });
  const reader = asked.body?.pipeThrough(new TextDecoderStream()).getReader();
  const { value = '' } = (await reader?.read()) ?? {};
  const { id } = JSON.parse(value.replace(/^data: /, ''));
  const yes = { jsonrpc: '2.0', id, result: { action: 'accept', content: { allow: true } } };
  const bob = { authorization: 'Bearer bob' };
  expect((await send('POST', yes, { ...session, ...bob })).status).toBe(404);
  expect((await send('POST', yes, { 'mcp-session-id': await initialize(bob), ...bob })).status).toBe(202);
  expect((await send('POST', yes, session)).status).toBe(404);
  expect(reached.filter((line) => line.includes('tools/call'))).toEqual([]);
  expect((await send('POST', yes, { ...session, ...alice })).status).toBe(202);
  expect((await reader?.read())?.value).toContain('"content":[]');
});

test('a conversation that a caller names is never the session of another', async () => {
  const hooks = createHooks();
  const ids: string[] = [];
  hooks.guard(BeforeToolCall, ({ session }) => (ids.push(session.id), proceed()));
  const { send, initialize } = await sessions({
    hooks,
    principal: ({ headers }) =>
      headers['x-user'] === undefined ? undefined : { id: String(headers['x-user']) },
  });
  const named = (threadId: string) => ({ ...call, params: { ...call.params, _meta: { threadId } } });
  const opened = await initialize({});
  await send('POST', call, { 'mcp-session-id': opened });
  await send('POST', named(`up:${opened}`), {});
  await send('POST', named(opened), { 'x-user': 'up' });
  await send('POST', named('b:c'), { 'x-user': 'a' });
  await send('POST', named('c'), { 'x-user': 'a:b' });
  expect(new Set(ids).size).toBe(5);
});

test('an approval in the modern protocol is valid only for its server', async () => {
  const hooks = createHooks();
  hooks.on(BeforeToolCall, () => requireApproval('Really?'));
  const server = await serve((_, response) =>
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end('{"jsonrpc":"2.0","id":1,"result":{"content":[],"resultType":"complete"}}'),
  );
  const { handle, close } = gateway({ hooks, upstreams: { one: { url: server }, two: { url: server } } });
  onTestFinished(close);
  const origin = await serve(handle);
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
  };
  const ask = async (path: string, params: object = {}) => {
    const response = await fetch(`${origin}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...call, params: { ...call.params, ...params, _meta: meta } }),
    });
    return JSON.parse(await response.text()).result;
  };
  const { requestState, inputRequests } = await ask('one');
  const [key = ''] = Object.keys(inputRequests);
  const yes = { requestState, inputResponses: { [key]: { action: 'accept', content: { allow: true } } } };
  expect((await ask('two', yes)).resultType).toBe('input_required');
  expect((await ask('one', yes)).resultType).toBe('complete');
});

test.each([
  ['tools/call', { name: 't', uri: 'u' }, 't'],
  ['prompts/get', { name: 't' }, 't'],
  ['resources/read', { name: 't', uri: 'u:1' }, 'u:1'],
  ['tools/call', { name: 'é\u{1f600}' }, `=?base64?${Buffer.from('é\u{1f600}').toString('base64')}?=`],
  [
    'tools/call',
    { name: '=?base64?eA==?=' },
    `=?base64?${Buffer.from('=?base64?eA==?=').toString('base64')}?=`,
  ],
  ['ping', {}, undefined],
])('the headers of a %s %j say what its body says', async (method, params, name) => {
  let got: unknown;
  const url = await serve((request, response) => {
    got = [request.headers['mcp-method'], request.headers['mcp-name']];
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end('{"jsonrpc":"2.0","id":1,"result":{}}');
  });
  const { send } = await sessions({ upstreams: { up: { url } } });
  await send(
    'POST',
    { jsonrpc: '2.0', id: 1, method, params },
    { 'mcp-method': 'tools/list', 'mcp-name': 'danger' },
  );
  expect(got).toEqual([method, name]);
});

test.each([
  ['text/plain', 415],
  ['application/x-www-form-urlencoded', 415],
  ['application/jsonp', 415],
  ['application/json; charset=utf-16', 415],
  ['', 415],
  ['application/json', 200],
  ['Application/JSON; charset="UTF-8"', 200],
])('a body of the type %j gets the status %i', async (type, status) => {
  const { send, reached } = await sessions();
  expect((await send('POST', call, { 'content-type': type })).status).toBe(status);
  expect(reached).toHaveLength(status === 200 ? 1 : 0);
});

test('a compressed body is refused', async () => {
  const { send } = await sessions();
  expect((await send('POST', call, { 'content-encoding': 'gzip' })).status).toBe(415);
});

test.each<[string, string, readonly string[] | undefined, number]>([
  ['the gateway itself', 'http://127.0.0.1:PORT', undefined, 200],
  ['another port', 'http://127.0.0.1:1', undefined, 403],
  ['the usual port', 'http://127.0.0.1', undefined, 403],
  ['another name of the machine', 'http://localhost:PORT', undefined, 403],
  ['no origin', 'null', undefined, 403],
  ['an extension', 'chrome-extension://abc', undefined, 403],
  ['a page that the operator lists', 'http://localhost:3000', ['127.0.0.1', 'localhost:3000'], 200],
  ['another port of a listed page', 'http://localhost:3001', ['127.0.0.1', 'localhost:3000'], 403],
  ['a listed name', 'https://mcp.acme.test', ['127.0.0.1', 'mcp.acme.test'], 200],
  ['a port of a listed name', 'https://mcp.acme.test:8443', ['127.0.0.1', 'mcp.acme.test'], 403],
])('a request of %s (%s) is decided by name and port', async (_, from, hosts, status) => {
  const { origin, send } = await sessions({ ...(hosts && { hosts }) });
  const port = new URL(origin).port;
  expect((await send('POST', call, { origin: from.replace('PORT', port) })).status).toBe(status);
});

test.each([
  ['localhost:PORT', 200],
  ['LOCALHOST:PORT', 200],
  ['[::1]:PORT', 200],
  ['evil.test', 403],
  ['localhost.evil.test:PORT', 403],
  ['127.0.0.1@evil.test', 403],
  ['evil.test/localhost', 403],
])('a request to the host %s gets the status %i', async (host, status) => {
  const { origin } = await sessions();
  const body = JSON.stringify(call);
  const headers = { host: host.replace('PORT', new URL(origin).port), 'content-type': 'application/json' };
  const request = httpRequest(`${origin}/up`, { method: 'POST', headers });
  request.end(body);
  const [response] = await once(request, 'response');
  expect(response.statusCode).toBe(status);
});

test.each([
  ['MCP.acme.test', 'mcp.acme.test:8080'],
  ['bücher.test', 'xn--bcher-kva.test'],
  ['127.1', '127.0.0.1:8080'],
  ['[0:0:0:0:0:0:0:1]:8080', '[::1]:8080'],
])('the gateway takes the host %s for the one that a client calls %s', async (listed, host) => {
  const { origin } = await sessions({ hosts: [listed] });
  const headers = { host, 'content-type': 'application/json' };
  const request = httpRequest(`${origin}/up`, { method: 'POST', headers });
  request.end(JSON.stringify(call));
  const [response] = await once(request, 'response');
  expect(response.statusCode).toBe(200);
});

test.each([
  '',
  '*',
  '*.acme.test',
  '.acme.test',
  'acme..test',
  '.',
  'https://acme.test',
  'acme.test/mcp',
  'ann@acme.test',
  'acme.test?',
  'acme.test#',
  'acme.test,other.test',
  ' acme.test',
  'acme.test:80',
  'acme.test:443',
  '[::1]:80',
  '::1',
  'localhost:0',
  '[::1]:0',
  '0.0.0.0',
  '[::ffff:0.0.0.0]:8080',
  '0:8080',
  '[::]:8080',
  'localhost:65536',
  '-',
  '-a.test',
  '\u200b',
  `${'a'.repeat(64)}.test`,
])('the gateway refuses %j in `hosts`, which no request has as its host', (host) => {
  const options = { hooks: createHooks(), upstreams: {}, hosts: ['localhost', host] };
  expect(() => gateway(options)).toThrow(/^hosts\.1: expected the host name/);
});

test('the roles of a user are those of each request, not of the one that opened the session', async () => {
  const hooks = createHooks();
  const roles: unknown[] = [];
  hooks.guard(BeforeToolCall, ({ principal }) => (roles.push(principal?.roles), proceed()));
  const { send, initialize } = await sessions({
    hooks,
    principal: ({ headers }) => ({ id: 'alice', roles: [String(headers['x-role'])] }),
  });
  const session = { 'mcp-session-id': await initialize({ 'x-role': 'admin' }) };
  for (const role of ['guest', 'admin'])
    await (await send('POST', call, { ...session, 'x-role': role })).text();
  expect(roles).toEqual([['guest'], ['admin']]);
});

test('a tool that is offered to a role is refused to the same user in another one', async () => {
  const hooks = createHooks();
  hooks.guard(OfferTool, ({ tool, principal }) =>
    tool.name === 't' && !principal?.roles?.includes('admin') ? block('Not for you.') : proceed(),
  );
  hooks.on(BeforeToolCall.matching('u'), () => modify({ toolName: 't' }));
  const { send, initialize, reached } = await sessions({
    hooks,
    principal: ({ headers }) => ({ id: 'alice', roles: [String(headers['x-role'])] }),
  });
  const admin = { 'x-role': 'admin', 'mcp-session-id': await initialize({ 'x-role': 'admin' }) };
  const guest = { ...admin, 'x-role': 'guest' };
  const texts = async (by: Headers, name: string) =>
    (await send('POST', { ...call, params: { name } }, by)).text();
  await (await send('POST', { ...call, method: 'tools/list' }, admin)).text();
  const before = reached.length;
  // A hook calls the refused tool instead.
  expect(await texts(guest, 'u')).toContain('has not listed a tool named t');
  expect(await texts(guest, 't')).toContain('Not for you.');
  expect(reached).toHaveLength(before);
  for (const name of ['t', 'u']) expect(await texts(admin, name)).toContain('"content":[]');
});

test.each([
  ['a promise', async ({ headers }: IncomingMessage) => ({ id: String(headers['x-user']) })],
  ['no id', () => ({ id: undefined })],
  ['an empty id', () => ({ id: '' })],
])('a request is refused if the option principal returns %s', async (_, principal) => {
  const warnings: string[] = [];
  const { send, reached } = await sessions({
    principal: principal as unknown as NonNullable<GatewayOptions['principal']>,
    onWarning: (warning) => warnings.push(warning),
  });
  expect((await send('POST', call, { 'x-user': 'a' })).status).toBe(502);
  expect(reached).toEqual([]);
  expect(warnings.join()).toMatch(/the option principal: principal\.(id|roles|tenant) must be/);
});
