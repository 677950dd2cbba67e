import { createInterface } from 'node:readline';
import {
  AfterToolCall,
  BeforeToolCall,
  createHooks,
  type Hooks,
  modify,
  proceed,
  requireApproval,
  retry,
  TransformToolResult,
} from '@hooks/core';
import { expect, test } from 'vitest';
import { hideTools, OfferTool } from '../src/index.ts';
import { openProxy, run } from './connect.ts';

/* Messages that one side could read differently from hooks. The server is `raw-server.ts`, which says what it got. */

function rawProxy(hooks: Hooks = createHooks()) {
  const { input, output, warnings } = openProxy({ hooks, upstream: run('raw-server.ts') });
  const lines = createInterface({ input: output })[Symbol.asyncIterator]();
  const next = async () => JSON.parse(String((await lines.next()).value));
  const send = (line: string | object) =>
    input.write(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`);
  /** The line that the server got before this request. */
  const before = async (): Promise<string> => {
    send({ jsonrpc: '2.0', id: 'before', method: 'x', params: { previous: true } });
    return Buffer.from((await next()).result.got, 'base64').toString();
  };
  return { send, next, before, warnings };
}

/** The `say` of `raw-server.ts`: lines that it writes before its response. */
const say = (...lines: readonly (string | object)[]): string[] =>
  lines.map((line) =>
    Buffer.from(`${typeof line === 'string' ? line : JSON.stringify(line)}\n`).toString('base64'),
  );

function watching() {
  const hooks = createHooks();
  const seen: unknown[] = [];
  hooks.guard(BeforeToolCall, ({ toolName, input }) => (seen.push([toolName, input]), proceed()));
  return { hooks, seen };
}

const call = (args: string, id: string | number = 1): string =>
  `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":"tools/call","params":{"name":"t","arguments":${args}}}`;

test.each([
  ['a key twice', '{"jsonrpc":"2.0","id":5,"method":"x","params":{"a":1,"a":2}}', [5]],
  ['its id twice', '{"jsonrpc":"2.0","id":5,"id":6,"method":"x"}', [null]],
  ['its id in two spellings', '{"jsonrpc":"2.0","id":5,"ID":6,"method":"x"}', [null]],
  ['method and result', '{"jsonrpc":"2.0","id":"a","method":"x","result":{}}', ['a']],
  ['method and error', '{"jsonrpc":"2.0","id":5,"method":"x","error":{"code":1,"message":""}}', [5]],
  ['another version', '{"jsonrpc":"1.0","id":5,"method":"x"}', [5]],
  ['an id that JavaScript rounds', '{"jsonrpc":"2.0","id":9007199254740993,"method":"x"}', [null]],
  ['an id with a fraction', '{"jsonrpc":"2.0","id":1.5,"method":"x"}', [null]],
  ['result and params', '{"jsonrpc":"2.0","id":5,"result":{},"params":{}}', [null]],
  [
    'two requests',
    '[{"jsonrpc":"2.0","id":1,"method":"x"},{"jsonrpc":"2.0","id":"1","method":"x"},{"jsonrpc":"2.0","method":"n"}]',
    [1, '1'],
  ],
  ['notifications only', '[{"jsonrpc":"2.0","method":"n"}]', [null]],
])('a message of the client with %s gets an error for each id', async (_, line, ids) => {
  const { send, next, before } = rawProxy();
  send(line);
  for (const id of ids) expect(await next()).toMatchObject({ id, error: { code: -32600 } });
  expect(await before()).toBe('');
});

test.each([
  ['a batch', [{ jsonrpc: '2.0', id: 1, result: { unseen: 1 } }]],
  ['a key twice', '{"jsonrpc":"2.0","id":1,"result":{"unseen":1,"unseen":2}}'],
  ['method and result', { jsonrpc: '2.0', id: 1, method: 'ping', result: { unseen: 1 } }],
  ['result and error', { jsonrpc: '2.0', id: 1, result: { unseen: 1 }, error: { code: 1, message: '' } }],
  ['no version', { id: 1, result: { unseen: 1 } }],
])('a response of the server with %s becomes an error, not silence', async (_, response) => {
  const { send, next, warnings } = rawProxy();
  send({ jsonrpc: '2.0', id: 1, method: 'x', params: { say: say(response) } });
  const answer = await next();
  expect(answer).toMatchObject({ id: 1, error: { code: -32000 } });
  expect(JSON.stringify(answer)).not.toContain('unseen');
  // The second response is for nobody.
  await expect.poll(() => warnings).toContainEqual(expect.stringContaining('no pending request'));
});

test('a refused request of the server gets an error', async () => {
  const { send, next } = rawProxy();
  const asked = [{ jsonrpc: '2.0', id: 's', method: 'sampling/createMessage', params: {} }];
  send({ jsonrpc: '2.0', id: 1, method: 'x', params: { say: say(asked) } });
  await next();
  send({ jsonrpc: '2.0', id: 2, method: 'x', params: { previous: true } });
  const got = Buffer.from((await next()).result.got, 'base64').toString();
  expect(JSON.parse(got)).toMatchObject({ id: 's', error: { code: -32600 } });
});

test.each([
  ...['Tools/Call', 'tools/call ', ' resources/read', 'PROMPTS/GET', 'Tasks/result', 'tool\u017f/call'],
  ...[
    'tools/call\u0000',
    'tools\u0000/call',
    'tools/call\u200b',
    '\ufefftools/call',
    'tools/\u001bcall',
    'tasks/result\n',
  ],
])('a request with the method %j is refused', async (method) => {
  const { send, next, before } = rawProxy();
  send({ jsonrpc: '2.0', id: 1, method, params: { name: 't' } });
  expect((await next()).error.code).toBe(-32601);
  send({ jsonrpc: '2.0', method, params: { name: 't' } });
  expect(await before()).toBe('');
});

test('a notification with an id is refused', async () => {
  const { send, next, before } = rawProxy();
  send({ jsonrpc: '2.0', id: 1, method: 'notifications/cancelled', params: { requestId: 2 } });
  expect((await next()).error.code).toBe(-32600);
  expect(await before()).toBe('');
});

test.each(['danger\n', ' danger', 'dan\u0000ger', 'danger\u2028', 'safe\ndanger'])(
  'a tool name with spaces or lines (%j) is refused',
  async (name) => {
    const hooks = createHooks();
    hooks.use(hideTools('danger'));
    const { send, next, before } = rawProxy(hooks);
    send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } });
    expect((await next()).error.code).toBe(-32602);
    expect(await before()).toBe('');
  },
);

test.each([
  ['a number with too many digits', '{"account":9007199254740993}'],
  ['a number that becomes infinite', '{"amount":1e400}'],
  ['a number that becomes 0', '{"amount":[1e-400]}'],
  ['two spellings of a name', '{"path":"a","Path":"b"}'],
  ['two spellings that fold', '{"path\u017f":"a","paths":"b"}'],
  ['two spellings in an object', '{"options":{"path":"a","Path":"b"}}'],
  ['two spellings in a list', '{"edits":[{"a":1},[{"path":"a","PATH":"b"}]]}'],
])('arguments with %s are refused where a hook sees them', async (_, args) => {
  const { hooks, seen } = watching();
  const { send, next, before } = rawProxy(hooks);
  send(call(args));
  expect((await next()).error.code).toBe(-32602);
  expect(await before()).toBe('');
  expect(seen).toEqual([]);
});

test.each([
  '{"n":9007199254740992}',
  '{"n":1.10}',
  '{"n":0e5}',
  '{"n":-0.0}',
  '{"s":"9007199254740993 1e400"}',
])('arguments like %s pass byte for byte', async (args) => {
  const { hooks, seen } = watching();
  const { send, next, before } = rawProxy(hooks);
  send(call(args));
  await next();
  expect(await before()).toBe(call(args));
  // Core writes -0 as JSON does.
  expect(JSON.stringify(seen)).toBe(JSON.stringify([['t', JSON.parse(args)]]));
});

test('the spelling of a name is the one in the schema', async () => {
  const { hooks } = watching();
  const { send, next } = rawProxy(hooks);
  const properties = {
    path: {},
    options: { properties: { path: {} } },
    all: { items: { properties: { path: {} } } },
  };
  const inputSchema = { type: 'object', properties };
  const listed = { jsonrpc: '2.0', id: 1, result: { tools: [{ name: 't', inputSchema }] } };
  send({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { say: say(listed) } });
  await next();
  for (const args of [
    '{"Path":"/etc/shadow"}',
    '{"options":{"Path":"/etc/shadow"}}',
    '{"all":[{"Path":"/etc/shadow"}]}',
  ]) {
    send(call(args, 2));
    expect((await next()).error.code).toBe(-32602);
  }
  send(call('{"Other":{"path":"a"},"options":{"path":"a"}}', 2));
  expect((await next()).result.got).toBeDefined();
});

test.each([
  '{"__proto__":{"command":"rm"}}',
  '{"a":{"\\u005f_proto__":{"b":1}}}',
  '{"constructor":{"prototype":1}}',
])('hooks see the arguments %s, or the server does not get them', async (args) => {
  const { hooks, seen } = watching();
  const { send, next, before } = rawProxy(hooks);
  send(call(args));
  await next();
  if ((await before()) !== '') expect(JSON.stringify(seen)).toBe(JSON.stringify([['t', JSON.parse(args)]]));
});

test('a call cannot hide between carriage returns, which end a line for some servers', async () => {
  const { hooks, seen } = watching();
  const { send, next, before } = rawProxy(hooks);
  // `raw-server.ts` reads lines with `node:readline`, as servers in Python do with `sys.stdin`.
  send(`{"jsonrpc":"2.0","id":1,"method":"x","params":\r${call('{"hidden":true}', 2)}\r}\r`);
  expect((await next()).id).toBe(1);
  expect(await before()).toContain('"method":"x"');
  expect(seen).toEqual([]);
});

test('a result cannot hide between carriage returns, which end a line for some clients', async () => {
  const { input, output } = openProxy({ upstream: run('raw-server.ts') });
  const inner = '{"jsonrpc":"2.0","id":2,"result":{"content":[]}}';
  const params = { say: say(`{"jsonrpc":"2.0","method":"notifications/x","params":\r${inner}\r}\r`) };
  input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x', params })}\n`);
  const lines = createInterface({ input: output })[Symbol.asyncIterator]();
  expect(JSON.parse(String((await lines.next()).value)).method).toBe('notifications/x');
});

test('the ids 1 and "1" are two requests', async () => {
  const { hooks } = watching();
  const { send, next } = rawProxy(hooks);
  send(`${call('{}', 1)}\n${call('{}', '1')}`);
  const ids = [(await next()).id, (await next()).id];
  expect(new Set(ids)).toEqual(new Set([1, '1']));
});

/** A policy that only lets stars out of the tool `t`, and watches no other tool. */
function starring(): Hooks {
  const hooks = createHooks();
  hooks.on(TransformToolResult.matching('t'), () => modify({ output: '***' }), { allowUnknown: true });
  return hooks;
}

const MODERN = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' };

test.each([
  ['to a client of an older protocol', {}, { content: [{ type: 'text', text: 'SECRET' }] }],
  ['with a result beside it', MODERN, { inputRequests: {}, content: [{ type: 'text', text: 'SECRET' }] }],
  ['with data beside it', MODERN, { inputRequests: {}, structuredContent: { text: 'SECRET' } }],
])('a question of the server %s is no way past hooks', async (_, meta, result) => {
  const { send, next } = rawProxy(starring());
  const answer = { jsonrpc: '2.0', id: 1, result: { resultType: 'input_required', ...result } };
  send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { _meta: meta, name: 't', say: say(answer) } });
  const read = await next();
  expect(read.id).toBe(1);
  expect(JSON.stringify(read)).not.toContain('SECRET');
});

test.each([
  ['another tool', 1, 'tools/call', { name: 'other' }],
  ['another tool', 'one', 'tools/call', { name: 'other' }],
  ['another tool, with a smaller id', 0, 'tools/call', { name: 'other' }],
  ['another tool, with a long id', 'x'.repeat(1_000), 'tools/call', { name: 'other' }],
  ['another request', 1, 'vendor/x', {}],
  ['a request for lists', 1, 'tools/list', {}],
])('a response that comes again is not the one to %s with its id', async (_, id, method, params) => {
  const { send, next, before } = rawProxy(starring());
  send(call('{}', id));
  expect(await next()).toMatchObject({ id, result: { content: [{ text: '***' }] } });
  send(call('{}', typeof id === 'number' ? id + 1 : 'two'));
  await next();
  const again = { jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'SECRET' }] } };
  send({ jsonrpc: '2.0', id, method, params: { ...params, say: say(again) } });
  const read = await next();
  expect(read).toMatchObject({ id, result: { text: 'A' } });
  expect(JSON.parse(await before()).id).toMatch(/^hooks-/);
});

test('a cancellation names a request by the id that the server knows', async () => {
  const { input, output, warnings } = openProxy({ hooks: createHooks(), upstream: run('raw-server.ts') });
  const lines = createInterface({ input: output })[Symbol.asyncIterator]();
  const send = (of: object) => input.write(`${JSON.stringify({ jsonrpc: '2.0', ...of })}\n`);
  const got = async () =>
    JSON.parse(Buffer.from(JSON.parse(String((await lines.next()).value)).result.got, 'base64').toString());
  send({ id: 1, method: 'x' });
  expect((await got()).id).toBe(1);
  send({ id: 1, method: 'y' });
  send({ method: 'notifications/cancelled', params: { requestId: 1 } });
  send({ id: 2, method: 'x', params: { previous: true } });
  const { method, params } = await got();
  expect(method).toBe('notifications/cancelled');
  expect(params.requestId).toMatch(/^hooks-/);
  await expect.poll(() => warnings).toHaveLength(1); // The response to the canceled request was dropped.
});

test('a call that is canceled while hooks decide on its tool does not run', async () => {
  const hooks = createHooks();
  const asked = Promise.withResolvers<void>();
  const decided = Promise.withResolvers<void>();
  hooks.guard(OfferTool, async () => {
    asked.resolve();
    await decided.promise;
    return proceed();
  });
  const { send, next } = rawProxy(hooks);
  send(call('{}'));
  await asked.promise;
  send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  send({ jsonrpc: '2.0', id: 2, method: 'x' });
  expect((await next()).id).toBe(2);
  decided.resolve();
  // The hook decides on this call, too.
  send(call('{}', 3));
  expect((await next()).id).toBe(3);
  send({ jsonrpc: '2.0', id: 4, method: 'x', params: { previous: true } });
  const line = Buffer.from((await next()).result.got, 'base64').toString();
  expect(JSON.parse(line).id).toBe(3);
});

test('a question of the server never has the id of an approval', async () => {
  const hooks = createHooks();
  let asks = false;
  hooks.on(BeforeToolCall, () => (asks ? requireApproval('Really?') : proceed()));
  hooks.on(AfterToolCall, ({ attempt }) => (attempt < 2 ? retry('again') : proceed()));
  const { send, next, before } = rawProxy(hooks);
  send({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { capabilities: { elicitation: {} } } });
  await next();
  send(call('{}'));
  await next();
  // The server has seen an id of the proxy, of the second attempt.
  const { id } = JSON.parse(await before());
  expect(id).toMatch(/^hooks-/);
  asks = true;
  send(call('{}', 2));
  expect((await next()).id).not.toContain(id.replace(/-\d+$/, ''));
});

test('a line of 16 MB passes', async () => {
  const { hooks } = watching();
  const { send, next } = rawProxy(hooks);
  send(call(JSON.stringify({ text: 'x'.repeat(16_000_000) })));
  expect((await next()).result.got.length).toBeGreaterThan(16_000_000);
});

test('arguments that are nested 100,000-fold get an answer', async () => {
  const { hooks } = watching();
  const { send, next } = rawProxy(hooks);
  send(call(`{"a":${'['.repeat(100_000)}${']'.repeat(100_000)}}`));
  expect((await next()).id).toBe(1);
});

test.each([
  ['the list', '{"tools":[],"Tools":[{"name":"danger"}]}'],
  ['a name', '{"tools":[{"name":"safe","Name":"danger"}]}'],
  ['a schema', '{"tools":[{"name":"safe","inputschema":{"description":"danger"}}]}'],
])('another spelling of %s in a list of tools does not pass', async (_, result) => {
  const hooks = createHooks();
  hooks.use(hideTools('danger'));
  const { send, next } = rawProxy(hooks);
  const listed = `{"jsonrpc":"2.0","id":1,"result":${result}}`;
  send({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { say: say(listed) } });
  expect(JSON.stringify(await next())).not.toContain('danger');
});

test('a name that is matched against an expression takes no longer for a longer name', async () => {
  const hooks = createHooks();
  hooks.use(hideTools('(a+)+b'));
  const { send, next } = rawProxy(hooks);
  const tools = [{ name: 'a'.repeat(60) }, { name: 'aab' }];
  send({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/list',
    params: { say: say({ jsonrpc: '2.0', id: 1, result: { tools } }) },
  });
  expect((await next()).result.tools).toEqual([tools[0]]);
});

test.each([
  ['an expression', { properties: { a: { pattern: '^(a+)+$' } } }],
  [
    'references',
    {
      ...Object.fromEntries(
        [...Array(40).keys()].map((i) => [`d${i}`, { allOf: Array(2).fill({ $ref: `#/d${i + 1}` }) }]),
      ),
      d40: {},
      $ref: '#/d0',
    },
  ],
])('an output schema with %s that would take years is given up', async (_, outputSchema) => {
  const hooks = createHooks();
  hooks.on(TransformToolResult, () =>
    modify({ output: { content: [], structuredContent: { a: `${'a'.repeat(60)}!` } } }),
  );
  const { send, next } = rawProxy(hooks);
  const listed = { jsonrpc: '2.0', id: 1, result: { tools: [{ name: 't', outputSchema }] } };
  send({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { say: say(listed) } });
  await next();
  send(call('{}', 2));
  expect((await next()).result).toMatchObject({ isError: true });
});
