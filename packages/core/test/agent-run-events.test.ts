// What each event of a run says, field by field, and what a run makes of each answer.
import {
  AfterModelCall,
  BeforeCompaction,
  BeforeModelCall,
  BeforeRun,
  BeforeToolCall,
  block,
  createHooks,
  HookEvent,
  type Hooks,
  type HooksError,
  modify,
  proceed,
  requireApproval,
  retry,
  SessionStart,
  Stop,
  UserPromptSubmit,
} from '@hooks/core';
import { type AgentRun, openRun, type RunEnd, type Streaming } from '@hooks/core/adapter';
import { describe, expect, test } from 'vitest';

const spoken = { text: 'It is sunny.', toolCalls: [] };
const request = { messages: [{ role: 'user' as const, text: 'Hi' }], tools: [] };
const figures = {
  inputTokens: 10,
  outputTokens: 2,
  contextLimit: 100,
  reason: 'threshold',
  source: 'auto',
} as const;

/** All events that a registry is shown, as plain data: the session is its id. */
function record(hooks: Hooks): unknown[] {
  const events: unknown[] = [];
  hooks.observe(HookEvent, ({ session, ...event }) => void events.push({ ...event, session: session.id }));
  return events;
}

async function collect<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** A run whose session is open, and the events from then on. */
async function opened(options: Parameters<typeof openRun>[1] = {}, hooks: Hooks = createHooks()) {
  const run = openRun(hooks, { id: 'r', sessionId: 's', ...options });
  await run.begin();
  return { run, hooks, events: record(hooks) };
}

describe('An event of a run says everything that is known, and nothing else:', () => {
  const place = { session: 's', run: 'r' };
  const native = { the: 'framework' };

  test('a prompt', async () => {
    const { run, events } = await opened();
    await run.submit([{ text: 'Hi', native }], { model: 'm', provider: 'p', delivery: 'steering' });
    await run.submit([{ text: 'Ho' }], { delivery: 'prompt' });
    expect(events).toStrictEqual([
      {
        type: 'user_prompt_submit',
        ...place,
        model: 'm',
        provider: 'p',
        prompt: 'Hi',
        delivery: 'steering',
        native,
      },
      { type: 'user_prompt_submit', ...place, prompt: 'Ho', delivery: 'prompt' },
      { type: 'before_run', ...place, message: 'Ho', metadata: {} },
    ]);
  });

  test('a prompt that no user sent', async () => {
    const { run, events } = await opened();
    await run.submit([{ text: 'Hi', delivery: 'notification' }], { delivery: 'steering' });
    await run.submit([{ text: 'Ho', delivery: 'notification' }]);
    expect(events).toStrictEqual([
      { type: 'user_prompt_submit', ...place, prompt: 'Hi', delivery: 'notification' },
      { type: 'user_prompt_submit', ...place, prompt: 'Ho', delivery: 'notification' },
      { type: 'before_run', ...place, message: 'Ho', metadata: {} },
    ]);
  });

  test('a prompt of a history that this process has not seen', async () => {
    const { run, events } = await opened();
    await run.submit([
      { text: 'Hi', answered: true },
      { text: 'Ho', answered: false },
    ]);
    expect(events).toStrictEqual([
      { type: 'user_prompt_submit', ...place, prompt: 'Hi', answered: true },
      { type: 'user_prompt_submit', ...place, prompt: 'Ho' },
      { type: 'before_run', ...place, message: 'Ho', metadata: {} },
    ]);
  });

  test('a prompt without a word of how it came', async () => {
    const { run, events } = await opened();
    await run.submit([{ text: 'Hi' }]);
    expect(events).toStrictEqual([
      { type: 'user_prompt_submit', ...place, prompt: 'Hi' },
      { type: 'before_run', ...place, message: 'Hi', metadata: {} },
    ]);
  });

  test('the beginning of a run without a prompt', async () => {
    const { run, events } = await opened();
    await run.submit([]);
    expect(events).toStrictEqual([{ type: 'before_run', ...place, message: '', metadata: {} }]);
  });

  test('a turn, its model call and its end', async () => {
    const { run, events } = await opened({ agent: 'a', principal: { id: 'ann' } });
    const around = { ...place, agent: 'a', principal: { id: 'ann' }, turn: 'r:1' };
    await run.startTurn();
    const call = run.modelCall({ model: 'm' });
    expect(await call.prepare(() => ({ ...request, native }))).toStrictEqual({
      kind: 'send',
      patch: {},
      context: [],
    });
    run.lastUserMessage = 'Hi';
    await call.answer(
      () => ({ ...spoken, native }),
      ({ text, toolCalls }) => ({ text, toolCalls }),
    );
    await run.endTurn('continue');
    await run.endTurn('normal');
    expect(events).toStrictEqual([
      { type: 'turn_start', ...around, iteration: 1 },
      { type: 'before_model_call', ...around, ...request, native, model: 'm', iteration: 1 },
      {
        type: 'after_model_call',
        ...around,
        model: 'm',
        iteration: 1,
        response: spoken,
        attempt: 1,
        lastUserMessage: 'Hi',
        native: { ...spoken, native },
      },
      { type: 'turn_end', ...around, reason: 'continue', iteration: 1 },
    ]);
  });

  test('a model call before any prompt, whose answer is judged by itself', async () => {
    const { run, events } = await opened();
    await run.modelCall({}).judge(spoken);
    expect(events).toStrictEqual([
      { type: 'after_model_call', ...place, iteration: 0, response: spoken, attempt: 1 },
    ]);
  });

  test('a streamed model call', async () => {
    const { run, events } = await opened();
    const stream = run.modelCall({}).stream<string, string>({
      async *open() {
        yield* ['a', 'b'];
      },
      whole: (all) => all.join(''),
      read: (text) => ({ text, toolCalls: [] }),
      write: () => [],
      refuse: () => [],
    });
    expect(await collect(stream)).toEqual(['a', 'b']);
    expect(events).toStrictEqual([
      {
        type: 'after_model_call',
        ...place,
        iteration: 0,
        response: { text: 'ab', toolCalls: [] },
        attempt: 1,
        native: 'ab',
      },
    ]);
  });

  test('the final answer', async () => {
    const { run, events } = await opened();
    await run.finished('Done.');
    run.lastUserMessage = 'Hi';
    await run.finished('Done.', native);
    expect(events).toStrictEqual([
      { type: 'stop', ...place, response: 'Done.', continuations: 0 },
      { type: 'stop', ...place, response: 'Done.', continuations: 0, lastUserMessage: 'Hi', native },
    ]);
  });

  test('a switch of agents', async () => {
    const { run, events } = await opened();
    await run.switchAgent('b', { switchKind: 'transfer_task' });
    await run.switchAgent('c', { switchKind: 'handoff', models: [{ model: 'm' }], native });
    await run.switchAgent('d', { switchKind: 'transfer_task' });
    expect(events).toStrictEqual([
      { type: 'agent_switch', ...place, from: '', to: 'b', switchKind: 'transfer_task', models: [] },
      {
        type: 'agent_switch',
        ...place,
        from: '',
        to: 'c',
        switchKind: 'handoff',
        models: [{ model: 'm' }],
        native,
      },
      {
        type: 'agent_switch',
        ...place,
        agent: 'c',
        from: 'c',
        to: 'd',
        switchKind: 'transfer_task',
        models: [],
      },
    ]);
  });

  test('a compaction', async () => {
    const { run, events } = await opened();
    expect(await run.compact(figures)).toStrictEqual({ kind: 'compact', context: [] });
    await run.compacted(figures, 'Short.');
    expect(events).toStrictEqual([
      { type: 'before_compaction', ...place, ...figures },
      { type: 'after_compaction', ...place, ...figures, summary: 'Short.' },
    ]);
  });

  test('a pause, for each call that waits, or for the tool itself', async () => {
    const { run, hooks, events } = await opened();
    await run.pause();
    const asking = hooks.on(BeforeToolCall, () => requireApproval('Sure?'));
    await run.beginTool(
      { callId: 'c', toolName: 'pay', input: {} },
      { approval: 'native', capabilities: { ask: true } },
    );
    asking[Symbol.dispose]();
    events.length = 0;
    await run.pause();
    await run.pause([]);
    expect(events).toStrictEqual([
      { type: 'user_input_required', ...place, message: 'Sure?' },
      { type: 'user_input_required', ...place },
    ]);
  });

  test('the limit that ends no run', async () => {
    const { run, events } = await opened();
    await run.reachLimit(5, 'Too many.');
    expect(events).toStrictEqual([
      { type: 'max_iterations', ...place, maxIterations: 5, message: 'Too many.' },
      { type: 'notification', ...place, level: 'warning', message: 'Too many.' },
    ]);
  });

  test('an error that ends it, whatever was thrown', async () => {
    const { run, events } = await opened();
    const error = new Error('boom');
    await run.end({ kind: 'error', error });
    const other = await opened();
    await other.run.end({ kind: 'error', error: 'no error object' });
    const told = (one: unknown, message: string) => [
      { type: 'agent_error', ...place, error: one, message },
      { type: 'notification', ...place, level: 'error', message },
    ];
    expect(events).toStrictEqual(told(error, 'boom'));
    expect(other.events).toStrictEqual(told('no error object', 'no error object'));
  });

  test('the life of a sub-agent, to its parent', async () => {
    const { run, events } = await opened({ agent: 'boss' });
    const child = run.openChild({ id: 'child', sessionId: 'inner', agent: 'scout' });
    await child.begin();
    child.lastUserMessage = 'Look.';
    await child.end({ kind: 'done', response: 'Found.' });
    const mute = run.openChild({ id: 'mute', sessionId: 'other' });
    await mute.begin('late');
    await mute.end({ kind: 'canceled' });
    const about = { ...place, agent: 'boss', subagent: 'scout', subagentSession: 'inner' };
    const late = { ...about, subagent: 'late', subagentSession: 'other' };
    expect(events.filter((event) => JSON.stringify(event).includes('subagent_'))).toStrictEqual([
      { type: 'subagent_start', ...about },
      { type: 'subagent_stop', ...about, response: 'Found.', lastUserMessage: 'Look.' },
      { type: 'subagent_start', ...late },
      { type: 'subagent_stop', ...late, response: '' },
    ]);
  });
});

describe('The end of a run', () => {
  const reasonOf = async (end: RunEnd, prepare: (run: AgentRun) => void = () => {}, signal?: AbortSignal) => {
    const { run, events } = await opened({ signal });
    await run.startTurn();
    prepare(run);
    await run.end(end);
    return events.flatMap((event) => (event as { readonly reason?: string }).reason ?? []);
  };

  test('has the reason of the hook that stopped it', async () => {
    const stopped = (run: AgentRun): void => void run.endBy({ reason: 'No.', by: 'a' });
    expect(await reasonOf({ kind: 'done' }, stopped)).toEqual(['hook_blocked']);
    expect(await reasonOf({ kind: 'canceled' }, stopped)).toEqual(['hook_blocked']);
  });

  test('is canceled where it was aborted, unless the run was done', async () => {
    const aborted = AbortSignal.abort();
    const boom: RunEnd = { kind: 'error', error: new Error('boom') };
    expect(await reasonOf(boom, undefined, aborted)).toEqual(['canceled']);
    expect(await reasonOf({ kind: 'done' }, undefined, aborted)).toEqual(['normal']);
    expect(await reasonOf({ kind: 'canceled' })).toEqual(['canceled']);
    expect(await reasonOf(boom, undefined, new AbortController().signal)).toEqual(['error']);
  });

  test('keeps an own session where its thread may go on', async () => {
    const run = openRun(createHooks());
    await run.begin();
    await run.end({ kind: 'done' }, { keep: true });
    expect(run.session.state).toBe('open');
  });

  test('forgets what hooks noted about it', async () => {
    const hooks = createHooks();
    hooks.on(UserPromptSubmit, () => modify({ metadata: { topic: 'weather' }, context: ['Be brief.'] }));
    const { run } = await opened({}, hooks);
    await run.submit([{ text: 'Hi' }]);
    expect(run.session.run('r').metadata).toEqual({ topic: 'weather' });
    await run.end({ kind: 'done' });
    expect(run.session.run('r').metadata).toEqual({});
    expect(run.takeContext()).toEqual([]);
  });

  test('waits for what the framework does not wait for', async () => {
    const { run, hooks } = await opened();
    const order: string[] = [];
    hooks.observe(HookEvent, ({ type }) => void order.push(type));
    await run.startTurn();
    const work = Promise.withResolvers<void>();
    run.waitFor(work.promise.then(() => void order.push('work')));
    const ended = run.end({ kind: 'done' });
    work.resolve();
    await ended;
    expect(order).toEqual(['turn_start', 'work', 'turn_end']);
  });
});

describe('A prompt', () => {
  test('that BeforeRun refuses is not submitted', async () => {
    const hooks = createHooks();
    hooks.guard(BeforeRun, () => block('Not now.'), { id: 'no' });
    const { run } = await opened({}, hooks);
    const stop = { reason: 'Not now.', by: 'no' };
    expect(await run.submit([{ text: 'Hi' }])).toEqual({ kind: 'blocked', stop });
    expect(run.stop).toEqual(stop);
  });

  test('may choose the model and its settings, unless the adapter cannot have them', async () => {
    const errors: HooksError[] = [];
    const hooks = createHooks({ onError: (error) => void errors.push(error) });
    hooks.on(BeforeRun, () => modify({ model: 'big', settings: { temperature: 0 } }));
    const { run } = await opened({}, hooks);
    expect(await run.submit([{ text: 'Hi' }])).toEqual({ kind: 'submitted', prompts: ['Hi'] });
    expect([run.model, run.settings]).toEqual(['big', { temperature: 0 }]);
    const other = await opened({ id: 'other' }, hooks);
    const submitted = await other.run.submit([{ text: 'Hi' }], { refuse: () => 'no such model' });
    expect(submitted.kind).toBe('blocked');
    expect(errors.map(({ message }) => message).join()).toContain('no such model');
  });

  test('with others that are known asks about the new one only; BeforeRun is asked as long as one is new', async () => {
    const { run, events } = await opened();
    const types = () => events.splice(0).map((event) => (event as { type: string }).type);
    await run.submit([{ text: 'one', id: '1' }]);
    expect(types()).toEqual(['user_prompt_submit', 'before_run']);
    await run.submit([
      { text: 'one', id: '1' },
      { text: 'two', id: '2' },
    ]);
    expect(types()).toEqual(['user_prompt_submit', 'before_run']);
    await run.submit([
      { text: 'two', id: '2' },
      { text: 'one', id: '1' },
    ]);
    expect(types()).toEqual([]);
    await run.submit([{ text: 'without an id' }]);
    await run.submit([{ text: 'without an id' }]);
    expect(types()).toHaveLength(4);
  });
});

describe('A model call', () => {
  const answerOf = (run: AgentRun, send = () => spoken) => run.modelCall({}).answer(send, (answer) => answer);

  test('is sent with the settings of the run, whether a hook hears of it or not', async () => {
    const { run, hooks } = await opened();
    run.settings = { temperature: 0 };
    const call = run.modelCall({});
    const sent = { kind: 'send', patch: { settings: { temperature: 0 } }, context: [] };
    expect(await call.prepare(() => ({ ...request, settings: { maxTokens: 5 } }))).toStrictEqual(sent);
    const shown: unknown[] = [];
    hooks.on(BeforeModelCall, ({ settings }) => {
      shown.push(settings);
      return modify({ settings: { reasoningEffort: 'low' } });
    });
    expect(await call.prepare(() => ({ ...request, settings: { maxTokens: 5 } }))).toStrictEqual({
      ...sent,
      patch: { settings: { temperature: 0, reasoningEffort: 'low' } },
    });
    expect(shown).toEqual([{ maxTokens: 5, temperature: 0 }]);
  });

  test('describes no request where no hook hears of it', () => {
    const run = openRun(createHooks());
    let described = 0;
    const prepared = run.modelCall({}).prepare(() => {
      described++;
      return request;
    });
    expect([prepared, described]).toEqual([{ kind: 'send', patch: {}, context: [] }, 0]);
  });

  test('stands where a hook modifies nothing of it, and is replaced where one does', async () => {
    const hooks = createHooks();
    const { run } = await opened({}, hooks);
    const idle = hooks.on(AfterModelCall, () => modify({}));
    expect(await answerOf(run)).toEqual({ kind: 'stands', answer: spoken, retried: [] });
    idle[Symbol.dispose]();
    const response = { text: 'It rains.', toolCalls: [] };
    hooks.on(AfterModelCall, () => modify({ response }));
    expect(await answerOf(run)).toEqual({ kind: 'replaced', answer: spoken, response, retried: [] });
  });

  test('that waits to be made again stops waiting on an abort', async () => {
    const hooks = createHooks();
    hooks.on(AfterModelCall, () => retry('Later.', { delayMs: 2 ** 30 }));
    const abort = new AbortController();
    const { run } = await opened({ signal: abort.signal }, hooks);
    const answering = answerOf(run);
    hooks.observe(AfterModelCall, () => {});
    setImmediate(() => abort.abort(new Error('enough')));
    await expect(answering).rejects.toThrow('enough');
  });

  test('is refused what the adapter cannot honour, by what the decision is about', async () => {
    const errors: string[] = [];
    const hooks = createHooks({ onError: ({ message }) => void errors.push(message) });
    hooks.on(BeforeModelCall, () => modify({ instructions: 'Be loud.' }));
    hooks.on(AfterModelCall, () => modify({ response: spoken }));
    const { run } = await opened({}, hooks);
    const call = run.modelCall({}, { refuse: ({ kind }, about) => `cannot ${kind} the ${about}` });
    expect((await call.prepare(() => request)).kind).toBe('blocked');
    expect((await call.judge(spoken)).kind).toBe('blocked');
    expect(errors.join()).toContain('cannot modify the request');
    expect(errors.join()).toContain('cannot modify the answer');
  });

  describe('that is streamed', () => {
    const stream = (
      run: AgentRun,
      texts: readonly (readonly string[])[],
      more: Partial<Streaming<string, string>> = {},
    ) => {
      let nth = 0;
      return collect(
        run.modelCall({}).stream<string, string>({
          ...more,
          async *open() {
            yield* texts[nth++] ?? [];
          },
          whole: (all) => (all.at(-1) === '.' ? all.join('') : undefined),
          read: (text) => ({ text, toolCalls: [] }),
          write: ({ text }, chunks) => [`wrote ${text} for ${chunks.join('')}`],
          refuse: ({ reason }) => [`refused: ${reason}`],
        }),
      );
    };

    test('is read again after Retry, and replaced where a hook says so', async () => {
      const hooks = createHooks();
      hooks.on(AfterModelCall, ({ attempt, response }) =>
        attempt === 1 ? retry('Again.') : modify({ response: { ...response, text: 'new' } }),
      );
      const { run } = await opened({}, hooks);
      const answers = [
        ['a', '.'],
        ['b', '.'],
      ];
      expect(await stream(run, answers)).toEqual(['wrote new for b.']);
    });

    test('and comes to no end is asked about by nobody, and shown where hooks only look', async () => {
      const { run, events } = await opened();
      expect(await stream(run, [['a', 'b']])).toEqual(['a', 'b']);
      expect(events).toEqual([]);
      const hooks = createHooks();
      hooks.guard(AfterModelCall, () => proceed());
      const held = await opened({}, hooks);
      expect(await stream(held.run, [['a', 'b']])).toEqual([]);
    });

    test('cannot be made again where it has passed', async () => {
      const errors: string[] = [];
      const hooks = createHooks({ onError: ({ message }) => void errors.push(message) });
      hooks.on(AfterModelCall, () => retry('Again.'));
      const { run } = await opened({}, hooks);
      const passed = await stream(run, [['a', '.']], { pass: true });
      expect(passed.slice(0, 2)).toEqual(['a', '.']);
      expect(errors.join()).toContain('the answer was streamed already');
    });

    test('and has passed is not written again where hooks let it stand', async () => {
      const hooks = createHooks();
      hooks.guard(AfterModelCall, () => proceed());
      const { run } = await opened({}, hooks);
      expect(await stream(run, [['a', '.']], { pass: true })).toEqual(['a', '.']);
      expect(await stream(run, [['a', '.']])).toEqual(['a', '.']);
    });

    test('and held by its reader tells it which attempts may be shown', async () => {
      const hooks = createHooks();
      hooks.on(AfterModelCall, ({ attempt, response }) => {
        if (attempt === 1) return retry('Again.');
        return response.text === 'b.' ? proceed() : block('No.');
      });
      const { run } = await opened({}, hooks);
      const shown: Promise<readonly [string, boolean]>[] = [];
      const isHeldLater = (chunk: string, whether: Promise<boolean>) => {
        shown.push(whether.then((is) => [chunk, is]));
        return true;
      };
      const options = { isHeldLater, isEnd: (chunk: string) => chunk === '.' };
      const first = [
        ['a', '.'],
        ['b', '.'],
      ];
      expect(await stream(run, first, options)).toEqual(['a', 'b', '.']);
      expect(await stream(run, [['c'], []], options)).toEqual(['c']);
      const refused = [
        ['d', '.'],
        ['e', '.'],
      ];
      expect(await stream(run, refused, options)).toEqual(['d', 'e', 'refused: No.']);
      expect(await Promise.all(shown)).toEqual([
        ['a', false],
        ['b', true],
        ['c', false],
        ['d', false],
        ['e', false],
      ]);
    });
  });
});

describe('A tool call that was begun', () => {
  const call = { callId: 'c', toolName: 'pay', input: { amount: 1 } };

  test('and blocked with stop ends the run', async () => {
    const hooks = createHooks();
    hooks.guard(BeforeToolCall, () => block('Enough.', { stop: true }), { id: 'enough' });
    const { run } = await opened({}, hooks);
    await run.beginTool(call, { approval: 'native', capabilities: { ask: true } });
    expect(run.stop).toEqual({ reason: 'Enough.', by: 'enough' });
  });

  test('and failed may be begun anew', async () => {
    const { run } = await opened();
    const broken = { ...call, input: { amount: 1n } };
    await run.beginTool(call, { approval: 'native', capabilities: { ask: true } });
    expect(run.pending.get(call)?.kind).toBe('run');
    expect(run.pending.get({ ...call, toolName: 'other' })).toBeUndefined();
    expect(run.pending.get(broken)).toBeUndefined();
  });

  test('is taken once, and forgotten by its id alone', async () => {
    const { run } = await opened();
    const other = { ...call, callId: 'd' };
    await run.beginTool(call, { approval: 'native', capabilities: { ask: true } });
    await run.beginTool(other, { approval: 'native', capabilities: { ask: true } });
    run.pending.forget('c');
    expect([run.pending.get(call), run.pending.get(other)?.kind]).toEqual([undefined, 'run']);
    expect(run.pending.take(other)?.kind).toBe('run');
    expect(run.pending.take(other)).toBeUndefined();
  });

  test('is shown as waiting only while it waits, and answered once', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, ({ toolName }) => (toolName === 'pay' ? requireApproval('Sure?') : proceed()));
    const { run } = await opened({}, hooks);
    const beginning = run.beginTool(call, { approval: 'native', capabilities: { ask: true } });
    expect(run.pending.waiting).toEqual([]);
    await beginning;
    await run.beginTool(
      { ...call, callId: 'd', toolName: 'look' },
      { approval: 'native', capabilities: { ask: true } },
    );
    expect(run.pending.waiting).toMatchObject([
      { callId: 'c', toolName: 'pay', input: { amount: 1 }, reason: 'Sure?' },
    ]);
    expect(await run.pending.answer('d', { decision: 'allow' })).toBeUndefined();
    expect(await run.pending.answer('nobody', { decision: 'allow' })).toBeUndefined();
    expect((await run.pending.answer('c', { decision: 'allow' }))?.kind).toBe('run');
    expect(run.pending.waiting).toEqual([]);
  });
});

describe('Opening a run', () => {
  test('needs a registry', () => {
    expect(() => openRun([])).toThrow('a run needs at least one registry');
  });

  test('tells the session how it came, and mints an id where a thread has several runs', async () => {
    const hooks = createHooks();
    const events = record(hooks);
    const run = openRun(hooks, { sessionId: 's', source: 'resume' });
    await run.begin();
    expect(events).toStrictEqual([{ type: 'session_start', session: 's', source: 'resume' }]);
    expect(run.id).toMatch(/^run-/);
    const own = openRun(hooks);
    expect(own.id).toBe(own.session.id);
    expect(openRun(hooks, { id: 'mine' }).id).toBe('mine');
  });

  test('waits for the start of its session in each registry', async () => {
    const started = Promise.withResolvers<void>();
    const order: string[] = [];
    const [outer, inner] = [createHooks(), createHooks()];
    inner.on(SessionStart, async ({ type }) => {
      await started.promise;
      order.push(type);
      return proceed();
    });
    const run = openRun([{ hooks: outer }, { hooks: inner }]);
    const began = run.begin().then(() => void order.push('begun'));
    started.resolve();
    await began;
    expect(order).toEqual(['session_start', 'begun']);
  });

  test('knows what hooks it has: those that hear, and those that decide', () => {
    const hooks = createHooks();
    const run = openRun(hooks);
    expect([run.hears(Stop), run.decides(Stop)]).toEqual([false, false]);
    hooks.observe(Stop, () => {});
    expect([run.hears(Stop), run.decides(Stop)]).toEqual([true, false]);
    hooks.on(Stop, () => proceed());
    expect(run.decides(Stop)).toBe(true);
  });

  test('takes the smallest number of attempts that a registry allows', () => {
    const of = (...limits: readonly (number | undefined)[]) =>
      openRun(
        limits.map((maxAttempts) => ({
          hooks: createHooks(maxAttempts === undefined ? {} : { maxAttempts }),
        })),
      ).maxAttempts;
    expect([of(undefined), of(5, 2), of(undefined, 4)]).toEqual([3, 2, 4]);
  });

  test('warns once for each message', () => {
    const warnings: string[] = [];
    const run = openRun(createHooks({ onWarning: (message) => void warnings.push(message) }));
    for (const message of ['one', 'two', 'one']) run.warnOnce(message);
    expect(warnings).toEqual(['one', 'two']);
  });

  test('gives a sub-agent the signal, the principal and the limit of its parent, unless it has its own', async () => {
    const hooks = createHooks();
    hooks.on(Stop, () => retry('More.'));
    const { signal } = new AbortController();
    const run = openRun(hooks, { signal, principal: { id: 'ann' }, maxContinuations: 1 });
    const child = run.openChild({ agent: 'scout' });
    expect([child.signal, child.principal, child.ownsSession]).toEqual([signal, { id: 'ann' }, true]);
    expect((await child.finished('Done.')).kind).toBe('continue');
    expect((await child.finished('Done.')).kind).toBe('over');
    expect(run.openChild({ principal: { id: 'bob' } }).principal).toEqual({ id: 'bob' });
  });
});

describe('A compaction', () => {
  test('goes on without what the adapter cannot honour, which is reported', async () => {
    const errors: string[] = [];
    const hooks = createHooks({ onError: ({ message }) => void errors.push(message) });
    hooks.on(BeforeCompaction, () => modify({ summary: 'Short.' }));
    const { run } = await opened({}, hooks);
    expect(await run.compact(figures, { refuse: () => 'it has no summary' })).toStrictEqual({
      kind: 'compact',
      context: [],
    });
    expect(errors.join()).toContain('it has no summary');
  });

  test('ends with the abort of the run, unless the framework compacts after it', async () => {
    const hooks = createHooks();
    hooks.on(BeforeCompaction, () => proceed());
    const { run } = await opened({ signal: AbortSignal.abort(new Error('enough')) }, hooks);
    await expect(run.compact(figures)).rejects.toThrow('enough');
    expect((await run.compact(figures, { signal: undefined })).kind).toBe('compact');
  });
});
