import {
  type ApprovalRequest,
  type Approver,
  BeforeToolCall,
  createHooks,
  requireApproval,
  type ToolCallOutcome,
} from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { expect, test } from 'vitest';
import { type AllApproveOptions, allApprove } from '../src/index.ts';

const ann = { decision: 'allow', by: 'ann' } as const;
const bob = { decision: 'allow', by: 'bob' } as const;

/** A yes of Ann whose fields are accessors of a class, and another field. */
function ofClass(field: string, value: unknown): object {
  class Answer {
    get decision(): string {
      return 'allow';
    }
    get by(): string {
      return 'ann';
    }
  }
  Object.defineProperty(Answer.prototype, field, { get: () => value });
  return new Answer();
}

/** What comes of a call with these answers, and how many of them were asked for. */
async function pay(answers: readonly unknown[], signal?: AbortSignal, stop = (): void => {}) {
  const errors: string[] = [];
  const hooks = createHooks({ onError: ({ code }) => void errors.push(code) });
  hooks.guard(BeforeToolCall, () => requireApproval('It moves money.', { by: 'person' }));
  let asked = 0;
  const askers = answers.map((answer) => ({ hash }: ApprovalRequest) => {
    asked++;
    stop();
    return typeof answer === 'function' ? answer(hash) : answer;
  });
  const call = { session: hooks.session(), toolName: 'pay', input: { euros: 900 }, signal };
  const approval = allApprove({ people: ['ann', 'bob', 'kim'], approvers: askers as Approver[] });
  const { status }: ToolCallOutcome = await callTool(hooks, call, () => 'paid', { approval });
  return { status, asked, errors };
}

test.each<readonly [string, readonly unknown[]]>([
  ['two people', [ann, bob]],
  ['a reason and fields without a value', [{ ...ann, reason: 'fine', remember: undefined }, bob]],
  ['an instance of a class', [ofClass('source', 'page'), bob]],
  ['the hash of the call', [(hash: string) => ({ ...ann, hash }), bob]],
])('a call runs after a yes of %s', async (_what, answers) => {
  expect(await pay(answers)).toEqual({ status: 'ok', asked: 2, errors: [] });
});

test.each<readonly [string, readonly unknown[]]>([
  ['the same person', [ann, ann]],
  ['the same person twice, of three', [ann, ann, bob]],
  ...['Ann', 'ann ', 'ann\u200b', '\u200b', '\u0007', 'ann and bob', 'eve', '', 7, undefined].map(
    (by) => [`a person called ${JSON.stringify(by)}`, [ann, { decision: 'allow', by }]] as const,
  ),
  ['a changed input', [{ ...ann, input: { euros: 1 } }, bob]],
  ...[['input', { euros: 1 }] as const, ['remember', 'always'] as const].map(
    ([field, value]) => [`the ${field} of an instance of a class`, [ofClass(field, value), bob]] as const,
  ),
  ['an input that was changed at last', [ann, { ...bob, input: { euros: 1 } }]],
  ['an answer in place of the tool', [{ decision: 'answer', by: 'ann', output: 'x' }, bob]],
  ['a yes to more than this call', [{ ...ann, remember: 'always' }, bob]],
  ['a no', [ann, { decision: 'deny' }]],
  ['a cancellation', [{ decision: 'canceled' }, bob]],
])('a call does not run after %s', async (_what, answers) => {
  expect(await pay(answers)).toMatchObject({ status: 'denied', errors: [] });
});

test.each([
  undefined,
  null,
  true,
  { decision: 'maybe' },
  { decision: 'deny', input: {} },
  { ...ann, input: undefined },
  { ...ann, hash: 'x' },
  ofClass('hash', 'x'),
])('an answer that is wrong is a failure of the approver: %j', async (wrong) => {
  const failed = { status: 'denied', asked: 1, errors: ['APPROVER_FAILED'] };
  expect(await pay([wrong, bob])).toEqual(failed);
});

test('nobody else is asked once the run is aborted', async () => {
  const run = new AbortController();
  const { status, asked } = await pay([ann, bob], run.signal, () => run.abort());
  expect(status).not.toBe('ok');
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toBe(1);
});

test.each<readonly [string, unknown]>([
  ['one approver', { people: ['ann', 'bob'], approvers: [() => ann] }],
  ['one person, named twice', { people: ['ann', 'ann'], approvers: [() => ann, () => ann] }],
  ['a name without a visible character', { people: ['ann', '\u200b'], approvers: [() => ann, () => bob] }],
  ['more approvers than people', { people: ['ann', 'bob'], approvers: [() => ann, () => bob, () => ann] }],
  ['no options', undefined],
])('%s is an error of the options', (_what, options) => {
  expect(() => allApprove(options as AllApproveOptions)).toThrow(
    expect.objectContaining({ code: 'CONFIG_INVALID' }),
  );
});

test('the lists count as they were when the approver was made', async () => {
  const people = ['ann', 'bob'];
  const approvers: Approver[] = [() => ann, () => ({ decision: 'allow', by: 'eve' })];
  const approval = allApprove({ people, approvers });
  people.push('eve');
  approvers.pop();
  const hooks = createHooks();
  hooks.guard(BeforeToolCall, () => requireApproval('It moves money.'));
  const call = { session: hooks.session(), toolName: 'pay', input: {} };
  expect(await callTool(hooks, call, () => 'paid', { approval })).toMatchObject({ status: 'denied' });
});
