import {
  addContext,
  BeforeRun,
  BeforeToolCall,
  block,
  createHooks,
  HookEvent,
  type Hooks,
  modify,
  proceed,
  requireApproval,
  SessionEnd,
  type SessionEndReason,
  SessionStart,
  Stop,
  sessionKey,
  TurnEnd,
  TurnStart,
  UserPromptSubmit,
} from '@hooks/core';
import { HumanMessage, SystemMessage } from '@langchain/core/messages';
import { Command, MemorySaver } from '@langchain/langgraph';
import type { ChatOpenAI } from '@langchain/openai';
import { createAgent } from 'langchain';
import { describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { blockReason, createHookedAgent, hooksMiddleware, type NativeRun } from '../src/index.ts';
import { calls, readTool, scripted, user } from './fixtures.ts';

test('runs have ids of their own, in processes that start in the same moment, too', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  await using at = await scripted(() => ({ text: 'Hello.' }));
  const ids = new Set<unknown>();
  try {
    for (const _process of ['one', 'another']) {
      vi.resetModules();
      const { createHookedAgent } = await import('../src/index.ts');
      const hooks = createHooks();
      hooks.observe(BeforeRun, ({ run }) => void ids.add(run));
      const agent = createHookedAgent({ model: at.model }, hooks);
      for (const prompt of ['hi', 'bye']) await agent.invoke(user(prompt));
    }
  } finally {
    vi.useRealTimers();
  }
  expect(ids.size).toBe(4);
});

test('a thread that the checkpointer knows is resumed; one that this process knows is not opened again', async () => {
  await using at = await scripted(() => ({ text: 'Hello.' }));
  const checkpointer = new MemorySaver();
  const config = { configurable: { thread_id: 't' } };
  const process = () => {
    const hooks = createHooks();
    const sources: string[] = [];
    hooks.observe(SessionStart, ({ session }) => void sources.push(session.source));
    const agent = createHookedAgent({ model: at.model, checkpointer }, hooks);
    return { hooks, sources, run: () => agent.invoke(user('hi'), config) };
  };
  const first = process();
  await first.run();
  await first.run();
  const second = process();
  const visits = sessionKey<number>('visits');
  second.hooks.session('t').set(visits, 7);
  await second.run();
  expect(first.sources).toEqual(['startup']);
  expect(second.sources).toEqual(['resume']);
  expect(second.hooks.session('t').get(visits)).toBe(7);
});

test('a thread keeps the context of its last run, which may go on, and of no run before it', async () => {
  await using at = await scripted(() => ({ text: 'Hello.' }));
  const hooks = createHooks();
  hooks.on(UserPromptSubmit, ({ prompt }) => addContext(prompt));
  const agent = createHookedAgent({ model: at.model, checkpointer: new MemorySaver() }, hooks);
  for (const prompt of ['one', 'two', 'three'])
    await agent.invoke(user(prompt), { configurable: { thread_id: 't' } });
  expect(hooks.session('t').contributed.map(({ texts }) => texts)).toEqual([['three']]);
});

test('a hook on prompts that is registered when a session starts is asked about its first prompt', async () => {
  await using at = await scripted(() => ({ text: 'Hello.' }));
  const hooks = createHooks();
  hooks.on(SessionStart, () => {
    hooks.on(UserPromptSubmit, () => block('Not today.'));
    return proceed();
  });
  const result = await createHookedAgent({ model: at.model }, hooks).invoke(user('hi'));
  expect(blockReason(result)).toBe('Not today.');
  expect(at.server.requests).toEqual([]);
});

/** A stream of an agent, and how the session of its run ends. */
async function streaming(idleMs?: number) {
  const at = await scripted(() => ({ text: 'Hello.' }));
  const hooks = createHooks(idleMs === undefined ? {} : { sessions: { idleMs } });
  const ended = new Promise<SessionEndReason>((resolve) => {
    hooks.observe(SessionEnd, ({ reason }) => resolve(reason));
  });
  const stream = await createHookedAgent({ model: at.model }, hooks).stream(user('hi'));
  return { stream, ended, [Symbol.asyncDispose]: at[Symbol.asyncDispose] };
}

const aborted = { signal: AbortSignal.abort() };
const broken = (): never => {
  throw new Error('No transformer.');
};

test.each([
  ['stream', aborted],
  ['streamEvents', { ...aborted, version: 'v2' }],
  ['streamEvents', { ...aborted, version: 'v3' }],
  ['streamEvents', { version: 'v3', transformers: [broken] }],
] as const)('a run that cannot start ends its session: %s %o', async (method, options) => {
  await using at = await scripted(() => ({ text: 'Hello.' }));
  const hooks = createHooks();
  const seen: string[] = [];
  hooks.observe(BeforeRun, () => void seen.push('begins'));
  hooks.observe(SessionEnd, ({ reason }) => void seen.push(reason));
  const agent = createHookedAgent({ model: at.model }, hooks);
  const run = async () => {
    const stream = await agent[method](user('hi'), options as { version: 'v3' });
    for await (const _ of stream as AsyncIterable<unknown>);
  };
  await expect(run()).rejects.toThrow(/abort|No transformer/);
  await hooks.settled();
  expect(seen).toEqual(['begins', 'other']);
});

test('a run that goes on after a pause is the same: model and context are those that its prompt got', async () => {
  await using at = await scripted((request) =>
    request.messages.at(-1)?.role === 'tool'
      ? { text: 'Done.' }
      : { toolCalls: [{ name: 'read', arguments: { path: 'a' }, id: 'c1' }] },
  );
  const hooks = createHooks();
  hooks.on(UserPromptSubmit, ({ prompt }) =>
    prompt === 'never' ? block('Not now.') : addContext(`It is ${prompt}.`),
  );
  hooks.on(BeforeRun, ({ message }) => modify({ model: `for ${message}` }));
  hooks.on(BeforeToolCall, () => requireApproval('sensitive'));
  const checkpointer = new MemorySaver();
  const config = { configurable: { thread_id: 't' } };
  const agent = () =>
    createHookedAgent({ model: at.model, tools: [readTool().read], checkpointer }, hooks, {
      approval: 'native',
    });
  for (const day of ['Monday', 'Tuesday']) {
    await agent().invoke(user(day), config);
    await agent().invoke(user('never'), config);
    await agent().invoke(new Command({ resume: { c1: { decision: 'allow' } } }), config);
  }
  const calls = at.server.requests.map(({ model, system }) => [model, system]);
  const monday = ['for Monday', 'It is Monday.'];
  const tuesday = ['for Tuesday', 'It is Tuesday.'];
  expect(calls).toEqual([monday, monday, tuesday, tuesday]);
});

test('a stream of which no more is read ends its session', async () => {
  await using on = await streaming();
  for await (const _ of on.stream) break;
  expect(await on.ended).toBe('other');
});

test('a stream that nobody reads at all keeps its session until that is idle for too long', async () => {
  await using on = await streaming(20);
  expect(await on.ended).toBe('evicted');
});

test("a thread that the agent was given by withConfig is its runs' session, and its signal theirs", async () => {
  await using at = await scripted(() => ({ text: 'Hello.' }));
  const hooks = createHooks();
  const seen: unknown[] = [];
  hooks.observe(SessionStart, ({ session }) => void seen.push(session.id));
  hooks.observe(TurnEnd, ({ reason }) => void seen.push(reason));
  const agent = createHookedAgent({ model: at.model, checkpointer: new MemorySaver() }, hooks);
  const abort = new AbortController();
  const there = agent.withConfig({ configurable: { thread_id: 't' } }).withConfig({ signal: abort.signal });
  await there.invoke(user('hi'));
  hooks.on(TurnStart, () => {
    abort.abort();
    return proceed();
  });
  await expect(there.invoke(user('hi'))).rejects.toThrow();
  expect(seen).toEqual(['t', 'normal', 'canceled']);
});

describe('agents that are hooked by a middleware', () => {
  const agentOf = (model: ChatOpenAI, hooks: Hooks, name?: string) =>
    createAgent({ model, ...(name !== undefined && { name }), middleware: [hooksMiddleware(hooks)] });

  test('have runs of their own, also in one thread and about one message', async () => {
    await using at = await scripted(() => ({ text: 'Hello.' }));
    const hooks = createHooks();
    const turns: unknown[] = [];
    hooks.observe(
      TurnStart,
      ({ agent, iteration, session }) => void turns.push([agent, iteration, session.id]),
    );
    const configurable = { thread_id: 't' };
    const prompt = { messages: [new HumanMessage({ id: 'm', content: 'hi' })] };
    for (const name of ['first', 'second'])
      await agentOf(at.model, hooks, name).invoke(prompt, { configurable });
    expect(turns).toEqual([
      ['first', 1, 't'],
      ['second', 1, 't'],
    ]);
  });

  test('have sessions of their own without a thread, also where no user has spoken', async () => {
    await using at = await scripted(() => ({ text: 'Hello.' }));
    const hooks = createHooks();
    const sessions = new Set<string>();
    hooks.observe(TurnStart, ({ session }) => void sessions.add(session.id));
    const agent = agentOf(at.model, hooks);
    await agent.invoke({ messages: [new SystemMessage('Greet ann.')] });
    await agent.invoke({ messages: [new SystemMessage('Greet bob.')] });
    expect(sessions.size).toBe(2);
  });
});

test.each(['a middleware', 'the graph of a hooked agent'])(
  'without a thread, another user whose message has the same id has another session: %s',
  async (how) => {
    await using at = await scripted(() => ({ text: 'Hello.' }));
    const hooks = createHooks();
    const users = sessionKey<string[]>('users');
    const seen: string[][] = [];
    hooks.on(UserPromptSubmit, ({ session, principal }) => {
      const known = session.get(users, () => []);
      known.push(principal?.id ?? '');
      seen.push([...known]);
      return proceed();
    });
    const options = {
      principal: ({ context }: NativeRun) => ({ id: String(Reflect.get(Object(context), 'user')) }),
    };
    const graph =
      how === 'a middleware'
        ? createAgent({ model: at.model, middleware: [hooksMiddleware(hooks, options)] })
        : createHookedAgent({ model: at.model }, hooks, options).graph;
    for (const name of ['ann', 'bob']) {
      const messages = [new HumanMessage({ id: 'm1', content: `I am ${name}.` })];
      await graph.invoke({ messages } as never, { context: { user: name } } as never);
    }
    expect(seen).toEqual([['ann'], ['bob']]);
  },
);

describe('the graph of an agent with hooks on prompts and on Stop', () => {
  const make = (model: ChatOpenAI) => {
    const hooks = createHooks();
    hooks.on(Stop, () => proceed());
    hooks.guard(UserPromptSubmit, ({ prompt }) => (prompt === 'hi' ? proceed() : block('Not today.')));
    return createHookedAgent({ model, checkpointer: new MemorySaver() }, hooks);
  };

  test('takes changes of a state that its runs have left', async () => {
    await using at = await scripted(() => ({ text: 'Hello.' }));
    const agent: Stateful = make(at.model);
    const config = { configurable: { thread_id: 't' } };
    await agent.invoke(user('hi'), config);
    const forked = await agent.updateState(
      config,
      { messages: [new HumanMessage('Once more.')] },
      '__start__',
    );
    expect(await agent.getState(forked)).toMatchObject({ next: ['model_request'] });
    await agent.invoke(null, forked);
    await agent.updateState(config, { messages: [new HumanMessage('Noted.')] });
    expect((await agent.getState(config)).values.messages.map(({ text }) => text)).toEqual([
      'hi',
      'Hello.',
      'Once more.',
      'Hello.',
      'Noted.',
    ]);
  });

  test.each([
    ['hi', 'Hello.'],
    ['Once more.', 'Not today.'],
  ])(
    'may be given another prompt, about which they are asked when the agent goes on: %s',
    async (prompt, answer) => {
      await using at = await scripted(() => ({ text: 'Hello.' }));
      const agent: Stateful = make(at.model);
      const there = { configurable: { thread_id: 't' } };
      await agent.invoke(user('hi'), there);
      let forked = {};
      for await (const { next, values, config } of agent.graph.getStateHistory(there)) {
        const [message] = values.messages;
        if (message?.id === undefined || !next.includes('model_request')) continue;
        const messages = [new HumanMessage({ id: message.id, content: prompt })];
        forked = await agent.graph.updateState(config, { messages });
      }
      const result = await agent.invoke(null, forked);
      expect(Reflect.get(Object(result), 'messages').at(-1)).toMatchObject({ text: answer });
      expect(at.server.requests).toHaveLength(answer === 'Hello.' ? 2 : 1);
    },
  );

  test('asks them, also where it is compiled anew', async () => {
    await using at = await scripted(() => ({ text: 'Hello.' }));
    const builder = Reflect.get(make(at.model), 'builder') as { compile(): ReturnType<typeof make>['graph'] };
    expect(blockReason(await builder.compile().invoke(user('Go.')))).toBe('Not today.');
    expect(at.server.requests).toEqual([]);
  });
});

/** What LangChain's types keep from users of an agent. */
interface Stateful {
  readonly graph: Pick<Stateful, 'updateState'> & {
    getStateHistory(config: object): AsyncIterable<State & { readonly config: object }>;
  };
  invoke(state: object | null, config: object): Promise<unknown>;
  updateState(config: object, values: object, asNode?: string): Promise<object>;
  getState(config: object): Promise<State>;
}

interface State {
  readonly next: readonly string[];
  readonly values: { readonly messages: readonly HumanMessage[] };
}

test.each(['a middleware', 'the graph of a hooked agent'])(
  'events of a run through %s carry the principal that the runtime context names',
  async (how) => {
    await using at = await scripted(calls({ name: 'read', arguments: { path: 'a' } }));
    const hooks = createHooks();
    const told = new Map<string, string | undefined>();
    hooks.observe(HookEvent, ({ type, principal }) => void told.set(type, principal?.id));
    const params = {
      model: at.model,
      tools: [readTool().read],
      contextSchema: z.object({ user: z.string() }),
    };
    const principal = ({ context }: NativeRun) => ({ id: String(Reflect.get(Object(context), 'user')) });
    const agent =
      how === 'a middleware'
        ? createAgent({ ...params, middleware: [hooksMiddleware(hooks, { principal })] })
        : createHookedAgent(params, hooks, { principal }).graph;
    await agent.invoke(user('hi') as never, { context: { user: 'ann' } } as never);
    await hooks.settled();
    expect([...told.keys()]).toEqual(expect.arrayContaining(['session_start', 'after_tool_call']));
    expect(new Set(told.values())).toEqual(new Set(['ann']));
  },
);
