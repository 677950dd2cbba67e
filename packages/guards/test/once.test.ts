import {
  AfterToolCall,
  BeforeExecute,
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  modify,
  proceed,
  requireApproval,
  retry,
  Stop,
  TransformToolResult,
} from '@hooks/core';
import {
  answerToolCall,
  beginToolCall,
  callTool,
  finishToolCall,
  hashInput,
  recheckToolCall,
  type ToolCall,
} from '@hooks/core/tool-call';
import { memoryStore, type Store } from '@hooks/store';
import { describe, expect, test } from 'vitest';
import { type OnceOptions, once } from '../src/index.ts';

/** The hooks of a process that shares the store. */
function processOf(store: Store, options: Partial<OnceOptions> = {}): Hooks {
  const hooks = createHooks();
  hooks.use(once({ tools: 'pay', store, leaseMs: 200, ...options }));
  return hooks;
}

/** A tool that counts its runs. */
function payments() {
  const paid: unknown[] = [];
  return {
    paid,
    execute: (input: unknown) => {
      paid.push(input);
      return `receipt ${paid.length}`;
    },
  };
}

type Asked = Partial<ToolCall> & { readonly execute?: (input: unknown) => unknown };

async function pay(hooks: Hooks, { execute = payments().execute, ...about }: Asked = {}) {
  const call = {
    session: hooks.session('chat'),
    run: 'r1',
    toolName: 'pay',
    callId: 'c1',
    input: { amount: 5 },
    ...about,
  };
  const outcome = await callTool(hooks, call, execute, { approval: 'deny' });
  await hooks.settled();
  return outcome;
}

const yes = async (input: unknown = { amount: 5 }) =>
  ({ decision: 'allow', hash: await hashInput(input) }) as const;

describe('once', () => {
  test('answers a repeated call with the first outcome, in this process and in others', async () => {
    const store = memoryStore();
    const { paid, execute } = payments();
    const one = processOf(store);
    for (const hooks of [one, one, processOf(store)])
      expect(await pay(hooks, { execute })).toMatchObject({ status: 'ok', output: 'receipt 1' });
    expect(paid).toHaveLength(1);
  });

  test('runs one of many calls at once, and answers the others with its outcome', async () => {
    const store = memoryStore();
    const { paid, execute } = payments();
    const processes = Array.from({ length: 5 }, () => processOf(store));
    const all = await Promise.all([...processes, ...processes].map((hooks) => pay(hooks, { execute })));
    expect(new Set(all.map(({ output }) => output))).toEqual(new Set(['receipt 1']));
    expect(paid).toHaveLength(1);
  });

  test('answers nothing for a call during which its run was aborted: nobody knows whether it took effect', async () => {
    const store = memoryStore();
    const run = new AbortController();
    const { paid, execute } = payments();
    const aborted = pay(processOf(store), {
      signal: run.signal,
      execute: (input) => {
        execute(input);
        run.abort(new Error('The time is over.'));
        return new Promise((_, reject) => reject(run.signal.reason));
      },
    });
    expect(await aborted).toMatchObject({ status: 'error', aborted: true });
    for (const hooks of [processOf(store), processOf(store)])
      expect(await pay(hooks, { execute })).toMatchObject({
        status: 'blocked',
        reason: expect.stringContaining('may have taken effect. Find out'),
      });
    expect(paid).toHaveLength(1);
  });

  test('runs no call without an id that a person has approved elsewhere: the yes may come again', async () => {
    const store = memoryStore();
    const { paid, execute } = payments();
    const resumed = await yes();
    for (const callId of ['', undefined])
      for (const run of ['r1', 'r2'])
        expect(await pay(processOf(store), { execute, callId, run, resumed })).toMatchObject({
          status: 'blocked',
          reason: expect.stringContaining('without an id'),
        });
    expect(paid).toEqual([]);
  });

  test('knows a call by its user, session, id, tool and the input that the model sent', async () => {
    const store = memoryStore();
    const { paid, execute } = payments();
    const hooks = processOf(store);
    const ann = { id: 'ann' };
    await pay(hooks, { execute });
    await pay(hooks, { execute, callId: 'c2' });
    await pay(hooks, { execute, input: { amount: 6 } });
    await pay(hooks, { execute, session: hooks.session('other') });
    await pay(hooks, { execute, session: hooks.session('third', { principal: ann }) });
    await pay(hooks, { execute, session: processOf(store).session('third'), principal: { id: 'bob' } });
    expect(paid).toHaveLength(6);
  });

  test('knows a call whose input another hook rewrites, in another way each time', async () => {
    const store = memoryStore();
    const { paid, execute } = payments();
    for (const fee of [1, 2]) {
      const hooks = createHooks();
      hooks.on(BeforeToolCall, () => modify({ input: { amount: 5, fee } }), { priority: 20_000 });
      hooks.use(once({ tools: 'pay', store }));
      expect(await pay(hooks, { execute })).toMatchObject({ output: 'receipt 1' });
    }
    expect(paid).toEqual([{ amount: 5, fee: 1 }]);
  });

  test('keeps the outcome as hooks left it', async () => {
    const store = memoryStore();
    const hooks = processOf(store);
    hooks.on(TransformToolResult, () => modify({ output: '[redacted]' }));
    await pay(hooks, { execute: () => 'secret' });
    const kept: unknown[] = [];
    for await (const { value } of store.list('')) kept.push(value);
    expect(JSON.stringify(kept)).not.toContain('secret');
    expect(await pay(processOf(store))).toMatchObject({ output: '[redacted]' });
  });

  test('answers with the error of a call that failed, and with the reason of one that was withheld', async () => {
    const store = memoryStore();
    const hooks = processOf(store);
    const fail = () => {
      throw new Error('card declined');
    };
    await pay(hooks, { execute: fail });
    hooks.guard(AfterToolCall, () => block('Not for you.'));
    await pay(hooks, { callId: 'c2' });
    const { paid, execute } = payments();
    const other = processOf(store);
    expect(await pay(other, { execute })).toMatchObject({
      status: 'error',
      error: { message: 'card declined' },
    });
    expect(await pay(other, { execute, callId: 'c2' })).toMatchObject({
      status: 'blocked',
      reason: 'Not for you.',
    });
    expect(paid).toEqual([]);
  });

  test('keeps no output that a later guard withholds, though it is slow', async () => {
    const store = memoryStore();
    const hooks = createHooks();
    hooks.use(once({ tools: 'pay', store }));
    const { promise, resolve } = Promise.withResolvers<void>();
    const slow = async () => {
      await promise;
      return block('Not for you.');
    };
    hooks.guard(AfterToolCall, slow, { priority: 20_000 });
    const paying = pay(hooks, { execute: () => 'secret' });
    await new Promise(setImmediate);
    resolve();
    expect(await paying).toMatchObject({ status: 'blocked' });
    expect(await pay(processOf(store))).toMatchObject({ status: 'blocked', reason: 'Not for you.' });
    const kept: unknown[] = [];
    for await (const { value } of store.list('')) kept.push(value);
    expect(JSON.stringify(kept)).not.toContain('secret');
  });

  test('blocks the repetition of a call whose output has no form in JSON', async () => {
    const store = memoryStore();
    await pay(processOf(store), { execute: () => 1n });
    expect(await pay(processOf(store))).toMatchObject({
      status: 'blocked',
      reason: expect.stringContaining('has already run'),
    });
  });

  test('lets a call be retried by hooks', async () => {
    const hooks = processOf(memoryStore());
    hooks.on(AfterToolCall, ({ attempt }) => (attempt < 2 ? retry('again') : proceed()));
    const { paid, execute } = payments();
    expect(await pay(hooks, { execute })).toMatchObject({ output: 'receipt 2' });
    expect(await pay(hooks, { execute })).toMatchObject({ output: 'receipt 2' });
    expect(paid).toHaveLength(2);
  });

  test('keeps nothing of a call that was refused, at whatever point', async () => {
    const store = memoryStore();
    const { execute } = payments();
    const refusals = [
      (hooks: Hooks) => hooks.guard(BeforeToolCall, () => block('No.')),
      (hooks: Hooks) => hooks.guard(BeforeExecute, () => block('No.')),
    ];
    for (const refuse of refusals) {
      const hooks = processOf(store);
      refuse(hooks);
      expect(await pay(hooks, { execute })).toMatchObject({ status: 'blocked' });
    }
    expect(await pay(processOf(store), { execute })).toMatchObject({ output: 'receipt 1' });
  });

  test('a second caller that is refused does not lift the claim of the first', async () => {
    const store = memoryStore();
    const hooks = processOf(store);
    const { promise, resolve } = Promise.withResolvers<string>();
    const first = pay(hooks, { execute: () => promise });
    const refusing = processOf(store);
    refusing.guard(BeforeExecute, () => block('No.'));
    const second = pay(refusing);
    resolve('receipt 1');
    expect(await first).toMatchObject({ output: 'receipt 1' });
    await second;
    expect(await pay(processOf(store))).toMatchObject({ output: 'receipt 1' });
  });

  test('gives the tool the same idempotency key, in whatever process', async () => {
    const keys = new Set<unknown>();
    for (const hooks of [processOf(memoryStore()), processOf(memoryStore())])
      await callTool(
        hooks,
        { session: hooks.session('chat'), toolName: 'pay', callId: 'c1', input: {} },
        (_input, { idempotencyKey }) => keys.add(idempotencyKey),
      );
    expect([...keys]).toEqual([expect.stringMatching(/^[0-9a-f]{64}$/)]);
  });

  test('with a key of its own knows a call in other sessions and runs', async () => {
    const store = memoryStore();
    const { paid, execute } = payments();
    const options = { key: ({ input }: { readonly input: unknown }) => JSON.stringify(input) };
    const hooks = processOf(store, options);
    await pay(hooks, { execute });
    expect(
      await pay(hooks, { execute, session: hooks.session('other'), callId: 'c9', run: 'r9' }),
    ).toMatchObject({ output: 'receipt 1' });
    expect(paid).toHaveLength(1);
  });

  test('with a key of its own takes calls of two tools for two', async () => {
    const store = memoryStore();
    const { paid, execute } = payments();
    const hooks = processOf(store, { tools: 'pay|ship', key: () => 'order 7' });
    for (const toolName of ['pay', 'ship']) await pay(hooks, { execute, toolName });
    expect(paid).toHaveLength(2);
  });

  test('with a key of its own knows a call of another tool that a hook renames to this one', async () => {
    const store = memoryStore();
    const { paid, execute } = payments();
    const hooks = processOf(store, { key: () => 'order 7' });
    hooks.on(BeforeToolCall.matching('transfer'), () => modify({ toolName: 'pay' }));
    await pay(hooks, { execute });
    const call = { session: hooks.session('chat'), toolName: 'transfer', callId: 'c2', input: { amount: 5 } };
    const rename = (name: string) =>
      ({
        name,
        tool: { kind: 'function' },
        native: undefined,
        registries: hooks,
        unenforced: undefined,
        check: 'itself',
        execute,
      }) as const;
    expect(await callTool(hooks, call, execute, { rename })).toMatchObject({ output: 'receipt 1' });
    expect(paid).toHaveLength(1);
  });

  test('with a key of its own blocks a call that has none', async () => {
    const { paid, execute } = payments();
    for (const key of [undefined, '', 7]) {
      const hooks = processOf(memoryStore(), { key: () => key as string });
      hooks.onError(() => {});
      expect(await pay(hooks, { execute })).toMatchObject({ status: 'blocked', ran: false });
    }
    expect(paid).toEqual([]);
  });

  test('with a key of its own gives no tenant the outcome of another', async () => {
    const store = memoryStore();
    const { paid, execute } = payments();
    const hooks = processOf(store, { key: () => 'invoice 1' });
    for (const tenant of ['acme', 'umbrella'])
      await pay(hooks, { execute, session: hooks.session(tenant, { principal: { id: 'ann', tenant } }) });
    expect(paid).toHaveLength(2);
  });

  test('closes the gate while the store cannot be reached', async () => {
    const store = memoryStore();
    const hooks = processOf(store);
    hooks.onError(() => {});
    await store.close();
    const { paid, execute } = payments();
    expect(await pay(hooks, { execute })).toMatchObject({ status: 'blocked', ran: false });
    expect(paid).toEqual([]);
  });

  test('concerns only the tools that it names', async () => {
    const { paid, execute } = payments();
    const hooks = processOf(memoryStore());
    await pay(hooks, { execute, toolName: 'look' });
    await pay(hooks, { execute, toolName: 'look' });
    expect(paid).toHaveLength(2);
  });
});

describe('once, where ids repeat from run to run', () => {
  const endRun = async (hooks: Hooks, run: string) => {
    await hooks.dispatch(Stop, { session: hooks.session('chat'), run, response: 'Done.', continuations: 0 });
  };
  const end = (hooks: Hooks) => endRun(hooks, 'r1');

  test('runs a call that looks like one of a run that has ended', async () => {
    const store = memoryStore();
    const { paid, execute } = payments();
    const hooks = processOf(store);
    await pay(hooks, { execute });
    await end(hooks);
    expect(await pay(processOf(store), { execute, run: 'r2' })).toMatchObject({ output: 'receipt 2' });
    expect(await pay(processOf(store), { execute, run: 'r2' })).toMatchObject({ output: 'receipt 2' });
    expect(paid).toHaveLength(2);
  });

  test('answers a call whose run was cut off, although another run of the session has ended since', async () => {
    const store = memoryStore();
    const { paid, execute } = payments();
    const hooks = processOf(store);
    await pay(hooks, { execute, run: 'r2' });
    await end(hooks);
    expect(await pay(processOf(store), { execute, run: 'r3' })).toMatchObject({ output: 'receipt 1' });
    expect(paid).toHaveLength(1);
  });

  test('is told of the end of a run before the run is over, however slow the store is', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const memory = memoryStore();
    const store: Store = { ...memory, set: (...given) => promise.then(() => memory.set(...given)) };
    const hooks = processOf(store);
    let over = false;
    const ending = end(hooks).then(() => (over = true));
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
    expect(over).toBe(false);
    resolve();
    await ending;
  });

  test('answers an approval that arrives after the run has ended', async () => {
    const store = memoryStore();
    const { paid, execute } = payments();
    const resumed = await yes();
    const hooks = processOf(store);
    await pay(hooks, { execute, resumed });
    await end(hooks);
    expect(await pay(processOf(store), { execute, run: 'r2', resumed })).toMatchObject({
      output: 'receipt 1',
    });
    expect(paid).toHaveLength(1);
  });

  test.each(['this process', 'another process'])(
    'runs a call once whose approval arrives in two processes, in %s first',
    async (first) => {
      const store = memoryStore();
      const { paid, execute } = payments();
      const here = processOf(store);
      here.on(BeforeToolCall, () => requireApproval('It costs money.'));
      const about = { run: 'r1', toolName: 'pay', callId: 'c1', input: { amount: 5 } };
      const call = { session: here.session('chat'), ...about };
      const begun = await beginToolCall(here, call, {
        capabilities: { ask: true, route: true },
        approval: 'native',
        runsIn: 'callTool',
      });
      if (begun.kind !== 'ask') throw new Error(begun.kind);
      const answers = [
        async () => {
          const answered = await answerToolCall(begun.token, { decision: 'allow' });
          const outcome = await callTool(here, call, execute, { begun: answered });
          await endRun(here, 'r1');
          return outcome;
        },
        async () => {
          const there = processOf(store);
          const outcome = await pay(there, { execute, run: 'r2', resumed: await yes() });
          await endRun(there, 'r2');
          return outcome;
        },
      ];
      if (first === 'another process') answers.reverse();
      for (const answer of answers) expect(await answer()).toMatchObject({ output: 'receipt 1' });
      expect(paid).toHaveLength(1);
    },
  );

  test('runs a new call that looks like an old one, and that a person has approved in another process', async () => {
    const store = memoryStore();
    const { paid, execute } = payments();
    const hooks = processOf(store);
    await pay(hooks, { execute });
    await end(hooks);
    const asking = processOf(store);
    asking.on(BeforeToolCall, () => requireApproval('sure?'));
    expect(await pay(asking, { execute, run: 'r2' })).toMatchObject({ status: 'denied' });
    expect(await pay(processOf(store), { execute, run: 'r3', resumed: await yes() })).toMatchObject({
      output: 'receipt 2',
    });
    expect(paid).toHaveLength(2);
  });
});

describe('once, where the framework tells which approval was answered', () => {
  const end = async (hooks: Hooks, run: string) => {
    await hooks.dispatch(Stop, { session: hooks.session('chat'), run, response: 'Done.', continuations: 0 });
  };

  /** A call of a later run that is equal to one that has run on the answer to approval a1. */
  async function askedAgain(store: Store, options: Partial<OnceOptions> = {}) {
    const { paid, execute } = payments();
    const hooks = processOf(store, options);
    await pay(hooks, { execute, approvalId: 'a1' });
    await end(hooks, 'r1');
    const asking = processOf(store, options);
    asking.on(BeforeToolCall, () => requireApproval('sure?'));
    expect(await pay(asking, { execute, run: 'r2' })).toMatchObject({ status: 'denied' });
    return { paid, execute };
  }

  test('gives an old answer the outcome of its own call, and runs the later one on its own', async () => {
    const store = memoryStore();
    const { paid, execute } = await askedAgain(store);
    const resumed = await yes();
    const old = { execute, run: 'r3', resumed, approvalId: 'a1' };
    const own = { execute, run: 'r4', resumed, approvalId: 'a2' };
    expect(await pay(processOf(store), old)).toMatchObject({ output: 'receipt 1' });
    expect(await pay(processOf(store), own)).toMatchObject({ output: 'receipt 2' });
    for (let nth = 0; nth < 2; nth++) {
      expect(await pay(processOf(store), old)).toMatchObject({ output: 'receipt 1' });
      expect(await pay(processOf(store), own)).toMatchObject({ output: 'receipt 2' });
    }
    expect(paid).toHaveLength(2);
  });

  describe('and not which session it was in, because each process gives the run one of its own', () => {
    /** The call as a process has it that resumes the run without a stored session. */
    const elsewhere = async (store: Store, about: Asked, user?: string) => {
      const hooks = processOf(store);
      const session = hooks.session(undefined, user === undefined ? {} : { principal: { id: user } });
      return pay(hooks, { session, run: session.id, resumed: await yes(), approvalId: 'a1', ...about });
    };

    test('runs it once for all processes, one after the other and at once', async () => {
      const store = memoryStore();
      const { paid, execute } = payments();
      for (let nth = 0; nth < 2; nth++)
        expect(await elsewhere(store, { execute })).toMatchObject({ output: 'receipt 1' });
      const both = [1, 2, 3].map(() => elsewhere(store, { execute, approvalId: 'a2' }));
      for (const outcome of await Promise.all(both)) expect(outcome).toMatchObject({ output: 'receipt 2' });
      expect(paid).toHaveLength(2);
    });

    test('runs it once where another process has died while it ran', async () => {
      const store = memoryStore();
      const { paid, execute } = payments();
      const running = Promise.withResolvers<void>();
      const dying = () => (running.resolve(), new Promise(() => {}));
      void elsewhere(store, { execute: dying });
      await running.promise;
      for await (const { key } of store.list('once/alive/')) await store.delete(key);
      expect(await elsewhere(store, { execute })).toMatchObject({ status: 'blocked' });
      expect(paid).toEqual([]);
    });

    test('takes it for no call of another user, approval, tool, input or id', async () => {
      const store = memoryStore();
      const { paid, execute } = payments();
      const input = { amount: 6 };
      await elsewhere(store, { execute });
      await elsewhere(store, { execute }, 'ann');
      await elsewhere(store, { execute }, 'bob');
      await elsewhere(store, { execute, approvalId: 'a2' });
      await elsewhere(store, { execute, callId: 'c2' });
      await elsewhere(store, { execute, input, resumed: await yes(input) });
      expect(paid).toHaveLength(6);
    });

    test('runs it once where another process knows the session that the run was stored in', async () => {
      const store = memoryStore();
      const { paid, execute } = payments();
      const stored = async () => pay(processOf(store), { execute, resumed: await yes(), approvalId: 'a1' });
      for (const answer of [() => stored(), () => elsewhere(store, { execute }), () => stored()])
        expect(await answer()).toMatchObject({ output: 'receipt 1' });
      expect(paid).toHaveLength(1);
    });

    test('may still run where a hook has refused it before', async () => {
      const store = memoryStore();
      const { paid, execute } = payments();
      const refusing = processOf(store);
      refusing.guard(BeforeExecute, () => block('not now'), { priority: -20_000 });
      const session = refusing.session();
      const call = { session, run: session.id, resumed: await yes(), approvalId: 'a1', execute };
      expect(await pay(refusing, call)).toMatchObject({ status: 'blocked' });
      for (let nth = 0; nth < 2; nth++)
        expect(await elsewhere(store, { execute })).toMatchObject({ output: 'receipt 1' });
      expect(paid).toHaveLength(1);
    });
  });

  describe('and one process gets a no, another one a yes', () => {
    const no = { decision: 'deny', reason: 'Too much.' } as const;
    const decided = (store: Store, about: Asked, options: Partial<OnceOptions> = {}) =>
      pay(processOf(store, options), { run: crypto.randomUUID(), approvalId: 'a1', ...about });

    test.each([
      ['what the model asked', {}],
      ['a key of its own', { key: () => 'invoice 1' }],
    ])(
      'runs nothing after the no, and another approval on its own, where %s is the key',
      async (_, options) => {
        const store = memoryStore();
        const { paid, execute } = payments();
        const resumed = await yes();
        expect(await decided(store, { execute, resumed: no }, options)).toMatchObject({
          reason: 'Too much.',
        });
        for (let nth = 0; nth < 2; nth++)
          expect(await decided(store, { execute, resumed }, options)).toMatchObject({
            status: 'blocked',
            reason: 'Too much.',
          });
        expect(paid).toEqual([]);
        expect(await decided(store, { execute, resumed, approvalId: 'a2' }, options)).toMatchObject({
          output: 'receipt 1',
        });
      },
    );

    test('runs nothing after a no that names its source', async () => {
      const store = memoryStore();
      const { paid, execute } = payments();
      const resumed = { ...no, source: 'chat_page' } as const;
      expect(await decided(store, { execute, resumed })).toMatchObject({ status: 'denied' });
      expect(await decided(store, { execute, resumed: await yes() })).toMatchObject({ status: 'blocked' });
      expect(paid).toEqual([]);
    });

    test('runs the call after the yes, and tells the model of a later no so', async () => {
      const store = memoryStore();
      const { paid, execute } = payments();
      const resumed = await yes();
      await decided(store, { execute, resumed });
      expect(await decided(store, { execute, resumed: no })).toMatchObject({
        status: 'denied',
        reason: expect.stringContaining('was approved before it was denied'),
      });
      expect(await decided(store, { execute, resumed })).toMatchObject({ output: 'receipt 1' });
      expect(paid).toHaveLength(1);
    });

    test('counts one of many answers that arrive at once', async () => {
      for (let nth = 0; nth < 20; nth++) {
        const store = memoryStore();
        const { paid, execute } = payments();
        const resumed = await yes();
        const answers = [no, resumed, no, resumed].map((one) => decided(store, { execute, resumed: one }));
        const outcomes = await Promise.all(answers);
        const denied = outcomes.filter(({ reason }) => reason === 'Too much.');
        expect([0, 4]).toContain(denied.length);
        expect(paid).toHaveLength(denied.length === 0 ? 1 : 0);
      }
    });

    test('takes no denial of an approver, nor of nobody, for an answer to the approval', async () => {
      const store = memoryStore();
      const { paid, execute } = payments();
      const asking = processOf(store);
      asking.on(BeforeToolCall, () => requireApproval('sure?'));
      const resumed = { decision: 'allow', hash: 'that of another input' } as const;
      expect(await pay(asking, { execute, resumed, approvalId: 'a1' })).toMatchObject({ status: 'denied' });
      expect(await decided(store, { execute, resumed: await yes() })).toMatchObject({ output: 'receipt 1' });
      expect(paid).toHaveLength(1);
    });

    test('denies a call while the store cannot be reached', async () => {
      const store = memoryStore();
      await store.close();
      expect(await decided(store, { resumed: no })).toMatchObject({ status: 'denied', reason: 'Too much.' });
    });
  });

  test.each([
    ['a1', 'a2'],
    ['a2', 'a1'],
  ])(
    'runs each of two equal calls that wait at the same time, though neither run has ended (%s, %s)',
    async (...order) => {
      const store = memoryStore();
      const { paid, execute } = payments();
      const asking = processOf(store);
      asking.on(BeforeToolCall, () => requireApproval('sure?'));
      for (const run of ['r1', 'r2'])
        expect(await pay(asking, { execute, run })).toMatchObject({ status: 'denied' });
      const answer = async (approvalId: string) =>
        pay(processOf(store), { execute, run: `of-${approvalId}`, resumed: await yes(), approvalId });
      for (let nth = 0; nth < 2; nth++)
        for (const [at, approvalId] of order.entries())
          expect(await answer(approvalId)).toMatchObject({ output: `receipt ${at + 1}` });
      expect(paid).toHaveLength(2);
    },
  );

  test('runs each of two equal calls whose answers arrive at once, each in two processes', async () => {
    const store = memoryStore();
    const { paid, execute } = payments();
    const resumed = await yes();
    const answers = ['a1', 'a2', 'a1', 'a2'].map((approvalId) =>
      pay(processOf(store), { execute, run: crypto.randomUUID(), resumed, approvalId }),
    );
    const outputs = (await Promise.all(answers)).map(({ output }) => output);
    expect(outputs.slice(2)).toEqual(outputs.slice(0, 2));
    expect(new Set(outputs).size).toBe(2);
    expect(paid).toHaveLength(2);
  });

  test('with a key of its own runs no call again that another approval has run', async () => {
    const store = memoryStore();
    const { paid, execute } = payments();
    const resumed = await yes();
    for (const approvalId of ['a1', 'a2'])
      expect(
        await pay(processOf(store, { key: () => 'invoice 1' }), { execute, resumed, approvalId }),
      ).toMatchObject({ output: 'receipt 1' });
    expect(paid).toHaveLength(1);
  });

  test('keeps the outcomes of several earlier runs apart', async () => {
    const store = memoryStore();
    const { paid, execute } = payments();
    const resumed = await yes();
    for (const nth of [1, 2, 3]) {
      const hooks = processOf(store);
      await pay(hooks, { execute, run: `r${nth}`, approvalId: `a${nth}` });
      await end(hooks, `r${nth}`);
    }
    for (const nth of [1, 2, 3])
      expect(
        await pay(processOf(store), { execute, run: 'r9', resumed, approvalId: `a${nth}` }),
      ).toMatchObject({ output: `receipt ${nth}` });
    expect(paid).toHaveLength(3);
  });

  test('runs nothing on an old answer that was looked up before the call ran', async () => {
    const store = memoryStore();
    const slow = processOf(store);
    const { promise, resolve } = Promise.withResolvers<void>();
    const lookedUp = Promise.withResolvers<void>();
    const wait = async () => {
      lookedUp.resolve();
      await promise;
      return proceed();
    };
    slow.on(BeforeToolCall, wait, { timeoutMs: 60_000 });
    const { paid: late, execute } = payments();
    const paying = pay(slow, { execute, run: 'r3', resumed: await yes(), approvalId: 'a1' });
    await lookedUp.promise;
    await askedAgain(store);
    resolve();
    expect(await paying).toMatchObject({ output: 'receipt 1' });
    expect(late).toEqual([]);
  });

  test('an answer on which a call began before its process died does not answer what is asked since', async () => {
    const store = memoryStore();
    const { paid, execute } = payments();
    const dying = processOf(store, { leaseMs: 60_000 });
    void pay(dying, { approvalId: 'a1', execute: () => new Promise(() => {}) });
    const claimed = async () => {
      let claims = 0;
      for await (const _ of store.list('once/call/')) claims++;
      return claims;
    };
    await expect.poll(claimed).toBe(1);
    for await (const { key } of store.list('once/alive/')) await store.delete(key);
    expect(await pay(processOf(store), { execute })).toMatchObject({ status: 'denied' });
    const resumed = await yes();
    expect(await pay(processOf(store), { execute, resumed, approvalId: 'a1' })).toMatchObject({
      status: 'blocked',
      reason: expect.stringContaining('Find out whether it did'),
    });
    expect(paid).toEqual([]);
    // The answer to what was asked since runs it. From then on, both get its outcome, also if a later run asks for it again.
    const both = async () => {
      for (const approvalId of ['a2', 'a1'])
        expect(await pay(processOf(store), { execute, resumed, approvalId })).toMatchObject({
          output: 'receipt 1',
        });
    };
    await both();
    await end(dying, 'r1');
    const asking = processOf(store);
    asking.on(BeforeToolCall, () => requireApproval('sure?'));
    expect(await pay(asking, { execute, run: 'r2' })).toMatchObject({ status: 'denied' });
    await both();
    expect(paid).toHaveLength(1);
  });
});

describe('once, after a crash', () => {
  /** A process that claims the call and dies while the tool runs. */
  async function crashed(store: Store, options: Partial<OnceOptions> = {}): Promise<void> {
    const dead = processOf(store, options);
    void pay(dead, { execute: () => new Promise(() => {}) });
    for (;;) {
      for await (const { value } of store.list('once/call/'))
        if (Object(value).kind === 'running') {
          const { owner } = Object(value);
          // Its sign of life is over, and no further one comes.
          await store.set(`once/call/${(await first(store)).key}`, {
            kind: 'running',
            owner: `dead ${owner}`,
          });
          return;
        }
      await new Promise(setImmediate);
    }
  }
  async function first(store: Store): Promise<{ readonly key: string }> {
    for await (const { key } of store.list('once/call/')) return { key: key.replace('once/call/', '') };
    throw new Error('No call is known.');
  }

  test('a person is asked, and nobody else can grant it', async () => {
    const store = memoryStore();
    await crashed(store);
    const { paid, execute } = payments();
    expect(await pay(processOf(store), { execute })).toMatchObject({
      status: 'denied',
      reason: expect.stringContaining('may have taken effect'),
    });
    expect(paid).toEqual([]);
    const hooks = processOf(store);
    const call = {
      session: hooks.session('chat'),
      run: 'r2',
      toolName: 'pay',
      callId: 'c1',
      input: { amount: 5 },
    };
    expect(await callTool(hooks, call, execute, { approval: () => ({ decision: 'allow' }) })).toMatchObject({
      output: 'receipt 1',
    });
    await hooks.settled();
    expect(await pay(processOf(store), { execute })).toMatchObject({ output: 'receipt 1' });
  });

  test('a person is asked again if the call was refused after a person had approved it', async () => {
    const store = memoryStore();
    await crashed(store);
    const { paid, execute } = payments();
    const refusing = processOf(store);
    refusing.guard(BeforeExecute, () => block('Not today.'));
    const call = {
      session: refusing.session('chat'),
      run: 'r2',
      toolName: 'pay',
      callId: 'c1',
      input: { amount: 5 },
    };
    const refused = callTool(refusing, call, execute, { approval: () => ({ decision: 'allow' }) });
    expect(await refused).toMatchObject({ status: 'blocked', reason: 'Not today.' });
    await refusing.settled();
    expect(await pay(processOf(store), { execute })).toMatchObject({
      status: 'denied',
      reason: expect.stringContaining('may have taken effect'),
    });
    expect(paid).toEqual([]);
  });

  test('a caller that nobody was asked about does not take the call over', async () => {
    const store = memoryStore();
    const { paid, execute } = payments();
    const late = processOf(store);
    const crashedMeanwhile = async () => {
      await crashed(store);
      // A person is asked elsewhere.
      await pay(processOf(store), { execute });
      return proceed();
    };
    late.on(BeforeToolCall, crashedMeanwhile, { priority: 1 });
    expect(await pay(late, { execute })).toMatchObject({
      status: 'blocked',
      reason: expect.stringContaining('Find out whether it did'),
    });
    expect(paid).toEqual([]);
  });

  test.each([
    ['writes', ['set']],
    ['reads and writes', ['get', 'set']],
  ])('a person is asked if the store fails on %s when the outcome is to be kept', async (_, failing) => {
    const inner = memoryStore();
    let isOver = false;
    const store = new Proxy(inner, {
      get(target, key) {
        const member: unknown = Reflect.get(target, key);
        if (typeof member !== 'function') return member;
        if (!failing.includes(String(key))) return member.bind(target);
        return (...given: readonly unknown[]) => {
          if (isOver) return Promise.reject(new Error('The store is gone.'));
          return member.apply(target, given);
        };
      },
    });
    const hooks = processOf(store);
    hooks.onError(() => {});
    await pay(hooks, {
      execute: () => {
        isOver = true;
        return 'receipt';
      },
    });
    const { paid, execute } = payments();
    isOver = false;
    expect(await pay(processOf(inner), { execute })).toMatchObject({
      status: 'denied',
      reason: expect.stringContaining('may have taken effect'),
    });
    expect(paid).toEqual([]);
  });

  test('the yes that came before the crash does not run it again', async () => {
    const store = memoryStore();
    await crashed(store);
    const { paid, execute } = payments();
    const resumed = await yes();
    expect(await pay(processOf(store), { execute, resumed })).toMatchObject({
      status: 'blocked',
      reason: expect.stringContaining('Find out whether it did'),
    });
    expect(paid).toEqual([]);
  });

  test('a yes from another process to another question does not run it again', async () => {
    const store = memoryStore();
    const options = { key: () => 'invoice 7' };
    await crashed(store, options);
    // A person is asked in another session, and says no.
    const hooks = processOf(store, options);
    expect(await pay(hooks, { session: hooks.session('other') })).toMatchObject({ status: 'denied' });
    const { paid, execute } = payments();
    expect(await pay(processOf(store, options), { execute, resumed: await yes() })).toMatchObject({
      status: 'blocked',
      reason: expect.stringContaining('Find out whether it did'),
    });
    expect(paid).toEqual([]);
  });

  test('a yes in the same process to another question does not run it again', async () => {
    const store = memoryStore();
    const hooks = processOf(store);
    hooks.on(BeforeToolCall, () => requireApproval('It costs money.'), { id: 'ask' });
    const call = {
      session: hooks.session('chat'),
      run: 'r1',
      toolName: 'pay',
      callId: 'c1',
      input: { amount: 5 },
    };
    const { paid, execute } = payments();
    const before = await callTool(hooks, call, execute, {
      async approval() {
        await crashed(store);
        // Asked about the crash, the person says no.
        expect(await pay(hooks, { execute })).toMatchObject({ status: 'denied' });
        return { decision: 'allow' };
      },
    });
    expect(before).toMatchObject({
      status: 'blocked',
      reason: expect.stringContaining('Find out whether it did'),
    });
    expect(paid).toEqual([]);
  });

  test('a yes that answers the question runs it', async () => {
    const store = memoryStore();
    await crashed(store);
    const { execute } = payments();
    await pay(processOf(store), { execute });
    expect(await pay(processOf(store), { execute, resumed: await yes() })).toMatchObject({
      output: 'receipt 1',
    });
  });
});

describe('once, attacked', () => {
  /** A store whose writes of a call's record wait. */
  function slowly(store: Store, wait: () => Promise<void> | undefined, written = () => {}): Store {
    return new Proxy(store, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        if (name !== 'set') return value.bind(target);
        return async (...args: Parameters<Store['set']>) => {
          if (!args[0].startsWith('once/call/')) return target.set(...args);
          await wait();
          return target.set(...args).finally(written);
        };
      },
    });
  }

  async function valuesOf(store: Store): Promise<string> {
    const kept: unknown[] = [];
    for await (const { value } of store.list('once/call/')) kept.push(value);
    return JSON.stringify(kept);
  }

  test('runs a call once for two registries that share a store', async () => {
    const store = memoryStore();
    const registries = [{ hooks: processOf(store) }, { hooks: processOf(store) }] as const;
    const { paid, execute } = payments();
    const call = {
      session: registries[0].hooks.session('chat'),
      toolName: 'pay',
      callId: 'c1',
      input: {},
    };
    for (let nth = 0; nth < 2; nth++)
      expect(await callTool(registries, call, execute)).toMatchObject({ output: 'receipt 1' });
    expect(paid).toHaveLength(1);
  });

  test('keeps the outcome of a call whose input, and so its key, a middleware has changed', async () => {
    const store = memoryStore();
    const key = ({ input }: { readonly input: unknown }) => JSON.stringify(input);
    const hooks = processOf(store, { key });
    const call = { session: hooks.session('chat'), toolName: 'pay', input: { amount: 5 } };
    let paid = 0;
    for (let nth = 0; nth < 2; nth++) {
      const outcome = await callTool(hooks, call, async (_input, running) => {
        await recheckToolCall(running, { amount: 7 });
        paid++;
        return 'receipt';
      });
      expect(outcome).toMatchObject({ status: 'ok', output: 'receipt' });
    }
    expect(paid).toBe(1);
  });

  test('keeps the outcome of a call that another process finishes', async () => {
    const store = memoryStore();
    const begins = processOf(store);
    const about = { toolName: 'pay', callId: 'c1', run: 'r1', input: { amount: 5 } };
    const begun = await beginToolCall(begins, { session: begins.session('chat'), ...about });
    if (begun.kind !== 'run') throw new Error(begun.kind);
    await finishToolCall(processOf(store), JSON.parse(JSON.stringify(begun.token)), { output: 'receipt' });
    expect(await pay(processOf(store))).toMatchObject({ output: 'receipt' });
  });

  test('leaves no call running that was refused because the store was slow', async () => {
    const store = memoryStore();
    const gate = Promise.withResolvers<void>();
    const written = Promise.withResolvers<void>();
    const hooks = createHooks({ timeoutMs: 20, onError: () => {} });
    hooks.use(once({ tools: 'pay', store: slowly(store, () => gate.promise, written.resolve) }));
    expect(await pay(hooks)).toMatchObject({ status: 'blocked', ran: false });
    gate.resolve();
    await written.promise;
    await expect.poll(() => valuesOf(store)).toBe('[]');
    expect(await pay(processOf(store))).toMatchObject({ status: 'ok' });
  });

  test('keeps no output that a guard withholds while the outcome is being written', async () => {
    const store = memoryStore();
    const gate = Promise.withResolvers<void>();
    const written = Promise.withResolvers<void>();
    const hooks = createHooks();
    let now: Promise<void> | undefined;
    hooks.use(
      once({
        tools: 'pay',
        store: slowly(
          store,
          () => now,
          () => now && written.resolve(),
        ),
      }),
    );
    hooks.guard(AfterToolCall, async () => block('Not for you.'));
    const paying = pay(hooks, {
      execute: () => {
        now = gate.promise;
        return 'secret';
      },
    });
    // The block is the outcome by now, and its observers have been told.
    for (let turn = 0; turn < 100; turn++) await new Promise(setImmediate);
    gate.resolve();
    expect(await paying).toMatchObject({ status: 'blocked' });
    await written.promise;
    await expect.poll(() => valuesOf(store)).toContain('Not for you.');
  });

  test('knows a call whose run began before the note of an earlier run expired', async () => {
    const store = memoryStore();
    const { paid, execute } = payments();
    const hooks = processOf(store, { keepMs: 60_000 });
    const stop = { session: hooks.session('chat'), run: 'r0', response: '', continuations: 0 };
    await hooks.dispatch(Stop, stop);
    await pay(hooks, { execute });
    for await (const { key } of store.list('once/ended/')) await store.delete(key);
    await pay(processOf(store), { execute, run: 'r2' });
    expect(paid).toHaveLength(1);
  });

  test('knows a call that runs, however soon outcomes are forgotten', async () => {
    const store = memoryStore();
    const { promise, resolve } = Promise.withResolvers<string>();
    const { paid, execute } = payments();
    // Longer than the second caller waits between two looks at the store.
    const running = pay(processOf(store, { keepMs: 400, leaseMs: 60_000 }), { execute: () => promise });
    await expect.poll(() => valuesOf(store)).toContain('running');
    const since = performance.now();
    await expect.poll(() => performance.now() - since).toBeGreaterThan(450);
    const second = pay(processOf(store, { keepMs: 60_000, leaseMs: 60_000 }), { execute });
    resolve('receipt 0');
    await running;
    await second;
    expect(paid).toEqual([]);
  });

  test('the yes that came before the crash runs nothing, though somebody was asked since', async () => {
    const store = memoryStore();
    const { paid, execute } = payments();
    const resumed = await yes();
    void pay(processOf(store, { leaseMs: 60_000 }), { resumed, execute: () => new Promise(() => {}) });
    await expect.poll(() => valuesOf(store)).toContain('running');
    for await (const { key } of store.list('once/alive/')) await store.delete(key);
    expect(await pay(processOf(store), { execute })).toMatchObject({ status: 'denied' });
    expect(await pay(processOf(store), { execute, resumed })).toMatchObject({
      status: 'blocked',
      reason: expect.stringContaining('Find out whether it did'),
    });
    expect(paid).toEqual([]);
  });
});

test('a call that ran is not run again, though code around its tool then tried an input that a guard refuses', async () => {
  const hooks = createHooks();
  hooks.use(once({ tools: 'pay', store: memoryStore() }));
  hooks.guard(BeforeToolCall, ({ input }) => (input === 5000 ? block('too much') : proceed()));
  const paid: unknown[] = [];
  const call = { session: hooks.session('s'), run: 'r', toolName: 'pay', callId: 'c1', input: 5 };
  const pay = () =>
    callTool(hooks, call, async (input, running) => {
      for (const sum of [input, 5000]) {
        const checked = await recheckToolCall(running, sum);
        if (checked.kind === 'run') paid.push(checked.input);
      }
    });
  expect(await pay()).toMatchObject({ status: 'blocked', ran: true });
  expect(await pay()).toMatchObject({ status: 'blocked', ran: false });
  expect(paid).toEqual([5]);
});
