import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type AgentRun, forgetRun, openRun, takeContext } from '../src/adapter/index.ts';
import {
  AfterToolCall,
  type ApprovalAnswer,
  addContext,
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  modify,
  type Proceed,
  proceed,
  requireApproval,
  SessionEnd,
  SessionStart,
  sessionKey,
  UserPromptSubmit,
} from '../src/index.ts';
import { callTool } from '../src/tool-call/index.ts';
import { call, deferred, tick } from './support/call.ts';

describe('a session', () => {
  it('opens at its first event, once', async () => {
    const hooks = createHooks();
    const opened: string[] = [];
    hooks.on(SessionStart, async ({ session, source }) => {
      opened.push(`${session.id} ${source}`);
      return proceed();
    });
    await Promise.all([call(hooks), call(hooks)]);
    await hooks.session('restored', { source: 'resume' }).open();
    await hooks.session('restored').open();
    expect(opened).toEqual(['s startup', 'restored resume']);
  });

  it('has opened before anything else is asked in it, parallel calls included', async () => {
    const hooks = createHooks();
    const order: string[] = [];
    const starting = Promise.withResolvers<void>();
    hooks.on(SessionStart, async () => {
      await starting.promise;
      order.push('start');
      return proceed();
    });
    hooks.on(BeforeToolCall, () => (order.push('call'), proceed()));
    const calls = [call(hooks), call(hooks)];
    await tick();
    starting.resolve();
    await Promise.all(calls);
    expect(order).toEqual(['start', 'call', 'call']);
  });

  it('fires SessionEnd once, also where its hook closes the session', async () => {
    const hooks = createHooks();
    let ended = 0;
    hooks.on(SessionEnd, ({ session }) => {
      if (ended++ < 3) void session.close();
    });
    const session = hooks.session('s');
    await session.open();
    await session.close();
    expect(ended).toBe(1);
  });

  it('closes once: SessionEnd fires exactly once, in reverse order', async () => {
    const hooks = createHooks();
    const ended: string[] = [];
    hooks.on(SessionEnd, ({ reason }) => void ended.push(`outer ${reason}`));
    hooks.on(SessionEnd, ({ reason }) => void ended.push(`inner ${reason}`));
    const session = hooks.session('s');
    await session.open();
    await Promise.all([session.close('logout'), session.close(), hooks.close()]);
    expect(ended).toEqual(['inner logout', 'outer logout']);
    expect(session.state).toBe('closed');
  });

  it('that is open closes with its registry', async () => {
    const hooks = createHooks();
    const ended: string[] = [];
    hooks.on(SessionEnd, async ({ session, reason }) => void ended.push(`${session.id} ${reason}`));
    await Promise.all(['a', 'b'].map((id) => hooks.session(id).open()));
    await hooks.close();
    expect(ended).toEqual(['a other', 'b other']);
  });

  it('keeps the source with which it opened', async () => {
    const hooks = createHooks();
    const session = hooks.session('s', { source: 'resume' });
    await session.open();
    expect(hooks.session('s', { source: 'clear' })).toBe(session);
    expect([session.source, hooks.session('other').source]).toEqual(['resume', 'startup']);
  });

  it('that never opened ends without an event', async () => {
    const hooks = createHooks();
    const ended: string[] = [];
    hooks.on(SessionEnd, () => void ended.push('end'));
    await hooks.session('s').close();
    expect(ended).toEqual([]);
  });

  it('is an AsyncDisposable', async () => {
    const hooks = createHooks();
    const ended: string[] = [];
    hooks.on(SessionEnd, ({ session }) => void ended.push(session.id));
    {
      await using session = hooks.session('scoped');
      await session.open();
    }
    expect(ended).toEqual(['scoped']);
  });

  it('of the same id after closing is a new one', async () => {
    const hooks = createHooks();
    const first = hooks.session('s');
    await first.close();
    expect(hooks.session('s')).not.toBe(first);
  });

  it('holds typed state', () => {
    const session = createHooks().session();
    const count = sessionKey<number>('acme/count');
    expect(session.get(count)).toBeUndefined();
    expect(session.get(count, () => 1)).toBe(1);
    session.set(count, 2);
    expect(session.get(sessionKey<number>('acme/count'))).toBe(2);
  });

  it('knows its parent, and its plain form has no more than ids', () => {
    const hooks = createHooks();
    const parent = hooks.session('parent');
    const child = hooks.session('child', { parent });
    expect(child.parent).toBe(parent);
    expect(JSON.parse(JSON.stringify({ parent, child }))).toEqual({
      parent: { id: 'parent' },
      child: { id: 'child', parent: 'parent' },
    });
  });

  it('is minted where there is no id; an empty id is an error', () => {
    const hooks = createHooks();
    const ids = [hooks, hooks, createHooks()].map((registry) => registry.session().id);
    expect(new Set(ids).size).toBe(3);
    expect(() => hooks.session('')).toThrow(/must not be empty/);
  });

  it('remembers its newest tool calls, a ring of bounded length', async () => {
    const hooks = createHooks({ sessions: { historyLength: 3 } });
    for (const input of ['1', '2', '3', '4', '5']) await call(hooks, { input });
    expect(hooks.session('s').history.map(({ input, status, ran }) => [input, status, ran])).toEqual([
      ['3', 'ok', true],
      ['4', 'ok', true],
      ['5', 'ok', true],
    ]);
  });

  it('remembers why a call did not run, or what it gave is withheld, and whose word that was', async () => {
    const hooks = createHooks();
    hooks.guard(BeforeToolCall.matching('rm'), () => block('never'), { id: 'no-rm' });
    hooks.on(BeforeToolCall.matching('mv'), () => requireApproval('sure?'));
    hooks.on(AfterToolCall.matching('cat'), () => block('a secret'), { id: 'no-secrets' });
    const failing = () => {
      throw new Error('boom');
    };
    await call(hooks, { toolName: 'rm', callId: 'c1' });
    await call(hooks, { toolName: 'mv', callId: 'c2', approval: () => ({ decision: 'deny', reason: 'no' }) });
    await call(hooks, { toolName: 'cat', callId: 'c3' });
    await call(hooks, { toolName: 'ls', callId: 'c4', execute: failing });
    const rest = { input: 'ls', durationMs: expect.any(Number), at: expect.any(Number) };
    const [not, once] = [
      { ran: false, attempts: 0 },
      { ran: true, attempts: 1 },
    ];
    expect(hooks.session('s').history).toEqual([
      { ...rest, ...not, callId: 'c1', toolName: 'rm', status: 'blocked', reason: 'never', by: 'no-rm' },
      { ...rest, ...not, callId: 'c2', toolName: 'mv', status: 'denied', reason: 'no' },
      {
        ...rest,
        ...once,
        callId: 'c3',
        toolName: 'cat',
        status: 'blocked',
        reason: 'a secret',
        by: 'no-secrets',
      },
      { ...rest, ...once, callId: 'c4', toolName: 'ls', status: 'error' },
    ]);
  });

  it('that closes waits for the observers of SessionEnd, and of all that they set off', async () => {
    const hooks = createHooks();
    const seen: string[] = [];
    const notes = hooks.session('notes');
    hooks.observe(SessionEnd, async ({ session }) => {
      await tick();
      seen.push(`end of ${session.id}`);
      if (session.id === 's') await call(hooks, { session: notes });
    });
    hooks.observe(AfterToolCall, async () => {
      await tick();
      seen.push('noted');
    });
    const session = hooks.session('s');
    await session.open();
    await session.close();
    expect(seen).toEqual(['end of s', 'noted']);
  });

  it('tags of a prompt are read by the run, and forgotten with it', async () => {
    const hooks = createHooks();
    const session = hooks.session('s');
    hooks.on(UserPromptSubmit, () => modify({ metadata: { complexity: 'high' } }));
    hooks.on(UserPromptSubmit, () => modify({ metadata: { language: 'en' } }));
    await hooks.dispatch(UserPromptSubmit, { session, run: 'r1', prompt: 'x' });
    expect(session.run('r1').metadata).toEqual({ complexity: 'high', language: 'en' });
    expect(session.run('r2').metadata).toEqual({});
    forgetRun(session, 'r1');
    expect(session.run('r1').metadata).toEqual({});
  });

  it('values of a run are its own, and are forgotten after it has ended', async () => {
    const key = sessionKey<number>('test/values');
    const session = createHooks().session('s');
    expect(session.run('r1').get(key)).toBeUndefined();
    expect(session.run('r1').get(key, () => 1)).toBe(1);
    session.run('r2').set(key, 2);
    const values = () => ['r1', 'r2'].map((run) => session.run(run).get(key));
    expect(values()).toEqual([1, 2]);
    expect(session.get(key)).toBeUndefined();
    forgetRun(session, 'r1');
    // A tool of the run may still be at work.
    expect(values()).toEqual([1, 2]);
    for (let nth = 0; nth < 100; nth++) {
      session.run(`${nth}`).set(key, nth);
      forgetRun(session, `${nth}`);
    }
    expect(values()).toEqual([undefined, 2]);
  });
});

describe('values under a shared key', () => {
  const flag = sessionKey<string>('acme/flag', { shared: true });
  const own = sessionKey<string>('acme/own');
  const call = (registries: readonly Hooks[], id = 's') =>
    callTool(
      registries.map((hooks) => ({ hooks })),
      { session: (registries[0] as Hooks).session(id), toolName: 'exec', input: {} },
      () => 'ok',
    );
  const registry = (): Hooks => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => proceed());
    return hooks;
  };
  const flags = (registries: readonly Hooks[], id = 's') =>
    registries.map((hooks) => hooks.session(id).get(flag));

  it('are those of all registries of a run, whichever hook sets them', async () => {
    for (const setter of [0, 1, 2]) {
      const all = [registry(), registry(), registry()];
      const read: unknown[] = [];
      all.forEach((hooks, nth) => {
        hooks.on(BeforeToolCall, ({ session }) => {
          if (nth === setter) {
            session.set(flag, 'found');
            session.set(own, 'mine');
          }
          return proceed();
        });
        hooks.guard(BeforeToolCall, ({ session }) => {
          read.push(session.get(flag), session.get(own));
          return proceed();
        });
      });
      await call(all);
      expect(read).toEqual([0, 1, 2].flatMap((nth) => ['found', nth === setter ? 'mine' : undefined]));
      expect(flags(all, 'another')).toEqual([undefined, undefined, undefined]);
    }
  });

  it('are those of the outermost registry where several had one before they met', async () => {
    const [a, b] = [registry(), registry()];
    a.session('s').set(flag, 'of a');
    b.session('s').set(flag, 'of b');
    await call([b, a]);
    expect(flags([a, b])).toEqual(['of b', 'of b']);
  });

  it('are merged where sessions meet that shared them with others, and stay so after one has closed', async () => {
    const [a, b, c, d] = [registry(), registry(), registry(), registry()] as const;
    const other = sessionKey<string>('acme/other', { shared: true });
    await call([a, b]);
    await call([c, d]);
    a.session('s').set(flag, 'first');
    d.session('s').set(other, 'second');
    await call([b, c]);
    for (const hooks of [a, b, c, d])
      expect([hooks.session('s').get(flag), hooks.session('s').get(other)]).toEqual(['first', 'second']);
    d.session('s').set(flag, 'later');
    expect(flags([a, b, c, d])).toEqual(['later', 'later', 'later', 'later']);
    await d.session('s').close();
    expect(flags([a, b, c, d])).toEqual(['later', 'later', 'later', undefined]);
  });

  it('are the latest for a registry around a tool of two agents, whichever agent calls the tool', async () => {
    const count = sessionKey<number>('acme/count', { shared: true });
    const [one, other, tool] = [registry(), registry(), registry()] as const;
    const found: unknown[] = [];
    tool.on(BeforeToolCall, ({ session }) => {
      session.set(count, session.get(count, () => 0) + 1);
      found.push(session.get(flag));
      return proceed();
    });
    for (const agent of [one, other, one, other]) await call([agent, tool]);
    expect(tool.session('s').get(count)).toBe(4);
    one.session('s').set(flag, 'found');
    await call([other, tool]);
    expect(found).toEqual([undefined, undefined, undefined, undefined, 'found']);
  });

  it('stand in the sessions that called a sub-agent, too', async () => {
    const [a, b] = [registry(), registry()];
    a.on(BeforeToolCall, ({ session }) => {
      session.parent?.set(flag, 'found');
      return proceed();
    });
    b.session('child', { parent: b.session('root') });
    await callTool(
      [{ hooks: b }, { hooks: a }],
      { session: b.session('child'), toolName: 'exec', input: {} },
      () => 'ok',
    );
    expect(b.session('root').get(flag)).toBe('found');
  });

  it('begin with `initial` once', async () => {
    const all = [registry(), registry()];
    await call(all);
    const lists = sessionKey<string[]>('acme/list', { shared: true });
    for (const hooks of all)
      hooks
        .session('s')
        .get(lists, () => [])
        .push('x');
    expect(all[0]?.session('s').get(lists)).toEqual(['x', 'x']);
  });
});

describe('context', () => {
  it('from SessionStart is in every model call of the session, from UserPromptSubmit of the run, from others in the next', async () => {
    const hooks = createHooks();
    hooks.on(SessionStart, () => addContext('session'));
    hooks.on(UserPromptSubmit, () => addContext('prompt'));
    hooks.on(AfterToolCall, () => addContext('call'));
    const session = hooks.session('s');
    await hooks.dispatch(UserPromptSubmit, { session, run: 'r1', prompt: 'x' });
    await call(hooks, { run: 'r1' });
    expect(takeContext(hooks, session, 'r1')).toEqual(['session', 'prompt', 'call']);
    expect(takeContext(hooks, session, 'r1')).toEqual(['session', 'prompt']);
    forgetRun(session, 'r1');
    expect(takeContext(hooks, session, 'r2')).toEqual(['session']);
  });

  it('that an event came with is not contributed once more, and what contributes nothing keeps nothing', async () => {
    const hooks = createHooks();
    const session = hooks.session('s');
    hooks.on(UserPromptSubmit, ({ prompt }) =>
      prompt === 'x' ? addContext('new') : modify({ prompt: prompt.trim(), metadata: { tagged: true } }),
    );
    await hooks.dispatch(UserPromptSubmit, { session, prompt: 'x', context: ['there'] });
    expect(takeContext(hooks, session)).toEqual(['new']);
    await hooks.dispatch(UserPromptSubmit, { session, prompt: ' y ' });
    hooks.clear();
    hooks.on(UserPromptSubmit, () => modify({ prompt: 'z' }));
    await hooks.dispatch(UserPromptSubmit, { session, run: 'r', prompt: 'x' });
    expect(session.contributed).toHaveLength(1);
  });

  it('of a chain that a Block ended is dropped', async () => {
    const hooks = createHooks();
    hooks.on(UserPromptSubmit, () => addContext('dropped'));
    hooks.on(UserPromptSubmit, () => block('no'));
    const session = hooks.session('s');
    await hooks.dispatch(UserPromptSubmit, { session, run: 'r', prompt: 'x' });
    expect(takeContext(hooks, session, 'r')).toEqual([]);
  });
});

describe('eviction', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('closes a session that was idle', async () => {
    const hooks = createHooks({ sessions: { idleMs: 1000 } });
    const ended: string[] = [];
    hooks.on(SessionEnd, ({ session, reason }) => void ended.push(`${session.id} ${reason}`));
    await hooks.session('idle').open();
    await hooks.session('busy').open();
    for (let i = 0; i < 4; i++) {
      await vi.advanceTimersByTimeAsync(500);
      await call(hooks, { session: hooks.session('busy') });
    }
    expect(ended).toEqual(['idle evicted']);
  });

  it('waits for nothing once the registry is closed, whose memory is then free, and begins anew with the next session', async () => {
    const hooks = createHooks({ sessions: { idleMs: 1000 } });
    await hooks.session('s').open();
    expect(vi.getTimerCount()).toBe(1);
    await hooks.close();
    expect(vi.getTimerCount()).toBe(0);
    const ended: string[] = [];
    hooks.on(SessionEnd, ({ session }) => void ended.push(session.id));
    await hooks.session('next').open();
    await vi.advanceTimersByTimeAsync(2000);
    expect(ended).toEqual(['next']);
  });

  it('leaves a session that somebody holds open as long as it runs tools or asks models', async () => {
    const hooks = createHooks({ sessions: { idleMs: 1000 } });
    const ended: string[] = [];
    hooks.on(SessionEnd, ({ session }) => void ended.push(session.id));
    const [tools, models] = [hooks.session('tools'), hooks.session('models')];
    for (let i = 0; i < 8; i++) {
      await vi.advanceTimersByTimeAsync(500);
      await call(hooks, { session: tools });
      takeContext(hooks, models);
    }
    expect(ended).toEqual([]);
  });

  it('leaves a session alone in which a tool runs or a person is asked, however long that takes', async () => {
    const hooks = createHooks({ sessions: { idleMs: 1000, max: 2 } });
    const ended: string[] = [];
    hooks.on(SessionEnd, ({ session }) => void ended.push(session.id));
    hooks.on(BeforeToolCall.matching('ask'), () => requireApproval('sure?'));
    const [tool, person] = [deferred<string>(), deferred<ApprovalAnswer>()];
    const calls = [
      callTool(hooks, { session: hooks.session('tool'), toolName: 'wait', input: '' }, () => tool.promise),
      callTool(hooks, { session: hooks.session('person'), toolName: 'ask', input: '' }, () => 'asked', {
        approval: () => person.promise,
      }),
    ];
    await vi.advanceTimersByTimeAsync(100_000);
    await hooks.session('third').open(); // which is one too many
    await vi.advanceTimersByTimeAsync(2000);
    expect(ended).toEqual(['third']);
    tool.resolve('done');
    person.resolve({ decision: 'allow' });
    expect(await Promise.all(calls)).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
    await vi.advanceTimersByTimeAsync(1000);
    expect(ended).toEqual(['third']);
    await vi.advanceTimersByTimeAsync(1000);
    expect(ended).toEqual(['third', 'tool', 'person']);
  });

  it('leaves a session alone in which a hook of a call is awaited', async () => {
    const hooks = createHooks({ sessions: { idleMs: 1000 }, timeoutMs: Number.POSITIVE_INFINITY });
    const ended: string[] = [];
    hooks.on(SessionEnd, ({ session }) => void ended.push(session.id));
    const [before, after] = [deferred<Proceed>(), deferred<Proceed>()];
    hooks.on(BeforeToolCall.matching('before'), () => before.promise);
    hooks.on(AfterToolCall.matching('after'), () => after.promise);
    const calls = ['before', 'after'].map((toolName) =>
      callTool(hooks, { session: hooks.session(toolName), toolName, input: '' }, () => 'done'),
    );
    await vi.advanceTimersByTimeAsync(100_000);
    expect(ended).toEqual([]);
    before.resolve(proceed());
    after.resolve(proceed());
    expect(await Promise.all(calls)).toMatchObject([{ status: 'ok' }, { status: 'ok' }]);
    await vi.advanceTimersByTimeAsync(2000);
    expect(ended).toEqual(['before', 'after']);
  });

  it('counts a call that pauses, or fails in the framework’s own way, as over', async () => {
    const hooks = createHooks({ sessions: { idleMs: 1000 } });
    const ended: string[] = [];
    hooks.on(SessionEnd, ({ session }) => void ended.push(session.id));
    const interrupt = new Error('interrupt');
    const calling = call(hooks, {
      isControlFlow: (error) => error === interrupt,
      execute: () => {
        throw interrupt;
      },
    });
    await expect(calling).rejects.toBe(interrupt);
    await vi.advanceTimersByTimeAsync(2000);
    expect(ended).toEqual(['s']);
  });

  it.each([Number.POSITIVE_INFINITY, 2 ** 31, 2 ** 40])('by idleness is off for %d ms', async (idleMs) => {
    const hooks = createHooks({ sessions: { idleMs } });
    const session = hooks.session('s');
    await session.open();
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(3_600_000);
    expect(session.state).toBe('open');
  });

  it('is never early, and its timer ends with the last session', async () => {
    const hooks = createHooks({ sessions: { idleMs: 1000 } });
    const session = hooks.session('s');
    await session.open();
    await vi.advanceTimersByTimeAsync(1000);
    expect([session.state, vi.getTimerCount()]).toEqual(['open', 1]);
    await vi.advanceTimersByTimeAsync(500);
    expect(session.state).toBe('closed');
    await vi.advanceTimersByTimeAsync(500);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('closes the longest unused where there are too many', async () => {
    const hooks = createHooks({ sessions: { max: 2 } });
    const ended: string[] = [];
    hooks.on(SessionEnd, ({ session }) => void ended.push(session.id));
    for (const id of ['a', 'b', 'a', 'c']) await hooks.session(id).open();
    await tick_();
    expect(ended).toEqual(['b']);
  });

  const tick_ = () => vi.advanceTimersByTimeAsync(0);
});

describe('a session that sub-agents of several sessions use in turn', () => {
  const ann = { id: 'ann' };
  const bob = { id: 'bob' };

  it('has the parent and the principal of the one that opened it last', () => {
    const hooks = createHooks();
    const [first, second] = [hooks.session('a', { principal: ann }), hooks.session('b', { principal: bob })];
    const helper = hooks.session('helper', { parent: first });
    expect(helper).toMatchObject({ parent: first, principal: ann });
    expect(hooks.session('helper', { parent: second })).toBe(helper);
    expect(helper).toMatchObject({ parent: second, principal: bob });
    // Who only looks it up changes nothing.
    expect(hooks.session('helper').parent).toBe(second);
  });

  it('has the parent of its run in each registry of the run', async () => {
    const [outer, inner] = [createHooks(), createHooks()];
    const parents: (readonly unknown[])[] = [];
    for (const hooks of [outer, inner])
      hooks.observe(BeforeToolCall, ({ session, principal }) => {
        parents.push([session.parent?.id, principal?.id]);
      });
    const registries = [{ hooks: outer }, { hooks: inner }];
    const callIn = async (run: AgentRun): Promise<void> => {
      parents.length = 0;
      await run.callTool({ toolName: 'read', input: {} }, () => '');
      await outer.settled();
      await inner.settled();
    };
    const helperOf = (sessionId: string): AgentRun => {
      if (sessionId !== 'nobody') outer.session(sessionId, { principal: { id: sessionId } });
      return openRun(registries, { sessionId }).openChild({ sessionId: 'helper', ownsSession: false });
    };
    for (const id of ['ann', 'bob', 'nobody']) {
      await callIn(helperOf(id));
      const expected = [id, id === 'nobody' ? undefined : id];
      expect(parents).toEqual([expected, expected]);
    }
  });

  it('has the principal of its parent, also after it was closed while a run of it waited', async () => {
    const hooks = createHooks();
    for (const principal of [ann, bob]) hooks.session(principal.id, { principal });
    const [first, second] = ['ann', 'bob'].map((sessionId) => openRun(hooks, { sessionId }));
    const helper = { sessionId: 'helper', ownsSession: false };
    const waiting = first?.openChild(helper);
    await waiting?.begin();
    await waiting?.session.close();
    waiting?.resume(undefined);
    expect(waiting?.session).toMatchObject({ state: 'new', principal: ann });
    expect(second?.openChild(helper).session).toMatchObject({ parent: { id: 'bob' }, principal: bob });
    // And again, while it waits for the second time.
    waiting?.resume(undefined);
    expect(waiting?.session).toMatchObject({ parent: { id: 'ann' }, principal: ann });
  });

  it('is never within itself', () => {
    const hooks = createHooks();
    const outer = hooks.session('outer');
    const inner = hooks.session('inner', { parent: outer });
    expect(hooks.session('outer', { parent: inner }).parent).toBeUndefined();
    expect(hooks.session('inner', { parent: inner }).parent).toBe(outer);
  });
});
