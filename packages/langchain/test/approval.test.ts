import { setImmediate } from 'node:timers/promises';
import {
  AfterToolCall,
  BeforeExecute,
  BeforeToolCall,
  createHooks,
  type Hooks,
  modify,
  PermissionRequest,
  proceed,
  requireApproval,
  ToolApprovalDecision,
  TransformToolResult,
  TurnEnd,
} from '@hooks/core';
import type { PendingApproval } from '@hooks/core/adapter';
import { hashInput } from '@hooks/core/tool-call';
import { AIMessage, HumanMessage } from '@langchain/core/messages';
import {
  Command,
  type Interrupt,
  interrupt,
  MemorySaver,
  MessagesAnnotation,
  START,
  StateGraph,
} from '@langchain/langgraph';
import { ToolNode } from '@langchain/langgraph/prebuilt';
import type { ChatOpenAI } from '@langchain/openai';
import { createAgent, createMiddleware, type DynamicStructuredTool, tool } from 'langchain';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  createHookedAgent,
  type HookToolOptions,
  hooksMiddleware,
  hookTool,
  hookTools,
  type InterruptAnswers,
  pendingApprovals,
} from '../src/index.ts';
import { calls, readTool, resultsOf, scripted, user } from './fixtures.ts';

const readBoth = calls(
  { name: 'read', arguments: { path: 'a' }, id: 'c1' },
  { name: 'read', arguments: { path: 'b' }, id: 'c2' },
);
const config = { configurable: { thread_id: 't1' } };
const resume = (answers: InterruptAnswers): Command => new Command({ resume: answers });

/** A tool that asks the user, and notes the answers. */
function askTool(heard: unknown[] = []) {
  const run = async () => {
    const answer: unknown = interrupt('what?');
    heard.push(answer);
    return `heard ${answer}`;
  };
  return tool(run, { name: 'ask', description: 'Asks.', schema: z.object({}) });
}

function asking(): { readonly hooks: Hooks; readonly asked: unknown[] } {
  const hooks = createHooks();
  const asked: unknown[] = [];
  hooks.on(BeforeToolCall, ({ callId, resumed }) => {
    asked.push(resumed === undefined ? callId : { callId, resumed: resumed.decision });
    return requireApproval('reads are sensitive');
  });
  return { hooks, asked };
}

/** An agent whose reads wait for a person. `ran` has the inputs of those that ran. */
function askingAgent(model: ChatOpenAI) {
  const { read, ran } = readTool();
  const agent = createHookedAgent({ model, tools: [read], checkpointer: new MemorySaver() }, asking().hooks, {
    approval: 'native',
  });
  return { agent, ran };
}

describe("approval: 'native'", () => {
  test('pauses the graph; each call is answered by its own id', async () => {
    await using at = await scripted(readBoth);
    const { read, ran } = readTool();
    const { hooks, asked } = asking();
    const agent = createHookedAgent(
      { model: at.model, tools: [read], checkpointer: new MemorySaver() },
      hooks,
      { approval: 'native' },
    );
    const paused = await agent.invoke(user('go'), config);
    expect(ran).toEqual([]);
    expect(await pendingApprovals(paused)).toMatchObject([
      { callId: 'c1', toolName: 'read', input: { path: 'a' }, reason: 'reads are sensitive' },
      { callId: 'c2', toolName: 'read', input: { path: 'b' } },
    ]);
    await agent.invoke(
      resume({ c1: { decision: 'allow' }, c2: { decision: 'deny', reason: 'not b' } }),
      config,
    );
    expect(ran).toEqual([{ path: 'a' }]);
    expect(resultsOf(at.server)).toEqual({ c1: 'content of a', c2: 'not b' });
    expect(asked).toEqual(['c1', 'c2']);
  });

  test('pendingApprovals says which tool the model called and who the user is, also where a hook has renamed the call', async () => {
    await using at = await scripted(calls({ name: 'look', arguments: {}, id: 'c1' }));
    const [look, see] = ['look', 'see'].map((name) =>
      tool(() => name, { name, description: name, schema: z.object({}) }),
    );
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => modify({ toolName: 'see' }));
    hooks.guard(BeforeToolCall, () => requireApproval('sure?'));
    const agent = createHookedAgent(
      { model: at.model, tools: [look, see] as never, checkpointer: new MemorySaver() },
      hooks,
      { approval: 'native', principal: () => ({ id: 'ann' }) },
    );
    const shown = {
      callId: 'c1',
      toolName: 'see',
      renamedTo: 'see',
      nativeToolName: 'look',
      input: {},
      reason: 'sure?',
      hash: expect.any(String),
      principal: { id: 'ann' },
    };
    expect(await pendingApprovals(await agent.invoke(user('go'), config))).toEqual([shown]);
    expect(await pendingApprovals(await agent.graph.getState(config))).toEqual([shown]);
  });

  test('people are asked in the order of the calls, whichever is decided first', async () => {
    await using at = await scripted(readBoth);
    const hooks = createHooks();
    const decided = Promise.withResolvers<void>();
    hooks.on(BeforeToolCall, async ({ callId }) => {
      if (callId === 'c1') await decided.promise;
      return requireApproval('reads are sensitive');
    });
    hooks.on(PermissionRequest, ({ callId }) => {
      if (callId === 'c2') decided.resolve();
      return proceed();
    });
    const params = { model: at.model, tools: [readTool().read], checkpointer: new MemorySaver() };
    const agent = createHookedAgent(params, hooks, { approval: 'native' });
    const pending = await pendingApprovals(await agent.invoke(user('go'), config));
    expect(pending.map(({ callId }) => callId)).toEqual(['c1', 'c2']);
  });

  test.each(['in the process that asked', 'in another one'])(
    'an answer may say that it is to be remembered, %s',
    async (where) => {
      await using at = await scripted(calls({ name: 'read', arguments: { path: 'a' }, id: 'c1' }));
      const checkpointer = new MemorySaver();
      const told: unknown[] = [];
      const agentOf = () => {
        const { hooks } = asking();
        hooks.observe(ToolApprovalDecision, ({ source, remember, matching }) =>
          told.push({ source, remember, matching }),
        );
        const { read } = readTool();
        return createHookedAgent({ model: at.model, tools: [read], checkpointer }, hooks, {
          approval: 'native',
        });
      };
      const agent = agentOf();
      const [pending] = await pendingApprovals(await agent.invoke(user('go'), config));
      const hash = pending?.hash ?? '';
      const remember = { remember: 'always', matching: { path: '*' } } as const;
      const answering = where === 'in another one' ? agentOf() : agent;
      await answering.invoke(resume({ c1: { decision: 'allow', hash, ...remember } }), config);
      expect(told).toEqual([{ source: 'user_approved_tool', ...remember }]);
    },
  );

  test.each(
    ['in the process that asked', 'in another one'].flatMap((where) =>
      ['with its hash', 'without one'].map((hashed) => [where, hashed] as const),
    ),
  )('a person may answer in place of the tool, %s, %s', async (where, hashed) => {
    await using at = await scripted(calls({ name: 'read', arguments: { path: 'a' }, id: 'c1' }));
    const checkpointer = new MemorySaver();
    const told: unknown[] = [];
    const ran: unknown[] = [];
    const agentOf = () => {
      const { hooks } = asking();
      hooks.observe(BeforeToolCall, (call) => told.push(call.resumed));
      hooks.observe(BeforeExecute, (call) => told.push(call.resumed));
      hooks.on(TransformToolResult, ({ output }) => modify({ output: `${output}`.replace('secret', '***') }));
      hooks.observe(ToolApprovalDecision, ({ approval, source, by }) => told.push({ approval, source, by }));
      hooks.observe(AfterToolCall, ({ status, ran, answered }) => told.push({ status, ran, answered }));
      const tool = readTool();
      ran.push(tool.ran);
      return createHookedAgent({ model: at.model, tools: [tool.read], checkpointer }, hooks, {
        approval: 'native',
      });
    };
    const agent = agentOf();
    const [pending] = await pendingApprovals(await agent.invoke(user('go'), config));
    const hash = hashed === 'with its hash' ? { hash: pending?.hash ?? '' } : {};
    told.length = 0;
    const answering = where === 'in another one' ? agentOf() : agent;
    const other = { decision: 'answer', output: 'no', hash: 'of another input' } as const;
    expect(await pendingApprovals(await answering.invoke(resume({ c1: other }), config))).toHaveLength(1);
    expect(told).not.toContainEqual(expect.objectContaining({ status: expect.anything() }));
    told.length = 0;
    const answer = { decision: 'answer', output: 'a secret', by: 'ada', ...hash } as const;
    await answering.invoke(resume({ c1: answer }), config);
    expect(ran.flat()).toEqual([]);
    expect(resultsOf(at.server)).toEqual({ c1: 'a ***' });
    expect(told).toContainEqual({ approval: 'allow', source: 'user_answered', by: 'ada' });
    expect(told.at(-1)).toEqual({ status: 'ok', ran: false, answered: true });
    // The output is a result, which hooks on results see first.
    expect(JSON.stringify(told)).not.toContain('secret');
  });

  test('an answer for one call answers no other', async () => {
    await using at = await scripted(readBoth);
    const { agent, ran } = askingAgent(at.model);
    await agent.invoke(user('go'), config);
    const still = await agent.invoke(resume({ c1: { decision: 'allow' } }), config);
    const [other, ...more] = await pendingApprovals(still);
    expect([other?.callId, other?.problem, more]).toEqual(['c2', undefined, []]);
    expect(ran).toEqual([{ path: 'a' }]);
    await agent.invoke(resume({ c2: { decision: 'allow', input: { path: 'c' } } }), config);
    expect(ran).toEqual([{ path: 'a' }, { path: 'c' }]);
    expect(resultsOf(at.server)).toEqual({ c1: 'content of a', c2: 'content of c' });
  });

  test('a value that names no call approves nothing', async () => {
    await using at = await scripted(readBoth);
    const { agent, ran } = askingAgent(at.model);
    await agent.invoke(user('go'), config);
    const still = await agent.invoke(new Command({ resume: { decision: 'allow' } }), config);
    expect(await pendingApprovals(still)).toHaveLength(2);
    expect(ran).toEqual([]);
  });

  const noCall = /names no call that waits: resume with \{ \[callId\]/;
  test.each<[string, RegExp | undefined, (pending: PendingApproval, interruptId: string) => unknown]>([
    ['true', noCall, () => true],
    ["'approve'", noCall, () => 'approve'],
    ['true for the call', /^The decision has to be/, () => ({ c1: true })],
    ['a decision for another call', noCall, ({ hash }) => ({ c9: { decision: 'allow', hash } })],
    ["LangChain's decisions, without interruptOn", noCall, () => ({ decisions: [{ type: 'approve' }] })],
    ['true for the interrupt', noCall, (_pending, id) => ({ [id]: true })],
    ['a decision for the interrupt', noCall, ({ hash }, id) => ({ [id]: { decision: 'allow', hash } })],
    [
      'a decision for the call, for the interrupt',
      undefined,
      ({ hash }, id) => ({ [id]: { c1: { decision: 'allow', hash } } }),
    ],
  ])('%s: the call waits again, with the problem %s, unless it is answered', async (_form, problem, form) => {
    await using at = await scripted(calls({ name: 'read', arguments: { path: 'a' }, id: 'c1' }));
    const { agent, ran } = askingAgent(at.model);
    const paused = await agent.invoke(user('go'), config);
    const [pending] = await pendingApprovals(paused);
    if (pending === undefined) throw new Error('Nothing waits.');
    const id = paused.__interrupt__?.[0]?.id ?? '';
    const next = await agent.invoke(new Command({ resume: form(pending, id) }), config);
    const still = problem && { callId: 'c1', problem: expect.stringMatching(problem) };
    expect(pending).not.toHaveProperty('problem');
    expect(await pendingApprovals(next)).toEqual(still ? [expect.objectContaining(still)] : []);
    expect(ran).toEqual(still ? [] : [{ path: 'a' }]);
  });

  test.each<[object, string]>([
    [{ decision: 'allow', output: 'content of c' }, 'in the process that asked'],
    [{ decision: 'allow', output: 'content of c' }, 'in another one'],
    [{ decision: 'deny', output: 'content of c' }, 'in the process that asked'],
    [{ decision: 'deny', input: { path: 'c' } }, 'in another one'],
    [{ decision: 'answer', output: 'content of c', input: { path: 'c' } }, 'in another one'],
    [{ decision: 'answer', output: 'content of c', remember: 'always' }, 'in the process that asked'],
    [{ decision: 'allow', inptu: { path: 'c' } }, 'in another one'],
  ])('an answer %j, whose decision does not take a field, %s, lets the call wait', async (given, where) => {
    await using at = await scripted(calls({ name: 'read', arguments: { path: 'a' }, id: 'c1' }));
    const checkpointer = new MemorySaver();
    const { read, ran } = readTool();
    const start = () =>
      createHookedAgent({ model: at.model, tools: [read], checkpointer }, asking().hooks, {
        approval: 'native',
      });
    const agent = start();
    const [pending] = await pendingApprovals(await agent.invoke(user('go'), config));
    const answering = where === 'in another one' ? start() : agent;
    const answer = { ...given, hash: pending?.hash };
    const still = await answering.invoke(new Command({ resume: { c1: answer } }), config);
    const { decision } = given as { readonly decision: string };
    const problem = expect.stringContaining(`The decision "${decision}" does not take`);
    expect(await pendingApprovals(still)).toMatchObject([{ callId: 'c1', problem }]);
    expect(ran).toEqual([]);
    await answering.invoke(resume({ c1: { decision: 'allow', hash: pending?.hash ?? '' } }), config);
    expect(ran).toEqual([{ path: 'a' }]);
  });

  test('an answer with the hash of another input lets the call wait, with the problem, until it is answered', async () => {
    await using at = await scripted(calls({ name: 'read', arguments: { path: 'a' }, id: 'c1' }));
    const { agent, ran } = askingAgent(at.model);
    const [pending] = await pendingApprovals(await agent.invoke(user('go'), config));
    await agent.invoke(resume({ c1: { decision: 'allow', hash: 'other' } }), config);
    const state = await agent.graph.getState(config);
    const problem = expect.stringContaining('another input than the one that is shown');
    expect(await pendingApprovals(state)).toEqual([{ ...pending, problem }]);
    const over = await agent.invoke(resume({ c1: { decision: 'allow', hash: pending?.hash ?? '' } }), config);
    expect(await pendingApprovals(over)).toEqual([]);
    expect(ran).toEqual([{ path: 'a' }]);
  });

  test('each of two calls tells the problem with its own answer, until the next answer', async () => {
    await using at = await scripted(readBoth);
    const { agent, ran } = askingAgent(at.model);
    await agent.invoke(user('go'), config);
    const problems = async (value: unknown) => {
      const next = await agent.invoke(new Command({ resume: value }), config);
      const waiting = await pendingApprovals(next);
      return Object.fromEntries(waiting.map(({ callId, problem }) => [callId, problem?.split(':')[0]]));
    };
    const noCall = 'The resume value names no call that waits';
    expect(await problems({ c9: { decision: 'allow' } })).toEqual({ c1: noCall, c2: noCall });
    expect(await problems({ c2: true })).toEqual({
      c1: undefined,
      c2: 'The decision has to be "allow", "deny", "canceled" or "answer".',
    });
    expect(ran).toEqual([]);
    expect(await problems({ c1: { decision: 'allow' } })).toEqual({ c2: undefined });
    expect(await problems({ c1: { decision: 'allow' } })).toEqual({ c2: noCall });
    expect(await problems({ c2: { decision: 'allow' } })).toEqual({});
    expect(ran).toEqual([{ path: 'a' }, { path: 'b' }]);
  });

  test('a yes that does not say to what is none to a call that was changed meanwhile', async () => {
    await using at = await scripted(calls({ name: 'read', arguments: { path: 'a' }, id: 'c1' }));
    const { agent, ran } = askingAgent(at.model);
    const { messages } = await agent.invoke(user('go'), config);
    const args = { path: 'z' };
    const changed = new AIMessage({
      id: messages.at(-1)?.id ?? '',
      content: '',
      tool_calls: [{ type: 'tool_call', id: 'c1', name: 'read', args }],
    });
    await agent.graph.updateState(config, { messages: [changed] });
    const still = await agent.invoke(resume({ c1: { decision: 'allow' } }), config);
    expect(ran).toEqual([]);
    expect(await pendingApprovals(still)).toMatchObject([{ callId: 'c1', input: args }]);
  });

  test('calls of one answer that share an id are refused, since no answer could tell them apart', async () => {
    await using at = await scripted(
      calls(
        { name: 'read', arguments: { path: 'a' }, id: 'c1' },
        { name: 'read', arguments: { path: 'b' }, id: 'c1' },
      ),
    );
    const { agent, ran } = askingAgent(at.model);
    await agent.invoke(user('go'), config);
    expect(ran).toEqual([]);
    const { values } = await agent.graph.getState(config);
    const texts = Reflect.get(values, 'messages').map(({ text }: AIMessage) => text);
    expect(texts.slice(0, 4)).toEqual([
      'go',
      '',
      expect.stringContaining('no tool call id of its own'),
      expect.stringContaining('no tool call id of its own'),
    ]);
  });

  test('in another process: a yes to the same input runs, a no asks no hook', async () => {
    await using at = await scripted(readBoth);
    const { read, ran } = readTool();
    const checkpointer = new MemorySaver();
    const make = (hooks: Hooks) =>
      createHookedAgent({ model: at.model, tools: [read], checkpointer }, hooks, { approval: 'native' });
    await make(asking().hooks).invoke(user('go'), config);
    const { hooks, asked } = asking();
    const agent = make(hooks);
    const [first] = await pendingApprovals(await agent.graph.getState(config));
    await agent.invoke(
      resume({
        c1: { decision: 'allow', hash: first?.hash ?? '' },
        c2: { decision: 'deny', reason: 'not b' },
      }),
      config,
    );
    expect(asked).toEqual([{ callId: 'c1', resumed: 'allow' }]);
    expect(ran).toEqual([{ path: 'a' }]);
    expect(resultsOf(at.server)).toEqual({ c1: 'content of a', c2: 'not b' });
  });

  // The lowest version of LangGraph does not tell it.
  test.skipIf(process.env['HOOKS_LOWEST'])(
    'a call that was answered is not pending in the state, while another one of its step still waits',
    async () => {
      await using at = await scripted(readBoth);
      const { read, ran } = readTool();
      const { hooks } = asking();
      const options = { approval: 'native' } as const;
      const tools = [read];
      const agent = createHookedAgent(
        { model: at.model, tools, checkpointer: new MemorySaver() },
        hooks,
        options,
      );
      const [first] = await pendingApprovals(await agent.invoke(user('go'), config));
      await agent.invoke(resume({ c1: { decision: 'allow', hash: first?.hash ?? '' } }), config);
      expect(ran).toEqual([{ path: 'a' }]);
      const pending = await pendingApprovals(await agent.graph.getState(config));
      expect(pending.map(({ callId }) => callId)).toEqual(['c2']);
    },
  );

  test.each(['allow', 'deny'] as const)(
    'in another process: %s of another user is refused, and what waits goes on waiting',
    async (decision) => {
      await using at = await scripted(calls({ name: 'read', arguments: { path: 'a' }, id: 'c1' }));
      const { read, ran } = readTool();
      const checkpointer = new MemorySaver();
      const make = () =>
        createHookedAgent({ model: at.model, tools: [read], checkpointer }, asking().hooks, {
          approval: 'native',
          principal: ({ context }) => ({ id: String(Reflect.get(Object(context), 'user')) }),
        });
      const by = (name: string): object => ({ ...config, context: { user: name } });
      await make().invoke(user('go'), by('ann'));
      const agent = make();
      const pending = await pendingApprovals(await agent.graph.getState(config));
      const answers = resume(
        Object.fromEntries(pending.map(({ callId, hash }) => [callId, { decision, hash }])),
      );
      await expect(agent.invoke(answers, by('bob'))).rejects.toThrow('another principal');
      expect(ran).toEqual([]);
      await make().invoke(answers, by('ann'));
      expect(ran).toHaveLength(decision === 'allow' ? 1 : 0);
    },
  );

  test('calls that are resumed at once read their checkpoint as often as one call alone', async () => {
    const readsOf = async (count: number): Promise<number> => {
      await using at = await scripted(
        calls(
          ...Array.from({ length: count }, (_, nth) => ({
            name: 'read',
            arguments: { path: `${nth}` },
            id: `c${nth}`,
          })),
        ),
      );
      const { read, ran } = readTool();
      let reads = 0;
      class Counting extends MemorySaver {
        override getTuple(of: Parameters<MemorySaver['getTuple']>[0]): ReturnType<MemorySaver['getTuple']> {
          reads++;
          return super.getTuple(of);
        }
      }
      const params = { model: at.model, tools: [read], checkpointer: new Counting() };
      const agent = createHookedAgent(params, asking().hooks, { approval: 'native' });
      await agent.invoke(user('go'), config);
      const pending = await pendingApprovals(await agent.graph.getState(config));
      reads = 0;
      const answers = pending.map(({ callId, hash }) => [callId, { decision: 'allow' as const, hash }]);
      await agent.invoke(resume(Object.fromEntries(answers)), config);
      expect(ran).toHaveLength(count);
      return reads;
    };
    expect(await readsOf(12)).toBe(await readsOf(1));
  });

  test.each<readonly [string, Command | null]>([
    ['a yes', resume({ c1: { decision: 'allow' } })],
    ['a value that names no call', new Command({ resume: 'go' })],
    ['an answer to another call', resume({ c2: { decision: 'deny' } })],
    ['no value', null],
  ])(
    'in another process: %s of another user neither runs a call nor has it asked about anew',
    async (_what, value) => {
      await using at = await scripted(calls({ name: 'read', arguments: { path: 'a' }, id: 'c1' }));
      const { read, ran } = readTool();
      const checkpointer = new MemorySaver();
      const agentOf = (hooks: Hooks) =>
        createHookedAgent({ model: at.model, tools: [read], checkpointer }, hooks, {
          approval: 'native',
          principal: ({ configurable }) => ({ id: String(configurable['user']) }),
        });
      const as = (name: string) => ({ configurable: { thread_id: 't1', user: name } });
      await agentOf(asking().hooks).invoke(user('go'), as('ann'));
      const lenient = createHooks();
      lenient.on(BeforeToolCall, () => proceed());
      for (const hooks of [asking().hooks, lenient]) {
        const there = agentOf(hooks);
        await expect(there.invoke(value, as('bob'))).rejects.toThrow('belongs to another principal');
        const { tasks } = await there.graph.getState(as('bob'));
        expect(tasks.flatMap(({ interrupts }) => interrupts)).toMatchObject([
          { value: { principal: { id: 'ann' } } },
        ]);
      }
      // LangGraph keeps what a thread was resumed with, for whoever runs it next.
      await agentOf(asking().hooks).invoke(null, as('ann'));
      expect(ran).toEqual([]);
      await agentOf(asking().hooks).invoke(resume({ c1: { decision: 'allow' } }), as('ann'));
      expect(ran).toEqual([{ path: 'a' }]);
    },
  );

  test('in another process: the user of the run answers for a tool whose calls are for somebody else', async () => {
    await using at = await scripted(calls({ name: 'read', arguments: { path: 'a' }, id: 'c1' }));
    const { read, ran } = readTool();
    const checkpointer = new MemorySaver();
    const agent = () => {
      const principal = () => ({ id: 'service' });
      const tools = [hookTool(read, asking().hooks, { approval: 'native', principal })];
      return createHookedAgent({ model: at.model, tools, checkpointer }, createHooks(), {
        approval: 'native',
        principal: ({ configurable }) => ({ id: String(configurable['user']) }),
      });
    };
    const as = (name: string) => ({ configurable: { thread_id: 't1', user: name } });
    await agent().invoke(user('go'), as('ann'));
    const yes = resume({ c1: { decision: 'allow' } });
    for (const name of ['bob', 'service'])
      await expect(agent().invoke(yes, as(name))).rejects.toThrow('belongs to another principal');
    expect(ran).toEqual([]);
    await agent().invoke(yes, as('ann'));
    expect(ran).toEqual([{ path: 'a' }]);
  });

  test('in another process: a no counts, also where the option is gone', async () => {
    await using at = await scripted(readBoth);
    const { read, ran } = readTool();
    const params = { model: at.model, tools: [read], checkpointer: new MemorySaver() };
    await createHookedAgent(params, asking().hooks, { approval: 'native' }).invoke(user('go'), config);
    const agent = createHookedAgent(params, createHooks());
    const [c1] = await pendingApprovals(await agent.graph.getState(config));
    await agent.invoke(
      resume({ c1: { decision: 'allow', hash: c1?.hash ?? '' }, c2: { decision: 'deny', reason: 'No.' } }),
      config,
    );
    expect([ran, resultsOf(at.server)]).toEqual([[{ path: 'a' }], { c1: 'content of a', c2: 'No.' }]);
  });

  test('in another process: a yes without a hash is to what was shown last', async () => {
    await using at = await scripted(readBoth);
    const { read, ran } = readTool();
    const checkpointer = new MemorySaver();
    const make = (rewritten?: string) => {
      const { hooks } = asking();
      hooks.on(BeforeToolCall, ({ callId }) =>
        callId === rewritten ? modify({ input: { path: 'other' } }) : proceed(),
      );
      return createHookedAgent({ model: at.model, tools: [read], checkpointer }, hooks, {
        approval: 'native',
      });
    };
    await make().invoke(user('go'), config);
    const agent = make('c2');
    const yes = { decision: 'allow' } as const;
    const still = await agent.invoke(resume({ c1: yes, c2: yes }), config);
    expect(await pendingApprovals(still)).toMatchObject([{ callId: 'c2', input: { path: 'other' } }]);
    expect(ran).toEqual([{ path: 'a' }]);
    await agent.invoke(resume({ c2: yes }), config);
    expect(ran).toEqual([{ path: 'a' }, { path: 'other' }]);
  });

  test('a yes that LangGraph has kept from an earlier answer is not taken for the newest one', async () => {
    await using at = await scripted(({ messages }) => {
      const results = messages.filter(({ role }) => role === 'tool').length;
      if (messages.some(({ content }) => content === 'Read both.')) {
        const path = ['first', 'second'][results];
        return path === undefined
          ? { text: 'Read.' }
          : { toolCalls: [{ name: 'read', arguments: { path }, id: 'c1' }] };
      }
      const both = [
        { name: 'other', arguments: {}, id: 'c4' },
        { name: 'ask', arguments: {}, id: 'c1' },
      ];
      return results === 0 ? { toolCalls: both } : { text: 'Done.' };
    });
    const hooks = createHooks();
    hooks.guard(BeforeToolCall, ({ toolName }) =>
      toolName === 'ask' ? proceed() : requireApproval('sensitive'),
    );
    const { read, ran } = readTool();
    const { model } = at;
    const child = createHookedAgent({ name: 'child', model, tools: [read], checkpointer: true }, hooks, {
      approval: 'native',
    });
    const about = { description: 'Does it.', schema: z.object({}) };
    const other = tool(async () => 'done', { name: 'other', ...about });
    const ask = tool(async () => (await child.invoke(user('Read both.'))).messages.at(-1)?.text ?? '', {
      name: 'ask',
      ...about,
    });
    const params = { model, tools: [other, ask], checkpointer: new MemorySaver() };
    const agent = createHookedAgent(params, hooks, { approval: 'native' });
    const yes = { decision: 'allow' } as const;
    const waiting = async (index: number) => {
      const { tasks } = await agent.graph.getState(config);
      return String(tasks.flatMap((task) => task.interrupts)[index]?.id);
    };
    await agent.invoke(user('go'), config);
    const others = await waiting(0);
    await agent.invoke(resume({ c1: yes, c4: yes }), config);
    await agent.invoke(new Command({ resume: { [others]: { c2: yes } } }), config);
    // LangGraph gives the child the older value instead of this one.
    await agent.invoke(resume({ c1: { ...yes, hash: 'of another input' } }), config);
    expect(ran).toEqual([{ path: 'first' }]);
    await agent.invoke(new Command({ resume: { [await waiting(1)]: { c1: yes } } }), config);
    expect(ran).toEqual([{ path: 'first' }, { path: 'second' }]);
  });

  test("the tool's own interrupt is answered by its own answer, and no hook is asked twice", async () => {
    await using at = await scripted(calls({ name: 'ask', arguments: {}, id: 'c1' }));
    const ask = askTool();
    const { hooks, asked } = asking();
    const agent = createHookedAgent(
      { model: at.model, tools: [ask], checkpointer: new MemorySaver() },
      hooks,
      {
        approval: 'native',
      },
    );
    await agent.invoke(user('go'), config);
    const second = await agent.invoke(resume({ c1: { decision: 'allow' } }), config);
    expect(await pendingApprovals(second)).toEqual([]);
    await agent.invoke(new Command({ resume: 'this' }), config);
    expect(resultsOf(at.server)).toEqual({ c1: 'heard this' });
    expect(asked).toEqual(['c1']);
  });

  test("the tool's own interrupt gets its own answer while another call waits for approval, in the turn that is open", async () => {
    const both = ['c1', 'c2'].map((id) => ({ id, name: 'ask', arguments: {} }));
    await using at = await scripted(calls(...both));
    const ask = askTool();
    const { hooks } = asking();
    const turns: string[] = [];
    hooks.observe(TurnEnd, ({ reason }) => void turns.push(reason));
    const agent = createHookedAgent(
      { model: at.model, tools: [ask], checkpointer: new MemorySaver() },
      hooks,
      { approval: 'native' },
    );
    await agent.invoke(user('go'), config);
    const asked = await agent.invoke(resume({ c2: { decision: 'allow' } }), config);
    const own = Object(Reflect.get(asked, '__interrupt__')).find((one: Interrupt) => one.value === 'what?');
    const heard = await agent.invoke(new Command({ resume: { [own.id]: 'this' } }), config);
    expect((await pendingApprovals(heard)).map(({ callId }) => callId)).toEqual(['c1']);
    expect(turns).toEqual([]);
    await agent.invoke(resume({ c1: { decision: 'deny', reason: 'not c1' } }), config);
    expect(resultsOf(at.server)).toEqual({ c1: 'not c1', c2: 'heard this' });
    expect(turns).toEqual(['continue', 'normal']);
  });

  test.each(['in one process', 'in others'])(
    'a call that a middleware changes is shown to a person as it would run, too: %s',
    async (where) => {
      await using at = await scripted(calls({ name: 'read', arguments: { path: 'a' }, id: 'c1' }));
      const { read, ran } = readTool();
      const checkpointer = new MemorySaver();
      const between = createMiddleware({
        name: 'between',
        wrapToolCall: ({ toolCall, ...request }, handler) =>
          handler({ ...request, toolCall: { ...toolCall, args: { path: `${toolCall.args['path']}/b` } } }),
      });
      const start = () =>
        createHookedAgent(
          { model: at.model, tools: [read], middleware: [between], checkpointer },
          asking().hooks,
          { approval: 'native' },
        );
      let agent = start();
      const shown: unknown[] = [];
      const yes = async (paused: object): Promise<object> => {
        const [pending] = await pendingApprovals(paused);
        shown.push(pending?.input);
        if (where === 'in others') agent = start();
        return agent.invoke(resume({ c1: { decision: 'allow', hash: pending?.hash ?? '' } }), config);
      };
      const once = await yes(await agent.invoke(user('go'), config));
      expect(ran).toEqual([]);
      await yes(once);
      expect(shown).toEqual([{ path: 'a' }, { path: 'a/b' }]);
      expect(ran).toEqual([{ path: 'a/b' }]);
    },
  );

  test('of two registries one answer serves both', async () => {
    await using at = await scripted(calls({ name: 'read', arguments: { path: 'a' }, id: 'c1' }));
    const { read, ran } = readTool();
    const middleware = [hooksMiddleware(asking().hooks, { approval: 'native' })];
    const agent = createHookedAgent(
      { model: at.model, tools: [read], checkpointer: new MemorySaver(), middleware },
      asking().hooks,
      { approval: 'native' },
    );
    const [pending] = await pendingApprovals(await agent.invoke(user('go'), config));
    await agent.invoke(resume({ c1: { decision: 'allow', hash: pending?.hash ?? '' } }), config);
    expect(ran).toEqual([{ path: 'a' }]);
    expect(resultsOf(at.server)).toEqual({ c1: 'content of a' });
  });

  test('with version v1 it is refused when the agent is made, because an answer would run other calls again', () => {
    const params = { model: 'openai:gpt-5', version: 'v1', checkpointer: new MemorySaver() } as const;
    for (const options of [{ approval: 'native' }, { interruptOn: { read: true } }] as const)
      expect(() => createHookedAgent(params, createHooks(), options)).toThrow(/version "v1" each answer/);
    createHookedAgent(params, createHooks(), { approval: 'deny' });
  });

  test('with version v1 hooksMiddleware refuses to run a call that may pause', async () => {
    await using at = await scripted(readBoth);
    const { read, ran } = readTool();
    const agentOf = (version: 'v1' | 'v2') =>
      createAgent({
        model: at.model,
        tools: [read],
        version,
        checkpointer: new MemorySaver(),
        middleware: [hooksMiddleware(asking().hooks, { approval: 'native' })],
      });
    await expect(agentOf('v1').invoke(user('go'), config)).rejects.toThrow(/version "v1" each answer/);
    expect(await pendingApprovals(await agentOf('v2').invoke(user('go'), config))).toHaveLength(2);
    expect(ran).toEqual([]);
  });

  test('an answer whose hash is no hash is not taken for one without a hash', async () => {
    await using at = await scripted(calls({ name: 'read', arguments: { path: 'a' }, id: 'c1' }));
    const { read, ran } = readTool();
    const params = { model: at.model, tools: [read], checkpointer: new MemorySaver() };
    const agent = createHookedAgent(params, asking().hooks, { approval: 'native' });
    await agent.invoke(user('go'), config);
    for (const hash of [null, 1, {}]) {
      const still = await agent.invoke(new Command({ resume: { c1: { decision: 'allow', hash } } }), config);
      expect(await pendingApprovals(still)).toHaveLength(1);
    }
    expect(ran).toEqual([]);
  });

  test('an answer may be of a class with accessors', async () => {
    class Yes {
      get decision() {
        return 'allow';
      }
    }
    await using at = await scripted(calls({ name: 'read', arguments: { path: 'a' }, id: 'c1' }));
    const { read, ran } = readTool();
    const params = { model: at.model, tools: [read], checkpointer: new MemorySaver() };
    const agent = createHookedAgent(params, asking().hooks, { approval: 'native' });
    await agent.invoke(user('go'), config);
    await agent.invoke(new Command({ resume: { c1: new Yes() } }), config);
    expect(ran).toEqual([{ path: 'a' }]);
  });

  test.each([
    [{ __interrupt__: {} }, '__interrupt__'],
    [{ __interrupt__: [null] }, '__interrupt__'],
    [{ tasks: 'none' }, 'tasks'],
    [{ tasks: [undefined] }, 'tasks'],
    [{ tasks: [{ interrupts: 1 }] }, 'interrupts'],
  ])('pendingApprovals refuses the malformed state %j', async (state, field) => {
    await expect(pendingApprovals(state)).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining(field),
    });
  });

  test('without a checkpointer it is refused when the agent is made', async () => {
    await using at = await scripted([]);
    expect(() => createHookedAgent({ model: at.model }, createHooks(), { approval: 'native' })).toThrow(
      /checkpointer/,
    );
  });
});

describe("approval: 'native' in a graph of one's own", () => {
  const graphOf = (node: (state: typeof MessagesAnnotation.State) => unknown) =>
    new StateGraph(MessagesAnnotation)
      .addNode('tools', node as never)
      .addEdge(START, 'tools')
      .compile({ checkpointer: new MemorySaver() });

  test('calls that one node makes are answered one after the other', async () => {
    const { read, ran } = readTool();
    const node = new ToolNode(hookTools([read], asking().hooks, { approval: 'native' }));
    const graph = graphOf((state) => node.invoke(state));
    const tool_calls = ['c1', 'c2'].map((id) => ({
      type: 'tool_call' as const,
      id,
      name: 'read',
      args: { path: id },
    }));
    const first = await graph.invoke({ messages: [new AIMessage({ content: '', tool_calls })] }, config);
    // Both calls are hashed at once, so either may be the first to wait.
    const [waiting, ...further] = await pendingApprovals(first);
    expect(further).toEqual([]);
    const [denied, allowed] = waiting?.callId === 'c1' ? ['c1', 'c2'] : ['c2', 'c1'];
    const no = resume({ [denied]: { decision: 'deny', reason: `not ${denied}` } });
    const second = await graph.invoke(no as never, config);
    expect(await pendingApprovals(second)).toMatchObject([{ callId: allowed }]);
    const { messages } = await graph.invoke(resume({ [allowed]: { decision: 'allow' } }) as never, config);
    const results = messages.slice(1).map(({ text }) => text);
    expect(results.toSorted()).toEqual([`content of ${allowed}`, `not ${denied}`]);
    expect(ran).toEqual([{ path: allowed }]);
  });

  test.each([
    ['note', 'read'],
    ['read', 'note'],
    ['note', 'note', 'read', 'note'],
  ])(
    'a call that no hook matches waits for the approvals of its node, and runs once: %s',
    async (...names) => {
      const { read } = readTool();
      const noted: string[] = [];
      const note = tool(async ({ path }) => void noted.push(path), {
        name: 'note',
        description: 'Notes a path.',
        schema: z.object({ path: z.string() }),
      });
      const hooks = createHooks();
      hooks.guard(BeforeToolCall.matching('read'), () => requireApproval('Read?'));
      const node = new ToolNode(hookTools([note, read], hooks, { approval: 'native' }));
      const graph = graphOf((state) => node.invoke(state));
      const tool_calls = names.map((name, nth) => ({
        type: 'tool_call' as const,
        id: `c${nth}`,
        name,
        args: { path: `c${nth}` },
      }));
      const first = await graph.invoke({ messages: [new AIMessage({ content: '', tool_calls })] }, config);
      expect(noted).toEqual([]);
      const [{ callId = '' } = {}] = await pendingApprovals(first);
      await graph.invoke(resume({ [callId]: { decision: 'allow' } }) as never, config);
      expect(noted).toEqual(tool_calls.flatMap(({ id, name }) => (name === 'note' ? id : [])));
    },
  );

  test.each(['c1', 'c2'])(
    'an answer in place of a call of a node stands while others wait: %s',
    async (answered) => {
      const { read, ran } = readTool();
      const node = new ToolNode(hookTools([read], asking().hooks, { approval: 'native' }));
      const graph = graphOf((state) => node.invoke(state));
      let state: unknown = await graph.invoke(callsOf('c1', 'c2', 'c3'), config);
      for (let left = 3; left > 0; left--) {
        const [waiting] = await pendingApprovals(state);
        const { callId = '' } = waiting ?? {};
        const answer = callId === answered ? { decision: 'answer', output: 'said' } : { decision: 'allow' };
        state = await graph.invoke(resume({ [callId]: answer } as never) as never, config);
      }
      const { messages } = state as typeof MessagesAnnotation.State;
      const others = ['c1', 'c2', 'c3'].filter((id) => id !== answered);
      expect(
        messages
          .slice(1)
          .map((message) => [Reflect.get(message, 'tool_call_id'), message.text])
          .toSorted(),
      ).toEqual([[answered, 'said'], ...others.map((id) => [id, `content of ${id}`])].toSorted());
      expect(ran).toHaveLength(2);
      expect(ran).toEqual(expect.arrayContaining(others.map((path) => ({ path }))));
    },
  );

  test('a no counts, also where no hook is left that concerns the call', async () => {
    const { read, ran } = readTool();
    const { hooks } = asking();
    const node = new ToolNode([hookTool(read, hooks, { approval: 'native' })]);
    const graph = graphOf((state) => node.invoke(state));
    const call = { type: 'tool_call' as const, id: 'c1', name: 'read', args: { path: 'a' } };
    await graph.invoke({ messages: [new AIMessage({ content: '', tool_calls: [call] })] }, config);
    hooks.clear();
    const { messages } = await graph.invoke(
      resume({ c1: { decision: 'deny', reason: 'not c1' } }) as never,
      config,
    );
    expect(messages.at(-1)?.text).toBe('not c1');
    expect(ran).toEqual([]);
  });

  const callsOf = (...ids: readonly string[]) => ({
    messages: [
      new AIMessage({
        content: '',
        tool_calls: ids.map((id) => ({ type: 'tool_call', id, name: 'read', args: { path: id } })),
      }),
    ],
  });
  const places = ['in one process', 'in others'] as const;
  const hashes = ['with its hash', 'without one'] as const;

  describe.each(places)('%s', (where) => {
    /** Builds the graph anew for each request if those are of different processes. */
    const graphs = (node: (read: ReturnType<typeof readTool>['read'], hooks: Hooks) => unknown) => {
      const { read, ran } = readTool();
      const { hooks, asked } = asking();
      const checkpointer = new MemorySaver();
      const make = (registry: Hooks) =>
        new StateGraph(MessagesAnnotation)
          .addNode('tools', node(read, registry) as never)
          .addEdge(START, 'tools')
          .compile({ checkpointer });
      const one = make(hooks);
      return { ran, asked, graph: () => (where === 'in others' ? make(asking().hooks) : one) };
    };

    test.each(hashes)(
      'calls that one node makes run once, also where each is approved by its own answer, %s',
      async (how) => {
        const at = graphs((read, hooks) => new ToolNode(hookTools([read], hooks, { approval: 'native' })));
        let state: object = await at.graph().invoke(callsOf('c1', 'c2', 'c3'), config);
        for (let nth = 1; nth <= 3; nth++) {
          const [waiting, ...others] = await pendingApprovals(state);
          expect({ others, ran: at.ran }).toEqual({ others: [], ran: [] });
          const hash = how === 'without one' ? {} : { hash: waiting?.hash ?? '' };
          state = await at
            .graph()
            .invoke(resume({ [waiting?.callId ?? '']: { decision: 'allow', ...hash } }) as never, config);
        }
        expect(await pendingApprovals(state)).toEqual([]);
        expect(at.ran).toHaveLength(3);
        expect(at.ran).toEqual(expect.arrayContaining([{ path: 'c1' }, { path: 'c2' }, { path: 'c3' }]));
        if (where === 'in one process') expect(at.asked.toSorted()).toEqual(['c1', 'c2', 'c3']);
      },
    );

    test('an approved call that another call of its node follows runs once for each approval', async () => {
      const at = graphs((read, hooks) => {
        const hooked = hookTool(read, hooks, { approval: 'native' });
        return async () => {
          const call = (id: string) =>
            hooked.invoke({ type: 'tool_call', id, name: 'read', args: { path: id } });
          return { messages: [await call('c1'), await call('c2')] };
        };
      });
      let pending = await pendingApprovals(await at.graph().invoke({ messages: [] }, config));
      const given: string[] = [];
      for (let turn = 0; pending.length > 0 && turn < 10; turn++) {
        const [waiting] = pending;
        given.push(waiting?.callId ?? '');
        const yes = { decision: 'allow', hash: waiting?.hash ?? '' } as const;
        const state = await at.graph().invoke(resume({ [waiting?.callId ?? '']: yes }) as never, config);
        pending = await pendingApprovals(state);
      }
      const expected = where === 'in others' ? ['c1', 'c2', 'c1'] : ['c1', 'c2'];
      expect(given).toEqual(expected);
      expect(at.ran).toHaveLength(expected.length);
      for (const path of expected) expect(at.ran).toContainEqual({ path });
    });
  });

  test('calls made one after the other run once for each approval, also where the thread moves to other processes', async () => {
    for (const moves of [1, 2, 3]) {
      const { read, ran } = readTool();
      const checkpointer = new MemorySaver();
      const make = () => {
        const hooked = hookTool(read, asking().hooks, { approval: 'native' });
        return new StateGraph(MessagesAnnotation)
          .addNode('tools', async () => {
            for (const id of ['c1', 'c2', 'c3'])
              await hooked.invoke({ type: 'tool_call', id, name: 'read', args: { path: id } });
            return {};
          })
          .addEdge(START, 'tools')
          .compile({ checkpointer });
      };
      let graph = make();
      let pending = await pendingApprovals(await graph.invoke({ messages: [] }, config));
      const given: { path: string }[] = [];
      for (let turn = 1; pending.length > 0 && turn < 20; turn++) {
        const [{ callId = '', hash = '' } = {}] = pending;
        given.push({ path: callId });
        if (turn >= moves) graph = make();
        const yes = resume({ [callId]: { decision: 'allow', hash } });
        pending = await pendingApprovals(await graph.invoke(yes as never, config));
      }
      const sorted = (all: readonly unknown[]) => all.map((one) => JSON.stringify(one)).sort();
      expect(pending).toEqual([]);
      expect(sorted(ran)).toEqual(sorted(given));
    }
  });

  describe.each(['none', 'some', 'all'] as const)('where %s of the calls need approval', (which) => {
    test.each(['deny', 'native'] as const)(
      'each tool of a node that asks a person gets the answer to its own question (approval %s)',
      async (approval) => {
        const answered: string[] = [];
        const ask = tool(
          async ({ path }: { path: string }) => {
            // Earlier calls take longer until they ask.
            for (let left = 2000 - 400 * Number(path.slice(1)); left > 0; left--) await setImmediate();
            const answer = `${path}: ${interrupt(path)}`;
            answered.push(answer);
            return answer;
          },
          { name: 'read', description: 'Asks.', schema: z.object({ path: z.string() }) },
        );
        const hooks = createHooks();
        hooks.on(BeforeToolCall, ({ callId }) =>
          approval === 'native' && (which === 'all' || (which === 'some' && callId === 'c2'))
            ? requireApproval('sensitive')
            : proceed(),
        );
        const node = new ToolNode([hookTool(ask, hooks, { approval })]);
        const graph = graphOf((state) => node.invoke(state));
        let state = await graph.invoke(callsOf('c1', 'c2', 'c3', 'c4'), config);
        for (let turn = 0; turn < 20; turn++) {
          const [{ value } = {}] = (Reflect.get(state, '__interrupt__') ?? []) as Interrupt[];
          if (value === undefined) break;
          const [waiting] = await pendingApprovals(state);
          const yes = { decision: 'allow', hash: waiting?.hash ?? '' } as const;
          const answer =
            waiting === undefined ? new Command({ resume: value }) : resume({ [waiting.callId]: yes });
          state = await graph.invoke(answer as never, config);
        }
        expect(state.messages.slice(1).map(({ text }) => text)).toEqual(
          ['c1', 'c2', 'c3', 'c4'].map((id) => `${id}: ${id}`),
        );
        // A call without an approval runs again each time that the node does.
        const approved =
          approval === 'native' ? { none: [], some: ['c2'], all: ['c1', 'c2', 'c3', 'c4'] } : {};
        for (const id of Reflect.get(approved, which) ?? [])
          expect(answered.filter((answer) => answer.startsWith(id))).toEqual([`${id}: ${id}`]);
      },
    );
  });

  test.each(['succeeds', 'fails'] as const)(
    'an approved call runs once, however often a retry policy runs its node, where the tool %s',
    async (how) => {
      const { read, ran } = readTool((path) => {
        if (how === 'fails') throw new Error('no such file');
        return `content of ${path}`;
      });
      const hooked = hookTool(read, asking().hooks, { approval: 'native' });
      let attempts = 0;
      const graph = new StateGraph(MessagesAnnotation)
        .addNode(
          'tools',
          async () => {
            attempts++;
            const call = { type: 'tool_call' as const, id: 'c1', name: 'read', args: { path: 'a' } };
            const result = await hooked.invoke(call);
            if (attempts < 4) throw new Error('the node fails');
            return { messages: [result] };
          },
          { retryPolicy: { maxAttempts: 3, initialInterval: 1, jitter: false, logWarning: false } },
        )
        .addEdge(START, 'tools')
        .compile({ checkpointer: new MemorySaver() });
      await graph.invoke({ messages: [] }, config);
      const resumed = graph.invoke(resume({ c1: { decision: 'allow' } }) as never, config);
      if (how === 'fails') await expect(resumed).rejects.toThrow('no such file');
      else expect((await resumed).messages.map(({ text }) => text)).toEqual(['content of a']);
      expect({ attempts, ran }).toEqual({ attempts: 4, ran: [{ path: 'a' }] });
    },
  );

  test('an ungated call beside one that waits runs once, and its hooks are asked once', async () => {
    const { read, ran } = readTool();
    const hooks = createHooks();
    const asked: unknown[] = [];
    hooks.on(BeforeToolCall, ({ callId }) => {
      asked.push(callId);
      return callId === 'c1' ? proceed() : requireApproval('sensitive');
    });
    const node = new ToolNode(hookTools([read], hooks, { approval: 'native' }));
    const graph = graphOf((state) => node.invoke(state));
    await graph.invoke(callsOf('c1', 'c2'), config);
    expect(ran).toEqual([]);
    await graph.invoke(resume({ c2: { decision: 'allow' } }) as never, config);
    expect(ran).toEqual([{ path: 'c1' }, { path: 'c2' }]);
    expect(asked).toEqual(['c1', 'c2']);
  });

  test('approved calls of one node run one at a time where a hook lets one run at a time', async () => {
    const hooks = createHooks();
    let running = Promise.resolve();
    const ends = new Map<string, () => void>();
    hooks.on(BeforeToolCall, () => requireApproval('sensitive'));
    hooks.on(BeforeExecute, async ({ callId }) => {
      const before = running;
      const { promise, resolve: end } = Promise.withResolvers<void>();
      running = promise;
      ends.set(callId, end);
      await before;
      return proceed();
    });
    hooks.observe(AfterToolCall, ({ callId }) => ends.get(callId)?.());
    const { read, ran } = readTool();
    const node = new ToolNode(hookTools([read], hooks, { approval: 'native' }));
    const graph = graphOf((state) => node.invoke(state));
    await graph.invoke(callsOf('c1', 'c2'), config);
    const yes = { decision: 'allow' } as const;
    for (let turn = 0; turn < 2; turn++) await graph.invoke(resume({ c1: yes, c2: yes }) as never, config);
    expect(ran).toHaveLength(2);
  });

  test('an approved call runs once where its node pauses for something else later', async () => {
    const { read, ran } = readTool();
    const hooked = hookTool(read, asking().hooks, { approval: 'native' });
    const graph = graphOf(async () => {
      const result = await hooked.invoke({ type: 'tool_call', id: 'c1', name: 'read', args: { path: 'a' } });
      return { messages: [result, new HumanMessage(`${interrupt('what?')} and ${interrupt('more?')}`)] };
    });
    await graph.invoke({ messages: [] }, config);
    await graph.invoke(resume({ c1: { decision: 'allow' } }) as never, config);
    await graph.invoke(new Command({ resume: 'this' }) as never, config);
    const { messages } = await graph.invoke(new Command({ resume: 'that' }) as never, config);
    expect(messages.map(({ text }) => text)).toEqual(['content of a', 'this and that']);
    expect(ran).toEqual([{ path: 'a' }]);
  });

  test('an approved call whose tool pauses goes on when its node does', async () => {
    const { read, ran } = readTool();
    const ask = askTool();
    const [hookedAsk, hookedRead] = hookTools([ask, read], asking().hooks, { approval: 'native' });
    const graph = graphOf(async () => ({
      messages: [
        await hookedRead.invoke({ type: 'tool_call', id: 'c1', name: 'read', args: { path: 'a' } }),
        await hookedAsk.invoke({ type: 'tool_call', id: 'c2', name: 'ask', args: {} }),
      ],
    }));
    await graph.invoke({ messages: [] }, config);
    const yes = { decision: 'allow' } as const;
    await graph.invoke(resume({ c1: yes }) as never, config);
    await graph.invoke(resume({ c2: yes }) as never, config);
    const { messages } = await graph.invoke(new Command({ resume: 'this' }) as never, config);
    expect(messages.map(({ text }) => text)).toEqual(['content of a', 'heard this']);
    expect(ran).toEqual([{ path: 'a' }]);
  });

  test('a call that needs approval inside the tool of an approved call runs once, and so does that', async () => {
    for (const where of places) {
      const { read, ran } = readTool();
      const checkpointer = new MemorySaver();
      const make = () => {
        const [hooked] = hookTools([read], asking().hooks, { approval: 'native' });
        const outer = tool(
          async (_, runtime) => {
            const inner = { type: 'tool_call' as const, id: 'c2', name: 'read', args: { path: 'a' } };
            const given = await hooked.invoke(inner, runtime);
            ran.push('outer');
            return given.text;
          },
          { name: 'outer', description: 'Reads.', schema: z.object({}) },
        );
        const hookedOuter = hookTool(outer, asking().hooks, { approval: 'native' });
        return around(async (_: unknown, runtime: object) => {
          const call = { type: 'tool_call' as const, id: 'c1', name: 'outer', args: {} };
          return { messages: [await hookedOuter.invoke(call, runtime)] };
        }, checkpointer);
      };
      const one = make();
      const graph = () => (where === 'in others' ? make() : one);
      let state: object = await graph().invoke({ messages: [] }, config);
      for (const id of ['c1', 'c2']) {
        const [waiting] = await pendingApprovals(state);
        expect(waiting?.callId).toBe(id);
        const yes = { decision: 'allow', hash: waiting?.hash ?? '' } as const;
        state = await graph().invoke(resume({ [id]: yes }) as never, config);
      }
      expect(ran).toEqual([{ path: 'a' }, 'outer']);
    }
  });

  const ofUser: HookToolOptions['principal'] = ({ configurable }) => ({ id: String(configurable['user']) });
  const as = (name: string) => ({ configurable: { thread_id: 't1', user: name } });

  /** Graphs that a program runs itself. */
  type Parts = {
    readonly model: ChatOpenAI;
    readonly read: DynamicStructuredTool;
    readonly memory: MemorySaver;
  };
  const agentOf = ({ model, read }: Parts, checkpointer: MemorySaver | true) =>
    createHookedAgent({ model, tools: [read], checkpointer }, asking().hooks, {
      approval: 'native',
      principal: ofUser,
    });
  const around = (node: unknown, checkpointer: MemorySaver) =>
    new StateGraph(MessagesAnnotation)
      .addNode('node', node as never)
      .addEdge(START, 'node')
      .compile({ checkpointer });
  const graphs: readonly (readonly [string, (parts: Parts) => Pick<ReturnType<typeof around>, 'invoke'>])[] =
    [
      ['the graph of a hooked agent', (parts) => agentOf(parts, parts.memory).graph as never],
      [
        'an agent with hooksMiddleware',
        ({ model, read, memory }) => {
          const hooked = hooksMiddleware(asking().hooks, { approval: 'native', principal: ofUser });
          return createAgent({ model, tools: [read], checkpointer: memory, middleware: [hooked] }) as never;
        },
      ],
      ['a graph around a hooked agent', (parts) => around(agentOf(parts, true).graph, parts.memory)],
      [
        'a ToolNode',
        ({ read, memory }) => {
          const hooked = hookTool(read, asking().hooks, { approval: 'native', principal: ofUser });
          const node = new ToolNode([hooked]);
          return around(() => node.invoke(callsOf('c1')), memory);
        },
      ],
    ];
  describe.each(graphs)('%s', (name, make) => {
    test.each(places)(
      'takes no refused yes of another user when the thread goes on, and then takes that of its own, %s',
      async (where) => {
        await using at = await scripted(calls({ name: 'read', arguments: { path: 'c1' }, id: 'c1' }));
        const { read, ran } = readTool();
        const parts = { model: at.model, read, memory: new MemorySaver() };
        const one = make(parts);
        const graph = () => (where === 'in others' ? make(parts) : one);
        const first = await graph().invoke(user('go') as never, as('ann'));
        const [asked] = await pendingApprovals(first);
        const yes = { c1: { decision: 'allow', hash: asked?.hash ?? '' } } as const;
        for (let turn = 0; turn < 2; turn++) {
          const refused = await graph()
            .invoke(resume(yes) as never, as('bob'))
            .catch((error: unknown) => error);
          if (name === 'a ToolNode') expect(await pendingApprovals(refused)).toEqual([asked]);
          else expect(String(refused)).toContain('belongs to another principal');
          const still = await graph().invoke(null as never, as('ann'));
          expect(await pendingApprovals(still)).toEqual([asked]);
          expect(ran).toEqual([]);
        }
        const { messages } = await graph().invoke(resume(yes) as never, as('ann'));
        expect(ran).toEqual([{ path: 'c1' }]);
        expect(messages.some(({ text }) => text === 'content of c1')).toBe(true);
      },
    );

    test.each(places)('takes a yes by the id of the interrupt from its own user only, %s', async (where) => {
      await using at = await scripted(calls({ name: 'read', arguments: { path: 'c1' }, id: 'c1' }));
      const { read, ran } = readTool();
      const parts = { model: at.model, read, memory: new MemorySaver() };
      const one = make(parts);
      const graph = () => (where === 'in others' ? make(parts) : one);
      let state: object = await graph().invoke(user('go') as never, as('ann'));
      for (const person of ['bob', 'ann'] as const) {
        expect(ran).toEqual([]);
        const [{ id = '' } = {}] = Reflect.get(state, '__interrupt__') as Interrupt[];
        const byId = new Command({ resume: { [id]: { c1: { decision: 'allow' } } } });
        await graph()
          .invoke(byId as never, as(person))
          .catch(() => undefined);
        if (person === 'bob') state = await graph().invoke(null as never, as('ann'));
      }
      expect(ran).toEqual([{ path: 'c1' }]);
    });
  });

  test.each(graphs.slice(0, 3))(
    '%s with two calls that wait takes no refused answers of another user, whether each is answered or both',
    async (_name, make) => {
      await using at = await scripted(readBoth);
      const { read, ran } = readTool();
      const parts = { model: at.model, read, memory: new MemorySaver() };
      await make(parts).invoke(user('go') as never, as('ann'));
      const yes = { decision: 'allow' } as const;
      for (const answers of [{ c1: yes }, { c2: yes }, { c1: yes, c2: yes }]) {
        await make(parts)
          .invoke(resume(answers) as never, as('bob'))
          .catch(() => undefined);
        const still = await make(parts).invoke(null as never, as('ann'));
        // The lowest version of LangGraph tells one of the interrupts of a graph inside.
        expect(await pendingApprovals(still)).not.toEqual([]);
        expect(ran).toEqual([]);
      }
      await make(parts).invoke(resume({ c1: yes, c2: yes }) as never, as('ann'));
      expect(ran).toHaveLength(2);
    },
  );

  test('of two calls of one node, another user neither runs nor answers the one that has its approval', async () => {
    for (const where of places) {
      const { read, ran } = readTool();
      const memory = new MemorySaver();
      const make = () => {
        const node = new ToolNode([
          hookTool(read, asking().hooks, { approval: 'native', principal: ofUser }),
        ]);
        return around(() => node.invoke(callsOf('c1', 'c2')), memory);
      };
      const one = make();
      const graph = () => (where === 'in others' ? make() : one);
      const yes = { decision: 'allow' } as const;
      const [first] = await pendingApprovals(await graph().invoke({ messages: [] }, as('ann')));
      const state = await graph().invoke(resume({ [first?.callId ?? '']: yes }) as never, as('ann'));
      const [second] = await pendingApprovals(state);
      const still = await graph().invoke(resume({ c1: yes, c2: yes }) as never, as('bob'));
      expect(await pendingApprovals(still)).toEqual([second]);
      await graph().invoke(null as never, as('ann'));
      expect(ran).toEqual([]);
      await graph().invoke(resume({ [second?.callId ?? '']: yes }) as never, as('ann'));
      expect(ran).toHaveLength(2);
    }
  });

  /** A memory whose serializer makes null of undefined. */
  class NullingSaver extends MemorySaver {
    constructor() {
      super();
      const { serde } = this;
      this.serde = {
        dumpsTyped: (value: unknown) => serde.dumpsTyped(value ?? null),
        loadsTyped: (type, data) => serde.loadsTyped(type, data),
      };
    }
  }

  /** A read that waits for ann, in such a memory. Each call of `invoke` is another process. */
  async function waitingForAnn(make: (typeof graphs)[number][1], model: Parts['model']) {
    const { read, ran } = readTool();
    const memory = new NullingSaver();
    const invoke = (input: unknown, name: string) =>
      make({ model, read, memory }).invoke(input as never, as(name));
    await invoke(user('go'), 'ann');
    return { invoke, ran };
  }

  test.each(graphs)(
    '%s takes no refused yes of another user where the checkpoint must keep it, and takes one by the id of the interrupt',
    async (_name, make) => {
      await using at = await scripted(calls({ name: 'read', arguments: { path: 'c1' }, id: 'c1' }));
      const { invoke, ran } = await waitingForAnn(make, at.model);
      const yes = { c1: { decision: 'allow' } } as const;
      for (let nth = 0; nth < 2; nth++) {
        await invoke(resume(yes), 'bob');
        await invoke(null, 'ann');
      }
      const still = await invoke(resume(yes), 'ann');
      expect(ran).toEqual([]);
      const [{ id = '' } = {}] = Reflect.get(still, '__interrupt__') as Interrupt[];
      await invoke(new Command({ resume: { [id]: yes } }), 'ann');
      expect(ran).toEqual([{ path: 'c1' }]);
    },
  );

  test.each(graphs)(
    '%s takes no refused no of another user where the checkpoint must keep it',
    async (_name, make) => {
      await using at = await scripted(calls({ name: 'read', arguments: { path: 'c1' }, id: 'c1' }));
      const { invoke, ran } = await waitingForAnn(make, at.model);
      await invoke(resume({ c1: { decision: 'deny' } }), 'bob');
      const still = await invoke(null, 'ann');
      expect(await pendingApprovals(still)).toHaveLength(1);
      await invoke(resume({ c1: { decision: 'allow' } }), 'ann');
      expect(ran).toEqual([{ path: 'c1' }]);
    },
  );

  test('a call of a ToolNode still waits where the checkpointer fails to take out a refused answer', async () => {
    class FailingSaver extends MemorySaver {
      override async putWrites(
        ...[place, writes, task]: Parameters<MemorySaver['putWrites']>
      ): Promise<void> {
        if (writes.some(([channel, value]) => channel === '__resume__' && value === undefined))
          throw new Error('the disk is full');
        await super.putWrites(place, writes, task);
      }
    }
    const { read, ran } = readTool();
    const node = new ToolNode([hookTool(read, asking().hooks, { approval: 'native', principal: ofUser })]);
    const graph = around(() => node.invoke(callsOf('c1')), new FailingSaver());
    const asked = await pendingApprovals(await graph.invoke({ messages: [] }, as('ann')));
    const yes = { c1: { decision: 'allow' } } as const;
    const refused = await graph.invoke(resume(yes) as never, as('bob'));
    expect(await pendingApprovals(refused)).toMatchObject([{ callId: 'c1', hash: asked[0]?.hash }]);
    const still = await graph.invoke(null as never, as('ann'));
    expect(await pendingApprovals(still)).toHaveLength(1);
    expect(ran).toEqual([]);
  });

  test("a refused answer of another user does not answer a tool's own question", async () => {
    const { read } = readTool();
    const heard: unknown[] = [];
    const ask = askTool(heard);
    const hooked = hookTool(read, asking().hooks, { approval: 'native', principal: ofUser });
    const graph = around(async () => {
      await hooked.invoke({ type: 'tool_call', id: 'c1', name: 'read', args: { path: 'a' } });
      await ask.invoke({});
      return {};
    }, new MemorySaver());
    await graph.invoke({ messages: [] }, as('ann'));
    await graph.invoke(resume({ c1: { decision: 'allow' } }) as never, as('bob'));
    await graph.invoke(resume({ c1: { decision: 'allow' } }) as never, as('ann'));
    expect(heard).toEqual([]);
    await graph.invoke(new Command({ resume: 'this' }) as never, as('ann'));
    expect(heard).toEqual(['this']);
  });

  test.each<readonly [string, Command | null]>([
    ['a yes', resume({ c1: { decision: 'allow' } })],
    ['a value that names no call', new Command({ resume: 'go' })],
    ['no value', null],
  ])('%s of another user runs no call, and asks no hook about it', async (_what, value) => {
    const { read, ran } = readTool();
    const { hooks, asked } = asking();
    const principal: HookToolOptions['principal'] = ({ configurable }) => ({
      id: String(configurable['user']),
    });
    const node = new ToolNode([hookTool(read, hooks, { approval: 'native', principal })]);
    const graph = graphOf((state) => node.invoke(state));
    const as = (name: string) => ({ configurable: { thread_id: 't1', user: name } });
    const call = { type: 'tool_call' as const, id: 'c1', name: 'read', args: { path: 'a' } };
    await graph.invoke({ messages: [new AIMessage({ content: '', tool_calls: [call] })] }, as('ann'));
    const still = await graph.invoke(value as never, as('bob'));
    expect(await pendingApprovals(still)).toMatchObject([{ callId: 'c1', input: { path: 'a' } }]);
    expect({ ran, asked }).toEqual({ ran: [], asked: ['c1'] });
  });

  describe('a node that runs again in another process', () => {
    /** Runs `make` with a tool `read` that asks, in a new process each time. */
    function restarting(make: (read: (id: string) => Promise<unknown>) => Promise<unknown>) {
      const memory = new MemorySaver();
      const ran: string[] = [];
      const start = () => {
        const { read } = readTool((path) => ran.push(path));
        const hooked = hookTool(read, asking().hooks, { approval: 'native' });
        const graph = around(async () => {
          await make((id) => hooked.invoke({ type: 'tool_call', id, name: 'read', args: { path: id } }));
          return {};
        }, memory);
        const waits = async (result: object): Promise<unknown> => (await pendingApprovals(result))[0]?.callId;
        return {
          begin: async () => waits(await graph.invoke({ messages: [] }, config)),
          answer: async (answers: object) =>
            waits(await graph.invoke(new Command({ resume: answers }) as never, config)),
          /** Answers the interrupt that waits by its id. */
          answerById: async (answers: object) => {
            const { tasks } = await graph.getState(config);
            const id = String(tasks.flatMap((task) => task.interrupts)[0]?.id);
            return waits(await graph.invoke(new Command({ resume: { [id]: answers } }) as never, config));
          },
        };
      };
      return { ran, start };
    }
    const yes = { decision: 'allow' };
    const nothing = { decision: 'maybe' };

    test.each([
      ['changes its input', { ...yes, input: { path: 'changed' } }, ['changed', 'c2']],
      ['denies it', { decision: 'deny' }, ['c2']],
    ])(
      'takes the latest answer to a call, which %s, also where LangGraph repeats an earlier yes',
      async (_what, latest, then) => {
        const { ran, start } = restarting(async (read) => {
          await Promise.all([read('c1'), read('c2')]);
          await read('c3');
        });
        const first = start();
        expect(await first.begin()).toBe('c1');
        const hash = await hashInput({ path: 'c1' });
        expect(await first.answer({ c1: { ...yes, hash } })).toBe('c2');
        expect(await first.answerById({ c2: yes })).toBe('c3');
        expect(ran.splice(0)).toEqual(['c1', 'c2']);
        const second = start();
        expect(await second.answerById({ c3: nothing })).toBe('c1');
        expect(await second.answerById({ c1: latest })).toBe('c2');
        expect(await start().answerById({ c2: yes })).toBe('c3');
        expect(ran).toEqual(then);
      },
    );

    test('counts no approval of a call that has run with it, however often it asks again', async () => {
      const { ran, start } = restarting(async (read) => {
        for (const id of ['c1', 'c2', 'c3']) await read(id);
      });
      const first = start();
      await first.begin();
      await first.answer({ c1: yes });
      expect(await first.answer({ c2: { ...yes, hash: await hashInput({ path: 'c2' }) } })).toBe('c3');
      const second = start();
      expect(await second.answer({ c3: nothing })).toBe('c1');
      expect(await second.answer({ c1: yes })).toBe('c2');
      const third = start();
      expect(await third.answer({ c2: nothing })).toBe('c1');
      ran.splice(0);
      expect(await third.answer({ c1: yes })).toBe('c2');
      expect(await third.answer({ c2: yes })).toBe('c3');
      expect(ran).toEqual(['c1', 'c2']);
    });
  });

  test("a tool's question gets its own answer each time, also where a call of its node has been approved twice", async () => {
    const { read, ran } = readTool();
    const heard: unknown[] = [];
    const ask = askTool(heard);
    const hooks = createHooks();
    hooks.guard(BeforeToolCall.matching('read'), () => requireApproval('sensitive'));
    const [hookedAsk, hookedRead] = hookTools([ask, read], hooks, { approval: 'native' });
    const call = (id: string) =>
      hookedRead.invoke({ type: 'tool_call', id, name: 'read', args: { path: id } });
    const graph = around(async () => {
      await Promise.all([
        hookedAsk.invoke({ type: 'tool_call', id: 'c0', name: 'ask', args: {} }),
        call('c1'),
      ]);
      await call('c2');
      return {};
    }, new MemorySaver());
    let state: object = await graph.invoke({ messages: [] }, config);
    const asked: unknown[] = [];
    for (let turn = 0; turn < 10; turn++) {
      const [{ id = '', value } = {}] = (Reflect.get(state, '__interrupt__') ?? []) as Interrupt[];
      if (value === undefined) break;
      const [waiting] = await pendingApprovals(state);
      asked.push(waiting?.callId ?? value);
      const hash = turn === 0 ? undefined : waiting?.hash;
      const answer = waiting ? { [waiting.callId]: { decision: 'allow', hash } } : 'this';
      state = await graph.invoke(new Command({ resume: { [id]: answer } }) as never, config);
    }
    expect(asked).toEqual(['c1', 'what?', 'c1', 'what?', 'c2']);
    expect(new Set(heard)).toEqual(new Set(['this']));
    expect(ran).toEqual([{ path: 'c1' }, { path: 'c2' }]);
  });

  test('an approved call whose tool asks runs once, also where the approval had no hash', async () => {
    const { read } = readTool();
    const heard: unknown[] = [];
    const ask = askTool(heard);
    const [asks, reads] = hookTools([ask, read], asking().hooks, { approval: 'native' });
    const graph = around(async () => {
      await asks.invoke({ type: 'tool_call', id: 'c1', name: 'ask', args: {} });
      await reads.invoke({ type: 'tool_call', id: 'c2', name: 'read', args: { path: 'a' } });
      return {};
    }, new MemorySaver());
    await graph.invoke({ messages: [] }, config);
    for (const value of [{ c1: { decision: 'allow' } }, 'this', { c2: { decision: 'maybe' } }])
      await graph.invoke(new Command({ resume: value }) as never, config);
    expect(await pendingApprovals(await graph.getState(config))).toMatchObject([{ callId: 'c2' }]);
    expect(heard).toEqual(['this']);
  });

  test('a call without an id is refused, since no answer could name it', async () => {
    const { read, ran } = readTool();
    const hooked = hookTool(read, asking().hooks, { approval: 'native' });
    const graph = graphOf(async () => ({ messages: [new HumanMessage(await hooked.invoke({ path: 'a' }))] }));
    await expect(graph.invoke({ messages: [] }, config)).rejects.toThrow(/no tool call id/);
    expect(ran).toEqual([]);
  });
});

test('an approver is asked in place, and nobody else', async () => {
  await using at = await scripted(readBoth);
  const { read, ran } = readTool();
  const agent = createHookedAgent({ model: at.model, tools: [read] }, asking().hooks, {
    approval: ({ callId }) =>
      callId === 'c1' ? { decision: 'allow' } : { decision: 'deny', reason: 'not b' },
  });
  await agent.invoke(user('go'));
  expect(ran).toEqual([{ path: 'a' }]);
  expect(resultsOf(at.server)).toEqual({ c1: 'content of a', c2: 'not b' });
});

test('nobody is asked unless the option is set, and the reason names it', async () => {
  await using at = await scripted(readBoth);
  const { read, ran } = readTool();
  const hooks = createHooks();
  hooks.on(BeforeToolCall, ({ callId }) => (callId === 'c1' ? requireApproval('sensitive') : proceed()));
  await createHookedAgent({ model: at.model, tools: [read] }, hooks).invoke(user('go'));
  expect(ran).toEqual([{ path: 'b' }]);
  expect(resultsOf(at.server)['c1']).toMatch(/`approval` option/);
});
