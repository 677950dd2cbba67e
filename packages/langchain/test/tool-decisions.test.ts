import {
  AfterToolCall,
  answer,
  BeforeToolCall,
  block,
  createHooks,
  modify,
  proceed,
  retry,
  TransformToolResult,
} from '@hooks/core';
import { createAgent, createMiddleware, tool } from 'langchain';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { blockReason, createHookedAgent, hooksMiddleware, hookTool } from '../src/index.ts';
import { calls, readTool, resultsOf, scripted, user } from './fixtures.ts';

/** The framework's own text holds a stack, which differs with what is around the tool. */
const withoutStack = (results: object): string =>
  JSON.stringify(results).replaceAll(/\\n {4}at .*?(?=\\n)/g, '');

const readA = calls({ name: 'read', arguments: { path: 'a' }, id: 'c1' });

describe.each(['createHookedAgent', 'hooksMiddleware', 'hookTool'] as const)('%s', (how) => {
  const agentOf = (
    model: Parameters<typeof createAgent>[0]['model'],
    hooks: ReturnType<typeof createHooks>,
    tools: Parameters<typeof hookTool>[0][],
  ) => {
    if (how === 'createHookedAgent') return createHookedAgent({ model, tools }, hooks);
    if (how === 'hooksMiddleware') return createAgent({ model, tools, middleware: [hooksMiddleware(hooks)] });
    return createAgent({ model, tools: tools.map((one) => hookTool(one, hooks)) });
  };

  test('a blocked call does not run, and the model reads the reason', async () => {
    await using at = await scripted(readA);
    const { read, ran } = readTool();
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching('read'), () => block('not this file'));
    const result = await agentOf(at.model, hooks, [read]).invoke(user('go'));
    expect(ran).toEqual([]);
    expect(resultsOf(at.server)).toEqual({ c1: 'not this file' });
    expect(result.messages.at(-1)?.text).toBe('Done.');
    expect(result.messages[2]).toMatchObject({ status: 'error', name: 'read', tool_call_id: 'c1' });
    expect(blockReason(result.messages[2])).toBe('not this file');
  });

  test.each<object>([{}, { lc_direct_tool_output: true }])(
    'hooks see and replace all of an output that has the shape of a Command %o',
    async (mark) => {
      await using at = await scripted(readA);
      const update = { messages: [{ role: 'tool', tool_call_id: 'c1', content: 'fine' }] };
      const sent = { ...mark, lg_name: 'Command', update, page: 'secret' };
      const { read } = readTool(() => sent);
      const hooks = createHooks();
      const seen: unknown[] = [];
      hooks.on(TransformToolResult, ({ output }) => {
        seen.push(output);
        return modify({ output: 'hidden' });
      });
      await agentOf(at.model, hooks, [read]).invoke(user('go'));
      expect(seen).toEqual([sent]);
      expect(resultsOf(at.server)).toEqual({ c1: 'hidden' });
    },
  );

  test('the model reads an error that is its own cause', async () => {
    await using at = await scripted(readA);
    const error = new Error('boom');
    error.cause = error;
    const { read } = readTool(() => {
      throw error;
    });
    const hooks = createHooks();
    hooks.on(TransformToolResult, () => proceed());
    await agentOf(at.model, hooks, [read]).invoke(user('go'));
    expect(resultsOf(at.server)).toEqual({ c1: expect.stringContaining('boom') });
  });

  test.each<object>([{ name: 'secret' }, { toString: () => 'secret' }])(
    'hooks see and replace all that the model reads of an error %o',
    async (fields) => {
      for (const hides of [true, false]) {
        await using at = await scripted(readA);
        const { read } = readTool(() => {
          throw Object.assign(new Error('fine'), fields);
        });
        const hooks = createHooks();
        const seen: unknown[] = [];
        hooks.on(TransformToolResult, ({ errorMessage }) => {
          seen.push(errorMessage);
          return hides ? modify({ errorMessage: 'hidden' }) : proceed();
        });
        await agentOf(at.model, hooks, [read]).invoke(user('go'));
        expect(seen).toEqual([expect.stringContaining('secret')]);
        const [first] = String(seen[0]).split('\n'); // the message follows, which ToolNode would read
        const text = hides ? 'Error: hidden\n' : `${first}\n`;
        expect(resultsOf(at.server)).toEqual({ c1: expect.stringContaining(text) });
      }
    },
  );

  test('a rewritten input runs; the history keeps what the model sent', async () => {
    await using at = await scripted(readA);
    const { read, ran } = readTool();
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => modify({ input: { path: 'b' } }));
    hooks.on(BeforeToolCall, () => proceed());
    const result = await agentOf(at.model, hooks, [read]).invoke(user('go'));
    expect(ran).toEqual([{ path: 'b' }]);
    expect(resultsOf(at.server)).toEqual({ c1: 'content of b' });
    expect(result.messages[1]).toMatchObject({ tool_calls: [{ args: { path: 'a' } }] });
  });

  test('a rewritten input that does not fit the schema is blocked', async () => {
    await using at = await scripted(readA);
    const { read, ran } = readTool();
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => modify({ input: { path: 1 } }));
    await agentOf(at.model, hooks, [read]).invoke(user('go'));
    expect(ran).toEqual([]);
    expect(resultsOf(at.server)['c1']).toMatch(/does not fit the schema/);
  });

  test('a flaky call is run again, within the limit', async () => {
    await using at = await scripted(readA);
    let failures = 2;
    const { read, ran } = readTool((path) => {
      if (failures-- > 0) throw new Error('flaky');
      return `content of ${path}`;
    });
    const hooks = createHooks();
    hooks.on(AfterToolCall, ({ status }) => (status === 'error' ? retry('flaky') : proceed()));
    await agentOf(at.model, hooks, [read]).invoke(user('go'));
    expect(ran).toHaveLength(3);
    expect(resultsOf(at.server)).toEqual({ c1: 'content of a' });
  });

  test('a call that fails for good is told as the framework tells it', async () => {
    const fail = () =>
      readTool(() => {
        throw new TypeError('broken');
      }).read;
    await using bare = await scripted(readA);
    await createAgent({ model: bare.model, tools: [fail()] }).invoke(user('go'));
    await using at = await scripted(readA);
    const hooks = createHooks();
    hooks.on(AfterToolCall, () => retry('again'));
    await agentOf(at.model, hooks, [fail()]).invoke(user('go'));
    expect(resultsOf(at.server)).toEqual(resultsOf(bare.server));
  });

  test("arguments that do not fit the schema get the framework's own answer, and no hook is asked before", async () => {
    const bad = calls({ name: 'read', arguments: { file: 1 }, id: 'c1' });
    await using bare = await scripted(bad);
    await createAgent({ model: bare.model, tools: [readTool().read] }).invoke(user('go'));
    await using at = await scripted(bad);
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on(BeforeToolCall, () => {
      seen.push('before');
      return proceed();
    });
    hooks.observe(AfterToolCall, ({ status, code }) => void seen.push({ status, code }));
    await agentOf(at.model, hooks, [readTool().read]).invoke(user('go'));
    expect(withoutStack(resultsOf(at.server))).toEqual(withoutStack(resultsOf(bare.server)));
    expect(seen).toEqual([{ status: 'error', code: 'INVALID_INPUT' }]);
  });

  test('a hook can answer in the place of the tool', async () => {
    await using at = await scripted(readA);
    const { read, ran } = readTool();
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => answer('from the cache'));
    await agentOf(at.model, hooks, [read]).invoke(user('go'));
    expect(ran).toEqual([]);
    expect(resultsOf(at.server)).toEqual({ c1: 'from the cache' });
  });

  test('a Block after the call withholds the output', async () => {
    await using at = await scripted(readA);
    const { read, ran } = readTool();
    const hooks = createHooks();
    hooks.on(AfterToolCall, () => block('too much'));
    const result = await agentOf(at.model, hooks, [read]).invoke(user('go'));
    expect(ran).toHaveLength(1);
    expect(resultsOf(at.server)['c1']).toMatch(/^too much .*did run/);
    expect(JSON.stringify(result)).not.toContain('content of');
  });

  test('parallel calls are decided one by one', async () => {
    await using at = await scripted(
      calls(
        { name: 'read', arguments: { path: 'a' }, id: 'c1' },
        { name: 'read', arguments: { path: 'secret' }, id: 'c2' },
      ),
    );
    const { read, ran } = readTool();
    const hooks = createHooks();
    hooks.on(BeforeToolCall.for(read), ({ input }) =>
      JSON.stringify(input).includes('secret') ? block('no secrets') : proceed(),
    );
    await agentOf(at.model, hooks, [read]).invoke(user('go'));
    expect(ran).toEqual([{ path: 'a' }]);
    expect(resultsOf(at.server)).toEqual({ c1: 'content of a', c2: 'no secrets' });
  });

  test.each(['string', 'pair', 'generator'] as const)('a redacted output leaks nowhere: %s', async (form) => {
    const make = () => {
      const options = { name: 'read', description: 'Reads.', schema: z.object({ path: z.string() }) };
      if (form === 'pair')
        return tool(async () => ['sk-secret', { raw: 'sk-secret' }], {
          ...options,
          responseFormat: 'content_and_artifact',
        });
      if (form === 'string') return tool(async () => 'sk-secret', options);
      return tool(async function* () {
        yield 'sk-secret';
        return 'sk-secret';
      }, options);
    };
    const hooks = createHooks();
    hooks.on(TransformToolResult, () => modify({ output: '[redacted]' }));
    let seen = '';
    const note = (value: unknown): void => {
      seen += JSON.stringify(value);
    };
    const callbacks = [{ handleToolEnd: (output: unknown) => note(output), awaitHandlers: true }];
    await using at = await scripted(readA);
    const agent = () => agentOf(at.model, hooks, [make() as never]);
    seen += JSON.stringify(await agent().invoke(user('go'), { callbacks }));
    for (const streamMode of ['updates', 'values', 'messages', 'tools', 'debug'] as const) {
      for await (const chunk of await agent().stream(user('go'), { streamMode: [streamMode] }))
        seen += JSON.stringify(chunk);
    }
    for await (const event of agent().streamEvents(user('go'), { version: 'v2' }))
      seen += JSON.stringify(event);
    const run = await agent().streamEvents(user('go'), { version: 'v3' });
    for await (const call of run.toolCalls) seen += JSON.stringify(await call.output);
    expect(seen).toContain('[redacted]');
    expect(seen).not.toContain('sk-secret');
    for (const request of at.server.requests) expect(JSON.stringify(request.body)).not.toContain('sk-secret');
  });
});

test('a tool that a middleware has given up on runs again on Retry', async () => {
  await using at = await scripted(readA);
  const started = Promise.withResolvers<void>();
  const { read, ran } = readTool((path) => {
    if (ran.length > 1) return `content of ${path}`;
    started.resolve();
    return new Promise(() => {});
  });
  let tries = 0;
  const impatient = createMiddleware({
    name: 'impatient',
    async wrapToolCall(request, handler) {
      const called = handler(request);
      if (tries++ > 0) return called;
      await started.promise;
      throw new Error('slow');
    },
  });
  const hooks = createHooks();
  const seen: string[] = [];
  hooks.on(AfterToolCall, ({ status }) => {
    seen.push(status);
    return status === 'error' ? retry('Once more.') : proceed();
  });
  const params = { model: at.model, tools: [read], middleware: [impatient] };
  await createHookedAgent(params, hooks).invoke(user('go'));
  expect(seen).toEqual(['error', 'ok']);
  expect(resultsOf(at.server)).toEqual({ c1: 'content of a' });
});
