import { describe, expect, it } from 'vitest';
import {
  AfterModelCall,
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  defineEvent,
  modify,
  proceed,
  ToolEvent,
  UserPromptSubmit,
} from '../src/index.ts';
import { call } from './support/call.ts';

describe('the fold of the answers', () => {
  it('Block ends the chain at once, and no later hook can lift it', async () => {
    const hooks = createHooks();
    const asked: string[] = [];
    hooks.on(BeforeToolCall, () => (asked.push('first'), block('no')), { id: 'first' });
    hooks.on(BeforeToolCall, () => (asked.push('second'), proceed()));
    hooks.guard(BeforeToolCall, () => (asked.push('guard'), proceed()));
    const outcome = await call(hooks);
    expect(outcome).toMatchObject({ status: 'blocked', ran: false, reason: 'no', by: 'first' });
    expect(asked).toEqual(['first']);
  });

  it('a later Proceed does not undo a Modify', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => modify({ input: 'changed' }));
    hooks.on(BeforeToolCall, () => proceed());
    expect(await call(hooks)).toMatchObject({ status: 'ok', output: 'changed' });
  });

  it('the next hook sees the values that the one before put in place', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, (event) => modify({ input: `${event.input}-1` }));
    hooks.on(BeforeToolCall, async (event) => modify({ input: `${event.input}-2` }));
    hooks.on(BeforeToolCall, (event) => modify({ input: `${event.input}-3` }));
    expect(await call(hooks)).toMatchObject({ output: 'ls-1-2-3' });
  });

  it('neither the event nor its input is changed in place', async () => {
    const hooks = createHooks();
    const input = { command: 'ls' };
    hooks.on(BeforeToolCall, () => modify({ input: { command: 'pwd' } }));
    const outcome = await call(hooks, { input });
    expect(input).toEqual({ command: 'ls' });
    expect(outcome.input).toEqual({ command: 'pwd' });
  });

  it('context appends, metadata merges', async () => {
    const hooks = createHooks();
    hooks.on(UserPromptSubmit, () => modify({ context: ['one'], metadata: { a: 1 } }));
    hooks.on(UserPromptSubmit, () => modify({ context: ['two'], metadata: { b: 2 } }));
    const session = hooks.session('s');
    const decision = await hooks.dispatch(UserPromptSubmit, { session, run: 'r', prompt: 'hi' });
    expect(decision).toMatchObject({ patch: { context: ['one', 'two'], metadata: { a: 1, b: 2 } } });
    expect(session.run('r').metadata).toEqual({ a: 1, b: 2 });
  });

  it('dispatch answers synchronously until a hook answers with a promise', async () => {
    const hooks = createHooks();
    const session = hooks.session('s');
    hooks.on(UserPromptSubmit, () => modify({ prompt: 'a' }));
    expect(hooks.dispatch(UserPromptSubmit, { session, prompt: 'x' })).toMatchObject({
      patch: { prompt: 'a' },
    });
    hooks.on(UserPromptSubmit, async () => modify({ prompt: 'b' }));
    const decision = hooks.dispatch(UserPromptSubmit, { session, prompt: 'x' });
    expect(decision).toBeInstanceOf(Promise);
    expect(await decision).toMatchObject({ patch: { prompt: 'b' } });
  });

  it('with no hook that applies, the answer is the Proceed singleton', () => {
    const hooks = createHooks();
    expect(hooks.dispatch(UserPromptSubmit, { session: hooks.session('s'), prompt: 'x' })).toBe(proceed());
  });
});

describe('a Modify of the response of a model', () => {
  it('leaves the usage as the model reported it; where it reported none, a hook may count it', async () => {
    const usage = { inputTokens: 7, outputTokens: 5 };
    for (const [reported, given, kept] of [
      [{ usage }, {}, { usage }],
      [{ usage }, { usage: { inputTokens: 0 } }, { usage }],
      [{}, { usage }, { usage }],
      [{}, {}, {}],
    ] as const) {
      const hooks = createHooks();
      const seen: unknown[] = [];
      hooks.on(AfterModelCall, () => modify({ response: { text: 'Clean.', toolCalls: [], ...given } }));
      hooks.observe(AfterModelCall, ({ response }) => void seen.push(response));
      const response = { text: 'Done.', toolCalls: [], ...reported };
      const event = { session: hooks.session('s'), iteration: 1, attempt: 1, response };
      const expected = { text: 'Clean.', toolCalls: [], ...kept };
      expect(await hooks.dispatch(AfterModelCall, event)).toEqual(modify({ response: expected }));
      expect(seen).toEqual([expected]);
    }
  });

  it('leaves the usage also on an event that extends AfterModelCall', async () => {
    const Summarized = defineEvent<AfterModelCall>()({
      type: 'acme_summarized',
      permits: ['modify'],
      modifies: ['response'],
      extends: AfterModelCall,
    });
    const hooks = createHooks();
    hooks.on(Summarized, () => modify({ response: { text: 'Clean.', toolCalls: [] } }));
    const usage = { inputTokens: 7 };
    const response = { text: 'Done.', toolCalls: [], usage };
    const event = { session: hooks.session('s'), iteration: 1, attempt: 1, response };
    expect(await hooks.dispatch(Summarized, event)).toEqual(
      modify({ response: { text: 'Clean.', toolCalls: [], usage } }),
    );
  });
});

describe('order', () => {
  const order = async (
    register: (
      note: (name: string) => () => ReturnType<typeof proceed>,
      hooks: ReturnType<typeof createHooks>,
    ) => void,
  ) => {
    const hooks = createHooks();
    const asked: string[] = [];
    register((name) => () => (asked.push(name), proceed()), hooks);
    await call(hooks);
    return asked;
  };

  it('is interceptors, then guards, then observers, whatever their priority', async () => {
    const asked = await order((note, hooks) => {
      hooks.observe(BeforeToolCall, note('observer') as () => void, { priority: 1000 });
      hooks.guard(BeforeToolCall, note('guard'), { priority: 500 });
      hooks.on(BeforeToolCall, note('interceptor'), { priority: -5 });
    });
    expect(asked).toEqual(['interceptor', 'guard', 'observer']);
  });

  it('is higher priority first, then order of registration', async () => {
    const asked = await order((note, hooks) => {
      hooks.on(BeforeToolCall, note('a'));
      hooks.on(BeforeToolCall, note('b'), { priority: 10 });
      hooks.on(BeforeToolCall, note('c'));
      hooks.on(BeforeToolCall, note('d'), { priority: -10 });
      hooks.on(BeforeToolCall, note('e'), { priority: 10 });
    });
    expect(asked).toEqual(['b', 'e', 'a', 'c', 'd']);
  });

  it('is reversed for events that come after something: hooks nest like an onion', async () => {
    const asked = await order((note, hooks) => {
      hooks.on(BeforeToolCall, note('before outer'), { priority: 100 });
      hooks.on(BeforeToolCall, note('before inner'));
      hooks.on(AfterToolCall, note('after outer'), { priority: 100 });
      hooks.on(AfterToolCall, note('after inner'));
    });
    expect(asked).toEqual(['before outer', 'before inner', 'after inner', 'after outer']);
  });

  it('registering and removing while a dispatch runs never disturbs it', async () => {
    const hooks = createHooks();
    const asked: string[] = [];
    const first = hooks.on(BeforeToolCall, () => {
      asked.push('first');
      first[Symbol.dispose]();
      hooks.remove('last');
      hooks.on(BeforeToolCall, () => (asked.push('late'), proceed()));
      return proceed();
    });
    hooks.on(BeforeToolCall, () => (asked.push('last'), proceed()), { id: 'last' });
    await call(hooks);
    expect(asked).toEqual(['first', 'last']);
    asked.length = 0;
    await call(hooks);
    expect(asked).toEqual(['late']);
  });
});

describe('observers', () => {
  it('see the final event and the final decision, whatever it was', async () => {
    const hooks = createHooks();
    const seen: unknown[] = [];
    hooks.on(BeforeToolCall, () => modify({ input: 'changed' }));
    hooks.guard(BeforeToolCall, () => block('no'));
    hooks.observe(BeforeToolCall, (event, decision) => void seen.push([event.input, decision.kind]));
    await call(hooks);
    expect(seen).toEqual([['changed', 'block']]);
  });

  it('change nothing: neither what they return nor what they throw', async () => {
    const errors: string[] = [];
    const hooks = createHooks({ onError: (error) => errors.push(error.message) });
    hooks.observe(BeforeToolCall, () => block('ignored') as never);
    hooks.observe(
      BeforeToolCall,
      () => {
        throw new Error('boom');
      },
      { id: 'thrower' },
    );
    hooks.observe(
      BeforeToolCall,
      async () => {
        throw new Error('later');
      },
      { id: 'rejecter' },
    );
    expect(await call(hooks)).toMatchObject({ status: 'ok', output: 'ls' });
    await hooks.settled();
    expect(errors).toEqual([
      'hook "before_tool_call-1" only observes, so its answer "block" changes nothing, on before_tool_call',
      'hook "thrower" threw an error on before_tool_call',
      'hook "rejecter" threw an error on before_tool_call',
    ]);
  });

  it('are not waited for, but by settled() and by closing a session', async () => {
    const hooks = createHooks();
    const { promise, resolve } = Promise.withResolvers<void>();
    let over = false;
    hooks.observe(BeforeToolCall, async () => {
      await promise;
      over = true;
    });
    expect(await call(hooks)).toMatchObject({ status: 'ok' });
    expect(over).toBe(false);
    const closing = hooks.session('s').close();
    resolve();
    await closing;
    expect(over).toBe(true);
  });

  it('of a group see every event that extends it', async () => {
    const hooks = createHooks();
    const seen: string[] = [];
    hooks.observe(ToolEvent, (event) => void seen.push(`${event.type} ${event.toolName}`));
    await call(hooks);
    expect(seen).toEqual([
      'before_tool_call exec',
      'before_execute exec',
      'transform_tool_result exec',
      'after_tool_call exec',
    ]);
  });
});
