import {
  BeforeToolCall,
  createHooks,
  requireApproval,
  ToolApprovalDecision,
} from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';

const hooks = createHooks();
hooks.guard(BeforeToolCall.matching('refund'), () =>
  requireApproval('It moves money.'),
);
hooks.observe(ToolApprovalDecision, ({ toolName, approval, by }) => {
  console.log(toolName, approval, by);
});

const call = { session: hooks.session(), toolName: 'refund', input: {} };
await callTool(hooks, call, () => 'refunded', {
  approval: () => ({ decision: 'allow', by: 'ann' }), // in place of an inbox
});
await hooks.settled();
// refund allow ann
