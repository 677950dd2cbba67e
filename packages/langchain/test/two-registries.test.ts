import {
  AfterToolCall,
  type Approver,
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

  test.each([
    ['b', { read: 'content of b' }, 'ok b'],
    ['c', { read: 'not c' }, 'blocked c'],
  ])(
    'the outer one has one call, of which it is told what the inner one made of it: %s',
    async (path, answer, end) => {
      await using at = await scripted(readA);
      const outer = createHooks();
      const seen: string[] = [];
      outer.on(BeforeToolCall, (call) => {
        seen.push(`on ${pathOf(call)}`);
        return modify({ context: ['told once'] });
      });
      outer.guard(BeforeToolCall, (call) => {
        seen.push(`guard ${pathOf(call)}`);
        return pathOf(call) === 'c' ? block('not c') : proceed();
      });
      outer.on(AfterToolCall, (call) => {
        seen.push(`${call.status} ${pathOf(call)}`);
        return proceed();
      });
      const { read, ran } = readTool();
      await agentOf(at.model, read, reading(path), outer).invoke(user('go'));
      expect(seen).toEqual(['on a', 'guard a', `guard ${path}`, end]);
      expect(ran).toEqual(path === 'c' ? [] : [{ path }]);
      expect(resultsOf(at.server)).toEqual({ c1: answer.read });
    },
  );

  test('what the inner one makes of an input at a Retry of the outer one is asked about, too', async () => {
    await using at = await scripted(readA);
    const inner = createHooks();
    const paths = ['b', 'c'];
    inner.on(BeforeToolCall, () => modify({ input: { path: paths.shift() ?? '' } }));
    const outer = createHooks();
    const seen: unknown[] = [];
    outer.guard(BeforeToolCall, (call) => {
      seen.push(pathOf(call));
      return pathOf(call) === 'c' ? block('not c') : proceed();
    });
    outer.on(AfterToolCall, (call) => (call.ran ? retry('again') : proceed()));
    const { read, ran } = readTool();
    await agentOf(at.model, read, inner, outer).invoke(user('go'));
    expect(seen).toEqual(['a', 'b', 'c']);
    expect(ran).toEqual([{ path: 'b' }]);
    expect(resultsOf(at.server)).toEqual({ c1: 'not c' });
  });
});

test('what a person makes of an input is seen by the guards of all registries', async () => {
  await using at = await scripted(readA);
  const seen: string[] = [];
  const watching = (who: string, hooks: Hooks): Hooks => {
    hooks.guard(BeforeToolCall, (call) => {
      seen.push(`${who} ${pathOf(call)}`);
      return proceed();
    });
    return hooks;
  };
  const outer = createHooks();
  outer.guard(BeforeToolCall, (call) => (pathOf(call) === 'b' ? requireApproval('sure?') : proceed()));
  const { read, ran } = readTool();
  const tool = hookTool(hookTool(read, watching('inner', reading('b'))), watching('between', createHooks()));
  await createHookedAgent({ model: at.model, tools: [tool] }, watching('outer', outer), {
    approval: () => ({ decision: 'allow', input: { path: 'c' } }),
  }).invoke(user('go'));
  expect(seen).toEqual(['outer a', 'between a', 'inner b', 'outer b', 'outer c', 'between c', 'inner c']);
  expect(ran).toEqual([{ path: 'c' }]);
});

test.each(['native', 'approver'] as const)(
  'a yes is to what the person was shown, and not to what an inner registry makes of it (%s)',
  async (kind) => {
    await using at = await scripted(readA);
    const outer = createHooks();
    outer.on(BeforeToolCall, () => requireApproval('sure?'));
    const shown: unknown[] = [];
    const approval: Approver = (request) => {
      shown.push(request.input);
      return { decision: 'allow' };
    };
    const { read, ran } = readTool();
    const agent = createHookedAgent(
      { model: at.model, tools: [hookTool(read, reading('b'))], checkpointer: new MemorySaver() },
      outer,
      { approval: kind === 'native' ? kind : approval },
    );
    const config = { configurable: { thread_id: 't' } };
    const given = await agent.invoke(user('go'), config);
    if (kind === 'native') {
      const [first] = pendingApprovals(given);
      const yes = new Command({ resume: { c1: { decision: 'allow' } } });
      const [second] = pendingApprovals(await agent.invoke(yes, config));
      expect(ran).toEqual([]);
      shown.push(first?.input, second?.input);
      await agent.invoke(yes, config);
    }
    expect(shown).toEqual([{ path: 'a' }, { path: 'b' }]);
    expect(ran).toEqual([{ path: 'b' }]);
  },
);

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
