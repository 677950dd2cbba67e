import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  type EventPayload,
  HookEvent,
  requireApproval,
  UserPromptSubmit,
} from '@hooks/core';
import { Command, MemorySaver, MessagesAnnotation, START, StateGraph } from '@langchain/langgraph';
import { tool } from 'langchain';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createHookedAgent, pendingApprovals } from '../src/index.ts';
import { calls, readTool, resultsOf, scripted, user } from './fixtures.ts';

test('an agent inside a tool has its own session; its tools are hooked, its kick-off message is no prompt', async () => {
  await using inner = await scripted(calls({ name: 'read', arguments: { path: 'a' }, id: 'c1' }));
  await using outer = await scripted(calls({ name: 'research', arguments: {}, id: 'c0' }));
  const hooks = createHooks();
  const events: EventPayload[] = [];
  const prompts: string[] = [];
  hooks.observe(HookEvent, (event) => void events.push(event));
  hooks.observe(UserPromptSubmit, ({ prompt }) => void prompts.push(prompt));
  hooks.on(BeforeToolCall.matching('read'), () => block('not a'));
  const { read, ran } = readTool();
  const researcher = createHookedAgent({ name: 'researcher', model: inner.model, tools: [read] }, hooks);
  const research = tool(async () => (await researcher.invoke(user('kick off'))).messages.at(-1)?.text ?? '', {
    name: 'research',
    description: 'Asks the researcher.',
    schema: z.object({}),
  });
  await createHookedAgent({ name: 'boss', model: outer.model, tools: [research] }, hooks).invoke(user('go'));
  expect(ran).toEqual([]);
  expect(resultsOf(inner.server)).toEqual({ c1: 'not a' });
  expect(prompts).toEqual(['go']);
  const start = events.find(({ type }) => type === 'subagent_start');
  const stop = events.find(({ type }) => type === 'subagent_stop');
  const before = events.find((event) => BeforeToolCall.is(event) && event.toolName === 'read');
  expect(start).toMatchObject({ agent: 'boss', subagent: 'researcher' });
  expect(stop).toMatchObject({ subagent: 'researcher', response: 'Done.' });
  expect(before?.agent).toBe('researcher');
  expect(before?.session.parent?.id).toBe(start?.session.id);
  expect(before).toMatchObject({ parentCallId: 'c0' });
});

test('each agent inside of another has a session of its own, however deep, within one thread', async () => {
  await using at = await scripted(calls({ name: 'next', arguments: {} }));
  const hooks = createHooks();
  const sessions: (readonly string[])[] = [];
  hooks.observe(BeforeToolCall, ({ agent = '', session: { parent, id } }) => {
    sessions.push([agent, id, parent?.id ?? 'none']);
  });
  let inner: () => Promise<string> = async () => 'the end';
  for (const name of ['leaf', 'middle', 'top']) {
    const ask = inner;
    const next = tool(() => ask(), { name: 'next', description: 'Asks.', schema: z.object({}) });
    const checkpointer = name === 'top' && { checkpointer: new MemorySaver() };
    const agent = createHookedAgent({ name, model: at.model, tools: [next], ...checkpointer }, hooks);
    const config = name === 'top' ? { configurable: { thread_id: 't' } } : undefined;
    inner = async () => (await agent.invoke(user('go'), config)).messages.at(-1)?.text ?? '';
  }
  await inner();
  const [top, middle, leaf] = sessions;
  expect(top).toEqual(['top', 't', 'none']);
  expect(middle).toEqual(['middle', expect.any(String), 't']);
  expect(leaf).toEqual(['leaf', expect.any(String), middle?.[1]]);
  expect(new Set(sessions.map(([, id]) => id)).size).toBe(3);
});

test.each(['invoke', 'stream'] as const)(
  'an agent inside a tool that pauses (%s) goes on in its session, and has not failed',
  async (how) => {
    await using inner = await scripted(calls({ name: 'read', arguments: { path: 'a' }, id: 'c1' }));
    await using outer = await scripted(calls({ name: 'research', arguments: {}, id: 'c0' }));
    const hooks = createHooks();
    const told: string[] = [];
    hooks.observe(HookEvent, (event) => void told.push(event.type));
    const sessions = new Set<string>();
    let asked = 0;
    hooks.on(BeforeToolCall.matching('read'), ({ session }) => {
      sessions.add(session.id);
      asked++;
      return requireApproval('sensitive');
    });
    hooks.observe(AfterToolCall.matching('read'), ({ session }) => void sessions.add(session.id));
    const { read, ran } = readTool();
    const researcher = createHookedAgent(
      { name: 'researcher', model: inner.model, tools: [read], checkpointer: true },
      hooks,
      { approval: 'native' },
    );
    const ask = async () => {
      if (how === 'invoke') return (await researcher.invoke(user('kick off'))).messages.at(-1)?.text ?? '';
      let text = '';
      for await (const { messages = [] } of await researcher.stream(user('kick off'), {
        streamMode: 'values',
      }))
        text = messages.at(-1)?.text ?? ''; // the chunk that tells of a pause has none
      return text;
    };
    const research = tool(ask, { name: 'research', description: 'Asks.', schema: z.object({}) });
    const config = { configurable: { thread_id: 't' } };
    const boss = createHookedAgent(
      { name: 'boss', model: outer.model, tools: [research], checkpointer: new MemorySaver() },
      hooks,
    );
    const paused = await boss.invoke(user('go'), config);
    expect(await pendingApprovals(paused)).toMatchObject([{ callId: 'c1' }]);
    expect(told).not.toContain('agent_error');
    expect(told).not.toContain('subagent_stop');
    await boss.invoke(new Command({ resume: { c1: { decision: 'allow' } } }), config);
    expect(ran).toEqual([{ path: 'a' }]);
    expect(resultsOf(outer.server)).toEqual({ c0: 'Done.' });
    expect(asked).toBe(1);
    expect(sessions.size).toBe(1);
    expect(told.filter((type) => type.startsWith('subagent'))).toEqual(['subagent_start', 'subagent_stop']);
    expect(told.filter((type) => type === 'session_end')).toHaveLength(1);
  },
);

test('an agent inside another that hands over to the graph around it has not failed', async () => {
  await using inner = await scripted(calls({ name: 'hand_over', arguments: {}, id: 'c1' }));
  const hooks = createHooks();
  const told: string[] = [];
  hooks.observe(HookEvent, (event) => void told.push(event.type));
  const handOver = tool(async () => new Command({ graph: Command.PARENT, goto: 'other' }), {
    name: 'hand_over',
    description: 'Hands over.',
    schema: z.object({}),
  });
  const agent = createHookedAgent({ model: inner.model, tools: [handOver] }, hooks);
  const seen: string[] = [];
  const graph = new StateGraph(MessagesAnnotation)
    .addNode('agent', (state) => agent.invoke(state as never), { ends: ['other'] })
    .addNode('other', () => {
      seen.push('other');
      return {};
    })
    .addEdge(START, 'agent')
    .compile();
  await graph.invoke(user('go') as never);
  expect(seen).toEqual(['other']);
  expect(told).not.toContain('agent_error');
  expect(told).toContain('session_end');
});

test.each([
  ['in one process', { decision: 'deny', reason: 'not a' }, 'not a'],
  ['in others', { decision: 'deny', reason: 'not a' }, 'not a'],
  ['in one process', { decision: 'allow' }, 'content of a'],
  ['in others', { decision: 'allow' }, 'content of a'],
])(
  "an answer by id is for the sub-agent's call that waits, and not for its caller's call with the same id: %s, %j",
  async (where, answer, heard) => {
    const call = (name: string, args: object) => calls({ name, arguments: args, id: 'c1' });
    await using inner = await scripted(call('read', { path: 'a' }));
    await using outer = await scripted(call('delegate', {}));
    const memory = { checkpointer: new MemorySaver() };
    const start = () => {
      const hooks = createHooks();
      hooks.guard(BeforeToolCall.matching('read'), () => requireApproval('Read?'));
      const { read } = readTool();
      const params = { model: inner.model, tools: [read], ...memory };
      const child = createHookedAgent(params, hooks, { approval: 'native' });
      const delegate = tool(
        async (_input, config) => (await child.invoke(user('Read.'), config)).messages.at(-1)?.text ?? '',
        { name: 'delegate', description: 'Delegates.', schema: z.object({}) },
      );
      return createHookedAgent({ model: outer.model, tools: [delegate], ...memory }, hooks, {
        approval: 'native',
      });
    };
    const config = { configurable: { thread_id: 't1' } };
    const boss = start();
    await boss.invoke(user('go'), config);
    const resuming = where === 'in others' ? start() : boss;
    const over = await resuming.invoke(new Command({ resume: { c1: answer } }), config);
    expect(Reflect.get(over, '__interrupt__')).toBeUndefined();
    expect(resultsOf(inner.server)).toEqual({ c1: heard });
    expect(resultsOf(outer.server)).toEqual({ c1: 'Done.' });
  },
);

test.each([
  ['in one process', 'side by side'],
  ['in others', 'side by side'],
  ['in one process', 'after that has its answer'],
  ['in others', 'after that has its answer'],
])(
  'an answer by id is for the call that waits, not for one with that id whose own sub-agent waits for another one: %s, %s',
  async (where, order) => {
    await using first = await scripted(calls({ name: 'read', arguments: { path: 'a' }, id: 'x' }));
    await using second = await scripted(calls({ name: 'read', arguments: { path: 'b' }, id: 'c1' }));
    await using outer = await scripted(
      calls({ name: 'one', arguments: {}, id: 'c1' }, { name: 'two', arguments: {}, id: 'c2' }),
    );
    let answered = false;
    const over = Promise.withResolvers<void>();
    class Saver extends MemorySaver {
      override async putWrites(...all: Parameters<MemorySaver['putWrites']>): Promise<void> {
        await super.putWrites(...all);
        const [{ configurable }, writes] = all;
        const isOuter = configurable?.['checkpoint_ns'] === '';
        if (answered && isOuter && writes.some(([channel]) => channel === 'messages')) over.resolve();
      }
    }
    const memory = { checkpointer: new Saver() };
    const start = () => {
      const hooks = createHooks();
      hooks.guard(BeforeToolCall.matching('read'), () => requireApproval('Read?'));
      const { read } = readTool();
      const delegate = (name: string, { model }: typeof first) => {
        const child = createHookedAgent({ model, tools: [read], ...memory }, hooks, { approval: 'native' });
        return tool(
          async (_input, config) => (await child.invoke(user('Read.'), config)).messages.at(-1)?.text ?? '',
          { name, description: 'Delegates.', schema: z.object({}) },
        );
      };
      const tools = [delegate('one', first), delegate('two', second)];
      const when = async () => {
        if (answered && order !== 'side by side') await over.promise;
        return false;
      };
      return createHookedAgent({ model: outer.model, tools, ...memory }, hooks, {
        approval: 'native',
        interruptOn: { one: { allowedDecisions: ['approve', 'reject'], when } },
      });
    };
    const config = { configurable: { thread_id: 't1' } };
    const boss = start();
    await boss.invoke(user('go'), config);
    const resuming = where === 'in others' ? start() : boss;
    answered = true;
    const still = await resuming.invoke(
      new Command({ resume: { c1: { decision: 'deny', reason: 'not b' } } }),
      config,
    );
    expect(resultsOf(second.server)).toEqual({ c1: 'not b' });
    expect(await pendingApprovals(still)).toMatchObject([{ callId: 'x' }]);
    await resuming.invoke(new Command({ resume: { x: { decision: 'allow' } } }), config);
    expect(resultsOf(outer.server)).toEqual({ c1: 'Done.', c2: 'Done.' });
  },
);

test('an agent inside a tool with a thread of its own is in the session of the user whose agent asks it now', async () => {
  await using inner = await scripted(calls({ name: 'read', arguments: { path: 'a' }, id: 'c1' }));
  await using outer = await scripted(calls({ name: 'research', arguments: {}, id: 'c0' }));
  const hooks = createHooks();
  const seen: unknown[] = [];
  hooks.on(BeforeToolCall.matching('read'), ({ session, principal }) => {
    seen.push([session.id, session.parent?.id, principal?.id]);
    return block('not a');
  });
  const researcher = createHookedAgent(
    { name: 'researcher', model: inner.model, tools: [readTool().read], checkpointer: new MemorySaver() },
    hooks,
  );
  const library = { configurable: { thread_id: 'library' } };
  const research = tool(
    async () => (await researcher.invoke(user('kick off'), library)).messages.at(-1)?.text ?? '',
    { name: 'research', description: 'Asks the researcher.', schema: z.object({}) },
  );
  const boss = createHookedAgent({ name: 'boss', model: outer.model, tools: [research] }, hooks, {
    principal: ({ configurable }) => ({ id: String(configurable['user']) }),
  });
  for (const id of ['ann', 'bob'])
    await boss.invoke(user('go'), { configurable: { thread_id: `chat of ${id}`, user: id } });
  expect(seen).toEqual([
    ['library', 'chat of ann', 'ann'],
    ['library', 'chat of bob', 'bob'],
  ]);
});
