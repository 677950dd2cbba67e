import { describe, expect, it } from 'vitest';
import {
  AfterToolCall,
  type ApprovalAnswer,
  type ApprovalRequest,
  BeforeToolCall,
  block,
  type Concealed,
  createHooks,
  HookEvent,
  type Hooks,
  type HooksError,
  modify,
  proceed,
  requireApproval,
  retry,
  TransformToolResult,
} from '../src/index.ts';
import { answerToolCall, beginToolCall } from '../src/tool-call/index.ts';
import { call, deferred, target } from './support/call.ts';

const VALUE = 'hunter2';

/** Text for text, the value for its placeholder. */
const concealed: Concealed = {
  reveal: (input) => String(input).replaceAll('[P]', VALUE),
  hide: (value) => (typeof value === 'string' ? value.replaceAll(VALUE, '[P]') : value),
};

/** The same in data. */
const hidingData: Concealed = {
  ...concealed,
  hide: (value) => JSON.parse(JSON.stringify(value).replaceAll(VALUE, '[P]')),
};

function concealing(own: Concealed = concealed): Hooks {
  const hooks = createHooks();
  hooks.on(BeforeToolCall.matching('exec'), () => modify({ concealed: own }), { id: 'conceal' });
  return hooks;
}

const fails = (): never => {
  throw new Error(`no ${VALUE}`);
};

describe('values that a call conceals', () => {
  it('are not given to a tool that a later hook puts in the place of the one that they were for', async () => {
    const hooks = concealing();
    hooks.on(BeforeToolCall, () => modify({ toolName: 'post' }), { priority: -1 });
    const judged: unknown[] = [];
    hooks.guard(BeforeToolCall, ({ input }) => (judged.push(input), proceed()));
    const rename = (name: string) => target(name, (input) => `posted ${input}`);
    expect(await call(hooks, { input: '[P]', rename })).toMatchObject({ output: 'posted [P]' });
    expect(judged).toEqual(['[P]']);
  });

  it('are given to another tool by the hook that names it, or by one after that', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall.matching('exec'), () => modify({ toolName: 'post', concealed }));
    const got: unknown[] = [];
    const rename = (name: string) => target(name, (input) => void got.push(input));
    await call(hooks, { input: '[P]', rename });
    const later = createHooks();
    later.on(BeforeToolCall.matching('exec'), () => modify({ toolName: 'post' }));
    later.on(BeforeToolCall.matching('post'), () => modify({ concealed }));
    await call(later, { input: '[P]', rename });
    expect(got).toEqual([VALUE, VALUE]);
  });

  it('are revealed once: the tool gets what guards judged, also on a retry', async () => {
    let times = 0;
    const hooks = concealing({ ...concealed, reveal: () => `value ${++times}` });
    const judged: unknown[] = [];
    hooks.guard(BeforeToolCall, ({ input }) => (judged.push(input), proceed()));
    hooks.on(AfterToolCall, ({ attempt }) => (attempt === 1 ? retry('again') : proceed()));
    const got: unknown[] = [];
    await call(hooks, { execute: (input) => void got.push(input) });
    expect([judged, got]).toEqual([['value 1'], ['value 1', 'value 1']]);
  });

  it('are hidden in what the tool returns or throws, before any hook sees that', async () => {
    const hooks = concealing();
    const seen: unknown[] = [];
    hooks.observe(TransformToolResult, ({ output, errorMessage }) => void seen.push(output ?? errorMessage));
    hooks.observe(AfterToolCall, ({ output, error }) => void seen.push(output ?? String(error)));
    const returning = await call(hooks, { input: '[P]', execute: (input) => `sent to ${input}` });
    const throwing = await call(hooks, {
      input: '[P]',
      execute: (input) => {
        throw new TypeError(`not sent to ${input}`, { cause: input });
      },
    });
    expect(returning).toMatchObject({ status: 'ok', output: 'sent to [P]' });
    expect(throwing.error).toMatchObject({ name: 'TypeError', message: 'not sent to [P]' });
    expect(throwing.error).not.toHaveProperty('cause');
    expect(seen).toEqual(['sent to [P]', 'sent to [P]', 'not sent to [P]', 'TypeError: not sent to [P]']);
  });

  it('withhold a result in which they cannot be hidden', async () => {
    const hooks = concealing({ ...concealed, hide: fails });
    for (const execute of [(input: unknown) => input, fails])
      expect(await call(hooks, { input: '[P]', execute })).toMatchObject({
        status: 'blocked',
        ran: true,
        reason: expect.stringContaining('could not be hidden'),
      });
  });

  it('close the gate where a guard quotes them and they cannot be hidden', async () => {
    const hooks = concealing({ ...concealed, hide: fails });
    hooks.guard(BeforeToolCall, ({ input }) => block(`not ${input}`));
    const outcome = await call(hooks, { input: '[P]' });
    expect(outcome).toMatchObject({ status: 'blocked', ran: false });
    expect(JSON.stringify(outcome)).not.toContain(VALUE);
  });

  it('reach the tool of a call that the framework runs between two halves', async () => {
    const hooks = concealing();
    const about = { session: hooks.session('s'), toolName: 'exec', input: '[P]' };
    const capabilities = { route: true };
    expect(await beginToolCall(hooks, about, { capabilities })).toMatchObject({ kind: 'run', input: VALUE });
    const inCallTool = await beginToolCall(hooks, about, { capabilities, runsIn: 'callTool' });
    expect(inCallTool).toMatchObject({ kind: 'run', input: '[P]' });
  });

  it('are hidden in what an approver who has seen them answers, and in the input that it returns', async () => {
    const answers: readonly ((seen: unknown) => ApprovalAnswer)[] = [
      (seen) => ({ decision: 'allow', input: `${seen} now`, reason: `Known: ${seen}` }),
      (seen) => ({ decision: 'allow', remember: 'session', matching: { to: String(seen) } }),
      (seen) => ({ decision: 'deny', reason: `Not ${seen}.`, by: `a friend of ${seen}` }),
      (seen) => ({ decision: 'answer', output: `Wrote to ${seen}.` }),
      (seen) => {
        throw new Error(`no ${seen}`);
      },
    ];
    for (const answer of answers) {
      const hooks = concealing({ ...hidingData, showTo: 'approver' });
      hooks.on(BeforeToolCall, () => requireApproval('It costs.'));
      const shown: unknown[] = [];
      hooks.observe(HookEvent, ({ session: _, ...event }, decision) => void shown.push(event, decision));
      hooks.onError((error) => void shown.push(error.message, String(error.cause)));
      const got: unknown[] = [];
      const execute = (input: unknown): string => (got.push(input), 'ran');
      const approval = ({ reveal }: ApprovalRequest): ApprovalAnswer => answer(reveal?.());
      const outcome = await call(hooks, { input: '[P]', execute, approval });
      await hooks.settled();
      expect(JSON.stringify([shown, outcome])).not.toContain(VALUE);
      expect(JSON.stringify([shown, outcome])).toContain('[P]');
      expect(got).toEqual(outcome.output === 'ran' ? [expect.stringContaining(VALUE)] : []);
    }
  });

  it('have to fit the schema of the tool, which is told to nobody', async () => {
    const checked: unknown[] = [];
    const check = (input: unknown) => {
      checked.push(input);
      return input === '[P]' ? undefined : { message: `${input} is no number` };
    };
    const outcome = await call(concealing(), { input: '[P]', check });
    expect(outcome).toMatchObject({ status: 'blocked', ran: false });
    expect(outcome.reason).toContain('do not fit the schema');
    expect(JSON.stringify(outcome)).not.toContain(VALUE);
    expect(checked).toEqual(['[P]', VALUE]);
    const changing = concealing({ ...concealed, showTo: 'approver' });
    changing.on(BeforeToolCall, () => requireApproval('It costs.'));
    const fits = (input: unknown) =>
      String(input).includes('now') ? { message: `not ${input}` } : undefined;
    const changed = await call(changing, {
      input: '[P]',
      check: fits,
      approval: ({ reveal }) => ({ decision: 'allow', input: `${reveal?.()} now` }),
    });
    expect(changed).toMatchObject({ status: 'blocked', ran: false });
    expect(JSON.stringify(changed)).not.toContain(VALUE);
  });

  it('are hidden in an answer that another part of the program takes', async () => {
    const hooks = concealing({ ...hidingData, showTo: 'approver' });
    hooks.on(BeforeToolCall, () => requireApproval('It costs.'));
    const about = { session: hooks.session('s'), toolName: 'exec', input: '[P]' };
    const begun = await beginToolCall(hooks, about, {
      approval: 'native',
      capabilities: { route: true, ask: true },
    });
    if (begun.kind !== 'ask') throw new Error(`begun: ${begun.kind}`);
    const seen = begun.request.reveal?.();
    const denied = await answerToolCall(begun.token, { decision: 'deny', reason: `Not ${seen}.` });
    expect(denied).toMatchObject({ kind: 'done', outcome: { reason: 'Not [P].' } });
  });

  it('deny a call where they cannot be hidden in the answer', async () => {
    const hooks = concealing({ ...concealed, hide: fails, showTo: 'approver' });
    hooks.on(BeforeToolCall, () => requireApproval('It costs.'));
    const outcome = await call(hooks, {
      input: '[P]',
      approval: ({ reveal }) => ({ decision: 'allow', reason: `Known: ${reveal?.()}` }),
    });
    expect(outcome).toMatchObject({ status: 'denied', ran: false });
    expect(JSON.stringify(outcome)).not.toContain(VALUE);
  });

  it('are hidden in the source of a guard’s refusal, and in what a guard throws too late', async () => {
    const hooks = concealing();
    hooks.guard(BeforeToolCall, ({ input }) => block('No.', { source: `list of ${input}` }), {
      id: 'source',
    });
    const shown: unknown[] = [];
    hooks.observe(HookEvent, ({ session: _, ...event }, decision) => void shown.push(event, decision));
    await call(hooks, { input: '[P]' });
    expect(JSON.stringify(shown)).not.toContain(VALUE);
    expect(JSON.stringify(shown)).toContain('list of [P]');
    hooks.remove('source');
    const reported = deferred<HooksError>();
    hooks.onError((error) => error.code === 'LATE_ANSWER' && reported.resolve(error));
    const late = deferred<never>();
    hooks.guard(BeforeToolCall, () => late.promise, { timeoutMs: 1 });
    await call(hooks, { input: '[P]' });
    late.reject(new Error(`no ${VALUE}`));
    expect((await reported.promise).cause).toBeUndefined();
  });
});
