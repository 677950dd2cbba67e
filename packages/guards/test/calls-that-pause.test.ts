import {
  answer,
  BeforeExecute,
  BeforeModelCall,
  BeforeToolCall,
  block,
  createHooks,
  type EventPayload,
  type ExecuteOptions,
  type HookProvider,
  type Hooks,
  proceed,
  requireApproval,
} from '@hooks/core';
import { beginToolCall, callTool, hashInput, recheckToolCall } from '@hooks/core/tool-call';
import { type Count, memoryStore, type Store } from '@hooks/store';
import { describe, expect, test } from 'vitest';
import { concurrency, limits, once, rateLimit } from '../src/index.ts';

const ofSession = ({ session }: EventPayload): string => session.id;

type Limit = (toolCalls: number, store?: Store) => HookProvider;

const counting: { readonly [name: string]: Limit } = {
  'limits per session': (toolCalls, store) => limits({ perSession: { toolCalls }, ...(store && { store }) }),
  'limits per key': (toolCalls, store) => limits({ perKey: { toolCalls }, ...(store && { store }) }),
  rateLimit: (toolCalls, store) =>
    rateLimit({ key: ofSession, toolCalls, windowMs: 60_000, ...(store && { store }) }),
};

const all: { readonly [name: string]: Limit } = {
  ...counting,
  concurrency: (toolCalls, store) => concurrency({ toolCalls, ...(store && { store }) }),
};

const stores: { readonly [name: string]: () => Store | undefined } = {
  'in this process': () => undefined,
  'in a store': memoryStore,
};

/** A process whose hooks require approval for each call. */
function processOf(policy: HookProvider): Hooks {
  const hooks = createHooks();
  hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
  hooks.use(policy);
  return hooks;
}

const callOf = (hooks: Hooks, callId: string) => ({
  session: hooks.session('chat'),
  toolName: 'pay',
  callId,
  input: {},
});

const answering = (decision: 'allow' | 'deny') => ({ approval: () => ({ decision }) }) as const;

describe.each(Object.entries(stores))('%s', (_place, storeOf) => {
  test.each(Object.entries(all))(
    '%s holds nothing for a call that waits for a person',
    async (_name, limit) => {
      const hooks = processOf(limit(1, storeOf()));
      const waiting = await beginToolCall(hooks, callOf(hooks, 'c1'), {
        approval: 'native',
        capabilities: { ask: true },
      });
      expect(waiting.kind).toBe('ask');
      const other = await callTool(hooks, callOf(hooks, 'c2'), () => 'paid', answering('allow'));
      expect(other).toMatchObject({ status: 'ok' });
    },
  );

  test.each(Object.entries(all))('%s takes nothing for a call that a person denies', async (_name, limit) => {
    const hooks = processOf(limit(1, storeOf()));
    for (const callId of ['c1', 'c2'])
      await callTool(hooks, callOf(hooks, callId), () => 'paid', answering('deny'));
    const third = await callTool(hooks, callOf(hooks, 'c3'), () => 'paid', answering('allow'));
    expect(third).toMatchObject({ status: 'ok' });
  });

  test.each(Object.entries(all))(
    '%s takes nothing for a call that another guard refuses',
    async (_name, limit) => {
      for (const later of [() => block('no'), async () => block('no')]) {
        const hooks = createHooks();
        hooks.use(limit(1, storeOf()));
        // In the order of guards it is the last, so the call has been counted.
        hooks.guard(BeforeExecute.matching('rm'), later, { priority: -200 });
        for (const callId of ['c1', 'c2'])
          await callTool(hooks, { ...callOf(hooks, callId), toolName: 'rm' }, () => 'gone');
        await hooks.settled();
        const next = await callTool(hooks, callOf(hooks, 'c3'), () => 'paid');
        expect(next).toMatchObject({ status: 'ok' });
        const another = await callTool(hooks, callOf(hooks, 'c4'), () => 'paid');
        expect(another.status).toBe(_name === 'concurrency' ? 'ok' : 'blocked');
      }
    },
  );

  test('limits and rateLimit take nothing for a call that a limit of the other refuses', async () => {
    const hooks = createHooks();
    const store = storeOf();
    hooks.use(limits({ perSession: { toolCalls: 2 }, ...(store && { store }) }));
    hooks.use(
      rateLimit({ key: ofSession, toolCalls: 1, windowMs: 60_000, tools: 'rm', ...(store && { store }) }),
    );
    const statuses: string[] = [];
    for (const [at, toolName] of ['rm', 'rm', 'rm', 'pay', 'pay'].entries()) {
      statuses.push((await callTool(hooks, { ...callOf(hooks, `c${at}`), toolName }, () => 'done')).status);
      await hooks.settled();
    }
    expect(statuses).toEqual(['ok', 'blocked', 'blocked', 'ok', 'blocked']);
  });

  test.each<[string, Limit]>([
    ['limits', (modelCalls, store) => limits({ perSession: { modelCalls }, ...(store && { store }) })],
    [
      'rateLimit',
      (modelCalls, store) =>
        rateLimit({ key: ofSession, modelCalls, windowMs: 60_000, ...(store && { store }) }),
    ],
  ])('%s takes nothing for a model call that another guard refuses', async (_name, limit) => {
    const hooks = createHooks();
    hooks.use(limit(1, storeOf()));
    let refuses = true;
    hooks.guard(BeforeModelCall, async () => (refuses ? block('no') : proceed()), { priority: -200 });
    const session = hooks.session('chat');
    const ask = () => hooks.dispatch(BeforeModelCall, { session, iteration: 1, messages: [], tools: [] });
    expect(await ask()).toMatchObject({ kind: 'block', reason: 'no' });
    await hooks.settled();
    refuses = false;
    expect(await ask()).toMatchObject({ kind: 'proceed' });
    expect(await ask()).toMatchObject({ kind: 'block' });
  });

  test.each(Object.entries(counting))(
    '%s takes nothing for a call whose input is refused after a middleware changed it',
    async (_name, limit) => {
      const hooks = createHooks();
      hooks.use(limit(1, storeOf()));
      hooks.guard(BeforeToolCall, ({ rechecked }) => (rechecked ? block('no') : proceed()));
      const refused = await callTool(hooks, callOf(hooks, 'c1'), async (_input, running) => {
        const checked = await recheckToolCall(running, { other: true });
        return checked.kind;
      });
      expect(refused).toMatchObject({ status: 'blocked' });
      await hooks.settled();
      expect(await callTool(hooks, callOf(hooks, 'c2'), () => 'paid')).toMatchObject({ status: 'ok' });
    },
  );

  const requiring: { readonly [who: string]: (policy: HookProvider) => Hooks } = {
    'an interceptor': processOf,
    'a guard': (policy) => {
      const hooks = createHooks();
      hooks.use(policy);
      hooks.guard(BeforeToolCall, () => requireApproval('It costs money.'));
      return hooks;
    },
    'the tool itself': (policy) => {
      const hooks = createHooks();
      hooks.use(policy);
      return hooks;
    },
  };

  test.each(
    Object.entries(counting).flatMap(([name, limit]) =>
      Object.entries(requiring).map(([who, process]) => ({ name, limit, who, process })),
    ),
  )(
    '$name asks nobody about a call over the limit that $who wants approved',
    async ({ limit, who, process }) => {
      const hooks = process(limit(1, storeOf()));
      const needsApproval = who === 'the tool itself' ? { needsApproval: 'It costs money.' } : {};
      let asked = 0;
      for (const callId of ['c1', 'c2'])
        await callTool(hooks, { ...callOf(hooks, callId), ...needsApproval }, () => 'paid', {
          approval: () => {
            asked++;
            return { decision: 'allow' };
          },
        });
      expect(asked).toBe(1);
    },
  );
});

test.each(Object.entries(counting))(
  '%s in a store counts a call once that goes on in another process',
  async (_name, limit) => {
    const store = memoryStore();
    const asking = processOf(limit(1, store));
    const begun = await beginToolCall(asking, callOf(asking, 'c1'), {
      approval: 'native',
      capabilities: { ask: true },
    });
    expect(begun.kind).toBe('ask');
    const resumed = { decision: 'allow', hash: await hashInput({}) } as const;
    const other = processOf(limit(1, store));
    const paused = { ...callOf(other, 'c1'), resumed };
    expect(await callTool(other, paused, () => 'paid', { approval: 'native' })).toMatchObject({
      status: 'ok',
    });
    const third = processOf(limit(1, store));
    expect(await callTool(third, callOf(third, 'c2'), () => 'paid', answering('allow'))).toMatchObject({
      status: 'denied',
      ran: false,
    });
  },
);

describe.each(Object.entries(stores))('%s, where the model uses a call id twice,', (_place, storeOf) => {
  function counted(store: Store | undefined) {
    const hooks = createHooks();
    hooks.guard(BeforeToolCall.matching('refused'), () => block('No.'));
    hooks.on(BeforeExecute.matching('intercepted'), () => block('No.'));
    hooks.guard(BeforeExecute.matching('guarded'), () => block('No.'));
    hooks.guard(BeforeExecute.matching('guarded-later'), async () => block('No.'));
    hooks.guard(BeforeExecute.matching('guarded-last'), async () => block('No.'), { priority: -200 });
    hooks.use(concurrency({ toolCalls: 1, ...(store && { store }) }));
    const { promise, resolve } = Promise.withResolvers<void>();
    const ran: unknown[] = [];
    const execute = async (input: unknown) => {
      ran.push(input);
      await promise;
    };
    return { hooks, ran, execute, end: resolve };
  }

  test('concurrency lets one of the calls through', async () => {
    const { hooks, ran, execute, end } = counted(storeOf());
    const statuses: string[] = [];
    const calls = [1, 2, 3].map(async (input) => {
      const { status } = await callTool(hooks, { ...callOf(hooks, 'c1'), input }, execute);
      statuses.push(status);
    });
    await expect.poll(() => statuses).toEqual(['blocked', 'blocked']);
    expect(ran).toHaveLength(1);
    end();
    await Promise.all(calls);
    expect(statuses).toEqual(['blocked', 'blocked', 'ok']);
    await hooks.settled();
    expect(await callTool(hooks, callOf(hooks, 'c1'), execute)).toMatchObject({ status: 'ok' });
  });

  test.each(['refused', 'intercepted', 'guarded', 'guarded-later', 'guarded-last'])(
    'concurrency gives no slot back for one that is %s',
    async (toolName) => {
      const { hooks, ran, execute, end } = counted(storeOf());
      const running = callTool(hooks, callOf(hooks, 'c1'), execute);
      await expect.poll(() => ran.length).toBe(1);
      await callTool(hooks, { ...callOf(hooks, 'c1'), toolName }, execute);
      await hooks.settled();
      expect(await callTool(hooks, callOf(hooks, 'c2'), execute)).toMatchObject({ status: 'blocked' });
      end();
      await running;
      await hooks.settled();
      expect(await callTool(hooks, callOf(hooks, 'c2'), execute)).toMatchObject({ status: 'ok' });
    },
  );

  test.each(Object.entries(counting))(
    '%s counts a call once whose input a middleware changes',
    async (_name, limit) => {
      const hooks = createHooks();
      hooks.use(limit(2, storeOf()));
      const pay = (callId: string) =>
        callTool(hooks, callOf(hooks, callId), async (_input, running) => {
          await recheckToolCall(running, { changed: true });
          return 'paid';
        });
      const statuses = [];
      for (const callId of ['c1', 'c2', 'c3']) statuses.push((await pay(callId)).status);
      expect(statuses).toEqual(['ok', 'ok', 'blocked']);
    },
  );
});

test.each(Object.entries(stores))(
  'concurrency %s gives back the slot of a call whose key a middleware changes',
  async (_place, storeOf) => {
    const store = storeOf();
    const hooks = createHooks();
    const key = (event: EventPayload) => String(Reflect.get(Object(Reflect.get(event, 'input')), 'of'));
    hooks.use(concurrency({ toolCalls: 1, key, ...(store && { store }) }));
    for (const callId of ['c1', 'c2']) {
      const call = { ...callOf(hooks, callId), input: { of: 'one' } };
      const outcome = await callTool(hooks, call, async (_input, running) => {
        await recheckToolCall(running, { of: 'another' });
        return 'paid';
      });
      expect(outcome).toMatchObject({ status: 'ok' });
      await hooks.settled();
    }
  },
);

test.each(Object.entries(counting))(
  '%s asks its store once about a call that runs, and looks first only where a person would be asked',
  async (name, limit) => {
    const store = memoryStore();
    let requests = 0;
    const watched: Store = {
      ...store,
      count: (...counts: readonly unknown[]) => {
        requests++;
        return store.count(...(counts as readonly Count[]));
      },
    };
    const requestsOf = async (hooks: Hooks, call: object, options: object = {}) => {
      requests = 0;
      const { status } = await callTool(hooks, { ...callOf(hooks, 'c1'), ...call }, () => 'paid', options);
      await hooks.settled();
      return [status, requests];
    };
    const plain = createHooks();
    plain.use(limit(3, watched));
    const asking = processOf(limit(3, watched));
    const resumed = { decision: 'allow', hash: await hashInput({}) } as const;
    expect([
      await requestsOf(plain, {}),
      await requestsOf(asking, {}, answering('allow')),
      await requestsOf(asking, { resumed }, { approval: 'native' }),
      await requestsOf(plain, {}),
      await requestsOf(asking, {}, answering('allow')),
    ]).toEqual([
      ['ok', 1],
      ['ok', 2],
      ['ok', 1],
      ['blocked', 1],
      // A rate asks once more how long to wait.
      ['denied', name === 'rateLimit' ? 2 : 1],
    ]);
  },
);

const countingEverywhere = Object.entries(counting).flatMap(([name, limit]) =>
  Object.entries(stores).map(([place, storeOf]) => [name, place, limit, storeOf] as const),
);

test.each(countingEverywhere)(
  '%s %s that is used up lets a person approve a call that a hook answers',
  async (_, _place, limit, storeOf) => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, ({ callId }) => (callId === 'c2' ? answer('known') : proceed()));
    hooks.on(BeforeToolCall, ({ callId }) => (callId === 'c2' ? requireApproval('sure?') : proceed()));
    hooks.use(limit(1, storeOf()));
    await callTool(hooks, callOf(hooks, 'c1'), () => 'paid');
    expect(await callTool(hooks, callOf(hooks, 'c2'), () => 'paid', answering('allow'))).toMatchObject({
      status: 'ok',
      output: 'known',
    });
  },
);

test.each(countingEverywhere)(
  '%s %s lets a person approve a call that it has counted, and whose input changes while it runs',
  async (_, _place, limit, storeOf) => {
    const hooks = createHooks();
    hooks.guard(BeforeToolCall, ({ input }) => (input === 'other' ? requireApproval('sure?') : proceed()));
    hooks.use(limit(1, storeOf()));
    const execute = async (_input: unknown, running: ExecuteOptions) => {
      const checked = await recheckToolCall(running, 'other', answering('allow'));
      return checked.kind;
    };
    const call = { ...callOf(hooks, 'c1'), input: 'first' };
    expect(await callTool(hooks, call, execute)).toMatchObject({ status: 'ok', output: 'run' });
  },
);

test('concurrency gives back the slot of a call that is refused while the store counts it, and no other', async () => {
  const store = memoryStore();
  let counted = Promise.resolve();
  const slow: Store = {
    ...store,
    count: async (...counts: readonly unknown[]) => {
      const answer = await store.count(...(counts as readonly Count[]));
      await counted;
      return answer;
    },
  };
  const hooks = createHooks();
  hooks.guard(BeforeExecute.matching('refused'), async () => block('No.'));
  hooks.use(concurrency({ toolCalls: 2, store: slow }));
  const { promise, resolve } = Promise.withResolvers<void>();
  const ran: string[] = [];
  const call = (callId: string, toolName = 'pay') =>
    callTool(hooks, { ...callOf(hooks, callId), toolName }, () => {
      ran.push(callId);
      return promise;
    });
  const first = call('c1');
  await expect.poll(() => ran).toEqual(['c1']);
  const counting = Promise.withResolvers<void>();
  counted = counting.promise;
  expect(await call('c1', 'refused')).toMatchObject({ status: 'blocked' });
  counting.resolve();
  await hooks.settled();
  const second = call('c2');
  await expect.poll(() => ran).toEqual(['c1', 'c2']);
  expect(await call('c3')).toMatchObject({ status: 'blocked' });
  resolve();
  await Promise.all([first, second]);
});

describe.each(Object.entries(stores))('%s, a call that `once` answers', (_place, storeOf) => {
  test.each(Object.entries(counting))(
    '%s counts nothing for it, and answers it over the limit',
    async (_name, limit) => {
      for (const [execute, status] of [
        [() => 'paid', 'ok'],
        [() => Promise.reject(new Error('no money')), 'error'],
      ] as const) {
        const hooks = createHooks();
        hooks.use(limit(2, storeOf()));
        hooks.use(once({ tools: 'pay', store: memoryStore() }));
        const callIds = ['c1', 'c1', 'c1', 'c2', 'c1', 'c3'];
        const statuses: string[] = [];
        for (const callId of callIds)
          statuses.push((await callTool(hooks, callOf(hooks, callId), execute)).status);
        expect(statuses).toEqual([status, status, status, status, status, 'blocked']);
      }
    },
  );

  test('concurrency has a place for it while as many run as may', async () => {
    const store = storeOf();
    const hooks = createHooks();
    hooks.use(concurrency({ toolCalls: 1, ...(store && { store }) }));
    hooks.use(once({ tools: 'pay', store: memoryStore() }));
    await callTool(hooks, callOf(hooks, 'c1'), () => 'paid');
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
    const { promise: over, resolve: end } = Promise.withResolvers<void>();
    const second = callTool(hooks, callOf(hooks, 'c2'), () => {
      begin();
      return over;
    });
    await begun;
    expect(await callTool(hooks, callOf(hooks, 'c1'), () => 'again')).toMatchObject({ output: 'paid' });
    expect(await callTool(hooks, callOf(hooks, 'c3'), () => 'paid')).toMatchObject({ status: 'blocked' });
    end();
    expect(await second).toMatchObject({ status: 'ok' });
    expect(await callTool(hooks, callOf(hooks, 'c3'), () => 'paid')).toMatchObject({ status: 'ok' });
  });

  test.each<[string, Limit]>([
    ['limits', (cost, store) => limits({ perSession: { cost }, toolCost: () => 1, ...(store && { store }) })],
    [
      'rateLimit',
      (cost, store) =>
        rateLimit({ key: ofSession, cost, windowMs: 60_000, toolCost: () => 1, ...(store && { store }) }),
    ],
  ])('%s counts no cost for it', async (_name, limit) => {
    const hooks = createHooks();
    hooks.use(limit(2, storeOf()));
    hooks.use(once({ tools: 'pay', store: memoryStore() }));
    const statuses: string[] = [];
    for (const callId of ['c1', 'c1', 'c1', 'c2', 'c3']) {
      statuses.push((await callTool(hooks, callOf(hooks, callId), () => 'paid')).status);
      await hooks.settled();
    }
    expect(statuses).toEqual(['ok', 'ok', 'ok', 'ok', 'blocked']);
  });
});
