// Tool results in a history that a client posts: hooks decide on those that no run of the session has produced.
import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  modify,
  type Principal,
  proceed,
  TransformToolResult,
} from '@hooks/core';
import { decides, openRun, type PostedResult, PostedResults } from '@hooks/core/adapter';
import { expect, test } from 'vitest';

/** A message with the result of a tool. */
interface Item {
  readonly text: unknown;
  readonly callId?: string;
}

/** Records the results that hooks decide on. */
function recording(): { readonly hooks: Hooks; readonly decided: unknown[] } {
  const hooks = createHooks({ onError: () => {} });
  const decided: unknown[] = [];
  hooks.on(TransformToolResult, ({ toolName, output }) => {
    decided.push([toolName, output]);
    return proceed();
  });
  return { hooks, decided };
}

/** The results of one run, as an adapter reads them. Tools may be hooked by a registry of their own. */
function resultsOf(run: Parameters<typeof openRun>[1] & { readonly hooks: Hooks; readonly ofTools?: Hooks }) {
  const { hooks, ofTools, ...options } = run;
  const opened = openRun(hooks, options);
  const all = [hooks, ...(ofTools ? [ofTools] : [])];
  const registries = {
    decidesResult: (tool: string) =>
      all.some((one) => [TransformToolResult, AfterToolCall].some((point) => decides(one, point, tool))),
    attached: () => (ofTools ? [{ hooks: ofTools }] : []),
  };
  const results = new PostedResults<Item>(opened, {
    registriesOf: () => registries,
    shown: (item) => item,
    write: (item, { status, message, output }) => {
      const text = status === 'blocked' ? message : output;
      return text === item.text ? item : { ...item, text };
    },
    withhold: (item, text) => ({ ...item, text }),
  });
  const decide = (item: Item, more: Partial<PostedResult<Item>> = {}) =>
    results.decide({
      item,
      call: { callId: 'c1', toolName: 'weather', input: {} },
      result: { output: item.text },
      ...more,
    });
  return { run: opened, results, decide };
}

const sunny: Item = { text: 'sunny' };

test('hooks decide on a posted result once in a session', async () => {
  const { hooks, decided } = recording();
  for (let request = 0; request < 2; request++) {
    const { run, decide } = resultsOf({ hooks, sessionId: 'thread' });
    expect(await decide(sunny)).toBe(sunny);
    await run.end({ kind: 'done' });
  }
  expect(decided).toEqual([['weather', 'sunny']]);
});

test('hooks decide again in another session, and in a run that owns its session', async () => {
  const { hooks, decided } = recording();
  for (const options of [
    { sessionId: 'one' },
    { sessionId: 'two' },
    {},
    { sessionId: 'own', ownsSession: true },
    { sessionId: 'own', ownsSession: true },
  ]) {
    const { run, decide, results } = resultsOf({ hooks, ...options });
    await decide(sunny);
    expect(await results.isKnown(sunny, 'weather')).toBe('sessionId' in options && !options.ownsSession);
    await run.end({ kind: 'done' });
  }
  expect(decided).toHaveLength(5);
});

test.each<[string, Item, string]>([
  ['another text', { text: 'rainy' }, 'weather'],
  ['another call', { text: 'sunny', callId: 'c2' }, 'weather'],
])('a result with %s is not known', async (_, item, tool) => {
  const { hooks } = recording();
  const { decide, results } = resultsOf({ hooks, sessionId: 'thread' });
  expect(await results.isKnown(sunny, 'weather')).toBe(false);
  await decide(sunny);
  expect(await results.isKnown({ ...sunny }, 'weather')).toBe(true);
  expect(await results.isKnown(item, tool)).toBe(false);
});

test('a result is known under the hooks that decided on it, whichever tool they are for', async () => {
  const { hooks } = recording();
  const ofTools = createHooks();
  ofTools.on(AfterToolCall, () => proceed());
  ofTools.on(AfterToolCall.matching('news'), () => proceed());
  const { decide, results } = resultsOf({ hooks, ofTools, sessionId: 'thread' });
  await decide(sunny);
  expect(await results.isKnown(sunny, 'weather')).toBe(true);
  // Another hook decides on the results of this tool.
  expect(await results.isKnown(sunny, 'news')).toBe(false);
  ofTools.observe(AfterToolCall, () => {});
  expect(await results.isKnown(sunny, 'weather')).toBe(true);
  ofTools.on(TransformToolResult, () => proceed());
  expect(await results.isKnown(sunny, 'weather')).toBe(false);
});

test('a result of a tool that the adapter cannot name is known by all hooks that decide', async () => {
  const { hooks } = recording();
  const { results } = resultsOf({ hooks, sessionId: 'thread' });
  await results.remember(sunny, undefined);
  expect(await results.isKnown(sunny, undefined)).toBe(true);
});

test('a result is known for the same principal with the same rights', async () => {
  const { hooks, decided } = recording();
  const users: readonly (Principal | undefined)[] = [
    { id: 'ann', roles: ['staff', 'admin'] },
    { id: 'ann', roles: ['admin', 'staff'] },
    { id: 'ann' },
    { id: 'bob', roles: ['staff', 'admin'] },
    undefined,
  ];
  for (const principal of users) {
    const { run, decide } = resultsOf({ hooks, sessionId: 'thread', principal });
    await decide(sunny);
    await run.end({ kind: 'done' });
  }
  expect(decided).toHaveLength(users.length - 1);
});

test('a session remembers 500 results: the oldest is forgotten, unless it came again', async () => {
  const { hooks } = recording();
  const { results } = resultsOf({ hooks, sessionId: 'thread' });
  const known = (text: string) => results.isKnown({ text }, 'weather');
  for (let nth = 0; nth < 500; nth++) await results.remember({ text: `${nth}` }, 'weather');
  // Where there is no room, a result of a history pushes out none.
  await results.remember({ text: 'history' }, 'weather', { ifRoom: true });
  expect([await known('history'), await known('0')]).toEqual([false, true]);
  await results.remember({ text: '0' }, 'weather');
  await results.remember({ text: 'new' }, 'weather');
  expect([await known('0'), await known('1'), await known('2'), await known('new')]).toEqual([
    true,
    false,
    true,
    true,
  ]);
});

test('a decided result takes the last room, and no more', async () => {
  const { hooks, decided } = recording();
  const { results, decide } = resultsOf({ hooks, sessionId: 'thread' });
  for (let nth = 0; nth < 499; nth++) await results.remember({ text: `${nth}` }, 'weather');
  await decide({ text: 'last' });
  await decide({ text: 'beyond' });
  decided.length = 0;
  for (const text of ['0', 'last', 'beyond']) await decide({ text });
  expect(decided).toEqual([['weather', 'beyond']]);
});

test('what has no JSON form is never known', async () => {
  const { hooks, decided } = recording();
  const { decide, results } = resultsOf({ hooks, sessionId: 'thread' });
  const circular: { text: unknown } = { text: 'sunny' };
  circular.text = circular;
  await results.remember(circular, 'weather');
  expect(await results.isKnown(circular, 'weather')).toBe(false);
  for (let times = 0; times < 2; times++) await decide(circular, { result: { output: 'sunny' } });
  expect(decided).toHaveLength(2);
});

test('the model reads what hooks made of a posted result, which is known from then on', async () => {
  const hooks = createHooks();
  hooks.on(TransformToolResult, ({ output }) => modify({ output: `${String(output)}!` }));
  const { decide } = resultsOf({ hooks, sessionId: 'thread' });
  const left = await decide(sunny);
  expect(left).toEqual({ text: 'sunny!' });
  // The client posts what it was shown.
  expect(await decide(left)).toBe(left);
  expect(await decide(sunny)).toEqual({ text: 'sunny!' });
});

test('a result that no hook decides on stays as it is, unless it ends its call', async () => {
  const hooks = createHooks();
  hooks.on(TransformToolResult.matching('news'), () => modify({ output: 'none' }));
  const seen: unknown[] = [];
  hooks.observe(AfterToolCall, ({ toolName, output }) => void seen.push([toolName, output]));
  const { decide } = resultsOf({ hooks, sessionId: 'thread' });
  expect(await decide(sunny)).toBe(sunny);
  expect(seen).toEqual([]);
  expect(await decide(sunny, { ends: true })).toBe(sunny);
  expect(seen).toEqual([['weather', 'sunny']]);
});

test('a result that names another tool than its call is withheld where hooks decide on either', async () => {
  const { hooks, decided } = recording();
  const { decide } = resultsOf({ hooks, sessionId: 'thread' });
  expect(await decide(sunny, { names: ['weather'] })).toBe(sunny);
  const other = { text: 'rainy' };
  expect(await decide(other, { names: ['news'] })).toEqual({
    text: 'The result is withheld: it names another tool than the call that it answers.',
  });
  expect(decided).toEqual([['weather', 'sunny']]);
});

test('hooks of the tool that a result names decide on it, too', async () => {
  const hooks = createHooks();
  hooks.on(TransformToolResult.matching('news'), () => proceed());
  const { decide } = resultsOf({ hooks, sessionId: 'thread' });
  expect(await decide(sunny)).toBe(sunny);
  expect(await decide(sunny, { names: ['news'] })).toMatchObject({ text: /withheld/ });
});

test('the result of a refused call is replaced by the reason', async () => {
  const { hooks, decided } = recording();
  hooks.guard(BeforeToolCall, () => block('Not on Sundays.'));
  const { run, decide } = resultsOf({ hooks, sessionId: 'thread' });
  const call = { callId: 'c1', toolName: 'weather', input: {} };
  const begun = () => run.beginTool(call);
  expect(await decide(sunny, { begun })).toMatchObject({ text: expect.stringContaining('Not on Sundays.') });
  expect(decided).toEqual([]);
});

test('the result of a call that has begun ends that call', async () => {
  const { hooks } = recording();
  const ended: unknown[] = [];
  hooks.on(BeforeToolCall, () => modify({ input: { city: 'Berlin' } }));
  hooks.observe(AfterToolCall, ({ input }) => void ended.push(input));
  const { run, decide } = resultsOf({ hooks, sessionId: 'thread' });
  const begun = () => run.beginTool({ callId: 'c1', toolName: 'weather', input: {} });
  await decide(sunny, { begun });
  await decide({ text: 'rainy' }, { begun: async () => undefined });
  expect(ended).toEqual([{ city: 'Berlin' }, {}]);
});
