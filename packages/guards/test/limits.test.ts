import {
  AfterModelCall,
  AgentError,
  BeforeModelCall,
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  MaxIterations,
  Notification,
  type Principal,
  type Session,
  type ToolCallOutcome,
} from '@hooks/core';
import { openRun } from '@hooks/core/adapter';
import { callTool } from '@hooks/core/tool-call';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type LimitsOptions,
  limits,
  loopDetection,
  maxIterations,
  type RateLimitOptions,
  rateLimit,
} from '../src/index.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

type Where = { readonly session: Session; readonly run?: string; readonly principal?: Principal };

const call = async (
  hooks: Hooks,
  where: Where,
  toolName = 'search',
  input: unknown = {},
): Promise<ToolCallOutcome> => callTool(hooks, { ...where, toolName, input }, () => 'ok');

const ask = async (hooks: Hooks, where: Where, iteration = 1): Promise<unknown> =>
  hooks.dispatch(BeforeModelCall, { ...where, iteration, messages: [], tools: [] });

const answered = async (hooks: Hooks, where: Where, tokens: number): Promise<unknown> => {
  const response = { text: '', toolCalls: [], usage: { inputTokens: tokens, outputTokens: 0 } };
  return hooks.dispatch(AfterModelCall, { ...where, iteration: 1, response, attempt: 1 });
};

const blocked = (reason: RegExp, stop: boolean): object => ({
  kind: 'block',
  reason: expect.stringMatching(reason),
  ...(stop && { stop: true }),
});

test.each([
  ['limits', (costs: LimitsOptions) => limits({ perSession: { cost: 1 }, ...costs })],
  ['rateLimit', (costs: Partial<RateLimitOptions>) => rateLimit({ cost: 1, windowMs: 1_000, ...costs })],
] as const)('%s tells of a cost that is no number, which it cannot count', async (_guard, make) => {
  const errors: string[] = [];
  const hooks = createHooks({ onError: ({ message }) => void errors.push(message) });
  hooks.use(make({ modelCost: () => Number.NaN, toolCost: () => Number.NaN }));
  const where = { session: hooks.session('s') };
  await call(hooks, where);
  await answered(hooks, where, 10);
  await hooks.settled();
  expect(errors).toEqual([
    expect.stringContaining('toolCost returned NaN; expected a number of 0 or more.'),
    expect.stringContaining('modelCost returned NaN; expected a number of 0 or more.'),
  ]);
});

describe('limits', () => {
  test('a long run keeps its count, however many other runs start meanwhile', async () => {
    const hooks = createHooks();
    hooks.use(limits({ perRun: { toolCalls: 4 } }));
    const session = hooks.session('s');
    for (let other = 0; other < 240; other++) {
      if (other % 60 === 0) await call(hooks, { session, run: 'long' });
      await call(hooks, { session, run: `${other}` });
    }
    expect(await call(hooks, { session, run: 'long' })).toMatchObject({ status: 'blocked' });
  });

  test('a tool call over the limit gets the reason, and the run continues', async () => {
    const hooks = createHooks();
    hooks.use(limits({ perRun: { toolCalls: 2 } }));
    const session = hooks.session('s');
    await call(hooks, { session, run: 'a' });
    expect(await call(hooks, { session, run: 'a' })).toMatchObject({ status: 'ok' });
    const third = await call(hooks, { session, run: 'a' });
    expect(third).toMatchObject({
      status: 'blocked',
      ran: false,
      reason: expect.stringMatching(/2 tool calls/),
    });
    expect(third.stop).not.toBe(true);
    expect(await call(hooks, { session, run: 'b' })).toMatchObject({ status: 'ok' });
  });

  test('concurrent calls cannot exceed the limit', async () => {
    const hooks = createHooks();
    hooks.use(limits({ perRun: { toolCalls: 2 } }));
    const session = hooks.session('s');
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => call(hooks, { session })));
    expect(outcomes.map(({ status }) => status).sort()).toEqual([
      'blocked',
      'blocked',
      'blocked',
      'ok',
      'ok',
    ]);
  });

  test('a call that another guard refuses costs nothing', async () => {
    const hooks = createHooks();
    hooks.use(limits({ perRun: { toolCalls: 1 } }));
    hooks.guard(BeforeToolCall.matching('rm'), () => block('no'));
    const session = hooks.session('s');
    await call(hooks, { session }, 'rm');
    expect(await call(hooks, { session })).toMatchObject({ status: 'ok' });
  });

  test('a tool can have its own budget', async () => {
    const hooks = createHooks();
    hooks.use(limits({ perTool: { 'web_.*': { perSession: { toolCalls: 1 } } } }));
    const session = hooks.session('s');
    await call(hooks, { session }, 'web_search');
    expect(await call(hooks, { session }, 'web_fetch')).toMatchObject({ status: 'blocked' });
    expect(await call(hooks, { session }, 'read')).toMatchObject({ status: 'ok' });
  });

  test('model calls over the limit end the run', async () => {
    const hooks = createHooks();
    hooks.use(limits({ perRun: { modelCalls: 1 } }));
    const where = { session: hooks.session('s'), run: 'a' };
    expect(await ask(hooks, where)).toMatchObject({ kind: 'proceed' });
    expect(await ask(hooks, where)).toMatchObject(blocked(/1 model calls/, true));
  });

  test('a model call that another hook refuses meanwhile does not count, also where another registry is further out', async () => {
    const [outer, hooks] = [createHooks(), createHooks()];
    hooks.use(limits({ perRun: { modelCalls: 1 } }));
    const refused = outer.guard(BeforeModelCall, async () => block('Not now.'));
    const run = openRun([{ hooks: outer }, { hooks }], { sessionId: 's' });
    await run.begin();
    const event = { iteration: 1, messages: [], tools: [] };
    expect(await run.ask(BeforeModelCall, event)).toMatchObject({ kind: 'block', reason: 'Not now.' });
    refused[Symbol.dispose]();
    expect(await run.ask(BeforeModelCall, event)).toMatchObject({ kind: 'proceed' });
    expect(await run.ask(BeforeModelCall, event)).toMatchObject(blocked(/1 model calls/, true));
  });

  test('tokens and cost are checked before the next model or tool call', async () => {
    const hooks = createHooks();
    const cost = ({ response }: AfterModelCall): number => (response.usage?.inputTokens ?? 0) / 1000;
    hooks.use(limits({ perSession: { tokens: 1000 } }));
    hooks.use(limits({ perSession: { cost: 0.5 }, modelCost: cost, toolCost: () => 0.25 }), { name: 'cost' });
    const where = { session: hooks.session('s') };
    await answered(hooks, where, 400);
    expect(await ask(hooks, where)).toMatchObject({ kind: 'proceed' });
    await call(hooks, where);
    expect(await ask(hooks, where)).toMatchObject(blocked(/limits\/cost/, true));
    await answered(hooks, where, 600);
    expect(await call(hooks, where)).toMatchObject({ status: 'blocked', stop: true });
    expect(await ask(hooks, where)).toMatchObject(blocked(/limits\/tokens.*1000 tokens/, true));
  });

  test('time counts from the first event', async () => {
    const hooks = createHooks();
    hooks.use(limits({ perRun: { timeMs: 5000 } }));
    const where = { session: hooks.session('s'), run: 'a' };
    await ask(hooks, where);
    vi.setSystemTime(Date.now() + 4999);
    expect(await ask(hooks, where)).toMatchObject({ kind: 'proceed' });
    vi.setSystemTime(Date.now() + 1);
    expect(await ask(hooks, where)).toMatchObject(blocked(/5 s for this run/, true));
    expect(await ask(hooks, { ...where, run: 'b' })).toMatchObject({ kind: 'proceed' });
  });

  test('a session pays for its sub-agents', async () => {
    const hooks = createHooks();
    hooks.use(limits({ perSession: { modelCalls: 2 } }));
    const parent = hooks.session('parent');
    const child = hooks.session('child', { parent });
    await ask(hooks, { session: child });
    await ask(hooks, { session: child });
    expect(await ask(hooks, { session: parent })).toMatchObject(blocked(/this session/, true));
  });

  test('a principal has one budget across its sessions', async () => {
    const hooks = createHooks();
    hooks.use(limits({ perKey: { toolCalls: 2 } }));
    const of = (id: string, principal?: Principal): Where => ({ session: hooks.session(id, { principal }) });
    const [ann, bob] = [{ id: 'ann', tenant: 'acme' }, { id: 'bob' }];
    await call(hooks, of('one', ann));
    await call(hooks, of('two', ann));
    expect(await call(hooks, of('three', ann))).toMatchObject({
      status: 'blocked',
      reason: expect.stringMatching(/2 tool calls for this user/),
    });
    expect(await call(hooks, of('four', { ...ann, tenant: 'other' }))).toMatchObject({ status: 'ok' });
    expect(await call(hooks, of('five', bob))).toMatchObject({ status: 'ok' });
    expect(await call(hooks, { ...of('five'), principal: ann })).toMatchObject({ status: 'blocked' });
  });

  test('events without a principal share one budget', async () => {
    const hooks = createHooks();
    hooks.use(limits({ perKey: { toolCalls: 1 } }));
    await call(hooks, { session: hooks.session('one') });
    expect(await call(hooks, { session: hooks.session('two') })).toMatchObject({ status: 'blocked' });
  });

  test('a custom key decides who shares a budget, even of a tool', async () => {
    const hooks = createHooks();
    hooks.use(
      limits({
        perTool: { pay: { perKey: { cost: 10 } } },
        toolCost: () => 6,
        key: ({ principal }) => principal?.tenant ?? '',
      }),
    );
    const pay = (id: string, tenant: string) =>
      call(hooks, { session: hooks.session(), principal: { id, tenant } }, 'pay');
    await pay('ann', 'acme');
    await pay('bob', 'acme');
    expect(await pay('cy', 'acme')).toMatchObject({
      status: 'blocked',
      reason: expect.stringMatching(/of pay of 10 for this key/),
    });
    expect(await pay('cy', 'other')).toMatchObject({ status: 'ok' });
  });

  test('an invalid limit throws at once', () => {
    expect(() => limits({ perKey: { cost: -1 } })).toThrow(/perKey\.cost is -1/);
    expect(() => limits({ perRun: { toolCalls: Number.NaN } })).toThrow(/perRun\.toolCalls is NaN/);
    expect(() => limits({ perTool: { a: { perSession: { cost: -1 } } } })).toThrow(
      /perTool\.a\.perSession\.cost/,
    );
  });
});

describe('rateLimit', () => {
  test('a session and its sub-agents share a window', async () => {
    const hooks = createHooks();
    hooks.use(rateLimit({ toolCalls: 2, windowMs: 1_000 }));
    const session = hooks.session('s');
    const helper = hooks.session('helper', { parent: session });
    expect(await call(hooks, { session })).toMatchObject({ status: 'ok' });
    expect(await call(hooks, { session: helper })).toMatchObject({ status: 'ok' });
    for (const id of ['helper', 'another'])
      expect(await call(hooks, { session: hooks.session(id, { parent: session }) })).toMatchObject({
        status: 'blocked',
      });
    expect(await call(hooks, { session: hooks.session('other') })).toMatchObject({ status: 'ok' });
  });

  test('the window slides, and the reason says how long to wait', async () => {
    const hooks = createHooks();
    hooks.use(rateLimit({ toolCalls: 2, modelCalls: 1, windowMs: 10_000, tools: 'search' }));
    const where = { session: hooks.session('s') };
    await call(hooks, where);
    vi.setSystemTime(Date.now() + 6000);
    await call(hooks, where);
    expect(await call(hooks, where)).toMatchObject({
      status: 'blocked',
      reason: expect.stringMatching(/again in 4 s/),
    });
    expect(await call(hooks, where, 'read')).toMatchObject({ status: 'ok' });
    vi.setSystemTime(Date.now() + 4000);
    expect(await call(hooks, where)).toMatchObject({ status: 'ok' });
    expect(await call(hooks, where)).toMatchObject({ status: 'blocked' });
    expect(await ask(hooks, where)).toMatchObject({ kind: 'proceed' });
    expect(await ask(hooks, where)).toMatchObject({ kind: 'block' });
  });

  test('a window can be per key instead of per session', async () => {
    const hooks = createHooks();
    hooks.use(rateLimit({ toolCalls: 1, windowMs: 10_000, key: ({ principal }) => principal?.id ?? '' }));
    const as = (id: string) => call(hooks, { session: hooks.session(), principal: { id } });
    expect(await as('ann')).toMatchObject({ status: 'ok' });
    expect(await as('ann')).toMatchObject({ status: 'blocked' });
    expect(await as('bob')).toMatchObject({ status: 'ok' });
    vi.setSystemTime(Date.now() + 10_000);
    expect(await as('ann')).toMatchObject({ status: 'ok' });
  });

  test('a window without length is refused', () => {
    expect(() => rateLimit({ windowMs: 0 })).toThrow(/windowMs/);
  });
});

describe('loopDetection', () => {
  test('repeating a call too often ends the run and fires events', async () => {
    const hooks = createHooks();
    const told: string[] = [];
    hooks.use(loopDetection({ identicalCalls: 3 }));
    hooks.observe(AgentError, ({ message }) => void told.push(message));
    hooks.observe(Notification, ({ level }) => void told.push(level));
    const where = { session: hooks.session('s'), run: 'a' };
    await call(hooks, where, 'search', { q: 1 });
    await call(hooks, where, 'search', { q: 1 });
    expect(told).toEqual([]);
    expect(await call(hooks, where, 'search', { q: 1 })).toMatchObject({
      status: 'blocked',
      stop: true,
      by: 'builtin:loop-detection/loop_detected',
    });
    expect(told).toEqual(['search was called 3 times in a row with the same input.', 'error']);
  });

  test('two providers with different limits each count a call once', async () => {
    const hooks = createHooks();
    hooks.use({ ...loopDetection({ identicalCalls: 3 }), name: 'ours' });
    hooks.use({ ...loopDetection({ identicalCalls: 4 }), name: 'theirs' });
    const where = { session: hooks.session('s'), run: 'a' };
    for (const status of ['ok', 'ok', 'blocked']) expect(await call(hooks, where)).toMatchObject({ status });
  });

  test('another input, another tool or another run is not a loop', async () => {
    const hooks = createHooks();
    hooks.use(loopDetection({ identicalCalls: 2 }));
    const session = hooks.session('s');
    for (const [run, tool, q] of [
      ['a', 'search', 1],
      ['a', 'search', 2],
      ['a', 'read', 2],
      ['b', 'read', 2],
    ] as const) {
      expect(await call(hooks, { session, run }, tool, { q })).toMatchObject({ status: 'ok' });
    }
  });
});

describe('maxIterations', () => {
  test('ends the run after the maximum number of model calls and fires events', async () => {
    const hooks = createHooks();
    const told: unknown[] = [];
    hooks.use(maxIterations(2));
    hooks.observe(MaxIterations, ({ maxIterations: max }) => void told.push(max));
    hooks.observe(Notification, ({ level }) => void told.push(level));
    const where = { session: hooks.session('s') };
    expect(await ask(hooks, where, 2)).toMatchObject({ kind: 'proceed' });
    expect(await ask(hooks, where, 3)).toMatchObject(blocked(/limit of 2 model calls/, true));
    expect(told).toEqual([2, 'warning']);
  });

  test('takes a whole number greater than 0', () => {
    expect(() => maxIterations(0)).toThrow(/max is 0; expected a whole number/);
  });
});
