import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type AdapterHarness, Stage } from '@hooks/conformance';
import {
  AfterModelCall,
  BeforeModelCall,
  BeforeToolCall,
  block,
  createHooks,
  type HookProvider,
  modify,
  proceed,
} from '@hooks/core';
import { forgetRun } from '@hooks/core/adapter';
import { testAgent } from '@hooks/core/testing';
import { memoryStore, type Store } from '@hooks/store';
import { HARNESSES_OF_ENDPOINTS } from '@hooks/testing/adapters';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { limits, rateLimit } from '../src/index.ts';

describe.each(HARNESSES_OF_ENDPOINTS)('limits in $name', ({ harness: url }) => {
  test.each([
    ['in this process', undefined],
    ['in a store', memoryStore()],
  ])('warn the model, and give it a last call without tools, counted %s', async (_place, store) => {
    const { harness }: { readonly harness: AdapterHarness } = await import(url);
    await using stage = new Stage(harness, false);
    stage.hooks.use(
      limits({ perRun: { modelCalls: 3 }, atLimit: 'answer', warnAt: 2, ...(store && { store }) }),
    );
    const { requests, result } = await stage.play(
      ({ turn, tools }) =>
        tools.length === 0
          ? { text: 'It was sunny in Rome.' }
          : { toolCalls: [{ id: `c${turn}`, name: 'weather', arguments: { city: 'Rome' } }] },
      { tools: [stage.tool('weather')] },
      { session: `landing-${store !== undefined}` },
    );
    expect(result.error).toBeUndefined();
    expect(result.text).toBe('It was sunny in Rome.');
    expect(requests).toHaveLength(3);
    expect(requests.map(({ tools }) => tools.length > 0)).toEqual([true, true, false]);
    const systems = requests.map(({ messages, system }) =>
      [system, ...messages.filter(({ role }) => role === 'system').map(({ content }) => content)].join(' '),
    );
    expect(systems[0]).not.toMatch(/left/);
    expect(systems[1]).toMatch(/2 model calls, with this one, left/);
    expect(systems[2]).toMatch(/This is your last answer/);
  });
});

const OF_ALL = {
  limits: (store: Store) => limits({ perKey: { tokens: 1_000 }, store }),
  'limits in money': (store: Store) =>
    limits({ perKey: { cost: 5 }, prices: { '*': { input: 1, output: 1 } }, store }),
  rateLimit: (store: Store) => rateLimit({ tokens: 1_000, windowMs: 60_000, key: () => 'all', store }),
};

describe.each(HARNESSES_OF_ENDPOINTS)('a limit of tokens in $name', ({ harness: url }) => {
  test.each(
    [{}, { inputTokens: 10 }, { outputTokens: 5 }, { inputTokens: 10, outputTokens: 0 }].flatMap((usage) =>
      [false, true].map((stream) => ({ usage, stream })),
    ),
  )('ends a run after a model call whose usage is not known whole: %j', async ({ usage, stream }) => {
    const { harness }: { readonly harness: AdapterHarness } = await import(url);
    await using stage = new Stage(harness, stream);
    stage.hooks.use(limits({ perSession: { tokens: 1_000 } }));
    const { requests, result } = await stage.play(
      ({ turn }) => ({
        toolCalls: [{ id: `c${turn}`, name: 'weather', arguments: { city: 'Rome' } }],
        usage: usage as { inputTokens: number; outputTokens: number },
      }),
      { tools: [stage.tool('weather')] },
      { session: crypto.randomUUID() },
    );
    expect(requests).toHaveLength(1);
    expect(stage.ran).toEqual([]);
    expect(result.blockReason).toMatch(/what this session has used is unknown/);
  });

  test.each(
    Object.keys(OF_ALL).flatMap((guard) => [false, true].map((stream) => ({ guard, stream }))) as readonly {
      guard: keyof typeof OF_ALL;
      stream: boolean;
    }[],
  )('of all sessions is used up by a model call without usage: %j', async ({ guard, stream }) => {
    const { harness }: { readonly harness: AdapterHarness } = await import(url);
    await using stage = new Stage(harness, stream);
    const store = memoryStore();
    const texts: (string | undefined)[] = [];
    // The second process has a registry of its own.
    for (let nth = 0; nth < 3; nth++) {
      const hooks = nth < 2 ? stage.hooks : stage.registry();
      if (nth !== 1) hooks.use(OF_ALL[guard](store));
      const { result } = await stage.play(
        [{ text: 'Hello.', usage: {} as { inputTokens: number; outputTokens: number } }],
        { hooks: [hooks] },
        { session: crypto.randomUUID() },
      );
      texts.push(result.blockReason === undefined ? result.text : 'blocked');
    }
    expect(texts).toEqual(['Hello.', 'blocked', 'blocked']);
  });
});

describe.each(HARNESSES_OF_ENDPOINTS)('an answer that the user stops in $name', ({ harness: url }) => {
  test.each([
    ['modelCalls counts', { modelCalls: 1 }, /used up|limit/],
    ['tokens does not count', { tokens: 10 }, undefined],
  ] as const)('is one that a limit of %s', async (_what, perKey, reason) => {
    const { harness }: { readonly harness: AdapterHarness } = await import(url);
    await using stage = new Stage(harness, true);
    stage.hooks.use(limits({ perKey, store: memoryStore() }));
    const abort = new AbortController();
    const half = async function* () {
      yield 'It is ';
      abort.abort();
      yield 'sunny.';
    };
    await stage.play([{ text: half() }], {}, { session: crypto.randomUUID(), signal: abort.signal });
    await stage.hooks.settled();
    const { result } = await stage.play([{ text: 'Hello.' }], {}, { session: crypto.randomUUID() });
    if (reason) expect(result.blockReason).toMatch(reason);
    else expect(result).toMatchObject({ text: 'Hello.', blockReason: undefined });
  });
});

const BUDGETS = {
  tokens: { perRun: { tokens: 40 } },
  'tokens of a store': { perSession: { tokens: 40 }, store: memoryStore() },
  cost: { perSession: { cost: 40 }, prices: { '*': { input: 1e6, output: 1e6 } } },
  'the cost of tools': { perSession: { cost: 40 }, toolCost: () => 20 },
};

describe.each(HARNESSES_OF_ENDPOINTS)('limits in $name', ({ harness: url }) => {
  test.each(
    Object.keys(BUDGETS).flatMap((what) =>
      [false, true].flatMap((stream) =>
        [undefined, 'required', { name: 'weather' }].map((toolChoice) => ({ what, stream, toolChoice })),
      ),
    ) as readonly {
      what: keyof typeof BUDGETS;
      stream: boolean;
      toolChoice?: 'required' | { name: string };
    }[],
  )(
    'give a last call to a run whose model calls a tool at the limit: %j',
    async ({ what, stream, toolChoice }) => {
      const { harness }: { readonly harness: AdapterHarness } = await import(url);
      await using stage = new Stage(harness, stream);
      stage.hooks.use(limits({ ...BUDGETS[what], atLimit: 'answer' }));
      const { requests, result } = await stage.play(
        ({ turn, tools }) => ({
          ...(tools.length === 0 || turn > 4
            ? { text: 'It was sunny in Rome.' }
            : { toolCalls: [{ id: `c${turn}`, name: 'weather', arguments: { city: 'Rome' } }] }),
          usage: { inputTokens: 15, outputTokens: 10 },
        }),
        { tools: [stage.tool('weather')], ...(toolChoice !== undefined && { toolChoice }) },
        { session: crypto.randomUUID() },
      );
      expect([result.error, result.text, result.blockReason]).toEqual([
        undefined,
        'It was sunny in Rome.',
        undefined,
      ]);
      expect(requests.map(({ tools }) => tools.length)).toEqual([1, 1, 0]);
      expect(requests.at(-1)?.settings.toolChoice).toBeUndefined();
      expect(stage.ran).toHaveLength(what === 'the cost of tools' ? 2 : 1);
    },
  );
});

test('a run whose model calls are not seen ends at a tool call over the limit', async () => {
  const agent = testAgent(limits({ perSession: { cost: 1 }, toolCost: () => 1, atLimit: 'answer' }));
  expect(await agent.callTool('pay', {})).toMatchObject({ status: 'ok' });
  expect(await agent.callTool('pay', {})).toMatchObject({ status: 'blocked', stop: expect.anything() });
});

test('a run lands once, also where it counts its model calls again from the first', async () => {
  const hooks = createHooks();
  hooks.use(limits({ perRun: { modelCalls: 2 }, atLimit: 'answer' }));
  const session = hooks.session('s');
  const answers: string[] = [];
  for (const iteration of [1, 2, 2, 3, 1, 3]) {
    const event = { session, run: 'r', iteration, messages: [], tools: [] };
    answers.push((await hooks.dispatch(BeforeModelCall, event)).kind);
  }
  // The second call of the same iteration is a retry of the last one.
  expect(answers).toEqual(['proceed', 'modify', 'modify', 'block', 'block', 'block']);
});

test.each([
  ['in this process', undefined],
  ['in a store', memoryStore()],
])('a limit of model calls is exact, whatever runs are under way, counted %s', async (_place, store) => {
  const hooks = createHooks();
  hooks.use(limits({ perKey: { modelCalls: 4 }, atLimit: 'answer', ...(store && { store }) }));
  const ask = async (run: string, iteration: number) => {
    const session = hooks.session(run);
    const event = { session, run, iteration, messages: [], tools: [] };
    return (await hooks.dispatch(BeforeModelCall, event)).kind;
  };
  const answers: string[] = [];
  for (const iteration of [1, 2]) for (const run of ['a', 'b', 'c']) answers.push(await ask(run, iteration));
  expect(answers).toEqual(['proceed', 'proceed', 'proceed', 'modify', 'block', 'block']);
});

test('a session keeps no run that has ended', async () => {
  const hooks = createHooks();
  hooks.use(limits({ perRun: { modelCalls: 2 }, atLimit: 'answer' }));
  const session = hooks.session('s');
  const begin = async (nth: number) => {
    const event = { session, run: `${nth} ${'x'.repeat(20_000)}`, iteration: 1, messages: [], tools: [] };
    await hooks.dispatch(BeforeModelCall, event);
    forgetRun(session, event.run);
  };
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  for (let nth = 0; nth < 200; nth++) await begin(nth);
  collect();
  const before = process.memoryUsage().heapUsed;
  for (let nth = 200; nth < 2_000; nth++) await begin(nth);
  collect();
  // They would hold 36 MB.
  expect((process.memoryUsage().heapUsed - before) / 1_000_000).toBeLessThan(10);
});

test.each([
  ['in this process', undefined],
  ['in a store', memoryStore()],
])('a last call over a limit of tokens or time counts as a model call, counted %s', async (_place, store) => {
  const hooks = createHooks();
  const budgets = { perRun: { timeMs: 0 }, perKey: { modelCalls: 3 } };
  hooks.use(limits({ ...budgets, perSession: { tokens: 10 }, atLimit: 'answer', ...(store && { store }) }));
  const answers: string[] = [];
  for (const run of ['a', 'b', 'c', 'd']) {
    const event = { session: hooks.session(run), run, iteration: 2, messages: [], tools: [] };
    answers.push((await hooks.dispatch(BeforeModelCall, event)).kind);
  }
  expect(answers).toEqual(['modify', 'modify', 'modify', 'block']);
});

test.each([
  [1000, -1000],
  [Number.NaN, 1000],
  ['5' as never, 1000],
])('a usage of %s and %s tokens does not make a budget last for ever', async (inputTokens, outputTokens) => {
  for (const budget of [{ tokens: 10 }, { cost: 0.0001 }]) {
    const prices = { '*': { input: 1, output: 1 } };
    const agent = testAgent(limits({ perSession: budget, ...('cost' in budget && { prices }) }));
    await agent.prompt('Go on.');
    await agent.callModel({ text: '', toolCalls: [], usage: { inputTokens, outputTokens } });
    expect(await agent.callModel('More.')).toMatchObject({ kind: 'blocked' });
  }
});

test('a run under way lands once where its tokens are used up, and the next run is refused', async () => {
  const agent = testAgent(limits({ perSession: { tokens: 100 }, atLimit: 'answer' }));
  const usage = { inputTokens: 90, outputTokens: 20 };
  await agent.prompt('Go on.');
  expect(await agent.callModel({ text: '', toolCalls: [], usage })).toMatchObject({ kind: 'answered' });
  const tools = [{ name: 'search' }];
  expect(await agent.callModel('The end.', { tools })).toMatchObject({
    kind: 'answered',
    request: { tools: [] },
    context: [expect.stringContaining('last answer')],
  });
  expect(await agent.callTool('search', {})).toMatchObject({ status: 'blocked', stop: true });
  expect(await agent.callModel('Again.', { tools })).toMatchObject({ kind: 'blocked' });
  await agent.stop();
  await agent.prompt('And now?');
  expect(await agent.callModel('No.', { tools })).toMatchObject({ kind: 'blocked' });
});

test('a usage that a server reports as text is counted as a number', async () => {
  const agent = testAgent(limits({ perSession: { tokens: 100 } }));
  await agent.prompt('Go on.');
  const callWith = (inputTokens: unknown, outputTokens: number) =>
    agent.callModel({ text: '', toolCalls: [], usage: { inputTokens: inputTokens as never, outputTokens } });
  await callWith('5', 0.1);
  expect(await callWith(150, 60)).toMatchObject({ kind: 'answered' });
  expect(await callWith(1, 1)).toMatchObject({ kind: 'blocked' });
});

test.each([
  ['limits of tokens', limits({ perSession: { tokens: 10 } })],
  ['limits of cost', limits({ perSession: { cost: 1 }, prices: { '*': { input: 1, output: 1 } } })],
  ['rateLimit of tokens', rateLimit({ windowMs: 60_000, tokens: 10 })],
])(
  'a model call without usage, which %s cannot count, is an error, and the last of its session',
  async (_what, guard) => {
    const agent = testAgent(guard);
    // An answer without a word has no output.
    await agent.callModel({ text: '', toolCalls: [], usage: { inputTokens: 1, outputTokens: 0 } });
    expect(agent.errors).toEqual([]);
    expect(await agent.callModel({ text: 'Done.', toolCalls: [], usage: {} })).toMatchObject({
      kind: 'answered',
    });
    await agent.hooks.settled();
    expect(agent.errors).toMatchObject([
      { cause: { message: expect.stringContaining('reported no usage') } },
    ]);
    const reason = expect.stringMatching(
      /^Blocked \((limits|rate-limit)\): what this session has used is unknown\. The model .* reported no usage\. Have its client ask/,
    );
    expect(await agent.callModel('More.')).toMatchObject({ kind: 'blocked', stop: { reason } });
    await agent.prompt('And now?');
    expect(await agent.callModel('More.')).toMatchObject({ kind: 'blocked', stop: { reason } });
    const other = testAgent(agent.hooks, { sessionId: 'other' });
    expect(await other.callModel('Hello.')).toMatchObject({ kind: 'answered' });
  },
);

const throws = (): never => {
  throw new Error('The key is 7.');
};

const DAY = 86_400_000;
const today = () => Math.floor(Date.now() / DAY);

describe.each([
  ['in this process', () => undefined],
  ['in a store', memoryStore],
])('a model call without usage, counted %s,', (_place, storeOf) => {
  const ann = { principal: { id: 'ann' } };
  const noUsage = { text: 'Hello.', toolCalls: [], usage: {} };

  test.each<[string, (store: Store | undefined) => HookProvider]>([
    [
      'rateLimit, within its window',
      (store) =>
        rateLimit({
          tokens: 1_000,
          windowMs: DAY,
          key: ({ principal }) => principal?.id ?? '',
          ...(store && { store }),
        }),
    ],
    [
      'a budget whose key has the day, in another session',
      (store) =>
        limits({
          perKey: { tokens: 1_000 },
          key: ({ principal }) => `${principal?.id} ${today()}`,
          ...(store && { store }),
        }),
    ],
  ])('locks a user out for a day: %s', async (what, guard) => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'], now: DAY });
    onTestFinished(() => void vi.useRealTimers());
    const store = storeOf();
    const agent = testAgent(guard(store), ann);
    const isNewSession = what.includes('another session');
    const ask = (sessionId: string) =>
      testAgent(agent.hooks, { ...ann, sessionId: isNewSession ? sessionId : 'test' }).callModel('Hello.');
    expect(await agent.callModel(noUsage)).toMatchObject({ kind: 'answered' });
    await agent.hooks.settled();
    expect(await ask('second')).toMatchObject({ kind: 'blocked' });
    // The store counts in hundredths of the window.
    vi.advanceTimersByTime(DAY + DAY / 50);
    expect(await ask('third')).toMatchObject({ kind: 'answered' });
  });
});

test.each([
  ['limits', (toolCost: () => number) => limits({ perSession: { cost: 5 }, toolCost })],
  [
    'limits of a tool',
    (toolCost: () => number) => limits({ perTool: { pay: { perRun: { cost: 5 } } }, toolCost }),
  ],
  [
    'limits in a store',
    (toolCost: () => number) => limits({ perSession: { cost: 5 }, toolCost, store: memoryStore() }),
  ],
  ['rateLimit', (toolCost: () => number) => rateLimit({ cost: 5, windowMs: 60_000, toolCost })],
])('a cost that is unknown, because toolCost fails, is the last that %s lets pass', async (_what, guard) => {
  for (const [toolCost, why] of [
    [throws, 'toolCost threw an error.'],
    [() => Number.NaN, 'toolCost returned NaN; expected a number of 0 or more.'],
    [
      (async () => 1) as unknown as () => number,
      'toolCost returned [object Promise]; expected a number of 0 or more.',
    ],
  ] as const) {
    const agent = testAgent(guard(toolCost));
    expect(await agent.callTool('pay', {})).toMatchObject({ status: 'ok' });
    expect(await agent.callTool('pay', {})).toMatchObject({
      status: 'blocked',
      reason: expect.stringMatching(/^Blocked \([\w-]+\): what this session has used is unknown\. /),
    });
    expect((await agent.callTool('pay', {})).reason).toContain(why);
  }
});

test('a cost that is unknown, because modelCost fails, ends the session, and its sub-agents count', async () => {
  const agent = testAgent(limits({ perSession: { cost: 5 }, modelCost: throws }));
  const child = agent.hooks.session('child', { parent: agent.hooks.session('test') });
  expect(await testAgent(agent.hooks, { sessionId: child.id }).callModel('Done.')).toMatchObject({
    kind: 'answered',
  });
  expect(await agent.callModel('Done.')).toMatchObject({
    kind: 'blocked',
    stop: { reason: 'Blocked (limits): what this session has used is unknown. modelCost threw an error.' },
  });
});

test.each([
  ['leaves it out', {}],
  ['says that it is nothing', { usage: { inputTokens: 0, outputTokens: 0 } }],
])('the usage of an answer counts where a hook replaces the answer and %s', async (_what, changed) => {
  const hooks = createHooks();
  hooks.use(limits({ perSession: { tokens: 10 } }));
  hooks.on(AfterModelCall, () => modify({ response: { text: 'Clean.', toolCalls: [], ...changed } }));
  const agent = testAgent(hooks);
  const answer = { text: 'Done.', toolCalls: [], usage: { inputTokens: 6, outputTokens: 5 } };
  expect(await agent.callModel(answer)).toMatchObject({ response: { text: 'Clean.', usage: answer.usage } });
  expect(agent.errors).toEqual([]);
  expect(await agent.callModel(answer)).toMatchObject({ kind: 'blocked' });
});

test.each([
  ['a negative number', -5],
  ['NaN', Number.NaN],
  ['null', null],
  ['an object', {}],
  ['an empty text', ''],
])('a usage that is %s counts nothing, and is an error', async (_what, inputTokens) => {
  const agent = testAgent(limits({ perSession: { tokens: 10 } }));
  const usage = { inputTokens: inputTokens as never, outputTokens: 1 };
  await agent.callModel({ text: 'Done.', toolCalls: [], usage });
  await agent.hooks.settled();
  expect(agent.errors).toMatchObject([
    {
      cause: {
        message: expect.stringMatching(/reported a usage that is no number of 0 or more/),
      },
    },
  ]);
});

test('a run ends at its limit where nothing else is said', async () => {
  const agent = testAgent(limits({ perRun: { modelCalls: 1 } }));
  expect(await agent.callModel('ok', { tools: [{ name: 'search' }] })).toMatchObject({
    kind: 'answered',
    request: { tools: [{ name: 'search' }] },
  });
  expect(await agent.callModel()).toMatchObject({
    kind: 'blocked',
    stop: { reason: expect.stringMatching(/limits\/modelCalls/) },
  });
});

test('a last call that another hook refuses is not made up for', async () => {
  const hooks = createHooks();
  hooks.use(limits({ perRun: { modelCalls: 1 }, atLimit: 'answer' }));
  hooks.guard(BeforeModelCall, ({ tools }) => (tools.length === 0 ? block('no') : proceed()));
  hooks.on(BeforeToolCall, () => proceed());
  const agent = testAgent(hooks);
  expect(await agent.callModel('ok', { tools: [{ name: 'a' }] })).toMatchObject({ kind: 'blocked' });
});

describe.each([
  [
    'limits',
    (prices: Parameters<typeof limits>[0]['prices']) =>
      limits({ perSession: { cost: 0.03 }, prices: prices ?? {} }),
  ],
  [
    'rateLimit',
    (prices: Parameters<typeof limits>[0]['prices']) =>
      rateLimit({ windowMs: 60_000, cost: 0.03, prices: prices ?? {} }),
  ],
])('%s in money', (_name, guard) => {
  const call = { iteration: 1, messages: [], tools: [] };
  const answer = {
    iteration: 1,
    attempt: 1,
    response: { text: '', toolCalls: [], usage: { inputTokens: 8000, outputTokens: 1000 } },
  };

  test('counts what the price table says, by the name of the model or its provider', async () => {
    const { hooks } = testAgent(
      guard({ 'openai/gpt-5': { input: 1.25, output: 10 }, '*': { input: 0, output: 0 } }),
    );
    const { AfterModelCall } = await import('@hooks/core');
    const session = hooks.session('s');
    const gpt = { session, provider: 'openai', model: 'gpt-5' };
    await hooks.dispatch(AfterModelCall, { ...answer, session, model: 'tiny' });
    await hooks.dispatch(AfterModelCall, { ...answer, ...gpt });
    await hooks.settled();
    expect(await hooks.dispatch(BeforeModelCall, { ...call, ...gpt })).toMatchObject({ kind: 'proceed' });
    await hooks.dispatch(AfterModelCall, { ...answer, ...gpt });
    await hooks.settled();
    expect(await hooks.dispatch(BeforeModelCall, { ...call, ...gpt })).toMatchObject({ kind: 'block' });
  });

  test('refuses a model without a price, and names it', async () => {
    const { hooks } = testAgent(guard({ 'gpt-5': { input: 1.25, output: 10 } }));
    const session = hooks.session('s');
    expect(await hooks.dispatch(BeforeModelCall, { ...call, session, model: 'gpt-6' })).toMatchObject({
      kind: 'block',
      reason: expect.stringContaining('"gpt-6" has no price'),
    });
  });

  test('refuses a price that is no number', () => {
    expect(() => guard({ 'gpt-5': { input: Number.NaN, output: 10 } })).toThrow(/prices\["gpt-5"\].input/);
  });
});

test.each([
  ['in this process', undefined],
  ['in a store', memoryStore()],
])('calls under way pass a budget in money by what they cost together, counted %s', async (_place, store) => {
  const prices = { '*': { input: 100_000, output: 0 } };
  const agent = testAgent(limits({ perSession: { cost: 5 }, prices, ...(store && { store }) }));
  const answer = { text: '', toolCalls: [], usage: { inputTokens: 10, outputTokens: 0 } };
  await agent.prompt('Go on.');
  for (let nth = 0; nth < 4; nth++) expect(await agent.callModel(answer)).toMatchObject({ kind: 'answered' });
  // The limit of 5 has 1 left, which one call costs. None of the six has a cost before the last of them begins.
  const atOnce = await Promise.all(Array.from({ length: 6 }, () => agent.callModel(answer)));
  expect(atOnce.map(({ kind }) => kind)).toEqual(Array(6).fill('answered'));
  expect(await agent.callModel(answer)).toMatchObject({ kind: 'blocked' });
});
