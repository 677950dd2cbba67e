import { expect, it } from 'vitest';
import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  type DispatchTrace,
  grantApproval,
  modify,
  proceed,
  recordTraces,
  requireApproval,
  ToolEvent,
} from '../src/index.ts';
import { call } from './support/call.ts';

it('the trace gets, per dispatch, the event, each hook asked, its answer, its time and the outcome', async () => {
  const hooks = createHooks();
  const recorder = recordTraces();
  using _listening = hooks.trace(recorder.listener);
  hooks.on(BeforeToolCall, () => modify({ input: 'changed' }), { id: 'rewrite' });
  hooks.guard(BeforeToolCall, async () => proceed(), { id: 'slow' });
  hooks.guard(BeforeToolCall, () => block('no'), { id: 'refuse' });
  hooks.observe(ToolEvent, () => {}, { id: 'audit' });
  hooks.on(
    AfterToolCall,
    () => {
      throw new Error('x');
    },
    { id: 'broken' },
  );
  await call(hooks);
  expect(recorder.lines()).toEqual([
    'before_tool_call exec: rewrite=modify slow=proceed refuse=block audit=seen -> block',
    'tool_approval_decision exec: audit=seen -> proceed',
    'after_tool_call exec: broken=HOOK_FAILED audit=seen -> block',
  ]);
  const [trace] = recorder.traces as readonly [DispatchTrace, ...DispatchTrace[]];
  expect(trace.before).toMatchObject({ input: 'ls' });
  expect(trace.event).toMatchObject({ input: 'changed' });
  expect(trace.decision).toMatchObject({ kind: 'block', by: 'refuse' });
  for (const { durationMs } of trace.hooks) expect(durationMs).toBeGreaterThanOrEqual(0);
});

it('an approval that a hook requires or grants is one in the trace, and no modification', async () => {
  const hooks = createHooks();
  const recorder = recordTraces();
  hooks.trace(recorder.listener);
  hooks.on(BeforeToolCall, () => grantApproval('fine'), { id: 'grants' });
  hooks.on(BeforeToolCall, () => modify({ input: 'changed' }), { id: 'rewrites' });
  hooks.guard(BeforeToolCall, () => requireApproval('sure?'), { id: 'asks' });
  await call(hooks);
  expect(recorder.lines()[0]).toBe(
    'before_tool_call exec: grants=grant_approval rewrites=modify asks=require_approval -> require_approval',
  );
});

it('a dispatch in which everybody answers Proceed at once is traced, too', async () => {
  const hooks = createHooks();
  const recorder = recordTraces();
  hooks.trace(recorder.listener);
  hooks.on(BeforeToolCall, () => proceed(), { id: 'calm' });
  await call(hooks);
  expect(recorder.lines()).toEqual(['before_tool_call exec: calm=proceed -> proceed']);
});

it('tells of guards behind a Block, which were asked with it; what failed among them is reported', async () => {
  const failed: unknown[] = [];
  const hooks = createHooks({ onError: ({ hook, code }) => failed.push([hook, code]) });
  const recorder = recordTraces();
  hooks.trace(recorder.listener);
  hooks.guard(BeforeToolCall, async () => block('no'), { id: 'blocks' });
  hooks.guard(BeforeToolCall, () => proceed(), { id: 'agrees' });
  hooks.guard(BeforeToolCall, () => new Promise(() => {}), { id: 'waits' });
  hooks.guard(
    BeforeToolCall,
    () => {
      throw new Error('broken');
    },
    { id: 'fails' },
  );
  hooks.guard(BeforeToolCall, () => proceed(), { id: 'is not asked' });
  expect(await call(hooks)).toMatchObject({ status: 'blocked', by: 'blocks' });
  expect(recorder.lines()).toEqual([
    'before_tool_call exec: blocks=block agrees=proceed waits=seen fails=HOOK_FAILED -> block',
  ]);
  expect(failed).toEqual([['fails', 'HOOK_FAILED']]);
});

it('traced and untraced, a chain has the same outcome', async () => {
  for (const traced of [true, false]) {
    const hooks = createHooks();
    if (traced) hooks.trace(() => {});
    hooks.on(BeforeToolCall, () => modify({ input: 'a' }));
    hooks.on(BeforeToolCall, async ({ input }) => modify({ input: `${input}b` }));
    expect(await call(hooks)).toMatchObject({ output: 'ab' });
  }
});

it('a dispatch that asks nobody is not traced; a listener ends with its Disposable', async () => {
  const hooks = createHooks();
  const recorder = recordTraces();
  const listening = hooks.trace(recorder.listener);
  await call(hooks);
  expect(recorder.traces).toEqual([]);
  hooks.on(BeforeToolCall, () => proceed());
  listening[Symbol.dispose]();
  await call(hooks);
  expect(recorder.traces).toEqual([]);
});

it('a listener that throws changes nothing', async () => {
  const hooks = createHooks({ onWarning: () => {} });
  hooks.trace(() => {
    throw new Error('x');
  });
  hooks.on(BeforeToolCall, () => proceed());
  expect(await call(hooks)).toMatchObject({ status: 'ok' });
});
