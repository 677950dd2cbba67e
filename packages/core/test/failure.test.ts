import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  HooksError,
  modify,
  PermissionRequest,
  proceed,
  requireApproval,
  retry,
  SessionStart,
  Stop,
  ToolApprovalDecision,
  TransformToolResult,
  TurnStart,
  UserPromptSubmit,
} from '../src/index.ts';
import { call, deferred, tick } from './support/call.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const failures: readonly [string, () => never, string][] = [
  [
    'throws',
    () => {
      throw new Error('secret-value');
    },
    'threw an error',
  ],
  ['rejects', () => Promise.reject(new Error('secret-value')) as never, 'threw an error'],
  ['times out', () => new Promise(() => {}) as never, 'did not answer within 1000 ms'],
  ['answers nonsense', () => 'yes' as never, 'returned no decision (string)'],
  ['forgets to answer', () => undefined as never, 'returned no decision (undefined)'],
  ['answers what is not permitted', () => retry('again') as never, 'answered retry, which is not permitted'],
  ['modifies what is not modifiable', () => modify({ session: 1 }) as never, 'modified "session"'],
  ['gives a field a wrong shape', () => modify({ approval: 'yes' }) as never, 'modified "approval"'],
];

async function failing(hooks: Hooks): Promise<Awaited<ReturnType<typeof call>>> {
  const calling = call(hooks);
  await vi.advanceTimersByTimeAsync(1040);
  return calling;
}

describe('a gate fails closed', () => {
  it.each(failures)(
    'before a tool call, a hook that %s blocks it, with a reason that names the hook',
    async (_, handler, what) => {
      for (const verb of ['on', 'guard'] as const) {
        const hooks = createHooks({ timeoutMs: 1000 });
        hooks[verb](BeforeToolCall, handler, { id: 'acme' });
        const outcome = await failing(hooks);
        expect(outcome).toMatchObject({ status: 'blocked', ran: false, by: 'acme' });
        expect(outcome.reason).toContain('hook "acme"');
        expect(outcome.reason).toContain(
          verb === 'guard' && what.startsWith('modified') ? 'is a guard, which may only answer' : what,
        );
        expect(outcome.reason).not.toContain('secret-value');
      }
    },
  );

  it('on a prompt', async () => {
    const hooks = createHooks();
    hooks.on(UserPromptSubmit, failures[0]![1]);
    expect(
      await hooks.dispatch(UserPromptSubmit, { session: hooks.session('s'), prompt: 'x' }),
    ).toMatchObject({ kind: 'block' });
  });

  it('after a tool call: the output is withheld', async () => {
    const hooks = createHooks();
    hooks.on(AfterToolCall, failures[0]![1]);
    const outcome = await call(hooks);
    expect(outcome).toMatchObject({ status: 'blocked', ran: true });
    expect(outcome).not.toHaveProperty('output');
  });

  it('TransformToolResult: the result is withheld from everybody', async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on(TransformToolResult, failures[0]![1]);
    hooks.observe(AfterToolCall, (event) => void seen.push([event.status, 'output' in event]));
    const outcome = await call(hooks, { execute: () => 'token' });
    expect(outcome).toMatchObject({ status: 'blocked', ran: true });
    expect(outcome).not.toHaveProperty('output');
    expect(seen).toEqual([['blocked', false]]);
  });

  it('PermissionRequest: the person is asked', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    hooks.on(PermissionRequest, failures[0]![1]);
    expect(await call(hooks, { approval: () => ({ decision: 'allow' }) })).toMatchObject({ status: 'ok' });
  });

  it.each([SessionStart, TurnStart, Stop])('$type proceeds', async (token) => {
    const hooks = createHooks();
    hooks.on(token as never, failures[0]![1]);
    expect(await hooks.dispatch(token as never, { session: hooks.session('s') } as never)).toBe(proceed());
  });

  it('a hook’s own onFailure overrides the event’s', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, failures[0]![1], { onFailure: 'proceed' });
    expect(await call(hooks)).toMatchObject({ status: 'ok' });
  });

  it('onFailure of a hook on a tool’s events: what stays closed opens, and what opens stays closed', async () => {
    const broken = failures[0]![1];
    const outcome = async (register: (hooks: Hooks) => void) => {
      const hooks = createHooks();
      register(hooks);
      return call(hooks, { approval: () => ({ decision: 'allow' }) });
    };
    expect(
      await outcome((hooks) => hooks.guard(BeforeToolCall, broken, { onFailure: 'proceed' })),
    ).toMatchObject({ status: 'ok' });
    for (const point of [TransformToolResult, AfterToolCall])
      expect(
        await outcome((hooks) => hooks.on(point as typeof AfterToolCall, broken, { onFailure: 'proceed' })),
      ).toMatchObject({ status: 'ok', output: 'ls' });
    expect(
      await outcome((hooks) => {
        hooks.on(BeforeToolCall, () => requireApproval('sure?'));
        hooks.on(PermissionRequest, broken, { onFailure: 'block' });
      }),
    ).toMatchObject({ status: 'denied', ran: false });
  });

  it('onFailure "block" is refused where the event does not permit Block', () => {
    expect(() => createHooks().on(TurnStart, () => proceed(), { onFailure: 'block' })).toThrow(/onFailure/);
  });
});

describe('every failure is reported', () => {
  it.each(failures)(
    '%s: to onError with the hook, the event and the cause, and to the trace',
    async (_, handler) => {
      const errors: HooksError[] = [];
      const traced: unknown[] = [];
      const hooks = createHooks({ timeoutMs: 1000, onError: (error) => errors.push(error) });
      hooks.trace((trace) => {
        traced.push(trace.hooks[0]?.error);
      });
      hooks.on(BeforeToolCall, handler, { id: 'acme' });
      await failing(hooks);
      expect(errors).toHaveLength(1);
      expect(errors[0]).toBeInstanceOf(HooksError);
      expect(errors[0]).toMatchObject({ hook: 'acme', event: 'before_tool_call' });
      expect(traced[0]).toBe(errors[0]);
    },
  );

  it('what was thrown is the cause', async () => {
    const cause = new Error('boom');
    const errors: HooksError[] = [];
    const hooks = createHooks({ onError: (error) => errors.push(error) });
    hooks.on(BeforeToolCall, () => {
      throw cause;
    });
    await call(hooks);
    expect(errors[0]?.cause).toBe(cause);
  });

  it('a late answer is ignored, and reported', async () => {
    const errors: string[] = [];
    const hooks = createHooks({ timeoutMs: 1000, onError: ({ code }) => errors.push(code) });
    const { promise, resolve } = Promise.withResolvers<ReturnType<typeof modify>>();
    hooks.on(BeforeToolCall, () => promise as never, { onFailure: 'proceed' });
    const outcome = await failing(hooks);
    resolve(modify({ input: 'late' }));
    await tick();
    expect(outcome).toMatchObject({ status: 'ok', output: 'ls' });
    expect(errors).toEqual(['HOOK_TIMEOUT', 'LATE_ANSWER']);
  });

  it('each has its code', async () => {
    const codes: string[] = [];
    for (const [, handler] of failures) {
      const hooks = createHooks({ timeoutMs: 1000, onError: ({ code }) => codes.push(code) });
      hooks.on(BeforeToolCall, handler);
      await failing(hooks);
    }
    expect(codes).toEqual([
      'HOOK_FAILED',
      'HOOK_FAILED',
      'HOOK_TIMEOUT',
      ...Array.from({ length: 5 }, () => 'INVALID_DECISION'),
    ]);
  });

  it('a guard’s and an observer’s late answer, too', async () => {
    const errors: string[] = [];
    const hooks = createHooks({
      timeoutMs: 1000,
      onError: ({ hook, code }) => errors.push(`${hook} ${code}`),
    });
    const late = deferred<ReturnType<typeof proceed>>();
    hooks.guard(BeforeToolCall, () => late.promise, { id: 'guard' });
    hooks.observe(BeforeToolCall, () => late.promise, { id: 'observer' });
    expect(await failing(hooks)).toMatchObject({ status: 'blocked', by: 'guard' });
    await vi.advanceTimersByTimeAsync(1040);
    late.resolve(proceed());
    await hooks.settled();
    await tick();
    expect(errors.toSorted()).toEqual([
      'guard HOOK_TIMEOUT',
      'guard LATE_ANSWER',
      'observer HOOK_TIMEOUT',
      'observer LATE_ANSWER',
    ]);
  });

  it('without a listener, a warning names the hook once, and not what it threw', async () => {
    const warnings: string[] = [];
    const hooks = createHooks({ onWarning: (message) => warnings.push(message) });
    hooks.guard(BeforeToolCall, failures[0]![1], { id: 'acme' });
    await call(hooks);
    await call(hooks);
    expect(warnings).toEqual([
      'hook "acme" threw an error on before_tool_call (HOOK_FAILED). Set onError in createHooks to hear the cause. See https://hooks.github.io/hooks/guides/troubleshooting#hook_failed',
    ]);
  });

  it('an observer that answers with a decision', async () => {
    const errors: string[] = [];
    const hooks = createHooks({
      onError: ({ hook, code, message }) => errors.push(`${hook} ${code} ${message}`),
    });
    hooks.observe(BeforeToolCall, (() => block('no')) as never, { id: 'at once' });
    hooks.observe(BeforeToolCall, (async () => block('no')) as never, { id: 'later' });
    hooks.observe(BeforeToolCall, () => proceed(), { id: 'proceeds' });
    expect(await call(hooks)).toMatchObject({ status: 'ok' });
    await hooks.settled();
    expect(errors).toEqual(
      ['at once', 'later'].map(
        (id) =>
          `${id} INVALID_DECISION hook "${id}" only observes, so its answer "block" changes nothing, on before_tool_call`,
      ),
    );
  });

  const broken = {
    throws: () => {
      throw new Error('x');
    },
    rejects: async () => {
      throw new Error('x');
    },
  };

  it.each(Object.entries(broken))(
    'a listener that %s changes nothing, and a warning names it',
    async (_, listener) => {
      const warnings: string[] = [];
      const hooks = createHooks({ onError: listener, onWarning: (message) => warnings.push(message) });
      hooks.trace(listener);
      hooks.on(BeforeToolCall, failures[0]![1]);
      expect(await call(hooks)).toMatchObject({ status: 'blocked' });
      expect(await call(hooks)).toMatchObject({ status: 'blocked' });
      await tick();
      expect(warnings.toSorted()).toEqual(
        ['hooks.trace', 'onError'].map(
          (name) => `A listener of ${name} failed, which changes nothing: catch its errors in the listener`,
        ),
      );
    },
  );

  it.each(Object.entries(broken))('an onWarning that %s changes nothing', async (_, onWarning) => {
    const hooks = createHooks({ onWarning });
    hooks.on(BeforeToolCall, failures[0]![1]);
    expect(await call(hooks)).toMatchObject({ status: 'blocked' });
    await tick();
  });
});

describe('timeouts', () => {
  it('are the hook’s own, else the registry’s, and leave no timer behind', async () => {
    const errors: string[] = [];
    const hooks = createHooks({ timeoutMs: 1000, onError: (error) => errors.push(error.message) });
    hooks.on(BeforeToolCall, () => new Promise<never>(() => {}), {
      id: 'quick',
      timeoutMs: 10,
      onFailure: 'proceed',
    });
    hooks.on(BeforeToolCall, () => new Promise<never>(() => {}), { id: 'slow' });
    const calls = [call(hooks), call(hooks), call(hooks)];
    await vi.advanceTimersByTimeAsync(40);
    expect(errors).toHaveLength(3);
    await vi.advanceTimersByTimeAsync(1040);
    await Promise.all(calls);
    expect(errors.filter((message) => message.includes('within 1000 ms'))).toHaveLength(3);
    expect(vi.getTimerCount()).toBe(1); // the one that sweeps the sessions
  });

  it('what throws in whoever dispatches rejects the dispatch, also behind a timeout and behind a promise', async () => {
    for (const first of [() => new Promise<never>(() => {}), async () => proceed()]) {
      const hooks = createHooks({ timeoutMs: 10 });
      hooks.on(BeforeToolCall, first, { onFailure: 'proceed' });
      hooks.on(BeforeToolCall, () => modify({ input: 'other' }));
      const event = {
        session: hooks.session(),
        callId: 'c',
        toolName: 't',
        nativeToolName: 't',
        input: 'one',
      };
      const refuse = (): never => {
        throw new Error('the dispatcher’s own');
      };
      const decision = Promise.resolve(hooks.dispatch(BeforeToolCall, event, { refuse }));
      const rejected = expect(decision).rejects.toThrow('own');
      await vi.advanceTimersByTimeAsync(100);
      await rejected;
    }
  });

  it('never cover the tool', async () => {
    const hooks = createHooks({ timeoutMs: 10 });
    hooks.on(BeforeToolCall, async () => proceed());
    const slow = Promise.withResolvers<string>();
    const calling = call(hooks, { execute: () => slow.promise });
    await vi.advanceTimersByTimeAsync(1040);
    slow.resolve('done');
    expect(await calling).toMatchObject({ status: 'ok', output: 'done' });
  });

  it('never cover a delay or a person', async () => {
    const hooks = createHooks({ timeoutMs: 10 });
    const [asked, ran] = [deferred<void>(), deferred<void>()];
    const person = deferred<{ readonly decision: 'allow' }>();
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    hooks.on(AfterToolCall, ({ attempt }) => (attempt === 1 ? retry('later', { delayMs: 5000 }) : proceed()));
    const calling = call(hooks, {
      approval: () => (asked.resolve(), person.promise),
      execute: () => ran.resolve(),
    });
    await asked.promise;
    await vi.advanceTimersByTimeAsync(1040);
    person.resolve({ decision: 'allow' });
    await ran.promise;
    await tick();
    await vi.advanceTimersByTimeAsync(5000);
    expect(await calling).toMatchObject({ status: 'ok', attempts: 2 });
  });

  it('need none for a Retry without a delay: the tool runs again at once', async () => {
    const hooks = createHooks();
    const attempts: number[] = [];
    hooks.on(
      AfterToolCall,
      ({ attempt }) => (attempts.push(attempt), attempt < 3 ? retry('again') : proceed()),
    );
    const calling = call(hooks);
    await tick();
    expect(attempts).toEqual([1, 2, 3]);
    await calling;
  });

  it('of a guard count in order: the first to block gives the reason, whoever times out behind it', async () => {
    const hooks = createHooks({ timeoutMs: 1000 });
    const never = () => new Promise<never>(() => {});
    hooks.guard(BeforeToolCall, never, { id: 'first' });
    hooks.guard(BeforeToolCall, never, { id: 'second', timeoutMs: 100 });
    expect(await failing(hooks)).toMatchObject({ status: 'blocked', by: 'first' });
  });

  it('fire the handler’s signal', async () => {
    const hooks = createHooks({ timeoutMs: 10 });
    let reason: unknown;
    hooks.on(
      BeforeToolCall,
      (_, { signal }) =>
        new Promise<never>(() => {
          signal.addEventListener('abort', () => {
            reason = signal.reason;
          });
        }),
    );
    const calling = call(hooks);
    await vi.advanceTimersByTimeAsync(40);
    await calling;
    expect(reason).toMatchObject({ code: 'HOOK_TIMEOUT' });
  });

  it('fire no signal of a hook that has answered, of the same call or another', async () => {
    const hooks = createHooks({ timeoutMs: 10 });
    const run = new AbortController();
    const kept: AbortSignal[] = [];
    const keep = hooks.on(BeforeToolCall, (_call, { signal }) => (kept.push(signal), proceed()), {
      id: 'keep',
    });
    await call(hooks, { signal: run.signal });
    for (const removed of [() => {}, () => keep[Symbol.dispose]()]) {
      removed();
      using _never = hooks.on(BeforeToolCall, () => new Promise<never>(() => {}), { id: 'never' });
      const calling = call(hooks, { signal: run.signal });
      await vi.advanceTimersByTimeAsync(40);
      expect(await calling).toMatchObject({ status: 'blocked', by: 'never' });
    }
    expect(kept.map(({ aborted }) => aborted)).toEqual([false, false]);
    run.abort();
    expect(kept.map(({ aborted }) => aborted)).toEqual([true, true]);
  });

  it('an answer within the time is taken, also at its end, and its signal never fires', async () => {
    const hooks = createHooks();
    const slow = deferred<void>();
    let given: AbortSignal | undefined;
    hooks.on(
      BeforeToolCall,
      async (_call, { signal }) => {
        given = signal;
        await slow.promise;
        return block('no');
      },
      { timeoutMs: 100 },
    );
    const calling = call(hooks);
    await vi.advanceTimersByTimeAsync(99);
    slow.resolve();
    expect(await calling).toMatchObject({ status: 'blocked', reason: 'no' });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(given?.aborted).toBe(false);
  });

  it.each([2 ** 31, 2 ** 33])(
    'of %d ms do not end at once, as a timer of that length would',
    async (timeoutMs) => {
      const hooks = createHooks({ timeoutMs });
      const never = vi.fn(() => new Promise<never>(() => {}));
      hooks.guard(BeforeToolCall, never);
      let over = false;
      const calling = call(hooks).then(({ status }) => {
        over = true;
        return status;
      });
      await vi.advanceTimersByTimeAsync(2 ** 31 - 1);
      expect(over).toBe(false);
      await vi.advanceTimersByTimeAsync(timeoutMs - (2 ** 31 - 1));
      expect(await calling).toBe('blocked');
    },
  );

  it('are each hook’s own: one without a limit bounds no other, and is not bounded', async () => {
    const hooks = createHooks();
    const [free, bounded] = [deferred<void>(), deferred<void>()];
    const waiting = (until: Promise<void>) => async () => {
      await until;
      return proceed();
    };
    hooks.on(BeforeToolCall, waiting(free.promise), { id: 'free', timeoutMs: Number.POSITIVE_INFINITY });
    hooks.on(BeforeToolCall, waiting(bounded.promise), { id: 'bounded', timeoutMs: 100 });
    const calling = call(hooks);
    await vi.advanceTimersByTimeAsync(10_000);
    free.resolve();
    await vi.advanceTimersByTimeAsync(200);
    expect(await calling).toMatchObject({ status: 'blocked', by: 'bounded' });
  });

  it('a caller’s own look at the outcome that throws rejects the dispatch', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, async () => modify({ input: 'pwd' }));
    const session = hooks.session('s');
    const event = { session, callId: 'c', toolName: 'exec', nativeToolName: 'exec', input: 'ls' };
    const final = () => {
      throw new Error('mine');
    };
    await expect(hooks.dispatch(BeforeToolCall, event, { final })).rejects.toThrow('mine');
    hooks.clear();
    hooks.on(BeforeToolCall, async () => modify({ input: 'pwd' }), { timeoutMs: Number.POSITIVE_INFINITY });
    await expect(hooks.dispatch(BeforeToolCall, event, { final })).rejects.toThrow('mine');
  });

  it.each([0, -1, Number.NaN])('of %d are refused', (timeoutMs) => {
    expect(() => createHooks({ timeoutMs })).toThrow(/timeoutMs/);
    expect(() => createHooks().on(BeforeToolCall, () => proceed(), { timeoutMs })).toThrow(/timeoutMs/);
  });
});

describe('aborts', () => {
  it('reach the signal of a hook before the call, not of AfterToolCall nor of observers', async () => {
    const hooks = createHooks();
    const run = new AbortController();
    const signals: { [name: string]: AbortSignal } = {};
    hooks.on(BeforeToolCall, (_, { signal }) => {
      signals['before'] = signal;
      return proceed();
    });
    hooks.on(AfterToolCall, (_, { signal }) => {
      signals['after'] = signal;
      return proceed();
    });
    hooks.observe(BeforeToolCall, (_, __, { signal }) => {
      signals['observer'] = signal;
    });
    await call(hooks, {
      signal: run.signal,
      execute: () => {
        run.abort();
        return 'x';
      },
    });
    expect({
      before: signals['before']?.aborted,
      after: signals['after']?.aborted,
      observer: signals['observer']?.aborted,
    }).toEqual({ before: true, after: false, observer: false });
  });

  it.each(['SessionStart', 'check', 'on', 'guard', 'PermissionRequest', 'approver', 'ToolApprovalDecision'])(
    'in the midst of %s: the tool does not start, and AfterToolCall tells of it',
    async (stage) => {
      const hooks = createHooks();
      const run = new AbortController();
      const seen: string[] = [];
      const at = (name: string) => async () => {
        await tick();
        if (name === stage) run.abort(new Error('stopped'));
        return proceed();
      };
      hooks.on(SessionStart, at('SessionStart'));
      hooks.on(BeforeToolCall, at('on'));
      hooks.on(BeforeToolCall, () => requireApproval('sure?'));
      hooks.guard(BeforeToolCall, at('guard'));
      hooks.on(PermissionRequest, at('PermissionRequest'));
      hooks.on(ToolApprovalDecision, at('ToolApprovalDecision'));
      hooks.observe(AfterToolCall, ({ ran, attempt }) => void seen.push(`${ran} ${attempt}`));
      const outcome = await call(hooks, {
        signal: run.signal,
        check: async () => void (await at('check')()),
        approval: async () => {
          await at('approver')();
          return { decision: 'allow' };
        },
        execute: () => seen.push('ran'),
      });
      expect(outcome).toMatchObject({ ran: false, attempts: 0 });
      expect(seen).toEqual(['false 0']);
    },
  );

  it('while a hook before the call waits: the tool does not start', async () => {
    const hooks = createHooks();
    const run = new AbortController();
    const seen: string[] = [];
    hooks.on(
      BeforeToolCall,
      (_, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => resolve(proceed()));
        }),
    );
    hooks.observe(AfterToolCall, ({ status, ran }) => void seen.push(`${status} ${ran}`));
    let ran = false;
    const calling = call(hooks, {
      signal: run.signal,
      execute: () => {
        ran = true;
      },
    });
    await tick();
    run.abort(new Error('stopped'));
    expect(await calling).toMatchObject({ aborted: true, ran: false, error: new Error('stopped') });
    expect(ran).toBe(false);
    expect(seen).toEqual(['error false']);
  });
});
