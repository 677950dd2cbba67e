import type { IncomingMessage, ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { createHooks, modify, proceed, TransformToolResult } from '@hooks/core';
import { describe, expect, onTestFinished, test } from 'vitest';
import { gateway, proxy } from '../src/index.ts';
import { openProxy } from './connect.ts';
import { serve } from './http.ts';

/* Servers over HTTP that answer in ways in which a client might read what hooks did not. */

/** Redacts what hooks see of a result or an error. */
function redacting() {
  const hooks = createHooks();
  hooks.on(TransformToolResult, ({ output, errorMessage }) => {
    const clean = (value: unknown) =>
      JSON.parse((JSON.stringify(value) ?? 'null').replaceAll('SECRET', '***'));
    if (errorMessage !== undefined)
      return errorMessage.includes('SECRET') ? modify({ errorMessage: clean(errorMessage) }) : proceed();
    return modify({ output: clean(output) });
  });
  return hooks;
}

type Answer = (response: ServerResponse, request: IncomingMessage) => unknown;
const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 't', arguments: {} } };

/** The two ways to a server over HTTP: what a client reads of its answer to a call. */
const ways = {
  async gateway(answer: Answer, method = 'tools/call') {
    const warnings: string[] = [];
    const url = await serve((request, response) => void text(request).then(() => answer(response, request)));
    const { handle, close } = gateway({
      hooks: redacting(),
      upstreams: { up: { url } },
      onWarning: (text) => void warnings.push(text),
    });
    onTestFinished(close);
    const origin = await serve(handle);
    const response = await fetch(`${origin}/up`, {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...call, method }),
    });
    const headers = [...response.headers].join('\n');
    return { read: await response.text(), status: response.status, headers, warnings };
  },
  async proxy(answer: Answer, method = 'tools/call') {
    const url = await serve((request, response) => void text(request).then(() => answer(response, request)));
    const { input, output, warnings } = openProxy({ hooks: redacting(), upstream: { url } });
    const lines = createInterface({ input: output })[Symbol.asyncIterator]();
    input.write(`${JSON.stringify({ ...call, method })}\n`);
    return { read: String((await lines.next()).value), status: 0, headers: '', warnings };
  },
} as const;

const result = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  result: { content: [{ type: 'text', text: 'a SECRET' }] },
});
const failed = JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -1, message: 'a SECRET' } });
const nobodys = JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -1, message: 'a SECRET' } });
const others = JSON.stringify({
  jsonrpc: '2.0',
  id: 2,
  result: { content: [{ type: 'text', text: 'a SECRET' }] },
});
const twice = '{"jsonrpc":"2.0","id":1,"result":{"content":[],"content":["SECRET"]}}';
const event = (data: string) => `data: ${data}\n\n`;

const bodies = {
  'a result': result,
  'an error': failed,
  'an error without an id': nobodys,
  "another request's result": others,
  'a batch': `[${result}]`,
  'a key twice': twice,
  'a byte order mark': `\ufeff${result}`,
  'half a result': result.slice(0, -1),
  'two results': `${result}\n${result}`,
  'a text': 'SECRET',
  'an event': event(result),
  nothing: '',
};
const types = [
  'application/json',
  'application/json; charset=utf-16',
  'text/plain',
  'text/event-stream',
  'text/html',
  '',
];
const statuses = [200, 201, 202, 204, 206, 300, 307, 400, 401, 404, 429, 500, 503];

describe.each(Object.entries(ways))('through the %s', (_, ask) => {
  test.each(Object.entries(bodies))(
    '%s is redacted or refused with any status and type',
    async (_, body) => {
      for (const status of statuses)
        for (const type of types) {
          if (status === 204 && body !== '') continue; // Node sends none.
          const { read, headers } = await ask((response) =>
            response
              .writeHead(status, { ...(type && { 'content-type': type }), location: '/SECRET' })
              .end(body),
          );
          const about = `${status} ${type}: ${read}`;
          expect(read + headers, about).not.toContain('SECRET');
          const json = read.startsWith('data: ') ? read.split('\n')[0]?.slice(6) : read;
          if (!read.startsWith(':')) expect(JSON.parse(json ?? ''), about).toMatchObject({ id: 1 });
        }
    },
    60_000,
  );

  test.each([
    ['gzip', gzipSync(result)],
    ['br', brotliCompressSync(result)],
    ['gzip, gzip', gzipSync(gzipSync(result))],
    ['identity', Buffer.from(result)],
    ['x-unknown', gzipSync(result)],
    ['gzip', Buffer.from(result)],
    ['gzip', gzipSync(result).subarray(0, 20)],
  ])('a body with the encoding %s is redacted or refused', async (encoding, body) => {
    const { read, headers } = await ask((response) =>
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding }).end(body),
    );
    expect(read).not.toContain('SECRET');
    expect(JSON.parse(read)).toMatchObject({ id: 1 });
    expect(headers).not.toContain('content-encoding');
  });

  test('a body that is compressed six times is refused', async () => {
    const encodings = Array.from({ length: 6 }, () => 'gzip');
    const body = encodings.reduce((text) => gzipSync(text), Buffer.from(result));
    const { read } = await ask((response) =>
      response
        .writeHead(200, { 'content-type': 'application/json', 'content-encoding': encodings.join(', ') })
        .end(body),
    );
    expect(JSON.parse(read)).toMatchObject({ id: 1, error: {} });
  });

  test.each([
    ['UTF-16', Buffer.from(result, 'utf16le')],
    ['no UTF-8', Buffer.concat([Buffer.from(result.slice(0, -3)), Buffer.from([0xff]), Buffer.from('"}}')])],
  ])('a body in %s is refused', async (_, body) => {
    const { read } = await ask((response) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(body),
    );
    expect(JSON.parse(read)).toMatchObject({ id: 1, error: {} });
  });

  const split = result.replace(',"id"', ',\ndata: "id"');
  test.each([
    ['CR', `data: ${result}\r\r:\r\r`],
    ['CRLF', `data: ${result}\r\n\r\n`],
    ['several lines', `data: ${split}\n\n`],
    ['no space', `data:${result}\n\n`],
    ['a comment', `: SECRET\n\ndata: ${result}\n\n`],
    ['a byte order mark', `\ufeffdata: ${result}\n\n`],
    ['an id', `id: 7\ndata: ${result}\n\n`],
    ['a type', `event: message\ndata: ${result}\n\n`],
    ['unknown fields', `SECRET: SECRET\nfoo\n\ndata: ${result}\n\n`],
    ['a retry', `retry: SECRET\nretry: 5\ndata: ${result}\n\n`],
  ])('an event with %s is redacted', async (_, body) => {
    const { read } = await ask((response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(body),
    );
    expect(read).not.toContain('SECRET');
    expect(read).toContain('a ***');
  });

  test.each([
    ['without an end', `data: ${result}`],
    ['of another type', `event: other\ndata: ${result}\n\n`],
    ['with a batch', `data: [${result}]\n\n`],
    ['with half a message', `data: ${result.slice(0, 20)}\n\ndata: ${result.slice(20)}\n\n`],
    ['with a carriage return in a text', `data: ${result.replace('a SECRET', 'a\rdata: SECRET')}\n\n`],
  ])('an event %s is an error', async (_, body) => {
    const { read } = await ask((response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(body),
    );
    expect(read).not.toContain('SECRET');
    expect(read).toContain('"error"');
  });

  test('what a server says after its answer is dropped', async () => {
    const more = 'id: 3\ndata: \n\nevent: x\ndata: 1\n\n: x\n\n'.repeat(50);
    const { read } = await ask((response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end(`data: ${result}\n\n${more}`),
    );
    expect(read).toContain('a ***');
    // Whoever wrote into an ended response would have failed by now.
    await ask((response) => response.end());
  });

  test('a long stream makes no warnings of Node', async () => {
    const warnings: string[] = [];
    const warn = ({ message }: Error) => void warnings.push(message);
    process.on('warning', warn);
    const note = JSON.stringify({
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { level: 'info', data: 'x'.repeat(100_000) },
    });
    await ask((response) =>
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .end(`${`data: ${note}\n\n`.repeat(40)}data: ${result}\n\n`),
    );
    process.off('warning', warn);
    expect(warnings.filter((message) => message.includes('ServerResponse'))).toEqual([]);
  });

  test('trailers do not pass', async () => {
    const { read, headers } = await ask((response) => {
      response.writeHead(200, { 'content-type': 'application/json', trailer: 'x-secret' });
      response.write(result);
      response.addTrailers({ 'x-secret': 'SECRET' });
      response.end();
    });
    expect(read + headers).not.toContain('SECRET');
  });

  test('a connection that breaks in the middle is an error, in words of the proxy', async () => {
    const { read } = await ask((response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 500 });
      response.write('{"jsonrpc"', () => response.socket?.resetAndDestroy());
    });
    expect(JSON.parse(read)).toMatchObject({
      id: 1,
      error: { message: expect.stringMatching(/^the exchange with the server failed \(\w+\)$/) },
    });
  });

  test('no text of a redirect reaches the client or the operator', async () => {
    for (const method of ['tools/call', 'tools/list', 'initialize', 'vendor/x'])
      for (const location of ['http://127.0.0.1:1/SECRET', '/SECRET', 'SECRET:x', '//SECRET/']) {
        const { read, warnings } = await ask(
          (response) => response.writeHead(307, 'SECRET', { location }).end('SECRET'),
          method,
        );
        expect(JSON.parse(read)).toMatchObject({ id: 1, error: {} });
        expect(read + warnings.join()).not.toContain('SECRET');
      }
  });

  test('what is no JSON in a stream does not reach the operator', async () => {
    const { warnings } = await ask((response) =>
      response.writeHead(200, { 'content-type': 'text/event-stream' }).end('data: SECRET\n\n'),
    );
    expect(warnings.join()).not.toContain('SECRET');
  });

  test('a client is not led to another server', async () => {
    let reached = 0;
    const elsewhere = await serve((_, response) => {
      reached++;
      response.writeHead(200, { 'content-type': 'application/json' }).end(result);
    });
    for (const status of [301, 302, 303, 307, 308]) {
      const { read, headers } = await ask((response) =>
        response.writeHead(status, { location: elsewhere, 'alt-svc': `h2="${elsewhere}"` }).end(),
      );
      expect(JSON.parse(read)).toMatchObject({ id: 1, error: {} });
      expect(headers).not.toMatch(/location|alt-svc/);
    }
    expect(reached).toBe(0);
  });
});

test("a response on another request's stream ends the request that it is for", async () => {
  const arrived = Promise.withResolvers<ServerResponse>();
  const stream = { 'content-type': 'text/event-stream' };
  const url = await serve(async (request, response) => {
    const { id, method } = JSON.parse(await text(request));
    if (method === 'initialize') {
      response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 's' });
      response.end('{"jsonrpc":"2.0","id":0,"result":{}}');
    } else if (id === 1) arrived.resolve(response);
    else {
      const waiting = await arrived.promise;
      response.writeHead(200, stream).end(`data: ${result}\n\ndata: ${others}\n\n`);
      waiting.writeHead(200, stream).end();
    }
  });
  const { handle, close } = gateway({ hooks: redacting(), upstreams: { up: { url } } });
  onTestFinished(close);
  const origin = await serve(handle);
  const post = async (message: object) => {
    const headers = { 'content-type': 'application/json', ...(session && { 'mcp-session-id': session }) };
    const response = await fetch(`${origin}/up`, { method: 'POST', headers, body: JSON.stringify(message) });
    session = response.headers.get('mcp-session-id') ?? session;
    return response.text();
  };
  let session: string | undefined;
  await post({ jsonrpc: '2.0', id: 0, method: 'initialize' });
  const [first, second] = await Promise.all([post(call), post({ ...call, id: 2 })]);
  expect(first).toContain('a ***');
  expect(first).toContain('"id":1');
  expect(second).toContain('"id":2');
});

test.each([401, 403, 404, 429, 500])(
  'a client of a gateway sees the status %i, and the headers',
  async (status) => {
    const {
      read,
      status: seen,
      headers,
    } = await ways.gateway((response) =>
      response
        .writeHead(status, { 'www-authenticate': 'Bearer realm="x"', 'retry-after': '3' })
        .end('SECRET'),
    );
    expect(seen).toBe(status);
    expect(headers).toContain('realm="x"');
    expect(headers).toContain('retry-after,3');
    expect(JSON.parse(read).error.message).toContain(`HTTP status ${status}`);
  },
);

test('cookies of a server pass one by one', async () => {
  const { headers } = await ways.gateway((response) =>
    response.writeHead(200, { 'content-type': 'application/json', 'set-cookie': ['a=1', 'b=2'] }).end(result),
  );
  expect(headers).toContain('a=1');
  expect(headers).toContain('b=2');
});

test.each([
  ['url', { url: 'http://user:SECRET@127.0.0.1:1/mcp' }],
  ['url', { url: 'http://[SECRET' }],
  ['url', { url: 'ftp://127.0.0.1/SECRET' }],
  ['headers.authorization', { url: 'http://127.0.0.1:1', headers: { authorization: 'SECRET\nx' } }],
  ['headers.authorization', { url: 'http://127.0.0.1:1', headers: { authorization: 'SECRET\u2019' } }],
  ['headers', { url: 'http://127.0.0.1:1', headers: { 'SECRET key': 'x' } }],
])('an unusable %s is refused at once, without its text', async (at, upstream) => {
  const told = (prefix: string) => ({
    code: 'CONFIG_INVALID',
    message: expect.stringMatching(new RegExp(`^${prefix}\\.${at}: (?!.*SECRET)`)),
  });
  expect(() => gateway({ hooks: createHooks(), upstreams: { up: upstream } })).toThrow(
    expect.objectContaining(told('upstreams\\.up')),
  );
  await expect(proxy({ hooks: createHooks(), upstream })).rejects.toMatchObject(told('upstream'));
});
