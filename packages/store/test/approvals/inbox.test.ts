// The inbox against the pipeline of core: a call waits, a person answers from elsewhere.
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import {
  type ApprovalAnswer,
  type ApprovalRequest,
  type Approver,
  BeforeToolCall,
  createHooks,
  requireApproval,
  ToolApprovalDecision,
} from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { temporaryFolder } from '@hooks/testing/temporary-folder';
import { expect, onTestFinished, test, vi } from 'vitest';
import { answerApproval, answerReceived, inbox, waitingApprovals } from '../../src/approvals/index.ts';
import { memoryStore, type Store } from '../../src/index.ts';
import { sqliteStore } from '../../src/sqlite.ts';

/** A call that a hook wants approved, with an inbox in a store. */
function pay(store: Store, options: { readonly deadlineMs?: number; readonly signal?: AbortSignal } = {}) {
  const hooks = createHooks();
  hooks.on(BeforeToolCall, () => requireApproval('It costs money.'));
  const sources: unknown[] = [];
  hooks.observe(ToolApprovalDecision, ({ source }) => void sources.push(source));
  const { deadlineMs = 60_000, signal } = options;
  const ran: unknown[] = [];
  const call = { session: hooks.session(), toolName: 'pay', callId: 'c1', input: { amount: 5 }, signal };
  const outcome = callTool(hooks, call, (input) => void ran.push(input), {
    approval: inbox({ store, deadlineMs, pollMs: 1 }),
  });
  return { outcome, ran, sources };
}

/** The one request that waits, once there is one. */
async function onlyRequest(store: Store) {
  for (;;) {
    const [request] = await waitingApprovals(store);
    if (request !== undefined) return request;
    await setImmediate();
  }
}

test('a call waits in the inbox with its effective input, and runs after a yes', async () => {
  const store = memoryStore();
  const { outcome, ran } = pay(store);
  const request = await onlyRequest(store);
  expect(request).toMatchObject({
    toolName: 'pay',
    input: { amount: 5 },
    reason: 'It costs money.',
    callId: 'c1',
  });
  await answerApproval(store, request.id, { decision: 'allow' });

  expect(await outcome).toMatchObject({ status: 'ok' });
  expect(ran).toEqual([{ amount: 5 }]);
  expect(await waitingApprovals(store)).toEqual([]);
});

test('an answer may say why not, or give another input', async () => {
  const store = memoryStore();
  const refused = pay(store);
  await answerApproval(store, (await onlyRequest(store)).id, { decision: 'deny', reason: 'Too much.' });
  expect(await refused.outcome).toMatchObject({ status: 'denied', reason: 'Too much.' });

  const changed = pay(store);
  await answerApproval(store, (await onlyRequest(store)).id, { decision: 'allow', input: { amount: 1 } });
  await changed.outcome;
  expect(changed.ran).toEqual([{ amount: 1 }]);
});

test('of two who press at once exactly one counts, and the other is told who was first', async () => {
  const store = sqliteStore(`${temporaryFolder()}/store.db`);
  const { outcome, ran } = pay(store);
  const { id } = await onlyRequest(store);
  const answers = await Promise.allSettled([
    answerApproval(store, id, { decision: 'allow', by: 'ada' }),
    answerApproval(store, id, { decision: 'deny', by: 'bob' }),
  ]);

  expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
  const [first] = answers;
  const late = answers.find(({ status }) => status === 'rejected');
  const told = first?.status === 'fulfilled' ? 'by ada: allow' : 'by bob: deny';
  expect(late).toMatchObject({ reason: { code: 'INVALID', message: expect.stringContaining(told) } });
  await outcome;
  expect(ran).toHaveLength(first?.status === 'fulfilled' ? 1 : 0);
  await store.close();
});

test('a request that nobody answers is denied at its deadline, and cannot be answered any more', async () => {
  const store = memoryStore();
  const { outcome, ran } = pay(store, { deadlineMs: 1_000 });
  const { id } = await onlyRequest(store);

  expect(await outcome).toMatchObject({
    status: 'denied',
    reason: expect.stringContaining('Nobody answered within 1 second.'),
  });
  await expect(answerApproval(store, id, { decision: 'allow' })).rejects.toThrow('nobody answered in time');
  expect(ran).toEqual([]);
});

test.each([
  [300, '300 milliseconds'],
  [90_000, '90 seconds'],
  [15 * 60_000, '15 minutes'],
  [3_600_000, '1 hour'],
  [90 * 60_000, '90 minutes'],
  [86_400_000, '1 day'],
])('a deadline of %i ms is said as %s', async (deadlineMs, said) => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const approval = inbox({ store: memoryStore(), deadlineMs, pollMs: deadlineMs });
  const request = { toolName: 'pay', callId: 'c1', input: {}, hash: '', reason: '' } as ApprovalRequest;
  const answer = approval(request, {} as Parameters<Approver>[1]);
  await vi.advanceTimersByTimeAsync(deadlineMs);
  expect(await answer).toMatchObject({ reason: `Nobody answered within ${said}.` });
});

test('an answer by nobody, or with a reason that is no text, is refused, and the request still waits', async () => {
  const store = memoryStore();
  const { outcome } = pay(store);
  const { id } = await onlyRequest(store);
  for (const odd of [{ by: '' }, { by: ' \u200b' }, { by: null }, { by: 7 }, { reason: 7 }])
    await expect(answerApproval(store, id, { decision: 'allow', ...(odd as object) })).rejects.toMatchObject({
      code: 'INVALID',
      message: expect.stringMatching(/`(?:by|reason)` has to be/),
    });
  await answerApproval(store, id, { decision: 'deny', by: 'ann', reason: '' });
  expect(await outcome).toMatchObject({ status: 'denied', reason: 'A person did not approve this call.' });
});

test('an answer of a class counts, and what is no object is refused', async () => {
  const store = memoryStore();
  const { outcome, sources } = pay(store);
  const { id } = await onlyRequest(store);
  class Yes {
    readonly by = 'ann';
    get decision() {
      return 'allow' as const;
    }
  }
  for (const odd of [null, undefined, 'allow', 7])
    await expect(answerApproval(store, id, odd as never)).rejects.toMatchObject({ code: 'INVALID' });
  await answerApproval(store, id, new Yes());
  expect(await outcome).toMatchObject({ status: 'ok' });
  expect(sources).toEqual(['user_approved']);
});

test('a decision that is none is refused, and the request still waits', async () => {
  const store = memoryStore();
  const { outcome } = pay(store);
  const { id } = await onlyRequest(store);
  for (const decision of ['Allow', 'yes', undefined])
    await expect(answerApproval(store, id, { decision: decision as 'allow' })).rejects.toMatchObject({
      code: 'INVALID',
      message: expect.stringContaining('"allow", "deny", "canceled" or "answer"'),
    });
  await expect(answerApproval(store, id, { decision: 'answer' })).rejects.toThrow('The answer has no output');
  await answerApproval(store, id, { decision: 'allow' });
  expect(await outcome).toMatchObject({ status: 'ok' });
});

test('a person answers in place of the tool, which does not run', async () => {
  const store = memoryStore();
  const { outcome, ran } = pay(store);
  const { id } = await onlyRequest(store);
  await answerApproval(store, id, { decision: 'answer', output: 'Paid by hand.', by: 'ada' });
  expect(await outcome).toMatchObject({ status: 'ok', output: 'Paid by hand.' });
  expect(ran).toEqual([]);
});

test('a deadline beyond what a timer takes does not pass at once', async () => {
  const store = memoryStore();
  const { outcome } = pay(store, { deadlineMs: 2 ** 31 + 1 });
  const { id } = await onlyRequest(store);
  await new Promise((resolve) => setTimeout(resolve, 30));
  await answerApproval(store, id, { decision: 'allow' });
  expect(await outcome).toMatchObject({ status: 'ok' });
});

test('an abort withdraws the request', async () => {
  const store = memoryStore();
  const abort = new AbortController();
  const { outcome, ran } = pay(store, { signal: abort.signal });
  const { id } = await onlyRequest(store);
  abort.abort();
  await outcome;

  await expect(answerApproval(store, id, { decision: 'allow' })).rejects.toThrow('it was withdrawn');
  expect(ran).toEqual([]);
});

test('a store that cannot take the request denies the call', async () => {
  const store = memoryStore();
  await store.close();
  const { outcome, ran } = pay(store);

  expect(await outcome).toMatchObject({ status: 'denied' });
  expect(ran).toEqual([]);
});

test('a request that was removed from the store denies the call, and is no answer of a person', async () => {
  const store = memoryStore();
  const { outcome, sources } = pay(store);
  const { id } = await onlyRequest(store);
  await store.delete(`approvals/requests/${id}`, { notify: true });

  expect(await outcome).toMatchObject({
    status: 'denied',
    reason: 'The request was removed from the inbox.',
  });
  expect(sources).toEqual(['no_approver']);
});

test('what other programs write under its prefix is no request', async () => {
  const store = memoryStore();
  await store.set('approvals/requests/x', { state: 'waiting' });
  await store.set('approvals/requests/y', 'hello');

  expect(await waitingApprovals(store)).toEqual([]);
  await expect(answerApproval(store, 'x', { decision: 'allow' })).rejects.toThrow(
    'There is no request x in the inbox. One that is over is forgotten after 10 minutes.',
  );
});

test.each([{ deadlineMs: 0 }, { deadlineMs: 1.5 }, { pollMs: -1 }])(
  'an inbox with %o is refused',
  (options) => {
    expect(() => inbox({ store: memoryStore(), ...options })).toThrow(/deadlineMs|pollMs/);
  },
);

test('a request of a process that has ended is not listed, and an answer to it is refused', async () => {
  const store = memoryStore();
  const { outcome } = pay(store);
  const { id } = await onlyRequest(store);
  // What becomes of it where its process is killed: nobody says any more that it is alive.
  await store.delete(`approvals/alive/${id}`);
  expect(await waitingApprovals(store)).toEqual([]);
  await expect(answerApproval(store, id, { decision: 'allow' })).rejects.toThrow(
    'the process that asked has ended',
  );
  await store.delete(`approvals/requests/${id}`, { notify: true });
  await outcome;
});

test('an answer is received once the process that asked has read it, and never where that was killed', async () => {
  const store = memoryStore();
  const { outcome } = pay(store);
  const { id } = await onlyRequest(store);
  await answerApproval(store, id, { decision: 'allow' });
  expect(await answerReceived(store, id)).toBe(true);
  await outcome;

  // What a process leaves that was killed less than a minute ago.
  await store.set('approvals/requests/of-killed', {
    state: 'waiting',
    request: { id: 'of-killed', toolName: 'pay' },
  });
  await store.set('approvals/alive/of-killed', null);
  await answerApproval(store, 'of-killed', { decision: 'allow' });
  expect(await answerReceived(store, 'of-killed', { withinMs: 20 })).toBe(false);
});

test('an answer is not received, as far as can be said, where the store is away since it was given', async () => {
  const path = join(temporaryFolder(), 'store.db');
  const store = sqliteStore(path);
  await store.set('approvals/requests/r', { state: 'waiting', request: { id: 'r', toolName: 'pay' } });
  await store.set('approvals/alive/r', null);
  await answerApproval(store, 'r', { decision: 'allow' });
  rmSync(path);
  expect(await answerReceived(store, 'r', { withinMs: 20 })).toBe(false);
  await store.close();
});

test('a request that was removed has received no answer', async () => {
  const store = memoryStore();
  const { outcome } = pay(store);
  const { id } = await onlyRequest(store);
  await store.delete(`approvals/requests/${id}`, { notify: true });
  expect(await outcome).toMatchObject({ status: 'denied', reason: expect.stringContaining('was removed') });
  expect(await answerReceived(store, id, { withinMs: 1 })).toBe(false);
});

test.each<[ApprovalAnswer, RegExp]>([
  [{ decision: 'allow', output: 'paid by hand' }, /does not take `output`, which is for "answer"/],
  [{ decision: 'deny', output: null }, /does not take `output`, which is for "answer"/],
  [{ decision: 'deny', input: { sum: 1 } }, /does not take `input`, which is for "allow"/],
  [
    { decision: 'answer', output: 'paid by hand', input: { sum: 1 } },
    /does not take `input`, which is for "allow"/,
  ],
  [
    { decision: 'answer', output: 'paid by hand', remember: 'always' },
    /does not take `remember`, which is for "allow"/,
  ],
  [{ decision: 'answer', output: 'paid by hand', reason: 'it was late' }, /does not take `reason`/],
  [{ decision: 'deny', matching: {} }, /does not take `matching`/],
  [{ decision: 'allow', input: undefined }, /`input` is undefined/],
  [{ decision: 'allow', hash: 'of another input' } as never, /`hash` is that of another input/],
  [{ decision: 'allow', source: 7 } as never, /`source` has to be a text/],
  [{ decision: 'deny', reasons: [] } as never, /does not take `reasons`/],
])(
  'an answer %j, whose decision does not take a field, is refused, and the request still waits',
  async (answer, message) => {
    const store = memoryStore();
    const { outcome } = pay(store);
    const { id } = await onlyRequest(store);
    await expect(answerApproval(store, id, answer)).rejects.toThrow(message);
    await answerApproval(store, id, { decision: 'allow' });
    expect(await outcome).toMatchObject({ status: 'ok' });
  },
);

test('a denial that is to be remembered is refused, and the request still waits', async () => {
  const store = memoryStore();
  const { outcome } = pay(store);
  const { id } = await onlyRequest(store);
  for (const decision of ['deny', 'canceled'] as const)
    await expect(answerApproval(store, id, { decision, remember: 'always' })).rejects.toThrow(
      'does not take `remember`',
    );
  await answerApproval(store, id, { decision: 'allow' });
  expect(await outcome).toMatchObject({ status: 'ok' });
});
