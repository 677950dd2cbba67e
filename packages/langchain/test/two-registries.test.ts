import {
  AfterToolCall,
  type BeforeToolCall as Before,
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  modify,
  proceed,
  requireApproval,
  retry,
  TransformToolResult,
} from '@hooks/core';
import { Command, MemorySaver } from '@langchain/langgraph';
import { type AgentMiddleware, createAgent, toolRetryMiddleware } from 'langchain';
import { describe, expect, test } from 'vitest';
import { createHookedAgent, hooksMiddleware, hookTool, pendingApprovals } from '../src/index.ts';
import { calls, readTool, resultsOf, scripted, user } from './fixtures.ts';

type Model = Parameters<typeof createAgent>[0]['model'];
type Tool = Parameters<typeof hookTool>[0];

const readA = calls({ name: 'read', arguments: { path: 'a' }, id: 'c1' });

/** Hooks that have another file read. */
function reading(path: string): Hooks {
  const hooks = createHooks();
  hooks.on(BeforeToolCall, ({ input }) =>
    pathOf({ input }) === 'a' ? modify({ input: { path } }) : proceed(),
  );
  return hooks;
}

function pathOf({ input }: Pick<Before, 'input'>): unknown {
  return Reflect.get(Object(input), 'path');
}

/** How an agent's tool comes to obey two registries. */
const ways: { readonly [way: string]: (model: Model, tool: Tool, inner: Hooks, outer: Hooks) => unknown } = {
  'a hooked tool of a hooked agent': (model, tool, inner, outer) =>
    createHookedAgent({ model, tools: [hookTool(tool, inner)] }, outer),
  'a tool hooked twice': (model, tool, inner, outer) =>
    createAgent({ model, tools: [hookTool(hookTool(tool, inner), outer)] }),
  'a middleware of a hooked agent': (model, tool, inner, outer) =>
    createHookedAgent({ model, tools: [tool], middleware: [hooksMiddleware(inner)] }, outer),
};

describe.each(Object.entries(ways))('of two registries, %s,', (_way, make) => {
  const agentOf = make as (...args: Parameters<typeof make>) => ReturnType<typeof createAgent>;

  test('the guards of the outer one see what the inner one has made of an input', async () => {
    await using at = await scripted(readA);
    const outer = createHooks();
    outer.guard(BeforeToolCall, (call) => (pathOf(call) === 'b' ? block('not b') : proceed()));
    const { read, ran } = readTool();
    await agentOf(at.model, read, reading('b'), outer).invoke(user('go'));
    expect(ran).toEqual([]);
    expect(resultsOf(at.server)).toEqual({ c1: 'not b' });
  });

  test('the outer one is asked once about an input that stays', async () => {
    await using at = await scripted(readA);
    const outer = createHooks();
    const seen: unknown[] = [];
    outer.guard(BeforeToolCall, (call) => {
      seen.push(pathOf(call));
      return proceed();
    });
    const inner = createHooks();
    inner.on(BeforeToolCall, () => proceed());
    const { read, ran } = readTool();
    await agentOf(at.model, read, inner, outer).invoke(user('go'));
    expect(seen).toEqual(['a']);
    expect(ran).toEqual([{ path: 'a' }]);
  });

  test('the outer one is asked about the result once, whatever the input has become', async () => {
    await using at = await scripted(readA);
    const outer = createHooks();
    outer.guard(BeforeToolCall, () => proceed());
    outer.on(TransformToolResult, ({ output }) => modify({ output: `${output}!` }));
    let failures = 1;
    outer.on(AfterToolCall, () => (failures-- > 0 ? retry('flaky') : proceed()));
    const { read, ran } = readTool();
    await agentOf(at.model, read, reading('b'), outer).invoke(user('go'));
    expect(ran).toEqual([{ path: 'b' }, { path: 'b' }]);
    expect(resultsOf(at.server)).toEqual({ c1: 'content of b!' });
  });
});

test('of three registries each further out sees what runs', async () => {
  await using at = await scripted(readA);
  const seen: unknown[] = [];
  const between = createHooks();
  between.guard(BeforeToolCall, (call) => {
    seen.push(pathOf(call));
    return proceed();
  });
  const outer = createHooks();
  outer.on(BeforeToolCall, (call) => (pathOf(call) === 'b' ? modify({ input: { path: 'c' } }) : proceed()));
  outer.guard(BeforeToolCall, () => proceed());
  const { read, ran } = readTool();
  const tool = hookTool(hookTool(read, reading('b')), between);
  await createHookedAgent({ model: at.model, tools: [tool] }, outer).invoke(user('go'));
  expect(seen).toEqual(['a', 'c']);
  expect(ran).toEqual([{ path: 'c' }]);
});

test.each(['guard', 'on'] as const)(
  'what the inner one has made of an input runs again, too, where a middleware wants so (%s)',
  async (verb) => {
    await using at = await scripted(readA);
    const outer = createHooks();
    const seen: unknown[] = [];
    outer[verb](BeforeToolCall, (call) => {
      seen.push(pathOf(call));
      return proceed();
    });
    let failures = 2;
    const { read, ran } = readTool((path) => {
      if (failures-- > 0) throw new Error('flaky');
      return `content of ${path}`;
    });
    const params = {
      model: at.model,
      tools: [hookTool(read, reading('b'))],
      middleware: [toolRetryMiddleware({ maxRetries: 2, initialDelayMs: 1 }) as AgentMiddleware],
    };
    await createHookedAgent(params, outer).invoke(user('go'));
    expect(ran).toEqual([{ path: 'b' }, { path: 'b' }, { path: 'b' }]);
    expect(resultsOf(at.server)).toEqual({ c1: 'content of b' });
    expect(seen.filter((path) => path === 'b')).toHaveLength(verb === 'guard' ? 3 : 0);
  },
);

test('a person is asked about what an inner registry has made of the input', async () => {
  await using at = await scripted(readA);
  const outer = createHooks();
  outer.guard(BeforeToolCall, (call) =>
    pathOf(call) === 'b' ? requireApproval('b is sensitive') : proceed(),
  );
  const { read, ran } = readTool();
  const agent = createHookedAgent(
    { model: at.model, tools: [hookTool(read, reading('b'))], checkpointer: new MemorySaver() },
    outer,
    { approval: 'native' },
  );
  const config = { configurable: { thread_id: 't' } };
  const pending = pendingApprovals(await agent.invoke(user('go'), config));
  expect(pending).toMatchObject([{ callId: 'c1', input: { path: 'b' } }]);
  expect(ran).toEqual([]);
  await agent.invoke(new Command({ resume: { c1: { decision: 'allow', hash: pending[0]?.hash } } }), config);
  expect(ran).toEqual([{ path: 'b' }]);
});
