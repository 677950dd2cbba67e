import {
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

/** Here Ann's answer is written down. Yours comes from a terminal or a chat. */
const askAnn: Approver = async ({ reason, toolName, input }) => {
  console.log(`${reason} Run ${toolName} ${JSON.stringify(input)}?`);
  return { decision: 'deny', reason: 'Ann: not before the goods are back.' };
};

// With LangChain: createHookedAgent(params, hooks, { approval: askAnn })
const session = hooks.session('chat-1');
const call = { session, toolName: 'refund', input: { euros: 900 } };
const approval = askAnn;
const { message } = await callTool(hooks, call, () => 'paid', { approval });
console.log(message);
