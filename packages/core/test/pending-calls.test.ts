// The calls of a run that have begun, and neither run nor been refused.
import {
  AfterToolCall,
  BeforeToolCall,
  block,
  createHooks,
  proceed,
  requireApproval,
  ToolApprovalDecision,
} from '@hooks/core';
import {
  approvalReason,
  openRun,
  type PendingApproval,
  PendingCalls,
  pendingApproval,
  unknownPending,
} from '@hooks/core/adapter';
import { hashInput } from '@hooks/core/tool-call';
import { expect, test } from 'vitest';

const asking = { approval: 'native', capabilities: { ask: true }, runsIn: 'callTool' } as const;
const of = (input: unknown, callId = 'c1', toolName = 'exec') => ({ callId, toolName, input });

/** A run whose hooks block `rm`, let `ls` run and ask about all else, and what they were told. */
function policy() {
  const hooks = createHooks();
  const told: unknown[] = [];
  hooks.guard(BeforeToolCall, ({ input }) => {
    if (input === 'rm') return block('no rm');
    return input === 'ls' || input === 'ls -l' ? proceed() : requireApproval(`${String(input)}?`);
  });
  hooks.observe(ToolApprovalDecision, ({ input, approval, source }) => told.push([input, approval, source]));
  hooks.observe(AfterToolCall, ({ input, status, reason }) => told.push([input, status, reason]));
  const run = openRun(hooks, { sessionId: 's' });
  const begin = (...calls: readonly ReturnType<typeof of>[]) =>
    Promise.all(calls.map((call) => run.beginTool(call, asking)));
  return { hooks, run, pending: run.pending, begin, told };
}

test('a call begins once, until it has failed to begin', async () => {
  const pending = new PendingCalls();
  let begun = 0;
  const failing = () => {
    begun++;
    return Promise.reject(new Error('gone'));
  };
  const first = pending.begin(of('one'), failing);
  expect(pending.begin(of('one'), failing)).toBe(first);
  await expect(first).rejects.toThrow('gone');
  await expect(pending.begin(of('one'), failing)).rejects.toThrow('gone');
  expect(begun).toBe(2);
});

test('a call that is taken is no longer pending; one that is still beginning stays', async () => {
  const { run, pending, begin } = policy();
  await begin(of('ls'));
  const deciding = run.beginTool(of('ls -l', 'c2'), asking);
  expect(pending.take(of('ls -l', 'c2'))).toBeUndefined();
  expect(pending.take(of('ls'))).toMatchObject({ kind: 'run' });
  expect(pending.get(of('ls'))).toBeUndefined();
  await deciding;
  expect(pending.get(of('ls -l', 'c2'))).toMatchObject({ kind: 'run' });
});

test('where the framework runs another input under an id, the call that might have run is over, and no other', async () => {
  const { run, pending, begin } = policy();
  const others = [of('ask me'), of('rm'), of('ls', 'c2'), of('ls', 'c1', 'shell')];
  await begin(of('ls'), of('ls -l'), ...others);
  const deciding = run.beginTool(of('later'), asking);
  expect(pending.take(of('pwd'))).toBeUndefined();
  expect([of('ls'), of('ls -l')].map((call) => pending.get(call))).toEqual([undefined, undefined]);
  expect(others.map((call) => pending.get(call)?.kind)).toEqual(['ask', 'done', 'run', 'run']);
  await deciding;
  expect(pending.get(of('later'))).toMatchObject({ kind: 'ask' });
});

test('an answer by an id alone is for the one call with it that waits', async () => {
  const { pending, begin } = policy();
  await begin(of('ls'), of('one'), of('two', 'c2'));
  expect(await pending.answer('c1', { decision: 'allow' })).toMatchObject({ kind: 'run' });
  expect(await pending.answer('c9', { decision: 'allow' })).toBeUndefined();
  expect(pending.waiting.map(({ input }) => input)).toEqual(['two']);
});

test('an answer by what was shown is for the call with this id and this hash', async () => {
  const { pending, begin } = policy();
  await begin(of('one'), of('two'), of('one', 'c2'), of('ls', 'c3'));
  const shown = (callId: string, input: string): PendingApproval => {
    const found = pending.waiting.find((one) => one.callId === callId && one.input === input);
    if (found === undefined) return expect.unreachable();
    return found;
  };
  await pending.answer(shown('c1', 'two'), { decision: 'deny' });
  await pending.answer(shown('c2', 'one'), { decision: 'deny' });
  expect(pending.waiting.map(({ callId, input }) => [callId, input])).toEqual([['c1', 'one']]);
  const stale = { ...shown('c1', 'one'), hash: await hashInput('another') };
  expect(await pending.answer(stale, { decision: 'allow' })).toBeUndefined();
  const other = { ...shown('c1', 'one'), callId: 'c9' };
  expect(await pending.answer(other, { decision: 'allow' })).toBeUndefined();
});

test('of two answers at the same moment one counts, and the call is not over for the other', async () => {
  const { run, pending, begin } = policy();
  await begin(of('one'));
  const both = await Promise.all(
    (['allow', 'deny'] as const).map((decision) => pending.answer(of('one'), { decision })),
  );
  const ran: unknown[] = [];
  const outcome = await run.callTool(of('one'), (input) => void ran.push(input));
  const [counted] = both;
  expect(counted).toMatchObject({ kind: 'run' });
  expect([outcome.status, ran]).toEqual(['ok', ['one']]);
});

test('cancel ends what waits, says so, and returns what ended', async () => {
  const { pending, begin, told } = policy();
  await begin(of('one'), of('ls', 'c2'), of('rm', 'c3'));
  told.length = 0;
  const ended = await pending.cancel('The run is over.');
  expect(ended).toMatchObject([{ kind: 'done', outcome: { input: 'one', reason: 'The run is over.' } }]);
  expect(told).toEqual([
    ['one', 'canceled', 'context_canceled'],
    ['one', 'denied', 'The run is over.'],
  ]);
  expect(pending.get(of('ls', 'c2'))).toMatchObject({ kind: 'run' });
});

test('a call that may run and never will ends once', async () => {
  const { pending, begin, told } = policy();
  await begin(of('ls'), of('one'), of('rm'));
  told.length = 0;
  for (let times = 0; times < 2; times++) await pending.abandon('c1', 'Nobody runs it.');
  expect(told).toEqual([['ls', 'blocked', 'Nobody runs it.']]);
  expect(pending.get(of('ls'))).toBeUndefined();
  expect(pending.get(of('one'))).toMatchObject({ kind: 'ask' });
});

test('when the model is asked again, what was decided is forgotten, and what waits is not', async () => {
  const { run, pending, begin, told } = policy();
  expect(pending.forgetDecided()).toBeUndefined();
  await begin(of('one'), of('rm', 'c2'));
  const deciding = run.beginTool(of('two', 'c4'), asking);
  // None that could have run: nothing to wait for.
  expect(pending.forgetDecided()).toBeUndefined();
  await deciding;
  await begin(of('ls', 'c3'));
  told.length = 0;
  await pending.forgetDecided();
  expect(told).toEqual([['ls', 'blocked', 'The call did not run, because the model was asked again.']]);
  expect(
    [of('one'), of('rm', 'c2'), of('ls', 'c3'), of('two', 'c4')].map((call) => pending.get(call)?.kind),
  ).toEqual(['ask', undefined, undefined, 'ask']);
});

test('a refusal of an input that JSON cannot show is for this tool and such inputs only', async () => {
  const { pending, begin } = policy();
  const sent = (): unknown => JSON.parse('{"n":1e400}');
  await begin(of(sent()), of('one', 'c2'));
  expect(pending.get(of(sent()))).toMatchObject({ kind: 'done' });
  expect(pending.get(of(sent(), 'c1', 'shell'))).toBeUndefined();
  expect(pending.get(of('ls'))).toBeUndefined();
  expect(pending.get(of(sent(), 'c2'))).toBeUndefined();
});

test('a pending approval of which nothing is known shows the call', async () => {
  expect(approvalReason('pay')).toBe('The tool "pay" requires approval.');
  const input = { amount: 3 };
  expect(await unknownPending({ callId: 'c1', toolName: 'pay', input })).toEqual({
    callId: 'c1',
    toolName: 'pay',
    input,
    reason: 'The tool "pay" requires approval.',
    hash: await hashInput(input),
  });
});

test('a pending approval is plain JSON, without what the approver alone gets', async () => {
  const { pending, begin } = policy();
  const [begun] = await begin(of('one'));
  if (begun?.kind !== 'ask') return expect.unreachable();
  const shown = pendingApproval({ ...begun.request, problem: 'It was for another call.' });
  expect(JSON.parse(JSON.stringify(shown))).toEqual(shown);
  expect(shown).toEqual({ ...pending.waitingFor(of('one')), problem: 'It was for another call.' });
  expect(pending.waitingFor(of('ls'))).toBeUndefined();
});
