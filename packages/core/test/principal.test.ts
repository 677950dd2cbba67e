import { describe, expect, it } from 'vitest';
import { openRun } from '../src/adapter/index.ts';
import {
  AfterToolCall,
  type Approver,
  BeforeToolCall,
  block,
  createHooks,
  defineEvent,
  type EventPayload,
  HookEvent,
  type Hooks,
  type Principal,
  proceed,
  requireApproval,
  SessionStart,
  UserPromptSubmit,
} from '../src/index.ts';
import { beginToolCall, callTool, finishToolCall } from '../src/tool-call/index.ts';

const ann: Principal = { id: 'ann', roles: ['admin'], tenant: 'acme' };
const bob: Principal = { id: 'bob' };

/** The events of a registry, each as `type:principal`. */
function watch(hooks: Hooks): readonly string[] {
  const seen: string[] = [];
  hooks.observe(HookEvent, ({ type, principal }) => void seen.push(`${type}:${principal?.id ?? '-'}`));
  return seen;
}

interface Deploy extends EventPayload {
  readonly target: string;
}
const Deploy = defineEvent<Deploy>()({ type: 'acme_deploy', permits: ['block'], extends: HookEvent });

describe('the principal of a session', () => {
  it('is in every event of the session', async () => {
    const hooks = createHooks();
    const seen = watch(hooks);
    const session = hooks.session('chat', { principal: ann });
    await hooks.dispatch(Deploy, { session, target: 'prod' });
    await callTool(hooks, { session, toolName: 'exec', input: {} }, () => 'ok');
    await session.close();
    expect(seen).toEqual([
      'session_start:ann',
      'acme_deploy:ann',
      'before_tool_call:ann',
      'before_execute:ann',
      'transform_tool_result:ann',
      'after_tool_call:ann',
      'session_end:ann',
    ]);
  });

  it('is that of the session in which a sub-agent was started, unless it has its own', () => {
    const hooks = createHooks();
    const parent = hooks.session('parent', { principal: ann });
    expect(hooks.session('child', { parent }).principal).toEqual(ann);
    expect(hooks.session('other', { parent, principal: bob }).principal).toEqual(bob);
  });

  it('changes when the session is asked for with another one, and stays when with none', () => {
    const hooks = createHooks();
    const session = hooks.session('chat', { principal: ann });
    expect(hooks.session('chat').principal).toEqual(ann);
    hooks.session('chat', { principal: bob });
    expect(session.principal).toEqual(bob);
  });

  it('cannot be changed by a hook', async () => {
    const hooks = createHooks();
    const session = hooks.session('chat', { principal: { id: 'bob', roles: [] } });
    hooks.on(BeforeToolCall, ({ principal, session: own }) => {
      for (const { roles } of [principal!, own.principal!])
        expect(() => (roles as string[]).push('admin')).toThrow(TypeError);
      return proceed();
    });
    expect(await callTool(hooks, { session, toolName: 'exec', input: {} }, () => 'ok')).toMatchObject({
      status: 'ok',
    });
  });
});

it('a session that is opened again for a resumed run is for the same principal', async () => {
  const hooks = createHooks();
  hooks.session('thread', { principal: ann });
  const run = openRun(hooks, { sessionId: 'thread' });
  await run.begin();
  await run.session.close();
  run.resume(undefined);
  expect(run.session.principal).toEqual(ann);
});

describe('the principal of a run', () => {
  it('wins over that of the session, also where it opens the session', async () => {
    const hooks = createHooks();
    const seen = watch(hooks);
    hooks.session('thread', { principal: ann });
    const run = openRun(hooks, { sessionId: 'thread', principal: bob });
    await run.begin();
    await run.submit([{ text: 'hi' }]);
    await run.startTurn();
    await run.callTool({ toolName: 'exec', input: {} }, () => 'ok');
    await run.end({ kind: 'done', response: 'bye' });
    expect(new Set(seen.map((line) => line.split(':')[1]))).toEqual(new Set(['bob']));
    expect(seen).toContain('session_start:bob');
  });

  it('does not stay in an identified session, in which the next run may be for somebody else', async () => {
    const hooks = createHooks();
    const first = openRun(hooks, { sessionId: 'thread', principal: ann });
    await first.begin();
    await first.end({ kind: 'done' });
    const seen = watch(hooks);
    const second = openRun(hooks, { sessionId: 'thread' });
    await second.begin();
    await second.submit([{ text: 'hi' }]);
    expect(seen).toEqual(['user_prompt_submit:-', 'before_run:-']);
  });

  it('is that of a session of its own, to the end', async () => {
    const hooks = createHooks();
    const seen = watch(hooks);
    const run = openRun(hooks, { principal: ann });
    await run.begin();
    await run.end({ kind: 'done' });
    expect(seen).toEqual(['session_start:ann', 'session_end:ann']);
  });

  it('is inherited by sub-agents, unless they have their own', async () => {
    const hooks = createHooks();
    const run = openRun(hooks, { principal: ann });
    const seen = watch(hooks);
    for (const own of [{}, { principal: bob }]) {
      const child = run.openChild({ agent: 'helper', ...own });
      await child.begin();
      await child.callTool({ toolName: 'exec', input: {} }, () => 'ok');
      await child.end({ kind: 'done' });
    }
    expect(seen.filter((line) => /before_tool_call|session_end/.test(line))).toEqual([
      'before_tool_call:ann',
      'session_end:ann',
      'before_tool_call:bob',
      'session_end:bob',
    ]);
  });

  it('loses to that of a tool call', async () => {
    const hooks = createHooks();
    const seen = watch(hooks);
    const run = openRun(hooks, { principal: ann });
    await run.callTool({ toolName: 'exec', input: {}, principal: bob }, () => 'ok');
    await run.callTool({ toolName: 'exec', input: {}, principal: undefined }, () => 'ok');
    expect(seen.filter((line) => line.startsWith('after_tool_call'))).toEqual([
      'after_tool_call:bob',
      'after_tool_call:ann',
    ]);
  });

  it('is the same for all registries', async () => {
    const [outer, inner] = [createHooks(), createHooks()];
    const seen = watch(inner);
    const run = openRun([{ hooks: outer }, { hooks: inner }], { principal: ann });
    await run.begin();
    await run.callTool({ toolName: 'exec', input: {} }, () => 'ok');
    await run.end({ kind: 'done' });
    expect(new Set(seen.map((line) => line.split(':')[1]))).toEqual(new Set(['ann']));
  });
});

describe('the principal of a tool call', () => {
  it('lets a guard refuse by role', async () => {
    const hooks = createHooks();
    hooks.guard(BeforeToolCall, ({ principal }) =>
      principal?.roles?.includes('admin') ? proceed() : block('Only admins may do that.'),
    );
    const session = hooks.session();
    const call = { session, toolName: 'exec', input: {} };
    expect(await callTool(hooks, { ...call, principal: ann }, () => 'ok')).toMatchObject({ status: 'ok' });
    expect(await callTool(hooks, { ...call, principal: bob }, () => 'ok')).toMatchObject({
      status: 'blocked',
    });
    expect(await callTool(hooks, call, () => 'ok')).toMatchObject({ status: 'blocked' });
  });

  it('is shown to the approver', async () => {
    const hooks = createHooks();
    hooks.guard(BeforeToolCall, () => requireApproval('sure?'));
    const asked: unknown[] = [];
    const call = { session: hooks.session(), toolName: 'exec', input: {}, principal: ann };
    await callTool(hooks, call, () => 'ok', {
      approval: ({ principal }) => {
        asked.push(principal);
        return { decision: 'allow' };
      },
    });
    expect(asked).toEqual([ann]);
  });

  it('is in the token of a call that goes on in another process', async () => {
    const here = createHooks();
    const session = here.session('chat', { principal: ann });
    const begun = await beginToolCall(here, { session, toolName: 'exec', input: {} });
    if (begun.kind !== 'run') throw new Error('it runs');
    const there = createHooks();
    const principals: unknown[] = [];
    there.observe(AfterToolCall, ({ principal }) => void principals.push(principal));
    await finishToolCall(there, JSON.parse(JSON.stringify(begun.token)), { output: 'ok' });
    expect(principals).toEqual([ann]);
  });
});

it('a user is the same one in whatever order the roles come', () => {
  const run = openRun(createHooks(), {
    sessionId: 's',
    principal: { id: 'ann', roles: ['admin', 'editor'] },
  });
  expect(run.isFor({ id: 'ann', roles: ['editor', 'admin'] })).toBe(true);
  expect(run.isFor({ id: 'ann', roles: ['admin'] })).toBe(false);
  expect(run.isFor({ id: 'ann', roles: ['admin', 'editor', 'owner'] })).toBe(false);
  expect(run.isFor({ id: 'ann', roles: ['admin,editor'] })).toBe(false);
});

it('a trace shows the principal', async () => {
  const hooks = createHooks();
  const traced: unknown[] = [];
  hooks.trace(({ event }) => void traced.push(event.principal?.id));
  hooks.guard(Deploy, () => proceed());
  await hooks.dispatch(Deploy, { session: hooks.session(), target: 'prod', principal: ann });
  expect(traced).toEqual(['ann']);
});

it('a pending approval tells the principal of its call', async () => {
  const hooks = createHooks();
  hooks.on(BeforeToolCall, () => requireApproval('sure?'));
  const run = openRun(hooks, { principal: ann });
  const asking = { approval: 'native', capabilities: { ask: true } } as const;
  await run.beginTool({ callId: 'c1', toolName: 'exec', input: {} }, asking);
  await run.beginTool({ callId: 'c2', toolName: 'exec', input: {}, principal: bob }, asking);
  expect(run.pending.waiting.map(({ principal }) => principal)).toEqual([ann, bob]);
});

describe('a call of a run that begins for one user and runs for another', () => {
  it.each(['run', 'ask'] as const)(
    'begins anew, so that hooks decide for whom it runs (%s)',
    async (kind) => {
      const hooks = createHooks();
      const seen = watch(hooks);
      hooks.guard(BeforeToolCall, ({ principal }) => {
        if (principal?.id === 'bob') return block('not for bob');
        return kind === 'ask' ? requireApproval('sure?') : proceed();
      });
      const run = openRun(hooks, { principal: ann });
      const same = { callId: 'c1', toolName: 'exec', input: {} };
      expect(await run.beginTool(same, { approval: 'native', capabilities: { ask: true } })).toMatchObject({
        kind,
      });
      const outcome = await run.callTool({ ...same, principal: bob }, () => expect.unreachable());
      expect(outcome).toMatchObject({ status: 'blocked', reason: 'not for bob' });
      expect(run.pending.waiting).toEqual([]);
      await hooks.settled();
      expect(seen.filter((one) => one.startsWith('after_tool_call'))).toEqual([
        'after_tool_call:ann',
        'after_tool_call:bob',
      ]);
    },
  );
});

it('a hook on SessionStart names the user from the first prompt and the first call on', async () => {
  const seen: unknown[] = [];
  const naming = createHooks();
  naming.on(SessionStart, ({ session, principal }) => {
    if (principal === undefined) naming.session(session.id, { principal: ann });
    return proceed();
  });
  const see = ({ type, principal }: EventPayload) => {
    seen.push([type, principal?.id]);
    return proceed();
  };
  naming.on(UserPromptSubmit, see);
  naming.on(BeforeToolCall, see);
  naming.on(BeforeToolCall, () => requireApproval('Sure?'));
  const approval: Approver = ({ principal }) => {
    seen.push(['approval', principal?.id]);
    return { decision: 'allow' };
  };
  const call = (id: string) => ({ session: naming.session(id), toolName: 'read', input: {} });
  await callTool(naming, call('a'), () => 'done', { approval });
  const outer = createHooks();
  await callTool(
    [{ hooks: outer }, { hooks: naming }],
    { ...call('b'), session: outer.session('b') },
    () => 'done',
    {
      approval,
    },
  );
  await openRun(naming, { sessionId: 'c' }).submit([{ text: 'Hello' }]);
  expect(seen).toEqual([
    ['before_tool_call', 'ann'],
    ['approval', 'ann'],
    ['before_tool_call', 'ann'],
    ['approval', 'ann'],
    ['user_prompt_submit', 'ann'],
  ]);
});
