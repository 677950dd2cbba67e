import {
  BeforeModelCall,
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  modify,
  proceed,
  requireApproval,
  Stop,
} from '@hooks/core';
import { Command, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { type AgentMiddleware, createAgent, tool, toolRetryMiddleware } from 'langchain';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { blockReason, createHookedAgent, hooksMiddleware, hookTool, pendingApprovals } from '../src/index.ts';
import { calls, readTool, resultsOf, scripted, user } from './fixtures.ts';

// What two registries owe each other in every framework is in the conformance suite.

const readA = calls({ name: 'read', arguments: { path: 'a' }, id: 'c1' });

/** Hooks that have another file read. */
function reading(path: string): Hooks {
  const hooks = createHooks();
  hooks.on(BeforeToolCall, (event) => (pathOf(event) === 'a' ? modify({ input: { path } }) : proceed()));
  return hooks;
}

function pathOf({ input }: Pick<BeforeToolCall, 'input'>): unknown {
  return Reflect.get(Object(input), 'path');
}

test('a person is asked once, about the input that all registries have left', async () => {
  await using at = await scripted(readA);
  const outer = createHooks();
  outer.on(BeforeToolCall, () => requireApproval('sure?'));
  outer.guard(BeforeToolCall, () => requireApproval('sure?'));
  const { read, ran } = readTool();
  const agent = createHookedAgent(
    { model: at.model, tools: [hookTool(read, reading('b'))], checkpointer: new MemorySaver() },
    outer,
    { approval: 'native' },
  );
  const config = { configurable: { thread_id: 't' } };
  const paused = await agent.invoke(user('go'), config);
  const pending = await pendingApprovals(paused);
  expect(pending).toMatchObject([{ callId: 'c1', input: { path: 'b' } }]);
  expect(ran).toEqual([]);
  const yes = { c1: { decision: 'allow', hash: pending[0]?.hash } };
  await agent.invoke(new Command({ resume: yes }), config);
  expect(ran).toEqual([{ path: 'b' }]);
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

test('what the outer one requires is not for an approver of the inner one: it is denied, and nobody is asked', async () => {
  await using at = await scripted(readA);
  const outer = createHooks();
  outer.on(BeforeToolCall, () => requireApproval('sure?'));
  const { read, ran } = readTool();
  const agent = createHookedAgent(
    {
      model: at.model,
      tools: [hookTool(read, reading('b'), { approval: 'native' })],
      checkpointer: new MemorySaver(),
    },
    outer,
  );
  const given = await agent.invoke(user('go'), { configurable: { thread_id: 't' } });
  expect(await pendingApprovals(given)).toEqual([]);
  expect(ran).toEqual([]);
  expect(resultsOf(at.server)['c1']).toMatch(/there is no approver/);
});

test.each([
  ['deny', 'native', []],
  ['native', 'deny', ['c1']],
] as const)(
  'a tool hooked twice, the outer one with %s: LangGraph pauses for whom it was chosen',
  async (_outer, inner, waiting) => {
    await using at = await scripted(readA);
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    const bystander = createHooks();
    bystander.on(BeforeToolCall, () => proceed());
    const { read } = readTool();
    const both = hookTool(hookTool(read, bystander, { approval: inner }), hooks, { approval: _outer });
    const agent = createAgent({ model: at.model, tools: [both], checkpointer: new MemorySaver() });
    const given = await agent.invoke(user('go') as never, { configurable: { thread_id: 't' } } as never);
    expect((await pendingApprovals(given)).map(({ callId }) => callId)).toEqual(waiting);
  },
);

test('a run that another agent of the thread resumes has the registries of that agent', async () => {
  await using at = await scripted(readA);
  const outer = createHooks();
  outer.on(BeforeToolCall, () => requireApproval('sure?'));
  const inner = createHooks();
  inner.guard(BeforeModelCall, () => block('Not any more.'));
  const { read, ran } = readTool();
  const params = { model: at.model, tools: [read], checkpointer: new MemorySaver() };
  const config = { configurable: { thread_id: 't' } };
  const paused = await createHookedAgent(params, outer, { approval: 'native' }).invoke(user('go'), config);
  const [pending] = await pendingApprovals(paused);
  const middleware = [hooksMiddleware(inner)];
  const agent = createHookedAgent({ ...params, middleware }, outer, { approval: 'native' });
  const resume = { c1: { decision: 'allow', hash: pending?.hash } };
  const result = await agent.invoke(new Command({ resume }), config);
  expect(ran).toEqual([{ path: 'a' }]);
  expect(at.server.requests).toHaveLength(1);
  expect(blockReason(result)).toBe('Not any more.');
});

test('agents that are nodes of one graph have each their own registries', async () => {
  await using at = await scripted(() => ({ text: 'Hello.' }));
  const outer = createHooks();
  outer.on(BeforeModelCall, () => proceed());
  const inner = createHooks();
  inner.guard(BeforeModelCall, () => block('Not for me.'));
  const first: { readonly graph: object } = createHookedAgent({ model: at.model }, outer);
  const middleware = [hooksMiddleware(inner)];
  const second: { readonly graph: object } = createHookedAgent({ model: at.model, middleware }, outer);
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('first', first.graph as never)
    .addNode('second', second.graph as never)
    .addEdge(START, 'first')
    .addEdge('first', 'second')
    .compile();
  const { messages } = await graph.invoke(user('go'), { configurable: { thread_id: 't' } });
  expect(messages.map(({ text }) => text)).toEqual(['go', 'Hello.', 'Not for me.']);
  expect(at.server.requests).toHaveLength(1);
});

test('an agent does not use the approver of another agent that is a node of the same graph', async () => {
  await using at = await scripted(({ messages }) =>
    messages.at(-1)?.role === 'tool'
      ? { text: 'Done.' }
      : { toolCalls: [{ name: 'read', arguments: { path: 'a' } }] },
  );
  const hooks = createHooks();
  hooks.on(BeforeToolCall, () => requireApproval('sure?'));
  const { read, ran } = readTool();
  const params = { model: at.model, tools: [read] };
  const trusted: { readonly graph: object } = createHookedAgent(params, hooks, {
    approval: () => ({ decision: 'allow' }),
  });
  const other: { readonly graph: object } = createHookedAgent(params, hooks);
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('trusted', trusted.graph as never)
    .addNode('other', other.graph as never)
    .addEdge(START, 'trusted')
    .addEdge('trusted', 'other')
    .compile();
  await graph.invoke(user('go'), { configurable: { thread_id: 't' } });
  expect(at.server.requests).toHaveLength(4);
  expect(ran).toHaveLength(1);
});

test('two hooksMiddleware of one agent have different names, so that checkpoints tell their nodes apart', async () => {
  await using at = await scripted([{ text: 'Done.' }]);
  const [outer, inner] = [createHooks(), createHooks()];
  const asked: string[] = [];
  outer.observe(Stop, () => void asked.push('outer'));
  inner.observe(Stop, () => void asked.push('inner'));
  const { model } = at;
  const agent = createAgent({
    model,
    middleware: [hooksMiddleware(outer), hooksMiddleware(inner, { name: 'inner-hooks' })],
  });
  await agent.invoke(user('go'));
  expect(asked.sort()).toEqual(['inner', 'outer']);
  const equal = [hooksMiddleware(outer), hooksMiddleware(inner)];
  expect(() => createAgent({ model, middleware: equal })).toThrow(/hooks/);
});

test('a hook may rename a call to a tool that its registry hooks once more without other options', async () => {
  await using at = await scripted(readA);
  const hooks = createHooks();
  hooks.on(BeforeToolCall.matching('read'), () => modify({ toolName: 'peek' }));
  const ran: string[] = [];
  const schema = z.looseObject({});
  const peek = tool(() => void ran.push('peek'), { name: 'peek', description: 'Peeks.', schema });
  const tools = [readTool().read, hookTool(peek, hooks)];
  const approval = () => ({ decision: 'allow' }) as const;
  await createHookedAgent({ model: at.model, tools }, hooks, { approval }).invoke(user('go'));
  expect(ran).toEqual(['peek']);
});
