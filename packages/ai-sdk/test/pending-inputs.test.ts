import type { ModelMessage } from 'ai';
import { expect, test } from 'vitest';
import { pendingApprovals } from '../src/index.ts';

test('pendingApprovals lists a call with an input that JSON cannot show, beside the others', async () => {
  const content = [JSON.parse('{"n":1e400}'), { n: 1 }].flatMap((input, nth) => {
    const toolCallId = `c${nth}`;
    const call = { type: 'tool-call', toolCallId, toolName: 'pay', input } as const;
    return [call, { type: 'tool-approval-request', approvalId: `a${nth}`, toolCallId } as const];
  });
  const messages: ModelMessage[] = [{ role: 'assistant', content }];
  const [endless, other] = await pendingApprovals(messages);
  expect(endless).toMatchObject({ callId: 'c0', input: { n: Number.POSITIVE_INFINITY }, hash: '' });
  expect(other).toMatchObject({ callId: 'c1', hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
});
