import type { ModelServer } from '@hooks/conformance';
import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  grantApproval,
  HookEvent,
  type Hooks,
  modify,
  PermissionRequest,
  proceed,
  requireApproval,
  SessionEnd,
  ToolApprovalDecision,
  TurnEnd,
  UserInputRequired,
} from '@hooks/core';
import { Mastra } from '@mastra/core';
import { RequestContext } from '@mastra/core/request-context';
import { InMemoryStore } from '@mastra/core/storage';
import { createTool } from '@mastra/core/tools';
import { Memory } from '@mastra/memory';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { blockReason, type HookedOptions, hookedAgent, pendingApprovals } from '../src/index.ts';
import { callThenText, makeAdd, modelOf, quiet, readByModel, runAgent, serve } from './fixtures.ts';

/** A process of its own, but for the storage. */
function start(
  server: ModelServer,
  hooks: Hooks,
  options: HookedOptions,
  storage = new InMemoryStore(),
  more: object = {},
  memory = new Memory(),
) {
  const { add, ran } = makeAdd();
  const agent = quiet(
    hookedAgent(
      { id: 'a', name: 'a', instructions: '', model: modelOf(server), tools: { add, ...more }, memory },
      hooks,
      options,
    ),
  );
  new Mastra({ agents: { agent }, storage, logger: false });
  return { agent, ran, storage };
}

const lastRead = (server: ModelServer) => readByModel(server, server.requests.length - 1);

describe.each([false, true])('approval (streamed: %s)', (streaming) => {
  const resume = async (
    agent: ReturnType<typeof start>['agent'],
    runId: string,
    approved: boolean,
    reason?: string,
    toolCallId = 'c1',
  ) => {
    const answer = { runId, toolCallId, ...(reason !== undefined && { reason }) };
    if (!streaming)
      return approved ? agent.approveToolCallGenerate(answer) : agent.declineToolCallGenerate(answer);
    const output = approved ? await agent.approveToolCall(answer) : await agent.declineToolCall(answer);
    return output.getFullOutput();
  };

  test('unless set, a call that requires it is denied, with a reason that names the option', async () => {
    await using server = await serve(callThenText('add', { a: 1 }));
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('Sure?'));
    const { agent, ran } = start(server, hooks, {});
    await runAgent(agent, 'Go', streaming);
    expect(ran).toEqual([]);
    expect(lastRead(server)['c1']).toMatch(/Sure\?.*approval/);
  });

  test('native: what is no decision is refused, and the call waits for one', async () => {
    await using server = await serve(callThenText('add', { a: 1 }));
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('Sure?'));
    const { agent, ran } = start(server, hooks, { approval: 'native' });
    const { runId = '' } = await runAgent(agent, 'Go', streaming);
    const answer = { decision: 'answer', output: 42 };
    const call = { runId, toolCallId: 'c1' };
    const answered = streaming ? agent.resumeStream(answer, call) : agent.resumeGenerate(answer, call);
    await expect(answered).rejects.toMatchObject({
      ...{ code: 'INVALID_INPUT', status: 400 },
      message: expect.stringMatching(/waits for approval.*approval. to a function/),
    });
    expect(ran).toEqual([]);
    await resume(agent, runId, true);
    expect(ran).toEqual([{ a: 1, b: 7 }]);
  });

  test('an approver is asked in place, and may give another input', async () => {
    await using server = await serve(callThenText('add', { a: 1 }));
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('Sure?'));
    const { agent, ran } = start(server, hooks, { approval: () => ({ decision: 'allow', input: { a: 3 } }) });
    await runAgent(agent, 'Go', streaming);
    expect(ran).toEqual([{ a: 3, b: 7 }]);
  });

  test('native: Mastra pauses; a yes runs the call, and no hook is asked twice', async () => {
    await using server = await serve(callThenText('add', { a: 1 }));
    const hooks = createHooks();
    const seen: string[] = [];
    hooks.observe(HookEvent, ({ type }) => void seen.push(type));
    hooks.on(BeforeToolCall, () => requireApproval('Sure?'));
    const { agent, ran } = start(server, hooks, { approval: 'native' });
    const paused = await runAgent(agent, 'Go', streaming);
    expect([paused.finishReason, ran]).toEqual(['suspended', []]);
    expect(await pendingApprovals(paused)).toMatchObject([
      {
        callId: 'c1',
        toolName: 'add',
        input: { a: 1 },
        reason: 'Sure?',
        hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    ]);
    expect(seen.at(-1)).toBe('user_input_required');
    const { text } = await resume(agent, paused.runId, true);
    await hooks.settled();
    expect([text, ran]).toEqual(['Done.', [{ a: 1, b: 7 }]]);
    for (const type of [
      'session_start',
      'before_tool_call',
      'permission_request',
      'tool_approval_decision',
      'after_tool_call',
      'session_end',
    ])
      expect([type, seen.filter((other) => other === type).length]).toEqual([type, 1]);
  });

  test('native: a no keeps the call from running; the model and the hooks read why', async () => {
    await using server = await serve(callThenText('add', { a: 1 }));
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on(BeforeToolCall, () => requireApproval('Sure?'));
    hooks.observe(ToolApprovalDecision, ({ approval, reason }) => void seen.push([approval, reason]));
    hooks.observe(AfterToolCall, ({ status, reason }) => void seen.push([status, reason]));
    const { agent, ran } = start(server, hooks, { approval: 'native' });
    const { runId } = await runAgent(agent, 'Go', streaming);
    await resume(agent, runId, false, 'No way.');
    await hooks.settled();
    expect([ran, lastRead(server)]).toEqual([[], { c1: 'No way.' }]);
    expect(seen).toEqual([
      ['deny', 'No way.'],
      ['denied', 'No way.'],
    ]);
  });

  test('native, in another process: the approved call runs, hooked; a Block still blocks', async () => {
    await using server = await serve(callThenText('add', { a: 1 }));
    const first = createHooks();
    first.on(BeforeToolCall, () => requireApproval('Sure?'));
    const { agent, storage } = start(server, first, { approval: 'native' });
    const { runId } = await runAgent(agent, 'Go', streaming);
    const second = createHooks();
    const asked: unknown[] = [];
    second.on(BeforeToolCall, ({ resumed }) => {
      asked.push(resumed?.decision);
      return requireApproval('Sure?');
    });
    second.on(AfterToolCall, () => modify({ output: 'hidden' }));
    const other = start(server, second, { approval: 'native' }, storage);
    expect(await pendingApprovals(await other.agent.listSuspendedRuns())).toMatchObject([
      { callId: 'c1', input: { a: 1 } },
    ]);
    await resume(other.agent, runId, true);
    expect([asked, other.ran, lastRead(server)]).toEqual([['allow'], [{ a: 1, b: 7 }], { c1: 'hidden' }]);

    const again = await runAgent(agent, 'Go', streaming);
    const third = createHooks();
    third.guard(BeforeToolCall, () => block('Not any more.'));
    const strict = start(server, third, { approval: 'native' }, storage);
    await resume(strict.agent, again.runId, true);
    expect([strict.ran, lastRead(server)]).toEqual([[], { c1: 'Not any more.' }]);
  });

  test('native, in another process: a no is final and asks no hook', async () => {
    await using server = await serve(callThenText('add', { a: 1 }));
    const first = createHooks();
    first.on(BeforeToolCall, () => requireApproval('Sure?'));
    const { agent, storage } = start(server, first, { approval: 'native' });
    const { runId } = await runAgent(agent, 'Go', streaming);
    const second = createHooks();
    second.on(BeforeToolCall, () => {
      throw new Error('asked');
    });
    const told: unknown[] = [];
    second.observe(ToolApprovalDecision, ({ callId, approval, reason }) => {
      told.push([callId, approval, reason]);
    });
    second.observe(AfterToolCall, ({ toolName, input, status, ran }) => {
      told.push([toolName, input, status, ran]);
    });
    const other = start(server, second, { approval: 'native' }, storage);
    await resume(other.agent, runId, false, 'No way.');
    expect([other.ran, lastRead(server)]).toEqual([[], { c1: 'No way.' }]);
    expect(told).toEqual([
      ['c1', 'deny', 'No way.'],
      ['add', { a: 1 }, 'denied', false],
    ]);
  });

  test('native, in another process: a call that was approved and then paused by itself has no approval there', async () => {
    await using server = await serve(callThenText('ask', {}));
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('Sure?'));
    const resumed: unknown[] = [];
    const ask = createTool({
      id: 'ask',
      description: 'Asks.',
      inputSchema: z.object({}),
      execute: async (_, { agent }) => {
        if (agent?.resumeData === undefined) return agent?.suspend({});
        return resumed.push(agent.resumeData);
      },
    });
    const { agent, storage } = start(server, hooks, { approval: 'native' }, undefined, { ask });
    const { runId } = await runAgent(agent, 'Go', streaming);
    expect((await resume(agent, runId, true)).finishReason).toBe('suspended');
    const second = createHooks();
    second.on(BeforeToolCall, () => requireApproval('Sure?'));
    const other = start(server, second, { approval: 'native' }, storage, { ask });
    const answer = { runId, toolCallId: 'c1' };
    if (streaming) await (await other.agent.resumeStream({ is: 'blue' }, answer)).getFullOutput();
    else await other.agent.resumeGenerate({ is: 'blue' }, answer);
    expect(resumed).toEqual([]);
    expect(lastRead(server)['c1']).toContain('Approval is required');
  });

  describe('native, another agent object of the same registry', () => {
    const pausedBy = async (server: ModelServer) => {
      const hooks = createHooks();
      const seen: unknown[] = [];
      hooks.on(BeforeToolCall, ({ callId }) => {
        seen.push(callId);
        return requireApproval('Sure?');
      });
      hooks.observe(ToolApprovalDecision, ({ approval, source, reason }) => {
        seen.push([approval, source, reason]);
      });
      hooks.observe(AfterToolCall, ({ status, ran }) => void seen.push([status, ran]));
      const memory = new Memory();
      const { agent, storage } = start(server, hooks, { approval: 'native' }, undefined, {}, memory);
      const thread = { memory: { thread: 't1', resource: 'r1' } };
      const { runId } = await (streaming
        ? (await agent.stream('Go', thread)).getFullOutput()
        : agent.generate('Go', thread));
      const other = start(server, hooks, { approval: 'native' }, storage, {}, memory);
      return { hooks, seen, runId: runId ?? '', other };
    };

    test('an approval runs the call, and no hook is asked twice', async () => {
      await using server = await serve(callThenText('add', { a: 1 }));
      const { hooks, seen, runId, other } = await pausedBy(server);
      const { text } = await resume(other.agent, runId, true);
      await hooks.settled();
      expect([text, other.ran]).toEqual(['Done.', [{ a: 1, b: 7 }]]);
      expect(seen).toEqual(['c1', ['allow', 'user_approved', undefined], ['ok', true]]);
    });

    test('a denial keeps the call from running, and hooks read why', async () => {
      await using server = await serve(callThenText('add', { a: 1 }));
      const { hooks, seen, runId, other } = await pausedBy(server);
      await resume(other.agent, runId, false, 'No way.');
      await hooks.settled();
      expect([other.ran, lastRead(server)]).toEqual([[], { c1: 'No way.' }]);
      expect(seen).toEqual(['c1', ['deny', 'user_rejected', 'No way.'], ['denied', false]]);
    });
  });

  test('native: an input that a hook has changed cannot be carried, so the call is blocked', async () => {
    await using server = await serve(callThenText('add', { a: 1 }));
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => modify({ input: { a: 2 } }));
    hooks.guard(BeforeToolCall, () => requireApproval('Sure?'));
    const ended: string[] = [];
    hooks.observe(AfterToolCall, ({ status }) => void ended.push(status));
    const { agent, ran } = start(server, hooks, { approval: 'native' });
    await runAgent(agent, 'Go', streaming);
    expect(ran).toEqual([]);
    expect(ended).toEqual(['blocked']);
    expect(lastRead(server)['c1']).toContain('to an approver');
  });

  test('native: a malformed call is never sent to a person', async () => {
    await using server = await serve(callThenText('add', { a: 'x' }));
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('Sure?'));
    const ended: unknown[] = [];
    hooks.observe(AfterToolCall, ({ status, code }) => void ended.push([status, code]));
    const { agent, ran } = start(server, hooks, { approval: 'native' });
    const { text } = await runAgent(agent, 'Go', streaming);
    expect([text, ran]).toEqual(['Done.', []]);
    expect(lastRead(server)['c1']).toContain('Tool input validation failed');
    expect(ended).toEqual([['error', 'INVALID_INPUT']]);
  });

  test('native: a tool that runs in the place of another is given what Mastra gives to a tool', async () => {
    await using server = await serve(callThenText('add', { a: 1 }));
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => modify({ toolName: 'look' }));
    const given: unknown[] = [];
    const look = createTool({
      id: 'look',
      description: 'Looks.',
      inputSchema: z.object({}),
      execute: async (_input, { agent: caller, requestContext }) => {
        given.push([caller?.toolCallId, requestContext?.get('who')]);
      },
    });
    const { agent } = start(server, hooks, { approval: 'native' }, undefined, { look });
    const requestContext = new RequestContext([['who', 'Ada']]);
    await runAgent(agent, 'Go', streaming, { requestContext });
    expect(given).toEqual([['c1', 'Ada']]);
  });

  test('native: parallel calls are answered each by itself', async () => {
    await using server = await serve([
      { toolCalls: [1, 2, 3].map((a) => ({ id: `c${a}`, name: 'add', arguments: { a } })) },
      { text: 'Done.' },
    ]);
    const hooks = createHooks();
    hooks.on(BeforeToolCall, ({ callId }) =>
      callId === 'c2' ? proceed() : requireApproval(`Sure of ${callId}?`),
    );
    const { agent, ran } = start(server, hooks, { approval: 'native' });
    const paused = await runAgent(agent, 'Go', streaming);
    expect((await pendingApprovals(paused)).map(({ reason }) => reason)).toEqual(['Sure of c1?']);
    const next = await resume(agent, paused.runId, true, undefined, 'c1');
    expect((await pendingApprovals(next)).map(({ reason }) => reason)).toEqual(['Sure of c3?']);
    await resume(agent, paused.runId, false, 'Not three.', 'c3');
    expect([...ran].sort()).toEqual([
      { a: 1, b: 7 },
      { a: 2, b: 7 },
    ]);
    expect(lastRead(server)).toEqual({ c1: '{"sum":8}', c2: '{"sum":9}', c3: 'Not three.' });
  });

  test('a tool that asks by itself fires PermissionRequest; a grant lifts the pause, a Block denies', async () => {
    await using server = await serve(callThenText('drop', {}));
    const ran: string[] = [];
    const drop = createTool({
      id: 'drop',
      description: 'Drops.',
      inputSchema: z.object({}),
      requireApproval: true,
      execute: async () => ran.push('drop'),
    });
    const granting = createHooks();
    granting.on(PermissionRequest, () => grantApproval('Fine.'));
    await runAgent(start(server, granting, {}, undefined, { drop }).agent, 'Go', streaming);
    expect(ran).toEqual(['drop']);
    const denying = createHooks();
    denying.guard(PermissionRequest, () => block('Never.'));
    await runAgent(start(server, denying, {}, undefined, { drop }).agent, 'Go', streaming);
    expect([ran, lastRead(server)]).toEqual([['drop'], { c1: 'Never.' }]);
    const watching = createHooks();
    const seen: string[] = [];
    watching.observe(PermissionRequest, ({ reason }) => void seen.push(reason));
    const { agent } = start(server, watching, {}, undefined, { drop });
    const paused = await runAgent(agent, 'Go', streaming);
    expect([paused.finishReason, seen]).toEqual(['suspended', ['The tool "drop" requires approval.']]);
    await resume(agent, paused.runId, true);
    expect(ran).toEqual(['drop', 'drop']);
  });

  test('requireToolApproval of the run is kept', async () => {
    await using server = await serve(callThenText('add', { a: 1 }));
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => proceed());
    const { agent, ran } = start(server, hooks, {});
    const paused = await runAgent(agent, 'Go', streaming, { requireToolApproval: true });
    expect([paused.finishReason, ran]).toEqual(['suspended', []]);
    await resume(agent, paused.runId, true);
    expect(ran.length).toBe(1);
  });

  test('native without a storage is refused when a run starts', async () => {
    await using server = await serve([]);
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => proceed());
    const agent = hookedAgent({ id: 'a', name: 'a', instructions: '', model: modelOf(server) }, hooks, {
      approval: 'native',
    });
    await expect(runAgent(agent, 'Go', streaming)).rejects.toThrow(/needs a storage/);
  });
});

test.each([
  { inner: 'deny', outer: 'native', ran: 0 },
  { inner: 'native', outer: 'deny', ran: 0 },
  { inner: 'approver', outer: 'native', ran: 1 },
  { inner: 'native', outer: 'approver', ran: 1 },
] as const)(
  'what a registry requires is approved by its own approver or by one further out, never by one further in, nor where it says deny ($outer around $inner)',
  async ({ inner, outer, ran }) => {
    await using server = await serve(callThenText('add', { a: 1 }));
    let asked = 0;
    const optionsOf = (approval: 'deny' | 'native' | 'approver'): HookedOptions => ({
      approval: approval === 'approver' ? () => ({ decision: ++asked > 0 ? 'allow' : 'deny' }) : approval,
    });
    const requiring = () => {
      const hooks = createHooks();
      hooks.on(BeforeToolCall, () => requireApproval('Sure?'));
      return hooks;
    };
    const { add, ran: runs } = makeAdd();
    const config = { id: 'a', name: 'a', instructions: '', model: modelOf(server), tools: { add } };
    const agent = quiet(
      hookedAgent(hookedAgent(config, requiring(), optionsOf(inner)), requiring(), optionsOf(outer)),
    );
    new Mastra({ agents: { agent }, storage: new InMemoryStore(), logger: false });
    const { runId = '', finishReason } = await agent.generate('Go');
    if (finishReason === 'suspended') await agent.approveToolCallGenerate({ runId, toolCallId: 'c1' });
    expect(runs).toHaveLength(ran);
    expect(asked).toBe([inner, outer].includes('approver') ? ran : 0);
  },
);

test.each([
  {
    when: 'before its call',
    register: (hooks: Hooks) => void hooks.guard(BeforeToolCall.matching('last'), stop),
  },
  { when: 'after its call', register: (hooks: Hooks) => void hooks.on(AfterToolCall.matching('last'), stop) },
])(
  'a hook that ends the run $when, beside a call that would wait: nobody is asked, and the run is over',
  async ({ register }) => {
    const toolCalls = [
      { id: 'ends', name: 'last', arguments: {} },
      { id: 'waits', name: 'add', arguments: { a: 1 } },
    ];
    await using server = await serve([{ toolCalls }, { text: 'Done.' }]);
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching('add'), () => requireApproval('Sure?'));
    register(hooks);
    const log: string[] = [];
    hooks.observe(AfterToolCall, ({ callId, status }) => void log.push(`${callId} ${status}`));
    hooks.observe(ToolApprovalDecision, ({ callId, approval }) => void log.push(`${callId} ${approval}`));
    hooks.observe(TurnEnd, ({ reason }) => void log.push(reason));
    hooks.observe(UserInputRequired, () => void log.push('asks'));
    hooks.observe(SessionEnd, () => void log.push('session ends'));
    const last = createTool({ id: 'last', description: 'd', execute: async () => 'done' });
    const { agent, ran } = start(server, hooks, { approval: 'native' }, new InMemoryStore(), { last });
    const result = await agent.generate('Go');
    await hooks.settled();
    expect([ran, blockReason(result), await pendingApprovals(result)]).toEqual([[], 'Enough.', []]);
    expect(server.requests).toHaveLength(1);
    expect(log.filter((line) => !line.startsWith('ends'))).toEqual([
      'waits canceled',
      'waits denied',
      'hook_blocked',
      'session ends',
    ]);
  },
);

function stop() {
  return block('Enough.', { stop: true });
}

test('in another process, a run that is resumed by its id alone goes on in the session of its thread', async () => {
  await using server = await serve(callThenText('add', { a: 1 }));
  const storage = new InMemoryStore();
  const make = () => {
    const hooks = createHooks();
    const sessions = new Set<string>();
    hooks.observe(HookEvent, ({ session }) => void sessions.add(session.id));
    const { add } = makeAdd();
    const tools = { add: Object.assign(add, { requireApproval: true }) };
    const memory = new Memory({ storage });
    const agent = quiet(
      hookedAgent({ id: 'a', name: 'a', instructions: '', model: modelOf(server), tools, memory }, hooks),
    );
    new Mastra({ agents: { agent }, storage, logger: false });
    return { hooks, agent, sessions };
  };
  const here = make();
  const { runId } = await here.agent.generate('Go', { memory: { thread: 'thread', resource: 'r' } });
  const there = make();
  await there.agent.approveToolCallGenerate({ runId: runId ?? '', toolCallId: 'c1' });
  await there.hooks.settled();
  expect(readByModel(server)['c1']).toContain('sum');
  expect([...there.sessions]).toEqual(['thread']);
});
