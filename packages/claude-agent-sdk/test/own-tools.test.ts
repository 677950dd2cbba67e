import { createSdkMcpServer, query, tool } from '@anthropic-ai/claude-agent-sdk';
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
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { blockReason, hookServer, hookTools, type SdkTool } from '../src/index.ts';
import { registeredTools } from '../src/internals.ts';
import { call, play, stored, withClaude } from './fixtures.ts';

/** A server with a tool that fails twice for negative numbers, and notes what it was called with. */
function shop(
  wrap: (tools: readonly ReturnType<typeof payTool>[]) => readonly ReturnType<typeof payTool>[] = (tools) =>
    tools,
) {
  const paid: number[] = [];
  return { paid, tools: wrap([payTool(paid)]) };
}

function payTool(paid: number[]) {
  return tool('pay', 'Pays.', { n: z.number() }, async ({ n }) => {
    paid.push(n);
    if (n < 0 && paid.length < 3) throw new Error(`SECRET failure ${paid.length.toString()}`);
    return {
      content: [{ type: 'text', text: `paid ${n.toString()} SECRET` }],
      ...(n === 7 && { structuredContent: { token: 'SECRET' } }),
    };
  });
}

const serverOf = (tools: readonly ReturnType<typeof payTool>[]) =>
  createSdkMcpServer({ name: 't', alwaysLoad: true, tools: [...tools] });

withClaude.concurrent(
  'the model reads the plain reason of a refused call, and a rewritten input runs',
  async () => {
    const { paid, tools } = shop();
    const hooks = createHooks();
    hooks.on(BeforeToolCall, ({ input }) => modify({ input: { n: (input as { n: number }).n + 1 } }));
    hooks.guard(BeforeToolCall, ({ input }) =>
      (input as { n: number }).n > 5 ? block('too much') : proceed(),
    );
    const { model } = await play(
      [[call('mcp__t__pay', { n: 9 }), call('mcp__t__pay', { n: 2 })], 'done'],
      hooks,
      {
        options: { mcpServers: { t: serverOf(tools) } },
      },
    );
    expect(model.read()).toEqual(['!too much', 'paid 3 SECRET']);
    expect(paid).toEqual([3]);
  },
);

withClaude.concurrent(
  'a tool that fails runs again, and a hook replaces its error and its structured content',
  async () => {
    const { paid, tools } = shop();
    const hooks = createHooks();
    hooks.on(AfterToolCall, ({ status }) => (status === 'error' ? retry('again') : proceed()));
    hooks.on(TransformToolResult, ({ error }) =>
      error === undefined ? modify({ output: 'REPLACED' }) : modify({ errorMessage: 'hidden' }),
    );
    const played = await play(
      [[call('mcp__t__pay', { n: -1 }), call('mcp__t__pay', { n: 7 })], 'done'],
      hooks,
      {
        options: { mcpServers: { t: serverOf(tools) }, includePartialMessages: true },
      },
    );
    expect(paid).toEqual([-1, -1, -1, 7]);
    expect(played.model.read()).toEqual(['REPLACED', 'REPLACED']);
    expect(JSON.stringify(played.messages)).not.toContain('SECRET');
    expect(stored(played)).not.toContain('SECRET');
  },
);

withClaude.concurrent(
  'an input that does not fit reaches no hook, and the model reads the words of the server',
  async () => {
    const { paid, tools } = shop();
    const hooks = createHooks();
    const asked: unknown[] = [];
    const codes: unknown[] = [];
    hooks.guard(BeforeToolCall, ({ input }) => {
      asked.push(input);
      return proceed();
    });
    hooks.observe(AfterToolCall, ({ code }) => void codes.push(code));
    const { model } = await play([[call('mcp__t__pay', { n: 'many' })], 'done'], hooks, {
      options: { mcpServers: { t: serverOf(tools) } },
    });
    expect([asked, paid, codes]).toEqual([[], [], ['INVALID_INPUT']]);
    expect(model.read()[0]).toMatch(/^!.*validation/i);
  },
);

withClaude.concurrent('two calls with one id are decided on each by itself', async () => {
  const { paid, tools } = shop();
  const hooks = createHooks();
  hooks.guard(BeforeToolCall, ({ input }) =>
    (input as { n: number }).n > 5 ? block('too much') : proceed(),
  );
  await play(
    [[call('mcp__t__pay', { n: 1 }, 'same'), call('mcp__t__pay', { n: 9 }, 'same')], 'done'],
    hooks,
    {
      options: { mcpServers: { t: serverOf(tools) } },
    },
  );
  expect(paid).not.toContain(9);
});

withClaude.concurrent('a server that is hooked by itself decides in a query that is not hooked', async () => {
  const { paid, tools } = shop();
  const hooks = createHooks();
  hooks.guard(BeforeToolCall.matching('pay'), () => block('not here'));
  const { model } = await play([[call('mcp__t__pay', { n: 1 })], 'done'], hooks, {
    options: { mcpServers: { t: hookServer(serverOf(tools), hooks) } },
    start: (args) => query(args),
  });
  expect([model.read(), paid]).toEqual([['!not here'], []]);
});

withClaude.concurrent('a tool that is hooked by itself and in a query asks each registry once', async () => {
  const asked: string[] = [];
  const registry = (name: string) => {
    const hooks = createHooks();
    hooks.guard(BeforeToolCall, () => {
      asked.push(name);
      return proceed();
    });
    return hooks;
  };
  const { paid, tools } = shop((own) => hookTools(own, registry('tool')));
  await play([[call('mcp__t__pay', { n: 1 })], 'done'], registry('query'), {
    options: { mcpServers: { t: serverOf(tools) } },
  });
  expect([asked.toSorted(), paid]).toEqual([['query', 'tool'], [1]]);
});

withClaude.concurrent('setMcpServers hooks the servers that it adds', async () => {
  const { paid, tools } = shop();
  const hooks = createHooks();
  hooks.guard(BeforeToolCall, () => block('not here'));
  const set: Promise<unknown>[] = [];
  const waits = Promise.withResolvers<void>();
  await play([[call('mcp__t__pay', { n: 1 })], 'done'], hooks, {
    prompt: (async function* () {
      await waits.promise;
      yield {
        type: 'user' as const,
        message: { role: 'user' as const, content: 'Go.' },
        parent_tool_use_id: null,
      };
    })(),
    onMessage: (_, running) => {
      if (set.length === 0)
        set.push(running.setMcpServers({ t: serverOf(tools) }).then(() => waits.resolve()));
    },
  });
  expect([set.length, paid]).toEqual([1, []]);
});

describe('a tool that is called directly', () => {
  const run = (hooks: ReturnType<typeof createHooks>, n = 1) => {
    const { paid, tools } = shop((own) => hookTools(own, hooks));
    return { paid, result: tools[0]!.handler({ n }, {}) };
  };

  test('does not run where a hook refuses, and the result has the reason', async () => {
    const hooks = createHooks();
    hooks.guard(BeforeToolCall, () => block('not here'));
    const { paid, result } = run(hooks);
    expect(await result).toEqual({ content: [{ type: 'text', text: 'not here' }], isError: true });
    expect(blockReason(await result)).toBe('not here');
    expect(paid).toEqual([]);
  });

  test('runs with a rewritten input, checked by its schema', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => modify({ input: { n: 4 } }));
    const { paid, result } = run(hooks);
    await result;
    expect(paid).toEqual([4]);
    const wrong = createHooks();
    wrong.on(BeforeToolCall, () => modify({ input: { n: 'x' } }));
    const refused = run(wrong);
    expect(await refused.result).toMatchObject({ isError: true });
    expect(refused.paid).toEqual([]);
  });

  test('is answered by a hook without running', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => answer('cached'));
    const { paid, result } = run(hooks);
    expect(await result).toEqual({ content: [{ type: 'text', text: 'cached' }] });
    expect(paid).toEqual([]);
  });
});

describe('a call of a server that is hooked by itself', () => {
  async function calls(input: Record<string, unknown>) {
    const hooks = createHooks();
    const ran: unknown[] = [];
    const asked: unknown[] = [];
    const schemas: unknown[] = [];
    hooks.on(BeforeToolCall, async ({ input, tool }) => {
      asked.push(input);
      schemas.push(await tool?.inputSchema?.());
      return proceed();
    });
    const note = tool('note', 'Notes.', { data: z.any() }, async ({ data }) => {
      ran.push(data);
      return { content: [{ type: 'text', text: 'noted' }] };
    });
    const server = hookServer(createSdkMcpServer({ name: 't', tools: [note] }), hooks);
    const [here, there] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: 'test', version: '1.0.0' });
    await Promise.all([server.instance.connect(there), client.connect(here)]);
    await client.listTools();
    const result = await client.callTool({ name: 'note', arguments: input });
    return { ran, asked, schemas, result };
  }

  test('does not run with an input that hooks cannot see', async () => {
    const data: unknown = JSON.parse('['.repeat(5000) + ']'.repeat(5000));
    const { ran, result } = await calls({ data });
    expect(ran).toEqual([]);
    expect(result).toMatchObject({ isError: true });
  });

  test('shows hooks the schema that the model has', async () => {
    const { ran, asked, schemas } = await calls({ data: 'one' });
    expect([ran, asked]).toEqual([['one'], [{ data: 'one' }]]);
    expect(schemas).toMatchObject([{ type: 'object', properties: { data: {} } }]);
  });
});

describe('what a tool of this process tells while it runs', () => {
  const values = { reveal: () => ({ data: 'SECRET' }), hide: (value: unknown) => value };

  /** The progress that a client is told of. */
  async function progress(hooks: Hooks) {
    const say = (name: string) =>
      tool(name, 'Notes.', { data: z.string() }, async ({ data }, extra: unknown) => {
        const { sendNotification, _meta } = Object(extra);
        const params = { progressToken: _meta.progressToken, progress: 1, message: data };
        await sendNotification({ method: 'notifications/progress', params });
        return { content: [{ type: 'text', text: 'noted' }] };
      });
    const own = createSdkMcpServer({ name: 't', tools: [say('note'), say('other')] });
    const [here, there] = InMemoryTransport.createLinkedPair();
    const client = new Client({ name: 'test', version: '1.0.0' });
    const server = hookServer(own, hooks);
    await Promise.all([server.instance.connect(there), client.connect(here)]);
    const told: unknown[] = [];
    const onprogress = ({ message }: { message?: string | undefined }) => void told.push(message);
    await client.callTool({ name: 'note', arguments: { data: 'one' } }, undefined, { onprogress });
    return told;
  }

  test('passes if no hook decides on its result', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => proceed());
    expect(await progress(hooks)).toEqual(['one']);
  });

  test('is withheld if only the tool is given concealed values', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => modify({ concealed: values }));
    expect(await progress(hooks)).toEqual([]);
  });
});

test('hooks see all of a result that is an error, and replace it', async () => {
  const hooks = createHooks();
  hooks.on(TransformToolResult, ({ errorMessage }) =>
    errorMessage?.includes('SECRET') ? modify({ errorMessage: 'hidden' }) : proceed(),
  );
  const pay = tool('pay', 'Pays.', {}, async () => ({
    content: [{ type: 'text', text: 'no' }],
    structuredContent: { card: 'SECRET' },
    isError: true,
  }));
  const [here, there] = InMemoryTransport.createLinkedPair();
  const client = new Client({ name: 'test', version: '1.0.0' });
  const server = hookServer(createSdkMcpServer({ name: 't', tools: [pay] }), hooks);
  await Promise.all([server.instance.connect(there), client.connect(here)]);
  const result = await client.callTool({ name: 'pay', arguments: {} });
  expect(result).toEqual({ content: [{ type: 'text', text: 'hidden' }], isError: true });
});

test('hooks see all hints of a tool that is hooked by itself', async () => {
  const hooks = createHooks();
  const seen: unknown[] = [];
  hooks.observe(BeforeToolCall, (call) => void seen.push(call.tool?.annotations));
  const annotations = { readOnlyHint: true, openWorldHint: true };
  const look = tool('look', 'Looks.', {}, async () => ({ content: [] }), { annotations });
  const [hooked] = hookTools([look as SdkTool], hooks);
  await hooked?.handler({} as never, {});
  expect(seen).toMatchObject([annotations]);
});

test('the server of the SDK keeps its tools where this package reads them', () => {
  const { tools } = shop();
  const known = registeredTools(serverOf(tools)).get('pay');
  expect(known).toMatchObject({ description: 'Pays.' });
  expect(known?.handler).toBe(tools[0]!.handler);
  expect(Reflect.get(Object(known?.inputSchema), 'safeParseAsync')).toBeTypeOf('function');
});
