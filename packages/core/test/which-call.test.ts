import { describe, expect, it } from 'vitest';
import { openRun, type PendingApproval } from '../src/adapter/index.ts';
import {
  AfterToolCall,
  type Approver,
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  modify,
  proceed,
  requireApproval,
  ToolApprovalDecision,
  type ToolCallOutcome,
  ToolEvent,
} from '../src/index.ts';
import {
  answerToolCall,
  beginToolCall,
  callTool,
  finishToolCall,
  hashInput,
} from '../src/tool-call/index.ts';
import { call, deferred, target, tick } from './support/call.ts';

/** Blocks `rm`, requires approval of whatever else is not `ls`, and records what it was asked about. */
function policy(): { readonly hooks: Hooks; readonly asked: unknown[] } {
  const hooks = createHooks();
  const asked: unknown[] = [];
  hooks.guard(BeforeToolCall, ({ input }) => {
    asked.push(input);
    if (input === 'rm') return block('no rm');
    return input === 'ls' ? proceed() : requireApproval(`${input}?`);
  });
  return { hooks, asked };
}

const same = { callId: 'call_0', toolName: 'exec' };
const asking = { approval: 'native', capabilities: { ask: true } } as const;
const pause = new Error('the framework pauses');
const isControlFlow = (error: unknown): boolean => error === pause;
const pausing: Approver = () => {
  throw pause;
};
const allow: Approver = () => ({ decision: 'allow' });

describe('calls of one answer with one id', () => {
  it('are decided each on its own, in whatever order they begin and run', async () => {
    for (const order of [
      ['ls', 'rm'],
      ['rm', 'ls'],
    ]) {
      const { hooks, asked } = policy();
      const run = openRun(hooks);
      const inputs = ['ls', 'rm'];
      await Promise.all(inputs.map((input) => run.beginTool({ ...same, input }, asking)));
      const ran: unknown[] = [];
      for (const input of order) await run.callTool({ ...same, input }, (given) => void ran.push(given));
      expect(ran).toEqual(['ls']);
      expect(asked).toEqual(inputs);
    }
  });

  it('wait for a person each on its own: an answer is for the call that was shown', async () => {
    const { hooks } = policy();
    const run = openRun(hooks);
    for (const input of ['one', 'two']) await run.beginTool({ ...same, input }, asking);
    const { pending } = run;
    expect(pending.waiting.map(({ input }) => input)).toEqual(['one', 'two']);
    expect(pending.waitingFor({ ...same, input: 'two' })).toMatchObject({ reason: 'two?' });
    expect(pending.waitingFor({ ...same, input: 'three' })).toBeUndefined();
    // By its id alone, an answer could be for either.
    expect(await pending.answer('call_0', { decision: 'allow' })).toBeUndefined();
    const [one] = pending.waiting as readonly [PendingApproval];
    await pending.answer({ ...same, input: 'two' }, { decision: 'allow' });
    await pending.answer(one, { decision: 'deny' });
    expect(pending.waiting).toEqual([]);
    const ran: unknown[] = [];
    for (const input of ['one', 'two'])
      await run.callTool({ ...same, input }, (given) => void ran.push(given));
    expect(ran).toEqual(['two']);
  });

  it('are two calls, too, where tool and input are the same: one yes runs one of them', async () => {
    const { hooks, asked } = policy();
    const run = openRun(hooks);
    await Promise.all([1, 2].map(() => run.beginTool({ ...same, input: 'one' }, asking)));
    await run.pending.answer('call_0', { decision: 'allow' });
    const ran: unknown[] = [];
    const outcomes = await Promise.all(
      [1, 2].map(() => run.callTool({ ...same, input: 'one' }, (given) => void ran.push(given))),
    );
    expect(outcomes.map(({ status }) => status)).toEqual(['ok', 'denied']);
    expect(ran).toEqual(['one']);
    expect(asked).toEqual(['one', 'one']);
  });

  it('are refused once where JSON cannot show their input, however often it is parsed', async () => {
    const { hooks, asked } = policy();
    const after: unknown[] = [];
    hooks.observe(AfterToolCall, ({ code }) => after.push(code));
    const run = openRun(hooks);
    const sent = (): unknown => JSON.parse('{"n":1e400}');
    await run.beginTool({ ...same, input: sent() }, asking);
    const outcome = await run.callTool({ ...same, input: sent() }, () => expect.unreachable());
    expect(outcome).toMatchObject({ status: 'error', code: 'INVALID_INPUT' });
    expect({ asked, after }).toEqual({ asked: [], after: ['INVALID_INPUT'] });
  });

  it('are canceled each on its own, and forgotten by reference', async () => {
    const { hooks } = policy();
    const run = openRun(hooks);
    for (const input of ['one', 'two', 'three']) await run.beginTool({ ...same, input }, asking);
    run.pending.forget({ ...same, input: 'two' });
    expect(
      (await run.pending.cancel('over')).map((ended) => ended.kind === 'done' && ended.outcome.input),
    ).toEqual(['one', 'three']);
    run.pending.forget('call_0');
    expect(run.pending.get({ ...same, input: 'one' })).toBeUndefined();
  });

  it('pause and resume each on its own', async () => {
    const { hooks, asked } = policy();
    for (const input of ['one', 'two'])
      await expect(call(hooks, { ...same, input, approval: pausing, isControlFlow })).rejects.toBe(pause);
    const deny: Approver = () => ({ decision: 'deny' });
    expect(await call(hooks, { ...same, input: 'two', approval: deny })).toMatchObject({ status: 'denied' });
    expect(await call(hooks, { ...same, input: 'one', approval: allow })).toMatchObject({
      status: 'ok',
      output: 'one',
    });
    expect(asked).toEqual(['one', 'two']);
  });

  it('that paused run in the request that resumes them: by its tools, with its native objects', async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on(BeforeToolCall, () => modify({ toolName: 'safe' }));
    hooks.guard(BeforeToolCall, () => requireApproval('It runs.'));
    hooks.observe(ToolEvent, ({ type, native }) => seen.push([type, native]));
    const from = (native: string, approval: Approver): Promise<ToolCallOutcome> => {
      const rename = (name: string) => target(name, () => `${name} of the ${native} request`, { native });
      return call(hooks, { ...same, native, approval, isControlFlow, rename });
    };
    await expect(from('first', pausing)).rejects.toBe(pause);
    expect(await from('second', allow)).toMatchObject({ output: 'safe of the second request' });
    await hooks.settled();
    expect(seen).toEqual([
      ['before_tool_call', 'first'],
      ['permission_request', 'first'],
      ['tool_approval_decision', 'second'],
      ['before_execute', 'second'],
      ['transform_tool_result', 'second'],
      ['after_tool_call', 'second'],
    ]);
  });

  it('that a hook renamed before they paused do not run where the request that resumes them refuses the new tool', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => modify({ toolName: 'safe' }));
    hooks.guard(BeforeToolCall, () => requireApproval('It runs.'));
    const rename = (name: string) => target(name, () => 'safe of the first request');
    await expect(call(hooks, { ...same, approval: pausing, isControlFlow, rename })).rejects.toBe(pause);
    expect(await call(hooks, { ...same, approval: allow, rename: () => 'it is gone' })).toMatchObject({
      status: 'blocked',
      ran: false,
      reason: expect.stringContaining('it is gone'),
    });
  });

  it('that are the same resume one by one: no two of them share what was decided', async () => {
    const { hooks, asked } = policy();
    await expect(call(hooks, { ...same, input: 'one', approval: pausing, isControlFlow })).rejects.toBe(
      pause,
    );
    const answers: (() => void)[] = [];
    const ran: unknown[] = [];
    const approval: Approver = () =>
      new Promise((resolve) => {
        answers.push(() => resolve({ decision: 'allow' }));
      });
    const running = [1, 2].map(() =>
      call(hooks, { ...same, input: 'one', approval, execute: (input) => void ran.push(input) }),
    );
    while (answers.length < 2) await tick();
    for (const answer of answers) answer();
    const outcomes = await Promise.all(running);
    expect(outcomes.map(({ status, attempts }) => [status, attempts])).toEqual([
      ['ok', 1],
      ['ok', 1],
    ]);
    expect(ran).toEqual(['one', 'one']);
    expect(asked).toEqual(['one', 'one']);
  });
});

describe('an id that repeats', () => {
  it('in another run does not find what waits there', async () => {
    const { hooks, asked } = policy();
    const run = openRun(hooks, { sessionId: 's' });
    await expect(
      run.callTool({ ...same, input: 'one' }, () => {}, { approval: pausing, isControlFlow }),
    ).rejects.toBe(pause);
    await openRun(hooks, { sessionId: 's' }).callTool({ ...same, input: 'one' }, () => {}, {
      approval: allow,
    });
    expect(asked).toEqual(['one', 'one']);
    // In its own run it goes on.
    await run.callTool({ ...same, input: 'one' }, () => {}, { approval: allow });
    expect(asked).toEqual(['one', 'one']);
  });

  it('finds it there with the answer of a person, because frameworks restore runs', async () => {
    const { hooks, asked } = policy();
    const run = openRun(hooks, { sessionId: 's' });
    await expect(
      run.callTool({ ...same, input: 'one' }, () => {}, { approval: pausing, isControlFlow }),
    ).rejects.toBe(pause);
    const resumed = { decision: 'allow' } as const;
    const restored = openRun(hooks, { sessionId: 's' });
    await restored.callTool({ ...same, input: 'one', resumed }, () => {}, { approval: allow });
    expect(asked).toEqual(['one']);
  });

  it('takes an answer of the framework, which runs the call anew: only an approval of the pending input runs it', async () => {
    const hash = await hashInput('one');
    for (const [resumed, status, input] of [
      [{ decision: 'allow', hash }, 'ok', 'one'],
      [{ decision: 'allow', hash, input: 'two' }, 'ok', 'two'],
      [{ decision: 'allow', hash: await hashInput('other') }, 'denied', 'one'],
      [{ decision: 'allow' }, 'denied', 'one'],
      [{ decision: 'deny' }, 'denied', 'one'],
    ] as const) {
      const { hooks, asked } = policy();
      const begun = await openRun(hooks, { sessionId: 's' }).beginTool({ ...same, input: 'one' }, asking);
      expect(begun.kind).toBe('ask');
      const restored = openRun(hooks, { sessionId: 's' });
      const outcome = await restored.callTool({ ...same, input: 'one', resumed }, () => {});
      expect(outcome).toMatchObject({ status, input });
      // Guards see an input that the person has written.
      expect(asked).toEqual(input === 'one' ? ['one'] : ['one', input]);
    }
  });

  it('is forgotten with its run', async () => {
    const { hooks, asked } = policy();
    const run = openRun(hooks, { id: 'r', sessionId: 's' });
    await expect(
      run.callTool({ ...same, input: 'one' }, () => {}, { approval: pausing, isControlFlow }),
    ).rejects.toBe(pause);
    await run.end({ kind: 'done' });
    await openRun(hooks, { id: 'r', sessionId: 's' }).callTool({ ...same, input: 'one' }, () => {}, {
      approval: allow,
    });
    expect(asked).toEqual(['one', 'one']);
  });

  it('in the next answer of the model is asked about again', async () => {
    const { hooks, asked } = policy();
    const run = openRun(hooks);
    for (const input of ['ls', 'rm']) {
      await run.startTurn();
      // A framework that is told that a call must not run does not run it.
      await run.beginTool({ ...same, input }, asking);
      await run.startTurn();
      await run.beginTool({ ...same, input }, asking);
    }
    expect(asked).toEqual(['ls', 'ls', 'rm', 'rm']);
  });
});

describe('an empty id', () => {
  it('counts as none: each call gets one of its own', async () => {
    const { hooks } = policy();
    const ids: string[] = [];
    hooks.observe(AfterToolCall, ({ callId }) => ids.push(callId));
    for (const input of ['ls', 'ls']) await call(hooks, { callId: '', input });
    expect(ids).toEqual([expect.stringMatching(/^call-./), expect.stringMatching(/^call-./)]);
    expect(new Set(ids).size).toBe(2);
  });

  it.each([[''], [undefined]])(
    'is that of no call which a person has approved in another process: %o',
    async (callId) => {
      const { hooks } = policy();
      const ran: unknown[] = [];
      const resumed = { decision: 'allow', hash: await hashInput('one') } as const;
      for (const session of ['first', 'second']) {
        const about = { session: hooks.session(session), callId, input: 'one', resumed, approval: allow };
        const execute = (input: unknown) => void ran.push(input);
        expect(await call(hooks, { ...about, execute })).toMatchObject({
          status: 'blocked',
          reason: expect.stringContaining('without an id'),
        });
        // A denial needs to name no call.
        const denied = { ...about, resumed: { decision: 'deny' } as const, execute };
        expect(await call(hooks, denied)).toMatchObject({ status: 'denied' });
      }
      expect(ran).toEqual([]);
    },
  );
});

describe('what was begun', () => {
  it('holds for its own call only', async () => {
    const { hooks } = policy();
    const session = hooks.session('s');
    const begun = await beginToolCall(hooks, { ...same, session, input: 'ls' });
    const ran: unknown[] = [];
    for (const other of [{ input: 'rm' }, { toolName: 'shell' }, { callId: 'call_1' }])
      await expect(
        callTool(hooks, { ...same, session, input: 'ls', ...other }, (input) => void ran.push(input), {
          begun,
        }),
      ).rejects.toMatchObject({ code: 'INVALID_INPUT', message: expect.stringContaining('another call') });
    expect(ran).toEqual([]);
    await callTool(hooks, { ...same, session, input: 'ls' }, (input) => void ran.push(input), { begun });
    expect(ran).toEqual(['ls']);
  });

  it('in another process is finished beside the same call that is paused here', async () => {
    const { hooks, asked } = policy();
    const there = await beginToolCall(createHooks(), {
      ...same,
      session: createHooks().session('s'),
      input: 'one',
    });
    if (there.kind !== 'run') return expect.unreachable();
    await expect(call(hooks, { ...same, input: 'one', approval: pausing, isControlFlow })).rejects.toBe(
      pause,
    );
    const token = JSON.parse(JSON.stringify(there.token));
    expect(await finishToolCall(hooks, token, { output: 'done' })).toMatchObject({
      outcome: { status: 'ok' },
    });
    expect(await call(hooks, { ...same, input: 'one', approval: allow })).toMatchObject({ status: 'ok' });
    expect(asked).toEqual(['one']);
  });
});

describe('a call that two requests answer at once', () => {
  const asks = () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('sure?'));
    const ended: unknown[] = [];
    hooks.observe(AfterToolCall, ({ status }) => void ended.push(status));
    return { hooks, ended };
  };
  const theCall = { ...same, input: {} };
  const elsewhere = {
    status: 'blocked',
    ran: false,
    reason: expect.stringContaining('has answered this approval'),
  };

  it.each(['yes', 'no'])('is decided by the first one: a %s', async (first) => {
    const { hooks, ended } = asks();
    const waiting = openRun(hooks, { sessionId: 's' });
    await waiting.beginTool(theCall, asking);
    const other = openRun(hooks, { sessionId: 's' });
    const ran: unknown[] = [];
    const run = (input: unknown) => void ran.push(input);
    if (first === 'yes') {
      const resumed = { decision: 'allow', hash: await hashInput({}) } as const;
      await other.callTool({ ...theCall, resumed }, run, asking);
      const denied = await waiting.denyTool(theCall, { decision: 'deny', reason: 'No.' });
      expect(denied).toContain('has answered this approval');
    } else {
      await other.denyTool(theCall, { decision: 'deny', reason: 'No.' });
      const answered = await waiting.answerTool(theCall, { decision: 'allow' });
      expect(answered).toMatchObject({ kind: 'done', outcome: elsewhere });
    }
    expect(ran).toHaveLength(first === 'yes' ? 1 : 0);
    await hooks.settled();
    expect(ended).toEqual([first === 'yes' ? 'ok' : 'denied']);
  });

  it('does not run on a yes that comes with the call, where another request has denied it', async () => {
    const { hooks, ended } = asks();
    const waiting = openRun(hooks, { sessionId: 's' });
    await waiting.beginTool(theCall, asking);
    await openRun(hooks, { sessionId: 's' }).denyTool(theCall, { decision: 'deny', reason: 'No.' });
    const resumed = { decision: 'allow', hash: await hashInput({}) } as const;
    const outcome = await waiting.callTool({ ...theCall, resumed }, () => expect.unreachable(), asking);
    expect(outcome).toMatchObject(elsewhere);
    await hooks.settled();
    expect(ended).toEqual(['denied']);
  });

  it('is decided by the first one, also while an approver is asked', async () => {
    const { hooks, ended } = asks();
    const waiting = openRun(hooks, { sessionId: 's' });
    await waiting.beginTool(theCall, asking);
    const pause: Approver = async () => {
      await openRun(hooks, { sessionId: 's' }).denyTool(theCall, { decision: 'deny', reason: 'No.' });
      return { decision: 'allow' };
    };
    expect(await waiting.answerTool(theCall, { pause })).toMatchObject({ kind: 'done', outcome: elsewhere });
    await hooks.settled();
    expect(ended).toEqual(['denied']);
  });

  it.each([
    ['yes', 'no'],
    ['no', 'yes'],
    ['yes', 'yes'],
    ['no', 'no'],
  ])('is decided by the first one, while hooks still hear of it: a %s, then a %s', async (...answers) => {
    const { hooks, ended } = asks();
    const decided: unknown[] = [];
    hooks.on(ToolApprovalDecision, async ({ approval }) => {
      decided.push(approval);
      await tick();
      return proceed();
    });
    const run = openRun(hooks, { sessionId: 's' });
    await run.beginTool(theCall, asking);
    const answer = (one: string | undefined) =>
      one === 'yes'
        ? run.answerTool(theCall, { decision: 'allow' })
        : run.answerTool(theCall, { decision: 'deny', reason: 'No.' });
    const [first, second] = await Promise.all(answers.map(answer));
    expect(second).toMatchObject({ kind: 'done', outcome: elsewhere });
    expect(decided).toEqual([answers[0] === 'yes' ? 'allow' : 'deny']);
    expect(first?.kind).toBe(answers[0] === 'yes' ? 'run' : 'done');
    const outcome = await run.callTool(theCall, () => 'ran');
    expect(outcome.status).toBe(answers[0] === 'yes' ? 'ok' : 'denied');
    await hooks.settled();
    expect(ended).toEqual([outcome.status]);
  });

  it.each(['yes', 'no'])(
    'is decided by the first one, in another request, while hooks still hear of it: a %s',
    async (first) => {
      const { hooks, ended } = asks();
      const heard = deferred<void>();
      const over = deferred<void>();
      hooks.on(ToolApprovalDecision, async () => {
        heard.resolve();
        await over.promise;
        return proceed();
      });
      const waiting = openRun(hooks, { sessionId: 's' });
      await waiting.beginTool(theCall, asking);
      const other = openRun(hooks, { sessionId: 's' });
      const resumed = { decision: 'allow', hash: await hashInput({}) } as const;
      const deciding =
        first === 'yes'
          ? other.callTool({ ...theCall, resumed }, () => 'ran', asking)
          : other.denyTool(theCall, { decision: 'deny', reason: 'No.' });
      await heard.promise;
      const answering = waiting.answerTool(theCall, { decision: first === 'yes' ? 'deny' : 'allow' });
      over.resolve();
      expect(await answering).toMatchObject({ kind: 'done', outcome: elsewhere });
      expect(await waiting.callTool(theCall, () => expect.unreachable())).toMatchObject(elsewhere);
      await deciding;
      await hooks.settled();
      expect(ended).toEqual([first === 'yes' ? 'ok' : 'denied']);
    },
  );

  it('takes one of two answers to a token', async () => {
    const { hooks } = asks();
    hooks.on(ToolApprovalDecision, async () => {
      await tick();
      return proceed();
    });
    const begun = await beginToolCall(hooks, { ...theCall, session: hooks.session('s') }, asking);
    if (begun.kind !== 'ask') expect.unreachable();
    const [yes, no] = await Promise.allSettled([
      answerToolCall(begun.token, { decision: 'allow' }),
      answerToolCall(begun.token, { decision: 'deny' }),
    ]);
    expect(yes).toMatchObject({ value: { kind: 'run' } });
    expect(no).toMatchObject({ reason: { code: 'INVALID_INPUT' } });
  });
});
