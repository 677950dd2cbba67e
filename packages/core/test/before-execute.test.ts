import { describe, expect, it } from 'vitest';
import { openRun } from '../src/adapter/index.ts';
import {
  AfterToolCall,
  answer,
  BeforeExecute,
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  modify,
  proceed,
  requireApproval,
  retry,
  ToolApprovalDecision,
} from '../src/index.ts';
import {
  answerToolCall,
  beginToolCall,
  callTool,
  finishToolCall,
  hashInput,
  recheckToolCall,
} from '../src/tool-call/index.ts';
import { call } from './support/call.ts';

/** What happened, in order. */
function told(hooks: Hooks): string[] {
  const seen: string[] = [];
  hooks.observe(BeforeToolCall, () => seen.push('before'));
  hooks.observe(ToolApprovalDecision, ({ approval }) => seen.push(approval));
  hooks.observe(BeforeExecute, ({ input }) => seen.push(`execute ${JSON.stringify(input)}`));
  hooks.observe(AfterToolCall, ({ status, ran }) => seen.push(`${status} ${ran}`));
  return seen;
}

describe('BeforeExecute', () => {
  it('fires after the approval, with the input that runs', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    const seen = told(hooks);
    await call(hooks, { approval: () => ({ decision: 'allow', input: { command: 'pwd' } }) });
    expect(seen).toEqual(['before', 'allow', 'execute {"command":"pwd"}', 'ok true']);
  });

  it('does not fire for a call that is refused, denied or does not fit its schema', async () => {
    const hooks = createHooks();
    const seen = told(hooks);
    hooks.on(BeforeToolCall.matching('exec'), () => requireApproval('sure?'));
    await call(hooks, { approval: () => ({ decision: 'deny' }) });
    hooks.guard(BeforeToolCall, () => block('no'));
    await call(hooks);
    await call(hooks, { check: () => ({ message: 'bad' }) });
    expect(seen.filter((line) => line.startsWith('execute'))).toEqual([]);
    expect(seen).toContain('error false');
  });

  it('fires once for a call, however often it is retried', async () => {
    const hooks = createHooks();
    const seen = told(hooks);
    hooks.on(AfterToolCall, ({ attempt }) => (attempt < 3 ? retry('again') : proceed()));
    expect(await call(hooks)).toMatchObject({ status: 'ok', attempts: 3 });
    expect(seen.filter((line) => line.startsWith('execute'))).toHaveLength(1);
  });

  it('blocks the call: the tool does not run, and the model reads the reason', async () => {
    const hooks = createHooks();
    hooks.guard(BeforeExecute, () => block('None is left.', { stop: true }));
    const seen = told(hooks);
    let ran = false;
    const session = hooks.session('s');
    const outcome = await callTool(hooks, { session, toolName: 'exec', input: {} }, () => (ran = true));
    expect(outcome).toMatchObject({ status: 'blocked', ran: false, message: 'None is left.', stop: true });
    expect(ran).toBe(false);
    expect(seen).toEqual(['before', 'execute {}', 'blocked false']);
  });

  it('blocks the call if a hook fails', async () => {
    const hooks = createHooks({ onError: () => {} });
    hooks.on(BeforeExecute, () => {
      throw new Error('store is gone');
    });
    expect(await call(hooks)).toMatchObject({ status: 'blocked', ran: false });
  });

  it('answers the call, in the place of another route', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => answer('routed'));
    hooks.on(BeforeExecute, ({ execute }) => answer(`before: ${execute?.({}, {} as never)}`));
    expect(await call(hooks)).toMatchObject({ status: 'ok', output: 'before: routed' });
  });

  it('gives what runs the call its idempotency key, at every attempt', async () => {
    const hooks = createHooks();
    hooks.on(BeforeExecute, () => modify({ idempotencyKey: 'k1' }));
    hooks.on(AfterToolCall, ({ attempt }) => (attempt < 2 ? retry('again') : proceed()));
    const keys: unknown[] = [];
    const tool = { session: hooks.session('s'), toolName: 'pay', input: {} };
    await callTool(hooks, tool, (_input, { idempotencyKey }) => keys.push(idempotencyKey));
    hooks.on(BeforeToolCall, () =>
      modify({ execute: (_input, { idempotencyKey }) => keys.push(`routed ${idempotencyKey}`) }),
    );
    await callTool(hooks, tool, () => {});
    expect(keys).toEqual(['k1', 'k1', 'routed k1', 'routed k1']);
  });

  it('does not fire again for a call whose tool paused in this process', async () => {
    const hooks = createHooks();
    const seen = told(hooks);
    const session = hooks.session('s');
    const pause = new Error('interrupt');
    const paying = { session, toolName: 'pay', callId: 'c', input: {} };
    const options = { isControlFlow: (error: unknown) => error === pause };
    await expect(callTool(hooks, paying, () => Promise.reject(pause), options)).rejects.toBe(pause);
    await callTool(hooks, paying, () => 'paid', options);
    expect(seen).toEqual(['before', 'execute {}', 'ok true']);
  });

  it('fires anew for a paused call whose run has ended, also while hooks hear of the end of another', async () => {
    const hooks = createHooks();
    const run = openRun(hooks, { sessionId: 's' });
    await run.begin();
    const pause = new Error('interrupt');
    const options = { isControlFlow: (error: unknown) => error === pause };
    const paying = (callId: string) => ({ toolName: 'pay', callId, input: {} });
    for (const id of ['a', 'b'])
      await expect(run.callTool(paying(id), () => Promise.reject(pause), options)).rejects.toBe(pause);
    const seen: string[] = [];
    hooks.observe(BeforeExecute, ({ callId }) => void seen.push(`execute ${callId}`));
    let resumed: Promise<unknown> | undefined;
    hooks.on(AfterToolCall, ({ callId, status }) => {
      seen.push(`${callId} ${status}`);
      resumed ??= run.callTool(paying('b'), () => 'paid', options);
      return proceed();
    });
    await run.close();
    await resumed;
    expect(seen).toEqual(['a blocked', 'b blocked', 'execute b', 'b ok']);
  });

  it('fires in the process that runs a call which another one began', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    const seen = told(hooks);
    const session = hooks.session('s');
    const paying = { session, toolName: 'pay', callId: 'c', input: {} };
    const begun = await beginToolCall(hooks, paying, { approval: 'native', capabilities: { ask: true } });
    expect([begun.kind, seen]).toEqual(['ask', ['before']]);
    const other = createHooks();
    const there = told(other);
    const resumed = { decision: 'allow', hash: await hashInput({}) } as const;
    await callTool(other, { ...paying, session: other.session('s'), resumed }, () => 'paid');
    expect(there).toEqual(['before', 'allow', 'execute {}', 'ok true']);
    expect(seen).toEqual(['before']);
  });
});

describe('BeforeExecute in the split form', () => {
  const paying = (hooks: Hooks) => ({
    session: hooks.session('s'),
    toolName: 'pay',
    callId: 'c',
    input: {},
  });

  it('fires before the caller is told to run the tool', async () => {
    const hooks = createHooks();
    hooks.on(BeforeExecute, () => modify({ idempotencyKey: 'k1' }));
    const seen = told(hooks);
    const begun = await beginToolCall(hooks, paying(hooks));
    expect(begun).toMatchObject({ kind: 'run', idempotencyKey: 'k1' });
    if (begun.kind !== 'run') return;
    await finishToolCall(hooks, begun.token, { output: 'paid' });
    expect(seen).toEqual(['before', 'execute {}', 'ok true']);
  });

  it('fires once a person has said yes, and can still refuse', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    hooks.guard(BeforeExecute, () => block('None is left.'));
    const begun = await beginToolCall(hooks, paying(hooks), {
      approval: 'native',
      capabilities: { ask: true },
    });
    if (begun.kind !== 'ask') throw new Error(begun.kind);
    expect(await answerToolCall(begun.token, { decision: 'allow' })).toMatchObject({
      kind: 'done',
      outcome: { status: 'blocked', ran: false, reason: 'None is left.' },
    });
  });

  it('waits for callTool, where the call runs there', async () => {
    const hooks = createHooks();
    const seen = told(hooks);
    const begun = await beginToolCall(hooks, paying(hooks), { runsIn: 'callTool' });
    expect(seen).toEqual(['before']);
    await callTool(hooks, paying(hooks), () => 'paid', { begun });
    expect(seen).toEqual(['before', 'execute {}', 'ok true']);
  });

  it('cannot answer a call that only the caller can run', async () => {
    const hooks = createHooks({ onError: () => {} });
    hooks.on(BeforeExecute, () => answer('no'));
    expect(await beginToolCall(hooks, paying(hooks))).toMatchObject({
      kind: 'done',
      outcome: { status: 'blocked', ran: false },
    });
  });
});

describe('BeforeExecute of one call among others', () => {
  it('has an execution id that AfterToolCall repeats, and that no other call has, though the model repeats its ids', async () => {
    const hooks = createHooks();
    const begun: unknown[] = [];
    const over: unknown[] = [];
    hooks.guard(BeforeExecute, ({ executionId }) => {
      begun.push(executionId);
      return proceed();
    });
    hooks.observe(AfterToolCall, ({ executionId }) => over.push(executionId));
    const session = hooks.session('s');
    const paying = { session, toolName: 'pay', callId: 'c', input: {} };
    await Promise.all([callTool(hooks, paying, () => 1), callTool(hooks, paying, () => 2)]);
    expect(new Set(begun).size).toBe(2);
    expect(new Set(over)).toEqual(new Set(begun));
    hooks.guard(BeforeToolCall, () => block('no'));
    await callTool(hooks, paying, () => 3);
    expect(over[2]).toBeUndefined();
  });

  it('keeps its execution id and its idempotency key where another process finishes and retries it', async () => {
    const hooks = createHooks();
    let id: unknown;
    hooks.on(BeforeExecute, ({ executionId }) => {
      id = executionId;
      return modify({ idempotencyKey: 'k1' });
    });
    const session = hooks.session('s');
    const begun = await beginToolCall(
      hooks,
      { session, toolName: 'pay', callId: 'c', input: {} },
      { capabilities: { retry: true } },
    );
    if (begun.kind !== 'run') throw new Error(begun.kind);
    const other = createHooks();
    const seen: unknown[] = [];
    other.on(AfterToolCall, ({ attempt, executionId, idempotencyKey }) => {
      seen.push([executionId, idempotencyKey]);
      return attempt < 2 ? retry('again') : proceed();
    });
    const sent = JSON.parse(JSON.stringify(begun.token));
    const again = await finishToolCall(other, sent, { output: 'paid' });
    expect(again).toMatchObject({ kind: 'again', idempotencyKey: 'k1' });
    if (again.kind !== 'again') return;
    await finishToolCall(other, JSON.parse(JSON.stringify(again.token)), { output: 'paid' });
    expect(seen).toEqual([
      [id, 'k1'],
      [id, 'k1'],
    ]);
  });

  it('does not ask its guards again about an input that has passed, also if an approver puts it in the place of another', async () => {
    const hooks = createHooks();
    hooks.guard(BeforeToolCall, ({ input }) =>
      Reflect.get(Object(input), 'command') === 'rm' ? requireApproval('sure?') : proceed(),
    );
    const seen: unknown[] = [];
    hooks.guard(BeforeExecute, ({ input }) => {
      seen.push(Reflect.get(Object(input), 'command'));
      return proceed();
    });
    await callTool(
      hooks,
      { session: hooks.session('s'), toolName: 'exec', input: { command: 'ls' } },
      async (_input, running) => {
        for (const [nth, allowed] of ['ls', 'pwd', 'pwd', 'ls'].entries())
          await recheckToolCall(
            running,
            { command: 'rm', nth },
            { approval: () => ({ decision: 'allow', input: { command: allowed } }) },
          );
        return 'ok';
      },
      { approval: () => ({ decision: 'deny' }) },
    );
    expect(seen).toEqual(['ls', 'pwd']);
  });

  it('asks its guards about an input that an approver has replaced before, when it runs itself', async () => {
    const hooks = createHooks();
    hooks.guard(BeforeToolCall, ({ input }) => (input === 'ls' ? proceed() : requireApproval('sure?')));
    hooks.guard(BeforeExecute, ({ input }) => (input === 'rm' ? block('never') : proceed()));
    const ran: unknown[] = [];
    const outcome = await callTool(
      hooks,
      { session: hooks.session('s'), toolName: 'exec', input: 'ls' },
      async (_input, running) => {
        for (const [wanted, allowed] of [
          ['rm', 'ls'],
          ['cp', 'rm'],
        ]) {
          const approval = () => ({ decision: 'allow', input: allowed }) as const;
          const checked = await recheckToolCall(running, wanted, { approval });
          if (checked.kind === 'run') ran.push(checked.input);
        }
        return 'ok';
      },
    );
    expect(ran).toEqual(['ls']);
    expect(outcome).toMatchObject({ status: 'blocked', reason: 'never' });
  });

  it('asks its guards about an input that a middleware has put in the place of the first, and obeys them', async () => {
    const hooks = createHooks();
    const asked: unknown[] = [];
    hooks.on(BeforeExecute, ({ input }) => {
      asked.push(['on', input]);
      return proceed();
    });
    hooks.guard(BeforeExecute, ({ input, executionId, rechecked }) => {
      asked.push(['guard', input, executionId, rechecked]);
      return Object(input).amount > 100 ? block('Too much.') : proceed();
    });
    const paid: unknown[] = [];
    const through = (amounts: readonly number[]) =>
      callTool(
        hooks,
        { session: hooks.session('s'), toolName: 'pay', input: { amount: 5 } },
        async (_input, running) => {
          for (const amount of amounts) {
            const checked = await recheckToolCall(running, { amount });
            if (checked.kind === 'run') paid.push(checked.input);
          }
          return 'paid';
        },
      );
    expect(await through([1000])).toMatchObject({ status: 'blocked', ran: false, reason: 'Too much.' });
    expect(paid).toEqual([]);
    const before = asked.length;
    expect(await through([5, 7, 7])).toMatchObject({ status: 'ok' });
    const id = (asked[before + 1] as unknown[])[2];
    expect(asked.slice(before)).toEqual([
      ['on', { amount: 5 }],
      ['guard', { amount: 5 }, id, undefined],
      ['guard', { amount: 7 }, id, true],
    ]);
  });
});

describe('the id of the approval that a person has answered', () => {
  /** The ids that hooks see, and a call that waits for the framework's pause. */
  async function waiting({ runsIn }: { readonly runsIn?: 'callTool' } = {}) {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    const seen: unknown[] = [];
    for (const point of [BeforeToolCall, BeforeExecute])
      hooks.observe(point, ({ type, approvalId }) => seen.push([type, approvalId]));
    const about = {
      session: hooks.session('s'),
      run: 'r1',
      toolName: 'pay',
      callId: 'c1',
      input: { sum: 5 },
    };
    const options = { capabilities: { ask: true }, approval: 'native' } as const;
    const begun = await beginToolCall(hooks, about, { ...options, runsIn });
    if (begun.kind !== 'ask') throw new Error(begun.kind);
    return { hooks, seen, about, begun };
  }

  const inThisProcess = [
    ['before_tool_call', undefined],
    ['before_execute', 'a1'],
  ];

  it('is on BeforeExecute of a call that goes on in the process where it waited', async () => {
    const { hooks, seen, about, begun } = await waiting({ runsIn: 'callTool' });
    const resumed = { decision: 'allow', hash: begun.request.hash } as const;
    await callTool(hooks, { ...about, resumed, approvalId: 'a1' }, () => 'paid', { begun });
    expect(seen).toEqual(inThisProcess);
  });

  it('is on BeforeExecute of a call that the session knows as a pending one', async () => {
    const { hooks, seen, about, begun } = await waiting();
    const resumed = { decision: 'allow', hash: begun.request.hash } as const;
    await callTool(hooks, { ...about, resumed, approvalId: 'a1' }, () => 'paid');
    expect(seen).toEqual(inThisProcess);
  });

  it('is on BeforeExecute of a call whose answer comes before the call', async () => {
    const { seen, begun } = await waiting();
    await answerToolCall(begun.token, { decision: 'allow', approvalId: 'a1' });
    expect(seen).toEqual(inThisProcess);
  });

  it('is on both events in another process', async () => {
    const { about, begun } = await waiting();
    const { hooks, seen } = await waiting();
    seen.length = 0;
    const resumed = { decision: 'allow', hash: begun.request.hash } as const;
    const call = { ...about, session: hooks.session('other'), resumed, approvalId: 'a1' };
    await callTool(hooks, call, () => 'paid', { approval: 'native' });
    expect(seen).toEqual([
      ['before_tool_call', 'a1'],
      ['before_execute', 'a1'],
    ]);
  });
});
