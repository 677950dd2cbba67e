import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  AfterToolCall,
  addContext,
  answer,
  BeforeToolCall,
  block,
  createHooks,
  type DispatchTrace,
  HooksError,
  modify,
  PermissionRequest,
  proceed,
  requireApproval,
  retry,
  ToolApprovalDecision,
  ToolEvent,
  TransformToolResult,
} from '../src/index.ts';
import { beginToolCall, callTool, finishToolCall } from '../src/tool-call/index.ts';
import { call } from './support/call.ts';

const WHERE = {
  agent: 'Ada',
  run: 'r1',
  turn: 't1',
  parentCallId: 'c0',
  native: { of: 'the framework' },
  tool: { kind: 'function' },
} as const;

describe('what a call’s events carry', () => {
  it('where the call belongs, in each of them', async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.observe(ToolEvent, ({ session, input, ...event }) => void seen.push(event));
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    await call(hooks, { ...WHERE, callId: 'c1', approval: () => ({ decision: 'allow', reason: 'go on' }) });
    const common = { ...WHERE, callId: 'c1', toolName: 'exec', nativeToolName: 'exec', modelInput: 'ls' };
    expect(seen).toEqual([
      { type: 'before_tool_call', ...common, approval: { kind: 'required', reason: 'sure?' } },
      { type: 'permission_request', ...common, reason: 'sure?' },
      {
        type: 'tool_approval_decision',
        ...common,
        approval: 'allow',
        source: 'user_approved',
        reason: 'go on',
      },
      { type: 'before_execute', ...common, executionId: expect.any(String) },
      { type: 'transform_tool_result', ...common, status: 'ok', attempt: 1, output: 'ls' },
      {
        type: 'after_tool_call',
        ...common,
        status: 'ok',
        ran: true,
        durationMs: expect.any(Number),
        attempt: 1,
        executionId: expect.any(String),
        output: 'ls',
      },
    ]);
  });

  it('nothing of what is not known', async () => {
    const hooks = createHooks();
    const fields: string[] = [];
    hooks.observe(ToolEvent, (event) => void fields.push(Object.keys(event).sort().join(' ')));
    const known = 'callId input modelInput nativeToolName session toolName type';
    const withKnown = (...more: string[]): string => [...known.split(' '), ...more].sort().join(' ');
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    await call(hooks, { approval: () => ({ decision: 'allow' }) });
    expect(fields).toEqual([
      withKnown('approval'),
      withKnown('reason'),
      withKnown('approval', 'source'),
      withKnown('executionId'),
      withKnown('status', 'attempt', 'output'),
      withKnown('status', 'ran', 'durationMs', 'attempt', 'executionId', 'output'),
    ]);
  });

  it('a person who must be asked is named to PermissionRequest', async () => {
    const hooks = createHooks();
    const asked: unknown[] = [];
    hooks.observe(PermissionRequest, ({ reason, by }) => void asked.push({ reason, by }));
    hooks.on(BeforeToolCall, () => requireApproval('sure?', { by: 'person' }));
    await call(hooks);
    expect(asked).toEqual([{ reason: 'sure?', by: 'person' }]);
  });

  it('an error is told by its message, what is no error by its text', async () => {
    const hooks = createHooks();
    const told: unknown[] = [];
    hooks.observe(TransformToolResult, ({ status, error, errorMessage }) =>
      told.push({ status, error, errorMessage }),
    );
    const throwing = (thrown: unknown) => () => {
      throw thrown;
    };
    const error = new TypeError('boom');
    await call(hooks, { execute: throwing(error) });
    await call(hooks, { execute: throwing('plain') });
    expect(told).toEqual([
      { status: 'error', error, errorMessage: 'boom' },
      { status: 'error', error: 'plain', errorMessage: 'plain' },
    ]);
  });

  it('a replaced message makes an error of the same name, without the old one’s stack', async () => {
    const hooks = createHooks();
    hooks.on(TransformToolResult, () => modify({ errorMessage: 'withheld' }));
    const outcome = await call(hooks, {
      execute: () => {
        throw new TypeError('the key is sk-123');
      },
    });
    const { name, message, stack } = outcome.error as Error;
    expect({ name, message, stack }).toEqual({
      name: 'TypeError',
      message: 'withheld',
      stack: 'TypeError: withheld',
    });
    const plain = await call(hooks, {
      execute: () => {
        throw 'the key is sk-123';
      },
    });
    expect(String(plain.error)).toBe('Error: withheld');
  });

  it('an output in the place of an error is the answer of the call', async () => {
    const hooks = createHooks();
    const told: unknown[] = [];
    hooks.on(TransformToolResult.matching('exec'), ({ status }) =>
      status === 'error' ? modify({ output: 'nothing found' }) : proceed(),
    );
    hooks.observe(AfterToolCall, ({ status, output }) => void told.push([status, output]));
    const outcome = await call(hooks, {
      execute: () => {
        throw new Error('token sk-1');
      },
    });
    expect(outcome).toMatchObject({ status: 'ok', ran: true, output: 'nothing found' });
    expect(outcome).not.toHaveProperty('error');
    expect(told).toEqual([['ok', 'nothing found']]);
  });

  it('a Modify that leaves the message alone keeps the error', async () => {
    const hooks = createHooks();
    const error = new Error('boom');
    hooks.on(TransformToolResult, () => addContext('It failed.'));
    expect(
      await call(hooks, {
        execute: () => {
          throw error;
        },
      }),
    ).toMatchObject({ status: 'error', error });
  });
});

describe('the token between the halves of a call', () => {
  it('is plain JSON with all that the second half needs', async () => {
    const hooks = createHooks();
    const begun = await beginToolCall(
      hooks,
      { ...WHERE, session: hooks.session('s'), toolName: 'exec', callId: 'c1', input: 'ls' },
      { capabilities: { retry: true } },
    );
    if (begun.kind !== 'run') throw new Error(begun.kind);
    const { tool, native, ...where } = WHERE;
    expect(JSON.parse(JSON.stringify(begun.token))).toEqual({
      ...where,
      callId: 'c1',
      toolName: 'exec',
      nativeToolName: 'exec',
      input: 'ls',
      modelInput: 'ls',
      session: 's',
      attempt: 1,
      startedAt: expect.any(Number),
      retry: true,
    });
  });

  it('says where the tool cannot be run again, and a Retry is then a failure of the hook', async () => {
    const hooks = createHooks();
    const failures: string[] = [];
    hooks.onError(({ code, message }) => failures.push(`${code}: ${message}`));
    hooks.on(AfterToolCall, () => retry('again'), { id: 'again' });
    const begun = await beginToolCall(hooks, { session: hooks.session('s'), toolName: 'exec', input: 'ls' });
    if (begun.kind !== 'run') throw new Error(begun.kind);
    expect(begun.token.retry).toBe(false);
    const finished = await finishToolCall(hooks, JSON.parse(JSON.stringify(begun.token)), { output: 'x' });
    expect(finished).toMatchObject({ kind: 'done', outcome: { status: 'blocked', ran: true } });
    expect(failures).toEqual([
      'INVALID_DECISION: hook "again" answered retry, which is not possible here: the tool cannot be run again here, on after_tool_call',
    ]);
  });

  it('comes with what stands in for the tool', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => answer('known already'));
    const begun = await beginToolCall(
      hooks,
      { session: hooks.session('s'), toolName: 'exec', input: 'ls' },
      { capabilities: { route: true } },
    );
    expect(begun).toMatchObject({ kind: 'run', input: 'ls', execute: expect.any(Function) });
    const plain = await beginToolCall(createHooks(), {
      session: createHooks().session('s'),
      toolName: 'exec',
      input: 'ls',
    });
    expect(plain).not.toHaveProperty('execute');
  });

  it('of a call that does not wait is no input for callTool', async () => {
    const hooks = createHooks();
    const theCall = { session: hooks.session('s'), toolName: 'exec', input: 'ls' };
    const begun = await beginToolCall(hooks, theCall);
    const elsewhere = JSON.parse(JSON.stringify(begun));
    await expect(callTool(hooks, theCall, () => 'ran', { begun: elsewhere })).rejects.toThrow(
      new HooksError(
        'INVALID_INPUT',
        'callTool: `begun` must be what beginToolCall returned in this process.',
      ),
    );
  });

  it('of a call that is over already ends callTool', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => block('no'));
    const theCall = { session: hooks.session('s'), toolName: 'exec', input: 'ls' };
    const begun = await beginToolCall(hooks, theCall);
    hooks.clear();
    expect(await callTool(hooks, theCall, () => 'ran', { begun })).toMatchObject({ status: 'blocked' });
  });
});

describe('what an outcome carries', () => {
  it('nothing of what does not apply', async () => {
    const hooks = createHooks();
    const { callId, durationMs, ...outcome } = await call(hooks);
    expect(outcome).toEqual({
      toolName: 'exec',
      input: 'ls',
      status: 'ok',
      ran: true,
      output: 'ls',
      attempts: 1,
      exhausted: false,
      context: [],
      stop: false,
      aborted: false,
    });
    expect(Object.keys(hooks.session('s').history[0] ?? {}).sort()).toEqual(
      ['at', 'attempts', 'callId', 'durationMs', 'input', 'ran', 'status', 'toolName'].sort(),
    );
  });

  it('the code of an input that does not fit, which AfterToolCall sees too', async () => {
    const hooks = createHooks();
    const codes: unknown[] = [];
    hooks.observe(AfterToolCall, ({ code }) => void codes.push(code));
    const outcome = await call(hooks, { check: () => ({ message: 'expected a number' }) });
    expect(outcome).toMatchObject({ status: 'error', code: 'INVALID_INPUT', ran: false });
    expect(outcome.error).toEqual(new Error('expected a number'));
    expect(codes).toEqual(['INVALID_INPUT']);
  });

  it('the context of all its events', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => addContext('before'));
    hooks.on(AfterToolCall, () => addContext('after'));
    expect((await call(hooks)).context).toEqual(['before', 'after']);
  });

  it('a Modify after a failed call without an output leaves it failed, with one makes it ok', async () => {
    const hooks = createHooks();
    const failing = () => {
      throw new Error('boom');
    };
    using added = hooks.on(AfterToolCall, () => addContext('look'));
    expect(await call(hooks, { execute: failing })).toMatchObject({ status: 'error' });
    added[Symbol.dispose]();
    hooks.on(AfterToolCall, () => modify({ output: 'instead' }));
    expect(await call(hooks, { execute: failing })).toMatchObject({
      status: 'ok',
      ran: true,
      output: 'instead',
    });
  });

  it('a Block after a call whose input did not fit is a failed hook, and leaves it an error', async () => {
    const failed: string[] = [];
    const hooks = createHooks({ onError: ({ message }) => void failed.push(message) });
    hooks.on(AfterToolCall, () => block('no'));
    const outcome = await call(hooks, { check: () => ({ message: 'expected a number' }) });
    expect(outcome).toMatchObject({ status: 'error', code: 'INVALID_INPUT' });
    expect(outcome).not.toHaveProperty('reason');
    expect(failed).toMatchObject([expect.stringContaining('the model reads the error of the framework')]);
  });
});

describe('times', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: 1_000 });
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  it('minted call ids differ, in processes that start in the same moment, too', async () => {
    const ids = new Set<string>();
    for (const _process of ['one', 'another']) {
      vi.resetModules();
      const { call } = await import('./support/call.ts');
      const hooks = createHooks();
      for (const { callId } of [await call(hooks), await call(hooks)]) ids.add(callId);
    }
    expect(ids.size).toBe(4);
  });

  const slow = (ms: number) => (): string => {
    vi.setSystemTime(Date.now() + ms);
    return 'done';
  };

  it('durationMs is that of the last attempt, without the delay before it', async () => {
    const hooks = createHooks();
    const seen: number[] = [];
    hooks.on(AfterToolCall, ({ attempt, durationMs }) => {
      seen.push(durationMs);
      return attempt === 1 ? retry('again', { delayMs: 500 }) : modify({});
    });
    const running = call(hooks, { execute: slow(40) });
    await vi.advanceTimersByTimeAsync(500);
    expect(await running).toMatchObject({ durationMs: 40, attempts: 2 });
    expect(seen).toEqual([40, 40]);
    expect(hooks.session('s').history).toMatchObject([{ durationMs: 40, at: 1_580 }]);
  });

  it.each([-1, 30])('durationMs is none of a delay that ends %i ms after its time', async (late) => {
    const hooks = createHooks();
    hooks.on(AfterToolCall, ({ attempt }) => (attempt === 1 ? retry('again', { delayMs: 500 }) : proceed()));
    const running = call(hooks, { execute: slow(0) });
    await vi.advanceTimersByTimeAsync(499);
    slow(late)();
    await vi.advanceTimersByTimeAsync(1);
    expect(await running).toMatchObject({ status: 'ok', durationMs: 0, attempts: 2 });
  });

  it('durationMs is never below 0, also where the clock is set back', async () => {
    const hooks = createHooks();
    const seen: number[] = [];
    hooks.on(AfterToolCall, ({ durationMs }) => {
      seen.push(durationMs);
      return proceed();
    });
    expect(await call(hooks, { execute: slow(-70) })).toMatchObject({ status: 'ok', durationMs: 0 });
    expect(seen).toEqual([0]);
  });

  it('no time passes in a call that does not run', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => {
      slow(70)();
      return block('no');
    });
    expect(await call(hooks)).toMatchObject({ durationMs: 0, attempts: 0 });
  });

  it('the trace tells how long each hook and all of them took, and when they began', async () => {
    const hooks = createHooks();
    const traces: DispatchTrace[] = [];
    hooks.trace((trace) => void traces.push(trace));
    const waits = (ms: number) => () => (slow(ms)(), modify({}));
    hooks.on(BeforeToolCall, waits(5), { id: 'a' });
    hooks.on(BeforeToolCall, waits(7), { id: 'b' });
    hooks.observe(BeforeToolCall, () => void slow(11)(), { id: 'c' });
    await call(hooks);
    const hooked = (id: string, durationMs: number): object => ({ id, durationMs });
    expect(traces).toMatchObject([
      { at: 1_000, durationMs: 23, hooks: [hooked('a', 5), hooked('b', 7), hooked('c', 11)] },
    ]);
  });
});

describe('ToolApprovalDecision', () => {
  it('says what was answered in another process', async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.observe(ToolApprovalDecision, ({ approval, source, reason }) =>
      seen.push([approval, source, reason]),
    );
    expect(await call(hooks, { resumed: { decision: 'deny' } })).toMatchObject({
      status: 'denied',
      reason: 'A person did not approve this call.',
    });
    expect(seen).toEqual([['deny', 'user_rejected', 'A person did not approve this call.']]);
  });
});
