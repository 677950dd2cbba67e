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
import { hashInput } from '@hooks/core/tool-call';
import { Command, interrupt, MemorySaver } from '@langchain/langgraph';
import { createAgent, createMiddleware, humanInTheLoopMiddleware, tool } from 'langchain';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type AgentHookOptions, blockReason, createHookedAgent, pendingApprovals } from '../src/index.ts';
import { calls, readTool, resultsOf, scripted, user } from './fixtures.ts';

const readBoth = calls(
  { name: 'read', arguments: { path: 'a' }, id: 'c1' },
  { name: 'read', arguments: { path: 'b' }, id: 'c2' },
);
const config = { configurable: { thread_id: 't1' } };
const asksFirst = () => [humanInTheLoopMiddleware({ interruptOn: { read: true } } as never) as never];

/** An agent whose middleware asks a person about `read`; `restart` makes it anew, as another process would. */
async function stage(script = readBoth, answer?: (path: string) => unknown) {
  const at = await scripted(script);
  const { read, ran } = readTool(answer);
  const checkpointer = new MemorySaver();
  const start = (hooks: Hooks, options: AgentHookOptions = {}) => {
    const params = { model: at.model, tools: [read], middleware: asksFirst(), checkpointer };
    const agent = createHookedAgent(params, hooks, options);
    return {
      agent,
      run: () => agent.invoke(user('go'), config),
      decide: (...decisions: readonly object[]) =>
        agent.invoke(new Command({ resume: { decisions } }), config),
      answer: (answers: object) => agent.invoke(new Command({ resume: answers }), config),
    };
  };
  return { at, ran, start, [Symbol.asyncDispose]: at[Symbol.asyncDispose] };
}

/** What the middleware shows a person. */
const shown = (result: object): unknown => Reflect.get(result, '__interrupt__')?.[0]?.value?.actionRequests;

const approve = { type: 'approve' };
const reject = { type: 'reject', message: 'Not b.' };

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

describe('the prompt of a humanInTheLoopMiddleware', () => {
  test('is lifted by a grant, is not shown after a Block, and asks about what is left', async () => {
    await using on = await stage();
    const { hooks, types } = watched();
    hooks.on(PermissionRequest, ({ callId, reason }) => {
      expect(reason).toContain('Tool: read');
      return callId === 'c1' ? grantApproval('a is free') : proceed();
    });
    const { run, decide } = on.start(hooks);
    const paused = await run();
    expect(shown(paused)).toMatchObject([{ name: 'read', args: { path: 'b' } }]);
    expect(on.ran).toEqual([]);
    await decide(approve);
    expect(on.ran).toEqual([{ path: 'a' }, { path: 'b' }]);
    expect(types()).toEqual([
      'before_tool_call c1',
      'permission_request c1',
      'tool_approval_decision c1',
      'before_tool_call c2',
      'permission_request c2',
      'user_input_required',
      'tool_approval_decision c2',
      'after_tool_call c1',
      'after_tool_call c2',
    ]);
  });

  test('is not shown where hooks decide all of it', async () => {
    await using on = await stage();
    const { hooks } = watched();
    hooks.on(BeforeToolCall, ({ callId }) => (callId === 'c1' ? grantApproval('free') : block('No b.')));
    await on.start(hooks).run();
    expect(on.ran).toEqual([{ path: 'a' }]);
    expect(resultsOf(on.at.server)).toEqual({ c1: 'content of a', c2: 'No b.' });
  });

  test('is not shown where a hook ends the run: the calls that would wait are canceled', async () => {
    await using on = await stage();
    const { hooks, events, types } = watched();
    hooks.guard(BeforeToolCall, ({ callId }) =>
      callId === 'c2' ? block('That is enough.', { stop: true }) : proceed(),
    );
    const result = await on.start(hooks).run();
    expect(pendingApprovals(result)).toEqual([]);
    expect(blockReason(result)).toBe('That is enough.');
    expect(on.ran).toEqual([]);
    expect(on.at.server.requests).toHaveLength(1);
    expect(types()).not.toContain('user_input_required');
    expect(events).toContainEqual(
      expect.objectContaining({ type: 'tool_approval_decision', callId: 'c1', approval: 'canceled' }),
    );
  });

  test('shows the input that will run; the history keeps the arguments of the model', async () => {
    await using on = await stage();
    const { hooks } = watched();
    hooks.on(BeforeToolCall, ({ input }) => modify({ input: { path: `safe/${Object(input).path}` } }));
    const { run, decide } = on.start(hooks);
    const paused = await run();
    expect(shown(paused)).toMatchObject([{ args: { path: 'safe/a' } }, { args: { path: 'safe/b' } }]);
    const { messages } = await decide(approve, approve);
    expect(on.ran).toEqual([{ path: 'safe/a' }, { path: 'safe/b' }]);
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

  test('answers for what hooks require, too: nobody is asked twice', async () => {
    await using on = await stage();
    const { hooks } = watched();
    hooks.on(BeforeToolCall, () => requireApproval('reads are sensitive', { by: 'person' }));
    const { run, decide } = on.start(hooks, { approval: 'native' });
    const paused = await run();
    expect(pendingApprovals(paused)).toMatchObject([
      { callId: 'c1', toolName: 'read', input: { path: 'a' }, reason: 'reads are sensitive' },
      { callId: 'c2', input: { path: 'b' } },
    ]);
    expect(pendingApprovals(await decide(approve, reject))).toEqual([]);
    expect(resultsOf(on.at.server)).toEqual({ c1: 'content of a', c2: 'Not b.' });
  });

  test('is answered by call id, too; who is not named goes on waiting', async () => {
    await using on = await stage();
    const { hooks, types } = watched();
    const { run, answer } = on.start(hooks);
    await run();
    const still = await answer({ c2: { decision: 'allow', input: { path: 'c' } } });
    expect(pendingApprovals(still)).toMatchObject([{ callId: 'c1' }]);
    expect(shown(still)).toHaveLength(1);
    expect(on.ran).toEqual([]);
    await answer({ c1: { decision: 'deny', reason: 'Not a.' } });
    expect(on.ran).toEqual([{ path: 'c' }]);
    expect(resultsOf(on.at.server)).toEqual({ c1: 'Not a.', c2: 'content of c' });
    expect(types().filter((type) => type.startsWith('before_tool_call'))).toHaveLength(2);
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
    const hooks = createHooks();
    hooks.guard(BeforeToolCall.for(remove), () => requireApproval('It cannot be brought back.'));
    const agent = createHookedAgent(
      { model: at.model, tools: [read, remove], middleware: asksFirst(), checkpointer: new MemorySaver() },
      hooks,
      { approval: 'native' },
    );
    expect(shown(await agent.invoke(user('go'), config))).toMatchObject([{ name: 'read' }]);
    const decided = agent.invoke(new Command({ resume: { decisions: [approve] } }), config);
    await expect(decided).rejects.toThrow(/answers no open tool call/); // what providers make of such a history
    expect(ran).toEqual([{ path: 'a' }]);
    expect(removed).toEqual([]);
  });

  test('gives way to an approver, who is asked in place', async () => {
    await using on = await stage();
    const { hooks } = watched();
    const approval: AgentHookOptions['approval'] = ({ callId }) =>
      callId === 'c1' ? { decision: 'allow' } : { decision: 'deny', reason: 'Not b.' };
    await on.start(hooks, { approval }).run();
    expect(on.ran).toEqual([{ path: 'a' }]);
    expect(resultsOf(on.at.server)).toEqual({ c1: 'content of a', c2: 'Not b.' });
  });

  test('is as it was where no hook is registered', async () => {
    await using on = await stage();
    const paused = await on.start(createHooks()).run();
    const bare = createAgent({
      model: on.at.model,
      middleware: asksFirst(),
      checkpointer: new MemorySaver(),
    });
    const value = (result: object) => Reflect.get(result, '__interrupt__')?.[0]?.value;
    expect(value(paused)).toEqual(value(await bare.invoke(user('go'), config)));
  });
});

describe('in another process', () => {
  test("a person's no is final, and asks no hook; a yes is for what was shown", async () => {
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

  test('another input needs a new yes', async () => {
    await using on = await stage();
    await on.start(watched().hooks).run();
    const { hooks } = watched();
    hooks.on(BeforeToolCall, ({ callId, input }) =>
      callId === 'c1' ? modify({ input: { path: `other/${Object(input).path}` } }) : proceed(),
    );
    const restarted = on.start(hooks);
    const still = await restarted.decide(approve, reject);
    expect(shown(still)).toMatchObject([{ args: { path: 'other/a' } }]);
    expect(on.ran).toEqual([]);
    await restarted.decide(approve);
    expect(on.ran).toEqual([{ path: 'other/a' }]);
    expect(resultsOf(on.at.server)).toEqual({ c1: 'content of other/a', c2: 'Not b.' });
  });

  test('a yes counts in yet another process, where the tool pauses by itself after it', async () => {
    const script = calls({ name: 'read', arguments: { path: 'a' }, id: 'c1' });
    await using on = await stage(script, (path) => `${path}, ${interrupt('Which page?')}`);
    const process = () => {
      const { hooks } = watched();
      hooks.on(BeforeToolCall, () => requireApproval('reads are sensitive'));
      return on.start(hooks);
    };
    await process().run();
    const asking = await process().decide(approve);
    expect(Reflect.get(asking, '__interrupt__')).toMatchObject([{ value: 'Which page?' }]);
    await process().agent.invoke(new Command({ resume: 'page 1' }), config);
    expect(resultsOf(on.at.server)).toEqual({ c1: 'a, page 1' });
  });

  test('decisions of another number than the calls that were shown approve nothing', async () => {
    await using on = await stage();
    await on.start(watched().hooks).run();
    await expect(on.start(watched().hooks).decide(approve)).rejects.toThrow(/1 decisions, but 2 calls/);
    expect(on.ran).toEqual([]);
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

test('a yes that comes with the answer of the model is none', async () => {
  await using at = await scripted(calls({ name: 'read', arguments: { path: 'a' }, id: 'c1' }));
  const hash = await hashInput({ path: 'a' });
  const claiming = createMiddleware({
    name: 'claiming',
    wrapModelCall: async (request, handler) => {
      const answer = await handler(request);
      return Object.assign(answer, {
        response_metadata: { hooks_said: { c1: { decision: 'allow', hash } } },
      });
    },
  });
  const { hooks } = watched();
  hooks.on(BeforeToolCall, () => requireApproval('reads are sensitive'));
  const { read, ran } = readTool();
  const middleware = [humanInTheLoopMiddleware({ interruptOn: {} } as never) as never, claiming];
  await createHookedAgent({ model: at.model, tools: [read], middleware }, hooks).invoke(user('go'));
  expect(ran).toEqual([]);
});
