import { createInterface } from 'node:readline';
import { BeforeToolCall, createHooks, type Hooks, modify, proceed } from '@hooks/core';
import { hashInput } from '@hooks/core/tool-call';
import { describe, expect, test } from 'vitest';
import { hideTools, pinServer, TransformServerMessage } from '../src/index.ts';
import { openProxy, run } from './connect.ts';

/* What a server says besides results of calls. The server is `raw-server.ts`, which says what it is told to. */

function rawProxy(hooks: Hooks) {
  const { input, output, warnings } = openProxy({ hooks, upstream: run('raw-server.ts') });
  const lines = createInterface({ input: output })[Symbol.asyncIterator]();
  const next = async () => String((await lines.next()).value);
  let requests = 0;
  /** Sends a request to which the server says these messages, without an id of their own. */
  const ask = (method: string, ...said: readonly object[]) => {
    const id = ++requests;
    const say = said.map((message) => {
      const own = 'method' in message || 'id' in message ? {} : { id };
      const line = 'raw' in message ? message.raw : JSON.stringify({ jsonrpc: '2.0', ...own, ...message });
      return Buffer.from(`${line}\n`).toString('base64');
    });
    input.write(
      `${JSON.stringify({ jsonrpc: '2.0', id, method, params: { name: 'p', uri: 'u:1', say } })}\n`,
    );
  };
  return { ask, next, warnings };
}

/** Replaces a secret in everything that the server says. */
function redacting(delay: () => Promise<void> | undefined = () => undefined) {
  const hooks = createHooks();
  const seen: string[] = [];
  hooks.on(TransformServerMessage, ({ method, kind, content }) => {
    seen.push(`${method} ${kind}`);
    const cleaned = () =>
      modify({ content: JSON.parse(JSON.stringify(content).replaceAll('SECRET', '***')) });
    return delay()?.then(cleaned) ?? cleaned();
  });
  return { hooks, seen };
}

const responses: [string, object][] = [
  ['initialize', { result: { protocolVersion: '2025-11-25', capabilities: {}, instructions: 'SECRET' } }],
  ['server/discover', { result: { supportedVersions: ['2026-07-28'], instructions: 'SECRET' } }],
  ['tools/list', { result: { tools: [{ name: 't', description: 'SECRET', inputSchema: {} }] } }],
  ['resources/list', { result: { resources: [{ uri: 'u:1', name: 'SECRET' }] } }],
  ['resources/templates/list', { result: { resourceTemplates: [{ uriTemplate: 'u:{x}', name: 'SECRET' }] } }],
  ['prompts/list', { result: { prompts: [{ name: 'p', description: 'SECRET' }] } }],
  ['completion/complete', { result: { completion: { values: ['SECRET'] } } }],
  ['vendor/unknown', { result: { SECRET: 1 } }],
  ['vendor/beside', { result: {}, vendor: 'SECRET' }],
  ['prompts/list', { error: { code: -1, message: 'SECRET' } }],
  ['initialize', { error: { code: -1, message: 'no', data: 'SECRET' } }],
];
const others: object[] = [
  { method: 'notifications/message', params: { level: 'info', data: 'SECRET' } },
  { method: 'notifications/progress', params: { progressToken: 1, progress: 1, message: 'SECRET' } },
  { method: 'vendor/notification', params: { a: ['SECRET'] } },
  { method: 'sampling/createMessage', id: 's', params: { messages: [{ content: { text: 'SECRET' } }] } },
  { method: 'elicitation/create', id: 'e', params: { message: 'SECRET' } },
  { id: null, error: { code: -32700, message: 'SECRET' } },
];

test.each(responses)('hooks redact a response to %s: %j', async (method, response) => {
  const { hooks, seen } = redacting();
  const { ask, next } = rawProxy(hooks);
  ask(method, response);
  const read = await next();
  expect(read).not.toContain('SECRET');
  expect(JSON.parse(read)).toMatchObject({ id: 1 });
  expect(seen).toContain(`${method} ${'error' in response ? 'error' : 'result'}`);
});

test.each(others)('hooks redact what the server says by itself: %j', async (message) => {
  const { hooks } = redacting();
  const { ask, next } = rawProxy(hooks);
  ask('x', message);
  const [said, response] = [await next(), await next()];
  expect(said).toContain('***');
  expect(said + response).not.toContain('SECRET');
});

test('a message that no hook changes passes as it is', async () => {
  const hooks = createHooks();
  hooks.on(TransformServerMessage, () => proceed());
  const { ask, next } = rawProxy(hooks);
  const result = { tools: [{ name: 't', description: 'x', inputSchema: {} }], nextCursor: 'c' };
  ask('tools/list', { result });
  expect(JSON.parse(await next())).toEqual({ jsonrpc: '2.0', id: 1, result });
});

test('messages keep their order while hooks decide', async () => {
  const waits = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let asked = 0;
  const { hooks } = redacting(() => waits[asked++]?.promise);
  const { ask, next } = rawProxy(hooks);
  const note = (data: number) => ({ method: 'notifications/message', params: { data } });
  ask('x', note(1), note(2), note(3));
  await expect.poll(() => asked).toBeGreaterThan(2);
  waits[1]?.resolve();
  waits[0]?.resolve();
  const order = [await next(), await next(), await next()].map((line) => JSON.parse(line).params.data);
  expect(order).toEqual([1, 2, 3]);
  expect(JSON.parse(await next())).toHaveProperty('result');
});

test('values that only go back to the server stay', async () => {
  const hooks = createHooks();
  const seen: unknown[] = [];
  hooks.on(TransformServerMessage, ({ content }) => {
    seen.push(content);
    return modify({ content: {} });
  });
  const { ask, next } = rawProxy(hooks);
  ask('prompts/list', { result: { prompts: [], nextCursor: 'opaque' } });
  expect(JSON.parse(await next()).result).toEqual({ nextCursor: 'opaque' });
  expect(seen).toEqual([{ prompts: [] }]);
});

describe('if a hook fails', () => {
  const broken = () => {
    const hooks = createHooks();
    hooks.on(TransformServerMessage, ({ content }) => {
      if (JSON.stringify(content).includes('SECRET')) throw new Error('broken');
      return proceed();
    });
    return hooks;
  };

  test.each(responses.filter(([method]) => method !== 'vendor/beside'))(
    'a response to %s is withheld: %j',
    async (method, response) => {
      const { ask, next } = rawProxy(broken());
      ask(method, response);
      const read = await next();
      expect(read).not.toContain('SECRET');
      expect(JSON.parse(read)).toMatchObject({
        id: 1,
        error: { message: expect.stringContaining('Withheld') },
      });
    },
  );

  test.each(others)('what the server says by itself is withheld: %j', async (message) => {
    const { ask, next, warnings } = rawProxy(broken());
    ask('x', message);
    expect(await next()).not.toContain('SECRET');
    if (!('id' in message) || message.id !== null)
      expect(warnings).toContainEqual(expect.stringContaining('withheld'));
  });
});

test('hooks of results of calls are not asked about other messages', async () => {
  const hooks = createHooks();
  const seen: string[] = [];
  hooks.on(BeforeToolCall, ({ toolName }) => (seen.push(toolName), proceed()));
  hooks.on(TransformServerMessage, ({ method }) => (seen.push(method), proceed()));
  const { ask, next } = rawProxy(hooks);
  for (const method of ['tools/call', 'resources/read', 'prompts/get', 'prompts/list']) {
    ask(method);
    await next();
  }
  expect(seen).toEqual(['p', 'resources/read', 'prompts/get', 'prompts/list']);
});

describe('pinServer', () => {
  const store = () => {
    const pins = new Map<string, unknown>();
    return {
      get: async (key: string) => (pins.has(key) ? { value: pins.get(key) } : undefined),
      set: async (key: string, value: unknown) => (pins.has(key) ? undefined : pins.set(key, value)),
      pins,
    };
  };
  const pinned = (pins = store()) => {
    const hooks = createHooks();
    hooks.use(pinServer(pins, 'up'));
    return rawProxy(hooks);
  };

  test.each(['initialize', 'server/discover'])('withholds changed instructions of %s', async (method) => {
    const pins = store();
    const { ask, next } = pinned(pins);
    const say = async (instructions?: string) => {
      ask(method, {
        result: { protocolVersion: 'v', capabilities: {}, ...(instructions && { instructions }) },
      });
      return JSON.parse(await next()).result.instructions;
    };
    expect(await say('be kind')).toBe('be kind');
    expect(await say('be kind')).toBe('be kind');
    expect(await say('be evil')).toMatch(
      /instructions are not available: the server changed its instructions.*hooks pins/,
    );
    expect(await say()).toContain('not available');
    // As another process would see it.
    const other = pinned(pins);
    other.ask(method, { result: { instructions: 'be evil' } });
    expect(await other.next()).not.toContain('evil');
  });

  test.each([
    ['prompts/list', 'prompts', 'name', 'prompts/get', 'p', 'description'],
    ['prompts/list', 'prompts', 'name', 'prompts/get', 'p', 'title'],
    ['prompts/list', 'prompts', 'name', 'prompts/get', 'p', 'arguments'],
    ['resources/list', 'resources', 'uri', 'resources/read', 'u:1', 'description'],
    ['resources/list', 'resources', 'uri', 'resources/read', 'u:1', 'name'],
    ['resources/templates/list', 'resourceTemplates', 'uriTemplate', undefined, 'u:{x}', 'description'],
  ])('hides what has changed in %s (%s, %s), and refuses %s', async (method, list, key, call, name, part) => {
    const { ask, next } = pinned();
    const say = async (value: unknown) => {
      ask(method, { result: { [list]: [{ [key]: 'other' }, { [key]: name, [part]: value }] } });
      return JSON.parse(await next()).result[list].length;
    };
    expect(await say('x')).toBe(2);
    expect(await say('x')).toBe(2);
    if (call !== undefined) {
      ask(call);
      expect(JSON.parse(await next()).result.got).toBeDefined();
    }
    expect(await say('y')).toBe(1);
    if (call === undefined) return;
    ask(call);
    expect(JSON.parse(await next()).error.message).toContain(`the server changed its ${part}`);
    expect(await say('x')).toBe(2);
    ask(call);
    expect(JSON.parse(await next()).result.got).toBeDefined();
  });

  test.each([
    ['initialize', { instructions: 'good', Instructions: 'evil' }],
    ['prompts/list', { prompts: [], Prompts: [{ name: 'p', description: 'evil' }] }],
    ['prompts/list', { prompts: [{ name: 'p', description: 'good', Description: 'evil' }] }],
    ['resources/templates/list', { resourcetemplates: [{ uriTemplate: 'u:{x}', name: 'evil' }] }],
    ['tools/list', { tools: [{ name: 't', description: 'good', Description: 'evil' }] }],
  ])('does not pass what %s has in another spelling: %j', async (method, result) => {
    const { ask, next } = pinned();
    ask(method, { result });
    expect(await next()).not.toContain('evil');
  });

  test('fails closed if the store fails', async () => {
    const hooks = createHooks();
    const broken = () => Promise.reject(new Error('gone'));
    hooks.use(pinServer({ get: broken, set: broken }, 'up'));
    const { ask, next } = rawProxy(hooks);
    ask('initialize', { result: { instructions: 'be evil' } });
    expect(await next()).not.toContain('evil');
    ask('prompts/list', { result: { prompts: [{ name: 'p' }] } });
    expect(JSON.parse(await next()).error.message).toContain('Withheld');
  });

  test('names each pin, so that it can be forgotten', async () => {
    const pins = store();
    const { ask, next } = pinned(pins);
    ask('initialize', { result: { instructions: 'x' } });
    await next();
    ask('prompts/list', { result: { prompts: [{ name: 'p', description: 'x' }] } });
    await next();
    const key = async (...parts: unknown[]) => `mcp-pins/up/${await hashInput([null, ...parts])}`;
    expect([...pins.pins]).toMatchObject([
      [await key('instructions', ''), { tool: 'instructions' }],
      [await key('prompt', 'p'), { tool: 'prompt p', hashes: { description: expect.any(String) } }],
    ]);
  });
});

test('a message that is nested 200,000-fold ends in an answer, and the proxy goes on', async () => {
  const { hooks } = redacting();
  const { ask, next } = rawProxy(hooks);
  const deep = `{"jsonrpc":"2.0","id":1,"result":{"a":${'['.repeat(200_000)}"SECRET"${']'.repeat(200_000)}}}`;
  const note = `{"jsonrpc":"2.0","method":"notifications/x","params":{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}}`;
  ask('x', { raw: note }, { raw: deep });
  const read = await next();
  expect(read).not.toContain('SECRET');
  expect(JSON.parse(read)).toMatchObject({ id: 1, error: {} });
  ask('y');
  expect(JSON.parse(await next())).toMatchObject({ id: 2, result: {} });
});

test('a message that cannot be forwarded takes none with it that waits behind it', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let asked = 0;
  const hooks = createHooks();
  hooks.on(TransformServerMessage, async ({ content }) => {
    asked++;
    await promise;
    return modify({ content: { ...content, seen: true } });
  });
  const { ask, next, warnings } = rawProxy(hooks);
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const notes = [deep, '1'].map((data) => ({
    raw: `{"jsonrpc":"2.0","method":"notifications/message","params":{"data":${data}}}`,
  }));
  ask('x', ...notes);
  await expect.poll(() => asked).toBe(3);
  resolve();
  expect(JSON.parse(await next())).toMatchObject({ params: { data: 1 } });
  expect(JSON.parse(await next())).toMatchObject({ id: 1, result: {} });
  expect(warnings).toHaveLength(1);
});

test('a list of tools that is nested 200,000-fold and has a hidden tool ends in an answer', async () => {
  const hooks = createHooks();
  hooks.use(hideTools('hidden'));
  const { ask, next } = rawProxy(hooks);
  const deep = `${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}`;
  ask('tools/list', {
    raw: `{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"hidden"},{"name":"t","inputSchema":${deep}}]}}`,
  });
  expect(JSON.parse(await next())).toMatchObject({ id: 1, error: {} });
  ask('y');
  expect(JSON.parse(await next())).toMatchObject({ id: 2, result: {} });
});

test('a question of the server is redacted in a call that no hook of tool calls concerns', async () => {
  const { hooks } = redacting();
  const { ask, next } = rawProxy(hooks);
  ask('tools/call', {
    result: { resultType: 'input_required', inputRequests: { a: { params: { message: 'SECRET' } } } },
  });
  const read = await next();
  expect(read).toContain('input_required');
  expect(read).not.toContain('SECRET');
});

test('a warning is one line, without control characters of the other side', async () => {
  const hooks = createHooks();
  hooks.on(TransformServerMessage, () => {
    throw new Error('broken');
  });
  const { ask, warnings } = rawProxy(hooks);
  ask('x', { method: 'x\u001b[2J\u202e\nhooks mcp: all is well', params: {} });
  await expect
    .poll(() => warnings)
    .toContainEqual(expect.stringContaining('x\\u{1b}[2J\\u{202e}\\u{a}hooks'));
});
