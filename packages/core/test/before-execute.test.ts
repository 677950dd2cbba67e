import { describe, expect, it } from 'vitest';
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

  it('fires in the process that runs a call which another one began', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    const seen = told(hooks);
    const session = hooks.session('s');
    const paying = { session, toolName: 'pay', callId: 'c', input: {} };
    const begun = await beginToolCall(hooks, paying, { capabilities: { ask: true } });
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
    const begun = await beginToolCall(hooks, paying(hooks), { capabilities: { ask: true } });
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
