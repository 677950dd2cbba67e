import {
  type ApprovalAnswer,
  type Approver,
  BeforeToolCall,
  createHooks,
  requireApproval,
} from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';

const hooks = createHooks();
hooks.guard(BeforeToolCall.matching('refund'), () =>
  requireApproval('It moves money.'),
);

/** Ann's answers. Yours come from a terminal or a chat. */
const answers: ApprovalAnswer[] = [
  { decision: 'allow', by: 'ann' },
  { decision: 'deny', by: 'ann', reason: 'Not before the goods are back.' },
];
const askAnn: Approver = async ({ reason, toolName, input }) => {
  console.log(`${reason} Run ${toolName} ${JSON.stringify(input)}?`);
  return answers.shift() ?? { decision: 'deny' };
};

// An adapter does this for each tool call of your agent.
const refund = async (euros: number, approval?: Approver) => {
  const session = hooks.session('chat-1');
  const call = { session, toolName: 'refund', input: { euros } };
  const outcome = await callTool(hooks, call, () => 'paid', { approval });
  console.log(outcome.message ?? outcome.output);
};
await refund(40, askAnn);
await refund(900, askAnn);
await refund(40); // without an approver
