import { AfterToolCall, BeforeToolCall, block, createHooks, proceed } from '@hooks/core';
import { PINNED_TOOLS, type PinStore } from '@hooks/core/tool-call';
import { describe, expect, test } from 'vitest';
import { hideTools, OfferTool, pinServer } from '../src/index.ts';
import { type AnyClient, connect, KINDS, type Kind, textOf } from './connect.ts';

/** The names of all tools, page by page. */
async function names(client: AnyClient, kind: Kind): Promise<readonly string[]> {
  const all: string[] = [];
  let cursor: string | undefined;
  do {
    const params = cursor === undefined ? {} : { cursor };
    const page =
      kind === 'v1' ? await client.listTools(params) : await client.request({ method: 'tools/list', params });
    all.push(...page.tools.map((tool: AnyClient) => tool.name));
    cursor = page.nextCursor;
  } while (cursor);
  return all;
}

/** A minimal store for pins. */
function storeInMemory(): PinStore {
  const values = new Map<string, unknown>();
  return {
    get: async (key) => (values.has(key) ? { value: values.get(key) } : undefined),
    set: async (key, value) => (values.has(key) ? undefined : values.set(key, value) && 'written'),
  };
}

const ALL = ['echo', 'danger', 'slow', 'ask', 'sample', 'flaky', 'change', 'fails', 'canceled'];

describe.each(KINDS)('the tools of a %s client', (kind) => {
  test('are listed page by page if no hook hides them', async () => {
    const { client } = await connect({ kind });
    expect(await names(client, kind)).toEqual(ALL);
  });

  test('do not include hidden ones, whose calls are refused', async () => {
    const hooks = createHooks();
    hooks.use(hideTools('danger|s.*'));
    const after: unknown[] = [];
    hooks.observe(AfterToolCall, ({ toolName, status, by }: AnyClient) => after.push([toolName, status, by]));
    const { client, call } = await connect({ kind, hooks });
    // Call the tool before it is listed.
    expect(textOf(await call('danger'))).toBe('error: The tool danger is not available here.');
    expect(await names(client, kind)).toEqual(ALL.filter((name) => !/^(danger|s.*)$/.test(name)));
    expect(textOf(await call('danger'))).toBe('error: The tool danger is not available here.');
    expect(textOf(await call('echo', { q: 'x' }))).toBe('said x');
    expect(after.map((each: AnyClient) => each.slice(0, 2))).toEqual([
      ['danger', 'blocked'],
      ['danger', 'blocked'],
      ['echo', 'ok'],
    ]);
  });

  test('are refused by a hook that is registered after they were listed', async () => {
    const hooks = createHooks();
    const { client, call } = await connect({ kind, hooks });
    expect(await names(client, kind)).toEqual(ALL);
    hooks.use(hideTools('danger'));
    expect(textOf(await call('danger'))).toBe('error: The tool danger is not available here.');
    expect(textOf(await call('echo', { q: 'x' }))).toBe('said x');
  });

  test('do not include those whose hook fails', async () => {
    const hooks = createHooks();
    hooks.guard(OfferTool, ({ tool }) => {
      if (tool.name === 'echo') throw new Error('broken');
      return proceed();
    });
    const { client } = await connect({ kind, hooks });
    expect(await names(client, kind)).toEqual(ALL.filter((name) => name !== 'echo'));
  });

  test('do not include a pinned one that has changed, even in another proxy with the same store', async () => {
    const store = storeInMemory();
    const hooks = createHooks();
    hooks.use(pinServer(store, 'upstream'));
    const first = await connect({ kind, hooks });
    expect(await names(first.client, kind)).toEqual(ALL);
    await first.call('change');
    await expect.poll(() => names(first.client, kind)).toEqual(ALL.filter((name) => name !== 'echo'));
    expect(textOf(await first.call('echo', { q: 'x' }))).toContain(
      'the server changed its description after it was pinned',
    );

    const others = createHooks();
    others.use(pinServer(store, 'upstream'));
    const second = await connect({ kind, hooks: others });
    expect(textOf(await second.call('echo', { q: 'x' }))).toContain('List the tools before calling echo');
    expect(await names(second.client, kind)).toEqual(ALL);
    expect(textOf(await second.call('echo', { q: 'x' }))).toBe('said x');
  });
});

test('a pinned tool is marked as pinned for its calls, in every conversation', async () => {
  const hooks = createHooks();
  hooks.use(pinServer(storeInMemory(), 'upstream'));
  const pinned: unknown[] = [];
  hooks.guard(BeforeToolCall, ({ session, toolName }) => {
    pinned.push(session.get(PINNED_TOOLS)?.has(toolName) ?? false);
    return proceed();
  });
  const { client, call } = await connect({ hooks });
  await call('echo', { q: 'before it was listed' });
  await names(client, 'v1');
  await call('echo', { q: 'x' });
  await client.callTool({ name: 'echo', arguments: { q: 'x' }, _meta: { threadId: 'one' } });
  expect(pinned).toEqual([false, true, true]);
});

test('the notification about a changed list passes', async () => {
  const { call, notified } = await connect();
  await call('change');
  await expect.poll(() => notified).toContain('notifications/tools/list_changed');
});

test('a list with hidden tools cannot be shared by caches', async () => {
  const hooks = createHooks();
  hooks.use(hideTools('echo'));
  const { client } = await connect({ kind: 'modern', hooks });
  expect((await client.request({ method: 'tools/list', params: {} })).cacheScope).toBe('private');
});

test("a hook receives the server's definition of a tool and the principal", async () => {
  const hooks = createHooks();
  const offered: unknown[] = [];
  hooks.guard(OfferTool, ({ tool, agent }) => {
    offered.push([tool['_meta'], agent]);
    return tool.annotations?.['readOnlyHint'] ? proceed() : block('Only what reads.');
  });
  const { client } = await connect({ hooks });
  expect(await names(client, 'v1')).toEqual(['echo']);
  expect(offered[0]).toEqual([{ vendor: { kept: true } }, 'tester']);
});
