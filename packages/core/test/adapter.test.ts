import { describe, expect, it } from 'vitest';
import {
  adoptSession,
  decides,
  forgetPaused,
  hears,
  isPaused,
  openRun,
  registered,
  warnOnce,
} from '../src/adapter/index.ts';
import {
  AfterToolCall,
  BeforeToolCall,
  createHooks,
  proceed,
  requireApproval,
  SessionStart,
  ToolEvent,
  TurnStart,
} from '../src/index.ts';
import { beginToolCall } from '../src/tool-call/index.ts';

describe('what an adapter asks of the registry', () => {
  it('whether an event is heard, by a hook or an observer of its group', () => {
    const hooks = createHooks();
    expect(hears(hooks, BeforeToolCall, 'exec')).toBe(false);
    const observing = hooks.observe(ToolEvent, () => {});
    expect([hears(hooks, BeforeToolCall, 'exec'), hears(hooks, TurnStart)]).toEqual([true, false]);
    observing[Symbol.dispose]();
    expect(hears(hooks, BeforeToolCall, 'exec')).toBe(false);
  });

  it('whether anybody decides: who only looks does not', () => {
    const hooks = createHooks({ aliases: { bash: 'exec' } });
    hooks.observe(AfterToolCall, () => {});
    expect(decides(hooks, AfterToolCall, 'bash')).toBe(false);
    hooks.on(AfterToolCall.matching('exec'), () => proceed());
    expect([decides(hooks, AfterToolCall, 'bash'), decides(hooks, AfterToolCall, 'read')]).toEqual([
      true,
      false,
    ]);
  });

  it('how often something is done at most: 3 times unless set', () => {
    const [usual, five] = [createHooks(), createHooks({ maxAttempts: 5 })];
    expect([openRun(usual).maxAttempts, openRun(five).maxAttempts]).toEqual([3, 5]);
  });

  it('whether a call paused in this process; a forgotten one asks hooks anew', async () => {
    const hooks = createHooks();
    let asked = 0;
    hooks.on(BeforeToolCall, () => {
      asked++;
      return requireApproval('sure?');
    });
    const session = hooks.session('s');
    const call = { session, toolName: 'exec', callId: 'c', input: 'ls' };
    const begin = () => beginToolCall(hooks, call, { approval: 'native', capabilities: { ask: true } });
    expect(isPaused(hooks, call)).toBe(false);
    await begin();
    const others = [{ callId: 'other' }, { toolName: 'read' }, { input: 'rm' }];
    expect(isPaused(hooks, call)).toBe(true);
    expect(others.map((other) => isPaused(hooks, { ...call, ...other }))).toEqual([false, false, false]);
    await begin();
    expect(asked).toBe(1);
    await forgetPaused(hooks, session, 'c', 'over');
    expect(isPaused(hooks, call)).toBe(false);
    await begin();
    expect(asked).toBe(2);
  });

  it('a session that another process opened fires no SessionStart here', async () => {
    const hooks = createHooks();
    const started: string[] = [];
    hooks.observe(SessionStart, ({ session }) => started.push(session.id));
    await hooks.dispatch(TurnStart, { session: adoptSession(hooks, 'theirs'), iteration: 1 });
    await hooks.dispatch(TurnStart, { session: hooks.session('ours'), iteration: 1 });
    expect(started).toEqual(['ours']);
  });
});

it('what is registered is another object after each change, and the same until then', () => {
  const hooks = createHooks();
  const seen = new Set([registered(hooks), registered(hooks)]);
  const hook = hooks.observe(TurnStart, () => {});
  seen.add(registered(hooks)).add(registered(hooks));
  hook[Symbol.dispose]();
  seen.add(registered(hooks));
  expect(seen.size).toBe(3);
});

describe('what an adapter tells the registry', () => {
  it('a warning is told once', () => {
    const warnings: string[] = [];
    const hooks = createHooks({ onWarning: (message) => warnings.push(message) });
    for (const _ of [1, 2]) warnOnce(hooks, 'no checkpointer');
    expect(warnings).toEqual(['no checkpointer']);
  });
});
