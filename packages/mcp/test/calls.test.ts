import { createInterface } from 'node:readline';
import {
  AfterToolCall,
  answer,
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  modify,
  proceed,
  retry,
  TransformToolResult,
} from '@hooks/core';
import { describe, expect, test } from 'vitest';
import { connect, KINDS, openProxy, run, textOf } from './connect.ts';

/** Replaces a word in a value. */
function without(word: string) {
  const hooks = createHooks();
  hooks.on(TransformToolResult, ({ output, errorMessage }) =>
    errorMessage === undefined
      ? modify({ output: JSON.parse(JSON.stringify(output).replaceAll(word, '***')) })
      : modify({ errorMessage: errorMessage.replaceAll(word, '***') }),
  );
  return hooks;
}

describe.each(KINDS)('a tool call of a %s client', (kind) => {
  test('passes if no hook matches', async () => {
    const { call } = await connect({ kind });
    expect(await call('echo', { q: 'hi' })).toMatchObject({
      content: [{ type: 'text', text: 'said hi' }],
      structuredContent: { q: 'hi' },
      _meta: { vendor: 1 },
    });
  });

  test('is blocked with the reason as its result', async () => {
    const hooks = createHooks();
    hooks.guard(BeforeToolCall.matching('danger|echo'), ({ toolName }) => block(`No ${toolName} here.`));
    const { call, client } = await connect({ kind, hooks });
    await client.listTools();
    expect(textOf(await call('danger'))).toBe('error: No danger here.');
    // Even if the tool has an outputSchema.
    expect(textOf(await call('echo', { q: 'x' }))).toBe('error: No echo here.');
  });

  test('runs with the input of a hook', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching('echo'), () => modify({ input: { q: 'rewritten' } }));
    const { call } = await connect({ kind, hooks });
    expect(textOf(await call('echo', { q: 'x' }))).toBe('said rewritten');
  });

  test('is redacted in content and structuredContent', async () => {
    const { call, client } = await connect({ kind, hooks: without('SECRET') });
    await client.listTools();
    const result = await call('echo', { q: 'a SECRET' });
    expect(result).toMatchObject({
      content: [{ type: 'text', text: 'said a ***' }],
      structuredContent: { q: 'a ***' },
      _meta: { vendor: 1 },
    });
  });

  test('is an error with its content if the changed result does not fit the outputSchema', async () => {
    const hooks = createHooks();
    hooks.on(TransformToolResult, () => modify({ output: { content: [{ type: 'text', text: 'less' }] } }));
    const { call, client } = await connect({ kind, hooks });
    await client.listTools();
    const result = await call('echo', { q: 'x' });
    expect(result.isError).toBe(true);
    expect(result.content[0].text).toBe('less');
    expect(result.structuredContent).toBeUndefined();
  });

  test('is redacted in all parts of a failed result', async () => {
    const { call } = await connect({ kind, hooks: without('SECRET') });
    const result = await call('fails');
    expect(textOf(result)).toMatch(/^error: failed with \*{3}\n{"_meta":{"trace":"\*{3}"/);
    expect(JSON.stringify(result)).not.toContain('SECRET');
  });

  test('keeps its result if hooks only observe', async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.observe(AfterToolCall, ({ status, output, errorMessage }) =>
      seen.push(status, output, errorMessage),
    );
    const { call } = await connect({ kind, hooks });
    await call('echo', { q: 'x' });
    expect(await call('fails')).toMatchObject({ isError: true, _meta: { trace: 'SECRET' } });
    expect(seen).toEqual([
      ...['ok', expect.objectContaining({ structuredContent: { q: 'x' } }), undefined],
      ...['error', undefined, expect.stringContaining('failed with SECRET\n{"_meta":{"trace":"SECRET"')],
    ]);
  });

  test('runs again on Retry, and its progress does not go backwards', async () => {
    const hooks = createHooks();
    hooks.on(AfterToolCall, ({ status }) => (status === 'error' ? retry('once more') : proceed()));
    const { call } = await connect({ kind, hooks });
    const progress: number[] = [];
    const onprogress = (note: { readonly progress: number }) => progress.push(note.progress);
    expect(textOf(await call('flaky', {}, { onprogress }))).toBe('attempt 2');
    expect(progress).toEqual(progress.toSorted());
    expect(new Set(progress).size).toBe(progress.length);
  });

  test('can be answered by a hook without the server', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching('echo'), () => answer({ q: 'from the hook' }));
    hooks.on(BeforeToolCall.matching('danger'), () => answer('nothing happened'));
    const { call, client } = await connect({ kind, hooks });
    await client.listTools();
    expect(await call('echo', { q: 'x' })).toMatchObject({ structuredContent: { q: 'from the hook' } });
    expect(textOf(await call('danger'))).toBe('nothing happened');
  });

  test('can be redirected to another tool that the server has listed', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching('danger'), () => modify({ toolName: 'echo', input: { q: 'safe' } }));
    hooks.on(BeforeToolCall.matching('fails'), () => modify({ toolName: 'nothing' }));
    const { call, client } = await connect({ kind, hooks });
    await client.listTools();
    expect(textOf(await call('danger'))).toBe('said safe');
    expect(textOf(await call('fails'))).toContain('the server has not listed a tool named nothing');
  });

  test.each([
    ['are no object', 'safe', 'must be an object'],
    ['the tool could read in another way', { q: 'safe', Q: 'evil' }, 'two spellings'],
  ])('is not redirected with arguments that %s', async (_what, input, reason) => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching('danger'), () => modify({ toolName: 'echo', input }));
    const { call, client } = await connect({ kind, hooks });
    await client.listTools();
    expect(textOf(await call('danger'))).toContain(reason);
  });

  test('is canceled at the server if the client cancels it', async () => {
    const hooks = createHooks();
    const ended: unknown[] = [];
    hooks.observe(AfterToolCall.matching('slow'), ({ status }) => ended.push(status));
    const { call } = await connect({ kind, hooks });
    const abort = new AbortController();
    const running = call('slow', { q: kind }, { signal: abort.signal, onprogress: () => abort.abort() });
    await expect(running).rejects.toThrow();
    await expect.poll(async () => textOf(await call('canceled'))).toContain(kind);
    expect(ended).toEqual(['error']);
  });

  test('does not run if the client cancels it while a hook decides', async () => {
    const hooks = createHooks();
    const abort = new AbortController();
    const { promise: asked, resolve } = Promise.withResolvers<void>();
    hooks.guard(BeforeToolCall.matching('echo'), async (_, { signal }) => {
      const aborted = new Promise((heard) => signal.addEventListener('abort', heard));
      abort.abort();
      await aborted;
      resolve();
      return proceed();
    });
    const ran: unknown[] = [];
    hooks.observe(AfterToolCall, (after) => ran.push(after.ran));
    const { call } = await connect({ kind, hooks });
    await expect(call('echo', { q: 'x' }, { signal: abort.signal })).rejects.toThrow();
    await asked;
    await expect.poll(() => ran).toEqual([false]);
  });

  test("returns the server's error for an unknown tool", async () => {
    const { call } = await connect({ kind, hooks: without('SECRET') });
    const failed = await call('no-such-tool').catch((error: Error) => error);
    expect(JSON.stringify([failed, String(failed)])).toContain('no such tool');
  });

  test('is blocked if a hook throws', async () => {
    const hooks = createHooks();
    hooks.guard(BeforeToolCall.matching('echo'), () => {
      throw new Error('broken');
    });
    const { call } = await connect({ kind, hooks });
    const result = await call('echo', { q: 'x' });
    expect(result.isError).toBe(true);
    expect(textOf(result)).not.toContain('said x');
  });
});

/** A proxy to `raw-server.ts`, which answers with what it got. */
function rawServer(hooks: Hooks) {
  const { input, output } = openProxy({ hooks, upstream: run('raw-server.ts') });
  const lines = createInterface({ input: output })[Symbol.asyncIterator]();
  return {
    send: (method: string, params: object) =>
      input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })}\n`),
    next: async () => {
      const { result } = JSON.parse(String((await lines.next()).value));
      return JSON.parse(Buffer.from(result.got, 'base64').toString());
    },
  };
}

describe.each(KINDS)('a resource or prompt for a %s client', (kind) => {
  const read = (client: { request: unknown; readResource: (params: object) => unknown }) =>
    client.readResource({ uri: 'note://1' });

  test('is redacted by the same hooks', async () => {
    const { client } = await connect({ kind, hooks: without('SECRET') });
    expect(await read(client)).toMatchObject({
      contents: [{ uri: 'note://1', text: 'the body has a ***' }],
    });
    expect(await client.getPrompt({ name: 'p' })).toMatchObject({
      messages: [{ content: { text: 'ask about the ***' } }],
    });
  });

  test('is requested with the input of a hook, and nothing of another one', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching('prompts/get'), () => modify({ input: { name: 'p' } }));
    hooks.on(BeforeToolCall.matching('resources/read'), () => modify({ input: {} }));
    const { send, next } = rawServer(hooks);
    send('prompts/get', { name: 'q', arguments: { a: 'secret' }, cursor: 1 });
    expect((await next()).params).toEqual({ name: 'p', cursor: 1 });
    send('resources/read', { uri: 'u:1' });
    expect((await next()).params).toEqual({});
  });

  test('is refused with an error that has the reason', async () => {
    const hooks = createHooks();
    hooks.guard(BeforeToolCall.matching('resources/read|prompts/get'), ({ input }) =>
      block(`Not ${JSON.stringify(input)}.`),
    );
    const { client } = await connect({ kind, hooks });
    await expect(read(client)).rejects.toThrow('Not {"uri":"note://1"}.');
    await expect(client.getPrompt({ name: 'p' })).rejects.toThrow('Not {"name":"p"}.');
  });
});
