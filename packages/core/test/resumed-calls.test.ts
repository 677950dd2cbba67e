import { expect, it } from 'vitest';
import { BeforeToolCall, createHooks, type Hooks, HooksError, requireApproval } from '../src/index.ts';
import { answerToolCall, beginToolCall, callTool } from '../src/tool-call/index.ts';

const theCall = (hooks: Hooks) => ({
  session: hooks.session('s'),
  toolName: 'exec',
  callId: 'c',
  input: 'ls',
});

it('a call that is taken up again gets the signal of the run that takes it up', async () => {
  const hooks = createHooks();
  hooks.on(BeforeToolCall, () => requireApproval('sure?'));
  const [first, second] = [new AbortController(), new AbortController()];
  await beginToolCall(
    hooks,
    { ...theCall(hooks), signal: first.signal },
    { approval: 'native', capabilities: { ask: true } },
  );
  first.abort(new Error('the run that paused is over'));
  const given: (AbortSignal | undefined)[] = [];
  const outcome = await callTool(
    hooks,
    { ...theCall(hooks), signal: second.signal },
    (_input, { signal }) => given.push(signal),
    { approval: (_request, { signal }) => (given.push(signal), { decision: 'allow' }) },
  );
  expect(outcome).toMatchObject({ status: 'ok', aborted: false });
  expect(given).toEqual([second.signal, second.signal]);
  expect(given[0]).toBe(second.signal);
});

it('a call that was begun keeps its signal where it goes on without one', async () => {
  const hooks = createHooks();
  const run = new AbortController();
  const begun = await beginToolCall(hooks, { ...theCall(hooks), signal: run.signal });
  const tool = () => {
    run.abort(new Error('enough'));
    throw new Error('cut short');
  };
  expect(await callTool(hooks, theCall(hooks), tool, { begun })).toMatchObject({
    status: 'error',
    aborted: true,
  });
});

it('a call that waits in another process is not answered here: the error says to begin it again', async () => {
  const hooks = createHooks();
  hooks.on(BeforeToolCall, () => requireApproval('sure?'));
  const begun = await beginToolCall(hooks, theCall(hooks), {
    approval: 'native',
    capabilities: { ask: true },
  });
  if (begun.kind !== 'ask') throw new Error(begun.kind);
  const token = JSON.parse(JSON.stringify(begun.token));
  const answered = answerToolCall(token, { decision: 'allow' });
  await expect(answered).rejects.toBeInstanceOf(HooksError);
  await expect(answered).rejects.toMatchObject({
    code: 'INVALID_INPUT',
    message: expect.stringMatching(/call c does not wait .* begin it again with `resumed`/),
  });
});
