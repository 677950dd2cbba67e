// The rule of guides/recipes.md that looks at the clock, and a call that waits for a person until the evening.
import { BeforeToolCall, createHooks, requireApproval } from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { expect, test } from 'vitest';
import { businessHours } from '../pages/guides/recipes/business-hours.ts';

test.each([
  ['2026-11-27T15:59Z', 'ok'],
  ['2026-11-27T16:00Z', 'blocked'],
])('a refund that is asked for by day and approved at %s is %s', async (approvedAt, expected) => {
  let now = '2026-11-27T10:00Z';
  const hooks = createHooks();
  hooks.use(businessHours(() => Date.parse(now)));
  hooks.guard(BeforeToolCall, () => requireApproval('It moves money.'));
  const call = { session: hooks.session(), toolName: 'refund', input: { euros: 5 } };
  const { status } = await callTool(hooks, call, () => 'paid', {
    approval: () => {
      now = approvedAt;
      return { decision: 'allow' };
    },
  });
  expect(status).toBe(expected);
});
