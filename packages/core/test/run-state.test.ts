// The state that a run keeps, and the sessions of its registries.
import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  type Hooks,
  modify,
  SessionEnd,
  SessionStart,
  TurnEnd,
} from '@hooks/core';
import { type AgentRun, openRun, type PromptPort } from '@hooks/core/adapter';
import { describe, expect, test } from 'vitest';
import { target } from './support/call.ts';

const call = { toolName: 'weather', input: {}, callId: 'c1' };

/** The sessions that open and close, as a registry hears of them. */
function heard(hooks: Hooks): string[] {
  const types: string[] = [];
  hooks.observe(SessionStart, ({ type, source }) => void types.push(`${type} ${source}`));
  hooks.observe(SessionEnd, ({ type }) => void types.push(type));
  return types;
}

test('a run needs a registry', () => {
  expect(() => openRun([])).toThrow(
    expect.objectContaining({
      code: 'INVALID_INPUT',
      message: expect.stringContaining('at least one registry'),
    }),
  );
});

test.each([
  ['loop_detected', 'loop_detected'],
  [undefined, 'hook_blocked'],
] as const)('a turn that a hook ends with the code %s ends for the reason %s', async (code, reason) => {
  const hooks = createHooks();
  const reasons: string[] = [];
  hooks.guard(BeforeToolCall, () => block('Enough.', { stop: true, ...(code && { code }) }));
  hooks.observe(TurnEnd, (event) => void reasons.push(event.reason));
  const run = openRun(hooks);
  await run.begin();
  await run.startTurn();
  await run.callTool(call, () => 'sunny');
  await run.end({ kind: 'done' });
  expect(reasons).toEqual([reason]);
});

describe('the session of a run', () => {
  test('opens with the first event, also one that no hook hears', async () => {
    const hooks = createHooks();
    const types: string[] = [];
    hooks.on(SessionStart, ({ type }) => {
      types.push(type);
      return modify({ context: ['It is May.'] });
    });
    const run = openRun(hooks, { sessionId: 's' });
    await run.startTurn();
    expect(types).toEqual(['session_start']);
    expect(run.takeContext()).toEqual(['It is May.']);
  });

  test('is open in each registry before a run goes on', async () => {
    const [outer, inner] = [createHooks(), createHooks()];
    const opened: string[] = [];
    for (const [name, hooks] of [
      ['outer', outer],
      ['inner', inner],
    ] as const)
      hooks.on(SessionStart, async () => {
        await Promise.resolve();
        opened.push(name);
        return modify({ context: [] });
      });
    const run = openRun([{ hooks: outer }, { hooks: inner }], { sessionId: 's' });
    await run.begin();
    expect(opened.toSorted()).toEqual(['inner', 'outer']);
    // Once they are open there is nothing to wait for.
    expect(run.open()).toBeUndefined();
  });

  test('calls what waits for its close, unless that is forgotten', async () => {
    const hooks = createHooks();
    const run = openRun(hooks, { sessionId: 's' });
    const released: string[] = [];
    run.onClose(() => released.push('kept'));
    run.onClose(() => released.push('forgotten'))();
    await hooks.session('s').close();
    expect(released).toEqual(['kept']);
  });

  test('that was closed opens anew when the run resumes, also in registries that hook a tool only', async () => {
    const [hooks, ofTool] = [createHooks(), createHooks()];
    const [types, toolTypes] = [heard(hooks), heard(ofTool)];
    const run = openRun(hooks, { sessionId: 's' });
    const inner = [{ hooks: ofTool }];
    await run.begin();
    await run.callTool(call, () => 'sunny', { inner });
    run.resume(undefined);
    await run.callTool(call, () => 'sunny', { inner });
    // Nothing was closed, so nothing opens again.
    expect([types, toolTypes]).toEqual([['session_start startup'], ['session_start startup']]);
    for (const one of [hooks, ofTool]) await one.session('s').close();
    run.resume(undefined);
    await run.callTool(call, () => 'sunny', { inner });
    expect([types, toolTypes]).toEqual([
      ['session_start startup', 'session_end', 'session_start resume'],
      ['session_start startup', 'session_end', expect.stringMatching(/^session_start/)],
    ]);
  });

  test('closes with a run that owns it, in registries that hook a tool only, too', async () => {
    const [hooks, ofTool] = [createHooks(), createHooks()];
    const types = heard(ofTool);
    const run = openRun(hooks);
    await run.begin();
    await run.callTool(call, () => 'sunny', { inner: [{ hooks: ofTool }] });
    await run.end({ kind: 'done' });
    await ofTool.settled();
    expect(types.at(-1)).toBe('session_end');
  });
});

test('a call that paused and never ran ends with its run, with the reason', async () => {
  const hooks = createHooks();
  const ended: unknown[] = [];
  hooks.observe(AfterToolCall, ({ status, reason }) => void ended.push([status, reason]));
  const run = openRun(hooks);
  await run.begin();
  const pause = new Error('the framework pauses');
  const paused = run.callTool(
    call,
    () => {
      throw pause;
    },
    { isControlFlow: (error) => error === pause },
  );
  await expect(paused).rejects.toBe(pause);
  await run.end({ kind: 'done' });
  expect(ended).toEqual([['blocked', 'The call was not finished, because the run is over.']]);
});

describe('a hook renames a call', () => {
  /** Calls `weather`, which a hook renames to `forecast`, in a step that offers these tools. */
  async function renamed(offered?: readonly string[], unenforced?: string) {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => modify({ toolName: 'forecast' }));
    const run = openRun(hooks);
    if (offered) run.offer(offered);
    const rename = (name: string) => target(name, () => `${name} ran`, { unenforced });
    return run.callTool(call, () => 'weather ran', { rename });
  }

  test.each([
    ['where every tool is offered', undefined],
    ['to a tool of the step', ['weather', 'forecast']],
  ])('%s', async (_, offered) => {
    expect(await renamed(offered)).toMatchObject({ status: 'ok', output: 'forecast ran' });
  });

  test('to no tool that the step does not offer', async () => {
    expect(await renamed(['weather'])).toMatchObject({
      status: 'blocked',
      reason: expect.stringContaining('was not offered to the model in this step'),
    });
  });

  test('to no tool that would lose its guardrail: that reason comes first', async () => {
    expect(await renamed(['weather'], 'has a guardrail')).toMatchObject({
      status: 'blocked',
      reason: expect.stringContaining('has a guardrail'),
    });
  });

  test('to no tool that the framework does not find', async () => {
    const hooks = createHooks();
    hooks.on(BeforeToolCall, () => modify({ toolName: 'forecast' }));
    const run = openRun(hooks);
    run.offer(['weather']);
    expect(await run.callTool(call, () => 'ran', { rename: () => 'it is gone' })).toMatchObject({
      status: 'blocked',
      reason: expect.stringContaining('it is gone'),
    });
  });
});

test('an input that hooks did not change stays the same list', async () => {
  const port: PromptPort<string> = { read: (text) => ({ text }), write: (_, text) => text };
  const messages = ['Hi.', 'And now?'];
  const submitted = await openRun(createHooks()).submitInput(messages, port);
  expect(submitted.kind === 'submitted' && submitted.messages).toBe(messages);
});

test('a request that no hook hears has the settings and the context of the run', async () => {
  const run: AgentRun = openRun(createHooks());
  const nobody = () => expect.unreachable();
  expect(await run.modelCall({}).prepare(nobody)).toEqual({ kind: 'send', patch: {}, context: [] });
  run.settings = { temperature: 0 };
  expect(await run.modelCall({}).prepare(nobody)).toEqual({
    kind: 'send',
    patch: { settings: { temperature: 0 } },
    context: [],
  });
});
