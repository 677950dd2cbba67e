import { describe, expect, it } from 'vitest';
import {
  AfterToolCall,
  type ApprovalAnswer,
  BeforeToolCall,
  type CallOptions,
  createHooks,
  type Execute,
  type ExecuteOptions,
  type Hooks,
  proceed,
  requireApproval,
  retry,
} from '../src/index.ts';
import {
  answerToolCall,
  beginToolCall,
  callTool,
  finishToolCall,
  recheckToolCall,
} from '../src/tool-call/index.ts';
import { call, deferred } from './support/call.ts';

const theCall = (hooks: Hooks) => ({
  session: hooks.session('s'),
  toolName: 'exec',
  callId: 'c',
  input: 'ls',
});

const interrupt = new Error('interrupt');
const isControlFlow = (error: unknown) => error === interrupt;
const allow = { decision: 'allow' } as const;

/** A registry that notes how calls end, and a tool that notes that it runs. */
function stage(asks = false) {
  const hooks = createHooks();
  const seen: unknown[] = [];
  hooks.guard(BeforeToolCall, () => (seen.push('guard'), asks ? requireApproval('sure?') : proceed()));
  hooks.observe(AfterToolCall, ({ status, attempt }) => void seen.push(`${status} ${attempt}`));
  const begin = () =>
    beginToolCall(hooks, theCall(hooks), { approval: 'native', capabilities: { ask: true } });
  const take = (begun: CallOptions['begun'], options: CallOptions = {}, execute: Execute = () => 'out') =>
    callTool(hooks, theCall(hooks), (input, running) => (seen.push('ran'), execute(input, running)), {
      isControlFlow,
      ...options,
      begun,
    });
  return { hooks, seen, begin, take };
}

async function waits(begin: ReturnType<typeof stage>['begin']) {
  const begun = await begin();
  if (begun.kind !== 'ask') throw new Error(begun.kind);
  return begun;
}

async function runs(begin: ReturnType<typeof stage>['begin']) {
  const begun = await begin();
  if (begun.kind !== 'run') throw new Error(begun.kind);
  return begun;
}

const goneOn = {
  code: 'INVALID_INPUT',
  message: expect.stringMatching(/call c has continued .* the newest/),
};
const noLonger = { code: 'INVALID_INPUT', message: expect.stringMatching(/call c does not wait/) };

describe('what beginToolCall gave, given to callTool', () => {
  it('runs once, while it runs and after', async () => {
    const { seen, begin, take } = stage();
    const begun = await runs(begin);
    const { promise, resolve } = deferred<string>();
    const running = take(begun, {}, () => promise);
    await expect(take(begun)).rejects.toMatchObject(goneOn);
    resolve('out');
    expect(await running).toMatchObject({ status: 'ok', attempts: 1 });
    await expect(take(begun)).rejects.toMatchObject(goneOn);
    expect(seen).toEqual(['guard', 'ran', 'ok 1']);
  });

  it('is asked about once: a yes is to one run', async () => {
    const { hooks, seen, begin, take } = stage(true);
    const begun = await waits(begin);
    expect(await take(begun, { approval: () => allow })).toMatchObject({ status: 'ok', attempts: 1 });
    await expect(take(begun, { approval: () => allow })).rejects.toMatchObject(goneOn);
    await expect(answerToolCall(begun.token, allow)).rejects.toMatchObject(noLonger);
    expect(seen).toEqual(['guard', 'ran', 'ok 1']);
    expect(hooks.session('s').history).toHaveLength(1);
  });

  it('is no longer good where the call has gone on by answerToolCall, whose own is', async () => {
    const { seen, begin, take } = stage(true);
    const begun = await waits(begin);
    const answered = await answerToolCall(begun.token, allow);
    await expect(take(begun, { approval: () => allow })).rejects.toMatchObject(goneOn);
    await expect(answerToolCall(begun.token, allow)).rejects.toMatchObject(noLonger);
    expect(await take(answered)).toMatchObject({ status: 'ok', attempts: 1 });
    expect(seen).toEqual(['guard', 'ran', 'ok 1']);
  });

  it('is no longer good after a no, and where it is over the outcome is given again', async () => {
    const { seen, begin, take } = stage(true);
    const begun = await waits(begin);
    const over = await answerToolCall(begun.token, { decision: 'deny' });
    await expect(take(begun, { approval: () => allow })).rejects.toMatchObject(goneOn);
    for (const _ of [1, 2]) expect(await take(over)).toMatchObject({ status: 'denied' });
    expect(seen).toEqual(['guard', 'denied 0']);
  });

  it('goes on where the tool or who approves has paused, by the framework’s control flow', async () => {
    const { seen, begin, take } = stage(true);
    const begun = await waits(begin);
    const pauses = () => {
      throw interrupt;
    };
    await expect(take(begun, { approval: pauses })).rejects.toBe(interrupt);
    await expect(take(begun, { approval: () => allow }, pauses)).rejects.toBe(interrupt);
    expect(await take(begun)).toMatchObject({ status: 'ok', attempts: 1 });
    await expect(take(begun)).rejects.toMatchObject(goneOn);
    expect(seen).toEqual(['guard', 'ran', 'ran', 'ok 1']);
  });

  it('counts no attempt of a tool that has paused', async () => {
    const { begin, take } = stage();
    const begun = await runs(begin);
    const pauses = () => {
      throw interrupt;
    };
    await expect(take(begun, {}, pauses)).rejects.toBe(interrupt);
    expect(await take(begun)).toMatchObject({ status: 'ok', attempts: 1 });
  });

  it('goes on with the newest, where what has paused was begun again', async () => {
    const { seen, begin, take } = stage();
    const first = await runs(begin);
    const pauses = () => {
      throw interrupt;
    };
    await expect(take(first, {}, pauses)).rejects.toBe(interrupt);
    const second = await runs(begin);
    await expect(take(first)).rejects.toMatchObject(goneOn);
    expect(await take(second)).toMatchObject({ status: 'ok', attempts: 1 });
    expect(seen).toEqual(['guard', 'ran', 'ran', 'ok 1']);
  });

  it('is no longer good where the call was taken up by its id', async () => {
    const { hooks, seen, begin, take } = stage(true);
    const begun = await waits(begin);
    expect(await callTool(hooks, theCall(hooks), () => 'out', { approval: () => allow })).toMatchObject({
      status: 'ok',
    });
    await expect(take(begun, { approval: () => allow })).rejects.toMatchObject(goneOn);
    expect(seen).toEqual(['guard', 'ok 1']);
  });

  it('is another call where the id has come back', async () => {
    const { hooks, begin, take } = stage();
    const begun = await runs(begin);
    await take(begun);
    const other = { ...theCall(hooks), input: 'pwd' };
    await expect(callTool(hooks, other, () => Promise.reject(interrupt), { isControlFlow })).rejects.toBe(
      interrupt,
    );
    await expect(take(begun)).rejects.toMatchObject(goneOn);
  });

  it('does not run where its run was aborted since', async () => {
    const { hooks, seen } = stage();
    const run = new AbortController();
    const begun = await beginToolCall(hooks, { ...theCall(hooks), signal: run.signal });
    run.abort(new Error('enough'));
    expect(await callTool(hooks, theCall(hooks), () => seen.push('ran'), { begun })).toMatchObject({
      status: 'error',
      ran: false,
      aborted: true,
      attempts: 0,
    });
    expect(seen).toEqual(['guard', 'error 0']);
  });
});

describe('a call that waits', () => {
  it('is answered once, whoever is asked meanwhile', async () => {
    const { seen, begin } = stage(true);
    const begun = await waits(begin);
    const { promise, resolve } = deferred<ApprovalAnswer>();
    const slow = answerToolCall(begun.token, { approval: () => promise });
    expect(await answerToolCall(begun.token, { decision: 'deny' })).toMatchObject({ kind: 'done' });
    resolve(allow);
    await expect(slow).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('call c was answered'),
    });
    expect(seen).toEqual(['guard', 'denied 0']);
  });

  it('is answered by the token that it was given with, and not by one of before', async () => {
    const { hooks, begin, take } = stage(true);
    const begun = await waits(begin);
    const answered = await answerToolCall(begun.token, allow);
    const asked: unknown[] = [];
    const outcome = take(answered, {}, async (_input, running) => {
      const approval = async () => {
        asked.push(await answerToolCall(begun.token, allow).catch((error) => error.code));
        return { decision: 'deny' } as const;
      };
      return (await recheckToolCall(running, 'rm', { approval })).kind;
    });
    expect(await outcome).toMatchObject({ status: 'denied', input: 'rm' });
    expect(asked).toEqual(['INVALID_INPUT']);
    expect(hooks.session('s').history).toHaveLength(1);
  });
});

describe('what is finished', () => {
  it('is not finished again, while hooks are asked and after', async () => {
    const { hooks, seen, begin } = stage();
    const { promise, resolve } = deferred<ReturnType<typeof proceed>>();
    hooks.on(AfterToolCall, () => promise);
    const { token } = await runs(begin);
    const finishing = finishToolCall(hooks, token, { output: 'out' });
    const finish = () => finishToolCall(hooks, token, { output: 'other' });
    await expect(finish()).rejects.toThrow(/finishToolCall: call c has continued .* the newest/);
    resolve(proceed());
    expect(await finishing).toMatchObject({ kind: 'done', outcome: { output: 'out' } });
    await expect(finish()).rejects.toMatchObject({ code: 'INVALID_INPUT' });
    expect(seen).toEqual(['guard', 'ok 1']);
  });

  it('goes on with the newest token where it runs again', async () => {
    const { hooks, begin } = stage();
    using _again = hooks.on(AfterToolCall, ({ attempt }) => (attempt < 2 ? retry('again') : proceed()));
    const begun = await beginToolCall(hooks, theCall(hooks), { capabilities: { retry: true } });
    if (begun.kind !== 'run') throw new Error(begun.kind);
    const again = await finishToolCall(hooks, begun.token, { output: 1 });
    if (again.kind !== 'again') throw new Error(again.kind);
    await expect(finishToolCall(hooks, begun.token, { output: 1 })).rejects.toThrow(/newest/);
    expect(await finishToolCall(hooks, again.token, { output: 2 })).toMatchObject({
      outcome: { status: 'ok', output: 2, attempts: 2 },
    });
    expect(await begin()).toMatchObject({ kind: 'run' });
  });

  it('is not run by callTool any more, nor finished where callTool has run it', async () => {
    const { hooks, seen, begin, take } = stage();
    const finished = await runs(begin);
    await finishToolCall(hooks, finished.token, { output: 'out' });
    await expect(take(finished)).rejects.toMatchObject(goneOn);
    const ran = await runs(begin);
    await take(ran);
    await expect(finishToolCall(hooks, ran.token, { output: 'out' })).rejects.toThrow(/newest/);
    expect(seen).toEqual(['guard', 'ok 1', 'guard', 'ran', 'ok 1']);
  });
});

describe('recheckToolCall', () => {
  /** A call that is over, and what its `execute` was given. */
  async function over(hooks: Hooks, execute: Execute): Promise<ExecuteOptions> {
    const given: ExecuteOptions[] = [];
    await call(hooks, {
      callId: 'c',
      execute: (input, running) => {
        given.push(running);
        return execute(input, running);
      },
    });
    const [running] = given;
    if (running === undefined) throw new Error('not run');
    return running;
  }

  it('asks nobody about a call that is over', async () => {
    const { hooks, seen } = stage();
    const running = await over(hooks, (input) => input);
    await expect(recheckToolCall(running, 'rm')).rejects.toMatchObject({
      code: 'INVALID_INPUT',
      message: expect.stringMatching(/call c is over/),
    });
    expect(seen).toEqual(['guard', 'ok 1']);
    expect(hooks.session('s').history).toMatchObject([{ input: 'ls' }]);
  });

  it('says of a call that it has ended how that ended, also afterwards', async () => {
    const { hooks, seen } = stage();
    hooks.guard(BeforeToolCall, ({ input }) => (input === 'rm' ? requireApproval('rm?') : proceed()));
    const running = await over(hooks, (_input, options) => recheckToolCall(options, 'rm'));
    expect(await recheckToolCall(running, 'ls')).toMatchObject({
      kind: 'done',
      outcome: { status: 'denied' },
    });
    expect(seen.filter((what) => what !== 'guard')).toEqual(['denied 0']);
  });
});
