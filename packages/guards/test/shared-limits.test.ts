import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import {
  AfterModelCall,
  BeforeModelCall,
  BeforeToolCall,
  block,
  createHooks,
  type EventPayload,
  type Hooks,
  type HooksError,
  proceed,
  type ToolCallOutcome,
} from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { type Count, createStore, memoryStore, type Store, type StoreDriver, StoreError } from '@hooks/store';
import { sqliteStore } from '@hooks/store/sqlite';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { describe, expect, test } from 'vitest';
import { concurrency, limits, rateLimit } from '../src/index.ts';

const ofSession = ({ session }: EventPayload): string => session.id;

const call = (
  hooks: Hooks,
  { session = 's', run = 'r', user = '', execute = (): unknown => 'ok', toolName = 'search', id = '' } = {},
): Promise<ToolCallOutcome> =>
  callTool(
    hooks,
    {
      session: hooks.session(session),
      run,
      toolName,
      input: {},
      ...(user !== '' && { principal: { id: user } }),
      ...(id !== '' && { callId: id }),
    },
    execute,
  );

const asked = (hooks: Hooks, session = 's'): unknown =>
  hooks.dispatch(BeforeModelCall, { session: hooks.session(session), iteration: 1, messages: [], tools: [] });

const answered = async (hooks: Hooks, tokens: number, session = 's'): Promise<void> => {
  const response = { text: '', toolCalls: [], usage: { inputTokens: tokens, outputTokens: 0 } };
  await hooks.dispatch(AfterModelCall, {
    session: hooks.session(session),
    iteration: 1,
    response,
    attempt: 1,
  });
  await hooks.settled();
};

/** Two registries, as in two processes. */
const pair = (policy: (hooks: Hooks) => void): readonly [Hooks, Hooks] => {
  const [one, other] = [createHooks(), createHooks()];
  policy(one);
  policy(other);
  return [one, other];
};

describe('a limit with a store', () => {
  test('is shared by all registries that use the store', async () => {
    const store = memoryStore();
    const [one, other] = pair((hooks) =>
      hooks.use(rateLimit({ key: ofSession, toolCalls: 2, windowMs: 60_000, store })),
    );
    expect(await call(one)).toMatchObject({ status: 'ok' });
    expect(await call(other)).toMatchObject({ status: 'ok' });
    expect(await call(one)).toMatchObject({
      status: 'blocked',
      reason: expect.stringMatching(
        /^Blocked \(rate-limit\): 2 tool calls in 60 s are allowed\. Try again in /,
      ),
    });
    expect(await call(one, { session: 'another' })).toMatchObject({ status: 'ok' });
  });

  test('counts by user, or by any other key, however long or unusual', async () => {
    const store = memoryStore();
    const hooks = createHooks();
    const users = {
      name: 'users',
      key: ({ principal }: { readonly principal?: { readonly id: string } }) => principal?.id ?? '',
    };
    const odd = { name: 'odd', key: () => `\u0000${'k'.repeat(10_000)}` };
    hooks.use(rateLimit({ toolCalls: 1, windowMs: 60_000, store, ...users }));
    hooks.use(rateLimit({ toolCalls: 3, windowMs: 60_000, store, ...odd }));
    const outcomes = [];
    for (const user of ['ada', 'ada', 'bob', 'cyd', 'dan'])
      outcomes.push((await call(hooks, { user })).status);
    expect(outcomes).toEqual(['ok', 'blocked', 'ok', 'ok', 'blocked']);
  });

  test('of tokens and cost is checked before the next call', async () => {
    const store = memoryStore();
    const [one, other] = pair((hooks) =>
      hooks.use(
        rateLimit({
          tokens: 1_000,
          cost: 0.5,
          windowMs: 60_000,
          store,
          key: () => 'team',
          toolCost: () => 0.000_25,
          modelCost: ({ response }) => (response.usage?.inputTokens ?? 0) / 10_000,
        }),
      ),
    );
    await answered(one, 999);
    expect(await asked(other)).toMatchObject({ kind: 'proceed' });
    await answered(other, 1);
    expect(await asked(one, 'elsewhere')).toMatchObject({
      kind: 'block',
      reason: expect.stringMatching(
        /^Blocked \(rate-limit\): 1000 tokens in 60 s are allowed\. Try again in \d+ s\.$/,
      ),
    });
    expect(await call(one)).toMatchObject({ status: 'ok' });
    await one.settled();
    await answered(one, 4_000);
    expect(await call(other)).toMatchObject({
      status: 'blocked',
      reason: expect.stringContaining('0.5 of cost in 60 s'),
    });
  });

  test('can be per run, session, user and tool', async () => {
    const store = sqliteStore(':memory:');
    const [one, other] = pair((hooks) =>
      hooks.use(
        limits({
          perRun: { toolCalls: 2 },
          perSession: { toolCalls: 3, tokens: 100 },
          perKey: { toolCalls: 5 },
          perTool: { 'pay_.*': { perKey: { toolCalls: 1 } } },
          store,
        }),
      ),
    );
    expect(await call(one, { toolName: 'pay_now', user: 'ada' })).toMatchObject({ status: 'ok' });
    expect(await call(other, { toolName: 'pay_now', user: 'ada' })).toMatchObject({
      reason: expect.stringContaining('the limit of pay_.* of 1 tool calls for this user'),
    });
    const second = { session: 't', user: 'bob' };
    for (const hooks of [one, other]) expect(await call(hooks, second)).toMatchObject({ status: 'ok' });
    expect(await call(one, second)).toMatchObject({
      reason: expect.stringContaining('2 tool calls for this run'),
      stop: false,
    });
    expect(await call(other, { ...second, run: 'next' })).toMatchObject({ status: 'ok' });
    expect(await call(one, { ...second, run: 'third' })).toMatchObject({
      reason: expect.stringContaining('3 tool calls for this session'),
    });
    await answered(one, 100);
    expect(await asked(other)).toMatchObject({
      kind: 'block',
      stop: true,
      reason: expect.stringContaining('100 tokens for this session'),
    });
    await store.close();
  });

  test("of a session counts its sub-agents' calls", async () => {
    const store = memoryStore();
    const [one, other] = pair((hooks) => hooks.use(limits({ perSession: { toolCalls: 2 }, store })));
    const inside = {
      session: one.session('child', { parent: one.session('s') }),
      toolName: 'search',
      input: {},
    };
    expect(await callTool(one, inside, () => 'ok')).toMatchObject({ status: 'ok' });
    expect(await call(other)).toMatchObject({ status: 'ok' });
    expect(await call(other)).toMatchObject({ status: 'blocked' });
    expect(await callTool(one, inside, () => 'ok')).toMatchObject({ status: 'blocked' });
  });

  test('does not count calls that other guards refuse', async () => {
    const hooks = createHooks();
    hooks.use(rateLimit({ key: ofSession, toolCalls: 1, windowMs: 60_000, store: memoryStore() }));
    hooks.guard(BeforeToolCall.matching('rm'), () => block('no'));
    await call(hooks, { toolName: 'rm' });
    expect(await call(hooks)).toMatchObject({ status: 'ok' });
  });
});

describe('concurrency', () => {
  test.each([
    ['in this process', undefined],
    ['in a store', memoryStore()],
  ])('counts calls that run at the same time, %s', async (_where, store) => {
    const policy = (hooks: Hooks): void =>
      void hooks.use(concurrency({ toolCalls: 2, tools: 'browser', ...(store && { store }) }));
    const [one, other] = pair(policy);
    const gates = [Promise.withResolvers<string>(), Promise.withResolvers<string>()] as const;
    const started = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    const running = gates.map((gate, at) =>
      call(at === 0 || store === undefined ? one : other, {
        toolName: 'browser',
        id: `c${at}`,
        execute: () => (started[at]?.resolve(), gate.promise),
      }),
    );
    await Promise.all(started.map(({ promise }) => promise));
    expect(await call(one, { toolName: 'browser', id: 'c2' })).toMatchObject({
      status: 'blocked',
      reason: expect.stringMatching(/^Blocked \(concurrency\): 2 of these calls are already running/),
    });
    expect(await call(one)).toMatchObject({ status: 'ok' });
    gates[0].resolve('done');
    await running[0];
    await one.settled();
    expect(await call(one, { toolName: 'browser', id: 'c3' })).toMatchObject({ status: 'ok' });
    gates[1].resolve('done');
    await Promise.all(running);
  });

  test('counts calls of two processes apart that have the same session and call id', async () => {
    const store = memoryStore();
    const [one, other] = pair((hooks) => hooks.use(concurrency({ toolCalls: 1, store })));
    const started = Promise.withResolvers<void>();
    const end = Promise.withResolvers<string>();
    const running = call(one, { id: 'c1', execute: () => (started.resolve(), end.promise) });
    await started.promise;
    expect(await call(other, { id: 'c1' })).toMatchObject({ status: 'blocked', ran: false });
    await other.settled();
    expect(await call(other, { id: 'c2' })).toMatchObject({ status: 'blocked', ran: false });
    end.resolve('done');
    await running;
    await one.settled();
    expect(await call(other, { id: 'c1' })).toMatchObject({ status: 'ok' });
  });

  test('releases the slot of a call that another guard refuses, that fails, or that was retried', async () => {
    const hooks = createHooks();
    hooks.use(concurrency({ toolCalls: 1, store: memoryStore() }));
    hooks.guard(BeforeToolCall.matching('rm'), async () => block('no'));
    hooks.guard(BeforeToolCall.matching('later'), async () => proceed());
    expect(await call(hooks, { toolName: 'rm' })).toMatchObject({ status: 'blocked' });
    const fails = (): never => {
      throw new Error('no network');
    };
    // The blocked call may still be taking its slot, which it gives back at once.
    await expect.poll(() => call(hooks, { execute: fails })).toMatchObject({ status: 'error' });
    expect(await call(hooks, { toolName: 'later' })).toMatchObject({ status: 'ok' });
    expect(await call(hooks)).toMatchObject({ status: 'ok' });
  });

  test('refuses invalid numbers', () => {
    expect(() => concurrency({ toolCalls: 0 })).toThrow(/toolCalls is 0/);
    expect(() => concurrency({ toolCalls: 1, leaseMs: 0.5 })).toThrow(/leaseMs is 0\.5/);
  });
});

/** A store that the test can make unreachable. */
function leavingStore(): { readonly store: Store; away: boolean } {
  const inner = memoryStore();
  const fail = async (): Promise<never> => {
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  };
  const driver: StoreDriver = {
    name: 'the test store',
    get: fail,
    set: fail,
    list: fail,
    append: fail,
    read: fail,
    trim: fail,
    count: (counts) => (leaving.away ? fail() : inner.count(...counts)),
    codeOf: () => 'UNREACHABLE',
  };
  const leaving = { store: createStore(driver), away: true };
  return leaving;
}

describe('a store that cannot be reached', () => {
  test.each([
    ['rateLimit', (store: Store) => rateLimit({ key: ofSession, toolCalls: 1, windowMs: 60_000, store })],
    ['limits', (store: Store) => limits({ perSession: { toolCalls: 1 }, store })],
    ['concurrency', (store: Store) => concurrency({ toolCalls: 1, store })],
  ])('makes %s refuse calls with a reason, and calls onError once', async (_name, policy) => {
    const leaving = leavingStore();
    const errors: HooksError[] = [];
    const hooks = createHooks({ onError: (error) => void errors.push(error) });
    hooks.use(policy(leaving.store));
    for (let time = 0; time < 3; time++) {
      expect(await call(hooks)).toMatchObject({
        status: 'blocked',
        ran: false,
        stop: false,
        reason: expect.stringMatching(/: the store of this limit cannot be reached, so no call may pass/),
      });
      await hooks.settled();
    }
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringContaining(
        'The test store cannot be reached: the connection was refused (ECONNREFUSED). Calls are refused until it responds.',
      ),
    ]);
    leaving.away = false;
    expect(await call(hooks)).toMatchObject({ status: 'ok' });
  });

  test('whose reason is a sentence is quoted as one', async () => {
    const errors: HooksError[] = [];
    const hooks = createHooks({ onError: (error) => void errors.push(error) });
    const store = sqliteStore(temporaryFolder());
    hooks.use(rateLimit({ key: ofSession, toolCalls: 1, windowMs: 60_000, store }));
    expect(await call(hooks)).toMatchObject({ status: 'blocked' });
    await hooks.settled();
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringMatching(/choose a new file\. Calls are refused until it responds\.$/),
    ]);
  });

  test('with onUnreachable local, the process counts, calls onError once, and updates the store later', async () => {
    const leaving = leavingStore();
    const errors: HooksError[] = [];
    const policy = (hooks: Hooks): void =>
      void hooks.use(
        rateLimit({
          key: ofSession,
          toolCalls: 3,
          windowMs: 60_000,
          store: leaving.store,
          onUnreachable: 'local',
        }),
      );
    const hooks = createHooks({ onError: (error) => void errors.push(error) });
    policy(hooks);
    const outcomes: ToolCallOutcome[] = [];
    for (let time = 0; time < 4; time++) outcomes.push(await call(hooks));
    expect(outcomes.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok', 'blocked']);
    expect(outcomes[3]?.reason).toContain('3 tool calls in 60 s');
    await hooks.settled();
    expect(errors.map(({ message }) => message)).toEqual([
      expect.stringContaining('Calls are counted in this process until it responds.'),
    ]);
    leaving.away = false;
    expect(await call(hooks)).toMatchObject({ status: 'blocked' });
    const other = createHooks();
    policy(other);
    expect(await call(other)).toMatchObject({ status: 'blocked' });
  });

  test('with onUnreachable local, holds up one call for its whole timeout, and not those after it', async () => {
    const inner = memoryStore();
    const timeout = Promise.withResolvers<never>();
    timeout.promise.catch(() => {});
    let asked = 0;
    let state: 'failing' | 'hanging' | 'back' = 'failing';
    const store: Store = {
      ...inner,
      count: async (...given: readonly unknown[]) => {
        asked++;
        if (state === 'failing') throw new StoreError('UNREACHABLE', 'It is away.');
        return state === 'hanging' ? timeout.promise : inner.count(...(given as readonly Count[]));
      },
    };
    const hooks = createHooks({ onError: () => {} });
    hooks.use(rateLimit({ key: ofSession, toolCalls: 8, windowMs: 600_000, store, onUnreachable: 'local' }));
    expect(await call(hooks)).toMatchObject({ status: 'ok' });
    state = 'hanging';
    asked = 0;
    for (let nth = 0; nth < 5; nth++) expect(await call(hooks)).toMatchObject({ status: 'ok' });
    // Nothing has answered yet: all of these calls share one request.
    expect(asked).toBe(1);
    state = 'back';
    timeout.reject(new StoreError('UNREACHABLE', 'It did not answer.'));
    await expect.poll(async () => (await call(hooks), asked)).toBeGreaterThan(2);
    const other = createHooks();
    other.use(rateLimit({ key: ofSession, toolCalls: 8, windowMs: 600_000, store: inner }));
    const statuses: string[] = [];
    for (let nth = 0; nth < 3; nth++) statuses.push((await call(other)).status);
    expect(statuses.at(-1)).toBe('blocked');
  });

  test('gets the usage of many users in portions, so that a call while it is away costs the same for each', async () => {
    const inner = memoryStore();
    let away = true;
    let most = 0;
    let received = 0;
    const store: Store = {
      ...inner,
      count: async (...given: readonly unknown[]) => {
        const { length } = [given[0]].flat();
        most = Math.max(most, length);
        if (away) throw new StoreError('UNREACHABLE', 'It is away.');
        const counted = await inner.count(...(given as readonly Count[]));
        received += length;
        return counted;
      },
    };
    const policy = (shared: Store) => {
      const hooks = createHooks({ onError: () => {} });
      const key = ({ principal }: EventPayload) => principal?.id ?? '';
      hooks.use(rateLimit({ toolCalls: 1, windowMs: 600_000, store: shared, onUnreachable: 'local', key }));
      return hooks;
    };
    const hooks = policy(store);
    const users = Array.from({ length: 250 }, (_, nth) => `u${nth}`);
    for (const user of users) expect(await call(hooks, { user })).toMatchObject({ status: 'ok' });
    away = false;
    expect(await call(hooks, { user: 'u0' })).toMatchObject({ status: 'blocked' });
    // The call waits for it only for a moment.
    await expect.poll(() => received, { timeout: 30_000 }).toBeGreaterThanOrEqual(users.length);
    expect(most).toBe(100);
    const other = policy(inner);
    for (const user of users) expect(await call(other, { user })).toMatchObject({ status: 'blocked' });
  });

  test.each([
    ['limits', 'local'],
    ['limits', 'block'],
    ['rateLimit', 'local'],
    ['rateLimit', 'block'],
  ] as const)(
    'counts each call of %s once whose reply was lost, with onUnreachable %s',
    async (of, onUnreachable) => {
      const inner = memoryStore();
      let nth = 0;
      const store: Store = {
        ...inner,
        count: async (...given: readonly unknown[]) => {
          const answer = await inner.count(...(given as readonly Count[]));
          if (nth++ % 3 === 2) throw new StoreError('UNREACHABLE', 'The reply was lost.');
          return answer;
        },
      };
      const policy = (shared: Store) => {
        const hooks = createHooks({ onError: () => {} });
        const common = { store: shared, onUnreachable };
        hooks.use(
          of === 'limits'
            ? limits({ ...common, perSession: { toolCalls: 50, cost: 50 }, toolCost: () => 1 })
            : rateLimit({
                ...common,
                key: ofSession,
                toolCalls: 50,
                cost: 50,
                toolCost: () => 1,
                windowMs: 600_000,
              }),
        );
        return hooks;
      };
      let ran = 0;
      const hooks = policy(store);
      while (nth < 60) await call(hooks, { execute: () => ran++ });
      await hooks.settled();
      nth = Number.NEGATIVE_INFINITY;
      await call(hooks, { execute: () => ran++ });
      await hooks.settled();
      const other = policy(inner);
      while ((await call(other, { execute: () => ran++ })).status === 'ok');
      expect(ran).toBe(50);
    },
  );

  test('gets the usage of the meantime once it is reachable', async () => {
    const leaving = leavingStore();
    const hooks = createHooks({ onError: () => {} });
    hooks.use(limits({ perSession: { tokens: 100 }, store: leaving.store }));
    await answered(hooks, 60);
    await answered(hooks, 40);
    expect(await asked(hooks)).toMatchObject({
      kind: 'block',
      reason: expect.stringContaining('cannot be reached'),
    });
    leaving.away = false;
    expect(await asked(hooks)).toMatchObject({
      kind: 'block',
      reason: expect.stringContaining('100 tokens'),
    });
  });
});

// On Redis and Postgres, the contract of the store runs the same race.
test('two processes at full speed cannot exceed one limit', async () => {
  const program = new URL('./programs/calls.ts', import.meta.url);
  const args = [join(temporaryFolder(), 'store.db')];
  const children = [0, 1].map(() => fork(program, args, { execArgv: ['--conditions=@hooks/source'] }));
  await Promise.all(children.map((child) => once(child, 'message')));
  const ran = children.map((child) => once(child, 'message'));
  for (const child of children) child.send('go');
  const counts = (await Promise.all(ran)).map(([count]) => Number(count));
  expect(counts.reduce((sum, each) => sum + each)).toBe(300);
  await Promise.all(children.map((child) => child.exitCode ?? once(child, 'exit')));
});
