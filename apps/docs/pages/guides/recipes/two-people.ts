import {
  type ApprovalAnswer,
  type Approver,
  BeforeToolCall,
  createHooks,
  requireApproval,
} from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';
import { allApprove } from '@hooks/guards';

const hooks = createHooks();
hooks.guard(BeforeToolCall.matching('pay'), () =>
  requireApproval('It moves money.', { by: 'person' }),
);

// In your program these are two inboxes, or functions that ask in a chat.
const answers: ApprovalAnswer[] = [
  { decision: 'allow', by: 'ann' },
  { decision: 'allow', by: 'bob' },
  { decision: 'allow', by: 'ann' },
  { decision: 'allow', by: 'ann' },
];
const somebody: Approver = () => answers.shift() ?? { decision: 'deny' };
const approval = allApprove({
  people: ['ann', 'bob', 'eve'],
  approvers: [somebody, somebody],
});

// With a framework, pass `approval` to the adapter.
for (const euros of [900, 800]) {
  const call = { session: hooks.session(), toolName: 'pay', input: { euros } };
  const outcome = await callTool(hooks, call, () => 'paid', { approval });
  console.log(euros, outcome.message ?? outcome.output);
}
