// A run from its prompt to its end, as an adapter drives it.
import {
  AfterModelCall,
  AfterToolCall,
  AgentError,
  AgentSwitch,
  addContext,
  BeforeCompaction,
  BeforeModelCall,
  BeforeRun,
  BeforeToolCall,
  block,
  createHooks,
  HookEvent,
  type Hooks,
  MaxIterations,
  modify,
  Notification,
  proceed,
  requireApproval,
  retry,
  Stop,
  SubagentStop,
  sessionKey,
  TurnEnd,
  TurnStart,
  UserPromptSubmit,
} from '@hooks/core';
import { addUsage, BlockedError, openRun, type Streaming } from '@hooks/core/adapter';
import { describe, expect, test } from 'vitest';

/** The types of all events, as the hooks of a registry are told of them. */
function record(hooks: Hooks): string[] {
  const types: string[] = [];
  hooks.observe(HookEvent, ({ type }) => void types.push(type));
  return types;
}

const spoken = { text: 'It is sunny.', toolCalls: [] };
const request = { instructions: 'Be brief.', messages: [{ role: 'user' as const, text: 'Hi' }], tools: [] };

describe('a run', () => {
  test.each([
    { kind: 'error', error: new Error('The model is gone.') },
    { kind: 'canceled' },
    { kind: 'done' },
  ] as const)('ends the calls that were to run and did not: $kind', async (end) => {
    const hooks = createHooks({ onError: () => {} });
    const ended: unknown[] = [];
    hooks.on(BeforeToolCall, async () => proceed());
    hooks.observe(AfterToolCall, ({ callId, status, ran, reason }) =>
      ended.push({ callId, status, ran, reason }),
    );
    const run = openRun(hooks, { agent: 'assistant' });
    const call = { toolName: 'weather', input: {} };
    await run.begin();
    await run.beginTool({ ...call, callId: 'c1' }, { runsIn: 'callTool' });
    await run.beginTool({ ...call, callId: 'c2' }, { runsIn: 'callTool' });
    await run.callTool({ ...call, callId: 'c2' }, () => 'sunny');
    const deciding = run.beginTool({ ...call, callId: 'c3' }, { runsIn: 'callTool' });
    await run.end(end);
    await deciding;
    await hooks.settled();
    const reason = 'The call did not run, because the run is over.';
    expect(ended).toEqual([
      { callId: 'c2', status: 'ok', ran: true, reason: undefined },
      { callId: 'c1', status: 'blocked', ran: false, reason },
      { callId: 'c3', status: 'blocked', ran: false, reason },
    ]);
  });

  test('ends the calls that were to run and did not when the model is asked again', async () => {
    const hooks = createHooks();
    const ended: unknown[] = [];
    hooks.observe(AfterToolCall, ({ callId, status, ran }) => ended.push({ callId, status, ran }));
    const run = openRun(hooks);
    await run.begin();
    await run.startTurn();
    await run.beginTool({ toolName: 'weather', input: {}, callId: 'c1' }, { runsIn: 'callTool' });
    await run.startTurn();
    expect(ended).toEqual([{ callId: 'c1', status: 'blocked', ran: false }]);
  });

  test('ends the calls that wait for a person, also one that hooks are still deciding on', async () => {
    const hooks = createHooks();
    const ended: unknown[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    hooks.on(BeforeToolCall, async ({ callId }) => {
      if (callId === 'c2') await promise;
      return requireApproval('It costs money.');
    });
    hooks.observe(AfterToolCall, ({ callId, status }) => ended.push({ callId, status }));
    const run = openRun(hooks);
    const call = { toolName: 'weather', input: {} };
    await run.begin();
    await run.beginTool({ ...call, callId: 'c1' }, { approval: 'native', capabilities: { ask: true } });
    const deciding = run.beginTool(
      { ...call, callId: 'c2' },
      { approval: 'native', capabilities: { ask: true } },
    );
    const ending = run.end({ kind: 'error', error: new Error('The model is gone.') });
    resolve();
    await Promise.all([deciding, ending]);
    expect(ended).toEqual([
      { callId: 'c1', status: 'denied' },
      { callId: 'c2', status: 'denied' },
    ]);
  });

  test('is over when everybody who ends it, and who waits for its hooks, hears so', async () => {
    const hooks = createHooks();
    const { promise, resolve } = Promise.withResolvers<void>();
    const heard: string[] = [];
    hooks.on(TurnEnd, async () => {
      await promise;
      heard.push('turn end');
    });
    const run = openRun(hooks);
    await run.begin();
    await run.startTurn();
    const all = [
      run.end({ kind: 'done' }).then(() => heard.push('first')),
      run.end({ kind: 'done' }).then(() => heard.push('second')),
      hooks.settled().then(() => heard.push('settled')),
    ];
    resolve();
    await Promise.all(all);
    expect(heard[0]).toBe('turn end');
    expect(heard.slice(1).toSorted()).toEqual(['first', 'second', 'settled']);
  });

  test('tells of everything in the order of its life', async () => {
    const hooks = createHooks();
    const types = record(hooks);
    const run = openRun(hooks, { agent: 'assistant' });
    await run.begin();
    await run.submit([{ text: 'Hi' }], { model: 'gpt-5' });
    await run.startTurn();
    const call = run.modelCall({ model: 'gpt-5' });
    await call.prepare(() => request);
    await call.answer(
      () => spoken,
      (answer) => answer,
    );
    await run.callTool({ toolName: 'weather', input: {} }, () => 'sunny');
    await run.finished('It is sunny.');
    await run.end({ kind: 'done', response: 'It is sunny.' });

    expect(types).toEqual([
      'session_start',
      'user_prompt_submit',
      'before_run',
      'turn_start',
      'before_model_call',
      'after_model_call',
      'before_tool_call',
      'before_execute',
      'transform_tool_result',
      'after_tool_call',
      'stop',
      'turn_end',
      'session_end',
    ]);
  });

  test('says in each event where it happened', async () => {
    const hooks = createHooks();
    const places: unknown[] = [];
    hooks.observe(
      TurnEnd,
      ({ agent, run, turn, iteration }) => void places.push({ agent, run, turn, iteration }),
    );
    const run = openRun(hooks, { id: 'r', agent: 'assistant' });
    await run.startTurn();
    await run.switchAgent('specialist', { switchKind: 'handoff' });
    await run.startTurn();
    await run.end({ kind: 'done' });

    expect(places).toEqual([
      { agent: 'assistant', run: 'r', turn: 'r:1', iteration: 1 },
      { agent: 'specialist', run: 'r', turn: 'r:2', iteration: 2 },
    ]);
  });

  test('closes a session of its own, and no thread', async () => {
    const hooks = createHooks();
    const own = openRun(hooks);
    const thread = openRun(hooks, { sessionId: 'thread' });
    for (const run of [own, thread]) {
      await run.begin();
      await run.end({ kind: 'done' });
    }

    expect(own.session.state).toBe('closed');
    expect(thread.session.state).toBe('open');
  });

  test('is over once: a second end tells nothing', async () => {
    const hooks = createHooks();
    const run = openRun(hooks);
    await run.startTurn();
    const types = record(hooks);
    await run.end({ kind: 'done' });
    await run.end({ kind: 'error', error: new Error('late') });

    expect(types).toEqual(['turn_end', 'session_end']);
  });

  test('asks the hooks of several registries as one chain: outer interceptors, inner ones, then all guards', async () => {
    const outer = createHooks();
    const inner = createHooks();
    const asked: string[] = [];
    outer.on(UserPromptSubmit, ({ prompt }) => modify({ prompt: `${prompt} outer` }));
    inner.on(UserPromptSubmit, ({ prompt }) => modify({ prompt: `${prompt} inner` }));
    for (const [name, hooks] of Object.entries({ outer, inner }))
      hooks.guard(UserPromptSubmit, ({ prompt, session }) => {
        asked.push(`${name} guard: ${prompt} in ${session.id}`);
        return proceed();
      });
    const run = openRun([{ hooks: outer }, { hooks: inner }], { sessionId: 'thread' });
    const submitted = await run.submit([{ text: 'Hi' }]);

    expect(submitted).toEqual({ kind: 'submitted', prompts: ['Hi outer inner'] });
    expect(asked).toEqual(['outer guard: Hi outer inner in thread', 'inner guard: Hi outer inner in thread']);
  });
});

describe('a prompt', () => {
  test('that a hook blocks ends the run, and BeforeRun is not asked', async () => {
    const hooks = createHooks();
    const types = record(hooks);
    hooks.guard(UserPromptSubmit, () => block('No.'), { id: 'no' });
    const run = openRun(hooks);
    const submitted = await run.submit([{ text: 'Hi' }]);

    expect(submitted).toEqual({ kind: 'blocked', at: 0, stop: { reason: 'No.', by: 'no' } });
    expect(types).not.toContain('before_run');
  });

  test('gives a BeforeRun hook its final text and what its hooks tagged', async () => {
    const hooks = createHooks();
    hooks.on(UserPromptSubmit, () => modify({ prompt: 'Bonjour', metadata: { lang: 'fr' } }));
    const seen: unknown[] = [];
    hooks.on(BeforeRun, ({ message, metadata }) => {
      seen.push({ message, metadata });
      return modify({ model: 'small', settings: { temperature: 0 } });
    });
    const run = openRun(hooks);
    await run.submit([{ text: 'Hi' }]);

    expect(seen).toEqual([{ message: 'Bonjour', metadata: { lang: 'fr' } }]);
    expect([run.model, run.settings]).toEqual(['small', { temperature: 0 }]);
  });

  test('that is submitted again under its id asks nobody again', async () => {
    const hooks = createHooks();
    const types = record(hooks);
    hooks.on(UserPromptSubmit, ({ prompt }) => modify({ prompt: prompt.toUpperCase() }));
    const run = openRun(hooks);
    await run.submit([{ text: 'Hi', id: 'm1' }]);
    const again = await run.submit([{ text: 'Hi', id: 'm1' }]);

    expect(again).toEqual({ kind: 'submitted', prompts: ['HI'] });
    expect(types.filter((type) => type !== 'session_start')).toEqual(['user_prompt_submit', 'before_run']);
  });

  test('of a sub-agent is no user’s', async () => {
    const hooks = createHooks();
    const types = record(hooks);
    const run = openRun(hooks);
    const child = run.openChild({ agent: 'researcher' });
    await child.submit([{ text: 'Find it.' }]);

    expect(types).toEqual([]);
    expect(child.lastUserMessage).toBe('Find it.');
  });
});

describe('a model call', () => {
  test('is sent with what hooks changed, the settings of the run, and the context once', async () => {
    const hooks = createHooks();
    hooks.on(UserPromptSubmit, () => addContext('The user is in Rome.'));
    hooks.on(BeforeRun, () => modify({ settings: { temperature: 0 } }));
    hooks.on(BeforeModelCall, () => modify({ instructions: 'Be long.', context: ['It is noon.'] }));
    const run = openRun(hooks);
    await run.submit([{ text: 'Hi' }]);
    await run.startTurn();

    expect(await run.modelCall({}).prepare(() => request)).toEqual({
      kind: 'send',
      patch: { instructions: 'Be long.', settings: { temperature: 0 } },
      context: ['The user is in Rome.', 'It is noon.'],
    });
    expect(run.takeContext()).toEqual(['The user is in Rome.']);
  });

  test('whose request is repeated has the context of its turn again, that of BeforeModelCall anew, and neither in the next turn', async () => {
    const hooks = createHooks();
    let asked = 0;
    hooks.on(TurnStart, ({ iteration }) => addContext(`turn ${iteration}`));
    hooks.on(BeforeModelCall, () => addContext(`request ${++asked}`));
    const [run, other] = [openRun(hooks, { sessionId: 's' }), openRun(hooks, { sessionId: 's' })];
    const contextOf = async (one = run) => {
      const prepared = await one.modelCall({}).prepare(() => request);
      return prepared.kind === 'send' && prepared.context;
    };
    await run.startTurn();
    expect([await contextOf(), await contextOf()]).toEqual([
      ['turn 1', 'request 1'],
      ['turn 1', 'request 2'],
    ]);
    // Requests at the same time.
    expect((await Promise.all([contextOf(), contextOf()])).map(String)).toEqual([
      'turn 1,request 3',
      'turn 1,request 4',
    ]);
    await other.startTurn();
    expect(await contextOf(other)).toEqual(['turn 1', 'request 5']);
    await run.startTurn();
    expect([await contextOf(), await contextOf(other)]).toEqual([
      ['turn 2', 'request 6'],
      ['turn 1', 'request 7'],
    ]);
    await Promise.all([run.end({ kind: 'done' }), other.end({ kind: 'done' })]);
    expect(hooks.session('s').contributed).toEqual([]);
  });

  test('outside of a turn has each context of a call once', async () => {
    const hooks = createHooks();
    hooks.on(AfterToolCall, () => addContext('It ran.'));
    const run = openRun(hooks);
    await run.callTool({ toolName: 'exec', input: 'ls' }, () => 'a.txt');
    expect([run.takeContext(), run.takeContext()]).toEqual([['It ran.'], []]);
  });

  test('is made again when a hook says Retry, at most as often as the registry allows', async () => {
    const hooks = createHooks({ maxAttempts: 2 });
    const attempts: number[] = [];
    hooks.on(AfterModelCall, ({ attempt }) => {
      attempts.push(attempt);
      return retry('Again.');
    });
    const run = openRun(hooks);
    await run.startTurn();
    const answered = await run.modelCall({}).answer(
      () => spoken,
      (answer) => answer,
    );

    expect(attempts).toEqual([1, 2]);
    expect(answered).toEqual({ kind: 'stands', answer: spoken, retried: [spoken] });
  });

  test.each<['whole' | 'streamed', 'whole' | 'streamed']>([
    ['whole', 'whole'],
    ['streamed', 'streamed'],
    ['streamed', 'whole'],
    ['whole', 'streamed'],
  ])(
    'that fails after a Retry (%s): the repeated one (%s) has the answers that were paid before, in its turn only',
    async (failing, repeated) => {
      const hooks = createHooks();
      hooks.on(AfterModelCall, ({ attempt, response }) =>
        attempt === 1 && response.text === 'Paid.' ? retry('Again.') : proceed(),
      );
      const run = openRun(hooks);
      const busy = new Error('The server is busy.');
      /** Calls the model, which has these answers and then fails. Returns the answers that were retried before. */
      const call = async (form: 'whole' | 'streamed', answers: string[]) => {
        const read = (text: string) => ({ text, toolCalls: [] });
        const send = () => answers.shift() ?? Promise.reject(busy);
        if (form === 'whole') return (await run.modelCall({}).answer<string>(send, read)).retried;
        const before: string[] = [];
        const stream = run.modelCall({}).stream<string, string>({
          async *open() {
            yield await send();
          },
          whole: ([text]) => text,
          read,
          write: () => [],
          refuse: () => [],
          retried: (all) => void before.push(...all),
        });
        for await (const _ of stream);
        return before;
      };
      const fail = () => expect(call(failing, ['Paid.'])).rejects.toBe(busy);

      await run.startTurn();
      await fail();
      await fail();
      expect(await call(repeated, ['Done.'])).toEqual(['Paid.', 'Paid.']);
      expect(await call(repeated, ['Done.'])).toEqual([]);
      await fail();
      await run.startTurn();
      expect(await call(repeated, ['Done.'])).toEqual([]);
    },
  );

  test('whose stream breaks off after a Retry is repeated with what was paid before', async () => {
    const hooks = createHooks();
    hooks.on(AfterModelCall, () => retry('Again.'));
    const run = openRun(hooks);
    await run.startTurn();
    const chunks = [['Paid.'], []];
    const before: string[] = [];
    const streaming: Streaming<string, string> = {
      async *open() {
        yield* chunks.shift() ?? [];
      },
      whole: ([text]) => text,
      read: (text) => ({ text, toolCalls: [] }),
      write: () => [],
      refuse: () => [],
      retried: (all) => void before.push(...all),
    };
    for (let times = 0; times < 2; times++) for await (const _ of run.modelCall({}).stream(streaming));
    expect(before).toEqual(['Paid.']);
  });

  test('has the lists in the usage of all its answers', () => {
    const one = { total: 3, raw: { iterations: [{ tokens: 1 }, { tokens: 2 }] } };
    const other = { total: 4, raw: { iterations: [{ tokens: 4 }] } };
    expect(addUsage([one, other, { total: 1, raw: {} }])).toEqual({
      total: 8,
      raw: { iterations: [{ tokens: 1 }, { tokens: 2 }, { tokens: 4 }] },
    });
  });

  test('whose answer a hook blocks ends the run: no turn follows', async () => {
    const hooks = createHooks();
    hooks.guard(AfterModelCall, () => block('Secret.'));
    const reasons: string[] = [];
    hooks.observe(TurnEnd, ({ reason }) => void reasons.push(reason));
    const run = openRun(hooks);
    await run.startTurn();
    await run.modelCall({}).judge(spoken);

    expect(await run.startTurn()).toMatchObject({ reason: 'Secret.' });
    expect(reasons).toEqual(['hook_blocked']);
  });

  test('that was aborted while a hook was asked throws what it was aborted with', async () => {
    const hooks = createHooks();
    const abort = new AbortController();
    hooks.on(BeforeModelCall, () => {
      abort.abort(new Error('enough'));
      return block('too late');
    });
    const run = openRun(hooks, { signal: abort.signal });
    await run.startTurn();

    await expect(run.modelCall({}).prepare(() => request)).rejects.toThrow('enough');
    expect(run.stop).toBeUndefined();
  });

  test.each([
    ['is held back until hooks have decided', false, ['blocked']],
    ['passes where the adapter says so, but for its end', true, ['a', 'b', 'blocked']],
  ])('that is streamed %s', async (_, pass, expected) => {
    const hooks = createHooks();
    hooks.guard(AfterModelCall, ({ response }) => block(response.text));
    const run = openRun(hooks);
    await run.startTurn();
    const chunks: string[] = [];
    const stream = run.modelCall({}).stream<string, string>({
      pass,
      async *open() {
        yield* ['a', 'b', '.'];
      },
      isEnd: (chunk) => chunk === '.',
      whole: (all) => all.join(''),
      read: (text) => ({ text, toolCalls: [] }),
      write: ({ text }) => [text],
      refuse: () => ['blocked'],
    });
    for await (const chunk of stream) chunks.push(chunk);

    expect(chunks).toEqual(expected);
  });

  test('that is streamed passes untouched where hooks only look', async () => {
    const hooks = createHooks();
    hooks.observe(AfterModelCall, () => {});
    const run = openRun(hooks);
    await run.startTurn();
    const chunks: string[] = [];
    const stream = run.modelCall({}).stream<string, string>({
      async *open() {
        yield* ['a', 'b', '.'];
      },
      isEnd: (chunk) => chunk === '.',
      whole: (all) => all.join(''),
      read: (text) => ({ text, toolCalls: [] }),
      write: () => [],
      refuse: () => [],
    });
    for await (const chunk of stream) chunks.push(chunk);

    expect(chunks).toEqual(['a', 'b', '.']);
  });
});

describe('a tool call of a run', () => {
  test('that a hook blocks with stop ends the run', async () => {
    const hooks = createHooks();
    hooks.guard(BeforeToolCall, () => block('Enough.', { stop: true }), { id: 'enough' });
    const run = openRun(hooks);
    await run.callTool({ toolName: 'weather', input: {} }, () => 'sunny');

    expect(run.stop).toEqual({ reason: 'Enough.', by: 'enough' });
    expect(await run.finished('Done.')).toEqual({ kind: 'blocked', stop: run.stop });
  });

  test('that was begun before is asked about once, and runs after a yes', async () => {
    const hooks = createHooks();
    let asked = 0;
    hooks.on(BeforeToolCall, () => {
      asked++;
      return requireApproval('Sure?');
    });
    const run = openRun(hooks);
    const call = { callId: 'c1', toolName: 'pay', input: { amount: 1, to: 'a' } };
    const pausing = { approval: 'native', capabilities: { ask: true } } as const;
    await Promise.all([run.beginTool(call, pausing), run.beginTool(call, pausing)]);
    expect(run.pending.waiting).toMatchObject([{ callId: 'c1', reason: 'Sure?' }]);
    await run.pending.answer('c1', { decision: 'allow' });
    const outcome = await run.callTool({ ...call, input: { to: 'a', amount: 1 } }, () => 'paid');

    expect(outcome.output).toBe('paid');
    expect(asked).toBe(1);
  });

  test('of the same id with another input is another call', async () => {
    const hooks = createHooks();
    const asked: unknown[] = [];
    hooks.on(BeforeToolCall, ({ input }) => {
      asked.push(input);
      return proceed();
    });
    const run = openRun(hooks);
    await run.beginTool({ callId: 'c1', toolName: 'pay', input: { amount: 1 } });
    await run.callTool({ callId: 'c1', toolName: 'pay', input: { amount: 1000 } }, () => 'paid');

    expect(asked).toEqual([{ amount: 1 }, { amount: 1000 }]);
  });

  test('is asked about by the tool’s own registry, too, further in', async () => {
    const hooks = createHooks();
    const own = createHooks();
    own.guard(BeforeToolCall, () => block('Not this tool.'));
    const run = openRun(hooks);
    const outcome = await run.callTool({ toolName: 'pay', input: {} }, () => 'paid', {
      inner: [{ hooks: own }],
    });

    expect(outcome).toMatchObject({ status: 'blocked', reason: 'Not this tool.' });
  });

  test('that waits is canceled when a hook ends the run', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => requireApproval('Sure?'));
    const run = openRun(hooks);
    await run.beginTool(
      { callId: 'c1', toolName: 'pay', input: {} },
      { approval: 'native', capabilities: { ask: true } },
    );
    const ended = await run.pending.cancel('Enough.');

    expect(ended).toMatchObject([{ kind: 'done', outcome: { status: 'denied', reason: 'Enough.' } }]);
    expect(run.pending.waiting).toEqual([]);
  });
});

describe('Stop', () => {
  test('lets a run go on at most three times in a row, and is told which time is the last', async () => {
    const hooks = createHooks();
    const told: unknown[] = [];
    hooks.on(Stop, ({ continuations, last }) => {
      told.push([continuations, last ?? false]);
      return retry('Go on.');
    });
    const run = openRun(hooks);
    const kinds = [];
    for (let n = 0; n < 4; n++) kinds.push((await run.finished('Done.')).kind);

    expect(kinds).toEqual(['continue', 'continue', 'continue', 'over']);
    expect(told).toEqual([
      [0, false],
      [1, false],
      [2, false],
      [3, true],
    ]);
  });

  test('may end the run as blocked', async () => {
    const hooks = createHooks();
    hooks.on(Stop, ({ last }) => (last ? block('The tests are red.') : retry('Mend the tests.')));
    const run = openRun(hooks, { maxContinuations: 1 });

    expect(await run.finished('Done.')).toEqual({ kind: 'continue', prompt: 'Mend the tests.' });
    expect(await run.finished('Done.')).toMatchObject({
      kind: 'blocked',
      stop: { reason: 'The tests are red.' },
    });
  });

  test('that fails lets the run end', async () => {
    const hooks = createHooks({ onError: () => {} });
    hooks.on(Stop, () => {
      throw new Error('broken');
    });

    expect(await openRun(hooks).finished('Done.')).toEqual({ kind: 'over' });
  });
});

describe('the end of a run', () => {
  test.each([
    ['a normal one', { kind: 'done' }, 'normal', []],
    ['an error', { kind: 'error', error: new Error('boom') }, 'error', ['agent_error', 'error: boom']],
    [
      'a limit',
      { kind: 'limit', maxIterations: 5, message: 'Too many.' },
      'continue',
      ['max_iterations', 'warning: Too many.'],
    ],
    ['an abort', { kind: 'canceled' }, 'canceled', []],
    [
      'an error that is a hook’s refusal',
      { kind: 'error', error: new BlockedError({ reason: 'No.' }) },
      'hook_blocked',
      [],
    ],
  ] as const)('tells of %s', async (_, end, reason, told) => {
    const hooks = createHooks();
    const heard: string[] = [];
    const reasons: string[] = [];
    hooks.observe(AgentError, ({ type }) => void heard.push(type));
    hooks.observe(MaxIterations, ({ type }) => void heard.push(type));
    hooks.observe(Notification, ({ level, message }) => void heard.push(`${level}: ${message}`));
    hooks.observe(TurnEnd, (event) => void reasons.push(event.reason));
    const run = openRun(hooks);
    await run.startTurn();
    await run.end(end);

    expect(reasons).toEqual([reason]);
    expect(heard).toEqual(told);
  });

  test('of a sub-agent is told to its parent, with the reason where a hook ended it', async () => {
    const hooks = createHooks();
    const told: unknown[] = [];
    hooks.observe(
      SubagentStop,
      ({ session, response, subagent }) => void told.push([session.id, subagent, response]),
    );
    hooks.guard(BeforeToolCall, () => block('Enough.', { stop: true }));
    const run = openRun(hooks, { sessionId: 'parent' });
    const child = run.openChild({ agent: 'researcher' });
    await child.begin();
    await child.callTool({ toolName: 'search', input: {} }, () => 'found');
    await child.end({ kind: 'done', response: 'I could not.' });

    expect(told).toEqual([['parent', 'researcher', 'Enough.']]);
    expect(child.session.parent).toBe(run.session);
    expect(child.session.state).toBe('closed');
  });
});

test('a run that is forgotten frees its values in all registries', () => {
  const all = [createHooks(), createHooks()];
  const key = sessionKey<number>('test/values');
  // A session refuses values of more than 10,000 runs that have not ended.
  for (let nth = 0; nth < 10_001; nth++) {
    const run = openRun(
      all.map((hooks) => ({ hooks })),
      { sessionId: 's' },
    );
    for (const hooks of all) hooks.session('s').run(run.id).set(key, nth);
    run.forget();
  }
});

describe('a run, beside its turns', () => {
  test('that is resumed after its session was closed goes on in a new one, and begins its calls anew', async () => {
    const outer = createHooks();
    const inner = createHooks();
    const late: string[] = [];
    for (const hooks of [outer, inner]) {
      hooks.on(BeforeToolCall, () => requireApproval('Sure?'));
      hooks.observe(HookEvent, ({ type, session }) => {
        if (session.state === 'closed' && type !== 'session_end') late.push(type);
      });
    }
    for (const closing of [outer, inner]) {
      const run = openRun([{ hooks: outer }, { hooks: inner }], { sessionId: 'thread' });
      const call = { callId: 'c1', toolName: 'pay', input: {} };
      await run.beginTool(call, { approval: 'native', capabilities: { ask: true } });
      await closing.close();
      run.resume(undefined);
      expect(await run.pending.answer('c1', { decision: 'allow' })).toBeUndefined();
      await run.beginTool(call, { approval: 'native', capabilities: { ask: true } });
      await run.pending.answer('c1', { decision: 'allow' });

      expect((await run.callTool(call, () => 'paid')).output).toBe('paid');
      await run.startTurn();
      await run.end({ kind: 'done' });
    }

    expect(late).toEqual([]);
  });

  test('knows those of its sub-agents until they end, and waits for what the framework does not wait for', async () => {
    const run = openRun(createHooks());
    const child = run.openChild({});
    const grandchild = child.openChild({});
    expect(run.tree).toEqual([run, child, grandchild]);
    let done = false;
    run.waitFor(Promise.resolve().then(() => (done = true)));
    await grandchild.end({ kind: 'done' });
    expect(run.tree).toEqual([run, child]);
    await run.end({ kind: 'done' });

    expect(done).toBe(true);
  });

  test('closes a session of its own in the registries of its tools, too', async () => {
    const own = createHooks();
    const types = record(own);
    const run = openRun(createHooks());
    await run.callTool({ toolName: 'pay', input: {} }, () => 'paid', { inner: [{ hooks: own }] });
    await run.end({ kind: 'done' });

    expect([types[0], types.at(-1)]).toEqual(['session_start', 'session_end']);
  });

  test('ends after its calls, and whoever ends it does not wait for them', async () => {
    const hooks = createHooks();
    const types: string[] = [];
    hooks.observe(HookEvent, ({ type }) => void types.push(type));
    const run = openRun(hooks);
    await run.begin();
    let finish = () => {};
    const working = new Promise<void>((resolve) => {
      finish = resolve;
    });
    const calling = run.callTool({ toolName: 'shell', input: {} }, () => working);
    await run.end({ kind: 'canceled' });
    await run.end({ kind: 'canceled' });
    expect(types).not.toContain('session_end');
    finish();
    await calling;
    await hooks.settled();

    expect(types.slice(-2)).toEqual(['after_tool_call', 'session_end']);
  });

  test('ends calls that paused in their tool, and forgets those that wait for approval', async () => {
    const hooks = createHooks();
    const told: unknown[] = [];
    hooks.observe(AfterToolCall, ({ callId, status, ran }) => void told.push([callId, status, ran]));
    hooks.on(BeforeToolCall.matching('asks'), () => requireApproval('sure?'));
    const run = openRun(hooks);
    const pause = new Error('a person must answer');
    const isControlFlow = (error: unknown) => error === pause;
    const thrown = () => {
      throw pause;
    };
    const call = (toolName: string) =>
      run.callTool({ toolName, callId: toolName, input: {} }, thrown, { isControlFlow, approval: thrown });
    await expect(call('pauses')).rejects.toBe(pause);
    await expect(call('asks')).rejects.toBe(pause);
    await run.end({ kind: 'done' });

    expect(told).toEqual([['pauses', 'blocked', false]]);
  });

  test('tells who takes over', async () => {
    const hooks = createHooks();
    const switches: unknown[] = [];
    hooks.observe(AgentSwitch, ({ agent, from, to }) => void switches.push([agent, from, to]));
    const run = openRun(hooks, { agent: 'triage' });
    await run.switchAgent('billing', { switchKind: 'handoff' });
    await run.switchAgent('refunds', { switchKind: 'handoff' });

    expect(switches).toEqual([
      ['triage', 'triage', 'billing'],
      ['billing', 'billing', 'refunds'],
    ]);
  });

  test('may have its compaction vetoed, or given a summary', async () => {
    const hooks = createHooks();
    const figures = {
      inputTokens: 10,
      outputTokens: 0,
      contextLimit: 0,
      reason: 'threshold',
      source: 'auto',
    } as const;
    const run = openRun(hooks);
    const removing = hooks.on(BeforeCompaction, () => block('Not now.'));
    expect(await run.compact(figures)).toEqual({ kind: 'vetoed', reason: 'Not now.' });
    removing[Symbol.dispose]();
    hooks.on(BeforeCompaction, () => modify({ summary: 'Short.', context: ['Keep names.'] }));

    expect(await run.compact(figures)).toEqual({
      kind: 'compact',
      summary: 'Short.',
      context: ['Keep names.'],
    });
  });
});
