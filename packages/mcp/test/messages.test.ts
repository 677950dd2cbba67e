import { createInterface } from 'node:readline';
import { AfterToolCall, BeforeToolCall, createHooks, proceed, TransformToolResult } from '@hooks/core';
import { expect, test, vi } from 'vitest';
import { openProxy, run } from './connect.ts';

/* The messages that pass the proxy, line by line. The server is `raw-server.ts`. */

function rawProxy(hooks = createHooks()) {
  const { input, output, warnings } = openProxy({ hooks, upstream: run('raw-server.ts') });
  const lines = createInterface({ input: output })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => String((await lines.next()).value);
  return { send: (line: string | Buffer) => input.write(line), next, warnings };
}

/** The server's response to exactly this line. */
const answerTo = (line: string, id: string): string =>
  `{ "result" : { "big": 12345678901234567890, "float": 1.0, "text": "\\u0041", "got":"${Buffer.from(line).toString('base64')}"},"id":${id} , "jsonrpc":"2.0"${line.includes('tools/call') ? '' : ', "vendor": [ ]'} }`;

test.each([
  [
    'an unknown request',
    '{"id":1,  "jsonrpc":"2.0","method":"x/custom","params":{"n":12345678901234567890,"f":1.0}}',
  ],
  [
    'a tool call',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t", "arguments": {"n":1.0}}}',
  ],
  ['a request with an extra field', '{"jsonrpc":"2.0","id":1,"method":"ping","vendor":{"a":"\\u00e9"}}'],
])('%s and its response pass byte for byte', async (_, line) => {
  const { send, next } = rawProxy();
  send(`${line}\n`);
  expect(await next()).toBe(answerTo(line, '1'));
});

test('a tool call that hooks do not change passes byte for byte', async () => {
  const hooks = createHooks();
  const seen: unknown[] = [];
  hooks.guard(BeforeToolCall, ({ input }) => (seen.push(input), proceed()));
  hooks.observe(AfterToolCall, ({ status }) => seen.push(status));
  const { send, next } = rawProxy(hooks);
  const line =
    '{ "params":{"arguments":{"n":1.0},"name":"t"}, "method":"tools/call","id":"a","jsonrpc":"2.0"}';
  send(`${line}\n`);
  expect(await next()).toBe(answerTo(line, '"a"'));
  expect(seen).toEqual([{ n: 1 }, 'ok']);
});

test('requests and notifications of a server pass byte for byte', async () => {
  const { send, next } = rawProxy();
  const said = [
    '{"method":"notifications/x", "jsonrpc":"2.0"}',
    '{"jsonrpc":"2.0","id": 7,"method":"sampling/createMessage","params":{}}',
    '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}}',
  ];
  const say = said.map((line) => Buffer.from(`${line}\n`).toString('base64'));
  send(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x', params: { say } })}\n`);
  expect([await next(), await next(), await next()]).toEqual(said);
  // The client's response to the server's request.
  send('{"jsonrpc":"2.0", "id": 7, "result":{"n":1.0}}\n');
  send('{"jsonrpc":"2.0","id":8,"method":"x","params":{"previous":true}}\n');
  await next();
  expect(await next()).toBe(answerTo('{"jsonrpc":"2.0", "id": 7, "result":{"n":1.0}}', '8'));
});

test('a line is parsed once on its way, and not written again, with hooks that change nothing', async () => {
  const hooks = createHooks();
  hooks.guard(BeforeToolCall, () => proceed());
  hooks.on(TransformToolResult, () => proceed());
  const { send, next } = rawProxy(hooks);
  const keys = Object.fromEntries(Array.from({ length: 50 }, (_, nth) => [`key ${nth}`, nth]));
  const line = JSON.stringify({
    ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
    params: { name: 't', arguments: keys },
  });
  const parse = vi.spyOn(JSON, 'parse');
  const stringify = vi.spyOn(JSON, 'stringify');
  send(`${line}\n`);
  const answer = await next();
  const parsed = parse.mock.calls.map(([text]) => text).filter((text) => text.length > 2);
  const written = stringify.mock.results
    .map(({ value }) => String(value))
    // The hash of an input writes its keys one by one.
    .filter((text) => text.includes('key 7') && text.includes('key 8'));
  parse.mockRestore();
  stringify.mockRestore();
  expect(parsed).toEqual([line, answer]);
  expect(written).toEqual([]);
});

const call = '"method":"tools/call","params":{"name":"t"}';
test.each([
  ['that is not JSON', 'hello', null],
  ['with a key twice', `{"jsonrpc":"2.0","id":1,"method":"ping",${call}}`, 1],
  [
    'with a key twice, once escaped',
    `{"jsonrpc":"2.0","id":1,"method":"ping","m\\u0065thod":"tools/call","params":{}}`,
    1,
  ],
  [
    'with a key twice inside',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":{"a":1,"a":2}}}',
    1,
  ],
  ['with a key in capitals', `{"jsonrpc":"2.0","id":1,"Method":"tools/call","result":{}}`, null],
  [
    'with a key in letters that fold',
    `{"jsonrpc":"2.0","id":1,"method":"ping","param\u017f":{"name":"t"}}`,
    null,
  ],
  ['of several messages', `[{"jsonrpc":"2.0","id":1,${call}}]`, 1],
  ['that is not a message', '{"jsonrpc":"2.0","id":1}', 1],
  ['with an invalid id', `{"jsonrpc":"2.0","id":{},${call}}`, null],
  ['that is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), null],
])('a line of the client %s is refused and does not reach the server', async (_, line, id) => {
  const { send, next, warnings } = rawProxy();
  send(line);
  send('\n');
  const isJson = String(line).startsWith('{"jsonrpc') || String(line).startsWith('[');
  expect(JSON.parse(await next())).toMatchObject({ id, error: { code: isJson ? -32600 : -32700 } });
  expect(warnings).toHaveLength(1);
  const after = '{"jsonrpc":"2.0","id":1,"method":"ping"}';
  send(`${after}\n`);
  expect(await next()).toBe(answerTo(after, '1'));
});

test.each(['Name', 'argument\u017f', 'Arguments'])(
  'a tool call with the field %s is refused',
  async (field) => {
    const { send, next } = rawProxy();
    send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","${field}":{}}}\n`);
    expect(JSON.parse(await next()).error.code).toBe(-32602);
  },
);

test('an unreadable line of the server is dropped with a warning', async () => {
  const { send, next, warnings } = rawProxy();
  const say = ['Listening …\n', '{"jsonrpc":"2.0","id":1,"result":{"a":NaN}}\n', '[]\n', '\n'].map((line) =>
    Buffer.from(line).toString('base64'),
  );
  const line = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x', params: { say } });
  send(`${line}\n`);
  expect(await next()).toBe(answerTo(line, '1'));
  expect(warnings).toEqual([
    expect.stringContaining('not JSON'),
    expect.stringContaining('not JSON'),
    expect.stringContaining('batch'),
  ]);
});

test('a response without a request is dropped, because hooks would not see it', async () => {
  const { send, next, warnings } = rawProxy();
  const say = [Buffer.from('{"jsonrpc":"2.0","id":99,"result":{"content":[]}}\n').toString('base64')];
  const line = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x', params: { say } });
  send(`${line}\n`);
  expect(await next()).toBe(answerTo(line, '1'));
  expect(warnings).toEqual([expect.stringContaining('no pending request')]);
});

test('a second request with a pending id is refused', async () => {
  const hooks = createHooks();
  const { promise, resolve } = Promise.withResolvers<void>();
  hooks.guard(BeforeToolCall, async () => {
    await promise;
    return proceed();
  });
  const { send, next } = rawProxy(hooks);
  const line = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t"}}';
  send(`${line}\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n`);
  expect(JSON.parse(await next())).toMatchObject({ id: 1, error: { code: -32600 } });
  resolve();
  expect(await next()).toBe(answerTo(line, '1'));
});

test('tasks are refused and not offered', async () => {
  const { send, next } = rawProxy();
  send('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","task":{}}}\n');
  expect(JSON.parse(await next()).error.message).toContain('Tasks are not available');
  send('{"jsonrpc":"2.0","id":2,"method":"tasks/result","params":{"taskId":"t"}}\n');
  expect(JSON.parse(await next()).error.message).toContain('Tasks are not available');
  const initialized = { protocolVersion: '2025-11-25', capabilities: { tools: {}, tasks: {} } };
  const say = [`${JSON.stringify({ jsonrpc: '2.0', id: 3, result: initialized })}\n`].map((line) =>
    Buffer.from(line).toString('base64'),
  );
  send(`${JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'initialize', params: { say } })}\n`);
  expect(JSON.parse(await next()).result.capabilities).toEqual({ tools: {} });
});

test('a tool call without an id is dropped, because a lenient server would run it', async () => {
  const { send, next, warnings } = rawProxy();
  send('{"jsonrpc":"2.0","method":"tools/call","params":{"name":"t"}}\n');
  send('{"jsonrpc":"2.0","id":8,"method":"x","params":{"previous":true}}\n');
  expect(await next()).toBe(answerTo('', '8'));
  expect(warnings).toEqual([expect.stringContaining('tools/call without an id')]);
});
