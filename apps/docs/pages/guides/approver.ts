import {
  type Approver,
  BeforeToolCall,
  createHooks,
  proceed,
  requireApproval,
} from '@hooks/core';
import { callTool } from '@hooks/core/tool-call';

const hooks = createHooks();
hooks.guard(BeforeToolCall.matching('refund'), ({ input }) => {
  const { amount } = input as { readonly amount: number };
  return amount > 50 ? requireApproval(`A refund of ${amount} EUR`) : proceed();
});

/** Asks Ann. Here her answers are written down; yours come from a person. */
const askAnn: Approver = async ({ toolName, input }) => {
  const { amount } = input as { readonly amount: number };
  if (toolName === 'refund' && amount < 500) return { decision: 'allow' };
  return { decision: 'deny', reason: 'Ann: not before the goods are back' };
};

// With LangChain: createHookedAgent(params, hooks, { approval: askAnn })
const session = hooks.session('chat-1');
for (const amount of [400, 900]) {
  const call = { session, toolName: 'refund', input: { amount } };
  const { output, message } = await callTool(
    hooks,
    call,
    () => `paid ${amount}`,
    { approval: askAnn },
  );
  console.log(message ?? output);
}
