import { describe, expect, it } from 'vitest';
import {
  AfterToolCall,
  type ApprovalRequest,
  type Approver,
  BeforeToolCall,
  block,
  createHooks,
  type Execute,
  type ExecuteOptions,
  grantApproval,
  type Hooks,
  modify,
  PermissionRequest,
  proceed,
  requireApproval,
  retry,
  ToolApprovalDecision,
  TransformToolResult,
} from '../src/index.ts';
import { recheckToolCall } from '../src/tool-call/index.ts';
import { call, target } from './support/call.ts';

type Over = Parameters<typeof call>[1];

/** A call further in of which something makes `inner` of what it is called with, and asks about that. */
async function changed(
  hooks: Hooks,
  inner: (input: unknown) => unknown,
  over: Over = {},
): Promise<Awaited<ReturnType<typeof call>> & { readonly ranWith: readonly unknown[] }> {
  const ranWith: unknown[] = [];
  const execute: Execute = async (input, running) => {
    const checked = await recheckToolCall(running, inner(input), over);
    if (checked.kind === 'done') return 'the refusal, as the framework words it';
    ranWith.push(checked.input);
    return `ran ${checked.input}`;
  };
  return { ...(await call(hooks, { execute, ...over })), ranWith };
}

/** What has no JSON form. */
function endless(): object {
  const input: { self?: object } = {};
  input.self = input;
  return input;
}

/** What hooks are told of, in order. */
function told(hooks: Hooks): string[] {
  const seen: string[] = [];
  const note = (what: string, { input }: { readonly input: unknown }) => seen.push(`${what} ${input}`);
  hooks.on(BeforeToolCall, (event) => (note('on', event), proceed()));
  hooks.guard(BeforeToolCall, (event) => (note('guard', event), proceed()));
  hooks.observe(PermissionRequest, (event) => note('permission', event));
  hooks.observe(ToolApprovalDecision, (event) => note(event.approval, event));
  hooks.observe(TransformToolResult, (event) => note('transform', event));
  hooks.observe(AfterToolCall, (event) => note(`${event.status} ${event.attempt}`, event));
  return seen;
}

const rm = () => 'rm';
const notRm = ({ input }: BeforeToolCall) => (input === 'rm' ? block('no rm') : proceed());
const allow: Approver = () => ({ decision: 'allow' });

describe('an input that something further in has changed', () => {
  it('is looked at by schema and guards, and is what the call tells from then on', async () => {
    const hooks = createHooks();
    const seen = told(hooks);
    const checks: unknown[] = [];
    const check = (input: unknown) => void checks.push(input);
    expect(await changed(hooks, () => 'pwd', { callId: 'c', check })).toMatchObject({
      status: 'ok',
      output: 'ran pwd',
      input: 'pwd',
      attempts: 1,
      ranWith: ['pwd'],
    });
    expect(checks).toEqual(['ls', 'pwd']);
    expect(seen).toEqual(['on ls', 'guard ls', 'guard pwd', 'transform pwd', 'ok 1 pwd']);
    expect(hooks.session('s').history).toMatchObject([{ input: 'pwd' }]);
  });

  it('and that a guard blocks does not run: the one call is blocked, as if it had been before it ran', async () => {
    const hooks = createHooks();
    const seen = told(hooks);
    hooks.guard(BeforeToolCall, notRm, { id: 'not-rm' });
    expect(await changed(hooks, rm)).toMatchObject({
      status: 'blocked',
      ran: false,
      reason: 'no rm',
      message: 'no rm',
      by: 'not-rm',
      input: 'rm',
      attempts: 0,
      durationMs: 0,
      ranWith: [],
    });
    expect(seen).toEqual(['on ls', 'guard ls', 'guard rm', 'deny rm', 'blocked 0 rm']);
    expect(hooks.session('s').history).toMatchObject([{ status: 'blocked', ran: false, input: 'rm' }]);
  });

  it('and that does not fit the schema is blocked before any guard sees it', async () => {
    const hooks = createHooks();
    const seen = told(hooks);
    const check = (input: unknown) => (typeof input === 'string' ? undefined : { message: 'no string' });
    expect(await changed(hooks, () => 5, { check })).toMatchObject({
      status: 'blocked',
      reason: expect.stringContaining('no string'),
      ranWith: [],
    });
    expect(seen).toEqual(['on ls', 'guard ls', 'deny 5', 'blocked 0 5']);
  });

  it('is refused whatever execute gives then, and however often it asks', async () => {
    const hooks = createHooks();
    const after: string[] = [];
    hooks.guard(BeforeToolCall, notRm);
    hooks.observe(AfterToolCall, ({ status }) => after.push(status));
    const refused: string[] = [];
    const control = new Error('control flow');
    const isControlFlow = (error: unknown) => error === control;
    for (const end of [new Error('the framework threw'), control]) {
      const execute: Execute = async (_input, running) => {
        for (const input of ['rm', 'ls']) refused.push((await recheckToolCall(running, input)).kind);
        throw end;
      };
      const calling = call(hooks, { callId: 'c', execute, isControlFlow });
      if (end === control) await expect(calling).rejects.toBe(control);
      else expect(await calling).toMatchObject({ status: 'blocked', reason: 'no rm' });
    }
    expect(refused).toEqual(['done', 'done', 'done', 'done']);
    expect(after).toEqual(['blocked', 'blocked']);
    // A call that is over is no call that has paused.
    expect(await call(hooks, { callId: 'c', isControlFlow })).toMatchObject({ status: 'ok', input: 'ls' });
    expect(after).toEqual(['blocked', 'blocked', 'ok']);
  });

  it('cannot be had again by AfterToolCall where it was refused; its Block words it otherwise and stops', async () => {
    const errors: string[] = [];
    const hooks = createHooks({ onError: ({ message }) => errors.push(message) });
    hooks.guard(BeforeToolCall, notRm);
    const retrying = hooks.on(AfterToolCall, () => retry('again'), { onFailure: 'proceed' });
    expect(await changed(hooks, rm)).toMatchObject({ status: 'blocked', reason: 'no rm' });
    expect(errors).toEqual([expect.stringContaining('nothing ran')]);
    retrying[Symbol.dispose]();
    hooks.on(AfterToolCall, () => block('enough', { stop: true }));
    expect(await changed(hooks, rm)).toMatchObject({ status: 'blocked', reason: 'enough', stop: true });
  });

  it('ends as the abort of its run where that came meanwhile', async () => {
    const hooks = createHooks();
    const run = new AbortController();
    hooks.guard(BeforeToolCall, ({ input }) => {
      if (input === 'rm') run.abort(new Error('enough'));
      return proceed();
    });
    const { signal } = run;
    expect(await changed(hooks, rm, { signal })).toMatchObject({
      status: 'error',
      aborted: true,
      ran: false,
      ranWith: [],
    });
  });

  it('is looked at by the hooks of the tool that runs', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching('exec'), () => modify({ toolName: 'other' }));
    hooks.guard(BeforeToolCall.matching('other'), notRm);
    const asked: unknown[] = [];
    const execute = async (_input: unknown, running: ExecuteOptions) =>
      (await recheckToolCall(running, 'rm')).kind;
    const rename = (name: string) =>
      target(name, execute, { check: (input: unknown) => void asked.push(input) });
    expect(await call(hooks, { rename })).toMatchObject({ status: 'blocked', reason: 'no rm' });
    expect(asked).toEqual(['ls', 'rm']);
  });
});

describe('where execute runs again', () => {
  it('an input that has no JSON form is blocked, and no hook is asked about it', async () => {
    const hooks = createHooks();
    const asked: unknown[] = [];
    hooks.guard(BeforeToolCall, ({ input }) => (asked.push(input), proceed()));
    const answers: unknown[] = [];
    const execute: Execute = async (_input, running) => {
      answers.push(await recheckToolCall(running, endless()));
    };
    const outcome = await call(hooks, { execute });
    expect(outcome).toMatchObject({
      status: 'blocked',
      reason: expect.stringContaining('cannot be shown as JSON: input.self'),
    });
    expect(asked).toEqual(['ls']);
    expect(answers).toEqual([{ kind: 'done', outcome }]);
  });

  it('it starts from what it was given, and what has passed passes without anybody being asked', async () => {
    const hooks = createHooks();
    const seen = told(hooks);
    let left = 1;
    hooks.on(AfterToolCall, () => (left-- > 0 ? retry('once more') : proceed()));
    expect(await changed(hooks, (input) => `${input}!`)).toMatchObject({
      status: 'ok',
      attempts: 2,
      input: 'ls!',
      ranWith: ['ls!', 'ls!'],
    });
    expect(seen.filter((what) => what.startsWith('guard'))).toEqual(['guard ls', 'guard ls!']);
    expect(seen.filter((what) => what.startsWith('ok'))).toEqual(['ok 1 ls!', 'ok 2 ls!']);
  });

  it('another input is asked about, and one that stays is told as it is', async () => {
    for (const [second, status] of [
      ['rm', 'blocked'],
      ['ls', 'ok'],
    ] as const) {
      const hooks = createHooks();
      hooks.guard(BeforeToolCall, notRm);
      let left = 1;
      hooks.on(AfterToolCall, ({ ran }) => (ran && left-- > 0 ? retry('once more') : proceed()));
      const inputs = ['pwd', second];
      const execute: Execute = async (input, running) => {
        const next = inputs.shift();
        if (next === input) return 'ran';
        return (await recheckToolCall(running, next)).kind;
      };
      // What was refused did not run: the call ends as the one that did.
      const ends = status === 'ok' ? { input: second, attempts: 2 } : { input: 'pwd', attempts: 1 };
      expect(await call(hooks, { execute })).toMatchObject({ status, ran: true, ...ends });
    }
  });

  it('a call that ran ends as one that ran, also if another input is refused or the run is aborted afterwards', async () => {
    const ended: unknown[] = [];
    for (const first of ['ls', 'pwd']) {
      const abort = new AbortController();
      for (const signal of [undefined, abort.signal]) {
        const hooks = createHooks();
        hooks.guard(BeforeToolCall, (event) => {
          if (event.input === 'rm' && signal !== undefined) abort.abort(new Error('stopped'));
          return signal === undefined ? notRm(event) : proceed();
        });
        // What was refused stays refused.
        hooks.on(AfterToolCall, ({ status, ran, input, attempt }) => {
          ended.push([status, ran, input, attempt]);
          return status === 'blocked' ? retry('again') : proceed();
        });
        const ranWith: unknown[] = [];
        const execute: Execute = async (_, running) => {
          for (const next of [first, first, 'rm', 'ls']) {
            const checked = await recheckToolCall(running, next);
            if (checked.kind === 'run') ranWith.push(checked.input);
          }
        };
        const status = signal === undefined ? 'blocked' : 'error';
        expect(await call(hooks, { execute, signal })).toMatchObject({ status, ran: true, input: first });
        expect(ranWith).toEqual([first, first]);
        expect(ended.splice(0)).toEqual([[status, true, first, 1]]);
      }
    }
  });
});

describe('approval of such an input', () => {
  const asksOfRm = ({ input }: BeforeToolCall) => (input === 'rm' ? requireApproval('rm?') : proceed());

  function approver(answer: (request: ApprovalRequest) => ReturnType<Approver>): {
    readonly approval: Approver;
    readonly shown: unknown[];
  } {
    const shown: unknown[] = [];
    return { shown, approval: (request) => (shown.push(request.input), answer(request)) };
  }

  it('is sought where a guard requires it', async () => {
    const hooks = createHooks();
    hooks.guard(BeforeToolCall, asksOfRm);
    const seen = told(hooks);
    const yes = approver(() => ({ decision: 'allow' }));
    expect(await changed(hooks, rm, yes)).toMatchObject({ status: 'ok', ranWith: ['rm'] });
    expect(yes.shown).toEqual(['rm']);
    expect(seen.slice(2)).toEqual(['guard rm', 'permission rm', 'allow rm', 'transform rm', 'ok 1 rm']);
    const no = approver(() => ({ decision: 'deny', reason: 'not today' }));
    expect(await changed(hooks, rm, no)).toMatchObject({
      status: 'denied',
      ran: false,
      reason: 'not today',
      ranWith: [],
    });
    const nobody = await changed(hooks, rm);
    expect(nobody).toMatchObject({ status: 'denied', ranWith: [] });
    expect(nobody.reason).toContain('`approval` option');
  });

  it('is sought anew where it was required of the call: a yes was to another input', async () => {
    for (const register of [
      (hooks: Hooks) => hooks.on(BeforeToolCall, () => requireApproval('sure?')),
      (hooks: Hooks) => hooks.guard(BeforeToolCall, () => requireApproval('sure?')),
      () => {},
    ]) {
      const hooks = createHooks();
      const needsApproval = register(hooks) === undefined ? 'the framework asks' : undefined;
      const asked = approver(({ input }) => ({ decision: input === 'rm' ? 'deny' : 'allow' }));
      expect(await changed(hooks, rm, { ...asked, needsApproval })).toMatchObject({
        status: 'denied',
        ranWith: [],
      });
      expect(asked.shown).toEqual(['ls', 'rm']);
    }
  });

  it('is not sought anew for an input that is the same in other words', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    const asked = approver(() => ({ decision: 'allow' }));
    const input = { command: 'ls', in: '/' };
    const copied = () => ({ in: '/', command: 'ls' });
    expect(await changed(hooks, copied, { ...asked, input })).toMatchObject({ status: 'ok' });
    const edited: Approver = () => ({ decision: 'allow', input: { command: 'pwd', in: '/' } });
    const asEdited = () => ({ in: '/', command: 'pwd' });
    expect(await changed(hooks, asEdited, { approval: edited, input })).toMatchObject({
      status: 'ok',
      ranWith: [{ in: '/', command: 'pwd' }],
    });
    expect(asked.shown).toHaveLength(1);
  });

  it('was not granted by a hook that saw another input', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => grantApproval('fine'));
    const needsApproval = 'the framework asks';
    expect(await changed(hooks, (input) => input, { needsApproval })).toMatchObject({ status: 'ok' });
    expect(await changed(hooks, rm, { needsApproval })).toMatchObject({ status: 'denied' });
    expect(await changed(hooks, rm, { needsApproval, approval: allow })).toMatchObject({ status: 'ok' });
  });

  it('may put another input in place, which is what runs', async () => {
    const hooks = createHooks();
    hooks.guard(BeforeToolCall, asksOfRm);
    const edited = approver(() => ({ decision: 'allow', input: 'pwd' }));
    expect(await changed(hooks, rm, edited)).toMatchObject({ status: 'ok', input: 'pwd', ranWith: ['pwd'] });
    hooks.on(PermissionRequest, () => modify({ input: 'df', approval: { kind: 'granted', reason: 'ok' } }));
    expect(await changed(hooks, rm)).toMatchObject({ status: 'ok', input: 'df', ranWith: ['df'] });
  });

  it('stays with the input that it has put in place, also where that of another one ran meanwhile', async () => {
    const hooks = createHooks();
    hooks.guard(BeforeToolCall, ({ input }) => (input === 'ls' ? proceed() : requireApproval('sure?')));
    const instead = new Map([
      ['rm', 'ls'],
      ['cp', 'rm'],
    ]);
    const approval: Approver = ({ input }) => ({ decision: 'allow', input: instead.get(String(input)) });
    const ran: unknown[] = [];
    const execute: Execute = async (_input, running) => {
      for (const input of ['rm', 'cp', 'rm']) {
        const checked = await recheckToolCall(running, input, { approval });
        if (checked.kind === 'run') ran.push(checked.input);
      }
      return 'ok';
    };
    await call(hooks, { execute });
    expect(ran).toEqual(['ls', 'rm', 'ls']);
  });

  it('pauses by the framework’s control flow; taken up again, execute starts anew and no hook is asked twice', async () => {
    for (const [answer, end] of [
      [{ decision: 'allow' }, { status: 'ok', attempts: 1, input: 'ls!', ranWith: ['ls!'] }],
      [
        { decision: 'allow', input: 'pwd' },
        { status: 'ok', attempts: 1, input: 'pwd', ranWith: ['pwd'] },
      ],
      [{ decision: 'deny' }, { status: 'denied', attempts: 0, input: 'ls!', ranWith: [] }],
    ] as const) {
      const hooks = createHooks();
      const seen = told(hooks);
      hooks.guard(BeforeToolCall, ({ input }) => (input === 'ls!' ? requireApproval('sure?') : proceed()));
      const interrupt = new Error('interrupt');
      let answered = false;
      const over: Over = {
        callId: 'c',
        isControlFlow: (error) => error === interrupt,
        approval: () => {
          if (!answered) throw interrupt;
          return answer;
        },
      };
      const inner = (input: unknown) => `${input}!`;
      await expect(changed(hooks, inner, over)).rejects.toBe(interrupt);
      const before = seen.length;
      expect(seen.slice(-2)).toEqual(['guard ls!', 'permission ls!']);
      answered = true;
      expect(await changed(hooks, inner, over)).toMatchObject(end);
      const asked = 'input' in answer ? ['guard pwd'] : [];
      expect(seen.slice(before).filter((what) => /^(on|guard|permission)/.test(what))).toEqual(asked);
    }
  });

  it('was for what has paused: another input is asked about anew', async () => {
    const hooks = createHooks();
    const shown: unknown[] = [];
    hooks.guard(BeforeToolCall, ({ input }) => (input === 'ls' ? proceed() : requireApproval('sure?')));
    const interrupt = new Error('interrupt');
    const inputs = ['rm', 'mv', 'mv'];
    const over: Over = {
      callId: 'c',
      isControlFlow: (error) => error === interrupt,
      approval: ({ input }) => {
        shown.push(input);
        if (shown.length < 3) throw interrupt;
        return { decision: 'allow' };
      },
    };
    for (const _ of [1, 2]) await expect(changed(hooks, () => inputs.shift(), over)).rejects.toBe(interrupt);
    expect(await changed(hooks, () => inputs.shift(), over)).toMatchObject({ status: 'ok', ranWith: ['mv'] });
    expect(shown).toEqual(['rm', 'mv', 'mv']);
  });
});

it('does not run where a person answers in place of the tool', async () => {
  const hooks = createHooks();
  hooks.guard(BeforeToolCall, ({ input }) => (input === 'rm' ? requireApproval('It is rm.') : proceed()));
  const approval: Approver = () => ({ decision: 'answer', output: 'nothing to remove' });
  const ended: unknown[] = [];
  hooks.observe(AfterToolCall, ({ input, output, ran, answered }) =>
    ended.push({ input, output, ran, answered }),
  );
  expect(await changed(hooks, rm, { approval })).toMatchObject({
    status: 'ok',
    output: 'nothing to remove',
    input: 'rm',
    attempts: 0,
    ranWith: [],
  });
  expect(ended).toEqual([{ input: 'rm', output: 'nothing to remove', ran: false, answered: true }]);
});

it('ends as a call that ran where a person answers for its second input in place of the tool', async () => {
  const hooks = createHooks();
  hooks.guard(BeforeToolCall, ({ input }) => (input === 'rm' ? requireApproval('It is rm.') : proceed()));
  const approval: Approver = () => ({ decision: 'answer', output: 'nothing to remove' });
  const ended: unknown[] = [];
  hooks.observe(AfterToolCall, ({ output, ran, answered }) => ended.push({ output, ran, answered }));
  const ranWith: unknown[] = [];
  const execute: Execute = async (_input, running) => {
    for (const input of ['pwd', 'rm']) {
      const checked = await recheckToolCall(running, input, { approval });
      if (checked.kind === 'run') ranWith.push(checked.input);
    }
  };
  expect(await call(hooks, { execute })).toMatchObject({ status: 'ok', ran: true, attempts: 1 });
  expect(ranWith).toEqual(['pwd']);
  expect(ended).toEqual([{ output: 'nothing to remove', ran: true, answered: true }]);
});

it('asks about calls of callTool only', async () => {
  const hooks = createHooks();
  const routed: unknown[] = [];
  hooks.on(BeforeToolCall, () =>
    modify({
      execute: async (input, options) => {
        routed.push(Object.keys(options));
        return recheckToolCall(options, input);
      },
    }),
  );
  expect(await call(hooks)).toMatchObject({
    status: 'error',
    error: {
      code: 'INVALID_INPUT',
      message: expect.stringContaining('what callTool passed to `execute`'),
    },
  });
  expect(routed).toEqual([['signal', 'call', 'idempotencyKey']]);
});
