import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  type EventPayload,
  grantApproval,
  HookEvent,
  type Hooks,
  modify,
  PermissionRequest,
  proceed,
  requireApproval,
} from '@hooks/core';
import { Command, MemorySaver } from '@langchain/langgraph';
import {
  createAgent,
  createMiddleware,
  humanInTheLoopMiddleware,
  type InterruptOnConfig,
  tool,
} from 'langchain';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  blockReason,
  createHookedAgent,
  type HookedOptions,
  pendingApprovals,
  type ToolReview,
} from '../src/index.ts';
import { calls, readTool, resultsOf, scripted, user } from './fixtures.ts';

const readA = calls({ name: 'read', arguments: { path: 'a' }, id: 'c1' });
const readBoth = calls(
  { name: 'read', arguments: { path: 'a' }, id: 'c1' },
  { name: 'read', arguments: { path: 'b' }, id: 'c2' },
);
const config = { configurable: { thread_id: 't1' } };
const approve = { type: 'approve' };
const reject = { type: 'reject', message: 'Not b.' };

/** An agent of which a person reviews `read`; `start` again makes it anew, as another process would. */
async function stage(script = readBoth, review: true | ToolReview = true) {
  const at = await scripted(script);
  const { read, ran } = readTool();
  const checkpointer = new MemorySaver();
  const start = (hooks: Hooks = createHooks(), options: HookedOptions = {}) => {
    const params = { model: at.model, tools: [read], checkpointer };
    const agent = createHookedAgent(params, hooks, { interruptOn: { read: review }, ...options });
    return {
      agent,
      run: () => agent.invoke(user('go'), config),
      /** Answers each interrupt by its id, in the form of LangChain. */
      async decide(...decisions: readonly object[]) {
        const { tasks } = await agent.graph.getState(config);
        const waiting = tasks.flatMap(({ interrupts }) => interrupts);
        const resume = waiting.flatMap(({ id = '', value }) => {
          const at = ['a', 'b'].findIndex((path) => value.actionRequests[0].args.path.endsWith(path));
          const decision = decisions[at];
          return decision === undefined ? [] : [[id, { decisions: [decision] }]];
        });
        return agent.invoke(new Command({ resume: Object.fromEntries(resume) }), config);
      },
      answer: (answers: object) => agent.invoke(new Command({ resume: answers }), config),
    };
  };
  return { at, ran, start, [Symbol.asyncDispose]: at[Symbol.asyncDispose] };
}

/** What a person is shown. */
function shown(result: object): unknown[] {
  const interrupts: readonly { readonly value: { readonly actionRequests?: readonly unknown[] } }[] =
    Reflect.get(result, '__interrupt__') ?? [];
  return interrupts.flatMap(({ value }) => value.actionRequests ?? []);
}

function watched() {
  const hooks = createHooks();
  const events: EventPayload[] = [];
  hooks.observe(HookEvent, (event) => void events.push(event));
  const types = () =>
    events
      .filter(({ type }) => /tool_call|permission|approval|user_input/.test(type))
      .map((event) => `${event.type}${'callId' in event ? ` ${event.callId}` : ''}`);
  return { hooks, events, types };
}

describe('interruptOn', () => {
  test("pauses with the payload of LangChain's middleware, also where no hook is registered", async () => {
    await using on = await stage(readA);
    const paused = await on.start().run();
    const bare = createAgent({
      model: on.at.model,
      middleware: [humanInTheLoopMiddleware({ interruptOn: { read: true } } as never) as never],
      checkpointer: new MemorySaver(),
    });
    const value = (result: object) => Reflect.get(result, '__interrupt__')?.[0]?.value;
    expect(value(paused)).toMatchObject(value(await bare.invoke(user('go') as never, config as never)));
    expect(on.ran).toEqual([]);
  });

  test('takes the options of LangChain', async () => {
    const asked: unknown[] = [];
    const review = {
      allowedDecisions: ['approve', 'reject'],
      description: ({ name, args }) => `May ${name} read ${args['path']}?`,
      argsSchema: { type: 'object' },
      when: ({ toolCall, tool: known }) => {
        asked.push(known);
        return toolCall.args['path'] === 'b';
      },
    } satisfies ToolReview;
    const theirs: ToolReview = {} as InterruptOnConfig; // compiles: what is written for LangChain fits
    expect(theirs).toBeDefined();
    await using on = await stage(readBoth, review);
    const { hooks } = watched();
    const paused = await on.start(hooks).run();
    expect(on.ran).toEqual([{ path: 'a' }]);
    expect(Reflect.get(paused, '__interrupt__')).toMatchObject([
      {
        value: {
          actionRequests: [{ name: 'read', args: { path: 'b' }, description: 'May read read b?' }],
          reviewConfigs: [
            { actionName: 'read', allowedDecisions: ['approve', 'reject'], argsSchema: { type: 'object' } },
          ],
        },
      },
    ]);
    expect(asked).toEqual([undefined, undefined]);
  });

  test('fires PermissionRequest: a grant spares the person, and the others are asked about', async () => {
    await using on = await stage();
    const { hooks, types } = watched();
    hooks.on(PermissionRequest, ({ callId, reason }) => {
      expect(reason).toContain('Tool: read');
      return callId === 'c1' ? grantApproval('a is free') : proceed();
    });
    const { run, answer } = on.start(hooks);
    expect(shown(await run())).toMatchObject([{ name: 'read', args: { path: 'b' } }]);
    expect(on.ran).toEqual([{ path: 'a' }]);
    await answer({ c2: { decision: 'allow' } });
    expect(on.ran).toEqual([{ path: 'a' }, { path: 'b' }]);
    expect(types().filter((type) => type.endsWith('c2') || type === 'user_input_required')).toEqual([
      'before_tool_call c2',
      'permission_request c2',
      'user_input_required',
      'tool_approval_decision c2',
      'after_tool_call c2',
    ]);
  });

  test('asks nobody where hooks decide, or end the run', async () => {
    await using on = await stage();
    const { hooks } = watched();
    hooks.on(BeforeToolCall, ({ callId }) => (callId === 'c1' ? grantApproval('free') : block('No b.')));
    await on.start(hooks).run();
    expect(on.ran).toEqual([{ path: 'a' }]);
    expect(resultsOf(on.at.server)).toEqual({ c1: 'content of a', c2: 'No b.' });

    await using ending = await stage();
    const { hooks: stopping, events } = watched();
    stopping.guard(BeforeToolCall, ({ callId }) =>
      callId === 'c2' ? block('That is enough.', { stop: true }) : proceed(),
    );
    const result = await ending.start(stopping).run();
    expect(await pendingApprovals(result)).toEqual([]);
    expect(blockReason(result)).toBe('That is enough.');
    expect(ending.ran).toEqual([]);
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'tool_approval_decision', callId: 'c1', approval: 'canceled' }),
    );
  });

  test('shows the input that will run; the history keeps the arguments of the model', async () => {
    await using on = await stage();
    const { hooks } = watched();
    hooks.on(BeforeToolCall, ({ input }) => modify({ input: { path: `safe/${Object(input).path}` } }));
    const { run, decide } = on.start(hooks);
    expect(shown(await run())).toContainEqual({
      name: 'read',
      args: { path: 'safe/a' },
      description: expect.stringContaining('safe/a'),
    });
    const { messages } = await decide(approve, approve);
    // The calls run at the same time, in no fixed order.
    expect(new Set(on.ran)).toEqual(new Set([{ path: 'safe/a' }, { path: 'safe/b' }]));
    expect(messages[1]).toMatchObject({ tool_calls: [{ args: { path: 'a' } }, { args: { path: 'b' } }] });
  });

  test('takes edited inputs, about which guards are asked, and a no, which stops no other call', async () => {
    await using on = await stage();
    const { hooks } = watched();
    hooks.guard(BeforeToolCall, ({ input }) => (Object(input).path === 'z' ? block('No z.') : proceed()));
    const { run, decide } = on.start(hooks);
    await run();
    await decide({ type: 'edit', editedAction: { name: 'read', args: { path: 'c' } } }, reject);
    expect(on.ran).toEqual([{ path: 'c' }]);
    expect(resultsOf(on.at.server)).toEqual({ c1: 'content of c', c2: 'Not b.' });

    await using again = await stage();
    const other = again.start(hooks);
    await other.run();
    await other.decide({ type: 'edit', editedAction: { name: 'read', args: { path: 'z' } } }, approve);
    expect(again.ran).toEqual([{ path: 'b' }]);
    expect(resultsOf(again.at.server)).toEqual({ c1: 'No z.', c2: 'content of b' });
  });

  test('takes answers by call id, and by the id of an interrupt; the others go on waiting', async () => {
    await using on = await stage();
    const { run, answer } = on.start();
    await run();
    const still = await answer({ c2: { decision: 'allow', input: { path: 'c' } } });
    expect(await pendingApprovals(still)).toMatchObject([{ callId: 'c1' }]);
    expect(on.ran).toEqual([{ path: 'c' }]);
    const { id } = Object(Reflect.get(still, '__interrupt__')?.[0]);
    await answer({ [id]: { decisions: [{ type: 'reject', message: 'Not a.' }] } });
    expect(resultsOf(on.at.server)).toEqual({ c1: 'Not a.', c2: 'content of c' });
  });

  test.each<[string, object, RegExp]>([
    [
      'one answer for two calls',
      { decisions: [approve] },
      /2 calls that interruptOn lists: answer by call id/,
    ],
    ['an answer that the tool does not allow', { c1: { decision: 'deny' } }, /"reject" is not allowed/],
  ])('refuses %s, and runs nothing', async (_what, resume, message) => {
    await using on = await stage(readBoth, { allowedDecisions: ['approve', 'edit'] });
    const { run, answer } = on.start();
    await run();
    const error = await answer(resume).catch((thrown: unknown) => thrown);
    // LangGraph puts several errors of one step into one.
    expect([error, ...(Object(error).errors ?? [])].map(String).join()).toMatch(message);
    expect(on.ran).toEqual([]);
  });

  test.each<[string, object[], RegExp]>([
    ['two decisions about one call', [approve, approve], /each interrupt is about one call/],
    ['a decision that the tool does not allow', [{ type: 'reject' }], /"reject" is not allowed/],
    ['no decision', [{}], /must be \{ type: 'approve' \}/],
    ['another tool', [{ type: 'edit', editedAction: { name: 'remove', args: {} } }], /calls another tool/],
  ])('refuses %s, and runs nothing, until it is answered well', async (_what, decisions, message) => {
    await using on = await stage(readA, { allowedDecisions: ['approve', 'edit'] });
    const { run, answer } = on.start();
    await run();
    await expect(answer({ decisions })).rejects.toThrow(message);
    expect(on.ran).toEqual([]);
    await answer({ decisions: [approve] });
    expect(on.ran).toEqual([{ path: 'a' }]);
  });

  test('has a person asked once, also where hooks require approval, too', async () => {
    await using on = await stage();
    const { hooks } = watched();
    hooks.on(BeforeToolCall, () => requireApproval('reads are sensitive', { by: 'person' }));
    const { run, decide } = on.start(hooks);
    expect(await pendingApprovals(await run())).toContainEqual(
      expect.objectContaining({ callId: 'c1', input: { path: 'a' }, reason: 'reads are sensitive' }),
    );
    expect(await pendingApprovals(await decide(approve, reject))).toEqual([]);
    expect(resultsOf(on.at.server)).toEqual({ c1: 'content of a', c2: 'Not b.' });
  });

  test('gives way to an approver, who is asked in place', async () => {
    await using on = await stage();
    const approval: HookedOptions['approval'] = ({ callId }) =>
      callId === 'c1' ? { decision: 'allow' } : { decision: 'deny', reason: 'Not b.' };
    await on.start(createHooks(), { approval }).run();
    expect(on.ran).toEqual([{ path: 'a' }]);
    expect(resultsOf(on.at.server)).toEqual({ c1: 'content of a', c2: 'Not b.' });
  });

  test('is about the call that it shows, and about no other to which the model gave the same id', async () => {
    await using at = await scripted(
      calls(
        { name: 'read', arguments: { path: 'a' }, id: 'c1' },
        { name: 'remove', arguments: { path: 'a' }, id: 'c1' },
      ),
    );
    const { read, ran } = readTool();
    const removed: unknown[] = [];
    const remove = tool(async (input: object) => removed.push(input), {
      name: 'remove',
      description: 'Removes a file.',
      schema: z.object({ path: z.string() }),
    });
    const agent = createHookedAgent(
      { model: at.model, tools: [read, remove], checkpointer: new MemorySaver() },
      createHooks(),
      { interruptOn: { read: true, remove: true } },
    );
    await agent.invoke(user('go'), config);
    expect([...ran, ...removed]).toEqual([]);
  });

  test.each(['tool', 'tool and name'] as const)(
    'is asked about the tool that a middleware puts in the place of another, by its %s',
    async (by) => {
      await using at = await scripted(calls({ name: 'look', arguments: { path: 'a' }, id: 'c1' }));
      const { read, ran } = readTool();
      const look = tool(async () => 'looked', {
        name: 'look',
        description: 'Looks.',
        schema: z.object({ path: z.string() }),
      });
      const replacing = createMiddleware({
        name: 'replacing',
        wrapToolCall: ({ toolCall, ...request }, handler) =>
          handler({
            ...request,
            tool: read,
            toolCall: by === 'tool' ? toolCall : { ...toolCall, name: 'read' },
          }),
      });
      const agent = createHookedAgent(
        {
          model: at.model,
          tools: [look, read],
          middleware: [replacing],
          checkpointer: new MemorySaver(),
        },
        createHooks(),
        { interruptOn: { read: true } },
      );
      const result = await agent.invoke(user('go'), config);
      expect(ran).toEqual([]);
      expect(shown(result)).toMatchObject([{ name: 'read', args: { path: 'a' } }]);
      const [waiting] = await pendingApprovals(result);
      await agent.invoke(new Command({ resume: { c1: { decision: 'allow', hash: waiting?.hash } } }), config);
      expect(ran).toEqual([{ path: 'a' }]);
    },
  );

  test('lets no hook call a tool that it lists in the place of another', async () => {
    await using at = await scripted(calls({ name: 'list', arguments: { path: 'a' }, id: 'c1' }));
    const { read, ran } = readTool();
    const list = tool(async () => 'a, b', {
      name: 'list',
      description: 'Lists files.',
      schema: z.object({ path: z.string() }),
    });
    const hooks = createHooks({ onError: () => {} });
    hooks.on(BeforeToolCall, () => modify({ toolName: 'read' }));
    const agent = createHookedAgent(
      { model: at.model, tools: [read, list], checkpointer: new MemorySaver() },
      hooks,
      { interruptOn: { read: true } },
    );
    await agent.invoke(user('go'), config);
    expect(ran).toEqual([]);
  });

  test('needs a checkpointer', () => {
    const params = { model: 'openai:gpt-5', tools: [readTool().read] };
    expect(() => createHookedAgent(params, createHooks(), { interruptOn: { read: true } })).toThrow(
      /interruptOn pauses the graph, which needs a `checkpointer`/,
    );
  });
});

describe('in another process', () => {
  const never: ToolReview = { allowedDecisions: ['approve', 'edit', 'reject'], when: () => false };
  const later: readonly (readonly [string, HookedOptions])[] = [
    ['does not list the tool', { interruptOn: {} }],
    ['would not review the call', { interruptOn: { read: never } }],
  ];

  test.each(later)("a person's answer counts, also where interruptOn %s by now", async (_name, options) => {
    const edited = { type: 'edit', editedAction: { name: 'read', args: { path: 'c' } } };
    for (const [decision, runs] of [
      [approve, ['a']],
      [edited, ['c']],
      [reject, []],
    ] as const) {
      await using at = await stage(readA);
      await at.start().run();
      await at.start(createHooks(), options).decide(decision);
      expect(at.ran).toEqual(runs.map((path) => ({ path })));
    }
  });

  test("a person's no is final and asks no hook; a yes asks hooks once more", async () => {
    await using on = await stage();
    await on.start(watched().hooks).run();
    const { hooks, events, types } = watched();
    hooks.on(PermissionRequest, () => grantApproval('all is free now'));
    await on.start(hooks).decide(approve, reject);
    expect(on.ran).toEqual([{ path: 'a' }]);
    expect(resultsOf(on.at.server)).toEqual({ c1: 'content of a', c2: 'Not b.' });
    expect(types()).not.toContain('before_tool_call c2');
    expect(events.filter(({ type }) => type === 'before_tool_call')).toMatchObject([
      { callId: 'c1', resumed: { decision: 'allow' } },
    ]);
  });
});

test('a hook after the call hears of each end once', async () => {
  await using on = await stage();
  const hooks = createHooks();
  const ends: string[] = [];
  hooks.on(AfterToolCall, ({ callId, status }) => {
    ends.push(`${callId} ${status}`);
    return proceed();
  });
  const { run, decide } = on.start(hooks);
  await run();
  await decide(approve, reject);
  expect(ends.toSorted()).toEqual(['c1 ok', 'c2 denied']);
});

test("LangChain's own humanInTheLoopMiddleware comes before the hooks: a Block still blocks what its person approved", async () => {
  await using at = await scripted(readBoth);
  const { read, ran } = readTool();
  const hooks = createHooks();
  const asked: unknown[] = [];
  hooks.on(BeforeToolCall, ({ callId, input }) => {
    asked.push(input);
    return callId === 'c1' ? block('Not a.') : proceed();
  });
  const middleware = [humanInTheLoopMiddleware({ interruptOn: { read: true } } as never) as never];
  const agent = createHookedAgent(
    { model: at.model, tools: [read], middleware, checkpointer: new MemorySaver() },
    hooks,
  );
  await agent.invoke(user('go'), config);
  expect(asked).toEqual([]);
  const edit = { type: 'edit', editedAction: { name: 'read', args: { path: 'z' } } };
  await agent.invoke(new Command({ resume: { decisions: [approve, edit] } }), config);
  expect(asked).toEqual([{ path: 'a' }, { path: 'z' }]);
  expect(ran).toEqual([{ path: 'z' }]);
});
