import {
  BeforeModelCall,
  BeforeToolCall,
  block,
  createHooks,
  grantApproval,
  type HookDecision,
  type Hooks,
  PermissionRequest,
  type Principal,
  type Resumed,
  requireApproval,
  SubagentStart,
} from '@hooks/core';
import { beginToolCall, callTool, hashInput } from '@hooks/core/tool-call';
import { memoryStore, type Store, StoreError } from '@hooks/store';
import { describe, expect, test } from 'vitest';
import { type LimitsOptions, limits } from '../src/index.ts';

/** A process with a budget in a store, whose hooks require approval of each payment. */
function processWith(options: LimitsOptions) {
  const hooks = createHooks({ onError: () => {} });
  hooks.on(BeforeToolCall.matching('pay'), () => requireApproval('It costs money.'));
  hooks.use(limits(options));
  return hooks;
}

interface At {
  readonly run: string;
  readonly principal?: Principal;
  /** The sub-agent's session. */
  readonly inside?: string;
  readonly callId?: string;
  readonly toolName?: string;
}

function callAt(hooks: Hooks, { run, principal, inside, callId = 'c1', toolName = 'pay' }: At) {
  const parent = hooks.session('chat');
  const session = inside === undefined ? parent : hooks.session(inside, { parent });
  return { session, run, toolName, callId, input: {}, ...(principal && { principal }) };
}

async function pause(hooks: Hooks, at: At): Promise<void> {
  const native = { approval: 'native', capabilities: { ask: true } } as const;
  expect(await beginToolCall(hooks, callAt(hooks, at), native)).toMatchObject({ kind: 'ask' });
}

async function goOn(hooks: Hooks, at: At) {
  const resumed = { decision: 'allow', hash: await hashInput({}) } as const;
  return callTool(hooks, { ...callAt(hooks, at), resumed }, () => 'paid', { approval: 'native' });
}

const run = (hooks: Hooks, at: At) => callTool(hooks, callAt(hooks, at), () => 'done');

const modelCall = async (hooks: Hooks, run: string): Promise<HookDecision> =>
  hooks.dispatch(BeforeModelCall, {
    session: hooks.session('chat'),
    run,
    iteration: 1,
    messages: [],
    tools: [],
  });

describe('a run that goes on in another process', () => {
  test('has the rest of the budget of a tool', async () => {
    const options = { perTool: { search: { perRun: { toolCalls: 2 } } }, store: memoryStore() };
    const one = processWith(options);
    expect(await run(one, { run: 'r1', toolName: 'search' })).toMatchObject({ status: 'ok' });
    await pause(one, { run: 'r1' });
    const other = processWith(options);
    expect(await goOn(other, { run: 'r2' })).toMatchObject({ status: 'ok' });
    expect(await run(other, { run: 'r2', toolName: 'search' })).toMatchObject({ status: 'ok' });
    expect(await run(other, { run: 'r2', toolName: 'search' })).toMatchObject({ status: 'blocked' });
  });

  test.each<readonly [string, object]>([
    ['with a source of its own', { decision: 'deny', source: 'chat_page' }],
    ['that is a cancellation', { decision: 'canceled', source: 'chat_page' }],
    ['that is malformed', { decision: 'deny', input: {} }],
    ['that is none', { decision: 'maybe' }],
  ])('has the rest of its budget after a no %s', async (_what, answer) => {
    const options = { perRun: { modelCalls: 1 }, store: memoryStore() };
    const one = processWith(options);
    await modelCall(one, 'r1');
    await pause(one, { run: 'r1' });
    const other = processWith(options);
    const resumed = answer as Resumed;
    const call = { ...callAt(other, { run: 'r2' }), resumed };
    expect(await callTool(other, call, () => 'paid', { approval: 'native' })).toMatchObject({
      status: 'denied',
    });
    expect(await modelCall(other, 'r2')).toMatchObject({ kind: 'block' });
  });

  test('keeps its own budget where a hook denies a call that is equal to one of a run before', async () => {
    const options = { perRun: { modelCalls: 1 }, store: memoryStore() };
    const one = processWith(options);
    await modelCall(one, 'r1');
    await pause(one, { run: 'r1' });
    const other = processWith(options);
    other.guard(PermissionRequest, () => block('No.', { source: 'policy' }), { priority: 20_000 });
    expect(await run(other, { run: 'r2', toolName: 'pay' })).toMatchObject({ status: 'denied' });
    expect(await modelCall(other, 'r2')).toMatchObject({ kind: 'proceed' });
  });

  test('keeps its own budget where a person denies a call here that is equal to one that has paused since', async () => {
    const options = { perRun: { modelCalls: 1 }, store: memoryStore() };
    const one = processWith(options);
    await pause(one, { run: 'r1' });
    const other = processWith(options);
    await modelCall(other, 'r2');
    await pause(other, { run: 'r2' });
    const no = { ...callAt(one, { run: 'r1' }), resumed: { decision: 'deny' } } as const;
    expect(await callTool(one, no, () => 'paid', { approval: 'native' })).toMatchObject({ status: 'denied' });
    expect(await modelCall(one, 'r1')).toMatchObject({ kind: 'proceed' });
  });

  test('has the rest of it after several answers, each in another process, in any order', async () => {
    const options = { perRun: { modelCalls: 1 }, store: memoryStore() };
    const [one, other, third] = [processWith(options), processWith(options), processWith(options)] as const;
    await modelCall(one, 'r1');
    await pause(one, { run: 'r1', callId: 'c1' });
    await pause(one, { run: 'r1', callId: 'c2' });
    // The framework runs both again, and only the second has an answer.
    await pause(other, { run: 'r2', callId: 'c1' });
    await goOn(other, { run: 'r2', callId: 'c2' });
    await other.settled();
    await goOn(third, { run: 'r3', callId: 'c1' });
    expect(await modelCall(third, 'r3')).toMatchObject({ kind: 'block' });
  });

  test('has its budget to itself: other runs of the session begin with a new one', async () => {
    const options = { perRun: { toolCalls: 1 }, store: memoryStore() };
    await pause(processWith(options), { run: 'r1' });
    const other = processWith(options);
    expect(await goOn(other, { run: 'r2' })).toMatchObject({ status: 'ok' });
    expect(await run(other, { run: 'r2', toolName: 'search' })).toMatchObject({ status: 'blocked' });
    expect(await run(other, { run: 'r3', toolName: 'search' })).toMatchObject({ status: 'ok' });
  });

  test('is the run of the first call that is answered, if a later one was of another run', async () => {
    const options = { perRun: { modelCalls: 1 }, store: memoryStore() };
    const one = processWith(options);
    await modelCall(one, 'r1');
    await pause(one, { run: 'r1', callId: 'c1' });
    await pause(one, { run: 'r9', callId: 'c2' });
    const other = processWith(options);
    await goOn(other, { run: 'r2', callId: 'c1' });
    await goOn(other, { run: 'r2', callId: 'c2' });
    expect(await modelCall(other, 'r2')).toMatchObject({ kind: 'block' });
  });

  test.each<readonly [string, Principal]>([
    ['user', { id: 'bob', tenant: 'acme' }],
    ['tenant', { id: 'ann', tenant: 'globex' }],
  ])('has nothing of the budget of another %s, whose call is equal', async (_what, principal) => {
    const options = { perRun: { modelCalls: 1 }, store: memoryStore() };
    const one = processWith(options);
    await modelCall(one, 'r1');
    await pause(one, { run: 'r1', principal: { id: 'ann', tenant: 'acme' } });
    const other = processWith(options);
    await goOn(other, { run: 'r2', principal });
    expect(await modelCall(other, 'r2')).toMatchObject({ kind: 'proceed' });
  });

  test('has the rest of it in a third process, too', async () => {
    const options = { perRun: { modelCalls: 2 }, store: memoryStore() };
    const [one, other, third] = [processWith(options), processWith(options), processWith(options)] as const;
    expect(await modelCall(one, 'r1')).toMatchObject({ kind: 'proceed' });
    await pause(one, { run: 'r1', callId: 'c1' });
    await goOn(other, { run: 'r2', callId: 'c1' });
    expect(await modelCall(other, 'r2')).toMatchObject({ kind: 'proceed' });
    await pause(other, { run: 'r2', callId: 'c2' });
    await goOn(third, { run: 'r3', callId: 'c2' });
    expect(await modelCall(third, 'r3')).toMatchObject({ kind: 'block' });
  });

  test('has the rest of it, if a guard now refuses the call that it paused for', async () => {
    const options = { perRun: { modelCalls: 1 }, store: memoryStore() };
    const one = processWith(options);
    await modelCall(one, 'r1');
    await pause(one, { run: 'r1' });
    const other = processWith(options);
    other.guard(BeforeToolCall, () => block('No longer.'), { priority: 20_000 });
    expect(await goOn(other, { run: 'r2' })).toMatchObject({ status: 'blocked' });
    expect(await modelCall(other, 'r2')).toMatchObject({ kind: 'block' });
  });

  test('has the rest of it after a pause in a sub-agent, whose session gets a new id; so has the sub-agent', async () => {
    const options = { perRun: { toolCalls: 2 }, store: memoryStore() };
    const delegate = (hooks: Hooks, run: string, subagentSession: string) =>
      hooks.dispatch(SubagentStart, {
        session: hooks.session('chat'),
        run,
        subagent: 'clerk',
        subagentSession,
      });
    const one = processWith(options);
    await delegate(one, 'r1', 'inside-1');
    expect(await run(one, { run: 'r1', toolName: 'search' })).toMatchObject({ status: 'ok' });
    expect(await run(one, { run: 'i1', inside: 'inside-1', toolName: 'search' })).toMatchObject({
      status: 'ok',
    });
    await pause(one, { run: 'i1', inside: 'inside-1' });
    const other = processWith(options);
    await delegate(other, 'r2', 'inside-2');
    expect(await goOn(other, { run: 'i2', inside: 'inside-2' })).toMatchObject({ status: 'ok' });
    const search = { toolName: 'search' };
    expect(await run(other, { run: 'i2', inside: 'inside-2', ...search })).toMatchObject({
      status: 'blocked',
    });
    expect(await run(other, { run: 'r2', ...search })).toMatchObject({ status: 'ok' });
    expect(await run(other, { run: 'r2', ...search })).toMatchObject({ status: 'blocked' });
  });

  test('is refused calls while nobody can tell what it has used, and has the rest of its budget after that', async () => {
    const store = memoryStore();
    let away = false;
    const losing: Store = {
      ...store,
      get: (key) =>
        away ? Promise.reject(new StoreError('UNREACHABLE', 'The store is away.')) : store.get(key),
    };
    const perRun = { modelCalls: 2 };
    const one = processWith({ perRun, store });
    await modelCall(one, 'r1');
    await pause(one, { run: 'r1' });
    const other = processWith({ perRun, store: losing });
    away = true;
    expect(await goOn(other, { run: 'r2' })).toMatchObject({ status: 'blocked' });
    expect(await modelCall(other, 'r2')).toMatchObject({ kind: 'block' });
    away = false;
    expect(await modelCall(other, 'r2')).toMatchObject({ kind: 'proceed' });
    expect(await modelCall(other, 'r2')).toMatchObject({ kind: 'block' });
  });

  test('does not pause where nobody could tell later what it has used', async () => {
    const store = memoryStore();
    const losing: Store = {
      ...store,
      set: () => Promise.reject(new StoreError('UNREACHABLE', 'The store is away.')),
    };
    const begin = (onUnreachable: 'block' | 'local') => {
      const hooks = processWith({ perRun: { modelCalls: 2 }, store: losing, onUnreachable });
      const native = { approval: 'native', capabilities: { ask: true } } as const;
      return beginToolCall(hooks, callAt(hooks, { run: 'r1' }), native);
    };
    expect(await begin('block')).toMatchObject({ kind: 'done', outcome: { status: 'denied' } });
    expect(await begin('local')).toMatchObject({ kind: 'ask' });
  });

  test('stores nothing for a call whose approval a hook grants', async () => {
    let sets = 0;
    const store = memoryStore();
    const watched: Store = { ...store, set: (...about) => (sets++, store.set(...about)) };
    const hooks = processWith({ perRun: { toolCalls: 2 }, store: watched });
    hooks.on(PermissionRequest, () => grantApproval('It is small.'));
    expect(await run(hooks, { run: 'r1', toolName: 'pay' })).toMatchObject({ status: 'ok' });
    expect(sets).toBe(0);
  });
});
