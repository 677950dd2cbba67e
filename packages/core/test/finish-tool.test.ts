import { expect, test } from 'vitest';
import { openRun } from '../src/adapter/index.ts';
import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  modify,
  retry,
  TransformToolResult,
} from '../src/index.ts';

const theCall = { callId: 'c', toolName: 'ask', input: { question: 'Sure?' } };

test('the result of a call that ran elsewhere is transformed and observed, and no hook is asked whether it may run', async () => {
  const hooks = createHooks();
  const told: string[] = [];
  hooks.on(BeforeToolCall, () => block('Too late.'));
  hooks.on(TransformToolResult, ({ output }) => modify({ output: `${output} [checked]` }));
  hooks.observe(AfterToolCall, ({ status, output }) => void told.push(`${status}: ${output}`));
  const run = openRun(hooks);
  await run.begin();
  const outcome = await run.finishTool(theCall, { output: 'yes' });
  await hooks.settled();
  expect(outcome).toMatchObject({ status: 'ok', ran: true, output: 'yes [checked]', attempts: 1 });
  expect(told).toEqual(['ok: yes [checked]']);
});

test('a call that began in this process is the one that ends, with the signal of the request that ends it', async () => {
  const hooks = createHooks();
  const turns: (string | undefined)[] = [];
  hooks.observe(AfterToolCall, ({ run }) => void turns.push(run));
  const first = new AbortController();
  const one = openRun(hooks, { sessionId: 's', signal: first.signal });
  await one.begin();
  const begun = await one.beginTool(theCall);
  if (begun.kind !== 'run') throw new Error(begun.kind);
  first.abort();
  const other = openRun(hooks, { sessionId: 's' });
  const outcome = await other.finishTool(theCall, { error: new Error('broken') }, { begun });
  await hooks.settled();
  expect(outcome).toMatchObject({ status: 'error', aborted: false });
  expect(turns).toEqual([one.id]);
  await expect(other.finishTool(theCall, { output: 1 }, { begun })).rejects.toMatchObject({
    code: 'INVALID_INPUT',
  });
});

test('a call that ran elsewhere is not retried: the hook that wants it has failed, and the result is withheld', async () => {
  const hooks = createHooks({ onError: () => {} });
  hooks.on(AfterToolCall, () => retry('again'));
  const run = openRun(hooks);
  await run.begin();
  expect(await run.finishTool(theCall, { output: 'yes' })).toMatchObject({ status: 'blocked', ran: true });
});

test('Block with stop on the result of a call that ran elsewhere ends the run', async () => {
  const hooks = createHooks();
  hooks.on(AfterToolCall, () => block('Enough.', { stop: true }));
  const run = openRun(hooks);
  await run.begin();
  await run.finishTool(theCall, { output: 'yes' });
  expect(run.stop).toMatchObject({ reason: 'Enough.' });
});
